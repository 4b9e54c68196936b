/* ves_amplitude_pooled: one release matrix learned for several combinations of active inputs, by the
 * amplitude rule.
 *
 * As in ves_learn_pooled.c the synapses of a combination compete with their effective weights v =
 * x_i w_ij, and combinations take turns. A synapse has one release, and in each combination the
 * amplitude v / q that goes with it: what it learns in one is a ratio, 1/q moving toward target /
 * v, and so is told to the others. Where it belongs to several, 1/q rests at the mean of what they
 * ask for. Its updates are counted over all of them. */
#include "ves_amplitude_private.h"
#include "ves_pools_private.h"
#include "ves_stop.h"
#include <stdlib.h>

static void pool_set(ves_pool *one, size_t r, double q) {
  const double w = one->weight[r];
  one->state[r] = ves_amplitude_of(w, q);
  ves_thresholds_set(&one->tries, r, ves_amplitude_release(w, one->state[r]));
}

/* One turn of one presentation: its synapses learn, and tell what they learned. updates[s] are
 * those of synapse s. */
static void present(ves_pools *all, size_t p, const ves_amplitude_options *opt, uint64_t t,
                    uint64_t key, uint64_t draw, ves_learn_workspace *ws, double *q,
                    double *updates) {
  const ves_pool *one = &all->each[p];
  ves_learn_workspace here = ves_pool_workspace(ws, one);
  here.updates = updates;
  size_t from = 0, to = 0;
  ves_amplitude_iterate(&here, one->synapse, one->count, opt, t, key, draw, 0, &from, &to);
  for (size_t c = from; c < to; c++) {
    const size_t r = ws->member[c], s = one->synapse[r];
    q[s] = ves_amplitude_release(one->weight[r], one->state[r]);
    ves_pools_tell(all, one->first + r, q[s], pool_set);
  }
}

ves_status ves_amplitude_pooled(const ves_presentation *shown, size_t presentations,
                                const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                                ves_learn_workspace *ws, double *q, size_t total) {
  ves_pools all;
  ves_status status = ves_pools_fill(&all, shown, presentations, q, total, pool_set, ws);
  double *counted = opt->updates == NULL ? calloc(total + 1, sizeof *counted) : NULL;
  double *updates = opt->updates != NULL ? opt->updates : counted;
  if (status == VES_OK && updates == NULL) status = VES_ENOMEM;
  uint64_t draw = first;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++)
    for (size_t p = 0; p < presentations && status == VES_OK; p++)
      if (ves_stopping())
        status = VES_ESTOPPED;
      else
        present(&all, p, opt, t, key, draw++, ws, q, updates);
  free(counted);
  ves_pools_free(&all);
  return status;
}
