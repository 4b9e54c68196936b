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
#include "ves_rng.h"
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
  ves_sampler *inputs; /* stage 1 */
  ves_sampler **rows;  /* stage 2 */
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

uint32_t ves_stages_input(ves_stages *s, uint64_t key, uint64_t draw) {
  uint32_t remains;
  ves_sampler_winners(s->inputs, ves_stages_inputs_key(key), draw, 1, &remains);
  return remains;
}

uint32_t ves_stages_draw(ves_stages *s, uint64_t key, uint64_t draw, double *y) {
  const uint32_t remains = ves_stages_input(s, key, draw);
  uint32_t winner;
  if (remains == 0) return 0;
  if (y != NULL)
    return ves_sampler_draw(s->rows[remains - 1], ves_stages_outputs_key(key), draw, NULL, y);
  ves_sampler_winners(s->rows[remains - 1], ves_stages_outputs_key(key), draw, 1, &winner);
  return winner;
}

/* ---- learning from the draws ---- */

typedef struct {
  ves_learn_workspace *ws;
  double *strength, *q; /* of inputs, or of a row */
} scratch;

/* One draw of a stage of n synapses, whose winner learns; returns it. */
static ves_status stage(const double *w, size_t n, ves_amplitude_options opt, uint64_t key,
                        uint64_t draw, uint32_t row, const scratch *s, double *a, double *updates,
                        uint32_t *winner) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] < w[i]) a[i] = w[i];
    s->q[i] = ves_amplitude_release(w[i], a[i]);
  }
  opt.algorithm = 1;
  opt.iterations = 1;
  opt.trace = 0;
  opt.updates = updates;
  opt.winner = winner;
  const ves_status status = ves_amplitude_row(w, n, &opt, key, draw, row, s->ws, s->q, NULL);
  if (status == VES_OK && *winner > 0)
    a[*winner - 1] = ves_amplitude_of(w[*winner - 1], s->q[*winner - 1]);
  return status;
}

/* The present largest amplitude of each row, times its activity; false if nothing is positive. */
static bool strengths(const double *w, const double *x, size_t k, size_t n, const double *row,
                      double *strength) {
  bool any = false;
  for (size_t a = 0; a < k; a++) {
    double most = 0.0;
    for (size_t j = 0; j < n; j++)
      if (w[a * n + j] > 0 && row[a * n + j] > most) most = row[a * n + j];
    strength[a] = x[a] * most;
    any |= strength[a] > 0;
  }
  return any;
}

static ves_status learn(const double *w, const double *x, const uint32_t *input, size_t k, size_t n,
                        const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                        const scratch *s, ves_stages_state *state, uint32_t *winner) {
  ves_amplitude_options now = *opt;
  uint32_t remains;
  if (opt->decay > 0) { /* each draw is a call of its own */
    now.rate = opt->rate / (1 + (double)draw / opt->decay);
    now.decay = 0;
    if (now.rate < opt->rate_floor) now.rate = opt->rate_floor;
  }
  if (!strengths(w, x, k, n, state->row, s->strength)) return VES_EDOMAIN;
  ves_status status = stage(s->strength, k, now, ves_stages_inputs_key(key), draw, 0, s,
                            state->input, state->input_updates, &remains);
  *winner = 0;
  if (status != VES_OK || remains == 0) return status;
  const size_t at = (remains - 1) * n;
  return stage(w + at, n, now, ves_stages_outputs_key(key), draw, input[remains - 1], s,
               state->row + at, state->row_updates + at, winner);
}

ves_status ves_stages_learn(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, uint64_t key,
                            uint64_t first, size_t draws, ves_stages_state *state,
                            uint32_t *winner) {
  if (k == 0 || n == 0) return VES_ESIZE;
  const size_t longer = k > n ? k : n;
  scratch s = {.ws = ves_learn_workspace_alloc(longer),
               .strength = calloc(k, sizeof *s.strength),
               .q = calloc(longer, sizeof *s.q)};
  ves_status status = VES_ENOMEM;
  if (s.ws != NULL && s.strength != NULL && s.q != NULL) {
    status = VES_OK;
    for (size_t c = 0; c < k * n; c++)
      if (state->row[c] < w[c]) state->row[c] = w[c];
    for (size_t d = 0; d < draws && status == VES_OK; d++)
      status = ves_stopping()
                   ? VES_ESTOPPED
                   : learn(w, x, input, k, n, opt, key, first + d, &s, state, &winner[d]);
  }
  ves_learn_workspace_free(s.ws);
  free(s.strength);
  free(s.q);
  return status;
}
