/* The model in time: closed forms, a simulation with small steps, the draws of ves_sample. */
#include "greatest.h"
#include "support.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_spike.h"
#include "ves_spike_private.h"
#include "ves_stop.h"
#include <stdlib.h>
#include <string.h>

enum { N = 7, MOST = 130 };

static double uniform(uint64_t at, double lo, double hi) {
  double u, unused;
  ves_uniform_pairs(ves_key_root(18), at, 1, &u, &unused);
  return lo + (hi - lo) * u;
}

static const uint32_t only = 0;

static ves_spike *spike(const double *w, const double *q, size_t n, const ves_spike_options *opt) {
  ves_spike *s;
  return ves_spike_alloc(w, q, &only, 1, n, opt, &s) == VES_OK ? s : NULL;
}

/* ---- one potential ---- */

/* With tau_m = 2 tau_e the potential is a quadratic in exp(-t / tau_m); with tau_m = tau_e it is
 * t exp(-t / tau). [eq:spike-membrane] */
TEST potentials_in_closed_form(void) {
  ves_spike_options opt = ves_spike_defaults();
  for (double t = 0.01; t < 80; t *= 1.7) {
    opt.synapse = 10;
    const double x = exp(-t / 20);
    ASSERT_IN_RANGE(4 * (x - x * x), ves_spike_potential(&opt, t), 1e-14);
    opt.synapse = 20;
    ASSERT_IN_RANGE(t / 20 * exp(1 - t / 20), ves_spike_potential(&opt, t), 1e-14);
    const double equal = ves_spike_potential(&opt, t);
    opt.synapse = 20 * (1 + 1e-9);
    ASSERT_IN_RANGE(equal, ves_spike_potential(&opt, t), 1e-8);
  }
  ASSERT_EQ(0.0, ves_spike_potential(&opt, 0));
  opt.synapse = 5; /* peaks at tau_m tau_e / (tau_m - tau_e) log(tau_m / tau_e) */
  ASSERT_IN_RANGE(1, ves_spike_potential(&opt, 20 * 5 / 15.0 * log(4)), 1e-15);
  PASS();
}

/* [eq:spike-crossing] */
TEST crossing_in_closed_form(void) {
  ves_spike_options opt = ves_spike_defaults();
  opt.synapse = 10;
  double t, before = INFINITY;
  for (double peak = 10.001; peak < 1e5; peak *= 1.3) {
    ASSERT_EQ(VES_OK, ves_spike_latency(&opt, peak, &t));
    const double x = (1 + sqrt(1 - 10 / peak)) / 2;
    ASSERT_IN_RANGE(-20 * log(x), t, 1e-9);
    ASSERT(t < before);
    before = t;
  }
  ASSERT_EQ(VES_OK, ves_spike_latency(&opt, 9.999, &t));
  ASSERT(isinf(t));
  opt.window = 1; /* too short for this one */
  ASSERT_EQ(VES_OK, ves_spike_latency(&opt, 12, &t));
  ASSERT(isinf(t));
  PASS();
}

/* From any potential, tau_m = 2 tau_e: it fires if and only if the peak, in closed form, reaches
 * the threshold, and when the quadratic says. No crossing is lost to rounding. [eq:spike-crossing]
 */
TEST crossing_from_anywhere(void) {
  enum { DRAWS = 100000 };
  const double w = 1, q = 1;
  static double u[DRAWS], unused[DRAWS];
  ves_spike_options opt = ves_spike_defaults();
  opt.synapse = 10;
  opt.gain = 10.5;
  opt.noise = 3;
  ves_spike *s = spike(&w, &q, 1, &opt);
  static ves_spike_result result[DRAWS];
  ASSERT_EQ(VES_OK, ves_spike_draws(s, 2, 0, DRAWS, NULL, result));
  size_t fired = 0;
  for (uint64_t d = 0; d < DRAWS; d++) {
    ves_uniform_pairs(ves_key_integer(ves_key_string(2, "membrane", 8), (int64_t)d), 0, 1, u,
                      unused);
    const double v = 3 * gsl_cdf_ugaussian_Pinv(u[0]), c = 4 * 10.5; /* V = (v + c) x - c x^2 */
    const double root = (v + c) * (v + c) - 4 * c * 10;
    if (fabs(root) < 1e-6) continue;
    const bool reaches = root > 0 || v >= 10;
    ASSERT_EQ(reaches ? 1 : 0, result[d].first);
    fired += reaches;
    if (reaches && v < 10)
      ASSERT_IN_RANGE(-20 * log((v + c + sqrt(root)) / (2 * c)), result[d].time, 1e-7);
  }
  ASSERT(fired > DRAWS / 3 && fired < DRAWS * 2 / 3);
  ves_spike_free(s);
  PASS();
}

/* ---- small steps ---- */

/* The same network by the method of Runge and Kutta with steps of DT: nothing in common with the
 * core but the equations and the random numbers. */
#define DT   0.005
#define WAIT 1000 /* releases of an input spike that can wait */

typedef struct {
  double time[4096];
  size_t output[4096], count;
} train;

static double slope(const ves_spike_options *o, double v, double e, double i, double h) {
  return (-v + e * exp(-h / o->synapse) - i * exp(-h / o->decay)) / o->membrane;
}

