/* ves_code: tuning curves, encoding and reading out.
 *
 * The number x is represented by the heights at x of n Gaussian curves (fig:popcode1 of the paper).
 * With sigma small against the range only a handful of curves are non-zero, and because the centres
 * ascend they form one run; everything here and in ves_evidence.c touches that run only. */
#include "ves_code.h"
#include "ves_code_private.h"
#include "ves_math_private.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The distance at which a curve of this width certainly does not reach. */
static double far_from(double width) { return VES_CODE_REACH * width * (1 + 1e-12); }

/* The most centres within twice the reach, counted and not computed from the spacing, which rounding
 * makes uneven where the range is far from zero. */
size_t ves_code_reach(const ves_code *code, double width) {
  const double far = far_from(width);
  size_t most = 0;
  for (size_t first = 0, end = 0; first < code->n; first++) {
    while (end < code->n && code->centers[end] - code->centers[first] <= 2 * far) end++;
    if (end - first > most) most = end - first;
  }
  return most;
}

ves_status ves_code_alloc(ves_code *code, size_t n, double lo, double hi, double sigma,
                          ves_spacing spacing) {
  *code = (ves_code){.n = n, .lo = lo, .hi = hi, .spacing = spacing, .sigma = sigma};
  if (n == 0 || !isfinite(lo) || !isfinite(hi) || !(lo < hi) || !isfinite(hi - lo) ||
      !(sigma > 0) || !isfinite(sigma))
    return VES_EDOMAIN;
  code->near = VES_CODE_REACH * sigma * (1 - 1e-12);
  code->far = far_from(sigma);
  if (n > SIZE_MAX / sizeof *code->centers - VES_CODE_SLACK) return VES_ENOMEM;
  code->centers = calloc(n + VES_CODE_SLACK, sizeof *code->centers);
  if (code->centers == NULL) return VES_ENOMEM;
  for (size_t i = n; i < n + VES_CODE_SLACK; i++) code->centers[i] = INFINITY;
  if (n == 1 && spacing == VES_SPACING_ENDS) {
    code->centers[0] = lo + (hi - lo) / 2;
    code->reach = 1;
    return VES_OK;
  }
  const double steps = (double)(spacing == VES_SPACING_ENDS ? n - 1 : n);
  const double first = spacing == VES_SPACING_BINS ? 0.5 : 0.0;
  for (size_t i = 0; i < n; i++) code->centers[i] = lo + (hi - lo) * ((double)i + first) / steps;
  if (spacing == VES_SPACING_ENDS) code->centers[n - 1] = hi;
  code->per_unit = steps / (hi - lo);
  code->reach = ves_code_reach(code, sigma);
  return VES_OK;
}

void ves_code_free(ves_code *code) {
  free(code->centers);
  code->centers = NULL;
}

double ves_code_curve(const ves_code *code, double d) {
  const double z = d / code->sigma;
  return fabs(z) > VES_CODE_REACH ? 0.0 : ves_exp(-0.5 * (z * z));
}

/* |x - c| / sigma <= reach, rounded as ves_code_curve rounds it; only at the very edge is the
 * division needed. */
static bool reaches(const ves_code *code, double x, size_t i) {
  const double d = fabs(x - code->centers[i]);
  if (d < code->near) return true;
  if (d > code->far) return false;
  return d / code->sigma <= VES_CODE_REACH;
}

void ves_code_run(const ves_code *code, double x, size_t *first, size_t *count) {
  size_t i = ves_code_guess_below(code, x - VES_CODE_REACH * code->sigma);
  while (i > 0 && reaches(code, x, i - 1)) i--;
  while (i < code->n && code->centers[i] < x && !reaches(code, x, i)) i++;
  size_t end = ves_code_guess_below(code, x + VES_CODE_REACH * code->sigma);
  if (end < i) end = i;
  while (end < code->n && reaches(code, x, end)) end++;
  while (end > i && !reaches(code, x, end - 1)) end--;
  *first = i;
  *count = end - i;
}

void ves_code_active(const ves_code *code, double x, size_t *first, size_t *count, double *value) {
  ves_code_run(code, x, first, count);
  for (size_t a = 0; a < *count; a++)
    value[a] = ves_code_curve(code, x - code->centers[*first + a]);
}

