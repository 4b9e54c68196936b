/* ves_learn_pooled_avx2: pooled learning by the rule of the original, four members at a time.
 *
 * Presentations take turns, and what one learns the next may use: nothing of two turns can go side by
 * side but their random bytes, which depend on nothing. Those of sixteen turns are made in one go, as
 * in ves_learn_avx2.c. The rest is one turn after the other: bytes are compared with thresholds, ties
 * are decided by fours, members are listed two of each word whether or not there are as many, and
 * the list takes its steps, four members in a vector. Members of a presentation are distinct
 * synapses, so that their order does not matter. */
#include "ves_pools_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_learn_avx2.h"
#include "ves_stop.h"

bool ves_learn_pooled_avx2_knows(const ves_learn_options *opt, const ves_sharing *shared) {
  return ves_simd_in_use() && shared->distinct && opt->rule == VES_RULE_POWER && opt->psi >= 1 &&
         ves_learn_avx2_knows(opt);
}

/* Lists the synapses whose bytes tie with their thresholds, and leaves the others that transmit in
 * s->mask; returns how many tie. */
static inline size_t compare(const ves_pool *one, const uint8_t *bytes, const ves_learn_lanes *s) {
  size_t count = 0;
  for (size_t w = 0; w < one->tries.words; w++) {
    const philox_bytes b = {_mm256_loadu_si256((const __m256i *)(bytes + 64 * w)),
                            _mm256_loadu_si256((const __m256i *)(bytes + 64 * w + 32))};
    uint64_t ties;
    s->mask[w] = philox_compare(&b, one->tries.coarse + 64 * w, &ties);
    for (; ties != 0; ties &= ties - 1) s->tie[count++] = (64 * w + _tzcnt_u64(ties)) << 32;
  }
  return count;
}

/* Decides the ties. */
static inline void refine(const ves_pool *one, const philox_keys *keys, uint64_t draw, size_t count,
                          const double *q, const ves_learn_lanes *s) {
  for (size_t k = 0; k < count; k += 4) {
    uint64_t word[4][4];
    philox_group g = learn_fine(s->tie + k, draw, 0);
    philox_one(keys, &g);
    _mm256_storeu_si256((__m256i *)word[0], g.c0);
    _mm256_storeu_si256((__m256i *)word[1], g.c1);
    _mm256_storeu_si256((__m256i *)word[2], g.c2);
    _mm256_storeu_si256((__m256i *)word[3], g.c3);
    for (size_t i = 0; i < 4 && k + i < count; i++) {
      const size_t r = s->tie[k + i] >> 32;
      const bool there = r < one->count && one->weight[r] > 0;
      const uint64_t fine = there ? ves_threshold_fine(q[one->synapse[r]]) : 0;
      s->mask[r / 64] |= (uint64_t)((uint32_t)word[r % 4][i] < fine) << r % 64;
    }
  }
}

/* Lists the top bit of `bits` as member k, and takes it away. With no bit left that is the word's
 * first synapse, which nobody will look at. */
static inline void list_top(const ves_pool *one, size_t w, uint64_t *bits, size_t k, double *sum,
                            const ves_learn_lanes *s) {
  const unsigned top = 63 - (unsigned)_lzcnt_u64(*bits | 1);
  const size_t r = 64 * w + top;
  *bits = _bzhi_u64(*bits, top);
  s->member[k] = (uint32_t)one->synapse[r];
  s->member_amount[k] = one->weight[r];
  s->member_weaker[k] = *sum;
  *sum += one->weight[r];
}

