/* Products of codes: the walk against all products written out, and evidence against the plain
 * formula. */
#include "greatest.h"
#include "support.h"
#include "ves_product.h"
#include "ves_rng.h"
#include "ves_simd.h"
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N1 = 7, N2 = 5, N3 = 6, M = N1 * N2 * N3, N = 9, ROWS = 400 };

typedef struct {
  ves_code code[3], out;
  const ves_code *part[3];
  double x[3][ROWS], y[ROWS], salience[ROWS];
  const double *column[3];
} data;

static data *make_data(void) {
  data *d = calloc(1, sizeof *d);
  ves_code_alloc(&d->code[0], N1, -1, 1, 0.11, VES_SPACING_ENDS);
  ves_code_alloc(&d->code[1], N2, 0, 4, 0.4, VES_SPACING_BINS);
  ves_code_alloc(&d->code[2], N3, 5, 6, 0.05, VES_SPACING_OPEN);
  ves_code_alloc(&d->out, N, -1, 1, 0.2, VES_SPACING_ENDS);
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 17);
  for (size_t i = 0; i < ROWS; i++) {
    d->x[0][i] = -1.3 + 2.6 * gsl_rng_uniform(r);
    d->x[1][i] = -0.5 + 5 * gsl_rng_uniform(r);
    d->x[2][i] = 4.9 + 1.2 * gsl_rng_uniform(r);
    d->y[i] = -1.1 + 2.2 * gsl_rng_uniform(r);
    d->salience[i] = 3 * gsl_rng_uniform(r);
  }
  gsl_rng_free(r);
  d->x[0][3] = 1e6; /* activates nothing */
  for (int c = 0; c < 3; c++) {
    d->part[c] = &d->code[c];
    d->column[c] = d->x[c];
  }
  return d;
}

static void free_data(data *d) {
  for (int c = 0; c < 3; c++) ves_code_free(&d->code[c]);
  ves_code_free(&d->out);
  free(d);
}

/* All products of row r, each factor from ves_code_encode; zero below a curve's height at its
 * reach. [eq:product] */
static void write_out(const data *d, size_t count, size_t r, double *h) {
  double rate[3][8];
  size_t m = 1;
  h[0] = 1;
  for (size_t c = 0; c < count; c++) {
    ves_code_encode(&d->code[c], d->x[c][r], rate[c]);
    for (size_t i = m; i-- > 0;)
      for (size_t j = d->code[c].n; j-- > 0;) h[i * d->code[c].n + j] = h[i] * rate[c][j];
    m *= d->code[c].n;
  }
  const double edge = ves_code_curve(&d->code[0], VES_CODE_REACH * d->code[0].sigma);
  for (size_t i = 0; i < m && count > 1; i++)
    if (h[i] < edge) h[i] = 0;
}

/* [eq:product]: every active curve once, in ascending order, none other, for one, two and three
 * codes. */
TEST walks_through_the_active_curves(void) {
  data *d = make_data();
  for (size_t count = 1; count <= 3; count++) {
    ves_product p;
    ves_product_walk w;
    ASSERT_EQ(VES_OK, ves_product_alloc(&p, d->part, count));
    ASSERT_EQ_FMT(ves_product_size(d->part, count), (double)p.n, "%g");
    ASSERT_EQ(VES_OK, ves_product_walk_alloc(&w, &p));
    size_t runs = 0, pruned = 0;
    for (size_t r = 0; r < ROWS; r++) {
      double expected[M], seen[M] = {0};
      size_t next = 0;
      write_out(d, count, r, expected);
      double x[3] = {d->x[0][r], d->x[1][r], d->x[2][r]}, height[M];
      ves_product_begin(&w, x);
      for (const ves_run *run; (run = ves_product_next(&w)) != NULL; runs++) {
        ASSERT(run->first >= next && run->count > 0);
        next = run->first + run->count;
        memcpy(seen + run->first, run->value, run->count * sizeof *seen);
        for (size_t a = 0; a < VES_EVIDENCE_SLACK; a++) ASSERT_EQ(0.0, run->value[run->count + a]);
      }
      ASSERT_EQ(NULL, ves_product_next(&w));
      ASSERT_MEM_EQ(expected, seen, p.n * sizeof *seen);
      /* the same as a list, and only what is above a threshold */
      uint32_t input[M];
      const size_t all = ves_product_active(&w, x, 0, NULL, NULL);
      const size_t k = ves_product_active(&w, x, 1e-3, input, height);
      for (size_t i = 0, at = 0; i < p.n; i++)
        if (seen[i] > 1e-3) {
          ASSERT(at < k && input[at] == i && height[at] == seen[i]);
          at++;
        }
      pruned += all - k;
    }
    ASSERT(runs > 0 && pruned > 0);
    ves_product_walk_free(&w);
    ves_product_free(&p);
  }
  free_data(d);
  PASS();
}

static void read_all(const ves_evidence *ev, double *ab) {
  ves_evidence_a(ev, ab);
  ves_evidence_b(ev, ab + ev->m * ev->n);
}

