/* ves_amplitude_avx2: the amplitude rule, several rows and many iterations at a time.
 *
 * The plan is that of ves_learn_avx2.c: random bytes of sixteen iterations in one go, the members
 * of four rows in one list, steps of four members in a vector. Two things differ. What is added up
 * is amplitudes, which change, so that they are read when the list is made; all of them are those
 * before the iteration, because no step is taken until the list is complete. And Algorithm 1 keeps
 * only the last member of each row's list, its strongest.
 *
 * Releases are not kept: a tie of coarse bytes, once in some hundred synapses, makes its own. */
#include "ves_amplitude_private.h"
#include "ves_rng_private.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_learn_avx2.h"
#include "ves_stop.h"

bool ves_amplitude_avx2_knows(const ves_amplitude_options *opt) {
  return ves_simd_in_use() && opt->order == VES_ORDER_WEIGHT && opt->winner == NULL;
}

/* ---- who transmits ---- */

typedef struct {
  uint64_t key, draw;
  uint32_t row;
} address;

static uint64_t break_ties(const ves_amplitude_lanes *s, size_t at, uint64_t ties, const address *a,
                           size_t w) {
  uint64_t mask = 0;
  for (; ties != 0; ties &= ties - 1) {
    const size_t b = (size_t)__builtin_ctzll(ties);
    const double q = ves_amplitude_release(s->weight[at + b], s->amplitude[at + b]);
    const uint64_t fine = ves_threshold_fine(q);
    mask |= (uint64_t)ves_mask_refine(fine, a->key, a->draw, a->row, 64 * w + b) << b;
  }
  return mask;
}

/* The mask of word w of a lane, whose first synapse stands at `at`. */
static inline uint64_t mask_of(const ves_amplitude_lanes *s, size_t at, const uint8_t *bytes,
                               const address *a, size_t w) {
  const philox_bytes b = {_mm256_loadu_si256((const __m256i *)bytes),
                          _mm256_loadu_si256((const __m256i *)(bytes + 32))};
  uint64_t ties, mask = philox_compare(&b, s->coarse + at, &ties);
  if (ties != 0) mask |= break_ties(s, at, ties, a, w);
  return mask;
}

/* ---- the list of members ---- */

/* Lists the top bit of `bits` as member k, and takes it away. With no bit left that is the synapse
 * before the word, listed for nothing. */
static inline void list_top(const ves_amplitude_lanes *s, size_t k, size_t at, uint64_t *bits,
                            double *sum) {
  const unsigned above = 63 - (unsigned)_lzcnt_u64(*bits);
  const size_t r = at + (size_t)(int)above;
  *bits = _bzhi_u64(*bits, above);
  s->member[k] = (uint32_t)r;
  s->member_weaker[k] = *sum;
  *sum += s->amplitude[r];
}

/* Lists the set bits from the top down after the `size` members there are; returns the new size. */
static inline size_t list_members(const ves_amplitude_lanes *s, size_t size, size_t at,
                                  uint64_t bits, double *sum) {
  const size_t end = size + (size_t)__builtin_popcountll(bits);
  double running = *sum;
  size_t k = size;
  do {
    list_top(s, k, at, &bits, &running);
    list_top(s, k + 1, at, &bits, &running);
    list_top(s, k + 2, at, &bits, &running);
    list_top(s, k + 3, at, &bits, &running);
    k += 4;
  } while (k < end);
  if (end > size) *sum = s->member_weaker[end - 1] + s->amplitude[s->member[end - 1]];
  return end;
}

/* Fills the list up to a whole number of vectors with the synapse `spare`. */
static inline void fill_up(const ves_amplitude_lanes *s, size_t size, size_t spare) {
  for (size_t k = size; k < size + 3; k++) {
    s->member[k] = (uint32_t)spare;
    s->member_weaker[k] = 0.0;
  }
}

/* Of the members listed from `start` on, keeps the strongest; returns the new size. */
static inline size_t keep_strongest(const ves_amplitude_lanes *s, size_t start, size_t end) {
  if (end == start) return end;
  s->member[start] = s->member[end - 1];
  s->member_weaker[start] = s->member_weaker[end - 1];
  return start + 1;
}

/* ---- the step ---- */

/* ves_threshold_coarse. */
static inline __m256i coarse_of(__m256d q) {
  const __m256i bits = _mm256_castpd_si256(_mm256_add_pd(q, _mm256_set1_pd(4096.0)));
  const __m256i c = _mm256_and_si256(_mm256_srli_epi64(bits, 32), _mm256_set1_epi64x(0x1ff));
  return _mm256_sub_epi64(c, _mm256_srli_epi64(c, 8));
}

