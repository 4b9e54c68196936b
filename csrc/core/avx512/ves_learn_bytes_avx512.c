/* ves_learn_bytes_avx512: ves_learn_bytes_avx2 with eight draws in a vector.
 *
 * Two vectors hold the sixteen draws of a batch. Four blocks of each, the 64 bytes of a line of
 * memory, are made before any is stored; they stand one behind the other in four vectors, and are
 * brought together draw by draw, so that a line is stored at once. */
#include "ves_learn_private.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

#include "ves_learn_avx512.h"

enum { SETS = VES_LEARN_BATCH / 8, LINE = 4 }; /* of eight draws; of blocks */

/* What draws have in a counter after two rounds; blocks meet it only in exclusive ors
 * (ves_philox_avx2.h). */
typedef struct {
  __m512i c0, c2, c3;
} draw_part;

static inline draw_part part_of_draws(const wide_keys *k, __m512i draws, uint32_t row) {
  const __m512i p1 = _mm512_mul_epu32(draws, wide_all(PHILOX_M4x32_1));
  const __m512i c0 = wide_xor(wide_high(p1), wide_all(row), wide_all(k->word[0][0]));
  const __m512i p0 = _mm512_mul_epu32(c0, wide_all(PHILOX_M4x32_0));
  const draw_part part = {_mm512_xor_si512(p1, wide_all(k->word[1][0])),
                          _mm512_xor_si512(wide_high(p0), wide_all(k->word[1][1])), p0};
  return part;
}

/* A block of all draws. */
static inline void make_block(const wide_keys *k, const draw_part *draws, uint32_t high,
                              uint32_t block, __m512i even[SETS], __m512i odd[SETS]) {
  const uint64_t p0 = (uint64_t)block * PHILOX_M4x32_0;
  const uint64_t p1 =
      (uint64_t)((uint32_t)(p0 >> 32) ^ high ^ k->word[0][1]) * (uint64_t)PHILOX_M4x32_1;
  wide_group g[SETS];
  for (int s = 0; s < SETS; s++) {
    g[s].c0 = _mm512_xor_si512(wide_all((uint32_t)(p1 >> 32)), draws[s].c0);
    g[s].c1 = wide_all((uint32_t)p1);
    g[s].c2 = _mm512_xor_si512(wide_all((uint32_t)p0), draws[s].c2);
    g[s].c3 = draws[s].c3;
  }
#pragma GCC unroll 8
  for (int round = 2; round < 10; round++)
#pragma GCC unroll 2
    for (int s = 0; s < SETS; s++) wide_round(&g[s], k->word[round]);
  for (int s = 0; s < SETS; s++) wide_words(&g[s], &even[s], &odd[s]);
}

/* Parts 0 to 3 of four vectors become four lines, `step` bytes apart. */
static inline void store_lines(const __m512i v[LINE], uint8_t *out, size_t step) {
  const __m512i a = _mm512_shuffle_i32x4(v[0], v[1], 0x44);
  const __m512i b = _mm512_shuffle_i32x4(v[0], v[1], 0xee);
  const __m512i c = _mm512_shuffle_i32x4(v[2], v[3], 0x44);
  const __m512i d = _mm512_shuffle_i32x4(v[2], v[3], 0xee);
  _mm512_storeu_si512(out, _mm512_shuffle_i32x4(a, c, 0x88));
  _mm512_storeu_si512(out + step, _mm512_shuffle_i32x4(a, c, 0xdd));
  _mm512_storeu_si512(out + 2 * step, _mm512_shuffle_i32x4(b, d, 0x88));
  _mm512_storeu_si512(out + 3 * step, _mm512_shuffle_i32x4(b, d, 0xdd));
}

void ves_learn_bytes_avx512(uint64_t key, uint64_t draw, uint32_t row, size_t n, size_t stride,
                            uint8_t *bytes) {
  const wide_keys keys = wide_round_keys(key);
  const size_t blocks = (n + 15) / 16;
  draw_part draws[SETS];
  for (uint32_t s = 0; s < SETS; s++)
    draws[s] =
        part_of_draws(&keys, _mm512_add_epi64(wide_low((uint32_t)draw + 8 * s), wide_count()), row);
  for (size_t first = 0; first < blocks; first += LINE) {
    __m512i even[SETS][LINE], odd[SETS][LINE];
    for (size_t b = 0; b < LINE; b++) {
      __m512i e[SETS], o[SETS];
      for (int s = 0; s < SETS; s++) e[s] = o[s] = _mm512_set1_epi8(-1); /* ties with nothing */
      if (first + b < blocks)
        make_block(&keys, draws, (uint32_t)(draw >> 32), (uint32_t)(first + b), e, o);
      for (int s = 0; s < SETS; s++) {
        even[s][b] = e[s];
        odd[s][b] = o[s];
      }
    }
    for (size_t s = 0; s < SETS; s++) {
      uint8_t *line = bytes + 8 * s * stride + 16 * first;
      store_lines(even[s], line, 2 * stride);
      store_lines(odd[s], line + stride, 2 * stride);
    }
  }
}

#else

void ves_learn_bytes_avx512(uint64_t key, uint64_t draw, uint32_t row, size_t n, size_t stride,
                            uint8_t *bytes) {
  (void)key, (void)draw, (void)row, (void)n, (void)stride, (void)bytes;
}

#endif
