/* The fixed small job whose instructions `make bench-guard` counts under callgrind. Each phase is
 * one function, never inlined, so that callgrind's inclusive counts are the phases'. What asking
 * whether to stop costs is the phase that does nothing else, as often as there are iterations in
 * the phase of learning. */
#include "ves_amplitude.h"
#include "ves_beta.h"
#include "ves_chain.h"
#include "ves_evidence.h"
#include "ves_learn.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_simd.h"
#include "ves_sites.h"
#include "ves_spike.h"
#include "ves_stages.h"
#include "ves_stop.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 100, ROWS = 2000, ITERATIONS = 500, DRAWS = 2000 };

static ves_code code;
static double xs[ROWS], ys[ROWS], a[N * N], b[N * N], w[N * N], q[N * N];
static ves_evidence ev;

/* Three inputs as at the centre of a tuning curve. */
enum { ACTIVE = 3 };
static const double x[ACTIVE] = {0.053, 1, 0.053};
static const uint32_t input[ACTIVE] = {32, 33, 34};
static double effective[ACTIVE * N], release[ACTIVE * N];

void phase_evidence(void);
void phase_mapping(void);
void phase_learning(void);
void phase_sampling(void);
void phase_amplitude(void);
void phase_sites(void);
void phase_stages(void);
void phase_chain(void);
void phase_spikes(void);
void phase_stopping(void);

__attribute__((noinline)) void phase_evidence(void) {
  if (ves_evidence_alloc(&ev, N, N, 1) != VES_OK) abort();
  ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, 1);
  ves_evidence_observe(&ev, &code, &code, xs, ys, NULL, ROWS);
  ves_evidence_cells(&ev, 0, (size_t)N * N, a, b);
  ves_beta_mean(a, b, (size_t)N * N, w);
}

__attribute__((noinline)) void phase_mapping(void) {
  size_t order[N];
  for (size_t i = 0; i < N; i++) ves_release_analytic(w + N * i, N, order, q + N * i);
}

__attribute__((noinline)) void phase_learning(void) {
  static double learned[N * N];
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_learn_options opt = ves_learn_defaults();
  opt.iterations = ITERATIONS;
  for (size_t i = 0; i < N; i++)
    ves_learn_start(0.3, 0.1, opt.floor, opt.ceiling, 2, 0, (uint32_t)i, N, learned + N * i);
  ves_learn_rows(w, N, N, &opt, 2, 0, 0, ws, learned);
  ves_learn_workspace_free(ws);
}

__attribute__((noinline)) void phase_sampling(void) {
  uint32_t winner[DRAWS];
  uint64_t attempts;
  ves_sampler *s = ves_sampler_alloc(effective, release, input, ACTIVE, N);
  ves_sampler_redraw(s, 3, 0, DRAWS, winner, &attempts);
  ves_sampler_free(s);
}

/* Both orders of competition, and one vector alone as a network that samples while it learns. */
__attribute__((noinline)) void phase_amplitude(void) {
  static double learned[N * N];
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.iterations = ITERATIONS;
  for (size_t c = 0; c < (size_t)N * N; c++) learned[c] = 0.3;
  ves_amplitude_rows(w, N, N, &opt, 4, 0, 0, ws, learned);
  opt.order = VES_ORDER_AMPLITUDE;
  ves_amplitude_rows(w, N / 10, N, &opt, 5, 0, 0, ws, learned);
  opt.algorithm = 1;
  ves_amplitude_row(w, N, &opt, 6, 0, 0, ws, learned, NULL);
  ves_learn_workspace_free(ws);
}

__attribute__((noinline)) void phase_sites(void) {
  enum { SITES = 8 };
  double phi[ACTIVE * N], y[N];
  for (size_t c = 0; c < (size_t)ACTIVE * N; c++) {
    double complement;
    const size_t cell = N * input[c / N] + c % N;
    ves_release_epistemic_sites(a[cell], b[cell], SITES, phi + c, &complement);
  }
  ves_sites *s = ves_sites_alloc(effective, phi, release, input, ACTIVE, N, SITES);
  for (uint64_t d = 0; d < DRAWS / 10; d++)
    if (ves_sites_open(s, 7, d)) ves_sites_draw(s, 7, d, y);
  ves_sites_free(s);
}

