/* ves_learn_avx2.h: what the vector kernels of learning share: random bytes, who transmits, and the
 * list of members that take a step together. */
#ifndef VES_LEARN_AVX2_H
#define VES_LEARN_AVX2_H

#include "ves_learn_private.h"
#include "ves_philox_avx2.h"
#include "ves_rng_private.h"

/* The plan is told in ves_learn_avx2.c. */

/* The random bytes of n synapses in VES_LEARN_BATCH draws from `draw` on, one a synapse, draws
 * `stride` bytes apart; `keys` are the round keys of `key`. */
void ves_learn_bytes_avx2(const philox_keys *keys, uint64_t key, uint64_t draw, uint32_t row,
                          size_t n, size_t stride, uint8_t *bytes);

/* Makes sure that the bytes of iteration `draw` are there for `lanes` rows of n synapses from `row`
 * on; returns its number in the batch. Those of a batch that was not used up are still there. */
size_t ves_learn_batch_avx2(ves_learn_lanes *s, const philox_keys *keys, uint64_t key,
                            uint64_t draw, uint32_t row, size_t lanes, size_t n);

/* ---- who transmits ---- */

/* The release of the synapse that stands at `at`; a rule has its own. */
typedef double learn_release(const ves_learn_lanes *s, size_t at);

/* The mask of 64 synapses, the first of them `at` among those of all lanes and `first` as a tie,
 * without its ties, which are listed after the `count` there are: two whether or not there are as
 * many. Returns their new number. */
static inline __attribute__((always_inline)) size_t learn_compare(const ves_learn_lanes *s,
                                                                  size_t at, uint64_t first,
                                                                  const uint8_t *bytes,
                                                                  uint64_t *mask, size_t count) {
  const philox_bytes b = {_mm256_loadu_si256((const __m256i *)bytes),
                          _mm256_loadu_si256((const __m256i *)(bytes + 32))};
  uint64_t ties;
  *mask = philox_compare(&b, s->coarse + VES_LEARN_GUARD + at, &ties);
  const size_t end = count + (size_t)__builtin_popcountll(ties);
  for (size_t k = count;; k += 2) {
    s->tie[k] = first + (_tzcnt_u64(ties) << 32);
    ties &= ties - 1;
    s->tie[k + 1] = first + (_tzcnt_u64(ties) << 32);
    ties &= ties - 1;
    if (k + 2 >= end) return end;
  }
}

/* The counters of the refinement words of four ties. What stands in the upper halves of a counter is
 * not looked at. */
static inline philox_group learn_fine(const uint64_t *tie, uint64_t draw, uint32_t row) {
  const __m256i t = _mm256_loadu_si256((const __m256i *)tie);
  const philox_group g = {
      _mm256_or_si256(_mm256_srli_epi64(t, 34), philox_broadcast(VES_FINE_BLOCKS)),
      _mm256_add_epi64(t, philox_broadcast(row)), philox_broadcast((uint32_t)draw),
      philox_broadcast((uint32_t)(draw >> 32))};
  return g;
}

/* Sets the bits of those of up to four ties that transmit. */
static inline __attribute__((always_inline)) void learn_refine(const ves_learn_lanes *s,
                                                               const philox_group *g, size_t from,
                                                               size_t end, learn_release *release) {
  uint64_t word[4][4];
  _mm256_storeu_si256((__m256i *)word[0], g->c0);
  _mm256_storeu_si256((__m256i *)word[1], g->c1);
  _mm256_storeu_si256((__m256i *)word[2], g->c2);
  _mm256_storeu_si256((__m256i *)word[3], g->c3);
  for (size_t k = from; k < from + 4 && k < end; k++) {
    const size_t rank = s->tie[k] >> 32, at = (uint32_t)s->tie[k] * s->stride + rank;
    const uint64_t fine = ves_threshold_fine(release(s, VES_LEARN_GUARD + at));
    const uint64_t on = (uint32_t)word[rank % 4][k - from] < fine;
    s->mask[at / 64] |= on << rank % 64;
  }
}

