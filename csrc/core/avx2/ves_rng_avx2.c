/* ves_rng_avx2: bytes, masks and uniforms of the generator, four blocks or four draws at a time
 * (see ves_philox_avx2.h). */
#include "ves_rng_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_philox_avx2.h"
#include <string.h>

static void bytes_avx2(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                       uint8_t *out) {
  const philox_keys keys = philox_round_keys(key);
  while (blocks > 0) {
    uint8_t buffer[64];
    philox_group g = philox_blocks(draw, row, first);
    philox_one(&keys, &g);
    const philox_bytes b = philox_pack(&g);
    _mm256_storeu_si256((__m256i *)buffer, b.low);
    _mm256_storeu_si256((__m256i *)(buffer + 32), b.high);
    const size_t take = blocks < 4 ? blocks : 4;
    for (size_t i = 0; i < 16 * take; i++) out[i] = buffer[i];
    out += 16 * take;
    first += (uint32_t)take;
    blocks -= take;
  }
}

/* The mask of word w by its random bits. */
static inline uint64_t compared(const ves_thresholds *t, const philox_group *g, uint64_t key,
                                uint64_t draw, uint32_t row, size_t w) {
  const philox_bytes b = philox_pack(g);
  uint64_t ties, mask = philox_compare(&b, t->coarse + 64 * w, &ties);
  if (ties != 0) mask |= ves_mask_break(t, ties, key, draw, row, w);
  return mask;
}

static uint64_t word_avx2(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                          size_t w) {
  const philox_keys keys = philox_round_keys(key);
  philox_group g = philox_blocks(draw, row, (uint32_t)(4 * w));
  philox_one(&keys, &g);
  return compared(t, &g, key, draw, row, w);
}

/* Two words at a time, since a round waits on its multiplication; should their number be odd, one
 * more than is asked for is made and not used. */
static void mask_avx2(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                      uint64_t *mask) {
  const philox_keys keys = philox_round_keys(key);
  for (size_t w = 0; w < t->words; w += 2) {
    philox_group a = philox_blocks(draw, row, (uint32_t)(4 * w));
    philox_group b = philox_blocks(draw, row, (uint32_t)(4 * w + 4));
    philox_two(&keys, &a, &b);
    mask[w] = compared(t, &a, key, draw, row, w);
    if (w + 1 < t->words) mask[w + 1] = compared(t, &b, key, draw, row, w + 1);
  }
}

/* The 53 leading bits of two words of four draws, as doubles in [0, 1). An integer below
 * 2^52 plus the bits of 2^52 is a double; the 53-bit integer goes there in two parts, whose sum is
 * exact. */
static __m256d uniform4(__m256i first, __m256i second) {
  const __m256i mask32 = _mm256_set1_epi64x(0xffffffff);
  const __m256i high = _mm256_srli_epi64(_mm256_and_si256(first, mask32), 5);
  const __m256i low = _mm256_srli_epi64(_mm256_and_si256(second, mask32), 6);
  const __m256i magic = _mm256_set1_epi64x(0x4330000000000000); /* 2^52 */
  const __m256d two52 = _mm256_set1_pd(0x1p52);
  const __m256d h = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(high, magic)), two52);
  const __m256d l = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(low, magic)), two52);
  const __m256d whole = _mm256_add_pd(_mm256_mul_pd(h, _mm256_set1_pd(0x1p26)), l);
  return _mm256_mul_pd(whole, _mm256_set1_pd(0x1p-53));
}

/* Block 0 of four draws of the scalar row; the draws must share their high half. */
static philox_group four_draws(__m256i low, uint32_t high) {
  const philox_group g = {_mm256_setzero_si256(), philox_broadcast(VES_ROW_SCALAR), low,
                          philox_broadcast(high)};
  return g;
}

static __m256i four_from(uint64_t first) {
  return _mm256_add_epi64(philox_broadcast((uint32_t)first), _mm256_set_epi64x(3, 2, 1, 0));
}

/* Inlined: a function with vectors for arguments may leave their upper halves behind, which slows
 * down all scalar code after it. */
static inline __attribute__((always_inline)) void eight_pairs(const philox_keys *keys, __m256i some,
                                                              __m256i others, uint32_t high,
                                                              double *first_of, double *second_of) {
  philox_group a = four_draws(some, high), b = four_draws(others, high);
  philox_two(keys, &a, &b);
  _mm256_storeu_pd(first_of, uniform4(a.c0, a.c1));
  _mm256_storeu_pd(second_of, uniform4(a.c2, a.c3));
  _mm256_storeu_pd(first_of + 4, uniform4(b.c0, b.c1));
  _mm256_storeu_pd(second_of + 4, uniform4(b.c2, b.c3));
}

static void pairs_avx2(uint64_t key, uint64_t first, size_t draws, double *first_of,
                       double *second_of) {
  const philox_keys keys = philox_round_keys(key);
  size_t d = 0;
  for (; d < draws && (first + d) >> 32 == (first + d + 7) >> 32; d += 8) {
    const __m256i some = four_from(first + d), others = four_from(first + d + 4);
    const uint32_t high = (uint32_t)((first + d) >> 32);
    if (d + 8 <= draws) {
      eight_pairs(&keys, some, others, high, first_of + d, second_of + d);
    } else {
      double one[8], two[8];
      eight_pairs(&keys, some, others, high, one, two);
      memcpy(first_of + d, one, (draws - d) * sizeof *one);
      memcpy(second_of + d, two, (draws - d) * sizeof *two);
      return;
    }
  }
  if (d < draws) ves_uniform_pairs_scalar(key, first + d, draws - d, first_of + d, second_of + d);
}

static void pairs_at_avx2(uint64_t key, const uint32_t *draw, size_t count, double *first_of,
                          double *second_of) {
  const philox_keys keys = philox_round_keys(key);
  for (size_t i = 0; i < count; i += 8) {
    uint64_t eight[8] = {0};
    double one[8], two[8];
    const size_t there = count - i < 8 ? count - i : 8;
    for (size_t k = 0; k < there; k++) eight[k] = draw[i + k];
    eight_pairs(&keys, _mm256_loadu_si256((const __m256i *)eight),
                _mm256_loadu_si256((const __m256i *)(eight + 4)), 0, one, two);
    for (size_t k = 0; k < there; k++) {
      first_of[draw[i + k]] = one[k];
      second_of[draw[i + k]] = two[k];
    }
  }
}

const ves_rng_path ves_rng_avx2 = {bytes_avx2, word_avx2, mask_avx2, pairs_avx2, pairs_at_avx2};

#else

const ves_rng_path ves_rng_avx2 = {0}; /* never in use */

#endif
