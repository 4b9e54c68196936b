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
#include "ves_order.h"
#include "ves_stop.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void lanes_free(ves_learn_lanes *s) {
  free(s->order);
  free(s->weight);
  free(s->q);
  free(s->coarse);
  free(s->bytes);
  free(s->member);
  free(s->member_weight);
  free(s->member_sum);
  *s = (ves_learn_lanes){0};
}

/* Room for `lanes` rows of n, kept for the next call. */
static bool lanes_reserve(ves_learn_lanes *s, size_t lanes, size_t n) {
  if (lanes <= s->lanes) return true;
  lanes_free(s);
  s->stride = (n + 63) / 64 * 64;
  const size_t room = VES_LEARN_GUARD + lanes * s->stride + VES_LEARN_GUARD;
  s->order = calloc(lanes * s->stride, sizeof *s->order);
  s->weight = calloc(room, sizeof *s->weight);
  s->q = calloc(room, sizeof *s->q);
  s->coarse = calloc(room, sizeof *s->coarse);
  s->bytes = malloc(VES_LEARN_BATCH * lanes * s->stride);
  s->member = calloc(room, sizeof *s->member);
  s->member_weight = calloc(room, sizeof *s->member_weight);
  s->member_sum = calloc(room, sizeof *s->member_sum);
  if (s->order == NULL || s->weight == NULL || s->q == NULL || s->coarse == NULL ||
      s->bytes == NULL || s->member == NULL || s->member_weight == NULL || s->member_sum == NULL)
    return false;
  memset(s->bytes, 0xff, VES_LEARN_BATCH * lanes * s->stride); /* never ties with a threshold */
  s->lanes = lanes;
  return true;
}

ves_learn_workspace *ves_learn_workspace_alloc(size_t n) {
  if (n == 0 || n > UINT32_MAX / (2 * VES_LEARN_LANES)) return NULL;
  ves_learn_workspace *ws = calloc(1, sizeof *ws);
  if (ws == NULL) return NULL;
  ws->room = n;
  ws->order = malloc(n * sizeof *ws->order);
  ws->weight = malloc(n * sizeof *ws->weight);
  ws->q = malloc(n * sizeof *ws->q);
  ws->weaker = malloc(n * sizeof *ws->weaker);
  ws->target_sum = malloc(n * sizeof *ws->target_sum);
  ws->updates = malloc(n * sizeof *ws->updates);
  ws->mask = malloc((n + 63) / 64 * sizeof *ws->mask);
  ws->member = malloc(n * sizeof *ws->member);
  ws->member_sum = malloc(n * sizeof *ws->member_sum);
  ws->member_weaker = malloc(n * sizeof *ws->member_weaker);
  if (ves_thresholds_alloc(&ws->tries, n) && ws->order != NULL && ws->weight != NULL &&
      ws->q != NULL && ws->weaker != NULL && ws->target_sum != NULL && ws->updates != NULL &&
      ws->mask != NULL && ws->member != NULL && ws->member_sum != NULL && ws->member_weaker != NULL)
    return ws;
  ves_learn_workspace_free(ws);
  return NULL;
}

void ves_learn_workspace_free(ves_learn_workspace *ws) {
  if (ws == NULL) return;
  ves_thresholds_free(&ws->tries);
  lanes_free(&ws->beside);
  free(ws->order);
  free(ws->weight);
  free(ws->q);
  free(ws->weaker);
  free(ws->target_sum);
  free(ws->updates);
  free(ws->mask);
  free(ws->member);
  free(ws->member_sum);
  free(ws->member_weaker);
  free(ws);
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

/* g^e, by squaring where e is a small whole number. */
static double power(double g, double e) {
  if (!(e >= 0 && e <= 1024) || e != floor(e)) return pow(g, e);
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
  case VES_RULE_POWER: *target = power(g, opt->psi); break;
  case VES_RULE_VARIABLE: *target = power(g, weaker * s->q + 1); break;
  case VES_RULE_SUBSET: *target = power(g, size); break;
  case VES_RULE_EXPECTED: *target = power(g, sqrt(s->q) * (weaker * s->mean_q_weaker + 1)); break;
  case VES_RULE_CUSTOM: return opt->target(g, s, opt->context, target);
  }
  return VES_OK;
}

/* ---- one iteration ---- */

static bool needs_mean(const ves_learn_options *opt) {
  return opt->rule == VES_RULE_EXPECTED || opt->rule == VES_RULE_CUSTOM;
}

/* Lists the subset, weakest first, with its running sums; returns its size. */
static size_t gather_subset(ves_learn_workspace *ws, size_t n) {
  size_t size = 0;
  double sum = 0.0, weaker = 0.0;
  for (size_t w = (n + 63) / 64; w-- > 0;)
    for (uint64_t bits = ws->mask[w]; bits != 0;) {
      const unsigned top = 63u - (unsigned)__builtin_clzll(bits);
      bits ^= UINT64_C(1) << top;
      const size_t r = 64 * w + top;
      sum += ws->weight[r];
      ws->member[size] = r;
      ws->member_sum[size] = sum;
      ws->member_weaker[size] = weaker;
      weaker += ws->q[r];
      size++;
    }
  return size;
}

static void sum_weaker(ves_learn_workspace *ws, size_t n) {
  double sum = 0.0;
  for (size_t r = n; r-- > 0;) {
    ws->weaker[r] = sum;
    sum += ws->q[r];
  }
}

