/* ves_spike_cross: the crossing of ves_spike.c, bit for bit, without most of its bisections.
 *
 * By definition a crossing is where 48 halvings of one duration end: at each, the potential at the
 * middle is compared with the threshold. All but a few of the comparisons are not close. So the
 * first ones are made as they are, until what is left, h, is a 32nd of the shortest time constant;
 * there the potential is a short series,
 *
 *     V(h) = sum a_k h^k,   a_0 = V,   a_(k+1) = (E_k - I_k - a_k) / ((k + 1) tau_m),
 *
 * with E_k, I_k those of the currents' exponentials. Newton's method finds where it reaches the
 * threshold. Both the series and the halvings have rounding errors, of a size that is known well
 * enough: below a thousand times 2^-53 of the potentials that take part, which over the slope at the
 * crossing is an error in time. Comparisons at points farther from the root than that can only come
 * out one way, so their results are the binary digits of the root; the others, rarely more than
 * three, are made as they are, from the state that the digits before them lead to.
 *
 * Whatever is not plain (a maximum close to the threshold, a slope close to nothing, currents that
 * rise before they fall, a series that does not settle) is left to the bisections. */
#include "ves_spike_private.h"
#include <math.h>

/* Terms of the series: the first that is left out is below 1e-19 of the currents. */
enum { ORDER = 8 };

/* Where rounding errors end: of potentials, relative; and what counts as a slope. */
static const double rounding = 0x1p-43, plain = 1e-6;

/* The last halving that is made as it is: what is left after it is short. */
void ves_spike_shorten(ves_spike *s) {
  const ves_spike_options *o = &s->opt;
  const double shortest = fmin(o->membrane, fmin(o->synapse, o->decay));
  s->rate_m = 1 / o->membrane;
  s->rate_e = 1 / o->synapse;
  s->rate_i = 1 / o->decay;
  s->coarse = 1;
  while (s->coarse < VES_SPIKE_LEVELS && s->step[s->coarse - 1].h > shortest / 32) s->coarse++;
}

static void series(const ves_spike *s, const ves_spike_place *p, double *a) {
  static const double over[ORDER + 1] = {0,       1,       1.0 / 2, 1.0 / 3, 1.0 / 4,
                                         1.0 / 5, 1.0 / 6, 1.0 / 7, 1.0 / 8};
  double e = s->per_weight * p->e, i = p->i;
  a[0] = p->v;
  for (size_t k = 1; k <= ORDER; k++) {
    a[k] = (e - i - a[k - 1]) * (s->rate_m * over[k]);
    e *= -s->rate_e * over[k];
    i *= -s->rate_i * over[k];
  }
}

/* The potential and its slope. */
static double at(const double *a, double h, double *slope) {
  double v = a[ORDER], d = 0;
  for (size_t k = ORDER; k-- > 0;) {
    d = d * h + v;
    v = v * h + a[k];
  }
  *slope = d;
  return v;
}

/* Where V reaches the threshold within h, whose end it has reached; negative if that is not found.
 * Begins with the first terms of the inverse series. */
static double root(const double *a, double threshold, double h, double *slope) {
  const double x = (threshold - a[0]) / a[1];
  const double b = a[2] / a[1], c = a[3] / a[1], d = a[4] / a[1];
  double r = x * (1 + x * (-b + x * (2 * b * b - c + x * (5 * b * (c - b * b) - d))));
  for (size_t k = 0; k < 10; k++) {
    if (!(r >= 0 && r <= h)) r = r < 0 ? 0 : h;
    const double move = (threshold - at(a, r, slope)) / *slope;
    r += move;
    if (fabs(move) <= 1e-8 * r) return r;
  }
  return -1;
}

typedef enum { FIRES, SILENT, ASK } answer;