static double stepped(const ves_spike_options *o, double v, double e, double i) {
  const double a = slope(o, v, e, i, 0), b = slope(o, v + DT / 2 * a, e, i, DT / 2),
               c = slope(o, v + DT / 2 * b, e, i, DT / 2), d = slope(o, v + DT * c, e, i, DT);
  return v + DT / 6 * (a + 2 * b + 2 * c + d);
}

static double peak_of(double tau, double membrane) {
  return pow(tau / membrane, membrane / (membrane - tau));
}

static uint64_t key_of(uint64_t key, size_t s) {
  return s == 0 ? key : ves_key_integer(ves_key_string(key, "spike", 5), (int64_t)s);
}

static void in_small_steps(const double *w, const double *q, const ves_spike_options *o,
                           uint64_t key, uint64_t draw, const double *times, size_t count,
                           train *out) {
  double v[N] = {0}, e[N] = {0}, rest[N] = {0}, y[N], noise[N], spread[N], inhibition = 0;
  double last = -1;
  static double due[WAIT], current[WAIT], pool[4096];
  static size_t to[WAIT];
  size_t waiting = 0, volleys = 0, inhibited = 0, next = 0;
  const double per_weight = o->gain / peak_of(o->synapse, o->membrane);
  ves_sampler *sampler = ves_sampler_alloc(w, q, &only, 1, N);
  out->count = 0;
  for (long step = 0; (double)step * DT < o->window; step++) {
    const double now = (double)step * DT;
    for (; inhibited < volleys && pool[inhibited] <= now; inhibited++)
      if (isinf(o->strength)) {
        memset(v, 0, sizeof v);
        memset(e, 0, sizeof e);
        waiting = 0;
        inhibited = volleys - 1;
        last = -1;
      } else {
        inhibition += o->strength / peak_of(o->decay, o->membrane);
      }
    for (; next < count && times[next] <= now; next++) {
      const uint64_t own = key_of(key, next);
      ves_sampler_draw(sampler, own, draw, NULL, y);
      ves_uniform_pairs(ves_key_integer(ves_key_string(own, "membrane", 8), (int64_t)draw), 0, N,
                        noise, spread);
      const double rho = last < 0 ? 0 : exp(-(times[next] - last) / o->membrane);
      for (size_t j = 0; j < N; j++) {
        if (rest[j] <= now)
          v[j] += o->noise * sqrt(1 - rho * rho) * gsl_cdf_ugaussian_Pinv(noise[j]);
        due[waiting] = now + o->jitter * spread[j];
        current[waiting] = per_weight * y[j];
        to[waiting++] = j;
      }
      last = times[next];
    }
    for (size_t a = 0; a < waiting; a++)
      if (due[a] <= now) {
        e[to[a]] += current[a];
        current[a] = 0;
      }
    for (size_t j = 0; j < N; j++)
      if (rest[j] <= now && v[j] >= o->threshold) {
        out->time[out->count] = now;
        out->output[out->count++] = j;
        pool[volleys++] = now + o->delay;
        rest[j] = now + o->refractory;
        v[j] = 0;
      }
    for (size_t j = 0; j < N; j++) {
      if (rest[j] <= now + DT / 2) v[j] = stepped(o, v[j], e[j], inhibition);
      e[j] *= exp(-DT / o->synapse);
    }
    inhibition *= exp(-DT / o->decay);
  }
  ves_sampler_free(sampler);
}

/* Spikes come from the same outputs in the same order and at the same times, but for an excursion
 * that just reaches the threshold, or two spikes within a step. [eq:spike-membrane]
 * [eq:spike-crossing] */
TEST as_in_small_steps(bool noisy, bool full) {
  enum { TRIALS = REPEATED(100) };
  static train small;
  static double time[4096];
  static uint32_t output[4096];
  size_t same = 0, spikes = 0;
  for (uint64_t d = 0; d < TRIALS; d++) {
    const uint64_t at = 40 * d + 20000 * (noisy + 2 * full);
    double w[N], q[N];
    const double times[] = {0, uniform(at + 20, 8, 15), uniform(at + 21, 18, 35)};
    ves_spike_options o = ves_spike_defaults();
    for (size_t j = 0; j < N; j++) {
      w[j] = uniform(at + j, 0.1, 1);
      q[j] = uniform(at + 10 + j, 0.3, 1);
    }
    o.membrane = uniform(at + 22, 8, 30);
    o.synapse = uniform(at + 23, 1.5, 7);
    o.decay = uniform(at + 24, 1.5, 14); /* shorter and longer than that of excitation */
    o.refractory = uniform(at + 25, 1, 6);
    o.delay = uniform(at + 26, 0, 3);
    if (!full) o.strength = uniform(at + 27, 1, 40);
    o.gain = ves_spike_gain(w, q, N, o.threshold) * uniform(at + 28, 0.3, 1.5);
    o.window = 45;
    if (noisy && d % 4 != 0) o.noise = uniform(at + 29, 0, 5); /* both, and either alone */
    if (noisy && d % 4 != 1) o.jitter = uniform(at + 30, 0, 2);
    ves_spike *s = spike(w, q, N, &o);
    ves_spike_raster raster = {time, output, 4096, 0};
    ves_spike_result result;
    double counts[N] = {0}, total = 0;
    ASSERT_EQ(VES_OK, ves_spike_trial(s, 3, d, times, 3, counts, &raster, &result));
    in_small_steps(w, q, &o, 3, d, times, 3, &small);
    bool agrees = raster.count == small.count;
    for (size_t c = 0; c < raster.count && agrees; c++)
      agrees = output[c] == small.output[c] && fabs(time[c] - small.time[c]) < 20 * DT;
    same += agrees;
    spikes += raster.count;
    for (size_t j = 0; j < N; j++) total += counts[j];
    ASSERT_EQ(raster.count, result.spikes);
    ASSERT_EQ((double)raster.count, total);
    if (raster.count > 0) {
      ASSERT_EQ(output[0] + 1, result.first);
      ASSERT_EQ(time[0], result.time);
    }
    for (size_t c = 1; c < raster.count; c++) ASSERT(time[c] >= time[c - 1]);
    ves_spike_free(s);
  }
  ASSERT(spikes > 3 * TRIALS);
  ASSERT(same >= TRIALS - TRIALS / 15);
  PASS();
}

