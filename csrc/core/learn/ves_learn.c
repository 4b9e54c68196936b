/* ves_learn: Algorithms 1 and 2.
 *
 * In each iteration a mask is drawn from the present release probabilities. In the subset s that
 * transmits, the strongest synapse compares its weight with the sum over the subset, and moves its
 * release probability toward a target made from the ratio:
 *
 *     g = w_i / sum_{j in s} w_j
 *     q_i <- q_i - gamma (q_i - target)                                   [eq:learningRule_form]
 *
 * Algorithm 1 stops there; Algorithm 2 removes the strongest and repeats, so that every member of
 * the subset is updated once, in descending rank. The true target is g with the sum over *all*
 * weaker synapses [eq:mapping]; the subset's sum is smaller, g is too large, and the rules differ
 * in how they shrink it again.
 *
 * Order of arithmetic, part of the definition: the sums of a subset are taken from its weakest
 * member up; updates then run from the strongest down, as printed, each seeing the releases that
 * weaker members had before the iteration. Integral exponents are raised by squaring, others by
 * pow. */
#include "ves_learn_private.h"
#include "ves_math_private.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <gsl/gsl_randist.h>
#include <math.h>

ves_learn_options ves_learn_defaults(void) {
  return (ves_learn_options){.algorithm = 2,
                             .rule = VES_RULE_POWER,
                             .psi = 8,
                             .subtract = 0.35,
                             .rate = 0.01,
                             .iterations = 5000,
                             .floor = 1e-4,
                             .ceiling = 1};
}

static double clip(double v, double low, double high) {
  return v < low ? low : v > high ? high : v;
}

ves_status ves_learn_start(double mean, double sd, double floor, double ceiling, uint64_t key,
                           uint64_t draw, uint32_t row, size_t n, double *q) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  if (r == NULL) return VES_ENOMEM;
  ves_rng_seek(r, ves_key_string(key, "start", 5), draw, row);
  for (size_t i = 0; i < n; i++)
    q[i] = clip(mean + gsl_ran_gaussian_ziggurat(r, sd), floor, ceiling);
  gsl_rng_free(r);
  return VES_OK;
}

/* ---- targets ---- */

double ves_learn_power(double g, double e) {
  if (g == 1) return 1.0; /* the weakest of every subset */
  if (!(e >= 0)) return pow(g, e);
  if (e > VES_LEARN_SQUARED || e != floor(e)) return ves_power(g, e);
  double result = 1.0;
  for (unsigned k = (unsigned)e;;) {
    if (k & 1) result *= g;
    k >>= 1;
    if (k == 0) return result;
    g *= g;
  }
}

static ves_status target_of(const ves_learn_options *opt, double g, const ves_synapse *s,
                            double *target) {
  const double weaker = (double)(s->n - s->rank), size = (double)s->size;
  switch (opt->rule) {
  case VES_RULE_RAW: *target = g; break;
  case VES_RULE_SUBTRACT: *target = g - opt->subtract; break;
  case VES_RULE_RESCALE: *target = g * size / (weaker + 1); break;
  case VES_RULE_POWER: *target = ves_learn_power(g, opt->psi); break;
  case VES_RULE_VARIABLE: *target = ves_learn_power(g, weaker * s->q + 1); break;
  case VES_RULE_SUBSET: *target = ves_learn_power(g, size); break;
  case VES_RULE_EXPECTED:
    *target = ves_learn_power(g, sqrt(s->q) * (weaker * s->mean_q_weaker + 1));
    break;
  case VES_RULE_CUSTOM: return opt->target(g, s, opt->context, target);
  }
  return VES_OK;
}

/* ---- one iteration ---- */

static bool needs_mean(const ves_learn_options *opt) {
  return opt->rule == VES_RULE_EXPECTED || opt->rule == VES_RULE_CUSTOM;
}

