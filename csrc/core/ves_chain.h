/* ves_chain: layers on layers. What wins in one layer, or all that is active in it, is the input of
 * the next. [eq:chain] */
#ifndef VES_CHAIN_H
#define VES_CHAIN_H

#include "ves_evidence.h"
#include "ves_release.h"
#include "ves_sample.h"
#include "ves_status.h"
#include <stdbool.h>
#include <stdint.h>

/* How a layer draws, as network:sample has it. */
typedef struct {
  bool stages; /* inputs compete first [eq:two-stage] */
  ves_normaliser normaliser;
  double active; /* inputs above it take part */
  ves_empty empty;
} ves_layer_options;

/* One network of a chain. Rows of weights and releases are found when they are first needed. */
typedef struct ves_layer ves_layer;

/* release is m x n, or NULL for the mapping of each row's weights; neither it nor ev is copied. NULL
 * when out of memory. */
ves_layer *ves_layer_alloc(const ves_evidence *ev, const double *release,
                           const ves_layer_options *opt);
void ves_layer_free(ves_layer *layer);

/* Prepares draws from one pattern, k active inputs with activities x. VES_ENOMEM; VES_ESILENT if
 * nothing of it can ever transmit. */
ves_status ves_layer_open(ves_layer *layer, const uint32_t *input, const double *x, size_t k);

/* One attempt at a draw from the pattern the layer was opened with; y gets the n activities. Returns
 * 1 + the winner, 0 if nothing transmitted. The bits are those of network:sample. */
uint32_t ves_layer_draw(ves_layer *layer, uint64_t key, uint64_t draw, double *y);

/* The same with input i alone active, at 1. VES_ENOMEM. */
ves_status ves_layer_draw_row(ves_layer *layer, size_t i, uint64_t key, uint64_t draw, double *y,
                              uint32_t *winner);

/* The same from any activity x of all m inputs, which may differ from draw to draw: it is scaled so
 * that its largest is 1. */
ves_status ves_layer_draw_from(ves_layer *layer, const double *x, uint64_t key, uint64_t draw,
                               double *y, uint32_t *winner);

/* What a chain passes on. */
typedef enum { VES_PASS_WINNER, VES_PASS_ACTIVITY } ves_pass;

/* One draw through all layers, the first of which is open; layer l draws from the stream key[l], and
 * an empty draw of it is repeated there (VES_EMPTY_REDRAW) or ends the pass (VES_EMPTY_SKIP).
 * winner[l] is 1 + what won in layer l, 0 from where the pass ended; y[l], n of layer l, the
 * activity there. *attempts is increased by all attempts. VES_ESILENT if a draw stays empty. */
ves_status ves_chain_draw(ves_layer *const *layer, size_t layers, ves_pass pass,
                          const uint64_t *key, uint64_t draw, double *const *y, uint32_t *winner,
                          uint64_t *attempts);

/* The exact law of the winner of the pattern the layer was opened with: p has n entries and sums to
 * 1, or with VES_EMPTY_SKIP to the chance that something transmits. In one stage there are at most
 * VES_WINNER_INPUTS_MAX active inputs (VES_ESIZE). */
ves_status ves_layer_exact(ves_layer *layer, double *p);

/* The exact law one layer up: to = from P, P the laws of the rows. [eq:chain] */
ves_status ves_layer_exact_pass(ves_layer *layer, const double *from, double *to);

#endif
