/* ves_evidence: accumulation of evidence, and the Beta distribution it defines.
 *
 *     A = A0 + lambda X'Y,   B = B0 + lambda X'(1 - Y)                              [eq:evidence]
 *
 * Only the active curves of a row touch anything: a handful of products instead of m x n. B needs
 * no products of its own, because X'(1 - Y) is the row sum of X minus X'Y.
 *
 * The sums are exact. A floating-point sum depends on its order, so A would depend on how the rows
 * were chunked into calls and spread over machines. Instead every addend p is split at fixed binary
 * places by adding and subtracting a large constant,
 *
 *     h = (p + 1.5*2^30) - 1.5*2^30             the multiple of 2^-22 nearest to p
 *     l = ((p - h) + 1.5*2^-8) - 1.5*2^-8       the multiple of 2^-60 nearest to the rest
 *
 * and h and l are summed apart. A bin of multiples of 2^-22 below 2^31 adds without any rounding,
 * and so does one of multiples of 2^-60 below 2^-7: the sums are integers in disguise, the order
 * cannot matter, and chunks and ranks merge by plain addition. The low bin is carried into the high
 * one every 2^15 rows, long before it fills; carrying moves value between the bins but leaves their
 * total. Rounding happens once, when A or B is read. (The idea is that of binned summation; Demmel
 * and Nguyen, IEEE Trans. Comput. 2015, doi:10.1109/TC.2014.2345391, do it for any exponent range.)
 * The price is that an addend is rounded to 2^-60. */
#include "ves_evidence_private.h"
#include "ves_rng.h"
#include "ves_stop.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t carry_every = UINT64_C(1) << 15;

static inline void bin_add(double p, double *hi, double *lo) {
  const double h = (p + VES_SPLIT_HIGH) - VES_SPLIT_HIGH;
  *hi += h;
  *lo += ((p - h) + VES_SPLIT_LOW) - VES_SPLIT_LOW;
}

static void carry(double *hi, double *lo, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const double c = (lo[i] + VES_SPLIT_HIGH) - VES_SPLIT_HIGH;
    hi[i] += c;
    lo[i] -= c;
  }
}

static void carry_all(ves_evidence *ev) {
  for (size_t k = 0; k < ev->places; k++) {
    double *bins = ev->joint + k * ves_evidence_stride(ev);
    carry(bins, bins + ev->n, ev->n);
  }
  carry(ev->presence_hi, ev->presence_lo, ev->m);
  ev->since = 0;
}

ves_status ves_evidence_alloc(ves_evidence *ev, size_t m, size_t n, double rate) {
  *ev = (ves_evidence){.m = m, .n = n, .rate = rate};
  if (m == 0 || n == 0 || !isfinite(rate) || rate < 0) return VES_EDOMAIN;
  if (m >= UINT32_MAX || m > SIZE_MAX / sizeof(double) / 4 / (n + VES_EVIDENCE_SLACK))
    return VES_ENOMEM;
  /* Room for all inputs, which costs nothing before it is touched. */
  ev->joint = malloc(m * ves_evidence_stride(ev) * sizeof *ev->joint);
  ev->place = calloc(m, sizeof *ev->place);
  ev->presence_hi = calloc(2 * (m + VES_EVIDENCE_SLACK), sizeof *ev->presence_hi);
  if (ev->joint == NULL || ev->place == NULL || ev->presence_hi == NULL) {
    ves_evidence_free(ev);
    return VES_ENOMEM;
  }
  ev->presence_lo = ev->presence_hi + m + VES_EVIDENCE_SLACK;
  return VES_OK;
}

void ves_evidence_free(ves_evidence *ev) {
  free(ev->joint);
  free(ev->place);
  free(ev->presence_hi);
  *ev = (ves_evidence){0};
}

/* ---- bins ---- */

/* An input has bins once it was active: with narrow curves most never are, and the bins of those
 * that are lie side by side. */

