/* ves_amplitude: the amplitude rule, scalar: the definition.
 *
 * A synapse has a weight w_i and an amplitude a_i >= w_i. It releases with q_i = w_i / a_i, and
 * when it does it transmits a_i: w_i on average, whatever a_i is. When it transmits, it moves its
 * amplitude toward what it and the weaker synapses that transmitted with it amount to,
 *
 *     a_i <- a_i + step (w_i + sum of a_j over weaker j that transmitted - a_i)     [eq:amplitude]
 *
 * The rules of the original compare weights that transmitted with weights that might have, find too
 * little, and correct the share by an exponent or a constant. Here nothing needs correcting: each
 * a_j arrives with probability w_j / a_j and counts w_j on average, so that the expected target is
 * S_i, the sum of w_i and of all weaker weights, whatever the others have learned so far. Hence a_i
 * -> S_i and q_i -> w_i / S_i, the mapping [eq:mapping]. To weigh what is seen by the inverse of
 * its chance to be seen is Horvitz and Thompson's estimator (1952). There is no exponent, and no
 * bound to be kept: a target is never below w_i.
 *
 * With step 1/k at the k-th update (`average`) an amplitude is the mean of its targets and the
 * start is forgotten at the first of them; there is no rate to choose. `rate_floor` keeps the step
 * from falling below a bound, for weights that change.
 *
 * Weaker means of smaller weight, or (VES_ORDER_AMPLITUDE) of smaller amplitude at the moment. In
 * the second case the winner must be taken by amplitude too: any order is then a resting point,
 * since S_i falls along it.
 *
 * Order of arithmetic, part of the definition: amplitudes are added up from the weakest member of
 * the subset, all as they were before the iteration; a step of 1 leads to the target itself, so
 * that nothing is left of a, however large it was; rounding does not lead below w. */
#include "ves_amplitude_private.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <string.h>

ves_amplitude_options ves_amplitude_defaults(void) {
  return (ves_amplitude_options){
      .algorithm = 2, .order = VES_ORDER_WEIGHT, .average = true, .rate = 0.01, .iterations = 5000};
}

double ves_amplitude_of(double w, double q) {
  return w / (q > VES_AMPLITUDE_LEAST ? q : VES_AMPLITUDE_LEAST);
}

double ves_amplitude_release(double w, double a) {
  if (!(w > 0)) return 0.0;
  const double q = w / a;
  return q > VES_AMPLITUDE_LEAST ? q : VES_AMPLITUDE_LEAST;
}

/* [eq:amplitude-average] */
double ves_amplitude_step(const ves_amplitude_options *opt, uint64_t t, double k) {
  double step = opt->rate;
  if (opt->average)
    step = 1 / k;
  else if (opt->decay > 0)
    step = opt->rate / (1 + (double)t / opt->decay);
  return step > opt->rate_floor ? step : opt->rate_floor;
}

/* ---- one iteration ---- */

/* Whether the synapse of rank r is weaker than that of rank s, by amplitude; `index` tells the
 * synapses behind the ranks. */
static bool weaker(const ves_learn_workspace *ws, const size_t *index, size_t r, size_t s) {
  if (ws->state[r] != ws->state[s]) return ws->state[r] < ws->state[s];
  return index[r] > index[s];
}

/* By insertion: subsets are small, and their order by amplitude is nearly that by weight. */
static void sort_members(ves_learn_workspace *ws, const size_t *index, size_t size) {
  for (size_t c = 1; c < size; c++) {
    const size_t r = ws->member[c];
    size_t at = c;
    for (; at > 0 && weaker(ws, index, r, ws->member[at - 1]); at--)
      ws->member[at] = ws->member[at - 1];
    ws->member[at] = r;
  }
}

static void set_try(ves_learn_workspace *ws, size_t r) {
  ves_thresholds_set(&ws->tries, r, ves_amplitude_release_inline(ws->weight[r], ws->state[r]));
}

/* [eq:amplitude] */
void ves_amplitude_iterate(ves_learn_workspace *ws, const size_t *index, size_t n,
                           const ves_amplitude_options *opt, uint64_t t, uint64_t key,
                           uint64_t draw, uint32_t row, size_t *from, size_t *to) {
  const size_t size = ves_learn_subset(ws, n, key, draw, row);
  if (opt->order == VES_ORDER_AMPLITUDE) sort_members(ws, index, size);
  double sum = 0.0;
  for (size_t c = 0; c < size; c++) {
    ws->member_weaker[c] = sum;
    sum += ws->state[ws->member[c]];
  }
  *to = size;
  *from = opt->algorithm == 1 && size > 0 ? size - 1 : 0;
  for (size_t c = size; c-- > *from;) {
    const size_t r = ws->member[c];
    const double w = ws->weight[r], target = w + ws->member_weaker[c];
    const double k = ws->updates[index[r]] += 1.0, step = ves_amplitude_step(opt, t, k);
    const double a = ws->state[r], moved = step < 1 ? a + step * (target - a) : target;
    ws->state[r] = moved > w ? moved : w;
    set_try(ws, r);
  }
}

/* ---- one vector, by the definition ---- */

/* What has no weight keeps its q. */
static void write_releases(const double *weight, const double *amplitude, const size_t *order,
                           size_t n, double *q) {
  for (size_t r = 0; r < n; r++)
    if (weight[r] > 0) q[order[r]] = ves_amplitude_release_inline(weight[r], amplitude[r]);
}

