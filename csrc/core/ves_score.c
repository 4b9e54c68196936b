/* ves_score: how well a sample, or a distribution, agrees with what it should be.
 *
 * The continuous ranked probability score of a distribution function F at an observation y is the
 * integral of (F(z) - [z >= y])^2 dz, or mean |X - y| - (1/2) mean |X - X'| for independent X, X'
 * from F [eq:crps]. Here F is the sample's own step function, so both means run over all n members
 * and all n^2 pairs, a member paired with itself included: the plain empirical score, not the
 * "fair" one, which divides by n(n-1) to estimate the score of what the sample was drawn from. In
 * sorted order the sum over pairs of |X_i - X_j| is 2 sum of (2i - n - 1) X_(i), i from 1.
 *
 * Under a calibrated forecast the probability integral transform is uniform [eq:pit], and central
 * intervals cover as often as they say [eq:coverage]. With discrete samples, as from a population
 * code, members equal to y are common: half of them count as below. */
#include "ves_score.h"
#include "ves_order.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>

static bool all_finite(const double *v, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

/* False if it was stopped. */
static bool sorted_copy(const double *sample, size_t n, double *scratch) {
  for (size_t i = 0; i < n; i++) scratch[i] = sample[i];
  return ves_sort_ascending(scratch, n);
}

ves_status ves_score_crps(const double *sample, size_t n, double y, double *scratch, double *crps) {
  if (n == 0) return VES_ESIZE;
  if (!all_finite(sample, n) || !isfinite(y)) return VES_EDOMAIN;
  if (!sorted_copy(sample, n, scratch)) return VES_ESTOPPED;
  const double count = (double)n;
  double distance = 0.0, pairs = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double x = scratch[i] - y; /* distances are unchanged, and small numbers cancel less */
    distance += fabs(x);
    pairs += (2.0 * (double)i + 1.0 - count) * x;
  }
  *crps = distance / count - pairs / (count * count);
  return VES_OK;
}

ves_status ves_score_pit(const double *sample, size_t n, double y, double *pit) {
  if (n == 0) return VES_ESIZE;
  if (!all_finite(sample, n) || !isfinite(y)) return VES_EDOMAIN;
  size_t below = 0, equal = 0;
  for (size_t i = 0; i < n; i++) {
    below += sample[i] < y;
    equal += sample[i] == y;
  }
  *pit = ((double)below + 0.5 * (double)equal) / (double)n;
  return VES_OK;
}

ves_status ves_score_coverage(const double *sample, size_t n, double y, double level,
                              double *scratch, int *covered, double *lower, double *upper) {
  if (n == 0) return VES_ESIZE;
  if (!(level > 0.0 && level < 1.0) || !all_finite(sample, n) || !isfinite(y)) return VES_EDOMAIN;
  if (!sorted_copy(sample, n, scratch)) return VES_ESTOPPED;
  const double low = gsl_stats_quantile_from_sorted_data(scratch, 1, n, 0.5 - 0.5 * level);
  const double high = gsl_stats_quantile_from_sorted_data(scratch, 1, n, 0.5 + 0.5 * level);
  *covered = y >= low && y <= high;
  if (lower != NULL) *lower = low;
  if (upper != NULL) *upper = high;
  return VES_OK;
}

static bool all_probabilities(const double *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(p[i] >= 0.0) || !isfinite(p[i])) return false;
  return true;
}

ves_status ves_score_total_variation(const double *p, const double *q, size_t n, double *tv) {
  if (n == 0) return VES_ESIZE;
  if (!all_probabilities(p, n) || !all_probabilities(q, n)) return VES_EDOMAIN;
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += fabs(p[i] - q[i]);
  *tv = 0.5 * sum;
  return VES_OK;
}

ves_status ves_score_kl(const double *p, const double *q, size_t n, double *kl) {
  if (n == 0) return VES_ESIZE;
  if (!all_probabilities(p, n) || !all_probabilities(q, n)) return VES_EDOMAIN;
  *kl = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (!(p[i] > 0.0)) continue;
    *kl += q[i] > 0.0 ? p[i] * log(p[i] / q[i]) : HUGE_VAL;
  }
  return VES_OK;
}
