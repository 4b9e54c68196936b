/* ves_sites: synapses with several release sites, and masks that are held. [eq:sites] */
#ifndef VES_SITES_H
#define VES_SITES_H

#include "ves_status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VES_SITES_MAX 65536

/* The release of each of N sites that gives weight A/(A+B) the variance of Beta(A, B), and its
 * complement to full precision: 1 / (1 + N t), t = B / (A (A + B + 1)). A > 0, B >= 0, N >= 1; one
 * site is VES_PHI_EXACT of ves_release_epistemic. [eq:sites] */
void ves_release_epistemic_sites(double a, double b, size_t sites, double *phi, double *complement);

/* Central moments of what a synapse of weight w transmits when each of N sites sends w / (N phi)
 * with probability phi: the variance and the third. [eq:sites-moments] */
void ves_sites_moments(double w, double phi, size_t sites, double *variance, double *third);

/* A sampler in which each synapse of k active inputs has N sites. Which of them are open is one
 * kind of randomness (what the network does not know), whether the synapse releases at all is the
 * other (what the world does not fix). */
typedef struct ves_sites ves_sites;

/* k active inputs, n outputs; effective (x_i w_ij), phi (of each site, in (0, 1]) and release are k
 * x n; input[a] addresses the random bits. Copies what it is given; NULL when out of memory, or
 * for no outputs, no sites, or more than VES_SITES_MAX of them. */
ves_sites *ves_sites_alloc(const double *effective, const double *phi, const double *release,
                           const uint32_t *input, size_t k, size_t n, size_t sites);
void ves_sites_free(ves_sites *s);

/* Draws how many sites of each synapse are open and keeps that until the next call: synapse (i, j)
 * owns byte j, and its refinement, of row input[i] of draw `draw` of the key's substream "sites".
 * Returns whether anything can transmit now. [eq:sites] */
bool ves_sites_open(ves_sites *s, uint64_t key, uint64_t draw);

/* One draw with the sites as they are: a synapse transmits with its release (byte j of row input[i]
 * of the key's substream "release") the share of its open sites, open / (N phi) of its effective
 * weight. y gets n activities; returns 1 + the index of the largest, the lower one on ties, 0 if
 * nothing was transmitted. [eq:sites] [eq:subset-max] */
uint32_t ves_sites_draw(ves_sites *s, uint64_t key, uint64_t draw, double *y);

/* The same with only active input a transmitting. */
uint32_t ves_sites_draw_row(ves_sites *s, size_t a, uint64_t key, uint64_t draw, double *y);

/* The exact distribution of the winner of one input whose n synapses have sites: synapse j releases
 * with q_j and then sends w_j k / (N phi_j), k of its N sites being open; of equal amounts the first
 * output's wins. Synapse `always` - 1, if that is not 0, sends w in every draw. p gets n
 * probabilities, *nothing that of an empty draw. What is sent with less than 1e-13 is left out.
 * VES_ENOMEM, or VES_ESTOPPED. [eq:winner] [eq:sites] */
ves_status ves_sites_winner(const double *w, const double *q, const double *phi, size_t n,
                            size_t sites, size_t always, double *p, double *nothing);

/* Variance within and between `bouts` of `each` >= 2 values, lying one bout after the other:
 * unbiased for E Var(value | bout) and Var E(value | bout); the second may come out negative.
 * VES_ESIZE for fewer than two bouts or values. [eq:held] */
ves_status ves_sites_components(const double *value, size_t bouts, size_t each, double *within,
                                double *between);

#endif
