/* ves_spike_learn: the amplitude rule driven by spikes: what a synapse can know, and when.
 *
 * A synapse has a weight w_i and an amplitude a_i >= w_i, releases with w_i / a_i, and when it does
 * sends a_i (ves_amplitude.c). So outputs race with amplitudes, and "weaker" means "fires later".
 * The rule
 *
 *     a_i <- a_i + step (w_i + sum of a_j over weaker j that transmitted - a_i)     [eq:amplitude]
 *
 * asks a synapse for the amplitudes of the weaker ones that transmitted with it. They can be heard:
 * from rest an output that receives a fires when a gain f(t) = threshold, f being the potential
 * that a current evokes, so that a spike at time t after the input's stands for the amplitude
 *
 *     A(t) = threshold / (gain f(t)),                                            [eq:spike-latency]
 *
 * which falls with t until f peaks. A synapse that released, whose output has fired, adds up A(t)
 * of every spike it hears from then until the pool's inhibition ends the race, `delay` after the
 * first spike:
 *
 *     a_i <- a_i + step (w_i + sum of A(t) over t_i < t < t_first + delay - a_i)  [eq:spike-learn]
 *
 * What each synapse is assumed to know, all of it its own or the population's: its weight, its
 * amplitude, the time of its input's spike, whether it released, when its own output fired, and
 * when any other did, not who. Later spikes are of smaller amplitudes, so nothing heard counts more
 * than the listener's own. Of an output that fires again the first spike counts.
 *
 * The winner needs no delay, learning does: what has not fired when inhibition comes was
 * transmitted and is not heard, and a target without it is too small. With a delay beyond the
 * latest spike, without noise and jitter, the target is that of the amplitude rule (competition by
 * amplitude), with Algorithm 1 if only the first to fire learns and Algorithm 2 if all that fire
 * do; masks are those of ves_amplitude_row. */
#include "ves_order.h"
#include "ves_rng.h"
#include "ves_spike_private.h"
#include "ves_stop.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
  size_t *order, *rank; /* rank -> index, by weight: who owns which random byte; and back */
  double peak;          /* of the potential that a current of 1 evokes */
  double *amplitude, *updates, *heard, *time;
  uint32_t *output;
  uint64_t *mask;
  ves_thresholds tries; /* by rank */
  ves_spike *spike;
} learner;

static void learner_free(learner *l) {
  ves_spike_free(l->spike);
  ves_thresholds_free(&l->tries);
  free(l->order);
  free(l->amplitude);
  free(l->output);
  free(l->mask);
}

static ves_status learner_alloc(learner *l, size_t n, size_t room, const ves_spike_options *spike) {
  const ves_status status = ves_spike_bare(n, spike, &l->spike);
  if (status != VES_OK) return status;
  l->order = malloc(2 * n * sizeof *l->order);
  l->amplitude = calloc(2 * n + 2 * room, sizeof *l->amplitude);
  l->output = malloc(room * sizeof *l->output);
  l->mask = calloc((n + 63) / 64, sizeof *l->mask);
  if (!ves_thresholds_alloc(&l->tries, n) || l->order == NULL || l->amplitude == NULL ||
      l->output == NULL || l->mask == NULL)
    return VES_ENOMEM;
  l->rank = l->order + n;
  l->peak = ves_spike_largest(spike->synapse, spike->membrane);
  l->updates = l->amplitude + n;
  l->heard = l->updates + n;
  l->time = l->heard + room;
  return VES_OK;
}

/* The amplitude that a spike at time t stands for. [eq:spike-latency] */
static double told(const learner *l, double t) {
  const ves_spike_options *o = &l->spike->opt;
  return o->threshold / (o->gain * (t > 0 ? ves_spike_current(o, t) / l->peak : 0));
}

/* The step of a synapse's k-th update, in iteration t. [eq:amplitude-average] */
static double step_of(const ves_amplitude_options *o, uint64_t t, double k) {
  const double step = o->average     ? 1 / k
                      : o->decay > 0 ? o->rate / (1 + (double)t / o->decay)
                                     : o->rate;
  return step > o->rate_floor ? step : o->rate_floor;
}

