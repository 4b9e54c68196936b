/* lves_spike: the model in time. The equations and the sources of the defaults are in ves_spike.c.
 */
#include "lves_amplitude.h"

#include "ves_spike.h"
#include <math.h>

/* ---- options ---- */

/* A duration or potential of key `name`; `least` is 0 where it may vanish. */
static double read_size(const lves_options *o, const char *name, double least, double otherwise) {
  const lves_arg arg = lves_key(o, name);
  const double value =
      lves_number_or(&arg, least > 0 ? LVES_POSITIVE : LVES_NONNEGATIVE, otherwise);
  if (!lves_absent(&arg) && (value < least || value > 1e6))
    lves_fail(&arg, "a number from %f to 1000000", least);
  lua_pop(o->L, 1);
  return value;
}

static double read_strength(const lves_options *o) {
  const lves_arg arg = lves_key(o, "strength");
  const double value = lves_absent(&arg)                          ? INFINITY
                       : lua_type(o->L, arg.index) == LUA_TNUMBER ? lua_tonumber(o->L, arg.index)
                                                                  : -1;
  if (!(value >= 0 && (isinf(value) || value <= 1e6)))
    lves_fail(&arg, "a number from 0 to 1000000, or math.huge for full inhibition");
  lua_pop(o->L, 1);
  return value;
}

/* The neurons alone; `gain` is 0 if it is not given. */
static ves_spike_options read_neuron(const lves_options *o) {
  ves_spike_options s = ves_spike_defaults();
  s.membrane = read_size(o, "membrane", 1e-3, s.membrane);
  s.synapse = read_size(o, "synapse", 1e-3, s.synapse);
  s.refractory = read_size(o, "refractory", 0.1, s.refractory);
  s.threshold = read_size(o, "threshold", 1e-3, s.threshold);
  s.window = read_size(o, "window", 1e-3, s.window);
  const lves_arg gain = lves_key(o, "gain");
  s.gain = lves_absent(&gain) ? 0.0 : lves_number(&gain, LVES_POSITIVE);
  return s;
}

static ves_spike_options read_all(const lves_options *o) {
  ves_spike_options s = read_neuron(o);
  const lves_arg sites = lves_key(o, "sites");
  s.sites = (size_t)lves_integer_or(&sites, 1, 1000000, 1);
  s.delay = read_size(o, "delay", 0, s.delay);
  s.strength = read_strength(o);
  s.decay = read_size(o, "decay", 1e-3, s.decay);
  s.noise = read_size(o, "noise", 0, 0);
  s.jitter = read_size(o, "jitter", 0, 0);
  return s;
}

/* ---- outputs and their synapses ---- */

static void release_spike(void *object) { ves_spike_free(object); }

/* Weights and releases as ves.draw takes them: of one input, or of several with their activities.
 */
typedef struct {
  lves_array w, q;
  const double *effective, *release;
  const uint32_t *input;
  size_t k;
} synapses;

static synapses read_synapses(const lves_options *o, const lves_arg *weights,
                              const lves_arg *releases) {
  static const uint32_t only = 0;
  const lves_arg x = lves_key(o, "x"), active = lves_key(o, "active");
  synapses s = {.w = lves_array_arg(weights, LVES_WEIGHT), .input = &only, .k = 1};
  if (!s.w.matrix) {
    const char *several = "no such key here: it belongs to several inputs, a matrix of weights";
    if (!lves_absent(&x)) lves_fail(&x, "%s", several);
    if (!lves_absent(&active)) lves_fail(&active, "%s", several);
    s.q = lves_vector_of(releases, LVES_PROBABILITY, s.w.cols);
    s.effective = s.w.data;
    s.release = s.q.data;
    return s;
  }
  s.q = lves_matrix_of(releases, LVES_PROBABILITY, s.w.rows, s.w.cols);
  const double *level = lves_vector_of(&x, LVES_ACTIVITY, s.w.rows).data;
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  s.input = lves_push_active(o->L, level, s.w.rows, threshold, &s.k);
  s.effective = lves_push_effective(o->L, &s.w, level, s.input, s.k);
  s.release = lves_push_rows(o->L, &s.q, s.input, s.k);
  return s;
}

