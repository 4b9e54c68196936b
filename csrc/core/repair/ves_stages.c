/* ves_stages: two-stage release with releases that are given, and learned from the draws it makes.
 *
 * ves_multi_two_stage samples the mixture of several inputs exactly, given the analytic releases of
 * both stages. Nothing of that needs to be computed from afar: in the first stage input a competes
 * with x_a R_a, R_a the sum of its row; and under the amplitude rule the strongest synapse of a row
 * has learned an amplitude equal to just that sum. So both stages run on what synapses know.
 *
 * And both can learn while they sample. Algorithm 1 asks of a draw only who won and what was
 * transmitted, so each draw teaches its two winners. At a constant step the draws of a single stage
 * made in this way have, on average over them, the right distribution whatever the step is
 * ([eq:amplitude-sampling], proof in the report). */
#include "ves_stages.h"
#include "ves_amplitude_private.h"
#include "ves_order.h"
#include "ves_sample.h"
#include "ves_stop.h"
#include <stdbool.h>
#include <stdlib.h>

double ves_stages_strength(const double *w, const double *q, size_t n) {
  double most = 0.0;
  for (size_t j = 0; j < n; j++)
    if (q[j] > 0 && ves_amplitude_of(w[j], q[j]) > most) most = ves_amplitude_of(w[j], q[j]);
  return most;
}

/* ---- sampling ---- */

struct ves_stages {
  size_t k;
  ves_sampler *inputs;                   /* stage 1 */
  ves_sampler **rows;                    /* stage 2 */
  uint64_t key, inputs_key, outputs_key; /* of the last draw, and what was made of it; 0 at first */
};

void ves_stages_free(ves_stages *s) {
  if (s == NULL) return;
  ves_sampler_free(s->inputs);
  for (size_t a = 0; s->rows != NULL && a < s->k; a++) ves_sampler_free(s->rows[a]);
  free(s->rows);
  free(s);
}

ves_stages *ves_stages_alloc(const double *strength, const double *first, const double *w,
                             const double *q, const uint32_t *input, size_t k, size_t n) {
  static const uint32_t only = 0;
  if (k == 0 || n == 0) return NULL;
  ves_stages *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->k = k;
  s->rows = calloc(k, sizeof(ves_sampler *));
  s->inputs = ves_sampler_alloc(strength, first, &only, 1, k);
  bool complete = s->rows != NULL && s->inputs != NULL;
  for (size_t a = 0; complete && a < k; a++) {
    s->rows[a] = ves_sampler_alloc(w + a * n, q + a * n, &input[a], 1, n);
    complete = s->rows[a] != NULL;
  }
  if (complete) return s;
  ves_stages_free(s);
  return NULL;
}

uint64_t ves_stages_inputs_key(uint64_t key) { return ves_key_string(key, "inputs", 6); }
uint64_t ves_stages_outputs_key(uint64_t key) { return ves_key_string(key, "outputs", 7); }

/* The keys of both stages are made anew only where the stream's changes. */
static void use_key(ves_stages *s, uint64_t key) {
  if (s->key == key && s->outputs_key != 0) return;
  s->key = key;
  s->inputs_key = ves_stages_inputs_key(key);
  s->outputs_key = ves_stages_outputs_key(key);
}

uint32_t ves_stages_input(ves_stages *s, uint64_t key, uint64_t draw) {
  uint32_t remains;
  use_key(s, key);
  ves_sampler_winners(s->inputs, s->inputs_key, draw, 1, &remains);
  return remains;
}

uint32_t ves_stages_draw(ves_stages *s, uint64_t key, uint64_t draw, double *y) {
  const uint32_t remains = ves_stages_input(s, key, draw);
  uint32_t winner;
  if (remains == 0) return 0;
  if (y != NULL) return ves_sampler_draw(s->rows[remains - 1], s->outputs_key, draw, NULL, y);
  ves_sampler_winners(s->rows[remains - 1], s->outputs_key, draw, 1, &winner);
  return winner;
}

/* ---- learning from the draws ---- */

/* Weights stay as they are during a call, and a draw changes one amplitude of each stage. So a row
 * that was once left to transmit stays as the rule needs it, sorted and with its thresholds, for
 * the next time: it costs a draw only its random bits. There are SLOTS places, shared by rows whose
 * numbers are equal modulo SLOTS. */
enum { SLOTS = 16 };

typedef struct {
  ves_learn_workspace *ws;
  size_t row; /* 1 + the row that is laid out here, 0: none */
} slot;

typedef struct {
  ves_learn_workspace *ws; /* of the inputs */
  double *most;            /* the largest amplitude of each row */
  double *strength;        /* of inputs */
  bool laid;               /* whether they are laid out with these */
  slot slots[SLOTS];
} scratch;

static void scratch_free(scratch *s) {
  ves_learn_workspace_free(s->ws);
  for (size_t c = 0; c < SLOTS; c++) ves_learn_workspace_free(s->slots[c].ws);
  free(s->most);
  free(s->strength);
}

static bool scratch_make(scratch *s, size_t k) {
  *s = (scratch){.ws = ves_learn_workspace_alloc(k),
                 .most = calloc(k, sizeof *s->most),
                 .strength = calloc(k, sizeof *s->strength)};
  return s->ws != NULL && s->most != NULL && s->strength != NULL;
}

/* The synapse of rank r has amplitude a: it is kept as what its release makes of it. */
static void lay(ves_learn_workspace *ws, size_t r, double w, double a) {
  ws->weight[r] = w;
  ws->state[r] = ves_amplitude_of(w, ves_amplitude_release(w, a));
  ves_thresholds_set(&ws->tries, r, ves_amplitude_release(w, ws->state[r]));
}

