/* ves_spike_trial: one trial, from event to event.
 *
 * The membranes, and why the first spike is the strongest transmitting synapse's, are in
 * ves_spike.c. Here are the events: an input spike, a release that arrives, a crossing, the pool's
 * inhibition, the end of a refractory period. Between two of them nothing happens that the closed
 * form does not know.
 *
 * Most outputs receive nothing in a trial and stay at rest, or have noise that decays: they never
 * fire, so that `live` lists the others, and only those are followed (ves_spike_state.c). Where every
 * output matters to a later input spike, because noise or inhibition stays on its membrane until
 * then, all are live. */
#include "ves_rng.h"
#include "ves_rng_private.h"
#include "ves_sample_private.h"
#include "ves_spike_private.h"
#include "ves_stop.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static bool queue_alloc(ves_spike_queue *q, size_t room) {
  q->room = room;
  q->time = malloc(room * sizeof *q->time);
  q->output = malloc(room * sizeof *q->output);
  return q->time != NULL && q->output != NULL;
}

static void queue_free(ves_spike_queue *q) {
  free(q->time);
  free(q->output);
}

static void push(ves_spike_queue *q, double time, size_t output) {
  const size_t at = (q->head + q->count++) % q->room;
  q->time[at] = time;
  q->output[at] = output;
}

static size_t pop(ves_spike_queue *q) {
  const size_t output = q->output[q->head];
  q->head = (q->head + 1) % q->room;
  q->count--;
  return output;
}

static double due(const ves_spike_queue *q) { return q->count > 0 ? q->time[q->head] : INFINITY; }

void ves_spike_free(ves_spike *s) {
  if (s == NULL) return;
  ves_sampler_free(s->sampler);
  queue_free(&s->pool);
  queue_free(&s->recovery);
  free(s->y);
  free(s->count);
  free(s->resting);
  free(s->live);
  free(s->arrival);
  free(s->receiver);
  free(s);
}

static bool is_duration(double t) { return t >= 1e-3 && t <= 1e6; }

static bool valid(const ves_spike_options *o) {
  return is_duration(o->membrane) && is_duration(o->synapse) && is_duration(o->decay) &&
         is_duration(o->refractory) && is_duration(o->window) && o->threshold > 0 &&
         isfinite(o->threshold) && o->gain >= 0 && isfinite(o->gain) && o->delay >= 0 &&
         o->delay <= 1e6 && o->strength >= 0 && o->noise >= 0 && isfinite(o->noise) &&
         o->jitter >= 0 && o->jitter <= 1e6 && o->sites > 0;
}

ves_status ves_spike_bare(size_t n, const ves_spike_options *opt, ves_spike **made) {
  *made = NULL;
  if (!valid(opt)) return VES_EDOMAIN;
  const double on_their_way = (double)n * (1 + ceil(opt->delay / opt->refractory));
  if (n == 0 || n > SIZE_MAX / 64 / sizeof(double) || on_their_way > 1e7) return VES_ESIZE;
  ves_spike *s = calloc(1, sizeof *s);
  if (s == NULL) return VES_ENOMEM;
  s->opt = *opt;
  s->n = n;
  s->y = calloc(7 * n, sizeof *s->y);
  s->count = calloc(3 * n, sizeof *s->count);
  s->resting = calloc(2 * n, sizeof *s->resting);
  s->live = calloc(2 * n, sizeof *s->live);
  s->arrival = calloc(n, sizeof *s->arrival);
  s->receiver = calloc(n, sizeof *s->receiver);
  const bool queues = queue_alloc(&s->pool, (size_t)on_their_way) && queue_alloc(&s->recovery, n);
  if (!queues || s->y == NULL || s->count == NULL || s->resting == NULL || s->live == NULL ||
      s->arrival == NULL || s->receiver == NULL) {
    ves_spike_free(s);
    return VES_ENOMEM;
  }
  s->listed = s->resting + n;
  s->place = s->count + n;
  s->since = s->count + 2 * n;
  s->able = s->live + n;
  s->site = s->y + n;
  s->v = s->y + 2 * n;
  s->e = s->y + 3 * n;
  s->first_of = s->y + 4 * n;
  s->second_of = s->y + 5 * n;
  s->earliest = s->y + 6 * n;
  s->per_weight = opt->gain / ves_spike_largest(opt->synapse, opt->membrane);
  s->per_volley = opt->strength / ves_spike_largest(opt->decay, opt->membrane);
  ves_spike_tabulate(s);
  *made = s;
  return VES_OK;
}