/* The subset's running sums, from its weakest member up. */
static void sum_subset(ves_learn_workspace *ws, size_t size) {
  double sum = 0.0, weaker = 0.0;
  for (size_t c = 0; c < size; c++) {
    const size_t r = ws->member[c];
    sum += ws->weight[r];
    ws->member_sum[c] = sum;
    ws->member_weaker[c] = weaker;
    weaker += ws->state[r];
  }
}

static void sum_weaker(ves_learn_workspace *ws, size_t n) {
  double sum = 0.0;
  for (size_t r = n; r-- > 0;) {
    ws->weaker[r] = sum;
    sum += ws->state[r];
  }
}

static double mean_q_weaker(const ves_learn_workspace *ws, const ves_learn_options *opt, size_t n,
                            size_t position) {
  const size_t r = ws->member[position];
  if (opt->over_subset) return position > 0 ? ws->member_weaker[position] / (double)position : 0.0;
  return r + 1 < n ? ws->weaker[r] / (double)(n - r - 1) : 0.0;
}

bool ves_learn_needs_all(const ves_learn_options *opt) {
  return needs_mean(opt) && !opt->over_subset;
}

ves_status ves_learn_update(ves_learn_workspace *ws, size_t n, size_t size,
                            const ves_learn_options *opt, double rate, size_t *from) {
  sum_subset(ws, size);
  const bool mean = needs_mean(opt);
  if (ves_learn_needs_all(opt)) sum_weaker(ws, n);
  *from = opt->algorithm == 1 && size > 0 ? size - 1 : 0;
  for (size_t c = size; c-- > *from;) {
    const size_t r = ws->member[c];
    const ves_synapse s = {.rank = r + 1,
                           .size = c + 1,
                           .n = n,
                           .q = ws->state[r],
                           .weight = ws->weight[r],
                           .mean_q_weaker = mean ? mean_q_weaker(ws, opt, n, c) : 0.0};
    double target;
    const ves_status status = target_of(opt, s.weight / ws->member_sum[c], &s, &target);
    if (status != VES_OK) return status;
    if (opt->targets != NULL) {
      ws->target_sum[r] += target;
      ws->updates[r] += 1.0;
    }
    ws->state[r] = clip(s.q - rate * (s.q - target), opt->floor, opt->ceiling);
    ves_thresholds_set(&ws->tries, r, ws->state[r]);
  }
  return VES_OK;
}

ves_status ves_learn_iterate(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                             double rate, uint64_t key, uint64_t draw, uint32_t row, size_t *from,
                             size_t *to) {
  *to = ves_learn_subset(ws, n, key, draw, row);
  return ves_learn_update(ws, n, *to, opt, rate, from);
}

double ves_learn_rate(const ves_learn_options *opt, uint64_t t) {
  return opt->decay > 0 ? opt->rate / (1 + (double)t / opt->decay) : opt->rate;
}

static void set_try(ves_learn_workspace *ws, size_t r) {
  ves_thresholds_set(&ws->tries, r, ws->weight[r] > 0 ? ws->state[r] : 0.0);
}

/* ---- one vector, by the definition ---- */

static ves_status learn_scalar(const double *w, size_t n, const ves_learn_options *opt,
                               uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                               double *q, double *trace) {
  ves_learn_narrow(ws, n);
  ves_order_descending(w, n, ws->order);
  for (size_t r = 0; r < n; r++) {
    ws->weight[r] = w[ws->order[r]];
    ws->state[r] = q[ws->order[r]];
    ws->target_sum[r] = ws->updates[r] = 0.0;
    set_try(ws, r);
  }
  ves_status status = VES_OK;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++) {
    size_t from, to;
    if (ves_stopping()) return VES_ESTOPPED;
    status = ves_learn_iterate(ws, n, opt, ves_learn_rate(opt, t), key, first + t, row, &from, &to);
    if (trace != NULL && (t + 1) % opt->trace == 0)
      for (size_t r = 0; r < n; r++) trace[t / opt->trace * n + ws->order[r]] = ws->state[r];
  }
  for (size_t r = 0; r < n; r++) q[ws->order[r]] = ws->state[r];
  for (size_t r = 0; r < n && opt->targets != NULL; r++)
    opt->targets[ws->order[r]] =
        ws->updates[r] > 0 ? ws->target_sum[r] / ws->updates[r] : ws->state[r];
  return status;
}

