/* ves_chain: layers on layers.
 *
 * The winner of one layer is the single active input of the next, where its row transmits. If each
 * row releases by the mapping, row i of layer l draws output j with probability
 *
 *     P_ij = w_ij / (sum of row i),
 *
 * from random bits of its own: winners form a Markov chain, one pass draws from their joint law, and
 * what wins at the top has the law
 *
 *     p = pi P_2 ... P_L                                                            [eq:chain]
 *
 * with pi the law of what the first layer draws from its pattern. No layer computes a sum over what
 * the layer below might have drawn; that is what repeating the draw does.
 * For any other releases P has in row i the exact law of its winner [eq:winner].
 *
 * A layer may pass on all of its activity instead. The next layer then sees several inputs at once
 * and has to divide its releases among them or let them compete; what comes out is in general
 * another law. Activities are sums of weights, and the threshold of what counts as active is made
 * for activities near 1, so each pattern is scaled to a largest activity of 1 first.
 *
 * A pattern that is known before the draws, and a row, are drawn by the samplers that network:sample
 * uses, with its bits. Patterns that change from draw to draw are drawn as the definition has it,
 * synapse j of row i deciding by byte j of that row: nothing is laid out, nothing allocated. */
#include "ves_chain.h"
#include "ves_beta.h"
#include "ves_order.h"
#include "ves_rng.h"
#include "ves_stages.h"
#include "ves_winner.h"
#include <stdlib.h>
#include <string.h>

struct ves_layer {
  const ves_evidence *evidence;
  const double *release;
  ves_layer_options opt;
  size_t m, n;
  double *w, *q, *strength; /* of the rows that have been found: m x n, m x n, m */
  bool *found;
  ves_sampler **row; /* of the rows that have won below */
  /* the open pattern */
  size_t k;
  uint32_t *input;
  double *x;
  ves_sampler *one; /* either of these */
  ves_stages *two;
  /* room for a pattern and for a row */
  double *level, *a, *b;
  size_t *order;
  ves_thresholds inputs, outputs;
  uint64_t *mask;
};

static size_t longer(const ves_layer *layer) { return layer->m > layer->n ? layer->m : layer->n; }

ves_layer *ves_layer_alloc(const ves_evidence *ev, const double *release,
                           const ves_layer_options *opt) {
  ves_layer *layer = calloc(1, sizeof *layer);
  if (layer == NULL) return NULL;
  layer->evidence = ev;
  layer->release = release;
  layer->opt = *opt;
  const size_t m = layer->m = ev->m, n = layer->n = ev->n;
  layer->w = calloc(m * n, sizeof(double));
  layer->q = calloc(m * n, sizeof(double));
  layer->strength = calloc(m, sizeof(double));
  layer->found = calloc(m, sizeof(bool));
  layer->row = calloc(m, sizeof(ves_sampler *));
  layer->input = calloc(m, sizeof(uint32_t));
  layer->x = calloc(m, sizeof(double));
  layer->level = calloc(2 * longer(layer), sizeof(double));
  layer->a = calloc(n, sizeof(double));
  layer->b = calloc(n, sizeof(double));
  layer->order = calloc(longer(layer), sizeof(size_t));
  layer->mask = calloc(longer(layer) / 64 + 1, sizeof(uint64_t));
  if (ves_thresholds_alloc(&layer->inputs, m) && ves_thresholds_alloc(&layer->outputs, n) &&
      layer->w != NULL && layer->q != NULL && layer->strength != NULL && layer->found != NULL &&
      layer->row != NULL && layer->input != NULL && layer->x != NULL && layer->level != NULL &&
      layer->a != NULL && layer->b != NULL && layer->order != NULL && layer->mask != NULL)
    return layer;
  ves_layer_free(layer);
  return NULL;
}

void ves_layer_free(ves_layer *layer) {
  if (layer == NULL) return;
  for (size_t i = 0; layer->row != NULL && i < layer->m; i++) ves_sampler_free(layer->row[i]);
  ves_sampler_free(layer->one);
  ves_stages_free(layer->two);
  ves_thresholds_free(&layer->inputs);
  ves_thresholds_free(&layer->outputs);
  free(layer->w);
  free(layer->q);
  free(layer->strength);
  free(layer->found);
  free(layer->row);
  free(layer->input);
  free(layer->x);
  free(layer->level);
  free(layer->a);
  free(layer->b);
  free(layer->order);
  free(layer->mask);
  free(layer);
}