void ves_code_encode(const ves_code *code, double x, double *rate) {
  for (size_t i = 0; i < code->n; i++) rate[i] = 0.0;
  size_t first, count;
  ves_code_run(code, x, &first, &count);
  ves_code_active(code, x, &first, &count, rate + first);
}

size_t ves_code_default_grid(const ves_code *code) { return 12 * code->n + 1; }

/* ---- reading out ---- */

/* The peak is searched for from the root of a tree. Its leaves are the points of the grid, in order; a node has BRANCH
 * children, nodes of the level below. The height of a curve at a node is the largest of its heights at the points below
 * it, so that the sum there is at least that at any of these points: a node that cannot exceed the best point so far is
 * passed over. The products of a sum and of its bound are added in the same order, so that rounding cannot put the one
 * above the other. Siblings are added up side by side. */
enum { BRANCH = VES_DECODER_BRANCH };

static size_t nodes_of(const ves_decoder_level *v) { return (v->children + BRANCH - 1) / BRANCH; }

/* Makes room for the heights at these children, each reached by the curves first .. end-1. */
static ves_status shape_level(ves_decoder_level *v, const size_t *first, const size_t *end) {
  const size_t nodes = nodes_of(v);
  v->low = calloc(nodes, sizeof *v->low);
  v->from = calloc(nodes + 1, sizeof *v->from);
  if (v->low == NULL || v->from == NULL) return VES_ENOMEM;
  for (size_t b = 0; b < nodes; b++) {
    size_t high = 0;
    for (size_t c = b * BRANCH; c < v->children && c < (b + 1) * BRANCH; c++) {
      if (end[c] == first[c]) continue;
      if (high == 0 || first[c] < v->low[b]) v->low[b] = first[c];
      if (end[c] > high) high = end[c];
    }
    v->from[b + 1] = v->from[b] + (high - v->low[b]);
  }
  if (v->from[nodes] > SIZE_MAX / sizeof(double) / BRANCH - 1) return VES_ENOMEM;
  v->height = calloc((v->from[nodes] + 1) * BRANCH, sizeof *v->height);
  return v->height == NULL ? VES_ENOMEM : VES_OK;
}

/* Where the height of curve j at child c is. */
static double *height_at(const ves_decoder_level *v, size_t c, size_t j) {
  const size_t b = c / BRANCH;
  return v->height + (v->from[b] + j - v->low[b]) * BRANCH + c % BRANCH;
}

/* The level of the points; `kernel` has the columns of H as its curves. */
static ves_status place_points(ves_decoder *d, const ves_code *kernel, size_t *first, size_t *end) {
  ves_decoder_level *v = &d->level[0];
  *v = (ves_decoder_level){.children = d->grid};
  for (size_t g = 0; g < d->grid; g++) {
    d->z[g] = g + 1 == d->grid
                  ? kernel->hi
                  : kernel->lo + (kernel->hi - kernel->lo) * (double)g / (double)(d->grid - 1);
    ves_code_run(kernel, d->z[g], &first[g], &end[g]);
    end[g] += first[g];
  }
  const ves_status status = shape_level(v, first, end);
  for (size_t g = 0; g < d->grid && status == VES_OK; g++)
    for (size_t j = first[g]; j < end[g]; j++)
      *height_at(v, g, j) = ves_code_curve(kernel, d->z[g] - kernel->centers[j]);
  return status;
}

/* A level above another. */
static ves_status place_nodes(ves_decoder_level *v, const ves_decoder_level *below, size_t *first,
                              size_t *end) {
  *v = (ves_decoder_level){.children = nodes_of(below)};
  for (size_t c = 0; c < v->children; c++) {
    first[c] = below->low[c];
    end[c] = first[c] + (below->from[c + 1] - below->from[c]);
  }
  const ves_status status = shape_level(v, first, end);
  for (size_t c = 0; c < v->children && status == VES_OK; c++)
    for (size_t j = first[c]; j < end[c]; j++) {
      const double *of = height_at(below, c * BRANCH, j);
      double most = 0.0;
      for (size_t i = 0; i < BRANCH; i++) most = of[i] > most ? of[i] : most;
      *height_at(v, c, j) = most;
    }
  return status;
}

static ves_status fill_decoder(ves_decoder *d, const ves_code *kernel, size_t *first, size_t *end) {
  ves_status status = place_points(d, kernel, first, end);
  d->levels = 1;
  for (; status == VES_OK && nodes_of(&d->level[d->levels - 1]) > 1; d->levels++)
    status = place_nodes(&d->level[d->levels], &d->level[d->levels - 1], first, end);
  return status;
}

