/* ves_stages: two stages with releases that are given, or learned from the draws. [eq:two-stage] */
#ifndef VES_STAGES_H
#define VES_STAGES_H

#include "ves_amplitude.h"
#include "ves_evidence.h"
#include "ves_product.h"
#include "ves_status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A plan for sampling in two stages. */
typedef struct ves_stages ves_stages;

/* What a row's releases say of its sum: the largest amplitude w_j / q_j. At the mapping that is the
 * sum itself, also in any other order; 0 for a row that never transmits. [eq:row-amplitude] */
double ves_stages_strength(const double *w, const double *q, size_t n);

/* k active inputs compete with strength[a] > 0 and release first[a]; then the row of the one that
 * remains, w and q of it (both k x n), transmits alone. input[a] addresses the random bits of row
 * a. Copies what it is given; NULL when out of memory. */
ves_stages *ves_stages_alloc(const double *strength, const double *first, const double *w,
                             const double *q, const uint32_t *input, size_t k, size_t n);
void ves_stages_free(ves_stages *s);

/* One draw: 1 + the winning output, 0 if a stage stayed empty. The addresses are those of
 * ves_multi_two_stage. y, if given, gets the n activities of the second stage. [eq:two-stage] */
uint32_t ves_stages_draw(ves_stages *s, uint64_t key, uint64_t draw, double *y);

/* Its first stage alone: 1 + the input that remains, 0 if none does. */
uint32_t ves_stages_input(ves_stages *s, uint64_t key, uint64_t draw);

/* The substreams of a stream from which the stages draw. */
uint64_t ves_stages_inputs_key(uint64_t key);
uint64_t ves_stages_outputs_key(uint64_t key);

/* What a network that learns while it samples knows. Of k x n synapses: amplitudes and numbers of
 * updates. Of k rows: what each sent on average, all together, when its turn came, and how often that
 * was. Of k inputs of one pattern: amplitudes and numbers of updates in the first stage. */
typedef struct {
  double *row, *row_updates;
  double *strength, *turns;
  double *input, *input_updates;
} ves_stages_state;

/* What is not learned yet, 0 in the state, starts where a release of 0.3 puts it: w / 0.3, and for
 * inputs x times the strength of their row over 0.3. Rows start with a strength of 1;
 * one without a weight has none, and takes no part. */
void ves_stages_start(const double *w, const double *x, size_t k, size_t n,
                      ves_stages_state *state);

/* Draws first .. first+draws-1 in two stages with releases w / a, and in each draw the winner of
 * each stage learns by Algorithm 1 of the amplitude rule, from what it saw and nothing else. Input
 * a competes with x_a times the strength of its row: the mean of what the row sent, the amplitudes
 * of those synapses that transmitted, over the draws in which it was left to transmit. That is the
 * sum of its weights on average in every state, and silent synapses have no part in it. opt gives
 * order and step, of strengths too; iterations count from the stream's draw 0, for decay. Weights
 * may differ from call to call: an amplitude below its weight is raised to it. winner[d] as
 * ves_stages_draw. VES_EDOMAIN if nothing is positive. [eq:two-stage] [eq:amplitude]
 * [eq:row-strength] */
ves_status ves_stages_learn(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, uint64_t key,
                            uint64_t first, size_t draws, ves_stages_state *state,
                            uint32_t *winner);

/* How rows of data are learned from, beside the draws. */
typedef struct {
  double active; /* inputs above it take part */
  bool follow;   /* amplitudes follow the data before the draws: ves_stages_follow */
  size_t
      levels; /* an input keeps its release of the first stage for each of so many equal ranges of
                    its activity; 0: it is learned anew with each row of data */
} ves_stages_arrival;

/* Rows of data (x[0][t], x[1][t], ..., ys[t]) arrive one by one. Each is observed as by
 * ves_product_observe; then the inputs that it activates make draws first + t draws, ... as by
 * ves_stages_learn, with the means of the weights as they are now. `known` is what the network knows
 * before and after; zeros are nothing. Its first four parts are of all m inputs, input and
 * input_updates m x levels: there an input's amplitude is in units of its activity times its row's
 * strength, the inverse of its release. winner has room for rows x draws; a row of data that
 * activates no input is observed, and all its draws are empty. If it was stopped (VES_ESTOPPED), the
 * rows before have been taken. [eq:two-stage] [eq:amplitude] [eq:evidence] */
ves_status ves_stages_arrive(ves_evidence *ev, const ves_product *input, const ves_code *output,
                             const double *const *x, const double *ys, size_t rows,
                             const ves_stages_arrival *how, const ves_amplitude_options *opt,
                             uint64_t key, uint64_t first, size_t draws, ves_stages_state *known,
                             uint32_t *winner);

/* A row's amplitudes a and its strength follow a row of data. n_before and n_after are the synapses'
 * evidence A + B, w_before and w_after their weights; a synapse keeps the share n_before / n_after of
 * its weight, and the row of its strength; what a synapse has beyond that is its gain. Only synapses
 * from..from+count-1 gained. An amplitude keeps that share too, and adds the synapse's own gain and
 * those of all that are weaker, by amplitude: what was at rest is then at rest again. `old` is room
 * for n. [eq:amplitude-follow] */
void ves_stages_follow(const double *n_before, const double *n_after, const double *w_before,
                       const double *w_after, size_t n, size_t from, size_t count, double *a,
                       double *strength, double *old);

#endif