double *ves_evidence_make_bins(ves_evidence *ev, size_t i) {
  const size_t stride = ves_evidence_stride(ev);
  double *bins = ev->joint + ev->places * stride;
  ev->place[i] = ++ev->places;
  return memset(bins, 0, stride * sizeof *bins);
}

/* ---- priors ---- */

ves_status ves_evidence_priors(ves_evidence *ev, double a_lo, double a_hi, double b_lo, double b_hi,
                               uint64_t key) {
  if (!(a_lo > 0) || !(a_lo <= a_hi) || !(b_lo > 0) || !(b_lo <= b_hi) || !isfinite(a_hi) ||
      !isfinite(b_hi))
    return VES_EDOMAIN;
  ev->prior = (ves_prior){ves_key_string(key, "prior", 5), a_lo, a_hi, b_lo, b_hi};
  return VES_OK;
}

static void stretch(double lo, double hi, size_t count, double *u) {
  for (size_t i = 0; i < count; i++) u[i] = lo + (hi - lo) * u[i];
}

void ves_evidence_prior_cells(const ves_evidence *ev, size_t first, size_t count, double *a0,
                              double *b0) {
  const ves_prior *p = &ev->prior;
  ves_uniform_pairs(p->key, first, count, a0, b0);
  stretch(p->a_lo, p->a_hi, count, a0);
  stretch(p->b_lo, p->b_hi, count, b0);
}

/* ---- observing ---- */

/* Whether all rows are usable, and what they add to the total salience. */
static ves_status total_salience(const double *salience, size_t rows, uint64_t *total) {
  *total = rows;
  if (salience == NULL) return VES_OK;
  *total = 0;
  for (size_t r = 0; r < rows; r++) {
    if (!(salience[r] >= 0) || salience[r] > VES_SALIENCE_MAX) return VES_EDOMAIN;
    *total += (uint64_t)ceil(salience[r]);
  }
  return VES_OK;
}

static void add_row(ves_evidence *ev, const ves_run *x, const ves_run *y, double salience) {
  for (size_t a = 0; a < x->count; a++) {
    const size_t i = x->first + a;
    const double present = salience * x->value[a];
    bin_add(present, &ev->presence_hi[i], &ev->presence_lo[i]);
    double *hi = ves_evidence_own_bins(ev, i) + y->first, *lo = hi + ev->n;
    for (size_t b = 0; b < y->count; b++) bin_add(present * y->value[b], &hi[b], &lo[b]);
  }
}

void ves_evidence_add_run(ves_evidence *ev, const ves_run *x, const ves_run *y, double salience) {
  if (!ves_evidence_add_run_avx2(ev, x, y, salience)) add_row(ev, x, y, salience);
}

ves_status ves_evidence_take(ves_evidence *ev, const double *salience, size_t rows, size_t step,
                             ves_evidence_adder add, void *of) {
  uint64_t total;
  const ves_status usable = total_salience(salience, rows, &total);
  if (usable != VES_OK) return usable;
  if ((double)ev->salience + (double)total > VES_SALIENCE_TOTAL_MAX) return VES_EDOMAIN;
  size_t done = 0;
  while (done < rows && !ves_stopping()) {
    const size_t room = (size_t)(carry_every - ev->since);
    size_t now = rows - done < room ? rows - done : room;
    if (now > step) now = step;
    add(ev, of, done, now);
    done += now;
    ev->since += now;
    if (ev->since == carry_every) carry_all(ev);
  }
  if (done < rows) total_salience(salience, done, &total);
  ev->rows += done;
  ev->salience += total;
  return done < rows ? VES_ESTOPPED : VES_OK;
}

typedef struct {
  const ves_code *input, *output;
  const double *xs, *ys, *salience;
  double *scratch;
} rows_of;

static void add_rows(ves_evidence *ev, void *of, size_t from, size_t rows) {
  const rows_of *all = of;
  const double *xs = all->xs + from, *ys = all->ys + from;
  const double *salience = all->salience != NULL ? all->salience + from : NULL;
  if (ves_evidence_add_avx2(ev, all->input, all->output, xs, ys, salience, rows, all->scratch))
    return;
  ves_run x = {.value = all->scratch}, y = {.value = all->scratch + all->input->reach};
  for (size_t r = 0; r < rows; r++) {
    ves_code_active(all->input, xs[r], &x.first, &x.count, x.value);
    ves_code_active(all->output, ys[r], &y.first, &y.count, y.value);
    add_row(ev, &x, &y, salience != NULL ? salience[r] : 1.0);
  }
}

