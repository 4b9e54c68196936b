/* ves_winner: the exact distribution of the winner of a draw.
 *
 * A draw lets every synapse transmit or fail on its own, then the most active output silences the
 * others. Nothing about that needs a Monte Carlo estimate.
 *
 * One input [eq:winner]. Output i receives w_i or nothing, so it wins iff its synapse transmits and
 * every stronger one fails:
 *
 *     P(win = i) = q_i * product over stronger j of (1 - q_j).
 *
 * The product runs over as many factors as there are synapses; it is carried in twice the working
 * precision, so that ten thousand roundings cannot add up to anything.
 *
 * k inputs [eq:winner-multi]. Output j receives y_j = the sum of those of its k effective weights
 * that transmit: one of at most 2^k values. Outputs are independent, so
 *
 *     P(win = j) = sum over values v > 0 of  P(y_j = v) * product over l != j of L_l(v, j),
 *     L_l(v, j)  = P(y_l loses to value v of output j),
 *
 * where y_l loses if y_l < v, or y_l = v and l > j: the lower index wins ties. Take all n 2^k pairs
 * (v, j) in the order in which they beat one another, weakest first: v ascending, j descending
 * within equal v. (They are laid out so that ties are in that order, and a stable sort by the bits
 * of v, byte by byte, does the rest: non-negative doubles have the order of their bits.) While
 * sweeping over them, leaf l of a segment tree of products holds the probability that y_l is among
 * the values already passed; at pair (v, j) the product over l != j is that of the siblings on the
 * way from leaf j to the root. So a pair costs log2(n) multiplications, and nothing is ever divided
 * by a probability that may be 0 or tiny.
 *
 * y_j is added up in ascending order of inputs, starting from 0.0, exactly as the sampler does it:
 * two sums that tie there tie here, bit for bit. */
#include "ves_winner.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool weights_valid(const double *w, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(w[i] >= 0.0) || !isfinite(w[i])) return false;
  return true;
}

static bool releases_valid(const double *q, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!(q[i] >= 0.0 && q[i] <= 1.0)) return false;
  return true;
}

/* ---- one input ---- */

/* An unevaluated sum of two doubles, |lo| far below |hi|. */
typedef struct {
  double hi, lo;
} twofold;

/* a * (1 - q), 0 <= q <= 1. 1 - q is split exactly; what is lost is of the order of 2^-104. */
static twofold times_complement(twofold a, double q) {
  const double hi = 1.0 - q;
  const double lo = (1.0 - hi) - q;
  const double product = a.hi * hi;
  const double rest = fma(a.hi, hi, -product) + (a.hi * lo + a.lo * hi);
  const double sum = product + rest;
  return (twofold){sum, rest - (sum - product)};
}

/* The distribution for releases q, the order of the weights being known. */
static void winner_of(const double *w, const double *q, const size_t *order, size_t n, double *p,
                      double *nothing) {
  twofold fail = {1.0, 0.0}; /* every stronger synapse fails */
  for (size_t r = 0; r < n; r++) {
    const size_t i = order[r];
    if (r % VES_BLOCK == VES_BLOCK - 1 && ves_stopping()) break;
    if (w[i] > 0.0) {
      p[i] = q[i] * fail.hi;
      fail = times_complement(fail, q[i]);
    } else {
      p[i] = 0.0;
    }
  }
  if (nothing != NULL) *nothing = fail.hi;
}

ves_status ves_winner_states(const double *w, const double *q, size_t states, size_t n, double *p,
                             double *nothing) {
  if (n == 0) return VES_ESIZE;
  if (!weights_valid(w, n) || !releases_valid(q, states * n)) return VES_EDOMAIN;
  size_t *order = malloc(n * sizeof *order);
  if (order == NULL) return VES_ENOMEM;
  if (!ves_order_finish(w, n, order)) {
    free(order);
    return VES_ESTOPPED;
  }
  for (size_t s = 0; s < states && !ves_stopping(); s++)
    winner_of(w, q + s * n, order, n, p + s * n, nothing != NULL ? nothing + s : NULL);
  free(order);
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}

