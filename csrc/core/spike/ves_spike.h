/* ves_spike: the model in time. Outputs integrate, fire and inhibit each other; the first to fire
 * is the sample. [eq:spike-membrane] [eq:spike-order] */
#ifndef VES_SPIKE_H
#define VES_SPIKE_H

#include "ves_amplitude.h"
#include "ves_status.h"
#include <stddef.h>
#include <stdint.h>

/* Times in milliseconds, potentials in millivolts above rest. Where the defaults come from is said
 * in ves_spike.c. */
typedef struct {
  double membrane;   /* time constant of the membrane */
  double synapse;    /* time constant of excitatory currents */
  double decay;      /* time constant of inhibitory currents */
  double refractory; /* after a spike an output rests at 0 for so long */
  double threshold;  /* where an output fires */
  double gain;       /* peak of the potential that a weight of 1 evokes, alone and from rest */
  double delay;      /* from a spike of an output to the inhibition of all of them */
  double strength;   /* peak of the inhibitory potential of one spike; INFINITY: full, see below */
  double noise;      /* standard deviation of the membrane's potential when the input spikes */
  double jitter;     /* releases are spread evenly over so long */
  double window;     /* when a trial ends */
  size_t sites;      /* of a synapse, each releasing its share of the weight by itself */
} ves_spike_options;

/* No delay and full inhibition, no noise, no jitter, one site, 100 ms; `gain` is 0 and must be set.
 */
ves_spike_options ves_spike_defaults(void);

/* The gain at which the least of `count` effective weights that can transmit still evokes
 * VES_SPIKE_MARGIN times the threshold, so that whatever transmits can fire; 0 if none can. */
#define VES_SPIKE_MARGIN 1.2
double ves_spike_gain(const double *effective, const double *release, size_t count,
                      double threshold);

typedef struct ves_spike ves_spike;

/* Outputs and their synapses: k active inputs that spike together and n outputs, as in
 * ves_sampler_alloc. VES_EDOMAIN if an option is not what the struct says, VES_ESIZE if the
 * weights are too far apart for their currents to be numbers, or too many spikes could be on
 * their way to the inhibitory pool. */
ves_status ves_spike_alloc(const double *effective, const double *release, const uint32_t *input,
                           size_t k, size_t n, const ves_spike_options *opt, ves_spike **made);
void ves_spike_free(ves_spike *s);

/* What one trial came to. */
typedef struct {
  uint32_t first; /* 1 + the first output to fire, the sample; 0 if none did */
  double time;    /* of that spike; INFINITY if there was none */
  size_t spikes;  /* of all outputs until the window closed */
  size_t fired;   /* outputs that fired at least once */
} ves_spike_result;

/* The spikes of a trial in order of time: up to `room` of them are written, `count` are there. */
typedef struct {
  double *time;
  uint32_t *output; /* counting from 0 */
  size_t room, count;
} ves_spike_raster;

/* One trial: the inputs spike at `count` ascending times, from 0 to before the window's end. Input
 * spike s = 0, 1, ... of draw `draw` has the masks of ves_sampler_draw at (key_s, draw), key_0 =
 * key: one spike at time 0 is draw `draw` of ves_sampler_winners. Spikes of output j are added to
 * spikes[j] unless that is NULL; raster may be NULL too. VES_ESTOPPED if stopped from outside.
 * [eq:spike-order] */
ves_status ves_spike_trial(ves_spike *s, uint64_t key, uint64_t draw, const double *times,
                           size_t count, double *spikes, ves_spike_raster *raster,
                           ves_spike_result *result);

/* `draws` trials of one input spike each, draws first, first + 1, ... of the stream. */
ves_status ves_spike_draws(ves_spike *s, uint64_t key, uint64_t first, size_t draws, double *spikes,
                           ves_spike_result *result);

/* The potential that a current of peak 1 evokes at time t, alone and from rest, over its own peak:
 * rises from 0 to 1 and falls. [eq:spike-membrane] */
double ves_spike_potential(const ves_spike_options *opt, double t);

/* When a potential of peak `peak` reaches the threshold, alone and from rest; INFINITY if it does
 * not within the window. [eq:spike-crossing] */
ves_status ves_spike_latency(const ves_spike_options *opt, double peak, double *t);

/* The amplitude rule driven by spikes (ves_spike_learn.c): one input spike is one iteration.
 * Options as ves_amplitude_row, order, trace and updates aside; q holds the start on entry and w /
 * a on return; winner, unless NULL, has the first output of each iteration as above. Inhibition
 * must be full; spike->delay is how long the listening lasts. [eq:spike-learn] */
ves_status ves_spike_learn(const double *w, size_t n, const ves_spike_options *spike,
                           const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                           double *q, uint32_t *winner);

#endif
