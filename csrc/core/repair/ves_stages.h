/* ves_stages: two stages with releases that are given, or learned from the draws. [eq:two-stage] */
#ifndef VES_STAGES_H
#define VES_STAGES_H

#include "ves_amplitude.h"
#include "ves_evidence.h"
#include "ves_product.h"
#include "ves_status.h"
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

/* What a network that learns while it samples knows: amplitudes and numbers of updates, k x n for
 * rows, k for the inputs of one pattern. */
typedef struct {
  double *row, *row_updates;
  double *input, *input_updates;
} ves_stages_state;

/* What is not learned yet, 0 in the state, starts where a release of 0.3 puts it: w / 0.3, and for
 * inputs x times the largest amplitude of their row over 0.3. */
void ves_stages_start(const double *w, const double *x, size_t k, size_t n,
                      ves_stages_state *state);

/* Draws first .. first+draws-1 in two stages with releases w / a, and in each draw the winner of
 * each stage learns by Algorithm 1 of the amplitude rule, from what it saw and nothing else. Input
 * a competes with x_a times the largest amplitude of its row. opt gives order and step; iterations
 * count from the stream's draw 0, for decay. Weights may differ from call to call: an amplitude
 * below its weight is raised to it. winner[d] as ves_stages_draw. VES_EDOMAIN if nothing is
 * positive. [eq:two-stage] [eq:amplitude] */
ves_status ves_stages_learn(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, uint64_t key,
                            uint64_t first, size_t draws, ves_stages_state *state,
                            uint32_t *winner);

/* Rows of data (x[0][t], x[1][t], ..., ys[t]) arrive one by one. Each is observed as by
 * ves_product_observe; then the inputs that it activates above `active` make draws
 * first + t draws, ... as by ves_stages_learn, with the means of the weights as they are now. Inputs'
 * own amplitudes start anew with each row of data. amplitude and updates, m x n, are what the
 * network knows before and after; zeros are nothing. winner has room for rows x draws; a row of data
 * that activates no input is observed, and all its draws are empty. If it was stopped
 * (VES_ESTOPPED), the rows before have been taken. [eq:two-stage] [eq:amplitude] [eq:evidence] */
ves_status ves_stages_arrive(ves_evidence *ev, const ves_product *input, const ves_code *output,
                             const double *const *x, const double *ys, size_t rows, double active,
                             const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                             size_t draws, double *amplitude, double *updates, uint32_t *winner);

#endif