ves_status ves_spike_alloc(const double *effective, const double *release, const uint32_t *input,
                           size_t k, size_t n, const ves_spike_options *opt, ves_spike **made) {
  const ves_status status = ves_spike_bare(n, opt, made);
  if (status != VES_OK) return status;
  ves_spike *s = *made;
  double most = 0;
  for (size_t i = 0; i < k * n; i++)
    if (effective[i] > most) most = effective[i];
  s->sampler = ves_sampler_alloc(effective, release, input, k, n);
  if (s->sampler != NULL && isfinite(s->per_weight * most * (double)k)) return VES_OK;
  const ves_status why = s->sampler == NULL ? VES_ENOMEM : VES_ESIZE;
  ves_spike_free(s);
  *made = NULL;
  return why;
}

/* ---- events ---- */

static void enlist(ves_spike *s, size_t j) {
  if (s->listed[j]) return;
  s->listed[j] = true;
  s->since[j] = s->pasts;
  s->live[s->lives++] = j;
}

/* All outputs are at rest. */
static void quieten(ves_spike *s) {
  for (size_t k = 0; k < s->lives; k++) {
    const size_t j = s->live[k];
    s->v[j] = s->e[j] = 0.0;
    s->listed[j] = false;
    s->place[j] = 0;
  }
  s->lives = s->ables = s->pasts = s->arrivals = s->arrived = s->pool.count = 0;
  s->last_input = -1;
}

/* A current reaches an output. */
static void stir(ves_spike *s, size_t j, double current) {
  ves_spike_bring(s, j);
  s->e[j] += current;
  ves_spike_look(s, j);
}

/* What the synapses release at input spike `spike` of a draw, summed over sites, into y. */
static void release(ves_spike *s, uint64_t key, uint64_t draw) {
  ves_sampler_draw(s->sampler, key, draw, NULL, s->y);
  if (s->opt.sites == 1) return;
  const uint64_t others = ves_key_string(key, "site", 4);
  for (size_t site = 1; site < s->opt.sites; site++) {
    ves_sampler_draw(s->sampler, ves_key_integer(others, (int64_t)site), draw, NULL, s->site);
    for (size_t j = 0; j < s->n; j++) s->y[j] += s->site[j];
  }
  for (size_t j = 0; j < s->n; j++) s->y[j] /= (double)s->opt.sites;
}

/* Who receives something. */
static void list_receivers(ves_spike *s) {
  size_t count = 0;
  for (size_t j = 0; j < s->n; j++) {
    s->receiver[count] = (uint32_t)j;
    count += s->y[j] > 0;
  }
  s->receivers = count;
}

/* Uniform numbers at this input spike: of every output, or of those that receive something. */
static void draw_uniforms(ves_spike *s, uint64_t key, uint64_t draw, bool every) {
  const uint64_t own = ves_key_integer(ves_key_string(key, "membrane", 8), (int64_t)draw);
  if (every)
    ves_uniform_pairs(own, 0, s->n, s->first_of, s->second_of);
  else
    ves_uniform_pairs_at(own, s->receiver, s->receivers, s->first_of, s->second_of);
}

/* The standard deviation of the noise that has come since the last input spike. */
static double fresh_noise(const ves_spike *s) {
  const double since = s->last_input < 0 ? INFINITY : s->now - s->last_input;
  return s->opt.noise * sqrt(-expm1(-2 * since / s->opt.membrane));
}

/* An output that is not live and gets no current fires only if its noise does it alone, which a
 * uniform number below this rules out. */
static double harmless(const ves_spike *s, double fresh) {
  return 1 - 2 * erfc(s->opt.threshold / fresh * sqrt(0.5));
}

