/* Evidence: the sums against the plain formula, and the promise that order and chunking cannot
 * matter. */
#include "greatest.h"
#include "support.h"
#include "ves_evidence.h"
#include "ves_rng.h"
#include "ves_simd.h"
#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

enum { M = 23, N = 31, ROWS = 700 };

typedef struct {
  ves_code in, out;
  double x[ROWS], y[ROWS], salience[ROWS];
} data;

static data *make_data(void) {
  data *d = calloc(1, sizeof *d);
  ves_code_alloc(&d->in, M, -6, 6, 0.3, VES_SPACING_ENDS);
  ves_code_alloc(&d->out, N, -6, 6, 0.4, VES_SPACING_ENDS);
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 2385);
  for (size_t i = 0; i < ROWS; i++) {
    d->x[i] = -6.5 + 13 * gsl_rng_uniform(r);
    d->y[i] = gsl_ran_gaussian(r, 2);
    d->salience[i] = 3 * gsl_rng_uniform(r);
  }
  gsl_rng_free(r);
  return d;
}

static void free_data(data *d) {
  ves_code_free(&d->in);
  ves_code_free(&d->out);
  free(d);
}

/* [eq:evidence]: every row touches every cell, as written; B from its own products. */
TEST sums_follow_the_formula(void) {
  data *d = make_data();
  ves_evidence ev;
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, M, N, 0.7));
  ASSERT_EQ(VES_OK, ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, ves_key_root(1)));
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &d->in, &d->out, d->x, d->y, d->salience, ROWS));
  double a[M * N], b[M * N], x[M], y[N];
  long double sum_a[M * N] = {0}, sum_b[M * N] = {0};
  for (size_t r = 0; r < ROWS; r++) {
    ves_code_encode(&d->in, d->x[r], x);
    ves_code_encode(&d->out, d->y[r], y);
    for (size_t c = 0; c < M * N; c++) {
      sum_a[c] += (long double)d->salience[r] * x[c / N] * y[c % N];
      sum_b[c] += (long double)d->salience[r] * x[c / N] * (1 - (long double)y[c % N]);
    }
  }
  ves_evidence_a(&ev, a);
  ves_evidence_b(&ev, b);
  double a0[M * N], b0[M * N], u[M * N], v[M * N];
  ves_evidence_prior_cells(&ev, 0, M * N, a0, b0);
  ves_uniform_pairs(ves_key_string(ves_key_root(1), "prior", 5), 0, M * N, u, v);
  for (size_t c = 0; c < M * N; c++) {
    ASSERT_EQ(0.025 + (0.026 - 0.025) * u[c], a0[c]); /* its address [eq:evidence-prior] */
    ASSERT_EQ(0.1 + (0.101 - 0.1) * v[c], b0[c]);
    ASSERT(a0[c] >= 0.025 && a0[c] < 0.026 && b0[c] >= 0.1 && b0[c] < 0.101);
    ASSERT_IN_RANGE((double)(a0[c] + 0.7L * sum_a[c]), a[c], 1e-13);
    ASSERT_IN_RANGE((double)(b0[c] + 0.7L * sum_b[c]), b[c], 1e-13);
    ASSERT(b[c] >= b0[c] && a[c] >= a0[c]);
  }
  ves_evidence_free(&ev);
  free_data(d);
  PASS();
}

/* Cells are read in pieces of any length, alone or together, also of inputs that were never there.
 */
TEST cells_in_pieces(void) {
  data *d = make_data();
  ves_evidence ev;
  ves_evidence_alloc(&ev, M, N, 0.7);
  ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, ves_key_root(1));
  for (size_t i = 0; i < ROWS; i++) d->x[i] = 1 + d->x[i] / 10;
  ves_evidence_observe(&ev, &d->in, &d->out, d->x, d->y, d->salience, ROWS);
  double whole[2][M * N], part[2][M * N];
  ves_evidence_a(&ev, whole[0]);
  ves_evidence_b(&ev, whole[1]);
  for (size_t step = 1; step <= M * N; step = 2 * step + 1) {
    memset(part, 0, sizeof part);
    for (size_t first = 0; first < M * N; first += step) {
      const size_t count = M * N - first < step ? M * N - first : step;
      ves_evidence_cells(&ev, first, count, part[0] + first, part[1] + first);
    }
    ASSERT_MEM_EQ(whole, part, sizeof whole);
  }
  ves_evidence_free(&ev);
  free_data(d);
  PASS();
}

