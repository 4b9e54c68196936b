/* ves_amplitude_theory: what is known of the amplitude rule without running it. */
#ifndef VES_AMPLITUDE_THEORY_H
#define VES_AMPLITUDE_THEORY_H

#include "ves_status.h"
#include <stddef.h>

/* Mean and variance of each synapse's target given that it learns, when the amplitudes are a: mean
 * S_i whatever a is, variance the sum of w_j (a_j - w_j) over weaker synapses. With a = NULL, at
 * rest: a_j = S_j. Competition by weight; `order` is scratch of n. [eq:amplitude-unbiased]
 * [eq:amplitude-variance] */
void ves_amplitude_moments(const double *w, const double *a, size_t n, size_t *order, double *mean,
                           double *variance);

/* A bound on the total variation between the winner's distribution at releases q and w / sum(w):
 * the mean of |q_i S_i / w_i - 1| over the latter. `order` is scratch of n. [eq:amplitude-distance]
 */
double ves_amplitude_distance(const double *w, const double *q, size_t n, size_t *order);

/* c such that with step 1/k the bound above is c / sqrt(T) on average after T iterations of
 * Algorithm 1 or 2, as T grows; at most sqrt(n / pi). VES_ENOMEM when out of memory.
 * [eq:amplitude-rate] */
ves_status ves_amplitude_rate(const double *w, size_t n, int algorithm, double *rate);

/* How often each output wins on average in T draws that Algorithm 1 learns from at a constant rate,
 * when amplitudes go from a to, on average, b; *nothing, how often none does. It differs from w /
 * sum(w) by at most the sum of |b_i - a_i| / S_i, over rate T, in total variation. Weights > 0;
 * `order` is scratch of n. [eq:amplitude-sampling] */
void ves_amplitude_draws(const double *w, const double *a, const double *b, size_t n, double rate,
                         double draws, size_t *order, double *p, double *nothing);

#endif