/* The masks of all lanes in iteration b of a batch, which draws at (draw, row + lane). */
static inline __attribute__((always_inline)) void
learn_masks(const ves_learn_lanes *s, const philox_keys *keys, size_t lanes, size_t words, size_t b,
            uint64_t draw, uint32_t row, learn_release *release) {
  size_t count = 0;
  for (size_t l = 0; l < lanes; l++) {
    const uint8_t *bytes = s->bytes + (l * VES_LEARN_BATCH + b) * s->stride;
    for (size_t w = 0; w < words; w++)
      count = learn_compare(s, l * s->stride + 64 * w, (uint64_t)(64 * w) << 32 | l, bytes + 64 * w,
                            s->mask + l * words + w, count);
  }
  for (size_t k = 0; k < count; k += 8) {
    philox_group g = learn_fine(s->tie + k, draw, row), h = learn_fine(s->tie + k + 4, draw, row);
    philox_two(keys, &g, &h);
    learn_refine(s, &g, k, count, release);
    learn_refine(s, &h, k + 4, count, release);
  }
}

/* ---- the list of members ---- */

/* Lists the top bit of `bits` as member k, and takes it away. With no bit left that is the synapse
 * before the word, listed for nothing. */
static inline void learn_list_top(const ves_learn_lanes *s, const double *amount, size_t k,
                                  size_t at, uint64_t *bits, double *sum) {
  const unsigned above = 63 - (unsigned)_lzcnt_u64(*bits);
  const size_t r = at + (size_t)(int)above;
  const double own = amount[r];
  *bits = _bzhi_u64(*bits, above);
  s->member[k] = (uint32_t)r;
  s->member_amount[k] = own;
  s->member_weaker[k] = *sum;
  *sum += own;
}

/* Lists the set bits from the top down after the `size` members there are, each with its amount and
 * with the sum of those before it; returns the new size. */
static inline size_t learn_list(const ves_learn_lanes *s, const double *amount, size_t size,
                                size_t at, uint64_t bits, double *sum) {
  const size_t end = size + (size_t)__builtin_popcountll(bits);
  double running = *sum;
  size_t k = size;
  do {
    learn_list_top(s, amount, k, at, &bits, &running);
    learn_list_top(s, amount, k + 1, at, &bits, &running);
    learn_list_top(s, amount, k + 2, at, &bits, &running);
    learn_list_top(s, amount, k + 3, at, &bits, &running);
    k += 4;
  } while (k < end);
  if (end > size) *sum = s->member_weaker[end - 1] + s->member_amount[end - 1];
  return end;
}

/* Of the members listed from `start` on, keeps the strongest; returns the new size. */
static inline size_t learn_keep_strongest(const ves_learn_lanes *s, size_t start, size_t end) {
  if (end == start) return end;
  s->member[start] = s->member[end - 1];
  s->member_amount[start] = s->member_amount[end - 1];
  s->member_weaker[start] = s->member_weaker[end - 1];
  return start + 1;
}

/* Fills the list up to a whole number of vectors with the synapse `spare`. */
static inline void learn_fill_up(const ves_learn_lanes *s, size_t size, size_t spare) {
  for (size_t k = size; k < size + 3; k++) {
    s->member[k] = (uint32_t)spare;
    s->member_amount[k] = 1.0;
    s->member_weaker[k] = 0.0;
  }
}

/* ---- the step ---- */

/* ves_threshold_coarse. */
static inline __m256i learn_coarse(__m256d q) {
  const __m256i bits = _mm256_castpd_si256(_mm256_add_pd(q, _mm256_set1_pd(4096.0)));
  const __m256i c = _mm256_and_si256(_mm256_srli_epi64(bits, 32), _mm256_set1_epi64x(0x1ff));
  return _mm256_sub_epi64(c, _mm256_srli_epi64(c, 8));
}

/* g to a whole exponent, factor by factor as the definition. */
static inline __m256d learn_raised(__m256d g, unsigned exponent) {
  __m256d result = _mm256_set1_pd(1.0);
  for (;;) {
    if (exponent & 1) result = _mm256_mul_pd(result, g);
    exponent >>= 1;
    if (exponent == 0) return result;
    g = _mm256_mul_pd(g, g);
  }
}

/* The numbers of four members. */
static inline __m256d learn_four(const double *from, const uint32_t *m) {
  return _mm256_set_pd(from[m[3]], from[m[2]], from[m[1]], from[m[0]]);
}

#endif
