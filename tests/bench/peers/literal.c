/* The reference job in straightforward C, the listings of the original followed to the letter:
 * weights are sorted once, an iteration goes once over them from the weakest up, GSL's generator
 * draws doubles, pow raises. */
#include "job.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>

static double xs[ROWS], ys[ROWS], A[N][N], B[N][N], W[N][N], Q[N][N], L[N][N], R[N][N],
    sd[2 * INPUTS];
static size_t rising[N][N]; /* weakest first */
static gsl_rng *rng;

static void encode(double v, double *rates) {
  for (int i = 0; i < N; i++) {
    const double z = (v - center_of(i)) / SIGMA;
    rates[i] = exp(-0.5 * z * z);
  }
}

static void make_data(void) {
  for (int r = 0; r < ROWS; r++) {
    xs[r] = value_of(r / (ROWS / INPUTS));
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
  for (int i = 0; i < N; i++) {
    double sum = 0;
    gsl_sort_index(rising[i], W[i], 1, N);
    for (int r = 0; r < N; r++) {
      sum += W[i][rising[i][r]];
      Q[i][rising[i][r]] = W[i][rising[i][r]] / sum;
    }
  }
}

static void learn_power(const double *w, double *q) {
  for (int t = 0; t < ITERATIONS; t++) {
    double sum = 0;
    for (int r = 0; r < N; r++) {
      if (!(gsl_rng_uniform(rng) < q[r])) continue;
      sum += w[r];
      q[r] = fmin(1, fmax(FLOOR, q[r] - RATE * (q[r] - pow(w[r] / sum, 8))));
    }
  }
}

static void learn_amplitude(const double *w, double *q) {
  double a[N], updates[N] = {0};
  for (int r = 0; r < N; r++) a[r] = w[r] / q[r];
  for (int t = 0; t < ITERATIONS; t++) {
    double weaker = 0;
    for (int r = 0; r < N; r++) {
      if (!(gsl_rng_uniform(rng) < w[r] / a[r])) continue;
      const double before = a[r];
      a[r] += (w[r] + weaker - a[r]) / ++updates[r];
      weaker += before;
    }
  }
  for (int r = 0; r < N; r++) q[r] = w[r] / a[r];
}

static void learn(void (*rule)(const double *, double *), double (*learned)[N]) {
  for (int i = 0; i < N; i++) {
    double w[N], q[N];
    for (int r = 0; r < N; r++) {
      w[r] = W[i][rising[i][r]];
      q[r] = fmin(1, fmax(FLOOR, 0.3 + gsl_ran_gaussian(rng, 0.1)));
    }
    rule(w, q);
    for (int r = 0; r < N; r++) learned[i][rising[i][r]] = q[r];
  }
}

static double draw(const double *x, double (*release)[N], double divisor) {
  for (;;) {
    double y[N] = {0};
    for (int i = 0; i < N; i++) {
      if (x[i] <= ACTIVE) continue;
      for (int j = 0; j < N; j++)
        if (gsl_rng_uniform(rng) < release[i][j] / divisor) y[j] += x[i] * W[i][j];
    }
    int best = 0;
    for (int j = 1; j < N; j++)
      if (y[j] > y[best]) best = j;
    if (y[best] > 0) return center_of(best);
  }
}

static double sample_sd(double v, double (*release)[N]) {
  double x[N], sample[DRAWS], sum = 0, squares = 0;
  encode(v, x);
  for (int i = 0; i < N; i++) {
    if (x[i] <= ACTIVE) continue;
    sum += x[i];
    squares += x[i] * x[i];
  }
  const double divisor = fmax(1, sum * sum / squares);
  for (int d = 0; d < DRAWS; d++) sample[d] = draw(x, release, divisor);
  return sd_of(sample, DRAWS);
}

static void job(uint64_t round) {
  (void)round;
  timed(NULL);
  make_data();
  timed("data");
  accumulate();
  timed("evidence");
  map_weights();
  timed("mapping");
  learn(learn_power, L);
  timed("learning");
  for (int i = 0; i < 2 * INPUTS; i++) sd[i] = sample_sd(value_of(i % INPUTS), i < INPUTS ? Q : L);
  timed("sampling");
  learn(learn_amplitude, R);
  timed("amplitude");
}

int main(int argc, char **argv) {
  rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed_of(argc, argv));
  repeat(job);
  double evidence = 0, analytic = 0, learned = 0, strongest = 0, repaired = 0;
  for (int i = 0; i < N; i++) {
    strongest += L[i][rising[i][N - 1]] / N;
    for (int j = 0; j < N; j++) {
      evidence += A[i][j];
      analytic += Q[i][j] / (N * N);
      learned += L[i][j] / (N * N);
      repaired += R[i][j] / (N * N);
    }
  }
  print_checks(evidence, analytic, learned, strongest, repaired, sd);
  gsl_rng_free(rng);
  return 0;
}
