/* ves_amplitude_theory: mean and variance of a target, and how far the winner is from where it
 * should be; proofs in the report.
 *
 * A target is w_i plus independent terms that are a_j with probability w_j / a_j and 0 otherwise.
 * Each has mean w_j and variance w_j (a_j - w_j). At rest a_j = S_j, and the sum of w_j S_{j+1}
 * over the weaker synapses is that of the products of all pairs of them: (S_{i+1}^2 - sum of
 * squares) / 2.
 *
 * Two rows of synapses that share their random bits have the same winner unless, going down from
 * the strongest, the first that transmits in either fails in the other; hence the distance is at
 * most the sum of P(nothing stronger) |q_i - q*_i|, and P(nothing stronger) q*_i is w_i / sum(w).
 *
 * With step 1/k an amplitude is off by about sqrt(variance / updates), and in T iterations there
 * are T p_i updates in Algorithm 1 and T q_i in Algorithm 2. */
#include "ves_amplitude_theory.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <math.h>
#include <stdlib.h>

void ves_amplitude_moments(const double *w, const double *a, size_t n, size_t *order, double *mean,
                           double *variance) {
  ves_order_descending(w, n, order);
  double weaker = 0.0, spread = 0.0;
  for (size_t r = n; r-- > 0;) {
    const size_t i = order[r];
    mean[i] = weaker + w[i];
    variance[i] = spread;
    weaker = mean[i];
    spread += w[i] * ((a != NULL ? a[i] : mean[i]) - w[i]);
  }
}

double ves_amplitude_distance(const double *w, const double *q, size_t n, size_t *order) {
  ves_order_descending(w, n, order);
  double sum = 0.0, off = 0.0;
  for (size_t r = n; r-- > 0;) {
    const size_t i = order[r];
    sum += w[i];
    off += fabs(q[i] * sum - w[i]);
  }
  return sum > 0 ? off / sum : 0.0;
}

/* An amplitude moves by rate u_i (S_i q_i - w_i) on average, u_i being the chance that nothing
 * stronger transmits; so the mean of u_i q_i, how often i wins, is (w_i mean of u_i + mean
 * movement) / S_i, and what is left of u_i is passed on to the next. */
void ves_amplitude_draws(const double *w, const double *a, const double *b, size_t n, double rate,
                         double draws, size_t *order, double *p, double *nothing) {
  ves_order_descending(w, n, order);
  double sum = 0.0, left = 1.0;
  for (size_t r = n; r-- > 0;) {
    sum += w[order[r]];
    p[order[r]] = sum; /* S_i, until the second loop needs it */
  }
  for (size_t r = 0; r < n; r++) {
    const size_t i = order[r];
    p[i] = (w[i] * left + (b[i] - a[i]) / (rate * draws)) / p[i];
    left -= p[i];
  }
  *nothing = left;
}

ves_status ves_amplitude_rate(const double *w, size_t n, int algorithm, double *rate) {
  double *mean = malloc(n * sizeof *mean), *variance = malloc(n * sizeof *variance);
  size_t *order = malloc(n * sizeof *order);
  ves_status status = VES_ENOMEM;
  if (mean != NULL && variance != NULL && order != NULL) {
    ves_amplitude_moments(w, NULL, n, order, mean, variance);
    const double total = mean[order[0]];
    *rate = 0.0;
    for (size_t i = 0; i < n; i++) {
      if (!(w[i] > 0)) continue;
      const double learns = algorithm == 1 ? w[i] / total : w[i] / mean[i];
      *rate += w[i] / total * sqrt(variance[i] / learns) / mean[i];
    }
    *rate *= sqrt(2 / acos(-1.0));
    status = ves_stopping() ? VES_ESTOPPED : VES_OK;
  }
  free(mean);
  free(variance);
  free(order);
  return status;
}
