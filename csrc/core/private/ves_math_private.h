/* ves_math_private: exponential, logarithm and circle, for the core alone.
 *
 * They are our own for one reason: results must have the same bits everywhere, and the C library's
 * do not (they differ between libraries, and on one machine between processors with and without
 * fused multiply-add). Addition, multiplication, division and square root are fixed to the bit by
 * IEEE 754, so what is made of them alone is too; the order of operations is part of the
 * definition, and ves_math_avx2.h follows it lane by lane. Each is a textbook reduction and a
 * Taylor series, its terms summed pairwise (Estrin's scheme: the pairs do not wait for one
 * another). */
#ifndef VES_MATH_PRIVATE_H
#define VES_MATH_PRIVATE_H

#include <stdint.h>
#include <string.h>

static inline uint64_t ves_bits(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

static inline double ves_double(uint64_t bits) {
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* ---- exponential ---- */

/* exp(t) = 2^k exp(r), k the whole number nearest to t / ln 2 and |r| <= ln(2)/2, with the series
 * of exp(r) to degree 13 (remainder below 5e-18): within two units in the last place. */

#define VES_EXP_LOG2E    0x1.71547652b82fep+0
#define VES_EXP_LN2_HIGH 0x1.62e42feep-1 /* 33 bits: k times it is exact */
#define VES_EXP_LN2_LOW  0x1.a39ef35793c76p-33
#define VES_EXP_ROUND    0x1.8p52 /* adding and subtracting it rounds to a whole number */
#define VES_EXP_LEAST    (-708.0) /* below, 2^k would not be a normal number */

#define VES_EXP_2  0.5
#define VES_EXP_3  (1.0 / 6.0)
#define VES_EXP_4  (1.0 / 24.0)
#define VES_EXP_5  (1.0 / 120.0)
#define VES_EXP_6  (1.0 / 720.0)
#define VES_EXP_7  (1.0 / 5040.0)
#define VES_EXP_8  (1.0 / 40320.0)
#define VES_EXP_9  (1.0 / 362880.0)
#define VES_EXP_10 (1.0 / 3628800.0)
#define VES_EXP_11 (1.0 / 39916800.0)
#define VES_EXP_12 (1.0 / 479001600.0)
#define VES_EXP_13 (1.0 / 6227020800.0)

/* exp(t) for VES_EXP_LEAST <= t <= 0. */
static inline double ves_exp(double t) {
  const double k = (t * VES_EXP_LOG2E + VES_EXP_ROUND) - VES_EXP_ROUND;
  const double r = (t - k * VES_EXP_LN2_HIGH) - k * VES_EXP_LN2_LOW;
  const double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const double low = ((1 + r) + (VES_EXP_2 + VES_EXP_3 * r) * r2) +
                     ((VES_EXP_4 + VES_EXP_5 * r) + (VES_EXP_6 + VES_EXP_7 * r) * r2) * r4;
  const double high = ((VES_EXP_8 + VES_EXP_9 * r) + (VES_EXP_10 + VES_EXP_11 * r) * r2) +
                      (VES_EXP_12 + VES_EXP_13 * r) * r4;
  return (low + high * r8) * ves_double((uint64_t)(int64_t)(1023 + (int)k) << 52);
}

/* ---- logarithm ---- */

/* log(x) = k ln 2 + log(m), m in [sqrt(1/2), sqrt(2)), and log(m) = 2 artanh(s), s = (m-1)/(m+1),
 * |s| < 0.172, with the series to s^17 (relative remainder below 1e-15). */

#define VES_LOG_LN2    0x1.62e42fefa39efp-1
#define VES_LOG_SPLIT  UINT64_C(0x3fe6a09e667f3bcd) /* the bits of sqrt(1/2) */
#define VES_LOG_OFFSET UINT64_C(1024)               /* keeps exponents above 0 */
#define VES_LOG_WHOLE  UINT64_C(0x4330000000000000) /* 2^52: with its bits k is the double 2^52+k */

/* log(x) of a positive normal number. */
static inline double ves_log(double x) {
  const uint64_t bits = ves_bits(x);
  const uint64_t exponent = (bits - VES_LOG_SPLIT + (VES_LOG_OFFSET << 52)) >> 52;
  const double m = ves_double(bits - ((exponent - VES_LOG_OFFSET) << 52));
  const double k = ves_double(exponent | VES_LOG_WHOLE) - (0x1p52 + (double)VES_LOG_OFFSET);
  const double s = (m - 1) / (m + 1), z = s * s, z2 = z * z, z4 = z2 * z2;
  const double p = ((1.0 / 3 + 1.0 / 5 * z) + (1.0 / 7 + 1.0 / 9 * z) * z2) +
                   ((1.0 / 11 + 1.0 / 13 * z) + (1.0 / 15 + 1.0 / 17 * z) * z2) * z4;
  const double twice = s + s;
  return k * VES_LOG_LN2 + (twice + twice * (z * p));
}

/* ---- power ---- */

#define VES_POWER_LEAST 0x1p-1022 /* a smaller base, which has no logarithm here, counts as 0 */

/* g^e for 0 <= g <= 1 and e > 0: within some ten units in the last place of a result above 0.001,
 * since the error of the logarithm is multiplied by e. */
static inline double ves_power(double g, double e) {
  if (g < VES_POWER_LEAST) return 0.0;
  const double t = e * ves_log(g);
  return t < VES_EXP_LEAST ? 0.0 : ves_exp(t);
}

/* ---- circle ---- */

/* Sine and cosine of y, |y| <= pi/4, to degrees 13 and 14 (remainder below 3e-14). */

#define VES_CIRCLE_QUARTER 0x1.921fb54442d18p+0 /* pi/2 */

#define VES_SIN_3  (-1.0 / 6.0)
#define VES_SIN_5  (1.0 / 120.0)
#define VES_SIN_7  (-1.0 / 5040.0)
#define VES_SIN_9  (1.0 / 362880.0)
#define VES_SIN_11 (-1.0 / 39916800.0)
#define VES_SIN_13 (1.0 / 6227020800.0)
#define VES_COS_2  (-0.5)
#define VES_COS_4  (1.0 / 24.0)
#define VES_COS_6  (-1.0 / 720.0)
#define VES_COS_8  (1.0 / 40320.0)
#define VES_COS_10 (-1.0 / 3628800.0)
#define VES_COS_12 (1.0 / 479001600.0)
#define VES_COS_14 (-1.0 / 87178291200.0)

static inline void ves_circle(double y, double *sine, double *cosine) {
  const double z = y * y, z2 = z * z, z4 = z2 * z2;
  const double s = ((VES_SIN_3 + VES_SIN_5 * z) + (VES_SIN_7 + VES_SIN_9 * z) * z2) +
                   (VES_SIN_11 + VES_SIN_13 * z) * z4;
  const double c = ((VES_COS_2 + VES_COS_4 * z) + (VES_COS_6 + VES_COS_8 * z) * z2) +
                   ((VES_COS_10 + VES_COS_12 * z) + VES_COS_14 * z2) * z4;
  *sine = y + y * (z * s);
  *cosine = 1 + z * c;
}

#endif