ves_status ves_winner_single(const double *w, const double *q, size_t n, double *p,
                             double *nothing) {
  return ves_winner_states(w, q, 1, n, p, nothing);
}

/* ---- several inputs ---- */

/* One thing that can happen to one output: the inputs of `mask` transmit, and it receives value. */
typedef struct {
  double value;
  uint32_t output;
  uint32_t mask;
} event;

struct ves_winner_workspace {
  size_t k, n;
  size_t masks;        /* 2^k */
  size_t leaves;       /* smallest power of 2 >= n */
  size_t silent;       /* the first events, those of value 0 */
  bool prepared;       /* events are sorted and valid */
  event *events;       /* n * masks, weakest first */
  event *other;        /* as many, for sorting */
  double *probability; /* n * masks: P(exactly the inputs of mask transmit to j) */
  double *tree; /* 2 * leaves < 4 n: node v is the product of nodes 2v and 2v+1; node 1 the root */
};

ves_winner_workspace *ves_winner_workspace_alloc(size_t k, size_t n) {
  if (k == 0 || k > VES_WINNER_INPUTS_MAX || n == 0 || n > (UINT32_MAX >> 1)) return NULL;
  const size_t masks = (size_t)1 << k;
  size_t leaves = 1;
  while (leaves < n) leaves *= 2;
  const size_t each = masks * (2 * sizeof(event) + sizeof(double)) + 4 * sizeof(double);
  if (n > (SIZE_MAX - sizeof(ves_winner_workspace)) / each) return NULL;
  ves_winner_workspace *work = malloc(sizeof *work + n * each); /* all of it in one block */
  if (work == NULL) return NULL;
  *work = (ves_winner_workspace){.k = k, .n = n, .masks = masks, .leaves = leaves};
  work->events = (event *)(work + 1);
  work->other = work->events + n * masks;
  work->probability = (double *)(work->other + n * masks);
  work->tree = work->probability + n * masks;
  return work;
}

void ves_winner_workspace_free(ves_winner_workspace *work) { free(work); }

/* ---- the order of events ---- */

enum { BYTES = sizeof(uint64_t), VALUES = 256, FEW = 64 };

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Sorts events by value, ascending and stable, by insertion; gives up after `moves`, with equal ones
 * in the order they had. */
static bool insert_events(event *events, size_t count, size_t moves) {
  for (size_t i = 1; i < count; i++) {
    const event ev = events[i];
    size_t at = i;
    for (; at > 0 && events[at - 1].value > ev.value; at--) events[at] = events[at - 1];
    events[at] = ev;
    if (i - at > moves) return false;
    moves -= i - at;
  }
  return true;
}

/* How often each value of each byte from `first` on occurs among the values of the events. */
static void count_bytes(const event *events, size_t count, size_t first,
                        size_t counts[BYTES][VALUES]) {
  memset(counts, 0, BYTES * sizeof *counts);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = bits_of(events[i].value) >> (8 * first);
    for (size_t byte = first; byte < BYTES; byte++, bits >>= 8) counts[byte][bits & 0xff]++;
  }
}

/* Sorts them by their bytes from `first` on, once for each. A byte that is the same everywhere is
 * passed over. Each turn writes to the other array; then they change places. */
static void sort_by_bytes(ves_winner_workspace *work, size_t count, size_t first) {
  size_t counts[BYTES][VALUES];
  count_bytes(work->events, count, first, counts);
  for (size_t byte = first; byte < BYTES; byte++) {
    size_t *next = counts[byte], sum = 0;
    if (next[bits_of(work->events[0].value) >> (8 * byte) & 0xff] == count) continue;
    for (size_t value = 0; value < VALUES; value++) {
      const size_t here = next[value];
      next[value] = sum;
      sum += here;
    }
    for (size_t i = 0; i < count; i++) {
      const event ev = work->events[i];
      work->other[next[bits_of(ev.value) >> (8 * byte) & 0xff]++] = ev;
    }
    event *const swap = work->events;
    work->events = work->other;
    work->other = swap;
  }
}

/* Sorts all events by value, equal ones in the order they have. The upper half of the bytes tells
 * most values apart, and insertion does the rest; where values are too close for that, all bytes
 * are used. Each step keeps equal ones in order, so that the result is the same. */