__attribute__((noinline)) void phase_stages(void) {
  double strength[ACTIVE], first[ACTIVE];
  size_t order[ACTIVE];
  uint64_t won = 0;
  for (size_t i = 0; i < ACTIVE; i++)
    strength[i] = x[i] * ves_stages_strength(w + N * input[i], q + N * input[i], N);
  ves_release_analytic(strength, ACTIVE, order, first);
  ves_stages *s = ves_stages_alloc(strength, first, effective, release, input, ACTIVE, N);
  for (uint64_t d = 0; d < DRAWS; d++) won += ves_stages_draw(s, 8, d, NULL);
  ves_stages_free(s);
  if (won == 0) abort();
}

/* The network on itself. */
__attribute__((noinline)) void phase_chain(void) {
  static double y[2][N];
  double *const activity[2] = {y[0], y[1]};
  const ves_layer_options opt = {false, VES_DIVIDE_PARTICIPATION, 1e-3, VES_EMPTY_REDRAW};
  ves_layer *const layer[2] = {ves_layer_alloc(&ev, NULL, &opt), ves_layer_alloc(&ev, NULL, &opt)};
  const uint64_t key[2] = {9, 10};
  uint32_t winner[2];
  uint64_t attempts = 0;
  if (ves_layer_open(layer[0], input, x, ACTIVE) != VES_OK) abort();
  for (uint64_t d = 0; d < DRAWS / 10; d++)
    if (ves_chain_draw(layer, 2, VES_PASS_WINNER, key, d, activity, winner, &attempts) != VES_OK)
      abort();
  ves_layer_free(layer[0]);
  ves_layer_free(layer[1]);
}

/* Trials with late inhibition, noise and jitter, and learning from them. */
__attribute__((noinline)) void phase_spikes(void) {
  ves_spike_options opt = ves_spike_defaults();
  ves_amplitude_options rule = ves_amplitude_defaults();
  static ves_spike_result result[DRAWS / 10];
  ves_spike *s;
  double learned[N];
  opt.gain = ves_spike_gain(effective, release, (size_t)ACTIVE * N, opt.threshold);
  opt.window = 20;
  for (int late = 0; late < 2; late++) {
    if (ves_spike_alloc(effective, release, input, ACTIVE, N, &opt, &s) != VES_OK) abort();
    if (ves_spike_draws(s, 11, 0, DRAWS / 10, NULL, result) != VES_OK) abort();
    ves_spike_free(s);
    opt.delay = 1;
    opt.noise = 0.5;
    opt.jitter = 0.1;
  }
  opt = ves_spike_defaults();
  for (size_t j = 0; j < N; j++) learned[j] = 0.3;
  opt.gain = ves_spike_gain(w, learned, N, opt.threshold);
  rule.iterations = ITERATIONS / 10;
  if (ves_spike_learn(w, N, &opt, &rule, 12, 0, learned, NULL) != VES_OK) abort();
}

__attribute__((noinline)) void phase_stopping(void) {
  for (size_t i = 0; i < (size_t)N * ITERATIONS; i++)
    if (ves_stopping()) abort();
}

int main(void) {
  printf("%s\n", ves_simd_select(true));
  if (ves_code_alloc(&code, N, -6, 6, 0.05, VES_SPACING_ENDS) != VES_OK) abort();
  for (size_t r = 0; r < ROWS; r++) {
    xs[r] = -4 + 2 * (double)(5 * r / ROWS);
    ys[r] = 3 * ((double)(r * 7919 % ROWS) / ROWS - 0.5);
  }
  phase_evidence();
  phase_mapping();
  phase_learning();
  for (size_t c = 0; c < (size_t)ACTIVE * N; c++) {
    effective[c] = x[c / N] * w[N * input[c / N] + c % N];
    release[c] = q[N * input[c / N] + c % N];
  }
  phase_sampling();
  phase_amplitude();
  phase_sites();
  phase_stages();
  phase_chain();
  phase_spikes();
  phase_stopping();
  ves_evidence_free(&ev);
  ves_code_free(&code);
  return 0;
}
