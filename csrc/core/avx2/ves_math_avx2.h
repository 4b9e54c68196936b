/* ves_math_avx2: the functions of ves_math_private.h on four numbers at once, lane by lane the same
 * operations in the same order, hence the same bits. Included only by the vector kernels. */
#ifndef VES_MATH_AVX2_H
#define VES_MATH_AVX2_H

#include "ves_math_private.h"
#include <immintrin.h>

static inline __m256d mul(__m256d a, __m256d b) { return _mm256_mul_pd(a, b); }
static inline __m256d add(__m256d a, __m256d b) { return _mm256_add_pd(a, b); }
static inline __m256d sub(__m256d a, __m256d b) { return _mm256_sub_pd(a, b); }
static inline __m256d all(double v) { return _mm256_set1_pd(v); }
static inline __m256i all_bits(uint64_t v) { return _mm256_set1_epi64x((long long)v); }
static inline __m256d line(double a, double b, __m256d r) { return add(all(a), mul(all(b), r)); }

/* The sum that rounds k also leaves k in its low bits, from where a shift moves it into the
 * exponent. */
static inline __m256d exp4(__m256d t) {
  const __m256d sum = add(mul(t, all(VES_EXP_LOG2E)), all(VES_EXP_ROUND));
  const __m256d k = sub(sum, all(VES_EXP_ROUND));
  const __m256d r = sub(sub(t, mul(k, all(VES_EXP_LN2_HIGH))), mul(k, all(VES_EXP_LN2_LOW)));
  const __m256d r2 = mul(r, r), r4 = mul(r2, r2), r8 = mul(r4, r4);
  const __m256d low =
      add(add(add(all(1), r), mul(line(VES_EXP_2, VES_EXP_3, r), r2)),
          mul(add(line(VES_EXP_4, VES_EXP_5, r), mul(line(VES_EXP_6, VES_EXP_7, r), r2)), r4));
  const __m256d high =
      add(add(line(VES_EXP_8, VES_EXP_9, r), mul(line(VES_EXP_10, VES_EXP_11, r), r2)),
          mul(line(VES_EXP_12, VES_EXP_13, r), r4));
  const __m256i scale = _mm256_add_epi64(_mm256_slli_epi64(_mm256_castpd_si256(sum), 52),
                                         all_bits(UINT64_C(1023) << 52));
  return mul(add(low, mul(high, r8)), _mm256_castsi256_pd(scale));
}

static inline __m256d log4(__m256d x) {
  const __m256i bits = _mm256_castpd_si256(x);
  const __m256i exponent = _mm256_srli_epi64(
      _mm256_sub_epi64(bits, all_bits(VES_LOG_SPLIT - (VES_LOG_OFFSET << 52))), 52);
  const __m256i moved = _mm256_slli_epi64(_mm256_sub_epi64(exponent, all_bits(VES_LOG_OFFSET)), 52);
  const __m256d m = _mm256_castsi256_pd(_mm256_sub_epi64(bits, moved));
  const __m256d k = sub(_mm256_castsi256_pd(_mm256_or_si256(exponent, all_bits(VES_LOG_WHOLE))),
                        all(0x1p52 + (double)VES_LOG_OFFSET));
  const __m256d s = _mm256_div_pd(sub(m, all(1)), add(m, all(1)));
  const __m256d z = mul(s, s), z2 = mul(z, z), z4 = mul(z2, z2);
  const __m256d p =
      add(add(line(1.0 / 3, 1.0 / 5, z), mul(line(1.0 / 7, 1.0 / 9, z), z2)),
          mul(add(line(1.0 / 11, 1.0 / 13, z), mul(line(1.0 / 15, 1.0 / 17, z), z2)), z4));
  const __m256d twice = add(s, s);
  return add(mul(k, all(VES_LOG_LN2)), add(twice, mul(twice, mul(z, p))));
}

static inline __m256d power4(__m256d g, __m256d e) {
  const __m256d least = all(VES_EXP_LEAST), t = mul(e, log4(g));
  const __m256d none = _mm256_or_pd(_mm256_cmp_pd(g, all(VES_POWER_LEAST), _CMP_LT_OQ),
                                    _mm256_cmp_pd(t, least, _CMP_LT_OQ));
  return _mm256_andnot_pd(none, exp4(_mm256_blendv_pd(t, least, none)));
}

static inline void circle4(__m256d y, __m256d *sine, __m256d *cosine) {
  const __m256d z = mul(y, y), z2 = mul(z, z), z4 = mul(z2, z2);
  const __m256d s = add(add(line(VES_SIN_3, VES_SIN_5, z), mul(line(VES_SIN_7, VES_SIN_9, z), z2)),
                        mul(line(VES_SIN_11, VES_SIN_13, z), z4));
  const __m256d c = add(add(line(VES_COS_2, VES_COS_4, z), mul(line(VES_COS_6, VES_COS_8, z), z2)),
                        mul(add(line(VES_COS_10, VES_COS_12, z), mul(all(VES_COS_14), z2)), z4));
  *sine = add(y, mul(y, mul(z, s)));
  *cosine = add(all(1), mul(z, c));
}

#endif
