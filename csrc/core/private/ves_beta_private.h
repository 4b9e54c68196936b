/* ves_beta_private: what the scalar sampler and its vector kernel share. */
#ifndef VES_BETA_PRIVATE_H
#define VES_BETA_PRIVATE_H

#include "ves_beta.h"
#include <stdbool.h>

/* n Gamma distributions, prepared: see ves_beta.c. */
typedef struct {
  double *d, *c;   /* shape - 1/3 and 1 / sqrt(9 d), the shape raised by 1 where it is below 1 */
  double *squeeze; /* 1 / (81 d) */
  double *lower;   /* 1 / shape where it was raised, else 0 */
} ves_gammas;

struct ves_beta {
  size_t n;
  ves_gammas a, b;
};

/* Below 1 - squeeze x^4 a uniform accepts x without a logarithm: if z = 1 + c x is at least
 * VES_BETA_NEAR with (VES_BETA_ABOVE + VES_BETA_BELOW max(1 - z, 0)) / (81 d), and with the other in
 * any case. */
#define VES_BETA_NEAR    0.5
#define VES_BETA_ABOVE   0.75
#define VES_BETA_BELOW   1.06
#define VES_BETA_SQUEEZE 0.0331

/* Block of the generator for try t of synapse j of n: kind 0 has the two normals, kind 1 the two
 * uniforms that accept them and the one that lowers the shape of A, kind 2 the one for B. */
static inline uint32_t ves_beta_block(uint32_t kind, uint64_t t, size_t n, size_t j) {
  return kind << 30 | ((uint32_t)(t * n + j) & ((UINT32_C(1) << 30) - 1));
}

/* Draws all weights as ves_beta_draw does: the vector kernels, same bits as the scalar code. False
 * if there is none to use. */
bool ves_beta_draw_avx512(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w);
bool ves_beta_draw_both_avx512(const ves_beta *const s[2], uint64_t key, uint64_t draw,
                               uint32_t row, double *const w[2]);
bool ves_beta_draw_listed_avx512(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                                 uint32_t *list, size_t count, double *w);
bool ves_beta_draw_avx2(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w);
bool ves_beta_draw_both_avx2(const ves_beta *const s[2], uint64_t key, uint64_t draw, uint32_t row,
                             double *const w[2]);
bool ves_beta_draw_listed_avx2(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                               uint32_t *list, size_t count, double *w);

#endif