/* ---- vectors side by side ---- */

static void lane_load(ves_learn_lanes *s, size_t lane, const double *w, const double *q, size_t n) {
  const size_t start = VES_LEARN_GUARD + lane * s->stride;
  const size_t *order = s->order + lane * s->stride;
  ves_learn_lanes_sort(s, lane, w, n);
  for (size_t r = 0; r < s->stride; r++) {
    const bool there = r < n;
    s->weight[(start + r) * s->apart] = there ? w[order[r]] : 0.0;
    s->state[(start + r) * s->apart] = there ? q[order[r]] : 0.0;
    s->coarse[start + r] = ves_threshold_coarse(there && w[order[r]] > 0 ? q[order[r]] : 0.0);
  }
}

static void lane_store(const ves_learn_lanes *s, size_t lane, size_t n, double *q) {
  const double *learned = s->state + (VES_LEARN_GUARD + lane * s->stride) * s->apart;
  for (size_t r = 0; r < n; r++) q[s->order[lane * s->stride + r]] = learned[r * s->apart];
}

/* A trace is kept of a single lane only. */
static ves_status learn_lanes(const double *w, size_t lanes, size_t n, const ves_learn_options *opt,
                              uint64_t key, uint64_t first, uint32_t row, ves_learn_lanes *s,
                              double *q, double *trace) {
  ves_learn_lanes_pair(s, ves_learn_avx512_knows(opt, lanes, n));
  for (size_t l = 0; l < lanes; l++) lane_load(s, l, w + l * n, q + l * n, n);
  const uint64_t stride = trace != NULL ? opt->trace : opt->iterations;
  for (uint64_t t = 0; t < opt->iterations && !ves_stopping(); t += stride) {
    const uint64_t left = opt->iterations - t;
    ves_learn_lanes_avx2(s, lanes, n, opt, key, first + t, row, t, left < stride ? left : stride);
    if (trace != NULL && left >= stride) lane_store(s, 0, n, trace + t / stride * n);
  }
  for (size_t l = 0; l < lanes; l++) lane_store(s, l, n, q + l * n);
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}

ves_status ves_learn_row(const double *w, size_t n, const ves_learn_options *opt, uint64_t key,
                         uint64_t first, uint32_t row, ves_learn_workspace *ws, double *q,
                         double *trace) {
  if (n == 0 || n > ws->room) return VES_ESIZE;
  if (opt->trace == 0) trace = NULL;
  if (!ves_learn_avx2_knows(opt)) return learn_scalar(w, n, opt, key, first, row, ws, q, trace);
  if (!ves_learn_lanes_reserve(&ws->beside, 1, n)) return VES_ENOMEM;
  return learn_lanes(w, 1, n, opt, key, first, row, &ws->beside, q, trace);
}

ves_status ves_learn_rows(const double *w, size_t rows, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                          double *q) {
  if (n == 0 || n > ws->room) return VES_ESIZE;
  ves_learn_options untraced = *opt;
  untraced.trace = 0;
  ves_status status = VES_OK;
  if (ves_learn_avx2_knows(opt)) {
    const size_t most = ves_learn_lanes_of(rows, n);
    if (!ves_learn_lanes_reserve(&ws->beside, most, n)) return VES_ENOMEM;
    for (size_t i = 0; i < rows && status == VES_OK; i += most) {
      const size_t lanes = rows - i < most ? rows - i : most;
      status = learn_lanes(w + i * n, lanes, n, &untraced, key, first, row + (uint32_t)i,
                           &ws->beside, q + i * n, NULL);
    }
  } else {
    for (size_t i = 0; i < rows && status == VES_OK; i++) {
      if (opt->targets != NULL) untraced.targets = opt->targets + i * n;
      status =
          learn_scalar(w + i * n, n, &untraced, key, first, row + (uint32_t)i, ws, q + i * n, NULL);
    }
  }
  return status;
}
