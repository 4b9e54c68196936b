/* ves_spike_private: what trials and learning in time share. */
#ifndef VES_SPIKE_PRIVATE_H
#define VES_SPIKE_PRIVATE_H

#include "ves_sample.h"
#include "ves_spike.h"
#include <stdbool.h>

/* What a duration does to a state: V <- m V + ke E - ki I, E <- e E, I <- i I. The state has E in
 * units of weight, so that no rounding hides which of two weights is the larger; ke has the gain.
 */
typedef struct {
  double h, m, e, i, ke, ki;
} ves_spike_step;

/* A step that outputs have to take or have taken: what inhibition does in it, and what of the step
 * is known so far. */
typedef struct {
  ves_spike_step step;
  double less;
  bool leaks, known; /* m; all of it */
} ves_spike_past;

/* How many steps are remembered. */
#define VES_SPIKE_PAST 64

/* Halvings of the longest duration: crossings are known to 2^-48 of it. */
#define VES_SPIKE_LEVELS 48

/* The state of an output some time from now. */
typedef struct {
  double at, v, e, i;
} ves_spike_place;

static inline ves_spike_place ves_spike_after(const ves_spike_place *p, const ves_spike_step *h) {
  return (ves_spike_place){p->at + h->h, p->v * h->m + p->e * h->ke - p->i * h->ki, p->e * h->e,
                           p->i * h->i};
}

/* A release on its way. */
typedef struct {
  double time, current;
  size_t output;
} ves_spike_arrival;

/* First in, first out: times in ascending order, and whose they are. */
typedef struct {
  double *time;
  size_t *output;
  size_t room, head, count;
} ves_spike_queue;

struct ves_spike {
  ves_spike_options opt;
  size_t n;
  ves_sampler *sampler;          /* NULL: y is what is released, whoever asks */
  double per_weight, per_volley; /* currents of a weight of 1 and of one inhibitory volley */
  double rest_peak;              /* when a potential from rest peaks */
  ves_spike_step step[VES_SPIKE_LEVELS];
  size_t coarse;                 /* levels after which a short series is exact; see _cross.c */
  double rate_m, rate_e, rate_i; /* one over the time constants */
  double *y, *site;              /* what was released, by output */
  double *v, *e;      /* state, `since` steps of the past: potential, excitatory current */
  uint32_t *receiver; /* outputs to which something was released, ascending */
  size_t receivers;
  double *first_of, *second_of; /* uniforms of an input spike */
  double *earliest;             /* by place in `able`: the output does not fire before */
  size_t *count;                /* spikes so far, by output */
  bool *resting;                /* refractory */
  bool *listed;                 /* in `live` */
  size_t *live, lives;          /* outputs that can matter: all others are at rest for this trial */
  size_t *able, ables;          /* of these, outputs that can fire without further current */
  size_t *place;                /* 1 + where in `able`, by output; 0: not there */
  size_t *since;                /* steps of `past` that an output has taken */
  ves_spike_past past[VES_SPIKE_PAST];
  size_t pasts;
  ves_spike_arrival *arrival; /* sorted by time */
  size_t arrivals, arrived;
  ves_spike_queue pool, recovery; /* inhibition on its way; ends of refractory periods */
  double now, inhibition; /* inhibition: the current of the pool, the same at every output */
  double last_input;      /* time of the last input spike; negative: at rest since */
};

/* What a duration does, for any of them and for those of s->step; where nothing inhibits, i is 1 and
 * ki is 0. [eq:spike-membrane] */
ves_spike_step ves_spike_step_of(const ves_spike *s, double h, bool inhibited);
void ves_spike_tabulate(ves_spike *s);

/* What a current of 1 evokes after t > 0; ves_spike_potential is over its peak. */
double ves_spike_current(const ves_spike_options *opt, double t);

/* Whether an output in state (v, e) fires within `limit`, and when: by definition, and the same
 * with less work. *t is of no use where it does not. [eq:spike-crossing] */
bool ves_spike_bisect(const ves_spike *s, double v, double e, double limit, double *t);
bool ves_spike_crosses(const ves_spike *s, double v, double e, double limit, double *t);
double ves_spike_net_rises(const ves_spike_options *o, double e, double i);
void ves_spike_shorten(ves_spike *s);

/* The peak of the potential that a current of 1 evokes from rest. */
double ves_spike_largest(double tau, double membrane);

/* Goes on to a time at which nothing has happened yet; states follow when they are asked for. */
void ves_spike_advance(ves_spike *s, double until);

/* Brings the state of an output up to now. */
void ves_spike_bring(ves_spike *s, size_t j);

/* Lists an output whose state has changed, and is up to date, if it can fire without further
 * current, and when at the earliest; or takes it off the list. */
void ves_spike_look(ves_spike *s, size_t j);

/* Of those listed, the output that fires first within *limit, which becomes its time; n if none
 * does. [eq:spike-order] */
size_t ves_spike_first_to_fire(ves_spike *s, double *limit);

/* As ves_spike_alloc without synapses: trials use y as the caller left it. */
ves_status ves_spike_bare(size_t n, const ves_spike_options *opt, ves_spike **made);

#endif
