/* ves_spike: the race behind lateral inhibition, with spikes, in continuous time.
 *
 * One spike of the input reaches n outputs. Each synapse releases or fails as in a draw of
 * ves_sample (the same random bits); an output that receives w_j gets a current, and with V its
 * potential above rest, E its excitatory and I the inhibitory current (both in mV: times the
 * membrane's resistance)
 *
 *     tau_m dV/dt = -V + E - I,     tau_e dE/dt = -E,     tau_i dI/dt = -I.     [eq:spike-membrane]
 *
 * At V = threshold it fires, is reset to rest and stays there for the refractory time. Every output
 * spike excites an inhibitory pool, which `delay` later inhibits all outputs alike. The first
 * output to fire is the sample.
 *
 * WHAT IS EXACT. Over a duration h the solution is V(h) = V m + E k_e - I k_i with m =
 * exp(-h/tau_m) and k_x = tau_x / (tau_m - tau_x) (exp(-h/tau_m) - exp(-h/tau_x)) >= 0, so the
 * simulation goes from event to event (release, crossing, inhibition, recovery) and has no time
 * step. Of two outputs that start alike and feel the same inhibition the one with the larger
 * current has the larger potential at every time, and reaches the threshold first [eq:spike-order]:
 * from rest, the first spike is that of the strongest transmitting synapse, whatever tau, gain,
 * delay and strength are, as long as the gain lets it reach the threshold at all. The winner is
 * then that of ves_sampler_winners, bit for bit. Delay and strength decide only who fires after it;
 * noise and jitter make outputs start unlike each other.
 *
 * CROSSING. With E, I >= 0 and V(0) < threshold, V rises in one interval at most before it can have
 * crossed: where V' = 0, tau_m V'' = (E - I)'. If tau_i >= tau_e, E - I falls while it is positive,
 * so that such a point is a maximum, and once E - I < 0 it stays so. If tau_i < tau_e, E - I may
 * rise first, where such points are minima, and falls ever after a time known in closed form, where
 * they are maxima. So a crossing comes before the one maximum and V is below threshold before it,
 * and two bisections, one for the maximum, one for the crossing, cannot fail. They halve one
 * duration, the same for all outputs, 48 times; the state at a point of this grid follows from that
 * at an earlier one by a tabulated step, without an exponential. Floating-point products with a
 * number >= 0 and sums are monotone, so that of two states that are ordered in V and E the larger
 * one takes the left half wherever the smaller one does: computed crossing times are in the right
 * order or equal, also in the last bit. Equal times go to the larger potential, then to the larger
 * current, then to the lower index. Exponentials are the C library's: one machine gives the same
 * times whichever compiler, another library may differ in the last bits of a time, not in a winner
 * from rest. The bisections are the definition; ves_spike_cross.c comes to the same point of the
 * grid without most of them.
 *
 * FULL INHIBITION (strength = INFINITY) holds all outputs at rest and lets their currents run off,
 * until the next input spike. A finite one is a current; its peak potential is `strength`.
 *
 * NOISE is what is on a membrane when the input spikes: a normal deviate of standard deviation
 * `noise` for each output, which then decays with tau_m like any potential. This is the stationary
 * law of a membrane under white noise, seen at the input's spikes; between them the mean path is
 * followed, so that the closed forms hold. JITTER spreads the releases of an input spike evenly
 * over `jitter` ms, each output's for itself.
 *
 * UNITS AND SOURCES. tau_m = 20 ms, tau_e = 5 ms, tau_i = 10 ms, 5 ms refractory, threshold 10 mV
 * above rest (which is also where a spike resets to: -60 and -50 mV): Vogels and Abbott (2005),
 * doi:10.1523/JNEUROSCI.3508-05.2005, the network that Brette et al. (2007),
 * doi:10.1007/s10827-007-0038-6, made the benchmark of simulators. Inhibition through one
 * interneuron follows excitation by 1 to 3 ms: Pouille and Scanziani (2001),
 * doi:10.1126/science.1060342; the default, 0, is the limit in which one output fires and no other.
 * Potentials evoked by single connections between cortical neurons spread over two orders of
 * magnitude: Song et al. (2005), doi:10.1371/journal.pbio.0030068; so do the weights of a row here.
 *
 * DALE'S LAW holds: outputs and inputs excite, the pool inhibits, no cell does both. WHAT IS LOCAL:
 * an output knows its own potential, a synapse its own weight and release; all that outputs tell
 * each other is spikes, through one pool that need not know whose they were. */
#include "ves_spike_private.h"
#include <math.h>

ves_spike_options ves_spike_defaults(void) {
  return (ves_spike_options){.membrane = 20,
                             .synapse = 5,
                             .decay = 10,
                             .refractory = 5,
                             .threshold = 10,
                             .strength = INFINITY,
                             .window = 100,
                             .sites = 1};
}

double ves_spike_gain(const double *effective, const double *release, size_t count,
                      double threshold) {
  double least = INFINITY;
  for (size_t i = 0; i < count; i++)
    if (effective[i] > 0 && release[i] > 0 && effective[i] < least) least = effective[i];
  return isinf(least) ? 0.0 : VES_SPIKE_MARGIN * threshold / least;
}