/* The levels from `coarse` on, from p: digits of `low` where it agrees with `high`, then halvings. */
static double refine(const ves_spike *s, ves_spike_place p, uint64_t low, uint64_t high) {
  const ves_spike_step *cell = s->step + VES_SPIKE_LEVELS - 1;
  if (low == high) return p.at + (double)(low + 1) * cell->h;
  for (size_t k = s->coarse; k < VES_SPIKE_LEVELS; k++) {
    const size_t digit = VES_SPIKE_LEVELS - 1 - k;
    const bool known = low >> digit == high >> digit;
    if (known && !(low >> digit & 1)) continue;
    const ves_spike_place next = ves_spike_after(&p, s->step + k);
    if (known || next.v < s->opt.threshold) p = next;
  }
  return p.at + cell->h;
}

/* How what is left ends: V has reached the threshold, the limit comes, V falls for good. */
typedef enum { ABOVE, LATE, PAST } ending;

/* V is below the threshold and rises at p; `end` after it comes the ending. */
static answer within(const ves_spike *s, const ves_spike_place *p, double v, double end, ending how,
                     double *t) {
  const double threshold = s->opt.threshold, cell = s->step[VES_SPIKE_LEVELS - 1].h;
  const double currents = s->per_weight * p->e + p->i;
  const double error =
      rounding * (fabs(v) + fabs(p->v) + threshold + s->inhibition) + 1e-19 * currents;
  const double least = plain * s->rate_m * (currents + threshold);
  double a[ORDER + 1], slope;
  series(s, p, a);
  if (how != ABOVE) {
    if (a[0] + end * a[1] < threshold - error) return SILENT; /* E - I falls: V is concave */
    if (how == PAST) return ASK;
    const double last = at(a, end, &slope);
    if (!(slope > least)) return ASK;
    if (last < threshold - error) return SILENT;
    if (!(last > threshold + error)) return ASK;
  }
  const double r = root(a, threshold, end, &slope);
  if (!(r >= 0 && r <= end && slope > least)) return ASK;
  const double off = error / slope + 0x1p-50 * r;
  const double low = floor((r - off) / cell), high = floor((r + off) / cell);
  if (!(low >= 0 && high < s->step[s->coarse - 1].h / cell)) return ASK;
  *t = refine(s, *p, (uint64_t)low, (uint64_t)high);
  return FIRES;
}

/* For an output that is below the threshold, and pulled to above it. */
static answer shortcut(const ves_spike *s, double v, double e, double limit, double *t) {
  const double threshold = s->opt.threshold, i = s->inhibition;
  if (s->coarse >= VES_SPIKE_LEVELS - 8) return ASK;
  if (i > 0 && ves_spike_net_rises(&s->opt, s->per_weight * e, i) != 0) return ASK;
  if (s->per_weight * e - i <= v) return ASK;
  ves_spike_place p = {0, v, e, i};
  const ves_spike_step *cell = s->step + s->coarse - 1;
  const ves_spike_place soon = ves_spike_after(&p, cell);
  if (soon.at <= limit && soon.v > threshold + rounding * (fabs(v) + threshold + i))
    return within(s, &p, v, cell->h, ABOVE, t); /* so is every other point before the maximum */
  ending how = LATE; /* why the last point that was refused was: it ends what is left */
  for (size_t k = 0; k < s->coarse; k++) {
    const ves_spike_place next = ves_spike_after(&p, s->step + k);
    const double net = s->per_weight * next.e - next.i;
    const double rises = net - next.v, clear = plain * (fabs(net) + threshold);
    if (next.at > limit)
      how = LATE;
    else if (next.v >= threshold)
      how = ABOVE;
    else if (rises < -clear || net < -clear)
      how = PAST;
    else if (rises > clear && net > 0)
      p = next;
    else
      return ASK;
  }
  return within(s, &p, v, how == LATE ? limit - p.at : cell->h, how, t);
}

/* [eq:spike-crossing] */
bool ves_spike_crosses(const ves_spike *s, double v, double e, double limit, double *t) {
  *t = 0;
  if (v >= s->opt.threshold) return true;
  if (!(s->per_weight * e > s->opt.threshold)) return false;
  const answer how = shortcut(s, v, e, limit, t);
  return how == ASK ? ves_spike_bisect(s, v, e, limit, t) : how == FIRES && *t <= limit;
}