static double mean_q_weaker(const ves_learn_workspace *ws, const ves_learn_options *opt, size_t n,
                            size_t position) {
  const size_t r = ws->member[position];
  if (opt->over_subset) return position > 0 ? ws->member_weaker[position] / (double)position : 0.0;
  return r + 1 < n ? ws->weaker[r] / (double)(n - r - 1) : 0.0;
}

ves_status ves_learn_iterate(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                             double rate, uint64_t key, uint64_t draw, uint32_t row, size_t *from,
                             size_t *to) {
  ves_mask_draw(&ws->tries, key, draw, row, ws->mask);
  const size_t size = gather_subset(ws, n);
  const bool mean = needs_mean(opt);
  if (mean && !opt->over_subset) sum_weaker(ws, n);
  *to = size;
  *from = opt->algorithm == 1 && size > 0 ? size - 1 : 0;
  for (size_t c = size; c-- > *from;) {
    const size_t r = ws->member[c];
    const ves_synapse s = {.rank = r + 1,
                           .size = c + 1,
                           .n = n,
                           .q = ws->q[r],
                           .weight = ws->weight[r],
                           .mean_q_weaker = mean ? mean_q_weaker(ws, opt, n, c) : 0.0};
    double target;
    const ves_status status = target_of(opt, s.weight / ws->member_sum[c], &s, &target);
    if (status != VES_OK) return status;
    if (opt->targets != NULL) {
      ws->target_sum[r] += target;
      ws->updates[r] += 1.0;
    }
    ws->q[r] = clip(s.q - rate * (s.q - target), opt->floor, opt->ceiling);
    ves_thresholds_set(&ws->tries, r, ws->q[r]);
  }
  return VES_OK;
}

double ves_learn_rate(const ves_learn_options *opt, uint64_t t) {
  return opt->decay > 0 ? opt->rate / (1 + (double)t / opt->decay) : opt->rate;
}

static void set_try(ves_learn_workspace *ws, size_t r) {
  ves_thresholds_set(&ws->tries, r, ws->weight[r] > 0 ? ws->q[r] : 0.0);
}

/* Narrows the workspace to n synapses: thresholds past them must fail. */
static void narrow(ves_learn_workspace *ws, size_t n) {
  for (size_t r = n; r < ws->tries.words * 64; r++) {
    ws->tries.coarse[r] = 0;
    ws->tries.fine[r] = 0;
  }
  for (size_t w = 0; w < ws->tries.words; w++) ws->mask[w] = 0;
}

/* ---- one vector, by the definition ---- */

static ves_status learn_scalar(const double *w, size_t n, const ves_learn_options *opt,
                               uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                               double *q, double *trace) {
  narrow(ws, n);
  ves_order_descending(w, n, ws->order);
  for (size_t r = 0; r < n; r++) {
    ws->weight[r] = w[ws->order[r]];
    ws->q[r] = q[ws->order[r]];
    ws->target_sum[r] = ws->updates[r] = 0.0;
    set_try(ws, r);
  }
  ves_status status = VES_OK;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++) {
    size_t from, to;
    if (ves_stopping()) return VES_ESTOPPED;
    status = ves_learn_iterate(ws, n, opt, ves_learn_rate(opt, t), key, first + t, row, &from, &to);
    if (trace != NULL && (t + 1) % opt->trace == 0)
      for (size_t r = 0; r < n; r++) trace[t / opt->trace * n + ws->order[r]] = ws->q[r];
  }
  for (size_t r = 0; r < n; r++) q[ws->order[r]] = ws->q[r];
  for (size_t r = 0; r < n && opt->targets != NULL; r++)
    opt->targets[ws->order[r]] = ws->updates[r] > 0 ? ws->target_sum[r] / ws->updates[r] : ws->q[r];
  return status;
}

/* ---- vectors side by side ---- */

static void lane_load(ves_learn_lanes *s, size_t lane, const double *w, const double *q, size_t n) {
  const size_t start = VES_LEARN_GUARD + lane * s->stride;
  size_t *order = s->order + lane * s->stride;
  ves_order_descending(w, n, order);
  for (size_t r = 0; r < s->stride; r++) {
    const bool there = r < n;
    s->weight[start + r] = there ? w[order[r]] : 0.0;
    s->q[start + r] = there ? q[order[r]] : 0.0;
    s->coarse[start + r] = ves_threshold_coarse(there && w[order[r]] > 0 ? q[order[r]] : 0.0);
  }
}

static void lane_store(const ves_learn_lanes *s, size_t lane, size_t n, double *q) {
  const double *learned = s->q + VES_LEARN_GUARD + lane * s->stride;
  for (size_t r = 0; r < n; r++) q[s->order[lane * s->stride + r]] = learned[r];
}

/* A trace is kept of a single lane only. */
static ves_status learn_lanes(const double *w, size_t lanes, size_t n, const ves_learn_options *opt,
                              uint64_t key, uint64_t first, uint32_t row, ves_learn_lanes *s,
                              double *q, double *trace) {
  s->stride = (n + 63) / 64 * 64;
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
  if (!lanes_reserve(&ws->beside, 1, ws->room)) return VES_ENOMEM;
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
    const size_t most = rows < VES_LEARN_LANES ? rows : VES_LEARN_LANES;
    if (!lanes_reserve(&ws->beside, most, ws->room)) return VES_ENOMEM;
    for (size_t i = 0; i < rows && status == VES_OK; i += VES_LEARN_LANES) {
      const size_t lanes = rows - i < VES_LEARN_LANES ? rows - i : VES_LEARN_LANES;
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
