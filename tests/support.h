/* What several C suites share: one significance level, the chi-square test, how often to repeat. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "ves_simd.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stddef.h>

/* Seeds are fixed, so a correct program passes always; a wrong one is caught when its p falls below
 * this. */
#define SIGNIFICANCE 1e-6

/* Repetitions behind a statistic. The plain suites make all of them. Under the address sanitizer a
 * quarter is enough: it looks at every access, and sees nothing new in more of the same. */
#ifdef __SANITIZE_ADDRESS__
#define REPEATED(n) ((n) / 4)
#else
#define REPEATED(n) (n)
#endif

/* Paths 0, 1, 2: plain C, AVX2, AVX-512; where the processor lacks the last it is the second again. */
enum { PATHS = 3 };
static inline void select_path(int path) {
  ves_simd_narrow(path == 1);
  ves_simd_select(path > 0);
}

/* p value of counts against expected counts; neighbouring cells are pooled until ten are expected.
 */
static inline double chi_square_p(const double *observed, const double *expected, size_t cells) {
  double statistic = 0, o = 0, e = 0, last_o = 0, last_e = 0;
  size_t pooled = 0;
  for (size_t c = 0; c < cells; c++) {
    o += observed[c];
    e += expected[c];
    if (e < 10) continue;
    statistic += (o - e) * (o - e) / e;
    last_o = o;
    last_e = e;
    o = e = 0;
    pooled++;
  }
  if (pooled > 0 && (e > 0 || o > 0)) { /* what is left joins the last cell */
    statistic -= (last_o - last_e) * (last_o - last_e) / last_e;
    last_o += o;
    last_e += e;
    statistic += (last_o - last_e) * (last_o - last_e) / last_e;
  }
  return pooled < 2 ? 1.0 : gsl_cdf_chisq_Q(statistic, (double)(pooled - 1));
}

/* Two-sided p value of a standard normal statistic. */
static inline double normal_p(double z) { return 2 * gsl_cdf_ugaussian_Q(fabs(z)); }

#endif