/* Keeps the first spike of each output; returns how many there are. */
static size_t first_spikes(learner *l, ves_spike_raster *raster) {
  size_t kept = 0;
  for (size_t c = 0; c < raster->count && c < raster->room; c++) {
    bool again = false;
    for (size_t b = 0; b < kept && !again; b++) again = l->output[b] == l->output[c];
    if (again) continue;
    l->output[kept] = l->output[c];
    l->time[kept] = l->time[c];
    l->heard[kept++] = told(l, l->time[c]);
  }
  return kept;
}

/* What a synapse hears after its own spike, the c-th of `fired`. */
static double hears(const learner *l, size_t c, size_t fired, double own) {
  double sum = 0;
  for (size_t b = fired; b-- > c + 1;) sum += l->heard[b] < own ? l->heard[b] : own;
  return sum;
}

/* [eq:spike-learn] */
static void update(learner *l, const double *w, size_t c, size_t fired,
                   const ves_amplitude_options *opt, uint64_t t) {
  const size_t i = l->output[c];
  const double a = l->spike->y[i], target = w[i] + hears(l, c, fired, a);
  if (!(a > 0)) return; /* it fired, but this synapse had not released */
  l->updates[i] += 1;
  const double step = step_of(opt, t, l->updates[i]);
  const double moved = step < 1 ? a + step * (target - a) : target;
  l->amplitude[i] = moved > w[i] ? moved : w[i];
  ves_thresholds_set(&l->tries, l->rank[i], ves_amplitude_release(w[i], l->amplitude[i]));
}

static ves_status iterate(learner *l, const double *w, size_t n, const ves_amplitude_options *opt,
                          uint64_t t, uint64_t key, uint64_t draw, size_t room, uint32_t *winner) {
  static const double once = 0.0;
  ves_spike *s = l->spike;
  ves_mask_draw(&l->tries, key, draw, 0, l->mask);
  for (size_t r = 0; r < n; r++)
    s->y[l->order[r]] = l->mask[r / 64] >> (r % 64) & 1 ? l->amplitude[l->order[r]] : 0.0;
  ves_spike_raster raster = {.time = l->time, .output = l->output, .room = room};
  ves_spike_result result;
  const ves_status status = ves_spike_trial(s, key, draw, &once, 1, NULL, &raster, &result);
  if (status != VES_OK) return status;
  if (winner != NULL) winner[t] = result.first;
  const size_t fired = first_spikes(l, &raster);
  for (size_t c = 0; c < (opt->algorithm == 1 && fired > 1 ? 1 : fired); c++)
    update(l, w, c, fired, opt, t);
  return VES_OK;
}

ves_status ves_spike_learn(const double *w, size_t n, const ves_spike_options *spike,
                           const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                           double *q, uint32_t *winner) {
  if (!isinf(spike->strength) || spike->sites != 1 || !(spike->gain > 0)) return VES_EDOMAIN;
  learner l = {0};
  /* After the first spike an output can fire once more in every refractory time. */
  const double most = (double)n * (2 + floor(spike->delay / spike->refractory));
  ves_status status = most > 1e7 ? VES_ESIZE : learner_alloc(&l, n, (size_t)most, spike);
  if (status == VES_OK) ves_order_descending(w, n, l.order);
  for (size_t r = 0; r < n && status == VES_OK; r++) {
    const size_t i = l.order[r];
    l.rank[i] = r;
    l.amplitude[i] = w[i] > 0 ? ves_amplitude_of(w[i], q[i]) : 0.0;
    if (!isfinite(l.spike->per_weight * l.amplitude[i])) status = VES_ESIZE;
    ves_thresholds_set(&l.tries, r, ves_amplitude_release(w[i], l.amplitude[i]));
  }
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++)
    status = iterate(&l, w, n, opt, t, key, first + t, (size_t)most, winner);
  for (size_t i = 0; i < n && status == VES_OK; i++)
    if (w[i] > 0) q[i] = ves_amplitude_release(w[i], l.amplitude[i]);
  learner_free(&l);
  return status;
}