/* A second output that fires, or not, under the inhibition of the first, with no event in between:
 * while inhibition lasts longer than excitation, and the potential comes back to rest from below;
 * and the other way round, where it falls before it rises. [eq:spike-crossing] */
TEST crossing_under_inhibition(bool lasting) {
  enum { CASES = REPEATED(300) };
  static train small;
  size_t twice = 0, differ = 0;
  for (uint64_t c = 0; c < CASES; c++) {
    const uint64_t at = 600000 + 10 * c + 5000 * lasting;
    const double w[N] = {1, uniform(at, 0.6, 0.95)}, q[N] = {1, 1}, once = 0;
    double time[8];
    uint32_t output[8];
    ves_spike_options o = ves_spike_defaults();
    o.synapse = uniform(at + 1, 1.5, 8);
    o.decay = o.synapse * (lasting ? uniform(at + 2, 1, 20) : uniform(at + 2, 0.2, 1));
    o.strength = lasting ? uniform(at + 3, 1, 10) : uniform(at + 3, 3, 30);
    o.refractory = 200; /* no recovery within the window */
    o.window = lasting ? 100 : 40;
    o.gain = uniform(at + 4, 15, 80);
    ves_spike *s = spike(w, q, N, &o);
    ves_spike_raster raster = {time, output, 8, 0};
    ves_spike_result result;
    ASSERT_EQ(VES_OK, ves_spike_trial(s, 3, c, &once, 1, NULL, &raster, &result));
    in_small_steps(w, q, &o, 3, c, &once, 1, &small);
    twice += small.count == 2;
    differ += raster.count != small.count ||
              (raster.count == 2 && fabs(time[1] - small.time[1]) > 10 * DT);
    ves_spike_free(s);
  }
  ASSERT(twice > CASES / 5);
  ASSERT(differ <= 1);
  PASS();
}

/* ---- the exact winner ---- */

/* Weights of many kinds: drawn, equal, neighbours in the last bit, zero, far apart. */
static void awkward(uint64_t at, double *w, double *q, size_t n) {
  for (size_t j = 0; j < n; j++) {
    w[j] = uniform(at + j, 0.01, 1);
    q[j] = uniform(at + MOST + j, 0, 0.4);
    if (at % 5 == 1) w[j] = 0.25;
    if (at % 5 == 2) w[j] = 0.7 + (double)(j % 3) * 0x1p-53;
    if (at % 5 == 3) w[j] = pow(10, -(double)(j % 60));
    if (at % 5 == 4 && j % 3 == 0) w[j] = 0;
  }
}

/* From rest the first to fire is the strongest that transmitted: the winner of the sampler, draw by
 * draw, and whatever delay and strength are; with full inhibition at once it fires alone.
 * [eq:spike-order] */
TEST first_is_the_winner(void) {
  enum { DRAWS = 300 };
  static double w[MOST], q[MOST];
  static uint32_t winner[DRAWS];
  static ves_spike_result result[DRAWS];
  for (uint64_t at = 0; at < REPEATED(40); at++) {
    const size_t n = 1 + (size_t)uniform(900000 + at, 0, MOST - 1);
    awkward(30000 + at, w, q, n);
    ves_sampler *sampler = ves_sampler_alloc(w, q, &only, 1, n);
    ASSERT_EQ(VES_OK, ves_sampler_winners(sampler, 4, at, DRAWS, winner));
    ves_spike_options opt = ves_spike_defaults();
    opt.membrane = uniform(910000 + at, 5, 40);
    opt.synapse = uniform(920000 + at, 1, 45);
    opt.gain = ves_spike_gain(w, q, n, opt.threshold);
    for (int late = 0; late < 2; late++) {
      if (late) opt.delay = 1.5, opt.strength = uniform(930000 + at, 0, 50);
      ves_spike *s = spike(w, q, n, &opt);
      ASSERT_EQ(VES_OK, ves_spike_draws(s, 4, at, DRAWS, NULL, result));
      for (size_t d = 0; d < DRAWS; d++) {
        ASSERT_EQ(winner[d], result[d].first);
        ASSERT_EQ(winner[d] == 0, isinf(result[d].time));
        if (!late) ASSERT_EQ((size_t)(winner[d] > 0), result[d].spikes);
        if (!late) ASSERT_EQ((size_t)(winner[d] > 0), result[d].fired);
      }
      ves_spike_free(s);
    }
    ves_sampler_free(sampler);
  }
  PASS();
}

/* Where only the strongest can fire, nothing else is followed: the spikes are those of the same trial
 * with a jitter that no time shows, in which everything is. Input spikes come in all intervals: with
 * outputs that are refractory, or still rising. */
