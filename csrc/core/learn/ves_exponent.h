/* ves_exponent: which constant exponent suits n equal weights (the original's Appendix B). */
#ifndef VES_EXPONENT_H
#define VES_EXPONENT_H

#include "ves_status.h"
#include <stddef.h>

/* The squared error over ranks: integrated over a continuous rank as printed, or summed over the
 * integer ranks. */
typedef enum { VES_EXPONENT_INTEGRAL, VES_EXPONENT_SUM } ves_exponent_form;

/* epsilon(psi) for n >= 2 equal weights over the strongest top * n ranks, 0 < top <= 1 (the
 * integral from rank 1 to top * n > 1; the sum over ranks 1 to floor(top * n) >= 1). psi >= 0.
 * VES_EDOMAIN, VES_ENOMEM, VES_ECONVERGE (quadrature). [app:exponent-error] */
ves_status ves_exponent_error(size_t n, double psi, double top, ves_exponent_form form,
                              double *error);

/* The psi > 0 that minimises epsilon, and epsilon there (error may be NULL).
 * [app:exponent-optimal] */
ves_status ves_exponent_optimal(size_t n, double top, ves_exponent_form form, double *psi,
                                double *error);

/* q[i-1], i = 1..n: the root of (1/((n-i) q + 1))^psi = q, where the learning rule with a constant
 * exponent would settle if the subset had the approximate size (n-i) q + 1. psi >= 0, n >= 1.
 * [app:exponent-equilibrium] */
ves_status ves_exponent_equilibrium(size_t n, double psi, double *q);

/* Expected size of the subset whose strongest member is rank i (1-based, q in rank order): exact
 * 1 + sum over j > i of q_j, and the original's (n-i) q_i + 1. Either output may be NULL.
 * Differs from [app:subset-size] as printed: the two agree only when the weaker releases average
 * q_i. [app:subset-size] */
ves_status ves_exponent_subset_size(const double *q, size_t n, size_t i, double *exact,
                                    double *printed);

#endif
