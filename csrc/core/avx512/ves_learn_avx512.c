/* ves_learn_avx512: the rules of the original whose target is made of g alone, Algorithm 2, in
 * AVX-512; the others learn by ves_learn_avx2.c. The plan is told in ves_learn_avx512.h. */
#include "ves_learn_private.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

#include "ves_columns_avx512.h"
#include "ves_stop.h"

bool ves_learn_avx512_knows(const ves_learn_options *opt, size_t lanes, size_t n) {
  return ves_simd_wide() && wide_enough(lanes, n) && opt->algorithm == 2 &&
         (opt->rule == VES_RULE_RAW || opt->rule == VES_RULE_SUBTRACT ||
          opt->rule == VES_RULE_POWER);
}

static inline __m512d release_of(__m512d weight, __m512d state) {
  (void)weight;
  return state;
}

/* What is the same for all members of an iteration. */
typedef struct {
  __m512d rate, floor, ceiling, subtract;
  ves_rule rule;
  unsigned exponent;
} wide_rule;

/* g to a whole exponent, factor by factor as the definition. */
static inline __m512d raised(__m512d g, unsigned exponent) {
  __m512d result = _mm512_set1_pd(1.0);
  for (;;) {
    if (exponent & 1) result = _mm512_mul_pd(result, g);
    exponent >>= 1;
    if (exponent == 0) return result;
    g = _mm512_mul_pd(g, g);
  }
}

/* The release after a step, from the share g. */
static inline __m512d stepped(const wide_rule *rule, __m512d q, __m512d g) {
  __m512d target = g;
  if (rule->rule == VES_RULE_SUBTRACT) target = _mm512_sub_pd(g, rule->subtract);
  if (rule->rule == VES_RULE_POWER) target = raised(g, rule->exponent);
  const __m512d moved = _mm512_sub_pd(q, _mm512_mul_pd(rule->rate, _mm512_sub_pd(q, target)));
  return _mm512_min_pd(_mm512_max_pd(moved, rule->floor), rule->ceiling);
}

/* Members c .. c+7 of a list take their step. */
static inline __attribute__((always_inline)) void step(const ves_learn_lanes *s, size_t c,
                                                       const wide_rule *rule) {
  const uint32_t *m = s->member + c;
  const wide_synapses of = wide_members(s, m);
  const __m512d sum = _mm512_add_pd(_mm512_loadu_pd(s->member_weaker + c), of.weight);
  const __m512d next = stepped(rule, of.state, _mm512_div_pd(of.weight, sum));
  wide_store(s, m, next, next);
}

/* Members of columns. */
static inline __m512d share(const ves_learn_lanes *s, const void *rule, size_t k,
                            const column_members *m) {
  (void)s, (void)rule, (void)k;
  return _mm512_div_pd(m->of.weight, _mm512_add_pd(m->weaker, m->of.weight));
}

static inline __attribute__((always_inline)) void
column(const ves_learn_lanes *s, const void *rule, size_t k, const column_members *m, __m512d g) {
  const __m512d next = stepped(rule, m->of.state, g);
  columns_store(s, k, next, next);
}

/* Rule, exponent and words are constants of the code where they are constants of the call. */
static inline __attribute__((always_inline)) void
learn_batch(const ves_learn_lanes *from, uint64_t key, size_t lanes, size_t words, size_t at,
            uint64_t batch, const ves_learn_options *opt, ves_rule kind, unsigned exponent,
            uint64_t draw, uint32_t row, uint64_t t) {
  ves_learn_lanes copy = *from; /* nothing that is stored can change it */
  copy.stride = 64 * words;
  const ves_learn_lanes *s = &copy;
  const wide_keys keys = wide_round_keys(key);
  wide_rule rule = {.floor = _mm512_set1_pd(opt->floor),
                    .ceiling = _mm512_set1_pd(opt->ceiling),
                    .subtract = _mm512_set1_pd(opt->subtract),
                    .rule = kind,
                    .exponent = exponent};
  const bool deal = columns_suit(lanes, words);
  for (uint64_t b = 0; b < batch && !ves_stopping(); b++) {
    wide_masks(s, &keys, lanes, words, at + (size_t)b, draw + b, row, release_of);
    rule.rate = _mm512_set1_pd(ves_learn_rate(opt, t + b));
    if (deal) {
      columns_walk(s, columns_list(s, lanes, words), false, &rule, share, column);
    } else {
      const size_t end = wide_list(s, s->weight, lanes, words);
      for (size_t c = VES_LEARN_GUARD; c < end; c += 8) step(s, c, &rule);
    }
  }
}

void ves_learn_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                            size_t at, uint64_t batch, const ves_learn_options *opt, uint64_t draw,
                            uint32_t row, uint64_t t) {
  const unsigned exponent = opt->rule == VES_RULE_POWER ? (unsigned)opt->psi : 0;
  for (size_t k = 0; k < VES_LEARN_GUARD; k++) /* of synapses that do not exist */
    wide_synapse_at(s, VES_LEARN_GUARD + lanes * s->stride + k)->weight = 1.0;
  if (exponent == 8 && words == 2)
    learn_batch(s, key, lanes, 2, at, batch, opt, VES_RULE_POWER, 8, draw, row, t);
  else
    learn_batch(s, key, lanes, words, at, batch, opt, opt->rule, exponent, draw, row, t);
}

#else

bool ves_learn_avx512_knows(const ves_learn_options *opt, size_t lanes, size_t n) {
  (void)opt, (void)lanes, (void)n;
  return false;
}

void ves_learn_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                            size_t at, uint64_t batch, const ves_learn_options *opt, uint64_t draw,
                            uint32_t row, uint64_t t) {
  (void)s, (void)key, (void)lanes, (void)words, (void)at, (void)batch, (void)opt, (void)draw,
      (void)row, (void)t;
}

#endif
