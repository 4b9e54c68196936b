/* The reference job in straightforward C: GSL's mt19937, the paper's listings followed literally,
 * no cleverness. Compiled with -O3 -march=native.
 *
 * Three rounds; prints `phase<TAB>seconds` for each phase of each round, then
 * `check<TAB>name<TAB>value` for what must agree with the other programs. */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 100, ROWS = 4000, ITERATIONS = 5000, DRAWS = 1000, INPUTS = 5, ROUNDS = 3 };
static const double sigma = 0.05, rate = 0.01, active = 1e-3;

static double centers[N], xs[ROWS], ys[ROWS], A[N][N], B[N][N], W[N][N], Q[N][N], L[N][N];
static gsl_rng *rng;

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void encode(double v, double *rates) {
  for (int i = 0; i < N; i++) {
    const double z = (v - centers[i]) / sigma;
    rates[i] = exp(-0.5 * z * z);
  }
}

static void make_data(void) {
  for (int i = 0; i < INPUTS; i++)
    for (int r = i * ROWS / INPUTS; r < (i + 1) * ROWS / INPUTS; r++) {
      xs[r] = -4 + 2 * i;
      ys[r] = gsl_ran_gaussian(rng, 0.2 + 0.2 * (xs[r] + 4));
    }
}

static void accumulate(void) {
  double x[N], y[N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = gsl_ran_flat(rng, 0.025, 0.026);
      B[i][j] = gsl_ran_flat(rng, 0.100, 0.101);
    }
  for (int r = 0; r < ROWS; r++) {
    encode(xs[r], x);
    encode(ys[r], y);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        A[i][j] += x[i] * y[j];
        B[i][j] += x[i] * (1 - y[j]);
      }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) W[i][j] = A[i][j] / (A[i][j] + B[i][j]);
}

static void map_weights(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double weaker = 0;
      for (int k = 0; k < N; k++)
        if (W[i][k] <= W[i][j]) weaker += W[i][k];
      Q[i][j] = W[i][j] / weaker;
    }
}

static void learn_row(const double *w, double *q) {
  for (int t = 0; t < ITERATIONS; t++) {
    double subset[N];
    for (int j = 0; j < N; j++) subset[j] = gsl_rng_uniform(rng) < q[j] ? w[j] : 0;
    for (;;) {
      int m = 0;
      double sum = 0;
      for (int j = 0; j < N; j++) {
        sum += subset[j];
        if (subset[j] > subset[m]) m = j;
      }
      if (subset[m] == 0) break;
      q[m] -= rate * (q[m] - pow(subset[m] / sum, 8));
      if (q[m] < 1e-4) q[m] = 1e-4;
      if (q[m] > 1) q[m] = 1;
      subset[m] = 0;
    }
  }
}

static void learn(void) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) L[i][j] = fmin(1, fmax(1e-4, 0.3 + gsl_ran_gaussian(rng, 0.1)));
    learn_row(W[i], L[i]);
  }
}

static double draw(const double *x, double (*release)[N], double divisor) {
  for (;;) {
    double y[N] = {0};
    for (int i = 0; i < N; i++) {
      if (x[i] <= active) continue;
      for (int j = 0; j < N; j++)
        if (gsl_rng_uniform(rng) < release[i][j] / divisor) y[j] += x[i] * W[i][j];
    }
    int best = 0;
    for (int j = 1; j < N; j++)
      if (y[j] > y[best]) best = j;
    if (y[best] > 0) return centers[best];
  }
}

static double sample_sd(double v, double (*release)[N]) {
  double x[N], sample[DRAWS], sum = 0, squares = 0;
  encode(v, x);
  for (int i = 0; i < N; i++) {
    if (x[i] <= active) continue;
    sum += x[i];
    squares += x[i] * x[i];
  }
  const double divisor = fmax(1, sum * sum / squares);
  for (int d = 0; d < DRAWS; d++) sample[d] = draw(x, release, divisor);
  return gsl_stats_sd(sample, 1, DRAWS);
}

static double mean(double (*m)[N]) { return gsl_stats_mean(&m[0][0], 1, (size_t)N * N); }

static double timed(const char *name, double since) {
  const double now = seconds();
  printf("%s\t%.9f\n", name, now - since);
  return seconds();
}

static void job(double *sd) {
  double t = seconds();
  make_data();
  t = timed("data", t);
  accumulate();
  t = timed("evidence", t);
  map_weights();
  t = timed("mapping", t);
  learn();
  t = timed("learning", t);
  for (int i = 0; i < 2 * INPUTS; i++) sd[i] = sample_sd(-4 + 2 * (i % INPUTS), i < INPUTS ? Q : L);
  timed("sampling", t);
}

int main(int argc, char **argv) {
  rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, argc > 1 ? strtoul(argv[1], NULL, 10) : 1);
  for (int i = 0; i < N; i++) centers[i] = -6 + 12.0 * i / (N - 1);
  double sd[2 * INPUTS];
  for (int round = 0; round < ROUNDS; round++) job(sd);
  printf("check\tevidence\t%.17g\ncheck\tanalytic\t%.17g\ncheck\tlearned\t%.17g\n", mean(A) * N * N,
         mean(Q), mean(L));
  for (int i = 0; i < 2 * INPUTS; i++) printf("check\tsd%d\t%.17g\n", i + 1, sd[i]);
  gsl_rng_free(rng);
  return 0;
}