/* ---- the membrane between events ---- */

/* k_x after a duration h, of which decays and leaks by exponentials that are known; the two forms of
 * it are each accurate where they are used. */
static double evoked(double h, double tau, double membrane, double decays, double leaks) {
  const double x = h / membrane - h / tau;
  if (x == 0) return h / membrane * leaks;
  if (fabs(x) < 1) return h / membrane * leaks * (expm1(x) / x);
  return h / membrane / x * (decays - leaks);
}

/* The largest k_x: tau / membrane to the power membrane / (membrane - tau). */
double ves_spike_largest(double tau, double membrane) {
  const double r = (membrane - tau) / tau;
  return exp(r == 0 ? -1.0 : -(1 + 1 / r) * log1p(r));
}

/* [eq:spike-membrane] */
ves_spike_step ves_spike_step_of(const ves_spike *s, double h, bool inhibited) {
  const ves_spike_options *o = &s->opt;
  const double m = exp(-h / o->membrane), e = exp(-h / o->synapse);
  ves_spike_step step = {.h = h, .m = m, .e = e, .i = 1};
  step.ke = s->per_weight * evoked(h, o->synapse, o->membrane, e, m);
  if (!inhibited) return step;
  step.i = exp(-h / o->decay);
  step.ki = evoked(h, o->decay, o->membrane, step.i, m);
  return step;
}

double ves_spike_current(const ves_spike_options *opt, double t) {
  return evoked(t, opt->synapse, opt->membrane, exp(-t / opt->synapse), exp(-t / opt->membrane));
}

double ves_spike_potential(const ves_spike_options *opt, double t) {
  return t > 0 ? ves_spike_current(opt, t) / ves_spike_largest(opt->synapse, opt->membrane) : 0;
}

/* ---- crossings ---- */

/* The last point of the grid up to `limit` to which V rises, pulled by a current that excites:
 * beyond it V has begun to fall for good, or only comes back to rest from below. What it does up
 * to `hold` does not count. */
static double last_rise(const ves_spike *s, ves_spike_place p, double hold, double limit) {
  for (size_t k = 0; k < VES_SPIKE_LEVELS; k++) {
    const ves_spike_place next = ves_spike_after(&p, s->step + k);
    const double net = s->per_weight * next.e - next.i;
    if (next.at <= limit && (next.at <= hold || (net > next.v && net > 0))) p = next;
  }
  return p.at;
}

/* How long E - I rises before it falls; negative if E - I will not be positive again. */
double ves_spike_net_rises(const ves_spike_options *o, double e, double i) {
  const double falls = e / o->synapse, lifts = i / o->decay;
  if (lifts <= falls) return 0;
  return o->decay < o->synapse ? log(lifts / falls) / (1 / o->decay - 1 / o->synapse) : -1;
}

/* Whether an output in state (v, e) fires within `limit`, and when. [eq:spike-crossing] */
bool ves_spike_bisect(const ves_spike *s, double v, double e, double limit, double *t) {
  const double threshold = s->opt.threshold, i = s->inhibition;
  *t = 0;
  if (v >= threshold) return true;
  if (!(s->per_weight * e > threshold)) return false; /* V follows E - I, cannot overtake it */
  ves_spike_place p = {0, v, e, i};
  double top = s->rest_peak < limit ? s->rest_peak : limit;
  if (v != 0 || i != 0) {
    const double hold = i > 0 ? ves_spike_net_rises(&s->opt, s->per_weight * e, i) : 0;
    if (hold < 0 || (hold == 0 && s->per_weight * e - i <= v)) return false;
    top = last_rise(s, p, hold, limit);
  }
  bool above = false; /* at some point up to top */
  for (size_t k = 0; k < VES_SPIKE_LEVELS; k++) {
    const ves_spike_place next = ves_spike_after(&p, s->step + k);
    if (next.at > top) continue;
    if (next.v < threshold)
      p = next;
    else
      above = true;
  }
  p = ves_spike_after(&p, s->step + VES_SPIKE_LEVELS - 1);
  *t = p.at;
  return p.at <= limit && (above || p.v >= threshold);
}

/* Step k lasts 2^-(k+1) of a power of two that holds the window. */
void ves_spike_tabulate(ves_spike *s) {
  int exponent;
  frexp(s->opt.window, &exponent);
  const double longest = ldexp(1, exponent);
  for (int k = 0; k < VES_SPIKE_LEVELS; k++)
    s->step[k] = ves_spike_step_of(s, ldexp(longest, -k - 1), true);
  const ves_spike_place unit = {.e = 1};
  s->rest_peak = last_rise(s, unit, 0, longest);
  ves_spike_shorten(s);
}

ves_status ves_spike_latency(const ves_spike_options *opt, double peak, double *t) {
  ves_spike_options unit = *opt;
  unit.gain = 1;
  ves_spike *s;
  const ves_status status = ves_spike_bare(1, &unit, &s);
  if (status != VES_OK) return status;
  if (!ves_spike_crosses(s, 0, peak, opt->window, t)) *t = INFINITY;
  ves_spike_free(s);
  return VES_OK;
}