ves_status ves_evidence_observe(ves_evidence *ev, const ves_code *input, const ves_code *output,
                                const double *xs, const double *ys, const double *salience,
                                size_t rows) {
  if (input->n != ev->m || output->n != ev->n) return VES_ESIZE;
  if (!ves_all_finite(xs, rows) || !ves_all_finite(ys, rows)) return VES_EDOMAIN;
  rows_of of = {input, output, xs, ys, salience, NULL};
  of.scratch = malloc((input->reach + output->reach + 2 * VES_EVIDENCE_SLACK) * sizeof *of.scratch);
  if (of.scratch == NULL) return VES_ENOMEM;
  const size_t step = ves_evidence_step(input->reach * output->reach);
  const ves_status status = ves_evidence_take(ev, salience, rows, step, add_rows, &of);
  free(of.scratch);
  return status;
}

static void add_bins(ves_evidence *ev, size_t i, const double *bins) {
  if (bins == NULL) return;
  double *own = ves_evidence_own_bins(ev, i);
  for (size_t c = 0; c < 2 * ev->n; c++) own[c] += bins[c];
}

ves_status ves_evidence_merge(ves_evidence *ev, const ves_evidence *from) {
  if (ev->m != from->m || ev->n != from->n) return VES_ESIZE;
  if ((double)ev->salience + (double)from->salience > VES_SALIENCE_TOTAL_MAX) return VES_EDOMAIN;
  for (size_t i = 0; i < ev->m; i++) {
    add_bins(ev, i, ves_evidence_bins(from, i));
    ev->presence_hi[i] += from->presence_hi[i];
    ev->presence_lo[i] += from->presence_lo[i];
  }
  ev->rows += from->rows;
  ev->salience += from->salience;
  carry_all(ev);
  return VES_OK;
}

/* ---- reading ---- */

/* Cells of one row, at most CELLS of them. */
enum { CELLS = 256 };

static void read_cells(const ves_evidence *ev, size_t first, size_t count, double *a, double *b) {
  double a0[CELLS], b0[CELLS];
  const size_t i = first / ev->n;
  const double *bins = ves_evidence_bins(ev, i);
  if (bins == NULL) {
    ves_evidence_prior_cells(ev, first, count, a != NULL ? a : a0, b != NULL ? b : b0);
    return;
  }
  const double *hi = bins + first % ev->n, *lo = hi + ev->n;
  ves_evidence_prior_cells(ev, first, count, a0, b0);
  for (size_t c = 0; a != NULL && c < count; c++) a[c] = a0[c] + ev->rate * (hi[c] + lo[c]);
  for (size_t c = 0; b != NULL && c < count; c++) {
    const double absent = (ev->presence_hi[i] - hi[c]) + (ev->presence_lo[i] - lo[c]);
    b[c] = b0[c] + ev->rate * absent;
  }
}

void ves_evidence_cells(const ves_evidence *ev, size_t first, size_t count, double *a, double *b) {
  for (size_t done = 0; ev->n > 0 && done < count;) {
    const size_t cell = first + done, left = ev->n - cell % ev->n;
    size_t now = count - done < left ? count - done : left;
    if (now > CELLS) now = CELLS;
    read_cells(ev, cell, now, a != NULL ? a + done : NULL, b != NULL ? b + done : NULL);
    done += now;
  }
}

void ves_evidence_a(const ves_evidence *ev, double *a) {
  ves_evidence_cells(ev, 0, ev->m * ev->n, a, NULL);
}

void ves_evidence_b(const ves_evidence *ev, double *b) {
  ves_evidence_cells(ev, 0, ev->m * ev->n, NULL, b);
}
