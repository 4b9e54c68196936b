/* ves_philox_avx2: Philox4x32-10 in AVX2, shared by the vector kernels (*_avx2.c). Included only by
 * them.
 *
 * Each 64-bit lane of a vector holds one 32-bit counter word in its low half. vpmuludq multiplies
 * low halves to 64-bit products and ignores what stands in the high halves, so a round on four
 * counters is two multiplications, two shifts (the high words) and four exclusive ors; the low
 * words need no extraction at all. The ten round keys are the key plus multiples of Random123's
 * Weyl constants, broadcast once per call of a kernel. A round waits on the latency of its
 * multiplication, so two groups of counters are kept in flight. At the end the low halves are
 * packed so that the bytes leave in the order of the scalar path. Integers only: the bits are those
 * of ves_rng.c by construction, and tests compare them. */
#ifndef VES_PHILOX_AVX2_H
#define VES_PHILOX_AVX2_H

#include <Random123/philox.h>
#include <immintrin.h>
#include <stdint.h>

typedef struct {
  __m256i word[10][2];
} philox_keys;

typedef struct {
  __m256i c0, c1, c2, c3; /* four counters, one per lane */
} philox_group;

typedef struct {
  __m256i low, high; /* bytes 0-31 and 32-63 of four blocks */
} philox_bytes;

static inline __m256i philox_broadcast(uint32_t v) { return _mm256_set1_epi64x((long long)v); }

static inline philox_keys philox_round_keys(uint64_t key) {
  philox_keys k;
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  for (int round = 0; round < 10; round++) {
    k.word[round][0] = philox_broadcast(k0);
    k.word[round][1] = philox_broadcast(k1);
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  return k;
}

/* Blocks first .. first+3 of (draw, row). */
static inline philox_group philox_blocks(uint64_t draw, uint32_t row, uint32_t first) {
  const philox_group g = {_mm256_add_epi64(philox_broadcast(first), _mm256_set_epi64x(3, 2, 1, 0)),
                          philox_broadcast(row), philox_broadcast((uint32_t)draw),
                          philox_broadcast((uint32_t)(draw >> 32))};
  return g;
}

static inline void philox_round(philox_group *g, const __m256i key[2]) {
  const __m256i p0 = _mm256_mul_epu32(g->c0, philox_broadcast(PHILOX_M4x32_0));
  const __m256i p1 = _mm256_mul_epu32(g->c2, philox_broadcast(PHILOX_M4x32_1));
  g->c0 = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(g->c1, key[0]));
  g->c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(g->c3, key[1]));
  g->c1 = p1;
  g->c3 = p0;
}

static inline void philox_one(const philox_keys *k, philox_group *a) {
  for (int round = 0; round < 10; round++) philox_round(a, k->word[round]);
}

/* Rounds `from` to 9 of two groups; two rounds a turn, so that the words change places without
 * being copied. */
static inline void philox_two_from(const philox_keys *k, int from, philox_group *a,
                                   philox_group *b) {
  for (int round = from; round < 10; round += 2) {
    philox_round(a, k->word[round]);
    philox_round(b, k->word[round]);
    philox_round(a, k->word[round + 1]);
    philox_round(b, k->word[round + 1]);
  }
}

static inline void philox_two(const philox_keys *k, philox_group *a, philox_group *b) {
  philox_two_from(k, 0, a, b);
}

/* ---- two rounds less ---- */

/* A counter is (block, row, draw), and after two rounds its blocks and its draw have met only in
 * exclusive ors: the first round multiplies block and draw apart, the second what came of each.
 * Where many blocks of many draws are wanted, both parts are made once, and eight rounds are left
 * for each pair. */
typedef struct {
  __m256i c0, c1, c2;
} philox_block_part;

typedef struct {
  __m256i c0, c2, c3;
} philox_draw_part;

/* Of four blocks, for draws whose high half is `high`. */
static inline philox_block_part philox_of_blocks(const philox_keys *k, __m256i blocks,
                                                 uint32_t high) {
  const __m256i p0 = _mm256_mul_epu32(blocks, philox_broadcast(PHILOX_M4x32_0));
  const __m256i c2 = _mm256_xor_si256(
      _mm256_xor_si256(_mm256_srli_epi64(p0, 32), philox_broadcast(high)), k->word[0][1]);
  const __m256i p1 = _mm256_mul_epu32(c2, philox_broadcast(PHILOX_M4x32_1));
  const philox_block_part part = {_mm256_srli_epi64(p1, 32), p1, p0};
  return part;
}

/* Of the low halves of four draws, for one row. */
static inline philox_draw_part philox_of_draws(const philox_keys *k, __m256i draws, uint32_t row) {
  const __m256i p1 = _mm256_mul_epu32(draws, philox_broadcast(PHILOX_M4x32_1));
  const __m256i c0 = _mm256_xor_si256(
      _mm256_xor_si256(_mm256_srli_epi64(p1, 32), philox_broadcast(row)), k->word[0][0]);
  const __m256i p0 = _mm256_mul_epu32(c0, philox_broadcast(PHILOX_M4x32_0));
  const philox_draw_part part = {_mm256_xor_si256(p1, k->word[1][0]),
                                 _mm256_xor_si256(_mm256_srli_epi64(p0, 32), k->word[1][1]), p0};
  return part;
}

static inline philox_group philox_join(const philox_block_part *b, const philox_draw_part *d) {
  const philox_group g = {_mm256_xor_si256(b->c0, d->c0), b->c1, _mm256_xor_si256(b->c2, d->c2),
                          d->c3};
  return g;
}

/* The eight rounds that are left. */
static inline void philox_two_more(const philox_keys *k, philox_group *a, philox_group *b) {
  philox_two_from(k, 2, a, b);
}

/* The sixteen bytes of each block: of lanes 0 and 2 in one vector, of 1 and 3 in the other. */
static inline philox_bytes philox_words(const philox_group *g) {
  const __m256i w01 = _mm256_blend_epi32(g->c0, _mm256_slli_epi64(g->c1, 32), 0xaa);
  const __m256i w23 = _mm256_blend_epi32(g->c2, _mm256_slli_epi64(g->c3, 32), 0xaa);
  const philox_bytes out = {_mm256_unpacklo_epi64(w01, w23), _mm256_unpackhi_epi64(w01, w23)};
  return out;
}

/* The sixteen bytes of each block in turn. */
static inline philox_bytes philox_pack(const philox_group *g) {
  const philox_bytes b = philox_words(g);
  const philox_bytes out = {_mm256_permute2x128_si256(b.low, b.high, 0x20),
                            _mm256_permute2x128_si256(b.low, b.high, 0x31)};
  return out;
}

static inline uint64_t philox_movemask(__m256i low, __m256i high) {
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

/* Which of 64 bytes lie below their coarse thresholds (unsigned: b < c iff max(b, c) != b), and
 * which tie. */
static inline uint64_t philox_compare(const philox_bytes *b, const uint8_t *coarse,
                                      uint64_t *ties) {
  const __m256i cl = _mm256_loadu_si256((const __m256i *)coarse);
  const __m256i ch = _mm256_loadu_si256((const __m256i *)(coarse + 32));
  *ties = philox_movemask(_mm256_cmpeq_epi8(b->low, cl), _mm256_cmpeq_epi8(b->high, ch));
  return ~philox_movemask(_mm256_cmpeq_epi8(_mm256_max_epu8(b->low, cl), b->low),
                          _mm256_cmpeq_epi8(_mm256_max_epu8(b->high, ch), b->high));
}

#endif