/* ---- rows ---- */

/* Finds the weights, the releases and the strength of input i. */
static void find_row(ves_layer *layer, size_t i) {
  if (layer->found[i]) return;
  const size_t n = layer->n, at = i * n;
  double *w = layer->w + at, *q = layer->q + at;
  ves_evidence_cells(layer->evidence, at, n, layer->a, layer->b);
  ves_beta_mean(layer->a, layer->b, n, w);
  if (layer->release != NULL)
    memcpy(q, layer->release + at, n * sizeof *q);
  else
    ves_release_analytic(w, n, layer->order, q);
  layer->strength[i] = ves_stages_strength(w, q, n);
  layer->found[i] = true;
}

/* Whether input i can make any output win. */
static bool speaks(const ves_layer *layer, size_t i) { return layer->strength[i] > 0; }

static ves_status row_alloc(ves_layer *layer, size_t i) {
  const uint32_t address = (uint32_t)i;
  find_row(layer, i);
  if (layer->row[i] == NULL)
    layer->row[i] =
        ves_sampler_alloc(layer->w + i * layer->n, layer->q + i * layer->n, &address, 1, layer->n);
  return layer->row[i] != NULL ? VES_OK : VES_ENOMEM;
}

ves_status ves_layer_draw_row(ves_layer *layer, size_t i, uint64_t key, uint64_t draw, double *y,
                              uint32_t *winner) {
  const ves_status status = row_alloc(layer, i);
  *winner = 0;
  if (status != VES_OK) return status;
  if (!speaks(layer, i) && layer->opt.empty == VES_EMPTY_REDRAW) return VES_ESILENT;
  if (layer->opt.stages) key = ves_stages_outputs_key(key); /* a single input always remains */
  *winner = ves_sampler_draw(layer->row[i], key, draw, NULL, y);
  return VES_OK;
}

/* ---- one pattern for all draws ---- */

/* Effective weights and divided releases of the open pattern, k x n each. */
static void lay_out(const ves_layer *layer, double *effective, double *chance) {
  const size_t n = layer->n;
  const double divisor =
      ves_release_divisor(layer->x, layer->k, layer->opt.normaliser, layer->opt.active);
  for (size_t a = 0; a < layer->k; a++)
    for (size_t j = 0; j < n; j++) {
      const size_t from = layer->input[a] * n + j;
      effective[a * n + j] = layer->w[from] * layer->x[a];
      chance[a * n + j] = layer->q[from] / divisor;
    }
}

/* Strengths of the open pattern's inputs, and their releases in the first of two stages. */
static void first_stage(ves_layer *layer, double *strength, double *release) {
  for (size_t a = 0; a < layer->k; a++)
    strength[a] = layer->x[a] * layer->strength[layer->input[a]];
  ves_release_analytic(strength, layer->k, layer->order, release);
}

static ves_status pattern_alloc(ves_layer *layer) {
  const size_t n = layer->n, synapses = layer->k * n;
  double *effective = malloc((2 * synapses + 1) * sizeof *effective);
  if (effective == NULL) return VES_ENOMEM;
  double *chance = effective + synapses;
  if (layer->opt.stages) {
    double *strength = layer->level, *release = strength + layer->k;
    first_stage(layer, strength, release);
    for (size_t a = 0; a < layer->k; a++) {
      memcpy(effective + a * n, layer->w + layer->input[a] * n, n * sizeof *effective);
      memcpy(chance + a * n, layer->q + layer->input[a] * n, n * sizeof *chance);
    }
    layer->two = ves_stages_alloc(strength, release, effective, chance, layer->input, layer->k, n);
  } else {
    lay_out(layer, effective, chance);
    layer->one = ves_sampler_alloc(effective, chance, layer->input, layer->k, n);
  }
  free(effective);
  return layer->one != NULL || layer->two != NULL ? VES_OK : VES_ENOMEM;
}

