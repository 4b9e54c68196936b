/* ves_learn_avx2.h: what the vector kernels of learning share: random bytes, who transmits, and the
 * list of members that take a step together. */
#ifndef VES_LEARN_AVX2_H
#define VES_LEARN_AVX2_H

#include "ves_learn_private.h"
#include "ves_philox_avx2.h"
#include "ves_rng_private.h"

/* The random bytes of n synapses in VES_LEARN_BATCH draws from `draw` on, one a synapse, draws
 * `stride` bytes apart; `keys` are the round keys of `key`. */
void ves_learn_bytes_avx2(const philox_keys *keys, uint64_t key, uint64_t draw, uint32_t row,
                          size_t n, size_t stride, uint8_t *bytes);

/* ---- who transmits ---- */

/* Of a draw. */
typedef struct {
  uint64_t key, draw;
  uint32_t row;
} learn_address;

/* The release of the synapse that stands at `at`; a rule has its own. */
typedef double learn_release(const ves_learn_lanes *s, size_t at);

/* The synapses of word w whose random byte ties with their threshold, decided by the fine part. */
static inline uint64_t learn_ties(const ves_learn_lanes *s, size_t at, uint64_t ties,
                                  const learn_address *a, size_t w, learn_release *release) {
  uint64_t mask = 0;
  for (; ties != 0; ties &= ties - 1) {
    const size_t b = (size_t)__builtin_ctzll(ties);
    const uint64_t fine = ves_threshold_fine(release(s, at + b));
    mask |= (uint64_t)ves_mask_refine(fine, a->key, a->draw, a->row, 64 * w + b) << b;
  }
  return mask;
}

/* The mask of word w of a lane, whose first synapse stands at `at`. */
static inline uint64_t learn_mask(const ves_learn_lanes *s, size_t at, const uint8_t *bytes,
                                  const learn_address *a, size_t w, learn_release *release) {
  const philox_bytes b = {_mm256_loadu_si256((const __m256i *)bytes),
                          _mm256_loadu_si256((const __m256i *)(bytes + 32))};
  uint64_t ties, mask = philox_compare(&b, s->coarse + at, &ties);
  if (ties != 0) mask |= learn_ties(s, at, ties, a, w, release);
  return mask;
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

/* The numbers of four members. */
static inline __m256d learn_four(const double *from, const uint32_t *m) {
  return _mm256_set_pd(from[m[3]], from[m[2]], from[m[1]], from[m[0]]);
}

#endif
