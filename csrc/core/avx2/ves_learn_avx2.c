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

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_learn_avx2.h"
#include "ves_stop.h"

static double release_at(const ves_learn_lanes *s, size_t at) {
  return s->weight[at] > 0 ? s->state[at] : 0.0;
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

/* Members c .. c+3 take their step. */
static inline void step(const ves_learn_lanes *s, size_t c, const power_rule *rule) {
  const uint32_t *m = s->member + c;
  const __m256d q = learn_four(s->state, m), w = _mm256_loadu_pd(s->member_amount + c);
  const __m256d g = _mm256_div_pd(w, _mm256_add_pd(_mm256_loadu_pd(s->member_weaker + c), w));
  const __m256d away = _mm256_sub_pd(q, power(g, rule->exponent));
  const __m256d moved = _mm256_sub_pd(q, _mm256_mul_pd(rule->rate, away));
  const __m256d next = _mm256_min_pd(_mm256_max_pd(moved, rule->floor), rule->ceiling);
  double release[4];
  uint64_t coarse[4];
  _mm256_storeu_pd(release, next);
  _mm256_storeu_si256((__m256i *)coarse, learn_coarse(next));
  for (int i = 0; i < 4; i++) {
    s->state[m[i]] = release[i];
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
                            learn_address a) {
  size_t size = 0;
  for (size_t l = 0; l < lanes; l++, a.row++) {
    const uint8_t *bytes = s->bytes + (l * VES_LEARN_BATCH + b) * s->stride;
    double sum = 0.0;
    for (size_t w = words; w-- > 0;) {
      const size_t at = VES_LEARN_GUARD + l * s->stride + 64 * w;
      const uint64_t bits = learn_mask(s, at, bytes + 64 * w, &a, w, release_at);
      size = learn_list(s, s->weight, size, at, bits, &sum);
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
      const size_t size =
          gather(&here, lanes, words, b, (learn_address){key, draw + done + b, row});
      learn_fill_up(&here, size, spare);
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
