/* ves_learn_avx2: the rules of the original, several rows and many iterations at a time.
 *
 * Only the thresholds change from one iteration to the next; the random bytes do not depend on
 * them. So the bytes of sixteen iterations are made in one go (ves_learn_bytes_avx2.c), at the
 * generator's throughput instead of its latency.
 *
 * A row's subset is small, seven members of a hundred, and its size is a matter of chance: a loop
 * over its members ends where no branch predictor expects it. So up to twenty rows, which learn
 * independently, go side by side, and an iteration of all of them is three passes, each long and
 * even:
 *
 *   1. Bytes are compared with thresholds, 64 a step. Who is below is a bit of the mask; whose byte
 *      ties with the threshold, one synapse in 256, is listed, two of each word whether or not there
 *      are as many, the next entry overwriting what was too much. The ties of all rows are then
 *      decided together: their refinement words stand at unrelated addresses, so eight counters of
 *      the generator run beside each other in two vectors, and take as long as one. Thresholds are kept
 *      as their coarse bytes; the fine part is made from the release where a byte ties.
 *   2. The members of all rows are listed, from the weakest of each up, with the sum of its subset
 *      so far: four of each word whether or not there are as many.
 *   3. The whole list takes its steps, four members in a vector, whichever row they belong to; its
 *      tail is filled up with a synapse that does not exist.
 *
 * Rows of more synapses are fewer, down to one: their subsets are long enough by themselves, and the
 * state of few is nearer to the processor. The words of a row and the exponent are constants of the
 * code where they are those of the article: a twentieth of the time.
 *
 * The order of updates differs from ves_learn.c, which is the definition, but not their bits:
 * members are distinct synapses, and these rules look at nothing but the member's own weight, sum,
 * places and release, or the sum of all weaker releases, which is made before any of them moves.
 * Algorithm 1 keeps only the last member of each row, the strongest. */
#include "ves_learn_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_learn_avx2.h"
#include "ves_math_avx2.h"
#include "ves_stop.h"
#include <math.h>

static double release_at(const ves_learn_lanes *s, size_t at) {
  return s->weight[at] > 0 ? s->state[at] : 0.0;
}

/* ---- the step ---- */

/* What is the same for all members of an iteration. */
typedef struct {
  __m256d rate, floor, ceiling, subtract;
  ves_rule rule;
  unsigned exponent;
} learn_rule;

/* g^e by squaring, for whole numbers e up to VES_LEARN_SQUARED: ves_learn_power. */
static inline __m256d squared(__m256d g, __m256d e) {
  __m256i k = _mm256_castpd_si256(_mm256_add_pd(e, _mm256_set1_pd(0x1p52)));
  k = _mm256_and_si256(k, _mm256_set1_epi64x(2 * VES_LEARN_SQUARED - 1));
  __m256d result = _mm256_set1_pd(1.0);
  for (; !_mm256_testz_si256(k, k); k = _mm256_srli_epi64(k, 1), g = _mm256_mul_pd(g, g))
    result = _mm256_blendv_pd(result, _mm256_mul_pd(result, g),
                              _mm256_castsi256_pd(_mm256_slli_epi64(k, 63)));
  return result;
}

/* The targets of members c .. c+3 with states q where each has an exponent of its own. */
static __attribute__((noinline)) __m256d target_of_own(const ves_learn_lanes *s, size_t c,
                                                       __m256d g, __m256d q, ves_rule rule) {
  const __m256d one = _mm256_set1_pd(1.0);
  const __m256d weaker = _mm256_sub_pd(_mm256_loadu_pd(s->member_rest + c), one);
  __m256d e = _mm256_loadu_pd(s->member_size + c);
  if (rule == VES_RULE_VARIABLE) e = _mm256_add_pd(_mm256_mul_pd(weaker, q), one);
  if (rule == VES_RULE_EXPECTED) {
    const __m256d some = _mm256_cmp_pd(weaker, _mm256_setzero_pd(), _CMP_GT_OQ);
    const __m256d mean = _mm256_and_pd(
        some, _mm256_div_pd(learn_four(s->weaker, s->member + c), _mm256_max_pd(weaker, one)));
    e = _mm256_mul_pd(_mm256_sqrt_pd(q), _mm256_add_pd(_mm256_mul_pd(weaker, mean), one));
  }
  const __m256d whole =
      _mm256_and_pd(_mm256_cmp_pd(e, _mm256_floor_pd(e), _CMP_EQ_OQ),
                    _mm256_cmp_pd(e, _mm256_set1_pd(VES_LEARN_SQUARED), _CMP_LE_OQ));
  const int which = _mm256_movemask_pd(whole);
  if (which == 15) return squared(g, e);
  if (which == 0) return power4(g, e);
  return _mm256_blendv_pd(power4(g, e), squared(g, _mm256_and_pd(e, whole)), whole);
}

/* The targets of members c .. c+3, whose part of their subsets is g: target_of in ves_learn.c. */
static inline __attribute__((always_inline)) __m256d
target(const ves_learn_lanes *s, size_t c, __m256d g, __m256d q, const learn_rule *rule) {
  if (rule->rule == VES_RULE_RAW) return g;
  if (rule->rule == VES_RULE_SUBTRACT) return _mm256_sub_pd(g, rule->subtract);
  if (rule->rule == VES_RULE_RESCALE)
    return _mm256_div_pd(_mm256_mul_pd(g, _mm256_loadu_pd(s->member_size + c)),
                         _mm256_loadu_pd(s->member_rest + c));
  if (rule->rule == VES_RULE_POWER) return learn_raised(g, rule->exponent);
  return target_of_own(s, c, g, q, rule->rule);
}