/* Lists those that transmit, the weakest first; returns how many they are. */
static inline size_t list_members(const ves_pool *one, const ves_learn_lanes *s) {
  size_t size = 0;
  double sum = 0.0;
  for (size_t w = one->tries.words; w-- > 0;) {
    uint64_t bits = s->mask[w];
    const size_t end = size + (size_t)__builtin_popcountll(bits);
    double running = sum;
    for (size_t k = size; k < end || k == size; k += 2) {
      list_top(one, w, &bits, k, &running, s);
      list_top(one, w, &bits, k + 1, &running, s);
    }
    if (end > size) sum = s->member_weaker[end - 1] + s->member_amount[end - 1];
    size = end;
  }
  return size;
}

/* Members from .. size-1 take their steps; the last vector is filled up with members that do not. */
static inline __attribute__((always_inline)) void
step_all(const ves_sharing *shared, const ves_learn_options *opt, unsigned exponent, double rate,
         size_t from, size_t size, const ves_learn_lanes *s, uint8_t *coarse, double *q) {
  for (size_t k = size; k < size + 3; k++) {
    s->member[k] = s->member[from];
    s->member_amount[k] = 1.0;
    s->member_weaker[k] = 0.0;
  }
  for (size_t c = from; c < size; c += 4) {
    const uint32_t *m = s->member + c;
    const __m256d before = learn_four(q, m), w = _mm256_loadu_pd(s->member_amount + c);
    const __m256d g = _mm256_div_pd(w, _mm256_add_pd(_mm256_loadu_pd(s->member_weaker + c), w));
    const __m256d away = _mm256_sub_pd(before, learn_raised(g, exponent));
    const __m256d moved = _mm256_sub_pd(before, _mm256_mul_pd(_mm256_set1_pd(rate), away));
    const __m256d next = _mm256_min_pd(_mm256_max_pd(moved, _mm256_set1_pd(opt->floor)),
                                       _mm256_set1_pd(opt->ceiling));
    double release[4];
    uint64_t byte[4];
    _mm256_storeu_pd(release, next);
    _mm256_storeu_si256((__m256i *)byte, learn_coarse(next));
    for (size_t i = 0; i < 4 && c + i < size; i++) {
      q[m[i]] = release[i];
      ves_sharing_tell(shared, m[i], (uint8_t)byte[i], coarse);
    }
  }
}

void ves_learn_pooled_avx2(const ves_pools *all, const ves_sharing *shared,
                           const ves_learn_options *opt, double rate, uint64_t key, uint64_t draw,
                           ves_learn_lanes *s, double *q) {
  const philox_keys keys = philox_round_keys(key);
  const ves_sharing sharing = *shared; /* nothing that is stored can change it */
  const unsigned exponent = (unsigned)opt->psi;
  size_t most = 0;
  for (size_t p = 0; p < all->count; p++)
    if (all->each[p].count > most) most = all->each[p].count;
  for (size_t p = 0; p < all->count && !ves_stopping(); p++, draw++) {
    const size_t at = ves_learn_batch_avx2(s, &keys, key, draw, 0, 1, most);
    const ves_pool pool = all->each[p], *one = &pool;
    const ves_learn_lanes lane = *s;
    refine(one, &keys, draw, compare(one, lane.bytes + at * lane.stride, &lane), q, &lane);
    const size_t size = list_members(one, &lane);
    const size_t from = opt->algorithm == 1 && size > 0 ? size - 1 : 0;
    if (exponent == 8)
      step_all(&sharing, opt, 8, rate, from, size, &lane, all->tries.coarse, q);
    else
      step_all(&sharing, opt, exponent, rate, from, size, &lane, all->tries.coarse, q);
  }
}

#else

bool ves_learn_pooled_avx2_knows(const ves_learn_options *opt, const ves_sharing *shared) {
  (void)opt, (void)shared;
  return false;
}

void ves_learn_pooled_avx2(const ves_pools *all, const ves_sharing *shared,
                           const ves_learn_options *opt, double rate, uint64_t key, uint64_t draw,
                           ves_learn_lanes *s, double *q) {
  (void)all, (void)shared, (void)opt, (void)rate, (void)key, (void)draw, (void)s, (void)q;
}

#endif