/* A network with one output has evidence like any other. */
TEST one_output(void) {
  ves_code code;
  ves_evidence ev;
  ves_code_alloc(&code, 1, 0, 1, 0.5, VES_SPACING_ENDS);
  ves_evidence_alloc(&ev, 1, 1, 2);
  ASSERT_EQ(VES_OK, ves_evidence_priors(&ev, 3, 3, 4, 4, 0));
  const double x[] = {0.5, 0.5}, y[] = {0.5, 0.5 + 0.5 * 5};
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &code, &code, x, y, NULL, 2));
  double a = -1, b = -1;
  ves_evidence_cells(&ev, 0, 1, &a, &b);
  const double height = ves_code_curve(&code, 2.5);
  ASSERT_IN_RANGE(3 + 2 * (1 + height), a, 1e-14);
  ASSERT_IN_RANGE(4 + 2 * (1 - height), b, 1e-14);
  ves_evidence_free(&ev);
  ves_code_free(&code);
  PASS();
}

static void read_both(const ves_evidence *ev, double *ab) {
  ves_evidence_a(ev, ab);
  ves_evidence_b(ev, ab + M * N);
}

/* Rows in one call, one at a time, backwards, and in three merged parts: the same bits. */
TEST order_and_chunks_do_not_matter(void) {
  data *d = make_data();
  ves_evidence ev, part;
  double whole[2 * M * N], other[2 * M * N];
  ves_evidence_alloc(&ev, M, N, 0.3);
  ves_evidence_observe(&ev, &d->in, &d->out, d->x, d->y, d->salience, ROWS);
  read_both(&ev, whole);
  ves_evidence_free(&ev);

  ves_evidence_alloc(&ev, M, N, 0.3);
  for (size_t r = ROWS; r-- > 0;)
    ves_evidence_observe(&ev, &d->in, &d->out, d->x + r, d->y + r, d->salience + r, 1);
  read_both(&ev, other);
  ASSERT_MEM_EQ(whole, other, sizeof whole);
  ASSERT_EQ(ROWS, ev.rows);
  ves_evidence_free(&ev);

  ves_evidence_alloc(&ev, M, N, 0.3);
  static const size_t cut[] = {0, 13, 400, ROWS};
  for (int p = 2; p >= 0; p--) {
    ves_evidence_alloc(&part, M, N, 0.3);
    ves_evidence_observe(&part, &d->in, &d->out, d->x + cut[p], d->y + cut[p], d->salience + cut[p],
                         cut[p + 1] - cut[p]);
    ASSERT_EQ(VES_OK, ves_evidence_merge(&ev, &part));
    ves_evidence_free(&part);
  }
  read_both(&ev, other);
  ASSERT_MEM_EQ(whole, other, sizeof whole);
  ves_evidence_free(&ev);
  free_data(d);
  PASS();
}

/* All bins, of inputs that have none as zeros. */
static void copy_bins(const ves_evidence *ev, double *bins) {
  for (size_t i = 0; i < ev->m; i++)
    for (size_t c = 0; c < 2 * ev->n; c++)
      *bins++ = ves_evidence_bins(ev, i) != NULL ? ves_evidence_bins(ev, i)[c] : 0.0;
}

/* The vector kernel gives the scalar bits: narrow and wide curves, values off the range, repeated
 * inputs, salience. */
TEST vector_path_has_the_scalar_bits(void) {
  data *d = make_data();
  static const double sigmas[] = {0.01, 0.3, 5};
  for (size_t i = 0; i < ROWS; i += 5) d->x[i + 1] = d->x[i];
  for (int s = 0; s < 3; s++) {
    double bits[2][4 * M * N]; /* A and B, and both bins: they are saved with a network */
    ves_code in, out;
    ves_code_alloc(&in, M, -6, 6, sigmas[s], VES_SPACING_ENDS);
    ves_code_alloc(&out, N, -6, 6, sigmas[s] * 1.385, VES_SPACING_ENDS);
    for (int simd = 0; simd <= 1; simd++) {
      ves_evidence ev;
      ves_simd_select(simd);
      ves_evidence_alloc(&ev, M, N, 1);
      ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, 6);
      ves_evidence_observe(&ev, &in, &out, d->x, d->y, s == 1 ? d->salience : NULL, ROWS);
      read_both(&ev, bits[simd]);
      copy_bins(&ev, bits[simd] + 2 * M * N);
      ves_evidence_free(&ev);
    }
    ASSERT_MEM_EQ(bits[0], bits[1], sizeof bits[0]);
    ves_code_free(&in);
    ves_code_free(&out);
  }
  free_data(d);
  PASS();
}

