/* ves_code: tuning curves, encoding and reading out.
 *
 * The number x is represented by the heights at x of n Gaussian curves (fig:popcode1 of the paper).
 * With sigma small against the range only a handful of curves are non-zero, and because the centres
 * ascend they form one run; everything here and in ves_evidence.c touches that run only. */
#include "ves_code.h"
#include "ves_code_private.h"
#include "ves_math_private.h"
#include <float.h>
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

/* Points of the grid are looked at by blocks. With each curve at its largest height in a block, the
 * sum is at least that at any of its points: a block that cannot exceed the best one so far is
 * passed over, and most cannot. The products of a sum and of its bound are added in the same order,
 * so that rounding cannot put the one above the other.
 *
 * Most bounds need not be found either. A bound is at most the largest activity that reaches the
 * block, times the sum of its largest heights. The block where the most active curve peaks is looked
 * at first; after that only blocks count that are reached by an activity large enough to make up for
 * that one. */
enum { BLOCK = 12 };

/* Sums of heights may be rounded, but not by this share. */
static const double rounding = 1e-9;

static size_t blocks_of(const ves_decoder *d) { return (d->grid + BLOCK - 1) / BLOCK; }

static size_t block_end(const ves_decoder *d, size_t block) {
  return block + 1 < blocks_of(d) ? (block + 1) * BLOCK : d->grid;
}

/* The curves that reach some point of a block, as first and end of a run; 0, 0 if none does. */
static void block_run(const ves_decoder *d, size_t block, size_t *low, size_t *high) {
  *low = *high = 0;
  for (size_t g = block * BLOCK; g < block_end(d, block); g++) {
    if (d->count[g] == 0) continue;
    if (*high == 0 || d->first[g] < *low) *low = d->first[g];
    if (d->first[g] + d->count[g] > *high) *high = d->first[g] + d->count[g];
  }
}

/* The blocks that each curve reaches. Curves and points both ascend, so that first blocks and ends do;
 * a curve that falls between two points has none. */
static ves_status reach_blocks(ves_decoder *d) {
  d->reach = calloc(d->n, sizeof *d->reach);
  if (d->reach == NULL) return VES_ENOMEM;
  for (size_t b = 0; b < blocks_of(d); b++) {
    double heights = 0.0;
    for (size_t a = d->from[b]; a < d->from[b + 1]; a++) {
      ves_decoder_reach *of = &d->reach[d->low[b] + (a - d->from[b])];
      if (of->end == 0) of->first = b;
      if (of->end == 0 || d->most[a] > of->height) {
        of->height = d->most[a];
        of->peak = b;
      }
      of->end = b + 1;
      heights += d->most[a];
    }
    if (heights > d->heights) d->heights = heights;
  }
  return VES_OK;
}

static ves_status bound_blocks(ves_decoder *d) {
  const size_t blocks = blocks_of(d);
  size_t total = 0, high;
  d->low = malloc(blocks * sizeof *d->low);
  d->from = malloc((blocks + 1) * sizeof *d->from);
  if (d->low == NULL || d->from == NULL) return VES_ENOMEM;
  for (size_t b = 0; b < blocks; b++) {
    block_run(d, b, &d->low[b], &high);
    d->from[b] = total;
    total += high - d->low[b];
  }
  d->from[blocks] = total;
  d->most = calloc(total + 1, sizeof *d->most);
  if (d->most == NULL) return VES_ENOMEM;
  for (size_t g = 0; g < d->grid; g++)
    for (size_t a = 0; a < d->count[g]; a++) {
      double *most = d->most + d->from[g / BLOCK] + (d->first[g] + a - d->low[g / BLOCK]);
      if (d->height[g * d->room + a] > *most) *most = d->height[g * d->room + a];
    }
  return reach_blocks(d);
}

