/* ves_code: population codes. A layer of n neurons represents a real number by n firing rates, the
 * heights of Gaussian tuning curves whose centres are equally spaced on [lo, hi]. The original says
 * no more of the spacing, and three ways to do it are common. */
#ifndef VES_CODE_H
#define VES_CODE_H

#include "ves_status.h"
#include <stddef.h>

/* A curve is exactly zero beyond this many standard deviations, by definition: work is proportional
 * to the curves that are active, and nothing below exp(-36) is lost. */
#define VES_CODE_REACH 8.5

/* Room past the last centre, so that a vector may run past it. */
#define VES_CODE_SLACK 4

typedef enum {
  VES_SPACING_ENDS, /* from lo to hi, both centres: (hi - lo) / (n - 1) apart */
  VES_SPACING_BINS, /* the middles of n bins: (hi - lo) / n apart */
  VES_SPACING_OPEN, /* lo is a centre and hi is none, the lower ends of n bins */
} ves_spacing;

typedef struct {
  size_t n;      /* neurons */
  double lo, hi; /* the range */
  ves_spacing spacing;
  double sigma;     /* width of a curve */
  double *centers;  /* n, ascending, then VES_CODE_SLACK infinities */
  double near, far; /* distances at which a curve certainly reaches, certainly does not */
  double per_unit;  /* centres per unit of the represented value */
  size_t reach;     /* the largest number of curves any value can activate */
} ves_code;

/* Some neighbouring curves: their heights at a point, from curve `first` on. */
typedef struct {
  size_t first, count;
  double *value;
} ves_run;

/* n >= 1, lo < hi, sigma > 0, all finite. A single neuron sits in the middle of [lo, hi], with the
 * spacing OPEN at lo. [eq:tuning] */
ves_status ves_code_alloc(ves_code *code, size_t n, double lo, double hi, double sigma,
                          ves_spacing spacing);
void ves_code_free(ves_code *code);

/* The height at offset d from the centre: exp(-(d/sigma)^2/2), or 0 beyond the reach. [eq:tuning]
 */
double ves_code_curve(const ves_code *code, double d);

/* Which curves x activates: *count neurons from *first; *count may be 0 when x lies far outside
 * [lo, hi]. */
void ves_code_run(const ves_code *code, double x, size_t *first, size_t *count);

/* The active curves of x: a run of *count neurons from *first, with heights in value (room for
 * code->reach). [eq:tuning] */
void ves_code_active(const ves_code *code, double x, size_t *first, size_t *count, double *value);

/* All n rates of x. [eq:tuning] */
void ves_code_encode(const ves_code *code, double x, double *rate);

/* The grid size that keeps the readout error below a tenth of the centre spacing. */
size_t ves_code_default_grid(const ves_code *code);

/* How many curves of this width one value could activate at most. */
size_t ves_code_reach(const ves_code *code, double width);

/* Where the heights of curves are kept for the search of the peak (ves_code.c): at points of the grid, or at nodes of a
 * tree that has these as its leaves, BRANCH children to a node. */
#define VES_DECODER_BRANCH   12
#define VES_DECODER_LEVELS   12
#define VES_DECODER_GRID_MAX 1000000000

typedef struct {
  size_t children;    /* points, or nodes of the level below */
  size_t *low, *from; /* of a node: the first curve that reaches it, and where its rows begin */
  double *height; /* a row for each of these curves: its largest heights at the node's children */
} ves_decoder_level;

/* The kernel matrix H of the readout, over `grid` equally spaced points z of [lo, hi]. */
typedef struct {
  size_t grid;
  double *z; /* grid points, ascending */
  size_t n,
      *active; /* room for the curves of an activity that are not 0, and how many lie before each */
  size_t levels;
  ves_decoder_level level[VES_DECODER_LEVELS];
} ves_decoder;

/* H has Gaussian columns of this width, centred as the curves of the code are; the original does not
 * print the width. grid >= 2, width > 0. [eq:decode] */
ves_status ves_decoder_alloc(ves_decoder *d, const ves_code *code, double width, size_t grid);
void ves_decoder_free(ves_decoder *d);

/* arg max over z of sum_j y_j h(z - c_j), h the column of H; the smallest such z on ties. VES_EDOMAIN if the activity
 * reaches no point of the grid, as when y is all zero. [eq:decode] */
ves_status ves_decoder_decode(ves_decoder *d, const double *y, double *z);

/* The population mean sum_j y_j c_j / sum_j y_j; VES_EDOMAIN if y is all zero. [readout:mean] */
ves_status ves_code_mean(const ves_code *code, const double *y, double *mean);

#endif
