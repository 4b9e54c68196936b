/* ves_learn_bytes_avx2: the random bytes of many draws of one row.
 *
 * They are those of ves_philox_bytes, made with less work. The parts that blocks and draws have in
 * a counter after two rounds are made once for all (ves_philox_avx2.h), draws go by fours, and no
 * lane of a vector stays empty. A whole word of a mask is four blocks of a draw, one vector. The
 * last word has fewer where n asks for fewer, and its blocks are dealt out to the lanes in turn:
 * with three of them, (0 0 0 1), (1 1 2 2) and (2 3 3 3) are the draws of three vectors and
 * (0 1 2 0), (1 2 0 1) and (2 0 1 2) their blocks. */
#include "ves_learn_private.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_learn_avx2.h"

enum { SETS = VES_LEARN_BATCH / 4 }; /* of four draws */

/* Four lanes of 64 bits, picked from another vector's by number. */
static inline __m256i lanes(long long a, long long b, long long c, long long d) {
  const __m256i even = _mm256_set_epi64x(2 * d, 2 * c, 2 * b, 2 * a);
  const __m256i odd = _mm256_add_epi64(even, _mm256_set1_epi64x(1));
  return _mm256_or_si256(even, _mm256_slli_epi64(odd, 32));
}

static inline void store_word(const philox_group *g, uint8_t *out) {
  const philox_bytes b = philox_pack(g);
  _mm256_storeu_si256((__m256i *)out, b.low);
  _mm256_storeu_si256((__m256i *)(out + 32), b.high);
}

/* A whole word of two draws, whose parts stand in the lanes named by `one` and `two`. */
#define make_two(keys, blocks, draws, one, two, out, other)                                        \
  do {                                                                                             \
    const philox_draw_part p = philox_all(draws, one), q = philox_all(draws, two);                 \
    philox_group g = philox_join(blocks, &p), h = philox_join(blocks, &q);                         \
    philox_two_more(keys, &g, &h);                                                                 \
    store_word(&g, out);                                                                           \
    store_word(&h, other);                                                                         \
  } while (0)

/* A whole word of four draws, `stride` bytes apart. */
static inline void make_word(const philox_keys *keys, const philox_block_part *blocks,
                             const philox_draw_part *draws, size_t stride, uint8_t *out) {
  make_two(keys, blocks, draws, 0x00, 0x55, out, out + stride);
  make_two(keys, blocks, draws, 0xaa, 0xff, out + 2 * stride, out + 3 * stride);
}

/* Where the four blocks of a vector go when the last word has `count` blocks and vector v of them
 * is wanted: lane i holds block (4v + i) % count of draw (4v + i) / count. */
typedef struct {
  philox_block_part blocks;
  __m256i draws;
  size_t at[4];
} deal;

static deal deal_of(const philox_keys *keys, size_t first, size_t count, size_t v, uint32_t high,
                    size_t stride) {
  deal d;
  long long block[4], draw[4];
  for (size_t i = 0; i < 4; i++) {
    const size_t of = (4 * v + i) % count, in = (4 * v + i) / count;
    block[i] = (long long)first + (long long)of;
    draw[i] = (long long)in;
    d.at[i] = in * stride + 16 * of;
  }
  d.blocks = philox_of_blocks(keys, _mm256_loadu_si256((const __m256i *)block), high);
  d.draws = lanes(draw[0], draw[1], draw[2], draw[3]);
  return d;
}

static inline void store_dealt(const philox_group *g, const deal *d, uint8_t *out) {
  const philox_bytes b = philox_pack(g);
  _mm_storeu_si128((__m128i *)(out + d->at[0]), _mm256_castsi256_si128(b.low));
  _mm_storeu_si128((__m128i *)(out + d->at[1]), _mm256_extracti128_si256(b.low, 1));
  _mm_storeu_si128((__m128i *)(out + d->at[2]), _mm256_castsi256_si128(b.high));
  _mm_storeu_si128((__m128i *)(out + d->at[3]), _mm256_extracti128_si256(b.high, 1));
}

/* Vector v of the last word for two sets of draws. */
static inline void make_dealt(const philox_keys *keys, const deal *d, const philox_draw_part *one,
                              const philox_draw_part *two, size_t stride, uint8_t *out) {
  const philox_draw_part first = philox_pick(one, d->draws), second = philox_pick(two, d->draws);
  philox_group g = philox_join(&d->blocks, &first), h = philox_join(&d->blocks, &second);
  philox_two_more(keys, &g, &h);
  store_dealt(&g, d, out);
  store_dealt(&h, d, out + 4 * stride);
}

void ves_learn_bytes_avx2(const philox_keys *keys, uint64_t key, uint64_t draw, uint32_t row,
                          size_t n, size_t stride, uint8_t *bytes) {
  const uint32_t high = (uint32_t)(draw >> 32);
  const size_t blocks = (n + 15) / 16, words = blocks / 4, left = blocks % 4;
  if ((draw + VES_LEARN_BATCH - 1) >> 32 != high) { /* once in 2^32 draws */
    for (size_t d = 0; d < VES_LEARN_BATCH; d++)
      ves_philox_bytes(key, draw + d, row, 0, blocks, bytes + d * stride);
    return;
  }
  const __m256i count = _mm256_set_epi64x(3, 2, 1, 0);
  philox_draw_part draws[SETS];
  for (size_t s = 0; s < SETS; s++)
    draws[s] = philox_of_draws(
        keys, _mm256_add_epi64(philox_broadcast((uint32_t)draw + (uint32_t)(4 * s)), count), row);
  for (size_t w = 0; w < words; w++) {
    const philox_block_part part =
        philox_of_blocks(keys, _mm256_add_epi64(philox_broadcast((uint32_t)(4 * w)), count), high);
    for (size_t s = 0; s < SETS; s++)
      make_word(keys, &part, &draws[s], stride, bytes + 4 * s * stride + 64 * w);
  }
  for (size_t v = 0; v < left; v++) {
    const deal d = deal_of(keys, 4 * words, left, v, high, stride);
    for (size_t s = 0; s < SETS; s += 2)
      make_dealt(keys, &d, &draws[s], &draws[s + 1], stride, bytes + 4 * s * stride + 64 * words);
  }
}

#endif