static void disturb(ves_spike *s, size_t j, double fresh) {
  if (s->resting[j]) return;
  enlist(s, j);
  ves_spike_bring(s, j);
  s->v[j] += fresh * gsl_cdf_ugaussian_Pinv(s->first_of[j] + 0x1p-54);
  ves_spike_look(s, j);
}

static void add_noise(ves_spike *s, double fresh, double below, bool every) {
  for (size_t k = 0; !every && k < s->receivers; k++) disturb(s, s->receiver[k], fresh);
  for (size_t j = 0; every && j < s->n; j++)
    if (s->listed[j] || s->y[j] > 0 || s->first_of[j] >= below) disturb(s, j, fresh);
}

/* By insertion: later arrivals stand later, equal ones by index. */
static void schedule(ves_spike *s, double time, size_t output, double current) {
  size_t at = s->arrivals++;
  for (; at > 0 && s->arrival[at - 1].time > time; at--) s->arrival[at] = s->arrival[at - 1];
  s->arrival[at] = (ves_spike_arrival){time, current, output};
}

/* The key of input spike `spike` of a trial. */
static uint64_t key_of(uint64_t key, size_t spike) {
  return spike > 0 ? ves_key_integer(ves_key_string(key, "spike", 5), (int64_t)spike) : key;
}

static void input_spike(ves_spike *s, uint64_t key, uint64_t draw, size_t spike) {
  key = key_of(key, spike);
  if (s->sampler != NULL) release(s, key, draw);
  const double fresh = s->opt.noise > 0 ? fresh_noise(s) : 0.0;
  const double below = s->opt.noise > 0 ? harmless(s, fresh) : 1.0;
  const bool every = below < 1 || (s->opt.noise > 0 && s->lives > 0);
  list_receivers(s);
  if (s->opt.noise > 0 || s->opt.jitter > 0) draw_uniforms(s, key, draw, every);
  if (s->opt.noise > 0) add_noise(s, fresh, below, every);
  for (; s->arrived < s->arrivals; s->arrived++) /* those that the next input spike overtakes */
    stir(s, s->arrival[s->arrived].output, s->arrival[s->arrived].current);
  s->arrivals = s->arrived = 0;
  for (size_t k = 0; k < s->receivers; k++) {
    const size_t j = s->receiver[k];
    const double current = s->y[j];
    enlist(s, j);
    if (s->opt.jitter > 0)
      schedule(s, s->now + s->opt.jitter * s->second_of[j], j, current);
    else
      stir(s, j, current);
  }
  s->last_input = s->now;
}

/* The pool's spikes reach the outputs. */
static void inhibit(ves_spike *s) {
  pop(&s->pool);
  if (!isinf(s->opt.strength)) {
    s->inhibition += s->per_volley;
    return;
  }
  quieten(s);
}

static void fire(ves_spike *s, size_t j, double *spikes, ves_spike_raster *raster,
                 ves_spike_result *result) {
  if (result->first == 0) {
    result->first = (uint32_t)j + 1;
    result->time = s->now;
  }
  result->spikes++;
  if (s->count[j]++ == 0) result->fired++;
  if (spikes != NULL) spikes[j] += 1.0;
  if (raster != NULL && raster->count++ < raster->room) {
    raster->time[raster->count - 1] = s->now;
    raster->output[raster->count - 1] = (uint32_t)j;
  }
  s->resting[j] = true;
  ves_spike_bring(s, j);
  ves_spike_look(s, j);
  push(&s->recovery, s->now + s->opt.refractory, j);
  if (s->opt.strength > 0) push(&s->pool, s->now + s->opt.delay, j);
}

/* A trial of `inputs` spikes of the input. */
static void begin(ves_spike *s, size_t inputs) {
  quieten(s);
  memset(s->count, 0, s->n * sizeof *s->count);
  memset(s->resting, 0, s->n * sizeof *s->resting);
  s->now = s->inhibition = 0.0;
  s->recovery.count = 0;
  if (inputs > 1 && (s->opt.noise > 0 || !isinf(s->opt.strength)))
    for (size_t j = 0; j < s->n; j++) enlist(s, j);
}