static void sort_events(ves_winner_workspace *work) {
  const size_t count = work->n * work->masks;
  if (count <= FEW) {
    insert_events(work->events, count, FEW * FEW);
    return;
  }
  sort_by_bytes(work, count, BYTES / 2);
  if (!insert_events(work->events, count, 2 * count)) sort_by_bytes(work, count, 0);
}

ves_status ves_winner_prepare(ves_winner_workspace *work, const double *e) {
  const size_t n = work->n;
  work->prepared = false;
  if (!weights_valid(e, work->k * n)) return VES_EDOMAIN;
  for (size_t j = 0; j < n; j++) { /* the last output first: it loses ties */
    if (ves_stopping()) return VES_ESTOPPED;
    event *of_j = work->events + (n - 1 - j) * work->masks;
    of_j[0] = (event){0.0, (uint32_t)j, 0};
    for (size_t a = 0; a < work->k; a++) {
      /* the highest input of a mask is added last: ascending order */
      const size_t bit = (size_t)1 << a;
      for (size_t mask = 0; mask < bit; mask++)
        of_j[bit + mask] =
            (event){of_j[mask].value + e[a * n + j], (uint32_t)j, (uint32_t)(bit + mask)};
    }
  }
  sort_events(work);
  work->silent = 0;
  while (work->silent < n * work->masks && !(work->events[work->silent].value > 0.0))
    work->silent++;
  work->prepared = true;
  return VES_OK;
}

/* P(exactly the inputs of mask transmit to j), for all masks and outputs. */
static void mask_probabilities(ves_winner_workspace *work, const double *q) {
  const size_t n = work->n;
  for (size_t j = 0; j < n; j++) {
    double *of_j = work->probability + j * work->masks;
    of_j[0] = 1.0;
    for (size_t a = 0; a < work->k; a++) {
      const size_t bit = (size_t)1 << a;
      const double transmit = q[a * n + j];
      for (size_t mask = 0; mask < bit; mask++) {
        of_j[bit + mask] = of_j[mask] * transmit;
        of_j[mask] *= 1.0 - transmit;
      }
    }
  }
}

ves_status ves_winner_evaluate(ves_winner_workspace *work, const double *q, double *p,
                               double *nothing) {
  const size_t n = work->n, leaves = work->leaves;
  if (!work->prepared) return VES_EDOMAIN;
  if (!releases_valid(q, work->k * n)) return VES_EDOMAIN;
  mask_probabilities(work, q);

  double *tree = work->tree;
  for (size_t j = 0; j < n; j++) {
    tree[leaves + j] = 0.0;
    p[j] = 0.0;
  }
  for (size_t j = n; j < leaves; j++) tree[leaves + j] = 1.0;
  for (size_t i = 0; i < work->silent; i++) {
    const event *ev = &work->events[i];
    tree[leaves + ev->output] += work->probability[ev->output * work->masks + ev->mask];
  }
  for (size_t v = leaves - 1; v >= 1; v--) tree[v] = tree[2 * v] * tree[2 * v + 1];
  if (nothing != NULL) *nothing = tree[1];

  for (size_t i = work->silent; i < n * work->masks; i++) {
    if (i % 1024 == 0 && ves_stopping()) return VES_ESTOPPED;
    const event *ev = &work->events[i];
    const double probability = work->probability[ev->output * work->masks + ev->mask];
    if (!(probability > 0.0)) continue;
    size_t v = leaves + ev->output;
    double others = 1.0;
    tree[v] += probability;
    for (; v > 1; v /= 2) {
      others *= tree[v ^ 1];
      tree[v / 2] = tree[v] * tree[v ^ 1];
    }
    p[ev->output] += probability * others;
  }
  return VES_OK;
}

ves_status ves_winner_multi(const double *e, const double *q, size_t k, size_t n, double *p,
                            double *nothing, ves_winner_workspace *work) {
  if (work->k != k || work->n != n) return VES_ESIZE;
  const ves_status status = ves_winner_prepare(work, e);
  return status == VES_OK ? ves_winner_evaluate(work, q, p, nothing) : status;
}
