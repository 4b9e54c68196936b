/* The reference job by the kernels of best.h: the best C without hand-written vectors. */
#include "best.h"
#include "job.h"
#include <stdbool.h>

static double xs[ROWS], ys[ROWS], A[N][N], sum_x[N], sd[2 * INPUTS];
static float W[N][N], Q[N][N], L[N][N], R[N][N];
static uint8_t rising[N][N]; /* weakest first */
static best_rng rng;

static double normal(void) { /* Marsaglia's polar method */
  double u, v, s;
  do {
    u = 2 * best_uniform(&rng) - 1;
    v = 2 * best_uniform(&rng) - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  return u * sqrt(-2 * log(s) / s);
}

static void make_data(void) {
  for (int r = 0; r < ROWS; r++) {
    xs[r] = value_of(r / (ROWS / INPUTS));
    ys[r] = (0.2 + 0.2 * (xs[r] + 4)) * normal();
  }
}

/* Evidence against is what an input saw less the evidence for. */
static void accumulate(void) {
  double x[N], y[N], last = NAN;
  int from_x = 0, from_y, count_x = 0;
  memset(A, 0, sizeof A);
  memset(sum_x, 0, sizeof sum_x);
  for (int r = 0; r < ROWS; r++) {
    if (xs[r] != last) count_x = best_encode(last = xs[r], LO, HI, SIGMA, N, &from_x, x);
    const int count_y = best_encode(ys[r], LO, HI, SIGMA, N, &from_y, y);
    for (int i = 0; i < count_x; i++) {
      sum_x[from_x + i] += x[i];
      for (int j = 0; j < count_y; j++) A[from_x + i][from_y + j] += x[i] * y[j];
    }
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const double against = sum_x[i] - A[i][j] + 0.100 + 0.001 * best_uniform(&rng);
      A[i][j] += 0.025 + 0.001 * best_uniform(&rng);
      W[i][j] = (float)(A[i][j] / (A[i][j] + against));
    }
}

static void map_weights(void) {
  for (int i = 0; i < N; i++) {
    float sum = 0;
    best_order(W[i], N, rising[i]);
    for (int r = 0; r < N; r++)
      Q[i][rising[i][r]] = W[i][rising[i][r]] / (sum += W[i][rising[i][r]]);
  }
}

/* Algorithm 2: the power rule, or the amplitude rule. */
static void learn(bool amplitude) {
  float w[BEST_BESIDE][BEST_MOST], q[BEST_BESIDE][BEST_MOST];
  for (int i = 0; i < N; i += BEST_BESIDE) {
    for (int b = 0; b < BEST_BESIDE; b++)
      for (int r = 0; r < N; r++) {
        w[b][r] = W[i + b][rising[i + b][r]];
        q[b][r] = (float)fmin(1, fmax(FLOOR, 0.3 + 0.1 * normal()));
      }
    if (amplitude)
      best_amplitude(&rng, BEST_BESIDE, N, w, q, ITERATIONS);
    else
      best_learn(&rng, BEST_BESIDE, N, w, q, ITERATIONS, (float)RATE, (float)FLOOR);
    for (int b = 0; b < BEST_BESIDE; b++)
      for (int r = 0; r < N; r++) (amplitude ? R : L)[i + b][rising[i + b][r]] = q[b][r];
  }
}

static double sample_sd(double v, float (*release)[N]) {
  double x[N], sample[DRAWS], sum = 0, squares = 0;
  float effective[N][BEST_MOST] = {{0}};
  uint16_t threshold[N][BEST_MOST] = {{0}};
  int first, k = 0;
  const int count = best_encode(v, LO, HI, SIGMA, N, &first, x);
  for (int i = 0; i < count; i++) {
    if (x[i] <= ACTIVE) continue;
    sum += x[i];
    squares += x[i] * x[i];
  }
  const double divisor = fmax(1, sum * sum / squares);
  for (int i = 0; i < count; i++) {
    if (x[i] <= ACTIVE) continue;
    for (int j = 0; j < N; j++) {
      effective[k][j] = (float)x[i] * W[first + i][j];
      threshold[k][j] = best_threshold(release[first + i][j] / (float)divisor);
    }
    k++;
  }
  for (int d = 0; d < DRAWS;) {
    const int winner = best_draw(&rng, k, N, effective, threshold);
    if (winner >= 0) sample[d++] = center_of(winner);
  }
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
  learn(false);
  timed("learning");
  for (int i = 0; i < 2 * INPUTS; i++) sd[i] = sample_sd(value_of(i % INPUTS), i < INPUTS ? Q : L);
  timed("sampling");
  learn(true);
  timed("amplitude");
}

int main(int argc, char **argv) {
  best_seed(&rng, seed_of(argc, argv));
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
  return 0;
}