static inline __m256d four(const double *from, const uint32_t *m) {
  return _mm256_set_pd(from[m[3]], from[m[2]], from[m[1]], from[m[0]]);
}

/* Members c .. c+3 take their step: `rate`, or 1/k if `average`, but not below `least`. */
static inline void step(const ves_amplitude_lanes *s, size_t c, bool average, __m256d rate,
                        __m256d least) {
  const __m256d one = _mm256_set1_pd(1.0);
  const uint32_t *m = s->member + c;
  const __m256d w = four(s->weight, m), a = four(s->amplitude, m);
  const __m256d k = _mm256_add_pd(four(s->updates, m), one);
  if (average) rate = _mm256_div_pd(one, k);
  rate = _mm256_max_pd(rate, least);
  const __m256d target = _mm256_add_pd(w, _mm256_loadu_pd(s->member_weaker + c));
  const __m256d part = _mm256_add_pd(a, _mm256_mul_pd(rate, _mm256_sub_pd(target, a)));
  const __m256d moved = _mm256_blendv_pd(target, part, _mm256_cmp_pd(rate, one, _CMP_LT_OQ));
  const __m256d next = _mm256_max_pd(moved, w);
  const __m256d q = _mm256_max_pd(_mm256_div_pd(w, next), _mm256_set1_pd(VES_AMPLITUDE_LEAST));
  double amplitude[4], updates[4];
  uint64_t coarse[4];
  _mm256_storeu_pd(amplitude, next);
  _mm256_storeu_pd(updates, k);
  _mm256_storeu_si256((__m256i *)coarse, coarse_of(q));
  for (int i = 0; i < 4; i++) {
    s->amplitude[m[i]] = amplitude[i];
    s->updates[m[i]] = updates[i];
    s->coarse[m[i]] = (uint8_t)coarse[i];
  }
}

/* ---- iterations ---- */

/* Iteration b of the batch: lists the members of all lanes that learn; returns how many. */
static inline size_t gather(const ves_amplitude_lanes *s, size_t lanes, size_t words, size_t b,
                            bool strongest, address a) {
  size_t size = 0;
  for (size_t l = 0; l < lanes; l++, a.row++) {
    const uint8_t *bytes = s->bytes + (l * VES_LEARN_BATCH + b) * s->stride;
    const size_t start = size;
    double sum = 0.0;
    for (size_t w = words; w-- > 0;) {
      const size_t at = VES_LEARN_GUARD + l * s->stride + 64 * w;
      size = list_members(s, size, at, mask_of(s, at, bytes + 64 * w, &a, w), &sum);
    }
    if (strongest) size = keep_strongest(s, start, size);
  }
  return size;
}

void ves_amplitude_lanes_avx2(ves_amplitude_lanes *s, size_t lanes, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                              uint32_t row, uint64_t t, uint64_t count) {
  const philox_keys keys = philox_round_keys(key);
  const size_t words = (n + 63) / 64, spare = VES_LEARN_GUARD + lanes * s->stride;
  const __m256d least = _mm256_set1_pd(opt->rate_floor);
  const bool strongest = opt->algorithm == 1, average = opt->average;
  s->weight[spare] = s->amplitude[spare] = 1.0;
  for (uint64_t done = 0; done < count && !ves_stopping(); done += VES_LEARN_BATCH) {
    const size_t batch = count - done < VES_LEARN_BATCH ? (size_t)(count - done) : VES_LEARN_BATCH;
    for (size_t l = 0; l < lanes; l++)
      ves_learn_bytes_avx2(&keys, key, draw + done, row + (uint32_t)l, n, s->stride,
                           s->bytes + l * VES_LEARN_BATCH * s->stride);
    const ves_amplitude_lanes here = *s; /* a copy: nothing that is stored can change it */
    for (size_t b = 0; b < batch; b++) {
      const address a = {key, draw + done + b, row};
      const size_t size = gather(&here, lanes, words, b, strongest, a);
      fill_up(&here, size, spare);
      const __m256d rate =
          _mm256_set1_pd(average ? 1.0 : ves_amplitude_step(opt, t + done + b, 1.0));
      for (size_t c = 0; c < size; c += 4) step(&here, c, average, rate, least);
    }
  }
}

#else

bool ves_amplitude_avx2_knows(const ves_amplitude_options *opt) {
  (void)opt;
  return false;
}

void ves_amplitude_lanes_avx2(ves_amplitude_lanes *s, size_t lanes, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                              uint32_t row, uint64_t t, uint64_t count) {
  (void)s, (void)lanes, (void)n, (void)opt, (void)key, (void)draw, (void)row, (void)t, (void)count;
}

#endif
