/* ves_learn_pooled: one release matrix learned for several combinations of active inputs.
 *
 * While a combination is presented, the synapses of all its active inputs compete with their
 * effective weights x_i w_ij, and each that transmits learns as in ves_learn.c, with
 *
 *     g = x_i w_ij / its sum over the subset.                                         [eq:pooled]
 *
 * Combinations take turns. */
#include "ves_pools_private.h"
#include "ves_stop.h"

static void pool_set(ves_pool *one, size_t r, double q) {
  one->state[r] = q;
  ves_thresholds_set(&one->tries, r, one->weight[r] > 0 ? q : 0.0);
}

/* One turn of one presentation: its synapses learn, and tell what they learned. */
static ves_status present(ves_pools *all, size_t p, const ves_learn_options *opt, double rate,
                          uint64_t key, uint64_t draw, ves_learn_workspace *ws, double *q) {
  const ves_pool *one = &all->each[p];
  ves_learn_workspace here = ves_pool_workspace(ws, one);
  size_t from = 0, to = 0;
  const ves_status status =
      ves_learn_iterate(&here, one->count, opt, rate, key, draw, 0, &from, &to);
  for (size_t c = from; status == VES_OK && c < to; c++) {
    const size_t r = ws->member[c];
    q[one->synapse[r]] = one->state[r];
    ves_pools_tell(all, one->first + r, one->state[r], pool_set);
  }
  return status;
}

ves_status ves_learn_pooled(const ves_presentation *shown, size_t presentations,
                            const ves_learn_options *opt, uint64_t key, uint64_t first,
                            ves_learn_workspace *ws, double *q, size_t total) {
  ves_pools all;
  ves_status status = ves_pools_fill(&all, shown, presentations, q, total, pool_set, ws);
  uint64_t draw = first;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++)
    for (size_t p = 0; p < presentations && status == VES_OK; p++)
      status = ves_stopping() ? VES_ESTOPPED
                              : present(&all, p, opt, ves_learn_rate(opt, t), key, draw++, ws, q);
  ves_pools_free(&all);
  return status;
}