ves_status ves_layer_open(ves_layer *layer, const uint32_t *input, const double *x, size_t k) {
  bool any = false;
  ves_sampler_free(layer->one);
  ves_stages_free(layer->two);
  layer->one = NULL;
  layer->two = NULL;
  layer->k = k;
  for (size_t a = 0; a < k; a++) {
    layer->input[a] = input[a];
    layer->x[a] = x[a];
    find_row(layer, input[a]);
    any = any || speaks(layer, input[a]);
  }
  if (!any) return VES_ESILENT;
  return pattern_alloc(layer);
}

uint32_t ves_layer_draw(ves_layer *layer, uint64_t key, uint64_t draw, double *y) {
  if (layer->two != NULL) return ves_stages_draw(layer->two, key, draw, y);
  return ves_sampler_draw(layer->one, key, draw, NULL, y);
}

/* ---- a pattern for each draw ---- */

/* The active inputs of x, scaled. */
static void take_pattern(ves_layer *layer, const double *x) {
  double most = 0.0;
  for (size_t i = 0; i < layer->m; i++)
    if (x[i] > most) most = x[i];
  layer->k = 0;
  for (size_t i = 0; i < layer->m; i++) {
    if (!(x[i] > 0) || !(x[i] / most > layer->opt.active)) continue;
    layer->input[layer->k] = (uint32_t)i;
    layer->x[layer->k++] = x[i] / most;
    find_row(layer, i);
  }
}

/* The first of two stages: 1 + the position of the input that remains. The strongest that transmits
 * does, so that the synapses are laid out in that order. */
static uint32_t compete(ves_layer *layer, uint64_t key, uint64_t draw) {
  double *strength = layer->level, *release = strength + layer->k;
  first_stage(layer, strength, release);
  ves_order_descending(strength, layer->k, layer->order);
  for (size_t r = 0; r < layer->inputs.n; r++)
    ves_thresholds_set(&layer->inputs, r, r < layer->k ? release[layer->order[r]] : 0.0);
  ves_mask_draw(&layer->inputs, ves_stages_inputs_key(key), draw, 0, layer->mask);
  for (size_t r = 0; r < layer->k; r++)
    if (layer->mask[r / 64] >> (r % 64) & 1) return (uint32_t)layer->order[r] + 1;
  return 0;
}

/* One stage: all rows transmit, their releases divided. */
static uint32_t transmit(ves_layer *layer, uint64_t key, uint64_t draw, double *y) {
  const size_t n = layer->n;
  const double divisor =
      ves_release_divisor(layer->x, layer->k, layer->opt.normaliser, layer->opt.active);
  for (size_t j = 0; j < n; j++) y[j] = 0.0;
  for (size_t a = 0; a < layer->k; a++) {
    const double *w = layer->w + layer->input[a] * n, *q = layer->q + layer->input[a] * n;
    for (size_t j = 0; j < n; j++) ves_thresholds_set(&layer->outputs, j, q[j] / divisor);
    ves_mask_draw(&layer->outputs, key, draw, layer->input[a], layer->mask);
    for (size_t j = 0; j < n; j++)
      if (layer->mask[j / 64] >> (j % 64) & 1) y[j] += w[j] * layer->x[a];
  }
  size_t best = 0;
  for (size_t j = 1; j < n; j++)
    if (y[j] > y[best]) best = j;
  return y[best] > 0 ? (uint32_t)best + 1 : 0;
}

ves_status ves_layer_draw_from(ves_layer *layer, const double *x, uint64_t key, uint64_t draw,
                               double *y, uint32_t *winner) {
  *winner = 0;
  take_pattern(layer, x);
  if (!layer->opt.stages) {
    *winner = transmit(layer, key, draw, y);
    return VES_OK;
  }
  const uint32_t remains = compete(layer, key, draw);
  if (remains == 0) return VES_OK;
  return ves_layer_draw_row(layer, layer->input[remains - 1], key, draw, y, winner);
}

/* ---- the chain ---- */

/* One attempt at layer l of a pass. */
static ves_status attempt(ves_layer *const *layer, size_t l, ves_pass pass, uint64_t key,
                          uint64_t draw, double *const *y, uint32_t *winner) {
  if (l == 0) {
    winner[0] = ves_layer_draw(layer[0], key, draw, y[0]);
    return VES_OK;
  }
  if (pass == VES_PASS_ACTIVITY)
    return ves_layer_draw_from(layer[l], y[l - 1], key, draw, y[l], &winner[l]);
  return ves_layer_draw_row(layer[l], winner[l - 1] - 1, key, draw, y[l], &winner[l]);
}

