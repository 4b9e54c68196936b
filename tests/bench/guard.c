/* The fixed small job whose instructions `make bench-guard` counts under callgrind. Each phase is
 * one function, never inlined, so that callgrind's inclusive counts are the phases'. */
#include "ves_beta.h"
#include "ves_evidence.h"
#include "ves_learn.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_simd.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 100, ROWS = 2000, ITERATIONS = 500, DRAWS = 2000 };

static ves_code code;
static double xs[ROWS], ys[ROWS], w[N * N], q[N * N];

void phase_evidence(void);
void phase_mapping(void);
void phase_learning(void);
void phase_sampling(void);

__attribute__((noinline)) void phase_evidence(void) {
  static double a[N * N], b[N * N];
  ves_evidence ev;
  if (ves_evidence_alloc(&ev, N, N, 1) != VES_OK) abort();
  ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, 1);
  ves_evidence_observe(&ev, &code, &code, xs, ys, NULL, ROWS);
  ves_evidence_cells(&ev, 0, (size_t)N * N, a, b);
  ves_beta_mean(a, b, (size_t)N * N, w);
  ves_evidence_free(&ev);
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

/* Three inputs as at the centre of a tuning curve. */
__attribute__((noinline)) void phase_sampling(void) {
  static const double x[3] = {0.053, 1, 0.053};
  const uint32_t input[3] = {32, 33, 34};
  double effective[3 * N], release[3 * N];
  uint32_t winner[DRAWS];
  uint64_t attempts;
  for (size_t c = 0; c < (size_t)3 * N; c++) {
    effective[c] = x[c / N] * w[N * input[c / N] + c % N];
    release[c] = q[N * input[c / N] + c % N];
  }
  ves_sampler *s = ves_sampler_alloc(effective, release, input, 3, N);
  ves_sampler_redraw(s, 3, 0, DRAWS, winner, &attempts);
  ves_sampler_free(s);
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
  phase_sampling();
  ves_code_free(&code);
  return 0;
}
