/* ves_product: several numbers as one input, by curves over all of them at once.
 *
 * A network has one row of synapses per input neuron. That several numbers x_1, ..., x_c decide the
 * output together takes neurons that are tuned to all of them: for each choice of one curve of each
 * code a neuron whose rate is the product of their heights,
 *
 *     h_{i_1 ... i_c}(x) = h_{i_1}(x_1) ... h_{i_c}(x_c)                            [eq:product]
 *
 * multiplied from the left. For Gaussian curves this is a Gaussian bump at the point of the centres,
 * and like a single curve it is exactly zero, by definition, where it would be lower than a curve
 * is at its reach. The original has one input; nothing else of the model changes, since all of it is
 * said row by row.
 *
 * There are n_1 ... n_c such neurons, and only few are active at a time. Everything here touches
 * those: the active curves of each code are one run, so those of the product are a bundle of runs
 * along the last code. The walk goes through the curves of the codes before like an odometer, and
 * leaves out every branch whose product is too low already: what is left of a box is a ball, half
 * of it in three dimensions. */
#include "ves_product.h"
#include "ves_evidence_private.h"
#include "ves_math_private.h"
#include <stdlib.h>

double ves_product_size(const ves_code *const *code, size_t count) {
  double size = 1;
  for (size_t c = 0; c < count; c++) size *= (double)code[c]->n;
  return size;
}

ves_status ves_product_alloc(ves_product *p, const ves_code *const *code, size_t count) {
  *p = (ves_product){.n = 1};
  if (count == 0 || count > VES_PRODUCT_MAX) return VES_EDOMAIN;
  if (!(ves_product_size(code, count) < (double)UINT32_MAX)) return VES_ENOMEM;
  for (; p->count < count; p->count++) {
    const ves_code *from = code[p->count];
    const ves_status status =
        ves_code_alloc(&p->code[p->count], from->n, from->lo, from->hi, from->sigma, from->spacing);
    if (status != VES_OK) {
      ves_product_free(p);
      return status;
    }
    p->n *= from->n;
  }
  if (count > 1) p->floor = ves_exp(-0.5 * (VES_CODE_REACH * VES_CODE_REACH));
  return VES_OK;
}

void ves_product_free(ves_product *p) {
  for (size_t c = 0; c < p->count; c++) ves_code_free(&p->code[c]);
  *p = (ves_product){0};
}

/* ---- walking ---- */

ves_status ves_product_walk_alloc(ves_product_walk *w, const ves_product *p) {
  *w = (ves_product_walk){.product = p};
  size_t room = p->code[p->count - 1].reach + VES_EVIDENCE_SLACK;
  for (size_t c = 0; c < p->count; c++) room += p->code[c].reach;
  w->values = malloc(room * sizeof *w->values);
  if (w->values == NULL) return VES_ENOMEM;
  double *next = w->values;
  for (size_t c = 0; c < p->count; c++) {
    w->of[c].value = next;
    next += p->code[c].reach;
  }
  w->run.value = next;
  return VES_OK;
}

void ves_product_walk_free(ves_product_walk *w) {
  free(w->values);
  *w = (ves_product_walk){0};
}

void ves_product_begin(ves_product_walk *w, const double *x) {
  for (size_t c = 0; c < w->product->count; c++)
    ves_code_active(&w->product->code[c], x[c], &w->of[c].first, &w->of[c].count, w->of[c].value);
  w->depth = 0;
  w->at[0] = w->index[0] = 0;
  w->height[0] = 1;
}

/* Stands on the next curve of code c, one of the codes before the last, that is not too low for
 * anything to follow; false if there is none. */
static bool find_curve(ves_product_walk *w, size_t c) {
  const ves_run *of = &w->of[c];
  while (w->at[c] < of->count && w->height[c] * of->value[w->at[c]] < w->product->floor) w->at[c]++;
  return w->at[c] < of->count;
}

