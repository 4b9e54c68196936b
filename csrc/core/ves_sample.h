/* ves_sample: synaptic failure followed by lateral inhibition. */
#ifndef VES_SAMPLE_H
#define VES_SAMPLE_H

#include "ves_status.h"
#include <stddef.h>
#include <stdint.h>

/* A sampler is a plan for one input pattern: the effective weights x_i w_ij of its k active inputs
 * and their release probabilities, laid out in the order in which outputs can win. */
typedef struct ves_sampler ves_sampler;

/* k active inputs, n outputs. effective and release are k x n, active inputs in ascending order;
 * input[a] is the index of active input a among all inputs: it addresses the random bits. Copies
 * what it is given; NULL when out of memory. */
ves_sampler *ves_sampler_alloc(const double *effective, const double *release,
                               const uint32_t *input, size_t k, size_t n);
void ves_sampler_free(ves_sampler *s);

/* Winners of draws first .. first+draws-1 of stream key: 0 if nothing transmitted, else 1 + the
 * index of the output with the largest sum of transmitting effective weights; the lower index on
 * ties. VES_ESTOPPED if it was stopped from outside. [eq:subset-max] [alg:sample] */
ves_status ves_sampler_winners(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner);

/* One draw, looked into: y[j] is the activity of each of n outputs before lateral inhibition, and
 * transmits, unless NULL, has k x n entries, 1 where the synapse transmitted and 0 where it failed.
 * A synapse without weight counts as failing. Returns the winner as above. [alg:sample] */
uint32_t ves_sampler_draw(ves_sampler *s, uint64_t key, uint64_t draw, double *transmits,
                          double *y);

/* What happens to a draw in which nothing transmits. */
typedef enum { VES_EMPTY_REDRAW, VES_EMPTY_SKIP } ves_empty;

/* At most this many attempts are made at one draw. */
#define VES_ATTEMPTS_MAX 1000000u

/* The key under which attempt a = 1, 2, ... repeats an empty draw of stream key. */
uint64_t ves_sampler_redraw_key(uint64_t key, uint32_t attempt);

/* Winners as ves_sampler_winners, empty draws repeated at the same draw index under
 * ves_sampler_redraw_key until something transmits. *attempts counts all attempts, so attempts -
 * draws of them were empty. VES_ESILENT if a draw stays empty. [eq:redraw] */
ves_status ves_sampler_redraw(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner, uint64_t *attempts);

#endif