TEST only_the_strongest_matters(void) {
  enum { K = 3, OUT = 40, TIMES = 300, ROOM = 2000 };
  static double w[K * OUT], q[K * OUT], times[TIMES], time[2][ROOM], spikes[2][OUT];
  static uint32_t output[2][ROOM];
  const uint32_t input[K] = {2, 3, 8};
  for (size_t i = 0; i < K * OUT; i++) {
    w[i] = i % 11 == 0 ? 0 : uniform(i, 0.01, 1);
    q[i] = uniform(1000 + i, 0, 0.2);
  }
  for (size_t i = 1; i < TIMES; i++) times[i] = times[i - 1] + pow(10, uniform(2000 + i, -2, 2));
  for (size_t gain = 10; gain <= 1000; gain *= 10) {
    ves_spike_options opt = ves_spike_defaults();
    ves_spike_result result[2];
    ves_spike_raster raster[2];
    opt.gain = (double)gain;
    opt.window = times[TIMES - 1] + 1;
    for (int all = 0; all < 2; all++) {
      ves_spike *s;
      opt.jitter = all ? 1e-300 : 0;
      raster[all] = (ves_spike_raster){.time = time[all], .output = output[all], .room = ROOM};
      memset(spikes[all], 0, sizeof spikes[all]);
      ASSERT_EQ(VES_OK, ves_spike_alloc(w, q, input, K, OUT, &opt, &s));
      ASSERT_EQ(VES_OK,
                ves_spike_trial(s, 7, 1, times, TIMES, spikes[all], &raster[all], &result[all]));
      ves_spike_free(s);
    }
    ASSERT(raster[0].count > TIMES / 4 && raster[0].count <= ROOM);
    ASSERT_EQ(raster[1].count, raster[0].count);
    ASSERT_MEM_EQ(time[1], time[0], raster[0].count * sizeof *time[0]);
    ASSERT_MEM_EQ(output[1], output[0], raster[0].count * sizeof *output[0]);
    ASSERT_MEM_EQ(spikes[1], spikes[0], sizeof spikes[0]);
    ASSERT_EQ(result[1].first, result[0].first);
    ASSERT_EQ(result[1].time, result[0].time);
    ASSERT_EQ(result[1].fired, result[0].fired);
  }
  PASS();
}

/* Several inputs at once: the strongest sum. */
TEST sums_of_several_inputs(void) {
  enum { DRAWS = 2000, K = 3 };
  static double w[K * 20], q[K * 20];
  static uint32_t winner[DRAWS];
  static ves_spike_result result[DRAWS];
  const uint32_t input[K] = {1, 4, 9};
  awkward(30005, w, q, K * 20);
  ves_sampler *sampler = ves_sampler_alloc(w, q, input, K, 20);
  ASSERT_EQ(VES_OK, ves_sampler_winners(sampler, 5, 0, DRAWS, winner));
  ves_spike_options opt = ves_spike_defaults();
  ves_spike *s;
  opt.gain = ves_spike_gain(w, q, K * 20, opt.threshold);
  ASSERT_EQ(VES_OK, ves_spike_alloc(w, q, input, K, 20, &opt, &s));
  ASSERT_EQ(VES_OK, ves_spike_draws(s, 5, 0, DRAWS, NULL, result));
  for (size_t d = 0; d < DRAWS; d++) ASSERT_EQ(winner[d], result[d].first);
  ves_spike_free(s);
  ves_sampler_free(sampler);
  PASS();
}

/* Draws do not depend on how they are divided among calls, nor on what was drawn before. */
TEST batches(void) {
  enum { DRAWS = 400 };
  static double w[20], q[20];
  static ves_spike_result all[DRAWS], part[DRAWS];
  awkward(30000, w, q, 20);
  ves_spike_options opt = ves_spike_defaults();
  opt.gain = ves_spike_gain(w, q, 20, opt.threshold);
  opt.delay = 1;
  opt.strength = 15;
  opt.noise = 2;
  opt.jitter = 0.5;
  opt.sites = 3;
  ves_spike *s = spike(w, q, 20, &opt);
  ASSERT_EQ(VES_OK, ves_spike_draws(s, 6, 100, DRAWS, NULL, all));
  for (size_t d = DRAWS; d > 0; d -= 25)
    ASSERT_EQ(VES_OK, ves_spike_draws(s, 6, 100 + d - 25, 25, NULL, part + d - 25));
  for (size_t d = 0; d < DRAWS; d++) {
    ASSERT_EQ(all[d].first, part[d].first);
    ASSERT_EQ(all[d].time, part[d].time);
    ASSERT_EQ(all[d].spikes, part[d].spikes);
    ASSERT_EQ(all[d].fired, part[d].fired);
  }
  ves_spike_free(s);
  PASS();
}

/* ---- sites, noise ---- */