/* The refractory period that is over first ends. */
static void recover(ves_spike *s) {
  const size_t j = pop(&s->recovery);
  ves_spike_bring(s, j);
  s->resting[j] = false;
  ves_spike_look(s, j);
}

static double arrival_due(const ves_spike *s) {
  return s->arrived < s->arrivals ? s->arrival[s->arrived].time : INFINITY;
}

/* Where inhibition is full and comes at once, nothing is noisy and all outputs are at rest, the
 * strongest of those that receive something fires first [eq:spike-order] and silences all others:
 * only its crossing is looked for, and the other releases are not even drawn. Returns whether it
 * fires at the input spike that comes now, before `until`; if not, nothing has changed. */
static bool only_strongest(ves_spike *s, uint64_t key, uint64_t draw, size_t spike, double until,
                           double *spikes, ves_spike_raster *raster, ves_spike_result *result) {
  const ves_spike_options *o = &s->opt;
  if (!(isinf(o->strength) && o->delay == 0 && o->noise == 0 && o->jitter == 0 && o->sites == 1))
    return false;
  if (s->sampler == NULL || s->lives > 0 || s->recovery.count > 0 || s->pool.count > 0)
    return false;
  double y, t;
  const uint32_t winner = ves_sampler_strongest(s->sampler, key_of(key, spike), draw, &y);
  if (winner == 0 || !ves_spike_crosses(s, 0, y, until - s->now, &t)) return false;
  s->now += t;
  fire(s, winner - 1, spikes, raster, result);
  s->pool.count = 0; /* as inhibit leaves it */
  return true;
}

ves_status ves_spike_trial(ves_spike *s, uint64_t key, uint64_t draw, const double *times,
                           size_t count, double *spikes, ves_spike_raster *raster,
                           ves_spike_result *result) {
  const bool at_once = isinf(s->opt.strength) && s->opt.delay == 0; /* inhibition */
  size_t next = 0;
  begin(s, count);
  *result = (ves_spike_result){.time = INFINITY};
  if (raster != NULL) raster->count = 0;
  while (!ves_stopping()) {
    /* What is due now, inhibition first: nobody fires at the moment at which it arrives. */
    while (due(&s->pool) <= s->now) inhibit(s);
    while (due(&s->recovery) <= s->now) recover(s);
    if (next < count && times[next] <= s->now) {
      const double end =
          next + 1 < count && times[next + 1] < s->opt.window ? times[next + 1] : s->opt.window;
      if (only_strongest(s, key, draw, next, end, spikes, raster, result)) {
        next++;
        continue;
      }
    }
    while (next < count && times[next] <= s->now) input_spike(s, key, draw, next++);
    for (; arrival_due(s) <= s->now; s->arrived++)
      stir(s, s->arrival[s->arrived].output, s->arrival[s->arrived].current);
    if (s->ables == 0 && next == count && s->arrived == s->arrivals) return VES_OK;
    const double ahead[] = {due(&s->pool), due(&s->recovery), arrival_due(s),
                            next < count ? times[next] : INFINITY};
    double until = s->opt.window;
    for (size_t a = 0; a < sizeof ahead / sizeof *ahead; a++)
      if (ahead[a] < until) until = ahead[a];
    double t = until - s->now;
    const size_t j = ves_spike_first_to_fire(s, &t);
    if (j < s->n && at_once)
      s->now += t; /* states are about to vanish */
    else
      ves_spike_advance(s, j < s->n ? s->now + t : until);
    if (j < s->n)
      fire(s, j, spikes, raster, result);
    else if (until >= s->opt.window)
      return VES_OK;
  }
  return VES_ESTOPPED;
}

ves_status ves_spike_draws(ves_spike *s, uint64_t key, uint64_t first, size_t draws, double *spikes,
                           ves_spike_result *result) {
  static const double once = 0.0;
  for (size_t d = 0; d < draws; d++) {
    const ves_status status =
        ves_spike_trial(s, key, first + d, &once, 1, spikes, NULL, result + d);
    if (status != VES_OK) return status;
  }
  return VES_OK;
}
