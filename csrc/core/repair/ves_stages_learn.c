/* ves_stages_learn: two stages that learn from the draws they make.
 *
 * Algorithm 1 asks of a draw only who won and what was transmitted, so each draw teaches its two
 * winners. At a constant step the draws of a single stage made in this way have, on average over
 * them, the right distribution whatever the step is ([eq:amplitude-sampling], proof in the report).
 *
 * While data arrive, weights change from row to row, but little: the order of a row's synapses is
 * found from the one that it had when it was last needed. */
#include "ves_amplitude_private.h"
#include "ves_beta.h"
#include "ves_evidence_private.h"
#include "ves_order.h"
#include "ves_stages.h"
#include "ves_stop.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* Weights stay as they are during a call, and a draw changes one amplitude of each stage. So a row
 * that was once left to transmit stays as the rule needs it, sorted and with its thresholds, for
 * the next time: it costs a draw only its random bits. There are SLOTS places, shared by rows whose
 * numbers are equal modulo SLOTS. */
enum { SLOTS = 16 };

typedef struct {
  ves_learn_workspace *ws;
  size_t row; /* 1 + the row that is laid out here, 0: none */
} slot;

typedef struct {
  ves_learn_workspace *ws; /* of the inputs */
  double *strength;        /* of inputs: their activities times those of their rows */
  bool laid;               /* whether they are laid out with these */
  slot slots[SLOTS];
  uint32_t *order; /* of the synapses of each input, when it was last needed; or NULL */
} scratch;

static void scratch_free(scratch *s) {
  ves_learn_workspace_free(s->ws);
  for (size_t c = 0; c < SLOTS; c++) ves_learn_workspace_free(s->slots[c].ws);
  free(s->strength);
  free(s->order);
}

static bool scratch_make(scratch *s, size_t k) {
  *s = (scratch){.ws = ves_learn_workspace_alloc(k), .strength = calloc(k, sizeof *s->strength)};
  return s->ws != NULL && s->strength != NULL;
}

/* The synapse of rank r has amplitude a: it is kept as what its release makes of it. */
static void lay(ves_learn_workspace *ws, size_t r, double w, double a) {
  ws->weight[r] = w;
  ws->state[r] = ves_amplitude_of_inline(w, ves_amplitude_release_inline(w, a));
  ves_thresholds_set(&ws->tries, r, ves_amplitude_release_inline(w, ws->state[r]));
}

/* The order of row `input` of a network, which is remembered if there is a place for it. One that
 * was never needed is remembered as all zeros. */
static void order_row(const scratch *s, uint32_t input, const double *w, size_t n, size_t *order) {
  uint32_t *before = s->order != NULL ? s->order + input * n : NULL;
  if (before != NULL && n > 1 && (before[0] != 0 || before[1] != 0)) {
    for (size_t r = 0; r < n; r++) order[r] = before[r];
    ves_order_renew(w, n, order);
  } else {
    ves_order_descending(w, n, order);
  }
  for (size_t r = 0; before != NULL && r < n; r++) before[r] = (uint32_t)order[r];
}

/* Row `at` of n synapses, those of `input`, laid out; NULL when out of memory. */
static ves_learn_workspace *laid_out(scratch *s, size_t at, uint32_t input, const double *w,
                                     const double *a, size_t n) {
  slot *here = &s->slots[at % SLOTS];
  if (here->row == at + 1) return here->ws;
  if (here->ws == NULL) here->ws = ves_learn_workspace_alloc(n);
  if (here->ws == NULL) return NULL;
  here->row = at + 1;
  ves_learn_narrow(here->ws, n);
  order_row(s, input, w, n, here->ws->order);
  for (size_t r = 0; r < n; r++) lay(here->ws, r, w[here->ws->order[r]], a[here->ws->order[r]]);
  return here->ws;
}

/* One draw of a stage whose synapses are laid out in ws; the winner learns, in a and updates too.
 * Returns it, 0 if nothing transmits; `sent` is the sum of all amplitudes that were transmitted. */
static uint32_t stage(ves_learn_workspace *ws, size_t n, const ves_amplitude_options *opt,
                      uint64_t key, uint64_t draw, uint32_t row, double *a, double *updates,
                      double *sent) {
  double *const own = ws->updates;
  size_t from, to;
  ws->updates = updates;
  ves_amplitude_iterate(ws, ws->order, n, opt, 0, key, draw, row, &from, &to);
  ws->updates = own;
  *sent = 0.0;
  if (to == 0) return 0;
  const size_t r = ws->member[to - 1], i = ws->order[r];
  const double w = ws->weight[r];
  *sent = ws->member_weaker[to - 1] + a[i];
  a[i] = ves_amplitude_of_inline(w, ves_amplitude_release_inline(w, ws->state[r]));
  lay(ws, r, w, a[i]);
  return (uint32_t)i + 1;
}