/* With several sites the number that releases is binomial: the largest sum fires first. */
TEST sites(void) {
  enum { DRAWS = 500, SITES = 4 };
  const double w[3] = {0.5, 0.4, 0.35}, q[3] = {0.3, 0.5, 0.7};
  static ves_spike_result result[DRAWS];
  ves_spike_options opt = ves_spike_defaults();
  opt.sites = SITES;
  opt.gain = SITES * ves_spike_gain(w, q, 3, opt.threshold);
  ves_spike *s = spike(w, q, 3, &opt);
  ves_sampler *sampler = ves_sampler_alloc(w, q, &only, 1, 3);
  ASSERT_EQ(VES_OK, ves_spike_draws(s, 7, 0, DRAWS, NULL, result));
  for (uint64_t d = 0; d < DRAWS; d++) {
    double sum[3] = {0}, y[3];
    uint32_t best = 0;
    for (int64_t site = 0; site < SITES; site++) {
      const uint64_t key = site == 0 ? 7 : ves_key_integer(ves_key_string(7, "site", 4), site);
      ves_sampler_draw(sampler, key, d, NULL, y);
      for (size_t j = 0; j < 3; j++) sum[j] += y[j];
    }
    for (uint32_t j = 0; j < 3; j++)
      if (sum[j] > (best > 0 ? sum[best - 1] : 0)) best = j + 1;
    ASSERT_EQ(best, result[d].first);
  }
  ves_sampler_free(sampler);
  ves_spike_free(s);
  PASS();
}

/* Noise alone: an output that receives nothing fires at once if its potential is above threshold,
 * and otherwise never. */
TEST noise_alone(void) {
  enum { DRAWS = 20000 };
  const double w[2] = {1, 1}, q[2] = {0, 0};
  static ves_spike_result result[DRAWS];
  ves_spike_options opt = ves_spike_defaults();
  opt.noise = 8;
  opt.gain = 20;
  opt.strength = 0;
  ves_spike *s = spike(w, q, 2, &opt);
  double counts[2] = {0};
  ASSERT_EQ(VES_OK, ves_spike_draws(s, 8, 0, DRAWS, counts, result));
  const double p = gsl_cdf_ugaussian_Q(10.0 / 8);
  for (size_t j = 0; j < 2; j++)
    ASSERT(normal_p((counts[j] - p * DRAWS) / sqrt(DRAWS * p * (1 - p))) > SIGNIFICANCE);
  for (size_t d = 0; d < DRAWS; d++)
    if (result[d].first > 0) ASSERT_EQ(0.0, result[d].time);
  ves_spike_free(s);
  PASS();
}

/* ---- learning ---- */

/* Where everything that transmits is heard, and told by its latency, learning in time is the
 * amplitude rule, competition by amplitude. [eq:spike-learn] [eq:spike-latency] */
TEST learns_as_the_amplitude_rule(int algorithm) {
  enum { T = 3000, OUTPUTS = 25 };
  static uint32_t winner[T], expected[T];
  double w[OUTPUTS], q[OUTPUTS], r[OUTPUTS];
  for (size_t i = 0; i < OUTPUTS; i++) w[i] = i == 4 ? 0 : uniform(50000 + i, 0.02, 1);
  for (size_t i = 0; i < OUTPUTS; i++) q[i] = r[i] = 0.3;
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.algorithm = algorithm;
  opt.order = VES_ORDER_AMPLITUDE;
  opt.iterations = T;
  opt.winner = expected;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(OUTPUTS);
  ASSERT_EQ(VES_OK, ves_amplitude_row(w, OUTPUTS, &opt, 9, 2, 0, ws, r, NULL));
  ves_spike_options spikes = ves_spike_defaults();
  spikes.delay = 30;
  spikes.gain = ves_spike_gain(w, q, OUTPUTS, spikes.threshold);
  ASSERT_EQ(VES_OK, ves_spike_learn(w, OUTPUTS, &spikes, &opt, 9, 2, q, winner));
  for (size_t i = 0; i < OUTPUTS; i++) ASSERT_IN_RANGE(r[i], q[i], 1e-9);
  ASSERT_EQ(0.3, q[4]);
  for (size_t t = 0; t < T; t++) ASSERT_EQ(expected[t], winner[t]);
  ves_learn_workspace_free(ws);
  PASS();
}

/* The same with steps that stay, fall, and fall to a floor. [eq:amplitude-average] */
TEST steps_as_the_amplitude_rule(double decay, double rate_floor) {
  enum { OUTPUTS = 9 };
  double w[OUTPUTS], q[OUTPUTS], r[OUTPUTS];
  for (size_t i = 0; i < OUTPUTS; i++) w[i] = uniform(51000 + i, 0.02, 1);
  for (size_t i = 0; i < OUTPUTS; i++) q[i] = r[i] = 0.3;
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.order = VES_ORDER_AMPLITUDE;
  opt.average = false;
  opt.iterations = 20;
  opt.rate = 0.4;
  opt.decay = decay;
  opt.rate_floor = rate_floor;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(OUTPUTS);
  ASSERT_EQ(VES_OK, ves_amplitude_row(w, OUTPUTS, &opt, 11, 0, 0, ws, r, NULL));
  ves_spike_options spikes = ves_spike_defaults();
  spikes.delay = 30;
  spikes.gain = ves_spike_gain(w, q, OUTPUTS, spikes.threshold);
  ASSERT_EQ(VES_OK, ves_spike_learn(w, OUTPUTS, &spikes, &opt, 11, 0, q, NULL));
  for (size_t i = 0; i < OUTPUTS; i++) ASSERT_IN_RANGE(r[i], q[i], 1e-9);
  ves_learn_workspace_free(ws);
  PASS();
}

