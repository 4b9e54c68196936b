/* The reference job by the C core alone, without Lua: what is left of vesicle's time when the
 * language, the checks of arguments and the garbage collector are taken away. The same phases,
 * rounds and checks as tests/bench/job.lua; arguments: the seed, the rounds. */
#include "ves_beta.h"
#include "ves_evidence.h"
#include "ves_learn.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_simd.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 100, ROWS = 4000, INPUTS = 5, DRAWS = 1000 };
static const double value[INPUTS] = {-4, -2, 0, 2, 4};
static double x[ROWS], y[ROWS], a[N * N], b[N * N], w[N * N], q[2][N * N];

static void timed(const char *phase) {
  static clock_t last;
  if (phase != NULL) printf("%s\t%.9f\n", phase, (double)(clock() - last) / CLOCKS_PER_SEC);
  last = clock();
}

static void make_data(uint64_t key) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (uint64_t i = 0; i < ROWS; i++) {
    ves_rng_seek(r, key, i, VES_ROW_SCALAR);
    x[i] = value[i / (ROWS / INPUTS)];
    y[i] = gsl_ran_gaussian_ziggurat(r, 0.2 + 0.2 * (x[i] + 4));
  }
  gsl_rng_free(r);
}

static void accumulate(const ves_code *code, uint64_t key) {
  ves_evidence ev;
  if (ves_evidence_alloc(&ev, N, N, 1) != VES_OK) abort();
  ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, key);
  ves_evidence_observe(&ev, code, code, x, y, NULL, ROWS);
  ves_evidence_cells(&ev, 0, (size_t)N * N, a, b);
  ves_beta_mean(a, b, (size_t)N * N, w);
  ves_evidence_free(&ev);
}

static void learn(uint64_t key) {
  const ves_learn_options opt = ves_learn_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (uint32_t i = 0; i < N; i++)
    ves_learn_start(0.3, 0.1, opt.floor, opt.ceiling, key, 0, i, N, q[1] + (size_t)N * i);
  ves_learn_rows(w, N, N, &opt, key, 0, 0, ws, q[1]);
  ves_learn_workspace_free(ws);
}

static double sample(const ves_code *code, double at, const double *release, uint64_t key) {
  double rate[N], effective[N * N], chance[N * N], out[DRAWS];
  uint32_t input[N], winner[DRAWS];
  uint64_t attempts;
  size_t k = 0;
  ves_code_encode(code, at, rate);
  const double divisor = ves_release_divisor(rate, N, VES_DIVIDE_PARTICIPATION, 1e-3);
  for (uint32_t i = 0; i < N; i++) {
    if (!(rate[i] > 1e-3)) continue;
    for (size_t j = 0; j < N; j++) {
      effective[k * N + j] = rate[i] * w[i * N + j];
      chance[k * N + j] = release[i * N + j] / divisor;
    }
    input[k++] = i;
  }
  ves_sampler *s = ves_sampler_alloc(effective, chance, input, k, N);
  ves_sampler_redraw(s, key, 0, DRAWS, winner, &attempts);
  ves_sampler_free(s);
  for (size_t d = 0; d < DRAWS; d++) out[d] = code->centers[winner[d] - 1];
  return gsl_stats_sd(out, 1, DRAWS);
}

static double sum_of(const double *v) {
  double sum = 0;
  for (size_t c = 0; c < (size_t)N * N; c++) sum += v[c];
  return sum;
}

static void job(uint64_t key, double *sd) {
  ves_code code;
  size_t order[N];
  timed(NULL);
  make_data(ves_key_integer(key, 1));
  timed("data");
  if (ves_code_alloc(&code, N, -6, 6, 0.05, VES_SPACING_ENDS) != VES_OK) abort();
  accumulate(&code, ves_key_integer(key, 2));
  timed("evidence");
  for (size_t i = 0; i < N; i++) ves_release_analytic(w + N * i, N, order, q[0] + N * i);
  timed("mapping");
  learn(ves_key_integer(key, 3));
  timed("learning");
  for (int c = 0; c < 2 * INPUTS; c++)
    sd[c] = sample(&code, value[c % INPUTS], q[c / INPUTS], ves_key_integer(key, 4 + c));
  timed("sampling");
  ves_code_free(&code);
}

int main(int argc, char **argv) {
  const uint64_t key = ves_key_root(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
  const uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 30;
  double sd[2 * INPUTS] = {0};
  ves_simd_select(true);
  for (uint64_t round = 0; round < rounds; round++) job(ves_key_integer(key, round), sd);
  printf("check\tevidence\t%.17g\n", sum_of(a));
  printf("check\tanalytic\t%.17g\ncheck\tlearned\t%.17g\n", sum_of(q[0]) / (N * N),
         sum_of(q[1]) / (N * N));
  for (int c = 0; c < 2 * INPUTS; c++) printf("check\tsd%d\t%.17g\n", c + 1, sd[c]);
  return 0;
}
