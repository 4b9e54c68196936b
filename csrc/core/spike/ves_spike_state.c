/* ves_spike_state: the states of the outputs, followed only where they matter.
 *
 * A trial goes from event to event, and by definition every state takes a step at each of them:
 *
 *     V <- m V + ke E - ki I,   E <- e E.                                     [eq:spike-membrane]
 *
 * Most outputs are never near their threshold, and many trials end with the first spike. So `past`
 * has the steps, and an output takes those it has not taken when somebody asks for its state: the
 * same operations in the same order, hence the same bits. What a step does is computed when the
 * first output takes it.
 *
 * Who may fire is known from a bound. V follows E - I and cannot overtake it, and is never above
 * what is there now together with the peak of what the current evokes from rest; where that is below
 * the threshold the output is not in the list `able`. For the others, V' is at most (E - v) / tau_m
 * while V is above v, E being largest now, so that V does not reach the threshold before a straight
 * line of this slope does; a little less, for rounding errors. Inhibition only makes it later, so
 * that the bound holds until more current comes. */
#include "ves_spike_private.h"
#include <math.h>

/* ---- steps ---- */

static void take_all(ves_spike *s) {
  for (size_t k = 0; k < s->lives; k++) {
    ves_spike_bring(s, s->live[k]);
    s->since[s->live[k]] = 0;
  }
  s->pasts = 0;
}

void ves_spike_advance(ves_spike *s, double until) {
  if (!(until > s->now)) return;
  if (s->lives > 0 || s->inhibition != 0) {
    if (s->pasts == VES_SPIKE_PAST) take_all(s);
    ves_spike_past *p = s->past + s->pasts++;
    *p = (ves_spike_past){.step.h = until - s->now};
    if (s->inhibition != 0) {
      p->step = ves_spike_step_of(s, p->step.h, true);
      p->leaks = p->known = true;
      p->less = s->inhibition * p->step.ki;
      s->inhibition *= p->step.i;
    }
  }
  s->now = until;
}

/* Where no current flows, a step is its leak. */
static double leak(const ves_spike *s, ves_spike_past *p) {
  if (!p->leaks) p->step.m = exp(-p->step.h / s->opt.membrane);
  p->leaks = true;
  return p->step.m;
}

static const ves_spike_step *whole(const ves_spike *s, ves_spike_past *p) {
  if (!p->known) p->step = ves_spike_step_of(s, p->step.h, false);
  p->leaks = p->known = true;
  return &p->step;
}

void ves_spike_bring(ves_spike *s, size_t j) {
  double v = s->v[j], e = s->e[j];
  for (size_t k = s->since[j]; k < s->pasts; k++) {
    ves_spike_past *p = s->past + k;
    if (e != 0) {
      const ves_spike_step *h = whole(s, p);
      v = v * h->m + e * h->ke - p->less;
      e *= h->e;
    } else if (v != 0 || p->less != 0)
      v = v * leak(s, p) - p->less;
  }
  s->v[j] = s->resting[j] ? 0.0 : v;
  s->e[j] = e;
  s->since[j] = s->pasts;
}

/* ---- who may fire ---- */

static void strike(ves_spike *s, size_t j) {
  if (s->place[j] == 0) return;
  const size_t at = s->place[j] - 1, last = --s->ables;
  s->able[at] = s->able[last];
  s->earliest[at] = s->earliest[last];
  s->place[s->able[at]] = at + 1;
  s->place[j] = 0;
}

void ves_spike_look(ves_spike *s, size_t j) {
  const double threshold = s->opt.threshold, v = s->v[j], current = s->per_weight * s->e[j];
  const double most = (v > 0 ? v : 0.0) + s->opt.gain * s->e[j];
  if (!(v >= threshold || (current > threshold && most > (1 - 1e-9) * threshold))) {
    strike(s, j);
    return;
  }
  if (s->place[j] == 0) {
    s->able[s->ables++] = j;
    s->place[j] = s->ables;
  }
  const double rise = threshold - v - 1e-11 * (threshold + fabs(v));
  const double line = rise > 0 ? (1 - 1e-9) * rise / (s->rate_m * (current - v)) : 0.0;
  s->earliest[s->place[j] - 1] = s->resting[j] ? INFINITY : (1 - 1e-12) * (s->now + line);
}

/* Brings the output at `at` in the list up to date, and its bound; returns whether it may still fire
 * by then. If not, another output may stand there. */
static bool may_fire(ves_spike *s, size_t at, double by) {
  const size_t j = s->able[at];
  if (s->earliest[at] > by) return false;
  if (s->since[j] == s->pasts) return true;
  ves_spike_bring(s, j);
  ves_spike_look(s, j);
  return s->place[j] > 0 && s->earliest[at] <= by;
}

/* Where in the list the output is that may fire first; it is asked first and spares most others a
 * bisection, and which it is does not decide anything. */
static size_t favourite(ves_spike *s, double by) {
  for (;;) {
    size_t at = 0;
    double least = INFINITY;
    for (size_t k = 0; k < s->ables; k++) {
      const bool sooner = s->earliest[k] < least;
      at = sooner ? k : at;
      least = sooner ? s->earliest[k] : least;
    }
    if (!(least <= by)) return s->n;
    if (may_fire(s, at, by)) return at;
  }
}

/* Whether an output that is not at rest has not fired by the end of a step and is still rising,
 * pulled by a current that still excites (after a strong inhibition V also rises back to rest): a
 * crossing, if there is one, comes later. Spares the bisections. */
static bool still_below(const ves_spike *s, double v, double e, const ves_spike_step *h) {
  const double then = v * h->m + e * h->ke - s->inhibition * h->ki;
  const double net = s->per_weight * (e * h->e) - s->inhibition * h->i;
  return v < s->opt.threshold && then < s->opt.threshold && net > then && net > 0;
}

/* Of outputs at rest the one of the largest current fires first. [eq:spike-order] */
size_t ves_spike_first_to_fire(ves_spike *s, double *limit) {
  const size_t asked = favourite(s, s->now + *limit);
  if (asked == s->n) return s->n;
  const size_t first = s->able[asked];
  size_t best = s->n;
  double t;
  if (ves_spike_crosses(s, s->v[first], s->e[first], *limit, &t)) {
    best = first;
    *limit = t;
  }
  ves_spike_step far = {.h = -1};
  for (size_t k = 0; k < s->ables; k++) {
    const size_t j = s->able[k];
    if (j == first) continue;
    if (!may_fire(s, k, s->now + *limit)) {
      if (k < s->ables && s->able[k] != j) k--; /* who took its place */
      continue;
    }
    const double v = s->v[j], e = s->e[j];
    if (best < s->n && v <= s->v[best] && e <= s->e[best]) {
      if (v == s->v[best] && e == s->e[best] && j < best) best = j;
      continue;
    }
    if (v != 0 || s->inhibition != 0) {
      if (far.h != *limit) far = ves_spike_step_of(s, *limit, s->inhibition != 0);
      if (still_below(s, v, e, &far)) continue;
    }
    if (!ves_spike_crosses(s, v, e, *limit, &t)) continue;
    const bool tie = best < s->n && t == *limit;
    if (tie && (v < s->v[best] || (v == s->v[best] && e <= s->e[best]))) continue;
    best = j;
    *limit = t;
  }
  return best;
}
