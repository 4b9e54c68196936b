/* ves_follow: learning while weights change. */
#ifndef VES_FOLLOW_H
#define VES_FOLLOW_H

#include "ves_amplitude.h"
#include "ves_learn.h"
#include "ves_status.h"
#include <stddef.h>
#include <stdint.h>

/* What learns: a rule of the original, or the amplitude rule; the other is NULL. Iterations are those
 * with each vector of weights. Traces, targets and winners are not kept; a rate that falls with the
 * iterations (decay) begins anew with each vector. */
typedef struct {
  const ves_learn_options *rule;
  const ves_amplitude_options *amplitude;
} ves_follow_rule;

/* `runs` runs side by side learn from `blocks` vectors of n weights, one after the other: w. Run i
 * draws as row i of ves_learn_rows or ves_amplitude_rows, from draw `first` on. What a synapse keeps
 * when its weight changes is its release under a rule of the original, its amplitude under the
 * amplitude rule: its release is then w / a, and 1 where the weight has outgrown the amplitude; one
 * that has no weight for a while keeps its amplitude.
 *
 * q, runs x n, holds releases before and after; those before belong to the weights `from`, n of
 * them, as far as amplitudes are concerned. Numbers of updates go on from vector to vector, from and
 * to rule.amplitude->updates, runs x n, or from 0 if that is NULL. If every > 0, the q of all runs
 * after each every-th vector are written to kept, which has room for blocks / every x runs x n. */
ves_status ves_follow(const double *w, size_t blocks, size_t n, size_t runs, const double *from,
                      ves_follow_rule rule, uint64_t key, uint64_t first, ves_learn_workspace *ws,
                      double *q, size_t every, double *kept);

#endif
