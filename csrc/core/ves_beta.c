/* ves_beta: moments and draws of Beta(A, B).
 *
 * A Beta variable is a share of two Gamma variables, w = G_A / (G_A + G_B). [eq:beta]
 *
 * Gamma(s), s >= 1, by Marsaglia and Tsang (ACM Trans. Math. Softw. 2000,
 * doi:10.1145/358407.358414): with d = s - 1/3, c = 1/sqrt(9d) and a normal x, v = (1 + c x)^3 is
 * nearly Gamma(s)/d already, and becomes so exactly if x is kept with probability exp(h(x)),
 *
 *   h(x) = x^2/2 + d (1 - v + log v),
 *
 * which is at least 0.95 on average. Below 1 the shape is raised by 1 and the result lowered again:
 * Gamma(s) = Gamma(s+1) U^(1/s), U uniform.
 *
 * Differs from GSL's gsl_ran_beta in four ways, all for bits and speed. The two normals of the two
 * Gamma variables are one point of the plane (Box and Muller), and a rejection of either starts
 * both anew, which leaves the pairs that are kept independent. Powers of uniforms stay logarithms
 * until they are divided, so that nothing underflows to 0/0 when A and B are both small. Logarithm,
 * exponential and circle are our own (ves_math_private.h). And each synapse has its own words of
 * the generator (ves_beta_block), so that its neighbours' rejections do not matter.
 *
 * The squeeze. With z = c x,
 *
 *     h = d (4.5 z^2 + 1 - (1+z)^3 + 3 log(1+z)) = -d z^4 (3/4 - 3z/5 + 3z^2/6 - ...),
 *
 * whose bracket is below 3/4 for z > 0, and for z < 0 convex: up to z = -1/2, where it is 1.271, it
 * is below the chord 3/4 - 1.06 z. With d z^4 = x^4 / (81 d), a uniform below 1 - (3/4 or the
 * chord) x^4 / (81 d) <= 1 + h <= exp(h) accepts without a logarithm; for a d in the hundreds that
 * is nearly always. Elsewhere their own 1 - 0.0331 x^4 serves. */
#include "ves_beta_private.h"
#include "ves_math_private.h"
#include "ves_rng.h"
#include <math.h>
#include <stdlib.h>

/* ---- moments ---- */

void ves_beta_mean(const double *a, const double *b, size_t count, double *mean) {
  for (size_t c = 0; c < count; c++) mean[c] = a[c] / (a[c] + b[c]);
}

void ves_beta_variance(const double *a, const double *b, size_t count, double *variance) {
  for (size_t c = 0; c < count; c++) {
    const double n = a[c] + b[c];
    variance[c] = (a[c] / n) * (b[c] / n) / (n + 1);
  }
}

/* ---- preparation ---- */

/* Places for a whole number of vectors. */
static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

static bool prepare(ves_gammas *g, const double *shape, size_t n, double plus) {
  const size_t room = padded(n);
  g->d = calloc(4 * room, sizeof *g->d);
  if (g->d == NULL) return false;
  g->c = g->d + room;
  g->squeeze = g->c + room;
  g->lower = g->squeeze + room;
  for (size_t j = 0; j < room; j++) {
    const double s = j < n ? shape[j] + plus : 1.0;
    g->d[j] = (s < 1 ? s + 1 : s) - 1.0 / 3;
    g->c[j] = 1 / sqrt(9 * g->d[j]);
    g->squeeze[j] = 1 / (81 * g->d[j]);
    g->lower[j] = s < 1 ? 1 / s : 0.0;
  }
  return true;
}

ves_beta *ves_beta_alloc(const double *a, const double *b, size_t n, double plus) {
  if (n == 0 || n > SIZE_MAX / sizeof(double) / 8) return NULL;
  ves_beta *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  s->n = n;
  if (prepare(&s->a, a, n, plus) && prepare(&s->b, b, n, plus)) return s;
  ves_beta_free(s);
  return NULL;
}

void ves_beta_free(ves_beta *s) {
  if (s == NULL) return;
  free(s->a.d);
  free(s->b.d);
  free(s);
}

/* ---- one synapse ---- */