/* Rows that repeat their input are taken in another order by the vector kernel: the same bits for
 * long and short runs, few and many outputs, narrow and wide curves, values within and off the
 * range. */
TEST repeated_inputs_have_the_scalar_bits(void) {
  enum { LONG = 4000, INPUTS = 7, MOST = 120 };
  static const size_t outputs[] = {1, 3, 4, 5, 31, MOST}, runs[] = {1, 63, 64, 65, 200, 1024, 1500};
  static const double sigmas[] = {0.02, 0.1, 0.5, 3};
  static double x[LONG], y[LONG], bins[2][2 * INPUTS * MOST], presence[2][2 * INPUTS];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 1024);
  for (size_t i = 0, run = 0; i < LONG; run++) {
    const double at = -6 + 12 * gsl_rng_uniform(r);
    for (size_t k = 0; k < runs[run % 7] && i < LONG; k++, i++) x[i] = at;
  }
  for (size_t i = 0; i < LONG; i++) y[i] = gsl_ran_gaussian(r, i % 10 == 0 ? 8 : 1);
  gsl_rng_free(r);
  for (size_t c = 0; c < 6 * 4; c++) {
    const size_t n = outputs[c % 6];
    ves_code in, out;
    ASSERT_EQ(VES_OK, ves_code_alloc(&in, INPUTS, -6, 6, 0.7, VES_SPACING_ENDS));
    ASSERT_EQ(VES_OK, ves_code_alloc(&out, n, -6, 6, sigmas[c / 6], VES_SPACING_ENDS));
    for (int simd = 0; simd <= 1; simd++) {
      ves_evidence ev;
      ves_simd_select(simd);
      ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, INPUTS, n, 1));
      ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &in, &out, x, y, NULL, LONG));
      copy_bins(&ev, bins[simd]);
      memcpy(presence[simd], ev.presence_hi, INPUTS * sizeof(double));
      memcpy(presence[simd] + INPUTS, ev.presence_lo, INPUTS * sizeof(double));
      ves_evidence_free(&ev);
    }
    ASSERT_MEM_EQ(bins[0], bins[1], 2 * INPUTS * n * sizeof(double));
    ASSERT_MEM_EQ(presence[0], presence[1], sizeof presence[0]);
    ves_code_free(&in);
    ves_code_free(&out);
  }
  PASS();
}

/* Also where there are more outputs than the kernel sorts rows by. */
TEST many_outputs_have_the_scalar_bits(void) {
  enum { MANY = 20000 };
  static const size_t outputs[] = {4096, 4097, MANY};
  static double x[MANY], y[MANY], bins[2][2 * MANY];
  for (size_t i = 0; i < MANY; i++) y[i] = -6 + 12 * (double)(i * 7919 % MANY) / MANY;
  for (size_t c = 0; c < 3; c++) {
    const size_t n = outputs[c];
    ves_code in, out;
    ASSERT_EQ(VES_OK, ves_code_alloc(&in, 1, -6, 6, 0.7, VES_SPACING_ENDS));
    ASSERT_EQ(VES_OK, ves_code_alloc(&out, n, -6, 6, 24.0 / (double)n, VES_SPACING_ENDS));
    for (int simd = 0; simd <= 1; simd++) {
      ves_evidence ev;
      ves_simd_select(simd);
      ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, 1, n, 1));
      ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &in, &out, x, y, NULL, n / 2 + 100));
      ves_evidence_cells(&ev, 0, n, bins[simd], bins[simd] + n);
      ves_evidence_free(&ev);
    }
    ASSERT_MEM_EQ(bins[0], bins[1], 2 * n * sizeof(double));
    ves_code_free(&in);
    ves_code_free(&out);
  }
  PASS();
}

/* Values at the very edge of a curve, a few steps to either side of it: the same curves on both paths, of single inputs
 * and of one that is repeated. [eq:evidence] */
