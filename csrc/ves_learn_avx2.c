/* ves_learn_avx2: the power rule, many iterations at a time.
 *
 * Only the thresholds change from one iteration to the next; the random bytes do not depend on
 * them. So the bytes of sixteen iterations are made in one go, at the generator's throughput
 * instead of its latency, and each iteration compares 64 of them a step. Its set bits are then
 * visited once, from the weakest synapse up: the running sum is all that one member hands to the
 * next, and the division, the squarings and the step of one member overlap with those of its
 * neighbours.
 *
 * The order of updates differs from ves_learn.c, which is the definition, but not their bits:
 * members are distinct synapses, and this rule looks at nothing but the member's own weight, sum
 * and release. */
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

static inline double power(double g, unsigned exponent) {
  double result = 1.0;
  for (;;) {
    if (exponent & 1) result *= g;
    exponent >>= 1;
    if (exponent == 0) return result;
    g *= g;
  }
}

/* The member of rank r takes its step; `sum` is its weight and those of all weaker members. */
static inline void step(ves_learn_workspace *ws, const ves_learn_options *opt, double rate,
                        unsigned exponent, double sum, size_t r) {
  const double target = power(ws->weight[r] / sum, exponent), q = ws->q[r];
  double next = q - rate * (q - target);
  next = next < opt->floor ? opt->floor : next;
  next = next > opt->ceiling ? opt->ceiling : next;
  ws->q[r] = next;
  ves_thresholds_set(&ws->tries, r, next);
}

/* One iteration of Algorithm 2 in a single pass from the weakest member up. */
static inline void pass(ves_learn_workspace *ws, const ves_learn_options *opt, double rate,
                        unsigned exponent, const uint8_t *bytes, size_t words, uint64_t key,
                        uint64_t draw, uint32_t row) {
  double sum = 0.0;
  for (size_t w = words; w-- > 0;)
    for (uint64_t bits = mask_of(&ws->tries, bytes + 64 * w, key, draw, row, w); bits != 0;) {
      const unsigned top = 63u - (unsigned)__builtin_clzll(bits);
      bits ^= UINT64_C(1) << top;
      const size_t r = 64 * w + top;
      sum += ws->weight[r];
      step(ws, opt, rate, exponent, sum, r);
    }
}

bool ves_learn_power_avx2(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count) {
  if (!ves_simd_in_use() || opt->algorithm != 2 || opt->rule != VES_RULE_POWER ||
      !(opt->psi >= 1 && opt->psi <= 1024) || opt->psi != (double)(unsigned)opt->psi)
    return false;
  const philox_keys keys = philox_round_keys(key);
  const size_t words = (n + 63) / 64;
  const unsigned exponent = (unsigned)opt->psi;
  for (uint64_t done = 0; done < count; done += VES_LEARN_BATCH) {
    const size_t batch = count - done < VES_LEARN_BATCH ? (size_t)(count - done) : VES_LEARN_BATCH;
    make_bytes(&keys, draw + done, batch, row, words, ws->bytes);
    for (size_t b = 0; b < batch; b++) {
      pass(ws, opt, ves_learn_rate(opt, t + done + b), exponent, ws->bytes + 64 * words * b, words,
           key, draw + done + b, row);
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
