/* ves_equilibrium: where local learning settles, solved without simulating it. */
#ifndef VES_EQUILIBRIUM_H
#define VES_EQUILIBRIUM_H

#include "ves_learn.h"
#include "ves_status.h"
#include <stddef.h>

typedef struct {
  ves_rule rule;         /* any but VES_RULE_CUSTOM */
  double psi;            /* VES_RULE_POWER, > 0 */
  double subtract;       /* VES_RULE_SUBTRACT: c */
  double floor, ceiling; /* bounds of q, 0 <= floor <= ceiling <= 1 */
  double start;          /* q of the synapses that never learn: those of weight zero; in [0, 1] */
} ves_equilibrium_options;

/* Power 8, c = 0.35, q in [1e-4, 1], start 0.3: the defaults of the simulations. */
ves_equilibrium_options ves_equilibrium_defaults(void);

/* q[i]: the fixed point of the mean learning dynamics of n weights, weakest first, each clipped
 * into [floor, ceiling] before the stronger ones use it. In the rules, n counts all synapses of
 * the vector, also those of weight zero, and ranks go by descending weight, the lower index first
 * among equals. E[q_j] of the expected rule is over all weaker synapses, those of weight zero with
 * their start, as the learner has it. Each expectation has a relative error below 1e-12.
 * VES_EDOMAIN also for exponents above 1e6 (n is one, in the last three rules) and for a positive
 * weight below 1e-290 of their sum; VES_ENOMEM; VES_ECONVERGE. [app:equilibrium] */
ves_status ves_equilibrium_solve(const double *w, size_t n, const ves_equilibrium_options *opt,
                                 double *q);

#endif