/* `kernel` has the columns of H as its curves. */
static ves_status fill_decoder(ves_decoder *d, const ves_code *kernel, size_t grid) {
  *d = (ves_decoder){.n = kernel->n, .grid = grid, .room = kernel->reach};
  if (grid < 2) return VES_EDOMAIN;
  if (d->room > SIZE_MAX / sizeof(double) / grid) return VES_ENOMEM;
  d->z = malloc(grid * sizeof *d->z);
  d->first = malloc(grid * sizeof *d->first);
  d->count = calloc(grid, sizeof *d->count);
  d->height = malloc(grid * d->room * sizeof *d->height);
  if (d->z == NULL || d->first == NULL || d->count == NULL || d->height == NULL) return VES_ENOMEM;
  for (size_t g = 0; g < grid; g++) {
    d->z[g] = g + 1 == grid
                  ? kernel->hi
                  : kernel->lo + (kernel->hi - kernel->lo) * (double)g / (double)(grid - 1);
    ves_code_active(kernel, d->z[g], &d->first[g], &d->count[g], d->height + g * d->room);
  }
  return bound_blocks(d);
}

ves_status ves_decoder_alloc(ves_decoder *d, const ves_code *code, double width, size_t grid) {
  *d = (ves_decoder){0};
  ves_code kernel;
  ves_status status = ves_code_alloc(&kernel, code->n, code->lo, code->hi, width, code->spacing);
  if (status == VES_OK) status = fill_decoder(d, &kernel, grid);
  ves_code_free(&kernel);
  if (status != VES_OK) ves_decoder_free(d);
  return status;
}

void ves_decoder_free(ves_decoder *d) {
  free(d->z);
  free(d->first);
  free(d->count);
  free(d->height);
  free(d->low);
  free(d->from);
  free(d->most);
  free(d->reach);
  *d = (ves_decoder){0};
}

/* At least the sum at every point of a block; activities below 0 count as 0. */
static double block_bound(const ves_decoder *d, size_t block, const double *y) {
  const double *most = d->most + d->from[block], *rate = y + d->low[block];
  const size_t count = d->from[block + 1] - d->from[block];
  double bound = 0.0;
  for (size_t a = 0; a < count; a++) bound += (rate[a] > 0 ? rate[a] : 0.0) * most[a];
  return bound;
}

/* The best point so far; at is d->grid if there is none. */
typedef struct {
  double sum;
  size_t at;
} peak;

static void look_at_block(const ves_decoder *d, size_t block, const double *y, peak *best) {
  for (size_t g = block * BLOCK; g < block_end(d, block); g++) {
    const double *h = d->height + g * d->room, *rate = y + d->first[g];
    double sum = 0.0;
    for (size_t a = 0; a < d->count[g]; a++) sum += rate[a] * h[a];
    if (sum > best->sum || (sum == best->sum && g < best->at && sum > 0)) *best = (peak){sum, g};
  }
}

/* Four at a time, which need not wait for each other. */
static size_t strongest(const double *y, size_t n) {
  double top[4] = {y[0], y[0], y[0], y[0]};
  size_t j = 0;
  for (; j + 4 <= n; j += 4)
    for (size_t i = 0; i < 4; i++) top[i] = y[j + i] > top[i] ? y[j + i] : top[i];
  for (; j < n; j++) top[0] = y[j] > top[0] ? y[j] : top[0];
  for (size_t i = 1; i < 4; i++) top[0] = top[i] > top[0] ? top[i] : top[0];
  for (j = 0; j + 1 < n && y[j] < top[0];) j++;
  return j;
}

ves_status ves_decoder_decode(const ves_decoder *d, const double *y, double *z) {
  peak best = {0.0, d->grid};
  const size_t top = strongest(y, d->n);
  size_t next = 0;
  if (d->reach[top].end > 0) look_at_block(d, d->reach[top].peak, y, &best);
  const double makes_up = (1 - rounding) * best.sum / d->heights;
  const double enough = makes_up > 0 ? makes_up : DBL_TRUE_MIN;
  for (size_t j = 0; j < d->n; j++) {
    if (!(y[j] >= enough)) continue;
    for (size_t b = d->reach[j].first > next ? d->reach[j].first : next; b < d->reach[j].end; b++)
      if (block_bound(d, b, y) >= best.sum) look_at_block(d, b, y, &best);
    if (d->reach[j].end > next) next = d->reach[j].end;
  }
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
