/* ves_release: from weights and evidence to release probabilities, in closed form.
 *
 * The mapping. Sort the weights, strongest first. An output wins if its synapse transmits and every
 * stronger one fails:
 *
 *     p_i = q_i prod_{j<i} (1 - q_j).
 *
 * By induction the product is the chance that nothing stronger has won, 1 - sum_{j<i} p_j, so that
 *
 *     q_i = p_i / (1 - sum_{j<i} p_j).
 *
 * With p = w / sum(w) the sums cancel to a synapse's strength over its own plus everything weaker:
 *
 *     q_i = w_i / (w_i + ... + w_n)                                               [eq:mapping]
 *
 * Summing from the weakest up makes q_n = 1 exactly and every partial sum accurate.
 *
 * The epistemic release. A weight w/phi that transmits with probability phi has mean w and variance
 * w^2 (1-phi)/phi. Equating this with the variance of Beta(A,B), w = A/(A+B), gives
 *
 *     (1-phi)/phi = B/C  with  C = A(A+B+1),  hence  phi = C/(C+B).
 *
 * Differs from [eq:beta2dropoutvar]: the printed root solves C(1-phi) = B phi^2, one factor of phi
 * too many, and delivers phi times the wanted variance. Both are offered. With t = B/C they are
 * 1/(1+t) and 2/(1+sqrt(1+4t)), forms in which nothing cancels and nothing overflows.
 *
 * Both uncertainties in one release [eq:combined] are the product of the two. Where several inputs
 * are active, their releases are divided among them [eq:normaliser]. */
#include "ves_release.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <math.h>

void ves_release_analytic(const double *w, size_t n, size_t *order, double *q) {
  if (!ves_order_finish(w, n, order)) return;
  double weaker = 0.0;
  for (size_t rest = n, done; rest > 0; rest = done) {
    done = rest > VES_BLOCK ? rest - VES_BLOCK : 0;
    if (n > VES_BLOCK && ves_stopping()) return;
    for (size_t r = rest; r-- > done;) {
      const size_t i = order[r];
      weaker += w[i];
      q[i] = w[i] > 0 ? w[i] / weaker : 0.0;
    }
  }
}

void ves_release_epistemic(double a, double b, ves_phi_root root, double *phi, double *complement) {
  const double t = b / (a + b + 1) / a;
  if (root == VES_PHI_EXACT) {
    *phi = 1 / (1 + t);
    *complement = 1 / (1 + 1 / t);
  } else {
    *phi = 2 / (1 + sqrt(1 + 4 * t));
    *complement = isinf(t) ? 1 : t * *phi * *phi; /* C(1-phi) = B phi^2 */
  }
}

void ves_release_combine(const double *phi, const double *q, size_t count, double *qbar) {
  for (size_t c = 0; c < count; c++) qbar[c] = phi[c] * q[c];
}

double ves_release_divisor(const double *x, size_t m, ves_normaliser kind, double active) {
  double count = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < m; i++) {
    if (!(x[i] > active)) continue;
    count += 1;
    sum += x[i];
    squares += x[i] * x[i];
  }
  double divisor = 1;
  switch (kind) {
  case VES_DIVIDE_NONE: break;
  case VES_DIVIDE_SUM: divisor = sum; break;
  case VES_DIVIDE_COUNT: divisor = count; break;
  case VES_DIVIDE_PARTICIPATION: divisor = squares > 0 ? sum * sum / squares : 1; break;
  }
  return divisor > 1 ? divisor : 1;
}