ves_status ves_chain_draw(ves_layer *const *layer, size_t layers, ves_pass pass,
                          const uint64_t *key, uint64_t draw, double *const *y, uint32_t *winner,
                          uint64_t *attempts) {
  for (size_t l = 0; l < layers; l++) winner[l] = 0;
  for (size_t l = 0; l < layers && (l == 0 || winner[l - 1] != 0); l++) {
    ves_status status = attempt(layer, l, pass, key[l], draw, y, winner);
    ++*attempts;
    for (uint32_t again = 1; status == VES_OK && winner[l] == 0; again++) {
      if (layer[l]->opt.empty == VES_EMPTY_SKIP) break;
      if (again == VES_ATTEMPTS_MAX) return VES_ESILENT;
      status = attempt(layer, l, pass, ves_sampler_redraw_key(key[l], again), draw, y, winner);
      ++*attempts;
    }
    if (status != VES_OK) return status;
  }
  return VES_OK;
}

/* ---- exact laws ---- */

/* Given that something won, if empty draws are repeated. */
static ves_status condition(const ves_layer *layer, double *p) {
  if (layer->opt.empty == VES_EMPTY_SKIP) return VES_OK;
  double sum = 0.0;
  for (size_t j = 0; j < layer->n; j++) sum += p[j];
  if (!(sum > 0)) return VES_ESILENT;
  for (size_t j = 0; j < layer->n; j++) p[j] /= sum;
  return VES_OK;
}

/* Adds times the law of input i's row to p, given or not given that something wins. */
static ves_status add_row_law(ves_layer *layer, size_t i, double times, bool given, double *p) {
  double *law = layer->level;
  find_row(layer, i);
  ves_status status =
      ves_winner_single(layer->w + i * layer->n, layer->q + i * layer->n, layer->n, law, NULL);
  if (status == VES_OK && given) status = condition(layer, law);
  for (size_t j = 0; j < layer->n && status == VES_OK; j++) p[j] += times * law[j];
  return status;
}

static ves_status exact_two(ves_layer *layer, double *p) {
  double *remains = malloc((3 * layer->k + 1) * sizeof *remains);
  if (remains == NULL) return VES_ENOMEM;
  double *strength = remains + layer->k, *release = strength + layer->k;
  first_stage(layer, strength, release);
  ves_status status = ves_winner_single(strength, release, layer->k, remains, NULL);
  for (size_t a = 0; a < layer->k && status == VES_OK; a++)
    status = add_row_law(layer, layer->input[a], remains[a], false, p);
  free(remains);
  return status;
}

static ves_status exact_one(ves_layer *layer, double *p) {
  if (layer->k > VES_WINNER_INPUTS_MAX) return VES_ESIZE;
  const size_t synapses = layer->k * layer->n;
  ves_winner_workspace *work = ves_winner_workspace_alloc(layer->k, layer->n);
  double *effective = malloc((2 * synapses + 1) * sizeof *effective);
  ves_status status = VES_ENOMEM;
  if (work != NULL && effective != NULL) {
    lay_out(layer, effective, effective + synapses);
    status = ves_winner_multi(effective, effective + synapses, layer->k, layer->n, p, NULL, work);
  }
  free(effective);
  ves_winner_workspace_free(work);
  return status;
}

ves_status ves_layer_exact(ves_layer *layer, double *p) {
  for (size_t j = 0; j < layer->n; j++) p[j] = 0.0;
  const ves_status status = layer->opt.stages ? exact_two(layer, p) : exact_one(layer, p);
  return status == VES_OK ? condition(layer, p) : status;
}

ves_status ves_layer_exact_pass(ves_layer *layer, const double *from, double *to) {
  for (size_t j = 0; j < layer->n; j++) to[j] = 0.0;
  for (size_t i = 0; i < layer->m; i++) {
    if (!(from[i] > 0)) continue;
    const ves_status status = add_row_law(layer, i, from[i], true, to);
    if (status != VES_OK) return status;
  }
  return VES_OK;
}