/* The row's strength is the mean of what it sent; a row that was left and stayed silent sent nothing.
 * At a step of 1 that would silence it for good, and it keeps its strength. [eq:row-strength] */
static void sends(const ves_amplitude_options *opt, double sent, double *strength, double *turns) {
  const double step = ves_amplitude_step(opt, 0, *turns += 1.0);
  const double moved = step < 1 ? *strength + step * (sent - *strength) : sent;
  if (moved > 0) *strength = moved;
}

/* Inputs compete with the strengths of their rows, times their activities; false if nothing is
 * positive. As long as these stay what they are, so does the layout: a draw of the first stage
 * changes one amplitude, and lays it out itself. */
static bool lay_inputs(scratch *s, const double *x, size_t k, const double *strength, double *a) {
  if (s->laid) return true;
  bool any = false;
  for (size_t i = 0; i < k; i++) {
    s->strength[i] = x[i] * strength[i];
    any |= s->strength[i] > 0;
    if (a[i] < s->strength[i]) a[i] = s->strength[i];
  }
  ves_order_descending(s->strength, k, s->ws->order);
  for (size_t r = 0; r < k; r++) lay(s->ws, r, s->strength[s->ws->order[r]], a[s->ws->order[r]]);
  return s->laid = any;
}

typedef struct {
  uint64_t inputs, outputs;
} stage_keys;

static ves_status learn(const double *w, const double *x, const uint32_t *input, size_t k, size_t n,
                        const ves_amplitude_options *opt, const stage_keys *keys, uint64_t draw,
                        scratch *s, ves_stages_state *state, uint32_t *winner) {
  ves_amplitude_options now = *opt;
  now.algorithm = 1;
  if (opt->decay > 0) { /* each draw is a call of its own */
    now.rate = opt->rate / (1 + (double)draw / opt->decay);
    now.decay = 0;
    if (now.rate < opt->rate_floor) now.rate = opt->rate_floor;
  }
  if (!lay_inputs(s, x, k, state->strength, state->input)) return VES_EDOMAIN;
  double sent;
  const uint32_t remains =
      stage(s->ws, k, &now, keys->inputs, draw, 0, state->input, state->input_updates, &sent);
  *winner = 0;
  if (remains == 0) return VES_OK;
  const size_t a = remains - 1, at = a * n;
  ves_learn_workspace *ws = laid_out(s, a, input[a], w + at, state->row + at, n);
  if (ws == NULL) return VES_ENOMEM;
  *winner = stage(ws, n, &now, keys->outputs, draw, input[a], state->row + at,
                  state->row_updates + at, &sent);
  sends(&now, sent, &state->strength[a], &state->turns[a]);
  s->laid = false;
  return VES_OK;
}

/* Draws first .. first+draws-1 with what s has of other weights, or of none. */
static ves_status learn_all(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, const stage_keys *keys,
                            uint64_t first, size_t draws, scratch *s, ves_stages_state *state,
                            uint32_t *winner) {
  ves_status status = VES_OK;
  s->laid = false;
  for (size_t c = 0; c < SLOTS; c++) s->slots[c].row = 0;
  for (size_t c = 0; c < k * n; c++)
    if (state->row[c] < w[c]) state->row[c] = w[c];
  for (size_t d = 0; d < draws && status == VES_OK; d++)
    status = ves_stopping() ? VES_ESTOPPED
                            : learn(w, x, input, k, n, opt, keys, first + d, s, state, &winner[d]);
  return status;
}

void ves_stages_start(const double *w, const double *x, size_t k, size_t n,
                      ves_stages_state *state) {
  for (size_t a = 0; a < k; a++) {
    double *row = state->row + a * n;
    bool any = false;
    for (size_t j = 0; j < n; j++) {
      if (row[j] == 0.0) row[j] = w[a * n + j] / 0.3;
      any |= w[a * n + j] > 0;
    }
    if (any && state->strength[a] == 0.0) state->strength[a] = 1.0;
    if (state->input[a] == 0.0) state->input[a] = x[a] * state->strength[a] / 0.3;
  }
}

ves_status ves_stages_learn(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, uint64_t key,
                            uint64_t first, size_t draws, ves_stages_state *state,
                            uint32_t *winner) {
  if (k == 0 || n == 0) return VES_ESIZE;
  const stage_keys keys = {ves_stages_inputs_key(key), ves_stages_outputs_key(key)};
  scratch s;
  ves_status status = VES_ENOMEM;
  if (scratch_make(&s, k))
    status = learn_all(w, x, input, k, n, opt, &keys, first, draws, &s, state, winner);
  scratch_free(&s);
  return status;
}

