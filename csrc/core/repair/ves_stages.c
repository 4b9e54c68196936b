/* ves_stages: two-stage release with releases that are given.
 *
 * ves_multi_two_stage samples the mixture of several inputs exactly, given the analytic releases of
 * both stages. In the first stage input a competes with x_a R_a, R_a the sum of its row. Who knows
 * all amplitudes of a row finds R_a in the largest. A row that knows nothing but what its
 * transmitting synapses just sent finds it in the mean of that, while it samples and learns:
 * ves_stages_learn.c. */
#include "ves_stages.h"
#include "ves_amplitude.h"
#include "ves_rng.h"
#include "ves_sample.h"
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