/* [eq:evidence] with [eq:product]: every row touches every cell, as written. */
TEST sums_follow_the_formula(void) {
  data *d = make_data();
  ves_product p;
  ves_evidence ev;
  ASSERT_EQ(VES_OK, ves_product_alloc(&p, d->part, 3));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, M, N, 0.7));
  ASSERT_EQ(VES_OK, ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, 3));
  ASSERT_EQ(VES_OK, ves_product_observe(&ev, &p, &d->out, d->column, d->y, d->salience, ROWS));
  static double ab[2 * M * N], a0[M * N], b0[M * N];
  static long double a[M * N], b[M * N];
  memset(a, 0, sizeof a);
  memset(b, 0, sizeof b);
  for (size_t r = 0; r < ROWS; r++) {
    double x[M], y[N];
    write_out(d, 3, r, x);
    ves_code_encode(&d->out, d->y[r], y);
    for (size_t c = 0; c < M * N; c++) {
      a[c] += (long double)d->salience[r] * x[c / N] * y[c % N];
      b[c] += (long double)d->salience[r] * x[c / N] * (1 - (long double)y[c % N]);
    }
  }
  read_all(&ev, ab);
  ves_evidence_prior_cells(&ev, 0, M * N, a0, b0);
  for (size_t c = 0; c < M * N; c++) {
    ASSERT_IN_RANGE((double)(a0[c] + 0.7L * a[c]), ab[c], 1e-13);
    ASSERT_IN_RANGE((double)(b0[c] + 0.7L * b[c]), ab[M * N + c], 1e-13);
  }
  ASSERT_EQ(ROWS, ev.rows);
  ves_evidence_free(&ev);
  ves_product_free(&p);
  free_data(d);
  PASS();
}

/* Whole, row by row backwards, and with the vector kernel off: the same bits. */
TEST order_chunks_and_kernels_do_not_matter(void) {
  data *d = make_data();
  ves_product p;
  static double bits[3][2 * M * N];
  ASSERT_EQ(VES_OK, ves_product_alloc(&p, d->part, 3));
  for (int way = 0; way < 3; way++) {
    ves_evidence ev;
    ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, M, N, 1));
    ves_simd_select(way != 2);
    for (size_t r = ROWS; way == 1 && r-- > 0;) {
      const double *column[3] = {d->x[0] + r, d->x[1] + r, d->x[2] + r};
      ves_product_observe(&ev, &p, &d->out, column, d->y + r, d->salience + r, 1);
    }
    if (way != 1) ves_product_observe(&ev, &p, &d->out, d->column, d->y, d->salience, ROWS);
    read_all(&ev, bits[way]);
    ves_evidence_free(&ev);
  }
  ves_simd_select(true);
  ASSERT_MEM_EQ(bits[0], bits[1], sizeof bits[0]);
  ASSERT_MEM_EQ(bits[0], bits[2], sizeof bits[0]);
  ves_product_free(&p);
  free_data(d);
  PASS();
}

/* A product of one code is that code, to the bit, also of what is carried. */
TEST one_code_is_itself(void) {
  enum { LONG = 40000 };
  data *d = make_data();
  ves_product p;
  static double x[LONG], y[LONG];
  for (size_t r = 0; r < LONG; r++) {
    x[r] = d->x[0][r % ROWS] + 1e-3 * sin((double)r);
    y[r] = d->y[(r * 7) % ROWS];
  }
  const double *const column = x;
  double plain[2 * N1 * N], product[2 * N1 * N];
  ves_evidence ev;
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, N1, N, 0.3));
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &d->code[0], &d->out, x, y, NULL, LONG));
  read_all(&ev, plain);
  ves_evidence_free(&ev);
  ASSERT_EQ(VES_OK, ves_product_alloc(&p, d->part, 1));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, N1, N, 0.3));
  ASSERT_EQ(VES_OK, ves_product_observe(&ev, &p, &d->out, &column, y, NULL, LONG));
  read_all(&ev, product);
  ASSERT_MEM_EQ(plain, product, sizeof plain);
  ASSERT_EQ(LONG, ev.rows);
  ASSERT_EQ(LONG - (1 << 15), ev.since);
  ves_evidence_free(&ev);
  ves_product_free(&p);
  free_data(d);
  PASS();
}

TEST refuses(void) {
  data *d = make_data();
  ves_product p;
  ves_evidence ev;
  ASSERT_EQ(VES_EDOMAIN, ves_product_alloc(&p, d->part, 0));
  ASSERT_EQ(VES_EDOMAIN, ves_product_alloc(&p, d->part, VES_PRODUCT_MAX + 1));
  ves_code large;
  ASSERT_EQ(VES_OK, ves_code_alloc(&large, 100000, 0, 1, 1e-6, VES_SPACING_ENDS));
  const ves_code *twice[2] = {&large, &large};
  ASSERT_EQ(VES_ENOMEM, ves_product_alloc(&p, twice, 2));
  ASSERT_EQ(1e10, ves_product_size(twice, 2));
  ves_product_free(&p);
  ves_code_free(&large);
  ASSERT_EQ(VES_OK, ves_product_alloc(&p, d->part, 3));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, M, N, 1));
  d->x[2][7] = NAN;
  ASSERT_EQ(VES_EDOMAIN, ves_product_observe(&ev, &p, &d->out, d->column, d->y, NULL, ROWS));
  d->x[2][7] = 5;
  d->y[9] = INFINITY;
  ASSERT_EQ(VES_EDOMAIN, ves_product_observe(&ev, &p, &d->out, d->column, d->y, NULL, ROWS));
  d->y[9] = 0;
  d->salience[1] = -1;
  ASSERT_EQ(VES_EDOMAIN, ves_product_observe(&ev, &p, &d->out, d->column, d->y, d->salience, ROWS));
  ASSERT_EQ(VES_ESIZE, ves_product_observe(&ev, &p, &d->code[0], d->column, d->y, NULL, ROWS));
  ASSERT_EQ(0, ev.rows);
  ves_evidence_free(&ev);
  ves_product_free(&p);
  free_data(d);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(walks_through_the_active_curves);
  RUN_TEST(sums_follow_the_formula);
  RUN_TEST(order_chunks_and_kernels_do_not_matter);
  RUN_TEST(one_code_is_itself);
  RUN_TEST(refuses);
  GREATEST_MAIN_END();
}
