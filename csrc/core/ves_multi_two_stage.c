/* ves_multi_two_stage: an exact sampler for any combination of inputs, at the price of one more
 * inhibitory stage. [eq:two-stage]
 *
 * Stage 1. Each active input a stands for the total it would send, x_a R_a, R_a being the sum of
 * its row. The inputs compete as outputs do: each transmits with the release that the mapping
 * [eq:mapping] assigns to x_a R_a among the others, and the strongest transmitting one silences the
 * rest. So input a remains with probability x_a R_a / sum of x_b R_b.
 *
 * Stage 2. Only the remaining input's row transmits, with its own single-input releases, and its
 * strongest transmitting output wins: output j with probability w_aj / R_a.
 *
 * Both stages have a synapse that always releases, so no draw is empty, and by the two lines above
 *
 *     P(win = j) = sum over a of (x_a R_a / sum of x_b R_b) (w_aj / R_a) = (W'x)_j / sum of (W'x).
 *
 * The releases of stage 2 are constants: they do not depend on x. Those of stage 1 do, through the
 * order and sizes of x_b R_b, but there is one per input, not one per synapse. */
#include "ves_multi.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_stop.h"
#include "ves_winner.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* strength[a] = x_a R_a; false if something is negative, not finite, or nothing is positive. When it
 * is stopped some are left. */
static bool input_strengths(const double *w, const double *x, size_t k, size_t n,
                            double *strength) {
  double total = 0.0;
  for (size_t a = 0; a < k && !ves_stopping(); a++) {
    double row = 0.0;
    if (!(x[a] >= 0.0)) return false;
    for (size_t j = 0; j < n; j++) {
      if (!(w[a * n + j] >= 0.0)) return false;
      row += w[a * n + j];
    }
    strength[a] = x[a] * row;
    total += strength[a];
  }
  return total > 0.0 && isfinite(total);
}

ves_status ves_multi_two_stage_exact(const double *w, const double *x, size_t k, size_t n,
                                     double *p) {
  if (k == 0 || n == 0) return VES_ESIZE;
  const size_t longer = k > n ? k : n;
  double *strength = calloc(k, sizeof *strength), *remains = calloc(k, sizeof *remains);
  double *q = calloc(longer, sizeof *q), *wins = calloc(n, sizeof *wins);
  size_t *order = calloc(longer, sizeof *order);
  ves_status status = VES_ENOMEM;
  if (strength != NULL && remains != NULL && q != NULL && wins != NULL && order != NULL) {
    const bool good = input_strengths(w, x, k, n, strength);
    status = ves_stopping() ? VES_ESTOPPED : VES_EDOMAIN;
    if (good && status != VES_ESTOPPED) {
      ves_release_analytic(strength, k, order, q);
      status = ves_winner_single(strength, q, k, remains, NULL);
      for (size_t j = 0; j < n; j++) p[j] = 0.0;
      for (size_t a = 0; a < k && status == VES_OK; a++) {
        ves_release_analytic(w + a * n, n, order, q);
        status = ves_winner_single(w + a * n, q, n, wins, NULL);
        for (size_t j = 0; j < n; j++) p[j] += remains[a] * wins[j];
      }
    }
  }
  free(strength);
  free(remains);
  free(q);
  free(wins);
  free(order);
  return status;
}

/* ---- sampling ---- */

struct ves_two_stage {
  size_t k;
  ves_sampler *inputs; /* stage 1 */
  ves_sampler **rows;  /* stage 2: k, NULL for a row that cannot win stage 1 */
};

void ves_two_stage_free(ves_two_stage *plan) {
  if (plan == NULL) return;
  ves_sampler_free(plan->inputs);
  for (size_t a = 0; plan->rows != NULL && a < plan->k; a++) ves_sampler_free(plan->rows[a]);
  free(plan->rows);
  free(plan);
}

/* A sampler of one vector of weights with its analytic release; q and order are scratch. */
static ves_sampler *single_sampler(const double *w, size_t n, uint32_t input, size_t *order,
                                   double *q) {
  ves_release_analytic(w, n, order, q);
  return ves_sampler_alloc(w, q, &input, 1, n);
}

static ves_status fill_plan(ves_two_stage *plan, const double *w, const double *x,
                            const uint32_t *input, size_t n, double *strength, double *q,
                            size_t *order) {
  if (!input_strengths(w, x, plan->k, n, strength))
    return ves_stopping() ? VES_ESTOPPED : VES_EDOMAIN;
  plan->inputs = single_sampler(strength, plan->k, 0, order, q);
  if (plan->inputs == NULL) return VES_ENOMEM;
  for (size_t a = 0; a < plan->k; a++) {
    if (ves_stopping()) return VES_ESTOPPED;
    if (!(strength[a] > 0.0)) continue;
    plan->rows[a] = single_sampler(w + a * n, n, input[a], order, q);
    if (plan->rows[a] == NULL) return VES_ENOMEM;
  }
  return VES_OK;
}

ves_status ves_two_stage_alloc(const double *w, const double *x, const uint32_t *input, size_t k,
                               size_t n, ves_two_stage **plan) {
  *plan = NULL;
  if (k == 0 || n == 0) return VES_ESIZE;
  const size_t longer = k > n ? k : n;
  double *strength = calloc(k, sizeof *strength), *q = calloc(longer, sizeof *q);
  size_t *order = calloc(longer, sizeof *order);
  ves_two_stage *made = calloc(1, sizeof *made);
  if (made != NULL) {
    made->k = k;
    made->rows = calloc(k, sizeof(ves_sampler *));
  }
  ves_status status = VES_ENOMEM;
  if (strength != NULL && q != NULL && order != NULL && made != NULL && made->rows != NULL)
    status = fill_plan(made, w, x, input, n, strength, q, order);
  free(strength);
  free(q);
  free(order);
  if (status == VES_OK)
    *plan = made;
  else
    ves_two_stage_free(made);
  return status;
}

ves_status ves_multi_two_stage(ves_two_stage *plan, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner, uint32_t *via) {
  const uint64_t input_key = ves_key_string(key, "inputs", 6);
  const uint64_t output_key = ves_key_string(key, "outputs", 7);
  /* stage 1 leaves its winners where stage 2 will put the outputs */
  ves_status status = ves_sampler_winners(plan->inputs, input_key, first, draws, winner);
  for (size_t d = 0; d < draws && status == VES_OK; d++) {
    const uint32_t a = winner[d] - 1;
    if (via != NULL) via[d] = a;
    status = ves_sampler_winners(plan->rows[a], output_key, first + d, 1, &winner[d]);
  }
  return status;
}