/* Inhibition that comes at once leaves nothing to hear: each that fires learns its own weight. */
TEST nothing_heard_without_delay(void) {
  const double w[4] = {0.4, 0.3, 0.2, 0.1};
  double q[4] = {0.3, 0.3, 0.3, 0.3};
  ves_amplitude_options opt = ves_amplitude_defaults();
  ves_spike_options spikes = ves_spike_defaults();
  spikes.gain = ves_spike_gain(w, q, 4, spikes.threshold);
  ASSERT_EQ(VES_OK, ves_spike_learn(w, 4, &spikes, &opt, 10, 0, q, NULL));
  for (size_t i = 0; i < 4; i++) ASSERT_EQ(1.0, q[i]);
  PASS();
}

/* ---- refusals ---- */

TEST refuses(void) {
  const double w[2] = {1, 0.5}, q[2] = {0.5, 0.5}, apart[2] = {1e200, 1e-200}, none[2] = {0, 0};
  double start[2] = {0.5, 0.5}, t;
  ves_spike *s;
  ves_spike_result result;
  ves_spike_options o = ves_spike_defaults();
  ASSERT_EQ(VES_EDOMAIN, ves_spike_learn(w, 2, &o, &(ves_amplitude_options){.iterations = 1}, 1, 0,
                                         start, NULL)); /* no gain */
  o.gain = 10;
  double *const positive[] = {&o.membrane,   &o.synapse,   &o.decay,
                              &o.refractory, &o.threshold, &o.window};
  double *const any[] = {&o.delay, &o.strength, &o.noise, &o.jitter, &o.gain};
  for (size_t i = 0; i < 6; i++) {
    const double was = *positive[i];
    *positive[i] = 0;
    ASSERT_EQ(VES_EDOMAIN, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
    ASSERT_EQ(VES_EDOMAIN, ves_spike_latency(&o, 20, &t));
    *positive[i] = was;
  }
  for (size_t i = 0; i < 5; i++) {
    const double was = *any[i];
    *any[i] = -1;
    ASSERT_EQ(VES_EDOMAIN, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
    *any[i] = NAN;
    ASSERT_EQ(VES_EDOMAIN, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
    *any[i] = was;
  }
  ASSERT_EQ(NULL, s);
  o.gain = ves_spike_gain(apart, q, 2, o.threshold);
  ASSERT_EQ(VES_ESIZE, ves_spike_alloc(apart, q, &only, 1, 2, &o, &s));
  o.gain = 10;
  o.delay = 1e6;
  o.refractory = 1e-3;
  ASSERT_EQ(VES_ESIZE, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
  ASSERT_EQ(0.0, ves_spike_gain(w, none, 2, 10));
  ASSERT_EQ(0.0, ves_spike_gain(none, q, 2, 10));
  o = ves_spike_defaults();
  o.gain = 40;
  s = spike(w, q, 2, &o);
  ves_stop(true);
  ASSERT_EQ(VES_ESTOPPED, ves_spike_draws(s, 1, 0, 1, NULL, &result));
  ves_stop(false);
  o.strength = 5;
  ASSERT_EQ(VES_EDOMAIN, ves_spike_learn(w, 2, &o, &(ves_amplitude_options){.iterations = 1}, 1, 0,
                                         start, NULL)); /* inhibition that is not full */
  ves_spike_free(s);
  ves_spike_free(NULL);
  PASS();
}

/* Options and sizes are refused beyond their limits, not at them. */
TEST limits(void) {
  const double w[2] = {1, 0.5}, q[2] = {0.5, 0.5};
  double start[2] = {0.5, 0.5};
  const ves_amplitude_options once = {.algorithm = 1, .iterations = 1, .average = true};
  ves_spike *s;
  ves_spike_options o = ves_spike_defaults();
  double *const durations[] = {&o.membrane, &o.synapse, &o.decay, &o.refractory, &o.window};
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
    const double was = *durations[i];
    static const double good[] = {1e-3, 1e6}, bad[] = {0.999e-3, 1.001e6};
    for (size_t v = 0; v < 2; v++) {
      *durations[i] = good[v];
      ASSERT_EQ(VES_OK, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
      ves_spike_free(s);
      *durations[i] = bad[v];
      ASSERT_EQ(VES_EDOMAIN, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
    }
    *durations[i] = was;
  }
  o.gain = o.delay = o.strength = o.noise = o.jitter = 0;
  s = spike(w, q, 2, &o);
  ASSERT(s != NULL);
  ves_spike_free(s);
  o.jitter = 1e6;
  s = spike(w, q, 2, &o);
  ASSERT(s != NULL);
  ves_spike_free(s);
  o.jitter = 1.001e6;
  ASSERT_EQ(VES_EDOMAIN, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
  o = ves_spike_defaults();
  o.gain = 10;
  o.refractory = 1;
  o.delay = 1e6;
  s = spike(w, q, 2, &o);
  ASSERT(s != NULL);
  ves_spike_free(s);
  o.delay = 1.001e6;
  ASSERT_EQ(VES_EDOMAIN, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
  /* ten million spikes on their way, ten million spikes heard */
  o.refractory = 0.125;
  o.delay = 4999999 * 0.125;
  s = spike(w, q, 2, &o);
  ASSERT(s != NULL);
  ves_spike_free(s);
  ASSERT_EQ(VES_ESIZE, ves_spike_learn(w, 2, &o, &once, 1, 0, start, NULL));
  o.delay = 4999998 * 0.125;
  ASSERT_EQ(VES_OK, ves_spike_learn(w, 2, &o, &once, 1, 0, start, NULL));
  o.delay = 5000000 * 0.125;
  ASSERT_EQ(VES_ESIZE, ves_spike_alloc(w, q, &only, 1, 2, &o, &s));
  PASS();
}

/* The short way to a crossing is the long one: the same answer and the same bits, from states of
 * every kind, also at limits right beside the crossing. [eq:spike-crossing] */
TEST shortcut_is_the_bisection(double membrane, double synapse, double decay, double window) {
  const double w[1] = {1}, q[1] = {1};
  ves_spike_options opt = ves_spike_defaults();
  opt.gain = 12;
  opt.membrane = membrane;
  opt.synapse = synapse;
  opt.decay = decay;
  opt.window = window;
  opt.strength = 10;
  ves_spike *s = spike(w, q, 1, &opt);
  ASSERT(s != NULL);
  size_t fired = 0;
  for (uint64_t c = 0; c < 8000; c++) {
    const double e = exp(uniform(4 * c, -0.5, 6)), v = c % 3 == 0 ? 0 : uniform(4 * c + 1, -15, 10);
    const double far = exp(uniform(4 * c + 2, log(window) - 9, log(window)));
    s->inhibition = c % 2 == 0 ? 0 : exp(uniform(4 * c + 3, -3, 5));
    double limit = far;
    for (int near = 0; near < 3; near++) {
      double t = 0, by_bisection = 0;
      const bool fires = ves_spike_bisect(s, v, e, limit, &by_bisection);
      ASSERT_EQ(fires, ves_spike_crosses(s, v, e, limit, &t));
      if (!fires) break;
      ASSERT_EQ(by_bisection, t);
      fired++;
      limit = near == 0 ? t : t - s->step[VES_SPIKE_LEVELS - 1].h;
    }
  }
  ASSERT(fired > 2000);
  ves_spike_free(s);
  PASS();
}

/* Currents so large that crossings are at the same point of the grid: the largest potential fires
 * first, then the largest current, then the lowest index, whoever was asked first. */
TEST ties(void) {
  enum { OUTPUTS = 4 };
  const double w[OUTPUTS] = {1, 1, 1, 1}, q[OUTPUTS] = {1, 1, 1, 1};
  static const double v[][OUTPUTS] = {{0, -5, 5, -6}, {5, -5, 5, 5}, {-6, 3, 3, 0}, {0, 0, 0, 0}};
  static const double current[][OUTPUTS] = {
      {10, 14, 4.5, 15}, {4.5, 14, 4.5, 4.4}, {15, 6, 6.1, 9}, {1, 3, 3, 2}};
  static const size_t first[] = {2, 0, 2, 1};
  ves_spike_options opt = ves_spike_defaults();
  opt.gain = 12;
  ves_spike *s = spike(w, q, OUTPUTS, &opt);
  for (size_t c = 0; c < 2 * sizeof first / sizeof *first; c++) {
    double limit = 50;
    for (size_t k = 0; k < OUTPUTS; k++) {
      const size_t j = c % 2 == 0 ? k : OUTPUTS - 1 - k; /* in either order */
      s->v[j] = s->e[j] = 0;
      ves_spike_look(s, j);
      s->v[j] = v[c / 2][j];
      s->e[j] = 1e16 * current[c / 2][j] / s->per_weight;
      ves_spike_look(s, j);
    }
    ASSERT_EQ(OUTPUTS, s->ables);
    ASSERT_EQ(first[c / 2], ves_spike_first_to_fire(s, &limit));
    ASSERT_EQ(s->step[VES_SPIKE_LEVELS - 1].h, limit);
  }
  ves_spike_free(s);
  /* where potentials rise along straight lines, the bound on when one can fire is when it does */
  opt.membrane = opt.synapse = 1e6;
  opt.window = 1e-3;
  s = spike(w, q, OUTPUTS, &opt);
  s->e[0] = 1e15 / s->per_weight;
  s->e[1] = (5e14 - 15000) / s->per_weight;
  s->v[1] = 5;
  ves_spike_look(s, 0);
  ves_spike_look(s, 1);
  double limit = 1e-3, alone;
  ASSERT_EQ(2, s->ables);
  ASSERT(s->earliest[0] < s->earliest[1]);
  ASSERT(ves_spike_crosses(s, 0, s->e[0], limit, &alone));
  ASSERT_EQ(1, ves_spike_first_to_fire(s, &limit));
  ASSERT_EQ(alone, limit);
  ves_spike_free(s);
  PASS();
}

/* A state that is asked for rarely is that of one asked for at every step, however many there are, and
 * what one step over the whole time gives. [eq:spike-membrane] */
TEST states_wait(double inhibition) {
  enum { STEPS = 3 * VES_SPIKE_PAST + 7 };
  const double w[3] = {1, 1, 1}, q[3] = {1, 1, 1};
  ves_spike_options opt = ves_spike_defaults();
  opt.gain = 12;
  opt.strength = 10;
  ves_spike *s = spike(w, q, 3, &opt);
  s->inhibition = inhibition;
  for (size_t j = 0; j < 3; j++) {
    s->live[s->lives++] = j;
    s->v[j] = -3;
    s->e[j] = j < 2 ? 0.5 : 0;
  }
  const ves_spike_step all = ves_spike_step_of(s, STEPS * 0x1p-4, true);
  for (size_t k = 1; k <= STEPS; k++) {
    ves_spike_advance(s, (double)k * 0x1p-4);
    ves_spike_bring(s, 0);
  }
  for (size_t j = 0; j < 3; j++) {
    const double e = j < 2 ? 0.5 : 0;
    ves_spike_bring(s, j);
    ASSERT_IN_RANGE(-3 * all.m + e * all.ke - inhibition * all.ki, s->v[j], 1e-12);
    ASSERT_IN_RANGE(e * all.e, s->e[j], 1e-15);
  }
  ASSERT_EQ(s->v[0], s->v[1]);
  ASSERT_EQ(s->e[0], s->e[1]);
  ves_spike_free(s);
  PASS();
}

/* Who is off the list when it is asked leaves its place to another, who is asked nevertheless. */
TEST places_are_taken(void) {
  const double w[3] = {1, 1, 1}, q[3] = {1, 1, 1};
  ves_spike_options opt = ves_spike_defaults();
  opt.gain = 12;
  ves_spike *s = spike(w, q, 3, &opt);
  s->v[1] = 9.9; /* can fire now, cannot a millisecond later */
  s->e[1] = 10.5 / s->per_weight;
  s->live[s->lives++] = 1;
  ves_spike_look(s, 1);
  ves_spike_advance(s, 1);
  s->v[0] = 9; /* seems to be the first */
  s->e[0] = 20 / s->per_weight;
  s->e[2] = 100 / s->per_weight; /* but is not */
  for (size_t j = 0; j < 3; j += 2) {
    s->since[j] = s->pasts;
    ves_spike_look(s, j);
  }
  ASSERT_EQ(3, s->ables);
  ASSERT(s->earliest[1] < s->earliest[2] && s->earliest[2] < s->earliest[0]);
  double limit = 50;
  ASSERT_EQ(2, ves_spike_first_to_fire(s, &limit));
  ASSERT_EQ(2, s->ables);
  ves_spike_free(s);
  PASS();
}

/* Time has no unit: with all durations a 64th, crossings come at a 64th of the time, to the bit. */
TEST crossings_scale_with_time(double synapse, double decay) {
  const double w[1] = {1}, q[1] = {1}, scale = 0x1p-6;
  ves_spike_options opt = ves_spike_defaults();
  opt.gain = 12;
  opt.strength = 10;
  opt.synapse = synapse;
  opt.decay = decay;
  ves_spike *slow = spike(w, q, 1, &opt);
  double *const durations[] = {&opt.membrane, &opt.synapse, &opt.decay, &opt.refractory,
                               &opt.window};
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) *durations[i] *= scale;
  ves_spike *fast = spike(w, q, 1, &opt);
  size_t fired = 0;
  for (uint64_t c = 0; c < 3000; c++) {
    const double e = exp(uniform(700000 + 4 * c, -0.5, 5));
    const double v = c % 3 == 0 ? 0 : uniform(700001 + 4 * c, -15, 10);
    slow->inhibition = fast->inhibition = c % 4 == 0 ? 0 : exp(uniform(700002 + 4 * c, -1, 5));
    double t = 0, scaled = 0;
    const bool fires = ves_spike_bisect(slow, v, e, 100, &t);
    ASSERT_EQ(fires, ves_spike_bisect(fast, v, e, 100 * scale, &scaled));
    if (fires) ASSERT_EQ(t * scale, scaled);
    fired += fires;
  }
  ASSERT(fired > 1000);
  ves_spike_free(slow);
  ves_spike_free(fast);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(potentials_in_closed_form);
  RUN_TEST(crossing_in_closed_form);
  RUN_TEST(crossing_from_anywhere);
  RUN_TESTp(as_in_small_steps, false, false);
  RUN_TESTp(as_in_small_steps, true, false);
  RUN_TESTp(as_in_small_steps, false, true);
  RUN_TESTp(as_in_small_steps, true, true);
  RUN_TESTp(crossing_under_inhibition, false);
  RUN_TESTp(crossing_under_inhibition, true);
  RUN_TESTp(shortcut_is_the_bisection, 20, 5, 10, 100);
  RUN_TESTp(shortcut_is_the_bisection, 20, 100, 10, 400);
  RUN_TESTp(shortcut_is_the_bisection, 20, 20, 20, 1e5);
  RUN_TESTp(shortcut_is_the_bisection, 16, 16, 16, 100);     /* the longest series */
  RUN_TESTp(shortcut_is_the_bisection, 20, 0.01, 1000, 1e6); /* where there is none */
  RUN_TEST(ties);
  RUN_TESTp(states_wait, 0);
  RUN_TESTp(states_wait, 20);
  RUN_TEST(places_are_taken);
  RUN_TESTp(crossings_scale_with_time, 5, 10);
  RUN_TESTp(crossings_scale_with_time, 10, 5);
  RUN_TEST(first_is_the_winner);
  RUN_TEST(only_the_strongest_matters);
  RUN_TEST(sums_of_several_inputs);
  RUN_TEST(batches);
  RUN_TEST(sites);
  RUN_TEST(noise_alone);
  RUN_TESTp(learns_as_the_amplitude_rule, 1);
  RUN_TESTp(learns_as_the_amplitude_rule, 2);
  RUN_TESTp(steps_as_the_amplitude_rule, 0, 0);
  RUN_TESTp(steps_as_the_amplitude_rule, 0.5, 0);
  RUN_TESTp(steps_as_the_amplitude_rule, 40, 0);
  RUN_TESTp(steps_as_the_amplitude_rule, 4, 0.2);
  RUN_TEST(nothing_heard_without_delay);
  RUN_TEST(refuses);
  RUN_TEST(limits);
  GREATEST_MAIN_END();
}