/* The run along the last code where the walk stands; false if all of it is too low. */
static bool find_run(ves_product_walk *w) {
  const size_t last = w->product->count - 1;
  const ves_run *of = &w->of[last];
  const double height = w->height[last], floor = w->product->floor;
  size_t from = 0, to = of->count;
  while (from < to && height * of->value[from] < floor) from++;
  while (from < to && height * of->value[to - 1] < floor) to--;
  for (size_t a = from; a < to; a++) w->run.value[a - from] = height * of->value[a];
  for (size_t a = 0; a < VES_EVIDENCE_SLACK; a++) w->run.value[to - from + a] = 0.0;
  w->run.first = w->index[last] * w->product->code[last].n + of->first + from;
  w->run.count = to - from;
  return from < to;
}

const ves_run *ves_product_next(ves_product_walk *w) {
  const size_t last = w->product->count - 1;
  for (size_t c = w->depth;;) {
    if (c == last && w->at[c] == 0) { /* one run here, then back to the code before */
      w->depth = c;
      w->at[c] = 1;
      if (find_run(w)) return &w->run;
    } else if (c < last && find_curve(w, c)) {
      const size_t at = w->at[c]++;
      w->height[c + 1] = w->height[c] * w->of[c].value[at];
      w->index[c + 1] = w->index[c] * w->product->code[c].n + w->of[c].first + at;
      w->at[++c] = 0;
    } else if (c-- == 0) {
      return NULL;
    }
  }
}

size_t ves_product_active(ves_product_walk *w, const double *x, double active, uint32_t *input,
                          double *height) {
  ves_product_begin(w, x);
  size_t k = 0;
  for (const ves_run *run; (run = ves_product_next(w)) != NULL;)
    for (size_t a = 0; a < run->count; a++) {
      if (!(run->value[a] > active)) continue;
      if (input != NULL) input[k] = (uint32_t)(run->first + a);
      if (height != NULL) height[k] = run->value[a];
      k++;
    }
  return k;
}

/* ---- observing ---- */

typedef struct {
  ves_product_walk walk;
  const ves_code *output;
  const double *const *x, *ys, *salience;
  ves_run y;
} rows_of;

/* Adds rows from..from+count-1. */
static void add_rows(ves_evidence *ev, void *of, size_t from, size_t count) {
  rows_of *rows = of;
  double point[VES_PRODUCT_MAX] = {0};
  for (size_t r = from; r < from + count; r++) {
    ves_run *y = &rows->y;
    ves_code_active(rows->output, rows->ys[r], &y->first, &y->count, y->value);
    for (size_t a = 0; a < VES_EVIDENCE_SLACK; a++) y->value[y->count + a] = 0.0;
    for (size_t c = 0; c < rows->walk.product->count; c++) point[c] = rows->x[c][r];
    ves_product_begin(&rows->walk, point);
    for (const ves_run *run; (run = ves_product_next(&rows->walk)) != NULL;)
      ves_evidence_add_run(ev, run, y, rows->salience != NULL ? rows->salience[r] : 1.0);
  }
}

ves_status ves_product_observe(ves_evidence *ev, const ves_product *p, const ves_code *output,
                               const double *const *x, const double *ys, const double *salience,
                               size_t rows) {
  if (p->n != ev->m || output->n != ev->n) return VES_ESIZE;
  for (size_t c = 0; c < p->count; c++)
    if (!ves_all_finite(x[c], rows)) return VES_EDOMAIN;
  if (!ves_all_finite(ys, rows)) return VES_EDOMAIN;
  rows_of of = {.output = output, .x = x, .ys = ys, .salience = salience};
  of.y.value = malloc((output->reach + VES_EVIDENCE_SLACK) * sizeof *of.y.value);
  ves_status status = ves_product_walk_alloc(&of.walk, p);
  if (of.y.value == NULL) status = VES_ENOMEM;
  const size_t step = ves_evidence_step(p->n * output->reach);
  if (status == VES_OK) status = ves_evidence_take(ev, salience, rows, step, add_rows, &of);
  ves_product_walk_free(&of.walk);
  free(of.y.value);
  return status;
}
