/* ves_amplitude_avx2: the amplitude rule, several rows and many iterations at a time.
 *
 * The plan is that of ves_learn_avx2.c: random bytes of sixteen iterations in one go, the masks of
 * up to twenty rows, their ties, their members in one list, steps of four members in a vector. What
 * is added up is amplitudes, which change, so that they are read when the list is made; all of them
 * are those before the iteration, because no step is taken until the list is complete. Competition
 * by amplitude sorts each row's part of the list, and Algorithm 1 keeps only its last member, the
 * strongest.
 *
 * Releases are not kept: a tie of coarse bytes, once in some hundred synapses, makes its own.
 *
 * An iteration costs what its members cost. With few synapses it has more of them than one of the
 * power rule, 4.5 instead of 2.8 of ten random weights, because releases rest where they should
 * and not below; each member costs less. */
#include "ves_amplitude_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_learn_avx2.h"
#include "ves_stop.h"

bool ves_amplitude_avx2_knows(const ves_amplitude_options *opt) {
  return ves_simd_in_use() && opt->winner == NULL;
}

static double release_at(const ves_learn_lanes *s, size_t at) {
  return ves_amplitude_release_inline(s->weight[at], s->state[at]);
}

/* ---- the list of members ---- */

/* Brings the members listed from `start` on into the order of their amplitudes, the smallest first,
 * and adds them up anew; lane `index` tells which synapse stands where. By insertion, as in
 * ves_amplitude.c. */
static void sort_members(const ves_learn_lanes *s, const size_t *index, size_t first, size_t start,
                         size_t end) {
  for (size_t c = start + 1; c < end; c++) {
    const uint32_t m = s->member[c];
    const double a = s->member_amount[c];
    size_t at = c;
    for (; at > start; at--) {
      const double before = s->member_amount[at - 1];
      if (a > before || (a == before && index[m - first] < index[s->member[at - 1] - first])) break;
      s->member[at] = s->member[at - 1];
      s->member_amount[at] = before;
    }
    s->member[at] = m;
    s->member_amount[at] = a;
  }
  double sum = 0.0;
  for (size_t c = start; c < end; c++) {
    s->member_weaker[c] = sum;
    sum += s->member_amount[c];
  }
}

/* ---- the step ---- */

/* Members c .. c+3 take their step: `rate`, or 1/k if `average`, but not below `least`. */
static inline void step(const ves_learn_lanes *s, size_t c, bool average, __m256d rate,
                        __m256d least) {
  const __m256d one = _mm256_set1_pd(1.0);
  const uint32_t *m = s->member + c;
  const __m256d w = learn_four(s->weight, m), a = _mm256_loadu_pd(s->member_amount + c);
  const __m256d k = _mm256_add_pd(learn_four(s->updates, m), one);
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
  _mm256_storeu_si256((__m256i *)coarse, learn_coarse(q));
  for (int i = 0; i < 4; i++) {
    s->state[m[i]] = amplitude[i];
    s->updates[m[i]] = updates[i];
    s->coarse[m[i]] = (uint8_t)coarse[i];
  }
}

/* ---- iterations ---- */

/* Lists the members of all lanes that learn; returns how many they are. */
static inline size_t list_all(const ves_learn_lanes *s, size_t lanes, size_t words, bool sorted,
                              bool strongest) {
  size_t size = 0;
  for (size_t l = 0; l < lanes; l++) {
    const size_t start = size, first = l * s->stride;
    double sum = 0.0;
    for (size_t w = words; w-- > 0;)
      size = learn_list(s, s->state, size, VES_LEARN_GUARD + first + 64 * w, s->mask[l * words + w],
                        &sum);
    if (sorted) sort_members(s, s->order + first, VES_LEARN_GUARD + first, start, size);
    if (strongest) size = learn_keep_strongest(s, start, size);
  }
  return size;
}

/* A batch of iterations, the first of them number t. What is the same in all of them is constant
 * where this is called. */
static inline __attribute__((always_inline)) void
learn_batch(const ves_learn_lanes *from, const philox_keys *keys, size_t lanes, size_t words,
            size_t at, uint64_t batch, const ves_amplitude_options *opt, bool sorted,
            bool strongest, uint64_t draw, uint32_t row, uint64_t t) {
  ves_learn_lanes copy = *from; /* nothing that is stored can change it */
  copy.stride = 64 * words;
  const ves_learn_lanes *s = &copy;
  const size_t spare = VES_LEARN_GUARD + lanes * s->stride;
  const __m256d least = _mm256_set1_pd(opt->rate_floor);
  for (uint64_t b = 0; b < batch && !ves_stopping(); b++) {
    learn_masks(s, keys, lanes, words, at + (size_t)b, draw + b, row, release_at);
    const size_t size = list_all(s, lanes, words, sorted, strongest);
    learn_fill_up(s, size, spare);
    const __m256d rate = _mm256_set1_pd(opt->average ? 1.0 : ves_amplitude_step(opt, t + b, 1.0));
    for (size_t c = 0; c < size; c += 4) step(s, c, opt->average, rate, least);
  }
}

void ves_amplitude_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                              uint32_t row, uint64_t t, uint64_t count) {
  const philox_keys keys = philox_round_keys(key);
  const size_t words = (n + 63) / 64, spare = (VES_LEARN_GUARD + lanes * s->stride) * s->apart;
  s->weight[spare] = s->state[spare] = 1.0;
  for (uint64_t done = 0, batch; done < count && !ves_stopping(); done += batch) {
    const size_t at = ves_learn_batch_avx2(s, &keys, key, draw + done, row, lanes, n);
    batch = count - done < VES_LEARN_BATCH - at ? count - done : VES_LEARN_BATCH - at;
    const bool sorted = opt->order == VES_ORDER_AMPLITUDE, strongest = opt->algorithm == 1;
    if (s->apart == 2)
      ves_amplitude_batch_avx512(s, key, lanes, words, at, batch, opt, draw + done, row, t + done);
    else if (sorted || strongest)
      learn_batch(s, &keys, lanes, words, at, batch, opt, sorted, strongest, draw + done, row,
                  t + done);
    else if (words == 1)
      learn_batch(s, &keys, lanes, 1, at, batch, opt, false, false, draw + done, row, t + done);
    else
      learn_batch(s, &keys, lanes, words, at, batch, opt, false, false, draw + done, row, t + done);
  }
}

#else

bool ves_amplitude_avx2_knows(const ves_amplitude_options *opt) {
  (void)opt;
  return false;
}

void ves_amplitude_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                              uint32_t row, uint64_t t, uint64_t count) {
  (void)s, (void)lanes, (void)n, (void)opt, (void)key, (void)draw, (void)row, (void)t, (void)count;
}

#endif