/* Pushes a box with the outputs. */
static ves_spike *push_spike(const lves_options *o, const synapses *s, ves_spike_options *opt) {
  lua_State *L = o->L;
  const size_t n = s->w.cols;
  if (opt->gain == 0)
    opt->gain =
        (double)opt->sites * ves_spike_gain(s->effective, s->release, s->k * n, opt->threshold);
  lves_box *box = lves_push_box(L, 0, release_spike);
  ves_spike *made;
  const ves_status status =
      ves_spike_alloc(s->effective, s->release, s->input, s->k, n, opt, &made);
  if (status == VES_ESIZE)
    lves_error(L, o->fn,
               "weights or delay too large: expected currents that are numbers, and at most 1e7 "
               "spikes on their way to the inhibitory pool");
  lves_check(L, o->fn, status);
  box->object = made;
  return made;
}

/*** ves.spike.sample(w, q, options) -> index, time, spikes, fired, counts
 * Draws samples with spikes: one input spike, synapses that release or fail, outputs that integrate
 * and fire, and a pool that inhibits all of them when one has. The sample is the first output to
 * fire. Times are in milliseconds, potentials in millivolts above rest. Without noise and jitter
 * it is the winner of ves.sample with the same stream, draw by draw. [eq:spike-membrane]
 * [eq:spike-order]
 * @equation membrane dV/dt = -V + E - I, synapse dE/dt = -E, decay dI/dt = -I [eq:spike-membrane]
 * @param w vector of weights >= 0; or a matrix, one row per input, with x
 * @param q release probabilities like w
 * @key draws integer >= 1, default 1000
 * @key rng stream: moved on by the number of draws
 * @key delay number >= 0, default 0: from a spike to the inhibition of all outputs; 1 to 3 ms
 * through one interneuron
 * @key strength number >= 0, default math.huge: peak of the inhibitory potential of one spike;
 * math.huge holds all outputs at rest until the next input spike
 * @key decay number > 0, default 10: time constant of inhibition
 * @key membrane number > 0, default 20: time constant of the membrane
 * @key synapse number > 0, default 5: time constant of excitation
 * @key refractory number >= 0.1, default 5: how long an output rests after a spike
 * @key threshold number > 0, default 10
 * @key gain number > 0: peak of the potential that a weight of 1 evokes; by default the weakest
 * release reaches 1.2 times the threshold
 * @key noise number >= 0, default 0: standard deviation of the membrane's potential when the input
 * spikes
 * @key jitter number >= 0, default 0: releases are spread evenly over so long
 * @key window number > 0, default 100: when a draw ends
 * @key sites integer >= 1, default 1: of a synapse, each releasing its share of the weight
 * @key x vector of input activities >= 0, if w is a matrix
 * @key active number >= 0, default 0.001: inputs above it are active, if w is a matrix
 * @return vector: the first output to fire in each draw, counting from 1; 0 where none did
 * @return vector: when it fired; math.huge where none did
 * @return vector: spikes of all outputs in each draw
 * @return vector: how many outputs fired in each draw
 * @return vector: spikes of each output over all draws
 * @example w = ves.vector{0.5, 0.3, 0.2}; q = ves.release.analytic(w)
 * @example index, time, spikes, fired = ves.spike.sample(w, q, {draws = 10, delay = 2, rng = rng})
 * @example print(index, time, fired)
 */
