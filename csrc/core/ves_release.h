/* ves_release: release (transmission) probabilities from weights and from evidence. */
#ifndef VES_RELEASE_H
#define VES_RELEASE_H

#include "ves_status.h"
#include <stddef.h>

/* q_i = w_i / (w_i + everything weaker), so that the winner is i with probability w_i / sum(w).
 * Weights of zero release with probability 0; the weakest positive weight always releases. `order`
 * is scratch of n. When it is stopped (ves_stop) and n is large, q is unfinished. [eq:mapping] */
void ves_release_analytic(const double *w, size_t n, size_t *order, double *q);

typedef enum { VES_PHI_EXACT, VES_PHI_PRINTED } ves_phi_root;

/* The release probability that gives weight A/(A+B), divided by it, the variance of Beta(A,B), and
 * its complement to full precision. A > 0, B >= 0. Differs from [eq:beta2dropoutvar]: the exact
 * root C/(C+B) solves the variance equation above it; VES_PHI_PRINTED is the root as printed.
 * [eq:beta2dropoutvar] */
void ves_release_epistemic(double a, double b, ves_phi_root root, double *phi, double *complement);

/* Qbar = Phi . Q, elementwise. [eq:combined] */
void ves_release_combine(const double *phi, const double *q, size_t count, double *qbar);

typedef enum {
  VES_DIVIDE_NONE,
  VES_DIVIDE_SUM,
  VES_DIVIDE_COUNT,
  VES_DIVIDE_PARTICIPATION
} ves_normaliser;

/* By how much the releases of active inputs are divided when the input activity is x: an input is
 * active if x_i > active. sum x, their number, or (sum x)^2 / sum x^2, over the active ones, never
 * below 1. [eq:normaliser] */
double ves_release_divisor(const double *x, size_t m, ves_normaliser kind, double active);

#endif