TEST edges_have_the_scalar_bits(void) {
  enum { EDGES = 2 * N * 16 };
  static double edge[EDGES], rest[EDGES], bits[2][4 * N * N];
  ves_code code;
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, N, -6, 6, 0.07, VES_SPACING_ENDS));
  for (size_t i = 0; i < EDGES; i++) {
    const double center = code.centers[i / 32], side = i % 32 < 16 ? -1 : 1;
    double x = center + side * VES_CODE_REACH * code.sigma;
    for (size_t step = 0; step < i % 16; step++) x = nextafter(x, step < 8 ? center : side * 100);
    edge[i] = x;
  }
  for (int kind = 0; kind < 3; kind++) {
    for (size_t i = 0; i < EDGES; i++) rest[i] = kind == 2 ? code.centers[4] : edge[EDGES - 1 - i];
    for (int simd = 0; simd <= 1; simd++) {
      ves_evidence ev;
      ves_simd_select(simd);
      ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, N, N, 1));
      const double *x = kind == 0 ? edge : rest, *y = kind == 0 ? rest : edge;
      ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &code, &code, x, y, NULL, EDGES));
      memset(bits[simd], 0, sizeof bits[simd]);
      copy_bins(&ev, bits[simd]);
      memcpy(bits[simd] + 2 * N * N, ev.presence_hi, N * sizeof(double));
      memcpy(bits[simd] + 2 * N * N + N, ev.presence_lo, N * sizeof(double));
      ves_evidence_free(&ev);
    }
    ASSERT_MEM_EQ(bits[0], bits[1], sizeof bits[0]);
  }
  ves_code_free(&code);
  PASS();
}

/* Many rows: the low bins are carried and nothing is lost. 100,000 equal rows are 100,000 times one
 * row. */
TEST long_sums_stay_exact(void) {
  enum { LONG = 100000 };
  ves_code code;
  ves_evidence ev;
  ves_code_alloc(&code, 9, -1, 1, 0.2, VES_SPACING_ENDS);
  ves_evidence_alloc(&ev, 9, 9, 1);
  double *x = malloc(LONG * sizeof *x);
  for (size_t r = 0; r < LONG; r++) x[r] = 0.0385;
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &code, &code, x, x, NULL, LONG));
  double a[81], rate[9];
  ves_evidence_a(&ev, a);
  ves_code_encode(&code, 0.0385, rate);
  for (size_t c = 0; c < 81; c++) {
    const double one = rint(ldexp(rate[c / 9] * rate[c % 9], 60)) * 0x1p-60; /* as it was added */
    ASSERT_EQ((double)(LONG * (long double)one), a[c]);
  }
  free(x);
  ves_evidence_free(&ev);
  ves_code_free(&code);
  PASS();
}

TEST bad_rows_change_nothing(void) {
  data *d = make_data();
  ves_evidence ev;
  ves_evidence_alloc(&ev, M, N, 1);
  const double keep = d->x[5];
  d->x[5] = NAN;
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, d->x, d->y, NULL, ROWS));
  d->x[5] = keep;
  d->salience[ROWS - 1] = -1;
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, d->x, d->y, d->salience, ROWS));
  d->salience[ROWS - 1] = 2 * VES_SALIENCE_MAX;
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, d->x, d->y, d->salience, ROWS));
  ASSERT_EQ(VES_ESIZE, ves_evidence_observe(&ev, &d->out, &d->out, d->x, d->y, NULL, ROWS));
  double a[M * N];
  ves_evidence_a(&ev, a);
  for (size_t c = 0; c < M * N; c++) ASSERT_EQ(0, a[c]);
  ASSERT_EQ(0, ev.rows);
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_priors(&ev, 0, 1, 1, 1, 0));
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_priors(&ev, 1, 2, 3, 2, 0));
  ves_evidence_free(&ev);
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_alloc(&ev, 0, 3, 1));
  ASSERT_EQ(VES_ENOMEM, ves_evidence_alloc(&ev, SIZE_MAX / 4, SIZE_MAX / 4, 1));
  free_data(d);
  PASS();
}