static int spike_sample(lua_State *L) {
  static const char *const keys[] = {"draws",     "rng",   "membrane", "synapse", "refractory",
                                     "threshold", "gain",  "window",   "delay",   "strength",
                                     "decay",     "noise", "jitter",   "sites",   "x",
                                     "active",    NULL};
  const char *fn = "ves.spike.sample";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "w"), releases = lves_argument(L, fn, 2, "q");
  lves_array_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 3, true, keys);
  const lves_arg draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng");
  ves_spike_options opt = read_all(&o);
  const synapses syn = read_synapses(&o, &weights, &releases);
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000), n = syn.w.cols;
  lves_stream *r = lves_stream_arg(&rng);
  ves_spike_result *result = lves_scratch(L, count, sizeof *result);
  ves_spike *s = push_spike(&o, &syn, &opt);
  const int box = lua_gettop(L);
  double *index = lves_push_vector(L, count), *time = lves_push_vector(L, count),
         *spikes = lves_push_vector(L, count), *fired = lves_push_vector(L, count),
         *counts = lves_push_vector(L, n);
  const uint64_t first = lves_stream_take(&rng, r, (double)count);
  lves_check(L, fn, ves_spike_draws(s, r->key, first, count, counts, result));
  for (size_t d = 0; d < count; d++) {
    index[d] = result[d].first;
    time[d] = result[d].time;
    spikes[d] = (double)result[d].spikes;
    fired[d] = (double)result[d].fired;
  }
  lves_box_release(lua_touserdata(L, box));
  return 5;
}

/* ---- trains ---- */

/* Times of input spikes: ascending, within the window. */
static lves_array read_times(const lves_options *o, double window) {
  const lves_arg arg = lves_key(o, "times");
  const lves_array times = lves_vector_arg(&arg, LVES_NONNEGATIVE);
  for (size_t i = 0; i < times.cols; i++)
    if (times.data[i] >= window || (i > 0 && times.data[i] <= times.data[i - 1]))
      lves_fail_at(&arg, 0, i + 1, times.data[i],
                   "ascending times from 0 to before the end of the window");
  return times;
}

enum { RASTER_MAX = 1000000 };

static void push_raster(lua_State *L, const ves_spike_raster *raster) {
  const size_t count = raster->count < raster->room ? raster->count : raster->room;
  lua_createtable(L, 0, 2);
  double *time = lves_push_vector(L, count);
  for (size_t i = 0; i < count; i++) time[i] = raster->time[i];
  lua_setfield(L, -2, "time");
  double *output = lves_push_vector(L, count);
  for (size_t i = 0; i < count; i++) output[i] = raster->output[i] + 1;
  lua_setfield(L, -2, "output");
}

/*** ves.spike.rates(w, q, options) -> counts, raster
 * Spike counts of outputs that are driven by trains of input spikes. Each input spike is drawn
 * anew; potentials, currents and inhibition go on from one to the next, unless inhibition is full,
 * which leaves the outputs at rest. [eq:spike-membrane]
 * @param w vector of weights >= 0; or a matrix, one row per input, with x
 * @param q release probabilities like w
 * @key times vector of ascending times of input spikes, within the window
 * @key draws integer >= 1, default 1: trials, each with the same times
 * @key rng stream: moved on by the number of draws
 * @key delay, strength, decay, membrane, synapse, refractory, threshold, gain, noise, jitter,
 * window, sites, x, active: as in ves.spike.sample
 * @return matrix of spike counts, one row per trial and one column per output
 * @return table: time and output, the spikes of the first trial in order of time, up to a million
 * @example w = ves.vector{0.5, 0.3, 0.2}; q = ves.release.analytic(w)
 * @example counts, raster = ves.spike.rates(w, q, {times = {0, 40, 80, 120}, window = 200, rng =
 * rng})
 * @example print(counts, raster.time, raster.output)
 */
static int spike_rates(lua_State *L) {
  static const char *const keys[] = {"times",      "draws",     "rng",   "membrane", "synapse",
                                     "refractory", "threshold", "gain",  "window",   "delay",
                                     "strength",   "decay",     "noise", "jitter",   "sites",
                                     "x",          "active",    NULL};
  const char *fn = "ves.spike.rates";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "w"), releases = lves_argument(L, fn, 2, "q");
  lves_array_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 3, true, keys);
  const lves_arg draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng");
  ves_spike_options opt = read_all(&o);
  const lves_array times = read_times(&o, opt.window);
  const synapses syn = read_synapses(&o, &weights, &releases);
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1), n = syn.w.cols;
  lves_stream *r = lves_stream_arg(&rng);
  const double most = (double)n * (2 + floor(opt.window / opt.refractory));
  ves_spike_raster raster = {.room = most < RASTER_MAX ? (size_t)most : RASTER_MAX};
  raster.time = lves_scratch(L, raster.room, sizeof *raster.time);
  raster.output = lves_scratch(L, raster.room, sizeof *raster.output);
  ves_spike *s = push_spike(&o, &syn, &opt);
  const int box = lua_gettop(L);
  double *counts = lves_push_matrix(L, fn, count, n);
  const uint64_t first = lves_stream_take(&rng, r, (double)count);
  for (size_t d = 0; d < count; d++) {
    ves_spike_result result;
    lves_check(L, fn,
               ves_spike_trial(s, r->key, first + d, times.data, times.cols, counts + d * n,
                               d == 0 ? &raster : NULL, &result));
  }
  push_raster(L, &raster);
  lves_box_release(lua_touserdata(L, box));
  return 2;
}

