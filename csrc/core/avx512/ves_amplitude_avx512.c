/* ves_amplitude_avx512: the amplitude rule in AVX-512, Algorithm 2 with competition by weight; the
 * rest is ves_amplitude_avx2.c's. The plan is told in ves_learn_avx512.h. */
#include "ves_amplitude_private.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

#include "ves_columns_avx512.h"
#include "ves_stop.h"

bool ves_amplitude_avx512_knows(const ves_amplitude_options *opt, size_t lanes, size_t n) {
  return ves_simd_wide() && wide_enough(lanes, n) && opt->algorithm == 2 &&
         opt->order == VES_ORDER_WEIGHT;
}

/* ves_amplitude_release of positive weights. */
static inline __m512d release_of(__m512d w, __m512d a) {
  return _mm512_max_pd(_mm512_div_pd(w, a), _mm512_set1_pd(VES_AMPLITUDE_LEAST));
}

/* What is the same for all members of an iteration: the step, or 1/k if `average`, but not below
 * `least`. */
typedef struct {
  bool average;
  __m512d rate, least;
} wide_rule;

/* The steps of members that take their k-th. */
static inline __m512d rate_of(const wide_rule *rule, __m512d k) {
  const __m512d rate = rule->average ? _mm512_div_pd(_mm512_set1_pd(1.0), k) : rule->rate;
  return _mm512_max_pd(rate, rule->least);
}

/* Their amplitudes after it. */
static inline __m512d stepped(wide_synapses of, __m512d weaker, __m512d rate) {
  const __m512d target = _mm512_add_pd(of.weight, weaker);
  const __m512d part =
      _mm512_add_pd(of.state, _mm512_mul_pd(rate, _mm512_sub_pd(target, of.state)));
  const __mmask8 partly = _mm512_cmp_pd_mask(rate, _mm512_set1_pd(1.0), _CMP_LT_OQ);
  return _mm512_max_pd(_mm512_mask_mov_pd(target, partly, part), of.weight);
}

/* Members c .. c+7 of a list take their step. */
static inline __attribute__((always_inline)) void step(const ves_learn_lanes *s, size_t c,
                                                       const wide_rule *rule) {
  const uint32_t *m = s->member + c;
  const wide_synapses of = wide_members(s, m);
  const __m512d k = _mm512_add_pd(wide_eight(s->updates, m), _mm512_set1_pd(1.0));
  const __m512d next = stepped(of, _mm512_loadu_pd(s->member_weaker + c), rate_of(rule, k));
  double updates[8];
  _mm512_storeu_pd(updates, k);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) s->updates[m[i]] = updates[i];
  wide_store(s, m, next, release_of(of.weight, next));
}

/* Members of columns: which step of theirs comes, */
static inline __m512d column_count(const ves_learn_lanes *s, size_t k) {
  const double *of = s->updates;
  const __m512d so_far =
      _mm512_set_pd(of[column_at(s, k, 7)], of[column_at(s, k, 6)], of[column_at(s, k, 5)],
                    of[column_at(s, k, 4)], of[column_at(s, k, 3)], of[column_at(s, k, 2)],
                    of[column_at(s, k, 1)], of[column_at(s, k, 0)]);
  return _mm512_add_pd(so_far, _mm512_set1_pd(1.0));
}

/* its size, */
static inline __m512d column_rate(const ves_learn_lanes *s, const void *rule, size_t k,
                                  const column_members *m) {
  (void)m;
  return rate_of(rule, column_count(s, k));
}

/* and that they take it. */
static inline __attribute__((always_inline)) void column(const ves_learn_lanes *s, const void *rule,
                                                         size_t k, const column_members *m,
                                                         __m512d rate) {
  (void)rule;
  const __m512d next = stepped(m->of, m->weaker, rate);
  columns_store(s, k, next, release_of(m->of.weight, next));
#pragma GCC unroll 8
  for (size_t c = 0; c < COLUMNS; c++) s->updates[column_at(s, k, c)] += 1.0;
}

static inline __attribute__((always_inline)) void
learn_batch(const ves_learn_lanes *from, uint64_t key, size_t lanes, size_t words, size_t at,
            uint64_t batch, const ves_amplitude_options *opt, uint64_t draw, uint32_t row,
            uint64_t t) {
  ves_learn_lanes copy = *from; /* nothing that is stored can change it */
  copy.stride = 64 * words;
  const ves_learn_lanes *s = &copy;
  const wide_keys keys = wide_round_keys(key);
  const bool deal = columns_suit(lanes, words);
  wide_rule rule = {.average = opt->average, .least = _mm512_set1_pd(opt->rate_floor)};
  for (uint64_t b = 0; b < batch && !ves_stopping(); b++) {
    wide_masks(s, &keys, lanes, words, at + (size_t)b, draw + b, row, release_of);
    rule.rate = _mm512_set1_pd(opt->average ? 1.0 : ves_amplitude_step(opt, t + b, 1.0));
    if (deal) {
      columns_walk(s, columns_list(s, lanes, words), true, &rule, column_rate, column);
    } else {
      const size_t end = wide_list(s, s->state, lanes, words);
      for (size_t c = VES_LEARN_GUARD; c < end; c += 8) step(s, c, &rule);
    }
  }
}

void ves_amplitude_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                                size_t at, uint64_t batch, const ves_amplitude_options *opt,
                                uint64_t draw, uint32_t row, uint64_t t) {
  if (words == 1)
    learn_batch(s, key, lanes, 1, at, batch, opt, draw, row, t);
  else if (words == 2)
    learn_batch(s, key, lanes, 2, at, batch, opt, draw, row, t);
  else
    learn_batch(s, key, lanes, words, at, batch, opt, draw, row, t);
}

#else

bool ves_amplitude_avx512_knows(const ves_amplitude_options *opt, size_t lanes, size_t n) {
  (void)opt, (void)lanes, (void)n;
  return false;
}

void ves_amplitude_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                                size_t at, uint64_t batch, const ves_amplitude_options *opt,
                                uint64_t draw, uint32_t row, uint64_t t) {
  (void)s, (void)key, (void)lanes, (void)words, (void)at, (void)batch, (void)opt, (void)draw,
      (void)row, (void)t;
}

#endif
