/* ves_amplitude_avx512: the amplitude rule in AVX-512, Algorithm 2 with competition by weight; the
 * rest is ves_amplitude_avx2.c's. The plan is told in ves_learn_avx512.h. */
#include "ves_amplitude_private.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

#include "ves_learn_avx512.h"
#include "ves_stop.h"

bool ves_amplitude_avx512_knows(const ves_amplitude_options *opt) {
  return ves_simd_wide() && opt->algorithm == 2 && opt->order == VES_ORDER_WEIGHT;
}

/* ves_amplitude_release of weights w, where they are positive. */
static inline __m512d release_of(__m512d w, __m512d a) {
  return _mm512_max_pd(_mm512_div_pd(w, a), _mm512_set1_pd(VES_AMPLITUDE_LEAST));
}

static inline __m512d releases_at(const ves_learn_lanes *s, __m512i at) {
  const __m512d w = _mm512_i64gather_pd(at, s->weight, 8);
  const __mmask8 some = _mm512_cmp_pd_mask(w, _mm512_setzero_pd(), _CMP_GT_OQ);
  return _mm512_maskz_mov_pd(some, release_of(w, _mm512_i64gather_pd(at, s->state, 8)));
}

/* Members c .. c+7 take their step: `rate`, or 1/k if `average`, but not below `least`. */
static inline __attribute__((always_inline)) void step(const ves_learn_lanes *s, size_t c,
                                                       bool average, __m512d rate, __m512d least) {
  const __m512d one = _mm512_set1_pd(1.0);
  const uint32_t *m = s->member + c;
  const __m512d w = wide_eight(s->weight, m), a = wide_eight(s->state, m);
  const __m512d k = _mm512_add_pd(wide_eight(s->updates, m), one);
  if (average) rate = _mm512_div_pd(one, k);
  rate = _mm512_max_pd(rate, least);
  const __m512d target = _mm512_add_pd(w, _mm512_loadu_pd(s->member_weaker + c));
  const __m512d part = _mm512_add_pd(a, _mm512_mul_pd(rate, _mm512_sub_pd(target, a)));
  const __m512d moved = _mm512_mask_mov_pd(target, _mm512_cmp_pd_mask(rate, one, _CMP_LT_OQ), part);
  const __m512d next = _mm512_max_pd(moved, w);
  double updates[8];
  _mm512_storeu_pd(updates, k);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) s->updates[m[i]] = updates[i];
  wide_store(s, m, next, release_of(w, next));
}

static inline __attribute__((always_inline)) void
learn_batch(const ves_learn_lanes *from, uint64_t key, size_t lanes, size_t words, size_t at,
            uint64_t batch, const ves_amplitude_options *opt, uint64_t draw, uint32_t row,
            uint64_t t) {
  ves_learn_lanes copy = *from; /* nothing that is stored can change it */
  copy.stride = 64 * words;
  const ves_learn_lanes *s = &copy;
  const wide_keys keys = wide_round_keys(key);
  const __m512d least = _mm512_set1_pd(opt->rate_floor);
  for (uint64_t b = 0; b < batch && !ves_stopping(); b++) {
    wide_masks(s, &keys, lanes, words, at + (size_t)b, draw + b, row, releases_at);
    const size_t end = wide_list(s, s->state, lanes, words);
    const __m512d rate = _mm512_set1_pd(opt->average ? 1.0 : ves_amplitude_step(opt, t + b, 1.0));
    for (size_t c = VES_LEARN_GUARD; c < end; c += 8) step(s, c, opt->average, rate, least);
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

bool ves_amplitude_avx512_knows(const ves_amplitude_options *opt) {
  (void)opt;
  return false;
}

void ves_amplitude_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                                size_t at, uint64_t batch, const ves_amplitude_options *opt,
                                uint64_t draw, uint32_t row, uint64_t t) {
  (void)s, (void)key, (void)lanes, (void)words, (void)at, (void)batch, (void)opt, (void)draw,
      (void)row, (void)t;
}

#endif