/* ---- one output ---- */

/* Applies f to a number or to every element of a vector. */
static int each(lua_State *L, const char *fn, const char *name,
                ves_status (*f)(const ves_spike_options *opt, double x, double *y)) {
  static const char *const keys[] = {"membrane", "synapse", "threshold", "window", NULL};
  lves_arity(L, fn, 2);
  const lves_arg arg = lves_argument(L, fn, 1, name);
  const bool one = lua_type(L, 1) == LUA_TNUMBER;
  const double number = one ? lves_number(&arg, LVES_NONNEGATIVE) : 0.0;
  const lves_array x =
      one ? (lves_array){.rows = 1, .cols = 1} : lves_vector_arg(&arg, LVES_NONNEGATIVE);
  const lves_options o = lves_options_open(L, fn, 2, false, keys);
  ves_spike_options opt = ves_spike_defaults();
  opt.membrane = read_size(&o, "membrane", 1e-3, opt.membrane);
  opt.synapse = read_size(&o, "synapse", 1e-3, opt.synapse);
  opt.threshold = read_size(&o, "threshold", 1e-3, opt.threshold);
  opt.window = read_size(&o, "window", 1e-3, opt.window);
  double result = 0.0, *out = one ? &result : lves_push_vector(L, x.cols);
  LVES_EACH(L, fn, i, x.cols) lves_check(L, fn, f(&opt, one ? number : x.data[i], out + i));
  if (one) lua_pushnumber(L, result);
  return 1;
}

static ves_status potential(const ves_spike_options *opt, double t, double *v) {
  *v = ves_spike_potential(opt, t);
  return VES_OK;
}

/*** ves.spike.potential(t, options) -> number or vector
 * The potential that a release evokes in an output at rest, over its peak: rises from 0 to 1, and
 * falls. [eq:spike-membrane]
 * @equation proportional to exp(-t / membrane) - exp(-t / synapse) [eq:spike-membrane]
 * @param t number or vector of times >= 0 after the release, in milliseconds
 * @key membrane, synapse, threshold, window: as in ves.spike.sample
 * @return number or vector
 * @example print(ves.spike.potential({0, 1, 5, 10, 40}))
 */
static int spike_potential(lua_State *L) { return each(L, "ves.spike.potential", "t", potential); }

/*** ves.spike.latency(peak, options) -> number or vector
 * When an output at rest fires that a release of this peak reaches. [eq:spike-crossing]
 * @equation the t at which peak potential(t) = threshold [eq:spike-crossing]
 * @param peak number or vector of peaks >= 0 of the evoked potential, in millivolts
 * @key membrane, synapse, threshold, window: as in ves.spike.sample
 * @return number or vector of times in milliseconds; math.huge where it never fires
 * @example print(ves.spike.latency({11, 20, 100, 1000}))
 */
static int spike_latency(lua_State *L) {
  return each(L, "ves.spike.latency", "peak", ves_spike_latency);
}

/* ---- learning ---- */

