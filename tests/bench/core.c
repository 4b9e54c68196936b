/* The reference job by the C core alone, without Lua: what is left of vesicle's time when the
 * language, the checks of arguments and the garbage collector are taken away. The same phases and
 * checks as tests/bench/job.lua; the argument is the seed. */
#include "peers/job.h"
#include "ves_amplitude.h"
#include "ves_beta.h"
#include "ves_evidence.h"
#include "ves_learn.h"
#include "ves_order.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_simd.h"
#include <gsl/gsl_randist.h>

static double x[ROWS], y[ROWS], a[N * N], b[N * N], w[N * N], q[2][N * N], repaired[N * N],
    sd[2 * INPUTS];
static uint64_t root;

static void make_data(uint64_t key) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (uint64_t i = 0; i < ROWS; i++) {
    ves_rng_seek(r, key, i, VES_ROW_SCALAR);
    x[i] = value_of((int)i / (ROWS / INPUTS));
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

static void learn_amplitude(uint64_t key) {
  const ves_amplitude_options opt = ves_amplitude_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (uint32_t i = 0; i < N; i++)
    ves_learn_start(0.3, 0.1, FLOOR, 1, key, 0, i, N, repaired + (size_t)N * i);
  ves_amplitude_rows(w, N, N, &opt, key, 0, 0, ws, repaired);
  ves_learn_workspace_free(ws);
}

static double sample(const ves_code *code, double at, const double *release, uint64_t key) {
  double rate[N], effective[N * N], chance[N * N], out[DRAWS];
  uint32_t input[N], winner[DRAWS];
  uint64_t attempts;
  size_t k = 0;
  ves_code_encode(code, at, rate);
  const double divisor = ves_release_divisor(rate, N, VES_DIVIDE_PARTICIPATION, ACTIVE);
  for (uint32_t i = 0; i < N; i++) {
    if (!(rate[i] > ACTIVE)) continue;
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
  return sd_of(out, DRAWS);
}

static double sum_of(const double *v) {
  double sum = 0;
  for (size_t c = 0; c < (size_t)N * N; c++) sum += v[c];
  return sum;
}

static double strongest(void) {
  double sum = 0;
  size_t order[N];
  for (size_t i = 0; i < N; i++) {
    ves_order_descending(w + i * N, N, order);
    sum += q[1][i * N + order[0]] / N;
  }
  return sum;
}

static void job(uint64_t round) {
  const uint64_t key = ves_key_integer(root, (int64_t)round);
  ves_code code;
  size_t order[N];
  timed(NULL);
  make_data(ves_key_integer(key, 1));
  timed("data");
  if (ves_code_alloc(&code, N, LO, HI, SIGMA, VES_SPACING_ENDS) != VES_OK) abort();
  accumulate(&code, ves_key_integer(key, 2));
  timed("evidence");
  for (size_t i = 0; i < N; i++) ves_release_analytic(w + N * i, N, order, q[0] + N * i);
  timed("mapping");
  learn(ves_key_integer(key, 3));
  timed("learning");
  for (int c = 0; c < 2 * INPUTS; c++)
    sd[c] = sample(&code, value_of(c % INPUTS), q[c / INPUTS], ves_key_integer(key, 4 + c));
  timed("sampling");
  learn_amplitude(ves_key_integer(key, 40));
  timed("amplitude");
  ves_code_free(&code);
}

int main(int argc, char **argv) {
  root = ves_key_root(seed_of(argc, argv));
  ves_simd_select(true);
  repeat(job);
  print_checks(sum_of(a), sum_of(q[0]) / (N * N), sum_of(q[1]) / (N * N), strongest(),
               sum_of(repaired) / (N * N), sd);
  return 0;
}