/* ---- rows of data that arrive ---- */

typedef struct {
  const ves_product *product;
  const ves_code *code; /* of the output */
  ves_product_walk walk;
  ves_run y;
  double point[VES_PRODUCT_MAX];
  uint32_t *input; /* the active inputs of a row of data */
  double *number;  /* what belongs to them; here are its parts: */
  double *x, *a, *b, *w, *count, *w_before, *count_before;
  ves_stages_state state;
  scratch s;
} arrival;

/* The most inputs that can be active at a point. */
static size_t most_active(const ves_product *p) {
  double most = 1.0;
  for (size_t c = 0; c < p->count; c++) most *= (double)p->code[c].reach;
  return most < (double)p->n ? (size_t)most : p->n;
}

static void arrival_free(arrival *r) {
  ves_product_walk_free(&r->walk);
  scratch_free(&r->s);
  free(r->y.value);
  free(r->input);
  free(r->number);
}

static bool arrival_make(arrival *r, const ves_product *p, const ves_code *output) {
  const size_t k = most_active(p), n = output->n;
  *r = (arrival){.product = p, .code = output};
  const bool made = scratch_make(&r->s, k);
  const ves_status walk = ves_product_walk_alloc(&r->walk, p);
  r->y.value = malloc((output->reach + VES_EVIDENCE_SLACK) * sizeof *r->y.value);
  r->input = malloc(k * sizeof *r->input);
  r->number = malloc((7 * n + 5) * k * sizeof *r->number + 2 * n * sizeof *r->number);
  r->s.order = calloc(p->n * n, sizeof *r->s.order);
  if (!made || walk != VES_OK || r->y.value == NULL || r->input == NULL || r->number == NULL ||
      r->s.order == NULL)
    return false;
  r->a = r->number;
  r->b = r->a + n;
  r->w = r->b + n;
  r->count = r->w + k * n;
  r->w_before = r->count + k * n;
  r->count_before = r->w_before + k * n;
  r->state.row = r->count_before + k * n;
  r->state.row_updates = r->state.row + k * n;
  r->state.strength = r->state.row_updates + k * n;
  r->state.turns = r->state.strength + k;
  r->state.input = r->state.turns + k;
  r->state.input_updates = r->state.input + k;
  r->x = r->state.input_updates + k;
  return true;
}

/* A row is observed: the walk stands at its point. */
static void add_row(ves_evidence *ev, void *of, size_t from, size_t rows) {
  arrival *r = of;
  (void)from, (void)rows; /* it is one */
  ves_product_begin(&r->walk, r->point);
  for (const ves_run *run; (run = ves_product_next(&r->walk)) != NULL;)
    ves_evidence_add_run(ev, run, &r->y, 1.0);
}

/* Its output is noted, and the inputs that it activates; returns how many. */
static size_t note(arrival *r, const double *const *x, double y, size_t row, double active) {
  for (size_t c = 0; c < r->product->count; c++) r->point[c] = x[c][row];
  ves_code_active(r->code, y, &r->y.first, &r->y.count, r->y.value);
  for (size_t a = 0; a < VES_EVIDENCE_SLACK; a++) r->y.value[r->y.count + a] = 0.0;
  return ves_product_active(&r->walk, r->point, active, r->input, r->x);
}

/* The weights of k active inputs, and the evidence behind each. */
static void weigh(const ves_evidence *ev, arrival *r, size_t k, double *w, double *count) {
  const size_t n = ev->n;
  for (size_t i = 0; i < k; i++) {
    ves_evidence_cells(ev, r->input[i] * n, n, r->a, r->b);
    ves_beta_mean(r->a, r->b, n, w + i * n);
    for (size_t j = 0; j < n; j++) count[i * n + j] = r->a[j] + r->b[j];
  }
}

/* [eq:amplitude-follow] */
void ves_stages_follow(const double *n_before, const double *n_after, const double *w_before,
                       const double *w_after, size_t n, size_t from, size_t count, double *a,
                       double *strength, double *old) {
  double before = 0.0, after = 0.0, gained = 0.0;
  for (size_t j = 0; j < n; j++) {
    before += n_before[j];
    after += n_after[j];
    old[j] = a[j];
  }
  for (size_t i = 0; i < n; i++) a[i] *= n_before[i] / n_after[i];
  for (size_t j = from; j < from + count; j++) {
    const double gain = w_after[j] - w_before[j] * (n_before[j] / n_after[j]);
    gained += gain;
    for (size_t i = 0; i < n; i++)
      if (old[j] < old[i] || (old[j] == old[i] && j >= i)) a[i] += gain;
  }
  *strength = *strength * (before / after) + gained;
}

