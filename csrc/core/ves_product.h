/* ves_product: several numbers as one input. The curves of a product code are the products of one
 * curve of each of its codes. [eq:product] */
#ifndef VES_PRODUCT_H
#define VES_PRODUCT_H

#include "ves_code.h"
#include "ves_evidence.h"
#include "ves_status.h"
#include <stdbool.h>
#include <stddef.h>

/* The most codes of a product. */
#define VES_PRODUCT_MAX 16

typedef struct {
  size_t count;                   /* codes */
  ves_code code[VES_PRODUCT_MAX]; /* copies of its own */
  size_t n;     /* curves: curve (i_1, ..., i_c) is number (i_1 n_2 + i_2) n_3 + i_3 ... */
  double floor; /* a curve is exactly zero where it is lower than this */
} ves_product;

/* How many curves the product of these codes has, as a number that does not overflow. */
double ves_product_size(const ves_code *const *code, size_t count);

/* Copies the codes. 1 <= count <= VES_PRODUCT_MAX; VES_ENOMEM if there are too many curves to
 * count. */
ves_status ves_product_alloc(ves_product *p, const ves_code *const *code, size_t count);
void ves_product_free(ves_product *p);

/* A walk through the active curves of one point, run by run: with all curves but the last code's
 * held, the active curves of the last one are neighbours. */
typedef struct {
  const ves_product *product;
  ves_run of[VES_PRODUCT_MAX];    /* the active curves of each code */
  size_t at[VES_PRODUCT_MAX];     /* where in them the walk stands */
  size_t index[VES_PRODUCT_MAX];  /* the number that the curves of the codes before make */
  double height[VES_PRODUCT_MAX]; /* the product of their heights */
  size_t depth;                   /* the code whose next curve is due */
  double *values;                 /* memory of all runs */
  ves_run run;                    /* what was found last */
} ves_product_walk;

/* The product must outlive the walk. */
ves_status ves_product_walk_alloc(ves_product_walk *w, const ves_product *p);
void ves_product_walk_free(ves_product_walk *w);

/* Begins a walk at the point x, one number for each code. */
void ves_product_begin(ves_product_walk *w, const double *x);

/* The next run, in ascending order; NULL when there is none. Its heights are followed by zeros, as
 * a vector that runs past the last expects. [eq:product] */
const ves_run *ves_product_next(ves_product_walk *w);

/* The curves of the point x (one number per code) that are higher than `active`: how many; and
 * their ascending numbers and heights, unless these are NULL. The walk is any of the product. */
size_t ves_product_active(ves_product_walk *w, const double *x, double active, uint32_t *input,
                          double *height);

/* Adds `rows` observations (x[0][r], x[1][r], ..., ys[r]), as ves_evidence_observe does and with the
 * same promises; ev->m = p->n. A product of one code adds the bits that the code itself adds.
 * [eq:evidence] [eq:product] */
ves_status ves_product_observe(ves_evidence *ev, const ves_product *p, const ves_code *output,
                               const double *const *x, const double *ys, const double *salience,
                               size_t rows);

#endif