/* Rates, priors, rows and saliences: each number is looked at, and the ends of a domain belong to it. */
TEST domains_end_where_they_should(void) {
  data *d = make_data();
  ves_evidence ev, more;
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_alloc(&ev, 3, 0, 1));
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_alloc(&ev, 3, 3, -1e-300));
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_alloc(&ev, 3, 3, NAN));
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_alloc(&ev, 3, 3, INFINITY));
  ASSERT_EQ(VES_ENOMEM, ves_evidence_alloc(&ev, UINT32_MAX, 1, 1));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, 3, 3, 0));
  ves_evidence_free(&ev);

  ves_evidence_alloc(&ev, M, N, 1);
  static const double bad[][4] = {{-1, 1, 1, 1},  {2, 1, 1, 1},        {1, 1, 0, 1},
                                  {1, 1, -1, 1},  {1, 1, 2, 1},        {NAN, 1, 1, 1},
                                  {1, 1, NAN, 1}, {1, INFINITY, 1, 1}, {1, 1, 1, INFINITY},
                                  {1, NAN, 1, 1}, {1, 1, 1, NAN}};
  for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
    ASSERT_EQ(VES_EDOMAIN, ves_evidence_priors(&ev, bad[b][0], bad[b][1], bad[b][2], bad[b][3], 0));
  ASSERT_EQ(VES_OK, ves_evidence_priors(&ev, 1, 1, 2, 2, 0)); /* a range of one point */

  static const double values[] = {NAN, INFINITY, -INFINITY};
  for (size_t v = 0; v < 3; v++) {
    const double x[] = {0.1, values[v]}, y[] = {0.2, 0.2}, salience[] = {1, values[v]};
    ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, x, y, NULL, 2));
    ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, y, x, NULL, 2));
    ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, y, y, salience, 2));
  }
  ASSERT_EQ(VES_ESIZE, ves_evidence_observe(&ev, &d->in, &d->in, d->x, d->y, NULL, ROWS));
  ASSERT_EQ(0, ev.rows);
  ASSERT_EQ(0, ev.salience);

  /* A total is the sum of saliences, each rounded up, and has a limit, up to which all is well. */
  const double zero[] = {0, 0}, some[] = {0.5, VES_SALIENCE_MAX};
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &d->in, &d->out, zero, zero, zero, 2));
  ASSERT_EQ(0, ev.salience);
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &d->in, &d->out, zero, zero, some, 2));
  ASSERT_EQ(1 + (uint64_t)VES_SALIENCE_MAX, ev.salience);
  ASSERT_EQ(4, ev.rows);
  const double least[] = {1};
  ev.salience = (uint64_t)VES_SALIENCE_TOTAL_MAX;
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_observe(&ev, &d->in, &d->out, zero, zero, least, 1));
  ev.salience = (uint64_t)VES_SALIENCE_TOTAL_MAX - 1;
  ASSERT_EQ(VES_OK, ves_evidence_observe(&ev, &d->in, &d->out, zero, zero, least, 1));
  ves_evidence_alloc(&more, M, N, 1);
  ASSERT_EQ(VES_OK, ves_evidence_merge(&ev, &more));
  ASSERT_EQ(VES_OK, ves_evidence_observe(&more, &d->in, &d->out, zero, zero, least, 1));
  ASSERT_EQ(VES_EDOMAIN, ves_evidence_merge(&ev, &more));
  ves_evidence_free(&more);
  ves_evidence_alloc(&more, M, N + 1, 1);
  ASSERT_EQ(VES_ESIZE, ves_evidence_merge(&ev, &more));
  ves_evidence_free(&more);
  ves_evidence_alloc(&more, M + 1, N, 1);
  ASSERT_EQ(VES_ESIZE, ves_evidence_merge(&ev, &more));
  ves_evidence_free(&more);
  ves_evidence_free(&ev);
  double nothing = -1;
  ves_evidence_cells(&ev, 0, 1, &nothing, &nothing); /* of what was freed there is none */
  ASSERT_EQ(-1.0, nothing);
  free_data(d);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(sums_follow_the_formula);
  RUN_TEST(cells_in_pieces);
  RUN_TEST(one_output);
  RUN_TEST(order_and_chunks_do_not_matter);
  RUN_TEST(vector_path_has_the_scalar_bits);
  RUN_TEST(repeated_inputs_have_the_scalar_bits);
  RUN_TEST(many_outputs_have_the_scalar_bits);
  RUN_TEST(edges_have_the_scalar_bits);
  RUN_TEST(long_sums_stay_exact);
  RUN_TEST(bad_rows_change_nothing);
  RUN_TEST(domains_end_where_they_should);
  GREATEST_MAIN_END();
}