ves_status ves_decoder_alloc(ves_decoder *d, const ves_code *code, double width, size_t grid) {
  *d = (ves_decoder){.n = code->n, .grid = grid};
  if (grid < 2) return VES_EDOMAIN;
  if (grid > VES_DECODER_GRID_MAX) return VES_ENOMEM;
  ves_code kernel;
  ves_status status = ves_code_alloc(&kernel, code->n, code->lo, code->hi, width, code->spacing);
  size_t *runs = calloc(2 * grid, sizeof *runs);
  d->z = calloc(grid, sizeof *d->z);
  d->active = malloc((2 * code->n + 1) * sizeof *d->active);
  if (status == VES_OK && (runs == NULL || d->z == NULL || d->active == NULL)) status = VES_ENOMEM;
  if (status == VES_OK) status = fill_decoder(d, &kernel, runs, runs + grid);
  free(runs);
  ves_code_free(&kernel);
  if (status != VES_OK) ves_decoder_free(d);
  return status;
}

void ves_decoder_free(ves_decoder *d) {
  free(d->z);
  free(d->active);
  for (size_t l = 0; l < d->levels; l++) {
    free(d->level[l].low);
    free(d->level[l].from);
    free(d->level[l].height);
  }
  *d = (ves_decoder){0};
}

/* The best point so far; at is the number of points if there is none. */
typedef struct {
  double sum;
  size_t at;
} peak;

/* The sums at the children of a node; for bounds, activities below 0 count as 0. */
static void add_up(const ves_decoder *d, const ves_decoder_level *v, size_t node, const double *y,
                   double sum[BRANCH]) {
  const size_t *before = d->active + d->n, low = v->low[node],
               count = v->from[node + 1] - v->from[node];
  const double *height = v->height + v->from[node] * BRANCH;
  const bool bounds = v != d->level;
  for (size_t i = 0; i < BRANCH; i++) sum[i] = 0.0;
  for (size_t a = before[low]; a < before[low + count]; a++) {
    const size_t j = d->active[a];
    const double *of = height + (j - low) * BRANCH;
    if (bounds && y[j] < 0) continue;
    for (size_t i = 0; i < BRANCH; i++) sum[i] += y[j] * of[i];
  }
}

/* Looks below a node for a better point, where the bound is largest first. */
static void look_below(const ves_decoder *d, size_t level, size_t node, const double *y,
                       peak *best) {
  const ves_decoder_level *v = &d->level[level];
  const size_t first = node * BRANCH, left = v->children - first,
               count = left < BRANCH ? left : BRANCH;
  double sum[BRANCH];
  add_up(d, v, node, y, sum);
  if (level == 0) {
    for (size_t i = 0; i < count; i++)
      if (sum[i] > best->sum || (sum[i] == best->sum && first + i < best->at && sum[i] > 0))
        *best = (peak){sum[i], first + i};
    return;
  }
  size_t top = 0;
  for (size_t i = 1; i < count; i++)
    if (sum[i] > sum[top]) top = i;
  if (sum[top] > 0 && sum[top] >= best->sum) look_below(d, level - 1, first + top, y, best);
  for (size_t i = 0; i < count; i++)
    if (i != top && sum[i] > 0 && sum[i] >= best->sum) look_below(d, level - 1, first + i, y, best);
}

ves_status ves_decoder_decode(ves_decoder *d, const double *y, double *z) {
  peak best = {0.0, d->grid};
  size_t *before = d->active + d->n, count = 0;
  for (size_t j = 0; j < d->n; j++) {
    before[j] = count;
    d->active[count] = j;
    count += y[j] != 0;
  }
  before[d->n] = count;
  look_below(d, d->levels - 1, 0, y, &best);
  if (best.at == d->grid) return VES_EDOMAIN;
  *z = d->z[best.at];
  return VES_OK;
}

ves_status ves_code_mean(const ves_code *code, const double *y, double *mean) {
  double mass = 0.0, moment = 0.0;
  for (size_t j = 0; j < code->n; j++) {
    mass += y[j];
    moment += y[j] * code->centers[j];
  }
  if (!(mass > 0)) return VES_EDOMAIN;
  *mean = moment / mass;
  return VES_OK;
}