static void learn_scalar(const double *w, size_t n, const ves_amplitude_options *opt, uint64_t key,
                         uint64_t first, uint32_t row, ves_learn_workspace *ws, double *q,
                         double *trace) {
  ves_learn_workspace here = *ws;
  if (opt->updates != NULL)
    here.updates = opt->updates;
  else
    memset(here.updates, 0, n * sizeof *here.updates);
  ves_learn_narrow(ws, n);
  ves_order_descending(w, n, ws->order);
  for (size_t r = 0; r < n; r++) {
    const size_t i = ws->order[r];
    ws->weight[r] = w[i];
    ws->state[r] = ves_amplitude_of_inline(w[i], q[i]);
    set_try(ws, r);
  }
  for (uint64_t t = 0; t < opt->iterations && !ves_stopping(); t++) {
    size_t from, to;
    ves_amplitude_iterate(&here, ws->order, n, opt, t, key, first + t, row, &from, &to);
    if (opt->winner != NULL)
      opt->winner[t] = to > 0 ? (uint32_t)ws->order[ws->member[to - 1]] + 1 : 0;
    if (trace != NULL && opt->trace > 0 && (t + 1) % opt->trace == 0) {
      double *kept = trace + t / opt->trace * n;
      memcpy(kept, q, n * sizeof *kept);
      write_releases(ws->weight, ws->state, ws->order, n, kept);
    }
  }
  write_releases(ws->weight, ws->state, ws->order, n, q);
}

/* ---- vectors side by side ---- */

static void lane_load(ves_learn_lanes *s, size_t lane, const double *w, const double *q,
                      const double *updates, size_t n) {
  const size_t start = VES_LEARN_GUARD + lane * s->stride;
  const size_t *order = s->order + lane * s->stride;
  ves_learn_lanes_sort(s, lane, w, n);
  for (size_t r = 0; r < s->stride; r++) {
    const size_t at = start + r;
    const bool there = r < n;
    const double weight = there ? w[order[r]] : 0.0;
    const double amplitude = there ? ves_amplitude_of_inline(weight, q[order[r]]) : 0.0;
    s->weight[at * s->apart] = weight;
    s->state[at * s->apart] = amplitude;
    s->updates[at] = there && updates != NULL ? updates[order[r]] : 0.0;
    s->coarse[at] = ves_threshold_coarse(ves_amplitude_release_inline(weight, amplitude));
  }
}

static void lane_store(const ves_learn_lanes *s, size_t lane, size_t n, double *q) {
  const size_t start = (VES_LEARN_GUARD + lane * s->stride) * s->apart;
  const double *weight = s->weight + start, *amplitude = s->state + start;
  const size_t *order = s->order + lane * s->stride;
  for (size_t r = 0; r < n; r++)
    if (weight[r * s->apart] > 0)
      q[order[r]] = ves_amplitude_release_inline(weight[r * s->apart], amplitude[r * s->apart]);
}

/* A trace is kept of a single lane only. */
static void learn_lanes(const double *w, size_t lanes, size_t n, const ves_amplitude_options *opt,
                        uint64_t key, uint64_t first, uint32_t row, ves_learn_lanes *s, double *q,
                        double *updates, double *trace) {
  ves_learn_lanes_pair(s, ves_amplitude_avx512_knows(opt, lanes, n));
  for (size_t l = 0; l < lanes; l++)
    lane_load(s, l, w + l * n, q + l * n, updates != NULL ? updates + l * n : NULL, n);
  const uint64_t stride = trace != NULL && opt->trace > 0 ? opt->trace : opt->iterations;
  for (uint64_t t = 0; t < opt->iterations && !ves_stopping(); t += stride) {
    const uint64_t left = opt->iterations - t;
    ves_amplitude_lanes_avx2(s, lanes, n, opt, key, first + t, row, t,
                             left < stride ? left : stride);
    if (trace == NULL || left < stride) continue;
    memcpy(trace + t / stride * n, q, n * sizeof *q);
    lane_store(s, 0, n, trace + t / stride * n);
  }
  for (size_t l = 0; l < lanes; l++) {
    lane_store(s, l, n, q + l * n);
    for (size_t r = 0; r < n && updates != NULL; r++)
      updates[l * n + s->order[l * s->stride + r]] =
          s->updates[VES_LEARN_GUARD + l * s->stride + r];
  }
}

ves_status ves_amplitude_row(const double *w, size_t n, const ves_amplitude_options *opt,
                             uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                             double *q, double *trace) {
  if (n == 0 || n > ws->room) return VES_ESIZE;
  if (!ves_amplitude_avx2_knows(opt)) {
    learn_scalar(w, n, opt, key, first, row, ws, q, trace);
    return ves_stopping() ? VES_ESTOPPED : VES_OK;
  }
  if (!ves_learn_lanes_reserve(&ws->beside, 1, n)) return VES_ENOMEM;
  learn_lanes(w, 1, n, opt, key, first, row, &ws->beside, q, opt->updates, trace);
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}

ves_status ves_amplitude_rows(const double *w, size_t rows, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                              uint32_t row, ves_learn_workspace *ws, double *q) {
  if (n == 0 || n > ws->room) return VES_ESIZE;
  ves_amplitude_options plain = *opt;
  plain.trace = 0;
  plain.winner = NULL;
  const bool beside = ves_amplitude_avx2_knows(&plain);
  const size_t most = beside ? ves_learn_lanes_of(rows, n) : 1;
  if (beside && !ves_learn_lanes_reserve(&ws->beside, most, n)) return VES_ENOMEM;
  for (size_t i = 0; i < rows && !ves_stopping(); i += most) {
    const size_t lanes = rows - i < most ? rows - i : most;
    if (opt->updates != NULL) plain.updates = opt->updates + i * n;
    if (beside)
      learn_lanes(w + i * n, lanes, n, &plain, key, first, row + (uint32_t)i, &ws->beside,
                  q + i * n, plain.updates, NULL);
    else
      learn_scalar(w + i * n, n, &plain, key, first, row + (uint32_t)i, ws, q + i * n, NULL);
  }
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}
