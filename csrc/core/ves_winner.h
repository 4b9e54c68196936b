/* ves_winner: the exact distribution of the winner of a draw, no Monte Carlo. */
#ifndef VES_WINNER_H
#define VES_WINNER_H

#include "ves_status.h"
#include <stddef.h>

/* An output can take 2^k values, so the number of inputs active together is bounded. */
#define VES_WINNER_INPUTS_MAX 6

/* One input: p[i] = P(win = i) = q_i times the probability that every stronger synapse fails; the
 * lower index is the stronger of two equal weights, a weight of zero never wins. *nothing is the
 * probability that no synapse of positive weight transmits (nothing may be NULL). w and q have n
 * entries, n > 0. VES_EDOMAIN if a weight is negative or not finite or a q lies outside [0, 1];
 * VES_ENOMEM. [eq:winner] */
ves_status ves_winner_single(const double *w, const double *q, size_t n, double *p,
                             double *nothing);

/* The same for `states` vectors of releases, the rows of q, with the same weights, which are sorted
 * once; p has as many rows, nothing as many entries. */
ves_status ves_winner_states(const double *w, const double *q, size_t states, size_t n, double *p,
                             double *nothing);

typedef struct ves_winner_workspace ves_winner_workspace;

/* Scratch for exactly k active inputs and n outputs; NULL when out of memory, or when k or n is 0
 * or k > VES_WINNER_INPUTS_MAX. */
ves_winner_workspace *ves_winner_workspace_alloc(size_t k, size_t n);
void ves_winner_workspace_free(ves_winner_workspace *work);

/* k active inputs: e[a*n+j] = x_a w_aj >= 0 is the effective weight from active input a, in
 * ascending order of inputs, and q[a*n+j] its release. Output j receives y_j, the sum of the
 * transmitting e[.*n+j], added to 0.0 in ascending order of inputs as the sampler adds them, so
 * that both see the same ties. p[j] = P(y_j is the largest and positive, the lower index winning
 * ties); *nothing = P(all y = 0) (nothing may be NULL). VES_ESIZE if work was made for another k
 * or n; VES_EDOMAIN as above. [eq:winner-multi] */
ves_status ves_winner_multi(const double *e, const double *q, size_t k, size_t n, double *p,
                            double *nothing, ves_winner_workspace *work);

/* The two halves of ves_winner_multi, for many q on the same e: prepare sorts the values once
 * (work keeps no pointer to e), evaluate then costs a sweep. [eq:winner-multi] */
ves_status ves_winner_prepare(ves_winner_workspace *work, const double *e);
ves_status ves_winner_evaluate(ves_winner_workspace *work, const double *q, double *p,
                               double *nothing);

#endif
