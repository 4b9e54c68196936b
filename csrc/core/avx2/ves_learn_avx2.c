/* ves_learn_avx2: the power rule, several rows and many iterations at a time.
 *
 * Only the thresholds change from one iteration to the next; the random bytes do not depend on
 * them. So the bytes of sixteen iterations are made in one go (ves_learn_bytes_avx2.c), at the
 * generator's throughput instead of its latency, and each iteration compares 64 of them a step.
 *
 * A row's subset is small, seven members of a hundred, and its size is a matter of chance: a loop
 * over its members ends where no branch predictor expects it. So four rows, which learn
 * independently, go side by side. The members of all four are listed first, from the weakest up,
 * each with the sum of its subset so far: four are listed whether or not there are as many, the
 * next list overwriting what was one too many. Then the whole list takes its steps, four members
 * in a vector, whichever row they belong to; its tail is filled up with a synapse that does not
 * exist. Thresholds are kept as their coarse bytes; the fine part is made from the release where a
 * byte ties.
 *
 * The order of updates differs from ves_learn.c, which is the definition, but not their bits:
 * members are distinct synapses, and this rule looks at nothing but the member's own weight, sum
 * and release. */
#include "ves_learn_private.h"
#include "ves_rng_private.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_learn_avx2.h"
#include "ves_stop.h"

/* ---- who transmits ---- */

typedef struct {
  uint64_t key, draw;
  uint32_t row;
} address;

static uint64_t break_ties(const ves_learn_lanes *s, size_t at, uint64_t ties, const address *a,
                           size_t w) {
  uint64_t mask = 0;
  for (; ties != 0; ties &= ties - 1) {
    const size_t b = (size_t)__builtin_ctzll(ties);
    const uint64_t fine = s->weight[at + b] > 0 ? ves_threshold_fine(s->q[at + b]) : 0;
    mask |= (uint64_t)ves_mask_refine(fine, a->key, a->draw, a->row, 64 * w + b) << b;
  }
  return mask;
}

