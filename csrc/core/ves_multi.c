/* ves_multi: several inputs active together: what is to be sampled, and Appendix C.
 *
 * What is to be sampled [eq:mixture]. With activities x and weights W the encoded distribution over
 * outputs is W'x normalised: row a enters with weight x_a R_a, R_a its sum, not with x_a alone.
 *
 * Appendix C [app:normal-approximation] approximates y_j, a weighted sum of independent Bernoullis
 * (not the Binomial it is called there), by a normal variable of the same mean and variance and
 * asks for releases with
 *
 *     Phi((mu_i - mu_J) / sqrt(var_i + var_J)) = p_i,
 *
 * J the output of largest mean. Differs from [app:normal-approximation]: this cannot be solved.
 * With j fixed to J the left side at i = J is Phi(0) = 1/2, whatever p_J is; with the minimum over
 * j != i it is at least 1/2 there, since no mean exceeds mu_J. Both forms are computed as printed
 * so that their error can be shown.
 *
 * One input with repeated empty draws [eq:redraw-family]. If an empty draw is repeated, only the
 * conditional law given a non-empty draw has to be p. Writing c for the probability of a non-empty
 * draw, P(win = i) = c p_i, and Appendix A's induction gives q_i = c p_i / (1 - c sum of stronger
 * p): a family with one parameter, which is the mapping [eq:mapping] at c = 1.
 *
 * The conjecture that no constant Q serves all combinations of inputs [eq:conjecture]. Presenting
 * each input alone forces row a of Q into this family, with some c_a.
 *   - If empty draws count, all c_a = 1, and W = ((.6,.4),(.6,.4)) then yields (.36,.64) under
 *     x = (1,1) instead of (.6,.4).
 *   - If they are repeated, that W has an exact constant Q, both rows (3/7, 1/2). But
 *     W = ((.6,.3,.1),(.1,.3,.6)) has none. Under x = (1,1) output 2 must win with probability
 *     .3 (c+d-cd), c and d being the parameters of the rows. Counting the ways in which it wins,
 *     with a_j and b_j for the releases of the rows,
 *         P(win = 2) = (1-a_1) [a_2 b_2 (1 - a_3 b_3) + (a_2 + b_2 - 2 a_2 b_2)(1-b_3)]
 *                    = .3 [c + d - 1.8 c d + c b_2 (1 - a_3 b_3)],
 *     as a_1 = .6 c, b_3 = .6 d, a_2 (1-a_1) = .3 c and b_2 (1-b_3) = .3 d. Equality would need
 *     b_2 (1 - a_3 b_3) = .8 d, but b_2 = .3 d / (1 - .6 d) <= .75 d: output 2 wins too rarely for
 *     every c and d. So the conjecture is true under either treatment of empty draws.
 *   - If activities are continuous no computation is needed: as x moves a little, the order of the
 *     finitely many sums y_j can take stays the same (but for exceptional x), hence so does the law
 *     of the winner, while W'x moves unless all active rows are proportional.
 * As all c_a -> 0 at the same rate, at most one synapse transmits per draw, and the winners of any
 * combination approach the equal-weight mixture of the active rows' distributions: the activities
 * no longer matter, and (1-c)^k of the draws are empty. */
#include "ves_multi.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

ves_status ves_multi_mixture(const double *w, const double *x, size_t k, size_t n, double *p) {
  if (k == 0 || n == 0) return VES_ESIZE;
  double total = 0.0;
  for (size_t j = 0; j < n; j++) {
    if (ves_stopping()) return VES_ESTOPPED;
    p[j] = 0.0;
    for (size_t a = 0; a < k; a++) {
      if (!(w[a * n + j] >= 0.0) || !(x[a] >= 0.0)) return VES_EDOMAIN;
      p[j] += x[a] * w[a * n + j];
    }
    total += p[j];
  }
  if (!(total > 0.0) || !isfinite(total)) return VES_EDOMAIN;
  for (size_t j = 0; j < n; j++) p[j] /= total;
  return VES_OK;
}

/* ---- Appendix C ---- */

/* P(y_i > y_j) if both were normal; without variance, the sign of the difference decides. */
static double beats(const double *e, const double *q, size_t k, size_t n, size_t i, size_t j) {
  double difference = 0.0, variance = 0.0;
  for (size_t a = 0; a < k; a++) {
    const double ei = e[a * n + i], ej = e[a * n + j], qi = q[a * n + i], qj = q[a * n + j];
    difference += ei * qi - ej * qj;
    variance += ei * ei * qi * (1.0 - qi) + ej * ej * qj * (1.0 - qj);
  }
  if (difference == 0.0) return 0.5;
  if (variance > 0.0) return gsl_cdf_ugaussian_P(difference / sqrt(variance));
  return difference > 0.0 ? 1.0 : 0.0;
}

static bool synapses_valid(const double *e, const double *q, size_t count) {
  for (size_t s = 0; s < count; s++)
    if (!(e[s] >= 0.0) || !isfinite(e[s]) || !(q[s] >= 0.0 && q[s] <= 1.0)) return false;
  return true;
}

ves_status ves_multi_normal_fixed(const double *e, const double *q, size_t k, size_t n, double *p,
                                  size_t *strongest) {
  if (k == 0 || n == 0) return VES_ESIZE;
  if (!synapses_valid(e, q, k * n)) return VES_EDOMAIN;
  size_t top = 0;
  double top_mean = -1.0;
  for (size_t j = 0; j < n; j++) {
    double mean = 0.0;
    for (size_t a = 0; a < k; a++) mean += e[a * n + j] * q[a * n + j];
    if (mean > top_mean) {
      top = j;
      top_mean = mean;
    }
  }
  for (size_t i = 0; i < n; i++) p[i] = beats(e, q, k, n, i, top);
  if (strongest != NULL) *strongest = top;
  return VES_OK;
}

ves_status ves_multi_normal_min(const double *e, const double *q, size_t k, size_t n, double *p) {
  if (k == 0 || n == 0) return VES_ESIZE;
  if (!synapses_valid(e, q, k * n)) return VES_EDOMAIN;
  for (size_t i = 0; i < n; i++) {
    if (ves_stopping()) return VES_ESTOPPED;
    p[i] = 1.0;
    for (size_t j = 0; j < n; j++)
      if (j != i) p[i] = fmin(p[i], beats(e, q, k, n, i, j));
  }
  return VES_OK;
}

/* ---- one input, empty draws repeated ---- */

ves_status ves_multi_redraw_family(const double *w, size_t n, double c, double *q) {
  if (n == 0) return VES_ESIZE;
  if (!(c > 0.0 && c <= 1.0)) return VES_EDOMAIN;
  double total = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (!(w[i] >= 0.0)) return VES_EDOMAIN;
    total += w[i];
  }
  if (!(total > 0.0) || !isfinite(total)) return VES_EDOMAIN;
  size_t *order = malloc(n * sizeof *order);
  if (order == NULL) return VES_ENOMEM;
  if (!ves_order_finish(w, n, order)) {
    free(order);
    return VES_ESTOPPED;
  }
  /* 1 - c (stronger p) = (1 - c) + c (this and weaker p): summed from the weakest up, nothing
   * cancels, and c = 1 gives the mapping */
  double weaker = 0.0;
  for (size_t r = n; r-- > 0;) {
    const size_t i = order[r];
    if (r % VES_BLOCK == VES_BLOCK - 1 && ves_stopping()) break;
    weaker += w[i];
    q[i] = w[i] > 0.0 ? c * w[i] / ((1.0 - c) * total + c * weaker) : 0.0;
  }
  free(order);
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}