/* Members c .. c+3 take their step. */
static inline __attribute__((always_inline)) void step(const ves_learn_lanes *s, size_t c,
                                                       const learn_rule *rule) {
  const uint32_t *m = s->member + c;
  const __m256d q = learn_four(s->state, m), w = _mm256_loadu_pd(s->member_amount + c);
  const __m256d g = _mm256_div_pd(w, _mm256_add_pd(_mm256_loadu_pd(s->member_weaker + c), w));
  const __m256d away = _mm256_sub_pd(q, target(s, c, g, q, rule));
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
  if (!ves_simd_in_use() || opt->targets != NULL) return false;
  if (opt->rule == VES_RULE_POWER)
    return opt->psi >= 1 && opt->psi <= 1024 && opt->psi == (double)(unsigned)opt->psi;
  return opt->rule != VES_RULE_CUSTOM && !(opt->rule == VES_RULE_EXPECTED && opt->over_subset);
}

/* The sums of all weaker states, from the weakest up, of up to four lanes from `first` on: none waits
 * for another's addition. */
static inline void sum_weaker(const ves_learn_lanes *s, size_t lanes, size_t first, size_t n) {
  const size_t at = VES_LEARN_GUARD + first * s->stride;
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  if (lanes - first < 4) {
    for (size_t l = 0; l < lanes - first; l++)
      for (size_t r = n; r-- > 0;) {
        s->weaker[at + l * s->stride + r] = sum[l];
        sum[l] += s->state[at + l * s->stride + r];
      }
    return;
  }
  for (size_t r = n; r-- > 0;)
    for (size_t l = 0; l < 4; l++) {
      s->weaker[at + l * s->stride + r] = sum[l];
      sum[l] += s->state[at + l * s->stride + r];
    }
}

/* Tells members [start, end), of the lane whose first of n synapses stands at `first`, their places
 * in the subset and in the row. */
static inline void place(const ves_learn_lanes *s, size_t start, size_t end, size_t first,
                         size_t n) {
  for (size_t k = start; k < end; k++) {
    s->member_size[k] = (double)(k - start + 1);
    s->member_rest[k] = (double)(n - (s->member[k] - first));
  }
}

/* Lists the members of all lanes that learn; returns how many they are. */
static inline size_t list_all(const ves_learn_lanes *s, size_t lanes, size_t words, size_t n,
                              bool places, bool strongest) {
  size_t size = 0;
  for (size_t l = 0; l < lanes; l++) {
    const size_t start = size, first = VES_LEARN_GUARD + l * s->stride;
    double sum = 0.0;
    for (size_t w = words; w-- > 0;)
      size = learn_list(s, s->weight, size, first + 64 * w, s->mask[l * words + w], &sum);
    if (places) place(s, start, size, first, n);
    if (strongest && size > start) {
      s->member_size[start] = s->member_size[size - 1];
      s->member_rest[start] = s->member_rest[size - 1];
      size = learn_keep_strongest(s, start, size);
    }
  }
  return size;
}

/* A batch of iterations, the first of them number t. Words, rule, exponent and algorithm are
 * constants of the code where they are constants of the call. */
static inline __attribute__((always_inline)) void
learn_batch(const ves_learn_lanes *from, const philox_keys *keys, size_t lanes, size_t words,
            size_t n, size_t at, uint64_t batch, const ves_learn_options *opt, ves_rule kind,
            unsigned exponent, bool strongest, uint64_t draw, uint32_t row, uint64_t t) {
  ves_learn_lanes copy = *from; /* nothing that is stored can change it */
  copy.stride = 64 * words;
  const ves_learn_lanes *s = &copy;
  const size_t spare = VES_LEARN_GUARD + lanes * s->stride;
  const bool places = kind != VES_RULE_POWER && kind != VES_RULE_RAW && kind != VES_RULE_SUBTRACT;
  learn_rule rule = {.floor = _mm256_set1_pd(opt->floor),
                     .ceiling = _mm256_set1_pd(opt->ceiling),
                     .subtract = _mm256_set1_pd(opt->subtract),
                     .rule = kind,
                     .exponent = exponent};
  for (uint64_t b = 0; b < batch && !ves_stopping(); b++) {
    learn_masks(s, keys, lanes, words, at + (size_t)b, draw + b, row, release_at);
    const size_t size = list_all(s, lanes, words, n, places, strongest);
    learn_fill_up(s, size, spare);
    for (size_t l = 0; kind == VES_RULE_EXPECTED && l < lanes; l += 4) sum_weaker(s, lanes, l, n);
    rule.rate = _mm256_set1_pd(ves_learn_rate(opt, t + b));
    for (size_t c = 0; c < size; c += 4) step(s, c, &rule);
  }
}

void ves_learn_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count) {
  const philox_keys keys = philox_round_keys(key);
  const size_t words = (n + 63) / 64;
  for (uint64_t done = 0, batch; done < count && !ves_stopping(); done += batch) {
    const size_t at = ves_learn_batch_avx2(s, &keys, key, draw + done, row, lanes, n);
    batch = count - done < VES_LEARN_BATCH - at ? count - done : VES_LEARN_BATCH - at;
    const unsigned exponent = opt->rule == VES_RULE_POWER ? (unsigned)opt->psi : 0;
    if (s->apart == 2)
      ves_learn_batch_avx512(s, key, lanes, words, at, batch, opt, draw + done, row, t + done);
    else if (exponent == 8 && words == 2 && opt->algorithm == 2)
      learn_batch(s, &keys, lanes, 2, n, at, batch, opt, VES_RULE_POWER, 8, false, draw + done, row,
                  t + done);
    else
      learn_batch(s, &keys, lanes, words, n, at, batch, opt, opt->rule, exponent,
                  opt->algorithm == 1, draw + done, row, t + done);
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