static void words_at(uint64_t key, uint64_t draw, uint32_t row, uint32_t block, uint32_t word[4]) {
  uint8_t bytes[16];
  ves_philox_bytes(key, draw, row, block, 1, bytes);
  for (int i = 0; i < 4; i++)
    word[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
              (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
}

/* The leading 52 bits of two words after the binary point of a number in [1, 2). */
static double mantissa(uint32_t low, uint32_t high) {
  return ves_double(((uint64_t)high << 32 | low) >> 12 | UINT64_C(1023) << 52);
}

static double in_open_unit(uint32_t word) { return ((double)word + 0.5) * 0x1p-32; }

/* Two independent normals: a point at a squared distance of -2 log(u) in a direction that is
 * uniform on a quarter of the circle, the quarter chosen by two bits that the direction does not
 * use. */
static void normals(const uint32_t word[4], double *x, double *y) {
  const double radius = sqrt(-2.0 * ves_log(2.0 - mantissa(word[0], word[1])));
  double sine, cosine;
  ves_circle((mantissa(word[2], word[3]) - 1.5) * VES_CIRCLE_QUARTER, &sine, &cosine);
  const bool swap = word[2] & 1, turn = word[2] & 2;
  const double r = turn ? -radius : radius;
  *x = r * (swap ? sine : cosine);
  *y = r * (swap ? cosine : sine);
}

/* Whether the normal x gives a Gamma variable; if so, *value is it, before its shape is lowered. */
static bool accept(const ves_gammas *g, size_t j, double x, double u, double *value) {
  const double z = 1 + g->c[j] * x, v = (z * z) * z, x2 = x * x;
  const double below = 1 - z > 0 ? 1 - z : 0.0;
  const double chord = g->squeeze[j] * (VES_BETA_ABOVE + VES_BETA_BELOW * below);
  const double squeeze = z >= VES_BETA_NEAR ? chord : VES_BETA_SQUEEZE;
  *value = g->d[j] * v;
  if (!(z > 0)) return false;
  return u < 1 - squeeze * (x2 * x2) || ves_log(u) < 0.5 * x2 + g->d[j] * ((1 - v) + ves_log(v));
}

/* A / (A exp(la) + B exp(lb)) with la, lb <= 0, however small. */
static double share(double a, double b, double la, double lb) {
  const double apart = la - lb, below = -fabs(apart);
  const double e = below < VES_EXP_LEAST ? 0.0 : ves_exp(below);
  const double share_a = apart < 0 ? a * e : a, share_b = apart < 0 ? b : b * e;
  return share_a / (share_a + share_b);
}

static double draw_one(const ves_beta *s, size_t j, uint64_t key, uint64_t draw, uint32_t row) {
  for (uint64_t t = 0;; t++) {
    uint32_t normal[4], uniform[4], second[4];
    double x, y, a, b;
    words_at(key, draw, row, ves_beta_block(0, t, s->n, j), normal);
    words_at(key, draw, row, ves_beta_block(1, t, s->n, j), uniform);
    normals(normal, &x, &y);
    const bool kept_a = accept(&s->a, j, x, in_open_unit(uniform[0]), &a);
    const bool kept_b = accept(&s->b, j, y, in_open_unit(uniform[1]), &b);
    if (!kept_a || !kept_b) continue;
    if (s->a.lower[j] == 0.0 && s->b.lower[j] == 0.0) return a / (a + b);
    words_at(key, draw, row, ves_beta_block(2, t, s->n, j), second);
    return share(a, b, s->a.lower[j] * ves_log(2.0 - mantissa(uniform[2], uniform[3])),
                 s->b.lower[j] * ves_log(2.0 - mantissa(second[0], second[1])));
  }
}

void ves_beta_draw(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w) {
  if (ves_beta_draw_avx512(s, key, draw, row, w) || ves_beta_draw_avx2(s, key, draw, row, w))
    return;
  for (size_t j = 0; j < s->n; j++) w[j] = draw_one(s, j, key, draw, row);
}

void ves_beta_draw_both(const ves_beta *const s[2], uint64_t key, uint64_t draw, uint32_t row,
                        double *const w[2]) {
  if (ves_beta_draw_both_avx512(s, key, draw, row, w) ||
      ves_beta_draw_both_avx2(s, key, draw, row, w))
    return;
  for (size_t i = 0; i < 2; i++) ves_beta_draw(s[i], key, draw, row, w[i]);
}

void ves_beta_draw_listed(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                          uint32_t *list, size_t count, double *w) {
  if (ves_beta_draw_listed_avx512(s, key, draw, row, list, count, w) ||
      ves_beta_draw_listed_avx2(s, key, draw, row, list, count, w))
    return;
  for (size_t c = 0; c < count; c++) w[list[c]] = draw_one(s, list[c], key, draw, row);
}
