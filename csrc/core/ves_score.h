/* ves_score: how well a sample, or a distribution, agrees with what it should be. */
#ifndef VES_SCORE_H
#define VES_SCORE_H

#include "ves_status.h"
#include <stddef.h>

/* Plain empirical CRPS of the sample's distribution function at y: mean |X - y| - (1/2) mean
 * |X - X'| over all n^2 pairs, O(n log n). scratch has n entries. n > 0. [eq:crps] */
ves_status ves_score_crps(const double *sample, size_t n, double y, double *scratch, double *crps);

/* Mid-rank probability integral transform: (number below y + half the number equal to y) / n.
 * [eq:pit] */
ves_status ves_score_pit(const double *sample, size_t n, double y, double *pit);

/* Whether y lies in the sample's central interval of probability `level` in (0, 1), bounds
 * included: *covered is 1 or 0, [*lower, *upper] the interval between the (1-level)/2 and
 * (1+level)/2 quantiles (linear interpolation between order statistics, as GSL's). lower and upper
 * may be NULL; scratch has n entries. [eq:coverage] */
ves_status ves_score_coverage(const double *sample, size_t n, double y, double level,
                              double *scratch, int *covered, double *lower, double *upper);

/* (1/2) sum |p_i - q_i|. [eq:total-variation] */
ves_status ves_score_total_variation(const double *p, const double *q, size_t n, double *tv);

/* KL(p || q) = sum p_i log(p_i / q_i) in nats; terms with p_i = 0 are 0, one with p_i > 0 = q_i
 * makes it +infinity. p and q are distributions: they are not normalised here. [eq:kl] */
ves_status ves_score_kl(const double *p, const double *q, size_t n, double *kl);

#endif