/* Row `at` of n synapses, laid out; NULL when out of memory. */
static ves_learn_workspace *laid_out(scratch *s, size_t at, const double *w, const double *a,
                                     size_t n) {
  slot *here = &s->slots[at % SLOTS];
  if (here->row == at + 1) return here->ws;
  if (here->ws == NULL) here->ws = ves_learn_workspace_alloc(n);
  if (here->ws == NULL) return NULL;
  here->row = at + 1;
  ves_learn_narrow(here->ws, n);
  ves_order_descending(w, n, here->ws->order);
  for (size_t r = 0; r < n; r++) lay(here->ws, r, w[here->ws->order[r]], a[here->ws->order[r]]);
  return here->ws;
}

/* One draw of a stage whose synapses are laid out in ws; the winner learns, in a and updates too.
 * Returns it, 0 if nothing transmits; `before` is the amplitude it had. */
static uint32_t stage(ves_learn_workspace *ws, size_t n, const ves_amplitude_options *opt,
                      uint64_t key, uint64_t draw, uint32_t row, double *a, double *updates,
                      double *before) {
  ves_learn_workspace here = *ws;
  size_t from, to;
  here.updates = updates;
  ves_amplitude_iterate(&here, ws->order, n, opt, 0, key, draw, row, &from, &to);
  if (to == 0) return 0;
  const size_t r = ws->member[to - 1], i = ws->order[r];
  const double w = ws->weight[r];
  *before = a[i];
  a[i] = ves_amplitude_of(w, ves_amplitude_release(w, ws->state[r]));
  lay(ws, r, w, a[i]);
  return (uint32_t)i + 1;
}

static double largest(const double *w, const double *a, size_t n) {
  double most = 0.0;
  for (size_t j = 0; j < n; j++)
    if (w[j] > 0 && a[j] > most) most = a[j];
  return most;
}

/* The largest amplitude of a row was `most`; since then that of synapse j alone has moved, from
 * `before`. All of them are looked at again only if it was the largest and fell. */
static double still_largest(const double *w, const double *a, size_t n, size_t j, double before,
                            double most) {
  if (a[j] >= most) return a[j];
  return before < most ? most : largest(w, a, n);
}

/* Inputs compete with the largest amplitudes of their rows, times their activities; false if
 * nothing is positive. As long as these stay what they are, so does the layout: a draw of the first
 * stage changes one amplitude, and lays it out itself. */
static bool lay_inputs(scratch *s, const double *x, size_t k, double *a) {
  if (s->laid) return true;
  bool any = false;
  for (size_t i = 0; i < k; i++) {
    s->strength[i] = x[i] * s->most[i];
    any |= s->strength[i] > 0;
    if (a[i] < s->strength[i]) a[i] = s->strength[i];
  }
  ves_order_descending(s->strength, k, s->ws->order);
  for (size_t r = 0; r < k; r++) lay(s->ws, r, s->strength[s->ws->order[r]], a[s->ws->order[r]]);
  return s->laid = any;
}

typedef struct {
  uint64_t inputs, outputs;
} stage_keys;

static ves_status learn(const double *w, const double *x, const uint32_t *input, size_t k, size_t n,
                        const ves_amplitude_options *opt, const stage_keys *keys, uint64_t draw,
                        scratch *s, ves_stages_state *state, uint32_t *winner) {
  ves_amplitude_options now = *opt;
  now.algorithm = 1;
  if (opt->decay > 0) { /* each draw is a call of its own */
    now.rate = opt->rate / (1 + (double)draw / opt->decay);
    now.decay = 0;
    if (now.rate < opt->rate_floor) now.rate = opt->rate_floor;
  }
  if (!lay_inputs(s, x, k, state->input)) return VES_EDOMAIN;
  double before;
  const uint32_t remains =
      stage(s->ws, k, &now, keys->inputs, draw, 0, state->input, state->input_updates, &before);
  *winner = 0;
  if (remains == 0) return VES_OK;
  const size_t a = remains - 1, at = a * n;
  ves_learn_workspace *ws = laid_out(s, a, w + at, state->row + at, n);
  if (ws == NULL) return VES_ENOMEM;
  *winner = stage(ws, n, &now, keys->outputs, draw, input[a], state->row + at,
                  state->row_updates + at, &before);
  if (*winner == 0) return VES_OK;
  const double most = still_largest(w + at, state->row + at, n, *winner - 1, before, s->most[a]);
  s->laid &= most == s->most[a];
  s->most[a] = most;
  return VES_OK;
}

ves_status ves_stages_learn(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, uint64_t key,
                            uint64_t first, size_t draws, ves_stages_state *state,
                            uint32_t *winner) {
  if (k == 0 || n == 0) return VES_ESIZE;
  const stage_keys keys = {ves_stages_inputs_key(key), ves_stages_outputs_key(key)};
  scratch s;
  ves_status status = VES_ENOMEM;
  if (scratch_make(&s, k)) {
    status = VES_OK;
    for (size_t c = 0; c < k * n; c++)
      if (state->row[c] < w[c]) state->row[c] = w[c];
    for (size_t a = 0; a < k; a++) s.most[a] = largest(w + a * n, state->row + a * n, n);
    for (size_t d = 0; d < draws && status == VES_OK; d++)
      status = ves_stopping()
                   ? VES_ESTOPPED
                   : learn(w, x, input, k, n, opt, &keys, first + d, &s, state, &winner[d]);
  }
  scratch_free(&s);
  return status;
}