/* The mask of word w of a lane, whose first synapse stands at `at`. */
static inline uint64_t mask_of(const ves_learn_lanes *s, size_t at, const uint8_t *bytes,
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
static inline void list_top(const ves_learn_lanes *s, size_t k, size_t at, uint64_t *bits,
                            double *sum) {
  const unsigned above = 63 - (unsigned)_lzcnt_u64(*bits);
  const size_t r = at + (size_t)(int)above;
  const double weight = s->weight[r];
  *bits = _bzhi_u64(*bits, above);
  *sum += weight;
  s->member[k] = (uint32_t)r;
  s->member_weight[k] = weight;
  s->member_sum[k] = *sum;
}

/* Lists the set bits from the top down after the `size` members there are; returns the new size. */
static inline size_t list_members(const ves_learn_lanes *s, size_t size, size_t at, uint64_t bits,
                                  double *sum) {
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
  if (end > size) *sum = s->member_sum[end - 1];
  return end;
}

/* Fills the list up to a whole number of vectors with the synapse `spare`. */
static inline void fill_up(const ves_learn_lanes *s, size_t size, size_t spare) {
  for (size_t k = size; k < size + 3; k++) {
    s->member[k] = (uint32_t)spare;
    s->member_weight[k] = s->member_sum[k] = 1.0;
  }
}

/* ---- the step ---- */

typedef struct {
  __m256d rate, floor, ceiling;
  unsigned exponent;
} power_rule;

static inline __m256d power(__m256d g, unsigned exponent) {
  __m256d result = _mm256_set1_pd(1.0);
  for (;;) {
    if (exponent & 1) result = _mm256_mul_pd(result, g);
    exponent >>= 1;
    if (exponent == 0) return result;
    g = _mm256_mul_pd(g, g);
  }
}

/* ves_threshold_coarse. */
static inline __m256i coarse_of(__m256d q) {
  const __m256i bits = _mm256_castpd_si256(_mm256_add_pd(q, _mm256_set1_pd(4096.0)));
  const __m256i c = _mm256_and_si256(_mm256_srli_epi64(bits, 32), _mm256_set1_epi64x(0x1ff));
  return _mm256_sub_epi64(c, _mm256_srli_epi64(c, 8));
}

/* Members c .. c+3 take their step. */
static inline void step(const ves_learn_lanes *s, size_t c, const power_rule *rule) {
  const uint32_t *m = s->member + c;
  const __m256d q = _mm256_set_pd(s->q[m[3]], s->q[m[2]], s->q[m[1]], s->q[m[0]]);
  const __m256d g =
      _mm256_div_pd(_mm256_loadu_pd(s->member_weight + c), _mm256_loadu_pd(s->member_sum + c));
  const __m256d away = _mm256_sub_pd(q, power(g, rule->exponent));
  const __m256d moved = _mm256_sub_pd(q, _mm256_mul_pd(rule->rate, away));
  const __m256d next = _mm256_min_pd(_mm256_max_pd(moved, rule->floor), rule->ceiling);
  double release[4];
  uint64_t coarse[4];
  _mm256_storeu_pd(release, next);
  _mm256_storeu_si256((__m256i *)coarse, coarse_of(next));
  for (int i = 0; i < 4; i++) {
    s->q[m[i]] = release[i];
    s->coarse[m[i]] = (uint8_t)coarse[i];
  }
}

/* ---- iterations ---- */

bool ves_learn_avx2_knows(const ves_learn_options *opt) {
  return ves_simd_in_use() && opt->algorithm == 2 && opt->rule == VES_RULE_POWER && opt->psi >= 1 &&
         opt->psi <= 1024 && opt->psi == (double)(unsigned)opt->psi && opt->targets == NULL;
}

/* Iteration b of the batch: lists the members of all lanes; returns how many. */
static inline size_t gather(const ves_learn_lanes *s, size_t lanes, size_t words, size_t b,
                            address a) {
  size_t size = 0;
  for (size_t l = 0; l < lanes; l++, a.row++) {
    const uint8_t *bytes = s->bytes + (l * VES_LEARN_BATCH + b) * s->stride;
    double sum = 0.0;
    for (size_t w = words; w-- > 0;) {
      const size_t at = VES_LEARN_GUARD + l * s->stride + 64 * w;
      size = list_members(s, size, at, mask_of(s, at, bytes + 64 * w, &a, w), &sum);
    }
  }
  return size;
}

void ves_learn_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count) {
  const philox_keys keys = philox_round_keys(key);
  const size_t words = (n + 63) / 64, spare = VES_LEARN_GUARD + lanes * s->stride;
  power_rule rule = {.floor = _mm256_set1_pd(opt->floor),
                     .ceiling = _mm256_set1_pd(opt->ceiling),
                     .exponent = (unsigned)opt->psi};
  for (uint64_t done = 0; done < count && !ves_stopping(); done += VES_LEARN_BATCH) {
    const size_t batch = count - done < VES_LEARN_BATCH ? (size_t)(count - done) : VES_LEARN_BATCH;
    for (size_t l = 0; l < lanes; l++)
      ves_learn_bytes_avx2(&keys, key, draw + done, row + (uint32_t)l, n, s->stride,
                           s->bytes + l * VES_LEARN_BATCH * s->stride);
    const ves_learn_lanes here = *s; /* a copy: nothing that is stored can change it */
    for (size_t b = 0; b < batch; b++) {
      const size_t size = gather(&here, lanes, words, b, (address){key, draw + done + b, row});
      fill_up(&here, size, spare);
      rule.rate = _mm256_set1_pd(ves_learn_rate(opt, t + done + b));
      for (size_t c = 0; c < size; c += 4) step(&here, c, &rule);
    }
  }
}

#else

bool ves_learn_avx2_knows(const ves_learn_options *opt) {
  (void)opt;
  return false;
}

void ves_learn_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count) {
  (void)s, (void)lanes, (void)n, (void)opt, (void)key, (void)draw, (void)row, (void)t, (void)count;
}

#endif