/* Amplitudes and strengths of the k active inputs follow a row of data that was observed. Those that
 * were never learned begin where learning does. */
static void follow(const ves_evidence *ev, arrival *r, size_t k, const ves_stages_state *known) {
  const size_t n = ev->n;
  for (size_t i = 0; i < k; i++) {
    const size_t here = i * n;
    double *const a = known->row + r->input[i] * n, *strength = &known->strength[r->input[i]];
    for (size_t j = 0; j < n; j++)
      if (a[j] == 0.0) a[j] = r->w_before[here + j] / 0.3;
    if (*strength == 0.0) *strength = 1.0;
    ves_stages_follow(r->count_before + here, r->count + here, r->w_before + here, r->w + here, n,
                      r->y.first, r->y.count, a, strength, r->a);
  }
}

/* Where the release of active input i is kept, if it is kept for ranges of its activity. */
static size_t kept_at(const arrival *r, size_t i, size_t levels) {
  const size_t level = (size_t)(r->x[i] * (double)levels);
  return r->input[i] * levels + (level < levels ? level : levels - 1);
}

/* What k active inputs know is taken from the network, and given back. */
static void take(arrival *r, size_t k, size_t n, size_t levels, const ves_stages_state *known) {
  for (size_t i = 0; i < k; i++) {
    const size_t at = r->input[i];
    memcpy(r->state.row + i * n, known->row + at * n, n * sizeof(double));
    memcpy(r->state.row_updates + i * n, known->row_updates + at * n, n * sizeof(double));
    r->state.strength[i] = known->strength[at];
    r->state.turns[i] = known->turns[at];
    r->state.input[i] = r->state.input_updates[i] = 0.0;
    if (levels == 0) continue;
    r->state.input[i] = known->input[kept_at(r, i, levels)] * r->x[i] * known->strength[at];
    r->state.input_updates[i] = known->input_updates[kept_at(r, i, levels)];
  }
}

static void give_back(const arrival *r, size_t k, size_t n, size_t levels,
                      const ves_stages_state *known) {
  for (size_t i = 0; i < k; i++) {
    const size_t at = r->input[i];
    memcpy(known->row + at * n, r->state.row + i * n, n * sizeof(double));
    memcpy(known->row_updates + at * n, r->state.row_updates + i * n, n * sizeof(double));
    known->strength[at] = r->state.strength[i];
    known->turns[at] = r->state.turns[i];
    if (levels == 0) continue;
    known->input[kept_at(r, i, levels)] = r->state.input[i] / (r->x[i] * r->state.strength[i]);
    known->input_updates[kept_at(r, i, levels)] = r->state.input_updates[i];
  }
}

ves_status ves_stages_arrive(ves_evidence *ev, const ves_product *input, const ves_code *output,
                             const double *const *x, const double *ys, size_t rows,
                             const ves_stages_arrival *how, const ves_amplitude_options *opt,
                             uint64_t key, uint64_t first, size_t draws, ves_stages_state *known,
                             uint32_t *winner) {
  if (input->n != ev->m || output->n != ev->n) return VES_ESIZE;
  for (size_t c = 0; c < input->count; c++)
    if (!ves_all_finite(x[c], rows)) return VES_EDOMAIN;
  if (!ves_all_finite(ys, rows)) return VES_EDOMAIN;
  if ((double)ev->salience + (double)rows > VES_SALIENCE_TOTAL_MAX) return VES_EDOMAIN;
  const stage_keys keys = {ves_stages_inputs_key(key), ves_stages_outputs_key(key)};
  const size_t n = ev->n;
  arrival r;
  ves_status status = arrival_make(&r, input, output) ? VES_OK : VES_ENOMEM;
  for (size_t t = 0; t < rows && status == VES_OK; t++) {
    const size_t k = note(&r, x, ys[t], t, how->active);
    if (how->follow) weigh(ev, &r, k, r.w_before, r.count_before);
    status = ves_evidence_take(ev, NULL, 1, 1, add_row, &r);
    memset(winner + t * draws, 0, draws * sizeof *winner);
    if (k == 0 || status != VES_OK) continue;
    weigh(ev, &r, k, r.w, r.count);
    if (how->follow) follow(ev, &r, k, known);
    take(&r, k, n, how->levels, known);
    ves_stages_start(r.w, r.x, k, n, &r.state);
    ves_learn_narrow(r.s.ws, k);
    status = learn_all(r.w, r.x, r.input, k, n, opt, &keys, first + t * draws, draws, &r.s,
                       &r.state, winner + t * draws);
    give_back(&r, k, n, how->levels, known);
  }
  arrival_free(&r);
  return status;
}
