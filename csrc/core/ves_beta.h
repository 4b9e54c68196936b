/* ves_beta: the Beta distribution that evidence defines for each weight. */
#ifndef VES_BETA_H
#define VES_BETA_H

#include <stddef.h>
#include <stdint.h>

/* Mean of Beta(A, B), elementwise over count cells. [eq:betamean] */
void ves_beta_mean(const double *a, const double *b, size_t count, double *mean);

/* Variance of Beta(A, B), elementwise over count cells. [eq:betavar] */
void ves_beta_variance(const double *a, const double *b, size_t count, double *variance);

/* The parameters of n weights, prepared for many draws. */
typedef struct ves_beta ves_beta;

/* Beta(A + plus, B + plus) of n cells, A and B in [1e-100, 1e100], plus 0 or 1; NULL when out of
 * memory. */
ves_beta *ves_beta_alloc(const double *a, const double *b, size_t n, double plus);
void ves_beta_free(ves_beta *s);

/* One draw of all n weights, those of input row `row`, at draw `draw` of stream `key`. [eq:beta] */
void ves_beta_draw(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w);

/* The same of two preparations of the same n, each as by itself, in less time. */
void ves_beta_draw_both(const ves_beta *const s[2], uint64_t key, uint64_t draw, uint32_t row,
                        double *const w[2]);

#endif
