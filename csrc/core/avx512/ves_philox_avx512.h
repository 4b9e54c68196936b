/* ves_philox_avx512: Philox4x32-10 in AVX-512, as ves_philox_avx2.h has it in AVX2.
 *
 * Eight counters stand in a vector, a word in the low half of each lane. Both exclusive ors of a round
 * are one instruction, so that a round is six instead of eight, and the round keys may stand in both
 * halves of a lane, because nobody looks at the upper one. */
#ifndef VES_PHILOX_AVX512_H
#define VES_PHILOX_AVX512_H

#include <Random123/philox.h>
#include <immintrin.h>
#include <stdint.h>

typedef struct {
  uint32_t word[10][2];
} wide_keys;

typedef struct {
  __m512i c0, c1, c2, c3; /* eight counters, one a lane */
} wide_group;

static inline __m512i wide_all(uint32_t v) { return _mm512_set1_epi32((int)v); }

static inline __m512i wide_low(uint32_t v) { return _mm512_set1_epi64((long long)v); }

static inline __m512i wide_count(void) { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }

static inline __m512i wide_xor(__m512i a, __m512i b, __m512i c) {
  return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}

static inline __m512i wide_high(__m512i product) { return _mm512_srli_epi64(product, 32); }

static inline wide_keys wide_round_keys(uint64_t key) {
  wide_keys k;
  for (uint32_t round = 0; round < 10; round++) {
    k.word[round][0] = (uint32_t)key + round * PHILOX_W32_0;
    k.word[round][1] = (uint32_t)(key >> 32) + round * PHILOX_W32_1;
  }
  return k;
}

static inline void wide_round(wide_group *g, const uint32_t key[2]) {
  const __m512i p0 = _mm512_mul_epu32(g->c0, wide_all(PHILOX_M4x32_0));
  const __m512i p1 = _mm512_mul_epu32(g->c2, wide_all(PHILOX_M4x32_1));
  g->c0 = wide_xor(wide_high(p1), g->c1, wide_all(key[0]));
  g->c2 = wide_xor(wide_high(p0), g->c3, wide_all(key[1]));
  g->c1 = p1;
  g->c3 = p0;
}

/* The sixteen bytes of each counter: of lanes 0, 2, 4, 6 in one vector, of 1, 3, 5, 7 in the other. */
static inline void wide_words(const wide_group *g, __m512i *even, __m512i *odd) {
  const __m512i w01 = _mm512_mask_shuffle_epi32(g->c0, 0xaaaa, g->c1, 0xa0);
  const __m512i w23 = _mm512_mask_shuffle_epi32(g->c2, 0xaaaa, g->c3, 0xa0);
  *even = _mm512_unpacklo_epi64(w01, w23);
  *odd = _mm512_unpackhi_epi64(w01, w23);
}

#endif
