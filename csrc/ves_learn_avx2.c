/* ves_learn_avx2: the power rule, many iterations at a time.
 *
 * Only the thresholds change from one iteration to the next; the random bytes do not depend on
 * them. So the bytes of sixteen iterations are made in one go, at the generator's throughput
 * instead of its latency. Each iteration then compares 64 bytes a step, visits the set bits from
 * the weakest synapse up to form the running sums, and updates four members a vector: division,
 * squarings, the step and the clipping are IEEE operations lane by lane, so every bit is that of
 * ves_learn.c, which remains the definition. Members of one iteration are distinct synapses, and
 * the rule looks at nothing but the member's own weight, sum and release: the order of updates
 * cannot matter. */
#include "ves_learn_private.h"
#include "ves_rng_simd.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_philox_avx2.h"

/* The bytes of `words` masks of each of `draws` draws, 64 bytes each. */
static void make_bytes(const philox_keys *keys, uint64_t draw, size_t draws, uint32_t row,
                       size_t words, uint8_t *bytes) {
  const size_t groups = draws * words;
  uint64_t d = draw;
  size_t w = 0;
  for (size_t g = 0; g < groups; g += 2) {
    philox_group a = philox_blocks(d, row, (uint32_t)(4 * w));
    if (++w == words) d++, w = 0;
    philox_group b =
        philox_blocks(d, row, (uint32_t)(4 * w)); /* one too many if groups is odd: there is room */
    if (++w == words) d++, w = 0;
    philox_two(keys, &a, &b);
    const philox_bytes pa = philox_pack(&a), pb = philox_pack(&b);
    __m256i *out = (__m256i *)(bytes + 64 * g);
    _mm256_storeu_si256(out, pa.low);
    _mm256_storeu_si256(out + 1, pa.high);
    _mm256_storeu_si256(out + 2, pb.low);
    _mm256_storeu_si256(out + 3, pb.high);
  }
}

/* Who transmits among ranks 64w .. 64w+63. */
static inline uint64_t mask_of(const ves_thresholds *t, const uint8_t *bytes, uint64_t key,
                               uint64_t draw, uint32_t row, size_t w) {
  const philox_bytes b = {_mm256_loadu_si256((const __m256i *)bytes),
                          _mm256_loadu_si256((const __m256i *)(bytes + 32))};
  uint64_t ties, mask = philox_compare(&b, t->coarse + 64 * w, &ties);
  if (ties != 0) mask |= ves_mask_break(t, ties, key, draw, row, w);
  return mask;
}

/* The subset with its running sums, weakest first; returns its size. */
static inline size_t gather(ves_learn_workspace *ws, const uint8_t *bytes, size_t words,
                            uint64_t key, uint64_t draw, uint32_t row) {
  size_t size = 0;
  double sum = 0.0;
  for (size_t w = words; w-- > 0;)
    for (uint64_t bits = mask_of(&ws->tries, bytes + 64 * w, key, draw, row, w); bits != 0;) {
      const unsigned top = 63u - (unsigned)__builtin_clzll(bits);
      bits ^= UINT64_C(1) << top;
      const size_t r = 64 * w + top;
      sum += ws->weight[r];
      ws->member[size] = r;
      ws->member_weight[size] = ws->weight[r];
      ws->member_sum[size] = sum;
      ws->member_q[size] = ws->q[r];
      size++;
    }
  return size;
}

static inline __m256d power4(__m256d g, unsigned exponent) {
  __m256d result = _mm256_set1_pd(1.0);
  for (;;) {
    if (exponent & 1) result = _mm256_mul_pd(result, g);
    exponent >>= 1;
    if (exponent == 0) return result;
    g = _mm256_mul_pd(g, g);
  }
}

/* Members c .. c+3 take their step; those past the last compute on what an earlier iteration left,
 * and are not stored. */
static inline void step4(ves_learn_workspace *ws, const ves_learn_options *opt, double rate,
                         size_t c, size_t size) {
  const __m256d q = _mm256_loadu_pd(ws->member_q + c);
  const __m256d g =
      _mm256_div_pd(_mm256_loadu_pd(ws->member_weight + c), _mm256_loadu_pd(ws->member_sum + c));
  const __m256d target = power4(g, (unsigned)opt->psi);
  const __m256d moved =
      _mm256_sub_pd(q, _mm256_mul_pd(_mm256_set1_pd(rate), _mm256_sub_pd(q, target)));
  const __m256d held =
      _mm256_min_pd(_mm256_max_pd(moved, _mm256_set1_pd(opt->floor)), _mm256_set1_pd(opt->ceiling));
  double next[4];
  _mm256_storeu_pd(next, held);
  for (size_t i = 0; i < 4 && c + i < size; i++) {
    const size_t r = ws->member[c + i];
    ws->q[r] = next[i];
    ves_thresholds_set(&ws->tries, r, next[i]);
  }
}

bool ves_learn_power_avx2(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count) {
  if (!ves_simd_in_use() || opt->rule != VES_RULE_POWER || !(opt->psi >= 1 && opt->psi <= 1024) ||
      opt->psi != (double)(unsigned)opt->psi)
    return false;
  const philox_keys keys = philox_round_keys(key);
  const size_t words = (n + 63) / 64;
  for (uint64_t done = 0; done < count; done += VES_LEARN_BATCH) {
    const size_t batch = count - done < VES_LEARN_BATCH ? (size_t)(count - done) : VES_LEARN_BATCH;
    make_bytes(&keys, draw + done, batch, row, words, ws->bytes);
    for (size_t b = 0; b < batch; b++) {
      const size_t size = gather(ws, ws->bytes + 64 * words * b, words, key, draw + done + b, row);
      const size_t from = opt->algorithm == 1 && size > 0 ? size - 1 : 0;
      const double rate = ves_learn_rate(opt, t + done + b);
      for (size_t c = from; c < size; c += 4) step4(ws, opt, rate, c, size);
    }
  }
  return true;
}

#else

bool ves_learn_power_avx2(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count) {
  (void)ws, (void)n, (void)opt, (void)key, (void)draw, (void)row, (void)t, (void)count;
  return false;
}

#endif