/*** ves.spike.learn_in_time(w, options) -> q, index
 * The amplitude rule driven by spikes: outputs race with amplitudes, and a synapse that released and
 * whose output fired moves its amplitude toward its weight and what it hears until inhibition comes,
 * every later spike standing for the amplitude that fires at that time. With a delay beyond the
 * latest spike this is ves.release.learn with rule = "amplitude", order = "amplitude".
 * [eq:spike-learn] [eq:spike-latency]
 * @equation a <- a + rate (w + sum of A(t) over later spikes - a), A(t) = threshold / (gain
 * potential(t)) [eq:spike-learn]
 * @param w vector of weights >= 0, some > 0
 * @key iterations integer >= 1, default 5000: input spikes, each from rest
 * @key algorithm 1 (only the first to fire learns) or 2 (all that fire), default 2
 * @key rate number in (0, 1] or 'average', default 'average'
 * @key decay number > 0: the rate falls as rate / (1 + t/decay), t the iteration
 * @key rate_floor number in (0, 1]: a step that falls falls to this and no further
 * @key start number in (0, 1] or a vector like w, default 0.3: releases
 * @key delay number >= 0, default 10: how long after the first spike inhibition, which is full,
 * ends the race
 * @key membrane, synapse, refractory, threshold, gain, noise, jitter, window: as in
 * ves.spike.sample
 * @key rng stream: moved on by the number of iterations
 * @return vector of release probabilities
 * @return vector: the first output to fire in each iteration, 0 where none did
 * @example q, index = ves.spike.learn_in_time({0.5, 0.3, 0.2}, {iterations = 2000, rng = rng})
 * @example print(q)
 */
static int spike_learn(lua_State *L) {
  static const char *const keys[] = {"iterations", "algorithm", "rate",     "decay",   "rate_floor",
                                     "start",      "delay",     "membrane", "synapse", "refractory",
                                     "threshold",  "gain",      "window",   "noise",   "jitter",
                                     "rng",        NULL};
  const char *fn = "ves.spike.learn_in_time";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "w");
  const lves_array w = lves_vector_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 2, true, keys);
  const lves_arg start = lves_key(&o, "start"), rng = lves_key(&o, "rng");
  const ves_amplitude_options a = lves_read_amplitude(&o);
  if (a.iterations > LVES_SIZE_MAX) {
    const lves_arg iterations = lves_key(&o, "iterations");
    lves_fail(&iterations, "an integer from 1 to %d", LVES_SIZE_MAX);
  }
  ves_spike_options opt = read_neuron(&o);
  opt.delay = read_size(&o, "delay", 0, 10);
  opt.noise = read_size(&o, "noise", 0, 0);
  opt.jitter = read_size(&o, "jitter", 0, 0);
  const size_t count = (size_t)a.iterations;
  const bool several =
      lua_type(L, start.index) == LUA_TTABLE || lua_type(L, start.index) == LUA_TUSERDATA;
  const double *given = several ? lves_vector_of(&start, LVES_FRACTION, w.cols).data : NULL;
  const double same = several ? 0.0 : lves_number_or(&start, LVES_FRACTION, 0.3);
  lves_stream *r = lves_stream_arg(&rng);
  uint32_t *winner = lves_scratch(L, count, sizeof *winner);
  double *q = lves_push_vector(L, w.cols), *index = lves_push_vector(L, count);
  for (size_t i = 0; i < w.cols; i++) q[i] = several ? given[i] : same;
  if (opt.gain == 0) opt.gain = ves_spike_gain(w.data, q, w.cols, opt.threshold);
  if (opt.gain == 0) lves_fail(&weights, "some weight > 0");
  const uint64_t first = lves_stream_take(&rng, r, (double)count);
  const ves_status status = ves_spike_learn(w.data, w.cols, &opt, &a, r->key, first, q, winner);
  if (status == VES_ESIZE)
    lves_error(L, fn,
               "weights or delay too large: expected currents that are numbers, and at most "
               "1e7 spikes between two inhibitions");
  lves_check(L, fn, status);
  for (size_t t = 0; t < count; t++) index[t] = winner[t];
  return 2;
}

static const luaL_Reg functions[] = {
    {"sample", spike_sample},   {"rates", spike_rates},         {"potential", spike_potential},
    {"latency", spike_latency}, {"learn_in_time", spike_learn}, {NULL, NULL},
};

void lves_open_spike(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "spike");
}
