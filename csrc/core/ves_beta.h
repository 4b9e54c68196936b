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

/* The weights of the `count` listed synapses of that draw, at their places in w; the others stay as
 * they are. The list is worked off and of no use afterwards. */
void ves_beta_draw_listed(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                          uint32_t *list, size_t count, double *w);

/* k active inputs with their activities x > 0 and rows, the weights of each prepared `sets` times, 1
 * or 2: those of input i are beta[sets i], ... */
typedef struct {
  const ves_beta *const *beta;
  const double *x;
  const uint32_t *row;
  size_t k, n, sets;
} ves_beta_layer;

/* Doubles of `room` that a layer needs for its draws. */
size_t ves_beta_room(const ves_beta_layer *layer);

/* The activities y[set][j] = sum of x_i w_ij of a draw, taken in the order of the inputs. */
void ves_beta_activity(const ves_beta_layer *layer, uint64_t key, uint64_t draw, double *room,
                       double *const y[2]);

/* The most active output of that draw for each set, counting from 1, the lower index on ties; in less
 * time. y is scratch. */
void ves_beta_winner(const ves_beta_layer *layer, uint64_t key, uint64_t draw, double *room,
                     double *const y[2], uint32_t winner[2]);

#endif
