/* ves_learn: release probabilities learned locally, while the network samples. */
#ifndef VES_LEARN_H
#define VES_LEARN_H

#include "ves_status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the target q* is made from g = w_i / sum of the subset; i is the rank (1 = strongest) among
 * n, |s| the size of the subset that remains when i is its strongest member, q the synapse's
 * present release. */
typedef enum {
  VES_RULE_RAW,      /* g                                             [eq:target-raw] */
  VES_RULE_SUBTRACT, /* g - c                                         [eq:target-subtract] */
  VES_RULE_RESCALE,  /* g |s| / (n-i+1)                               [eq:target-rescale] */
  VES_RULE_POWER,    /* g^psi                                         [eq:target-power] */
  VES_RULE_VARIABLE, /* g^((n-i) q + 1)                               [eq:target-variable] */
  VES_RULE_SUBSET,   /* g^|s|                                         [eq:target-subset] */
  VES_RULE_EXPECTED, /* g^(sqrt(q) ((n-i) E[q_j] + 1))                [eq:target-expected] */
  VES_RULE_CUSTOM    /* the caller's function */
} ves_rule;

/* What a synapse knows of itself and of its subset when it is updated. */
typedef struct {
  size_t rank;          /* 1 = strongest */
  size_t size;          /* |s| */
  size_t n;             /* synapses competing */
  double q;             /* its present release probability */
  double weight;        /* its weight */
  double mean_q_weaker; /* E[q_j] over the weaker synapses (0 if there are none) */
} ves_synapse;

typedef ves_status (*ves_target_fn)(double g, const ves_synapse *s, void *context, double *target);

typedef struct {
  int algorithm; /* 1: only the strongest of a subset learns; 2: every member, in descending rank */
  ves_rule rule;
  double psi;       /* VES_RULE_POWER */
  double subtract;  /* VES_RULE_SUBTRACT: c */
  bool over_subset; /* VES_RULE_EXPECTED and custom: E[q_j] over the subset's weaker members instead
                       of all weaker */
  double rate;      /* gamma */
  double decay;     /* t0: gamma / (1 + t/t0) in iteration t = 0, 1, ...; 0 for a constant rate */
  uint64_t iterations;
  double floor, ceiling; /* bounds of q */
  ves_target_fn target;  /* VES_RULE_CUSTOM */
  void *context;
  uint64_t trace;  /* every trace-th iteration's q is written out; 0 for none */
  double *targets; /* where the mean target of each synapse goes; NULL if nobody asks */
} ves_learn_options;

/* The defaults of the network simulations: algorithm 2, power 8, rate 0.01, 5,000 iterations, q in
 * [1e-4, 1]. */
ves_learn_options ves_learn_defaults(void);

typedef struct ves_learn_workspace ves_learn_workspace;

/* Scratch for rows of up to n synapses; NULL when out of memory. */
ves_learn_workspace *ves_learn_workspace_alloc(size_t n);
void ves_learn_workspace_free(ves_learn_workspace *ws);

/* Start values N(mean, sd) clipped into [floor, ceiling] for n synapses of row `row`. [eq:start] */
ves_status ves_learn_start(double mean, double sd, double floor, double ceiling, uint64_t key,
                           uint64_t draw, uint32_t row, size_t n, double *q);

/* Learns the releases of one vector of weights. q holds the start on entry and the result on
 * return. Iteration t takes its mask from (key, first + t, row), the synapse of rank r (from 0)
 * owning byte r. If opt->trace = k > 0, trace has room for iterations/k rows of n. A weight of zero
 * is never in a subset: its q stays. opt->targets, if given, gets n mean targets over the updates
 * of each synapse; for one that never learned, its q. [eq:learningRule_form] [alg:1] [alg:2] */
ves_status ves_learn_row(const double *w, size_t n, const ves_learn_options *opt, uint64_t key,
                         uint64_t first, uint32_t row, ves_learn_workspace *ws, double *q,
                         double *trace);

/* Learns `rows` vectors of n weights each, lying one after the other, as ves_learn_row with rows
 * row, row + 1, ... would, several side by side where there is a vector kernel. No trace is kept;
 * opt->targets, if given, gets rows * n of them. */
ves_status ves_learn_rows(const double *w, size_t rows, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                          double *q);

/* One combination of active inputs of a pool: `count` distinct synapses, each a flat index into Q,
 * with effective weight x_i w_ij. */
typedef struct {
  size_t count;
  const size_t *synapse;
  const double *weight;
} ves_presentation;

/* Learns one release matrix for all presentations, which take turns, one iteration each, until each
 * has had opt->iterations. Iteration t (over all turns) draws its mask at (key, first + t, 0).
 * `total` is the number of entries of q; ws must have been allocated for the largest count. Traces
 * and targets are not kept here. [alg:2] [eq:pooled] */
ves_status ves_learn_pooled(const ves_presentation *shown, size_t presentations,
                            const ves_learn_options *opt, uint64_t key, uint64_t first,
                            ves_learn_workspace *ws, double *q, size_t total);

#endif
