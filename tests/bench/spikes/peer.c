/* Races by spikes in good C without hand-written vectors, -O3 -march=native: what vesicle is compared
 * with, and what bounds it.
 *
 *   peer general SEED N TRIALS   event by event, as one would write a simulator of this network
 *   peer bound SEED N TRIALS     this job alone: until inhibition comes outputs do not feel each
 *                                other, so that each crossing is found by itself
 *
 * Both solve crossings by Newton's method, which cannot fail here (the potential is concave where it
 * rises), and draw with xoshiro256++. The job is that of job.lua: one input spike, releases by the
 * mapping, noise on the membranes, jitter, and full inhibition a while after the first spike. Prints
 * `seconds<TAB>value` and `check<TAB>name<TAB>value`. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double tau_m = 20, tau_e = 5, threshold = 10, noise = 1, jitter = 0.02, delay = 0.5;
static size_t n;
static double *w, *q, *v, *e, *when, per_weight;

/* ---- random numbers: Blackman and Vigna, doi:10.1145/3460772 ---- */

static uint64_t state[4];
static uint64_t rotated(uint64_t x, int k) { return x << k | x >> (64 - k); }

static double uniform(void) {
  const uint64_t result = rotated(state[0] + state[3], 23) + state[0], t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = rotated(state[3], 45);
  return (double)(result >> 11) * 0x1p-53;
}

static double normal(void) {
  static double spare;
  static int there;
  if (there) return there = 0, spare;
  const double r = sqrt(-2 * log(1 - uniform())), angle = 6.283185307179586 * uniform();
  spare = r * sin(angle);
  there = 1;
  return r * cos(angle);
}

/* ---- the model ---- */

static double weight(size_t j) {
  const double y = n > 1 ? 6.0 * (double)j / (double)(n - 1) - 3 : 0;
  const double a = (y + 1.2) / 0.45, b = (y - 1.1) / 0.7;
  return 0.6 * exp(-a * a / 2) + 0.4 * exp(-b * b / 2);
}

static int descending(const void *a, const void *b) {
  const double x = **(double *const *)a, y = **(double *const *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void prepare(void) {
  double most = 0, sum = 0, **order = malloc(n * sizeof *order);
  w = malloc(5 * n * sizeof *w);
  q = w + n, v = q + n, e = v + n, when = e + n;
  for (size_t j = 0; j < n; j++) most = fmax(most, w[j] = weight(j));
  for (size_t j = 0; j < n; j++) {
    w[j] = fmax(w[j], 0.01 * most);
    order[j] = w + j;
  }
  qsort(order, n, sizeof *order, descending);
  for (size_t r = n; r-- > 0;) {
    sum += *order[r];
    q[order[r] - w] = *order[r] / sum;
  }
  const double gain = 1.2 * threshold / *order[n - 1];
  per_weight = gain / pow(tau_e / tau_m, tau_m / (tau_m - tau_e));
  free(order);
}

/* How long from (v, e) to the threshold; INFINITY if that is not reached within `limit`. */
static double crossing(double v0, double e0, double limit) {
  const double ratio = tau_e / (tau_m - tau_e);
  double h = 0;
  if (v0 >= threshold) return 0;
  for (int i = 0; i < 100; i++) {
    const double m = exp(-h / tau_m), s = exp(-h / tau_e);
    const double at = v0 * m + e0 * ratio * (m - s), slope = (e0 * s - at) / tau_m;
    if (!(slope > 0)) return INFINITY;
    const double move = (threshold - at) / slope;
    h += move;
    if (h > limit) return INFINITY;
    if (move < 1e-13 * h) return h;
  }
  return h;
}

typedef struct {
  size_t first, fired;
  double time;
} result;

/* ---- this job alone ---- */

static result race(void) {
  result r = {.first = n, .time = INFINITY};
  size_t racing = 0;
  for (size_t j = 0; j < n; j++) {
    if (uniform() >= q[j]) continue;
    const double arrives = jitter * uniform(), v0 = noise * normal() * exp(-arrives / tau_m);
    const double current = per_weight * w[j];
    /* no sooner than a straight line of the first slope */
    if (arrives + tau_m * (threshold - v0) / (current - v0) > r.time + delay) continue;
    const double t = arrives + crossing(v0, current, 100);
    when[racing++] = t;
    if (t < r.time) r.time = t, r.first = j;
  }
  for (size_t k = 0; k < racing; k++) r.fired += when[k] < r.time + delay;
  return r;
}

/* ---- event by event ---- */

static result simulate(void) {
  result r = {.first = n, .time = INFINITY};
  double now = 0, end = 100;
  for (size_t j = 0; j < n; j++) {
    v[j] = noise * normal();
    e[j] = 0;
    when[j] = uniform() < q[j] ? jitter * uniform() : INFINITY; /* arrivals */
  }
  for (;;) {
    double until = end, least = INFINITY;
    size_t next = n, best = n;
    for (size_t j = 0; j < n; j++)
      if (when[j] < until) until = when[j], next = j;
    for (size_t j = 0; j < n; j++) {
      if (!(e[j] > threshold)) continue;
      const double t = crossing(v[j], e[j], fmin(until - now, least));
      if (t < least) least = t, best = j;
    }
    const double h = best < n ? least : until - now, m = exp(-h / tau_m), s = exp(-h / tau_e);
    const double k = tau_e / (tau_m - tau_e) * (m - s);
    for (size_t j = 0; j < n; j++) {
      v[j] = v[j] * m + e[j] * k;
      e[j] *= s;
    }
    now += h;
    if (best < n) {
      if (r.first == n) r.first = best, r.time = now, end = now + delay;
      r.fired++;
      e[best] = v[best] = 0; /* refractory until after the end */
    } else if (next < n) {
      e[next] += per_weight * w[next];
      when[next] = INFINITY;
    } else
      return r;
  }
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  uint64_t seed = strtoull(argv[2], NULL, 10);
  for (int i = 0; i < 4; i++) { /* splitmix64 */
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    state[i] = z ^ z >> 31;
  }
  n = strtoul(argv[3], NULL, 10);
  const size_t trials = strtoul(argv[4], NULL, 10);
  result (*const run)(void) = strcmp(argv[1], "bound") == 0 ? race : simulate;
  double index = 0, squares = 0, time = 0, fired = 0, late = 0;
  prepare();
  const clock_t start = clock();
  for (size_t d = 0; d < trials; d++) {
    const result r = run();
    if (r.first == n) {
      late++;
      continue;
    }
    const double y = (double)(r.first + 1) / (double)n;
    index += y;
    squares += y * y;
    time += r.time;
    fired += (double)r.fired;
  }
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC, there = (double)trials - late;
  printf("seconds\t%.9g\n", seconds / (double)trials);
  printf("check\toutputs\t%zu\n", n);
  printf("check\tplace\t%.9g\ncheck\tsquare\t%.9g\n", index / there, squares / there);
  printf("check\ttime\t%.9g\ncheck\tfired\t%.9g\n", time / there, fired / there);
  free(w);
  return 0;
}
