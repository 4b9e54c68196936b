/* Several inputs: Appendix C has no solution (E8), two-stage release samples the mixture, every x
 * has an exact release, and no constant release serves all x. */
#include "greatest.h"
#include "ves_multi.h"
#include "ves_release.h"
#include "ves_score.h"
#include "ves_winner.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { K = 6, N = 100 };

/* The exact winner of effective weights x_a w_aj, and P(nothing). */
static ves_status exact(const double *w, const double *x, const double *q, size_t k, size_t n,
                        double *p, double *nothing) {
  static double e[K * N];
  for (size_t s = 0; s < k * n; s++) e[s] = x[s / n] * w[s];
  ves_winner_workspace *work = ves_winner_workspace_alloc(k, n);
  if (work == NULL) return VES_ENOMEM;
  const ves_status status = ves_winner_multi(e, q, k, n, p, nothing, work);
  ves_winner_workspace_free(work);
  return status;
}

/* The same given that something transmits. */
static ves_status exact_redraw(const double *w, const double *x, const double *q, size_t k,
                               size_t n, double *p) {
  double nothing;
  const ves_status status = exact(w, x, q, k, n, p, &nothing);
  for (size_t j = 0; j < n; j++) p[j] /= 1.0 - nothing;
  return status;
}

/* kind 0: uniform; 1: over eleven decades; 2: a coarse grid with zeros and ties; 3: population-code
 * rows, a narrow bump on a small floor, of very different sums */
static void random_network(gsl_rng *r, int kind, size_t k, size_t n, double *w, double *x) {
  for (size_t a = 0; a < k; a++) {
    const double centre = gsl_rng_uniform(r), height = exp(-3.0 * gsl_rng_uniform(r));
    x[a] = 0.05 + gsl_rng_uniform(r);
    for (size_t j = 0; j < n; j++) {
      const double u = gsl_rng_uniform(r), d = ((double)j / (double)n - centre) / 0.03;
      w[a * n + j] = kind == 0   ? u
                     : kind == 1 ? exp(-25.0 * u)
                     : kind == 2 ? (u < 0.3 ? 0.0 : floor(8.0 * u) / 8.0)
                                 : height * (exp(-0.5 * d * d) + 1e-3 * (1.0 + 0.1 * u));
    }
  }
}

/* E10: rows enter W'x by x_a times their sum. [eq:mixture] */
TEST mixture_weights_rows_by_their_sums(void) {
  const double w[] = {12, 8, 0, 0.1, 0.3, 0.6}, x[] = {0.25, 1.0};
  double p[3];
  ASSERT_EQ(VES_OK, ves_multi_mixture(w, x, 2, 3, p));
  const double weight[] = {0.25 * 20.0 / 6.0, 1.0 / 6.0};
  for (size_t j = 0; j < 3; j++)
    ASSERT_IN_RANGE(weight[0] * w[j] / 20.0 + weight[1] * w[3 + j], p[j], 1e-15);
  PASS();
}

/* ---- Appendix C ---- */

/* E8: whatever the weights and releases, the fixed form gives 1/2 at the strongest output and the
 * minimum form at least 1/2, so neither can equal a p_J below 1/2. [app:normal-approximation] */
TEST normal_approximation_has_no_solution(void) {
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 2385);
  for (int trial = 0; trial < 50; trial++) {
    enum { n = 12, k = 3 };
    double e[k * n], q[k * n], x[k], fixed[n], least[n];
    size_t J;
    random_network(r, trial % 4, k, n, e, x);
    for (size_t s = 0; s < k * n; s++) q[s] = gsl_rng_uniform(r);
    ASSERT_EQ(VES_OK, ves_multi_normal_fixed(e, q, k, n, fixed, &J));
    ASSERT_EQ(VES_OK, ves_multi_normal_min(e, q, k, n, least));
    ASSERT_EQ(0.5, fixed[J]);
    ASSERT(least[J] >= 0.5);
    for (size_t i = 0; i < n; i++) ASSERT(fixed[i] <= 0.5 && (i == J || least[i] <= fixed[i]));
  }
  gsl_rng_free(r);
  PASS();
}

/* Two outputs, by hand. [app:normal-approximation] */
TEST normal_approximation_by_hand(void) {
  const double e[] = {0.6, 0.4, 0.2, 0.5}, q[] = {0.5, 0.25, 0.75, 0.4};
  const double mean0 = 0.6 * 0.5 + 0.2 * 0.75, mean1 = 0.4 * 0.25 + 0.5 * 0.4;
  const double variance = 0.36 * 0.25 + 0.04 * 0.1875 + 0.16 * 0.1875 + 0.25 * 0.24;
  const double P = gsl_cdf_ugaussian_P((mean1 - mean0) / sqrt(variance));
  double fixed[2], least[2];
  size_t J;
  ASSERT_EQ(VES_OK, ves_multi_normal_fixed(e, q, 2, 2, fixed, &J));
  ASSERT_EQ(0u, J);
  ASSERT_IN_RANGE(P, fixed[1], 1e-15);
  ASSERT_EQ(VES_OK, ves_multi_normal_min(e, q, 2, 2, least));
  ASSERT_IN_RANGE(1.0 - P, least[0], 1e-15);
  ASSERT_IN_RANGE(P, least[1], 1e-15);
  /* without variance the order of the means decides */
  const double sure[] = {1, 1, 0, 0}, level[] = {0.3, 0.3, 0.1, 0.1};
  ASSERT_EQ(VES_OK, ves_multi_normal_min(e, sure, 2, 2, least));
  ASSERT(least[0] == 1.0 && least[1] == 0.0);
  ASSERT_EQ(VES_OK, ves_multi_normal_min(level, sure, 2, 2, least));
  ASSERT(least[0] == 0.5 && least[1] == 0.5);
  PASS();
}

/* ---- one input, empty draws repeated ---- */

/* Every c gives the encoded law, a share c of the draws is not empty, and c = 1 is the mapping.
 * [eq:redraw-family] [eq:mapping] */
TEST redraw_family_samples_the_row(void) {
  const double w[] = {0.3, 0.0, 2.385, 0.3, 1.1}, c[] = {1e-6, 0.2, 0.9, 1.0};
  double q[5], p[5], nothing, total = 0.0;
  for (size_t i = 0; i < 5; i++) total += w[i];
  for (size_t a = 0; a < 4; a++) {
    ASSERT_EQ(VES_OK, ves_multi_redraw_family(w, 5, c[a], q));
    ASSERT_EQ(VES_OK, ves_winner_single(w, q, 5, p, &nothing));
    ASSERT_IN_RANGE(1.0 - c[a], nothing, 1e-15);
    for (size_t i = 0; i < 5; i++) ASSERT_IN_RANGE(c[a] * w[i] / total, p[i], 1e-15);
  }
  size_t order[5];
  double analytic[5];
  ves_release_analytic(w, 5, order, analytic);
  for (size_t i = 0; i < 5; i++) ASSERT_EQ(analytic[i], q[i]);
  PASS();
}

/* ---- the conjecture ---- */

/* If empty draws count, single inputs force the mapping, and two equal rows go wrong.
 * [eq:conjecture] */
TEST conjecture_holds_if_empty_draws_count(void) {
  const double w[] = {0.6, 0.4, 0.6, 0.4}, x[] = {1, 1};
  double q[4], p[2], nothing;
  size_t order[2];
  ves_release_analytic(w, 2, order, q);
  ves_release_analytic(w + 2, 2, order, q + 2);
  ASSERT_EQ(VES_OK, exact(w, x, q, 2, 2, p, &nothing));
  ASSERT_EQ(0.0, nothing);
  ASSERT_IN_RANGE(0.36, p[0], 1e-15);
  ASSERT_IN_RANGE(0.64, p[1], 1e-15);
  PASS();
}

/* The same W has a constant solution if they are repeated: rows (3/7, 1/2), c = 5/7.
 * [eq:conjecture] */
TEST equal_rows_have_a_constant_solution_under_redraw(void) {
  const double w[] = {0.6, 0.4, 0.6, 0.4}, q[] = {3.0 / 7, 0.5, 3.0 / 7, 0.5};
  const double x[][2] = {{1, 0}, {0, 1}, {1, 1}};
  double p[2], row[2];
  for (size_t i = 0; i < 3; i++) {
    ASSERT_EQ(VES_OK, exact_redraw(w, x[i], q, 2, 2, p));
    ASSERT_IN_RANGE(0.6, p[0], 1e-15);
    ASSERT_IN_RANGE(0.4, p[1], 1e-15);
  }
  ASSERT_EQ(VES_OK, ves_multi_redraw_family(w, 2, 5.0 / 7, row));
  ASSERT_IN_RANGE(q[0], row[0], 1e-15);
  ASSERT_IN_RANGE(q[1], row[1], 1e-15);
  PASS();
}

/* W = ((.6,.3,.1),(.1,.3,.6)) has none: for all c, d the middle output wins too rarely under (1,1),
 * by the amount the proof says. [eq:conjecture] */
TEST conjecture_holds_under_redraw(void) {
  const double w[] = {0.6, 0.3, 0.1, 0.1, 0.3, 0.6}, x[] = {1, 1};
  for (int i = 1; i <= 40; i++)
    for (int l = 1; l <= 40; l++) {
      const double c = i / 40.0, d = l / 40.0;
      double q[6], p[3], nothing;
      ASSERT_EQ(VES_OK, ves_multi_redraw_family(w, 3, c, q));
      ASSERT_EQ(VES_OK, ves_multi_redraw_family(w + 3, 3, d, q + 3));
      ASSERT_EQ(VES_OK, exact(w, x, q, 2, 3, p, &nothing));
      ASSERT_IN_RANGE((1 - c) * (1 - d), nothing, 1e-15);
      const double a3 = q[2], b2 = q[4], b3 = q[5];
      ASSERT_IN_RANGE(0.3 * (c + d - 1.8 * c * d + c * b2 * (1 - a3 * b3)), p[1], 1e-15);
      ASSERT(p[1] <= 0.3 * (1 - nothing) - 0.3 * 0.05 * c * d + 1e-15);
    }
  PASS();
}

/* With continuous activities: a small change of x leaves the winner's law alone and moves W'x.
 * [eq:conjecture] */
TEST winner_is_locally_blind_to_activities(void) {
  const double w[] = {0.6, 0.3, 0.1, 0.1, 0.3, 0.6}, q[] = {0.5, 0.4, 0.9, 0.2, 0.7, 0.35};
  const double near[] = {1, 0.8}, nearer[] = {1, 0.801};
  double p[3], moved[3], target[3], target_moved[3], tv;
  ASSERT_EQ(VES_OK, exact_redraw(w, near, q, 2, 3, p));
  ASSERT_EQ(VES_OK, exact_redraw(w, nearer, q, 2, 3, moved));
  for (size_t j = 0; j < 3; j++) ASSERT_EQ(p[j], moved[j]);
  ASSERT_EQ(VES_OK, ves_multi_mixture(w, near, 2, 3, target));
  ASSERT_EQ(VES_OK, ves_multi_mixture(w, nearer, 2, 3, target_moved));
  ASSERT_EQ(VES_OK, ves_score_total_variation(target, target_moved, 3, &tv));
  ASSERT(tv > 1e-4);
  PASS();
}

/* As c -> 0 the winners follow the equal-weight mixture of the rows, whatever x, at the price of
 * (1-c)^k empty draws. [eq:redraw-family] */
TEST rare_release_mixes_rows_equally(void) {
  const double w[] = {6, 3, 1, 0.1, 0.3, 0.6}, x[] = {1, 0.2};
  double q[6], p[3], nothing, previous = 1.0;
  for (double c = 0.1; c > 1e-7; c /= 10) {
    ASSERT_EQ(VES_OK, ves_multi_redraw_family(w, 3, c, q));
    ASSERT_EQ(VES_OK, ves_multi_redraw_family(w + 3, 3, c, q + 3));
    ASSERT_EQ(VES_OK, exact(w, x, q, 2, 3, p, &nothing));
    ASSERT_IN_RANGE((1 - c) * (1 - c), nothing, 1e-15);
    const double equal[] = {0.35, 0.3, 0.35};
    double distance = 0.0;
    for (size_t j = 0; j < 3; j++) distance += fabs(p[j] / (1 - nothing) - equal[j]);
    ASSERT(distance < c && distance < previous);
    previous = distance;
  }
  PASS();
}

/* ---- two-stage release ---- */

/* [eq:two-stage] */
TEST two_stage_is_the_mixture(void) {
  static double w[40 * N], p[N], target[N];
  double x[40];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 8);
  const size_t rows[] = {1, 2, 6, 40};
  for (int trial = 0; trial < 16; trial++) {
    const size_t k = rows[trial / 4], n = trial % 2 ? N : 7;
    random_network(r, trial % 4, k, n, w, x);
    if (k > 2) x[1] = 0.0;
    ASSERT_EQ(VES_OK, ves_multi_two_stage_exact(w, x, k, n, p));
    ASSERT_EQ(VES_OK, ves_multi_mixture(w, x, k, n, target));
    for (size_t j = 0; j < n; j++) ASSERT_IN_RANGE(target[j], p[j], 1e-14);
  }
  gsl_rng_free(r);
  PASS();
}

/* Draws follow the mixture (chi-square at 1e-6), the stage-1 winners follow x_a R_a, every draw has
 * a winner, and a draw depends on its own index only. [eq:two-stage] */
TEST two_stage_samples_the_mixture(void) {
  enum { k = 3, n = 5, DRAWS = 200000 };
  const double w[k * n] = {12, 6, 0, 2, 0.5, 0.1, 0.1, 0.1, 0.3, 0.9, 0, 0, 0, 0, 0};
  const double x[k] = {0.1, 1.3, 0.5};
  const uint32_t input[k] = {0, 17, 30};
  ves_two_stage *plan;
  ASSERT_EQ(VES_OK, ves_two_stage_alloc(w, x, input, k, n, &plan));
  uint32_t *winner = malloc(DRAWS * sizeof *winner), *via = malloc(DRAWS * sizeof *via);
  ASSERT(winner != NULL && via != NULL);
  ves_multi_two_stage(plan, 2385, 1000, DRAWS, winner, via);
  double target[n], joint[k * n] = {0.0}, chi = 0.0;
  size_t cells = 0;
  for (size_t d = 0; d < DRAWS; d++) {
    ASSERT(winner[d] >= 1 && winner[d] <= n && via[d] < k);
    joint[via[d] * n + winner[d] - 1] += 1.0;
  }
  ASSERT_EQ(VES_OK, ves_multi_mixture(w, x, k, n, target));
  double total = 0.0;
  for (size_t s = 0; s < k * n; s++) total += x[s / n] * w[s];
  for (size_t s = 0; s < k * n; s++) {
    const double expected = DRAWS * x[s / n] * w[s] / total;
    if (expected > 0.0) {
      chi += (joint[s] - expected) * (joint[s] - expected) / expected;
      cells++;
    } else {
      ASSERT_EQ(0.0, joint[s]);
    }
  }
  ASSERT(gsl_cdf_chisq_Q(chi, (double)cells - 1.0) > 1e-6);
  uint32_t one, other;
  for (size_t d = 0; d < DRAWS; d += 9999) {
    ves_multi_two_stage(plan, 2385, 1000 + d, 1, &one, NULL);
    ASSERT_EQ(winner[d], one);
  }
  size_t same = 0;
  for (size_t d = 0; d < 1000; d++) {
    ves_multi_two_stage(plan, 2386, 1000 + d, 1, &other, NULL);
    same += other == winner[d];
  }
  ASSERT(same < 900); /* another key, other draws */
  free(winner);
  free(via);
  ves_two_stage_free(plan);
  PASS();
}

/* ---- an exact release for one x ---- */

/* Random networks of all kinds and sizes. The report is checked against an independent evaluation.
 * [eq:multi-solve] */
TEST solver_is_exact(void) {
  static double w[K * N], q[K * N], p[N], target[N];
  double x[K], nothing, kl;
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 2385);
  const size_t outputs[] = {1, 2, 3, 10, 37, N};
  const double nonempty[] = {1e-3, 0.5, 0.99, 0.999999, 1.0 - 1e-9};
  for (int trial = 0; trial < 120; trial++) {
    const size_t k = 1 + (size_t)trial % K, n = outputs[(trial / K) % 6];
    ves_multi_options opt = ves_multi_defaults();
    ves_multi_report report;
    opt.nonempty = nonempty[trial % 5];
    random_network(r, trial / 30, k, n, w, x);
    w[0] = 1.0; /* kind 2 may be all zero */
    ASSERT_EQ(VES_OK, ves_multi_solve(w, x, k, n, &opt, NULL, q, &report));
    ASSERT(report.kl >= 0.0 && report.kl < 1e-18 && report.attempts == 1);
    ASSERT_EQ(VES_OK, exact(w, x, q, k, n, p, &nothing));
    ASSERT_IN_RANGE(1.0 - opt.nonempty, nothing, 1e-10);
    ASSERT_IN_RANGE(nothing, report.empty, 1e-15);
    ASSERT_EQ(VES_OK, ves_multi_mixture(w, x, k, n, target));
    for (size_t j = 0; j < n; j++) {
      p[j] /= 1.0 - nothing;
      ASSERT_IN_RANGE(target[j], p[j], 1e-10 * target[j]);
    }
    ASSERT_EQ(VES_OK, ves_score_kl(target, p, n, &kl));
    ASSERT_IN_RANGE(0.0, kl, 1e-12);
    for (size_t s = 0; s < k * n; s++) ASSERT(w[s] > 0.0 ? q[s] > 0.0 && q[s] < 1.0 : q[s] == 0.0);
  }
  gsl_rng_free(r);
  PASS();
}

/* Many small problems with nearly no empty draws: about one in a thousand is out of reach of a
 * single run of Newton's method and has to be approached through smaller c. [eq:multi-solve] */
TEST solver_follows_the_path_where_it_must(void) {
  enum { n_max = 12 };
  double w[K * n_max], x[K], q[K * n_max];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 3);
  for (int trial = 0; trial < 4000; trial++) {
    const size_t k = 1 + gsl_rng_uniform_int(r, 2), n = 6 + gsl_rng_uniform_int(r, 7);
    ves_multi_options opt = ves_multi_defaults();
    ves_multi_report report;
    opt.nonempty = 1.0 - pow(10.0, -3.0 - 5.0 * gsl_rng_uniform(r));
    random_network(r, trial % 2, k, n, w, x);
    ASSERT_EQ(VES_OK, ves_multi_solve(w, x, k, n, &opt, NULL, q, &report));
    ASSERT(report.kl < 1e-16);
  }
  gsl_rng_free(r);
  PASS();
}

/* With one input the solution is unique, and known. [eq:multi-solve] [eq:redraw-family] */
TEST solver_finds_the_family_of_one_input(void) {
  const double w[] = {0.3, 0.0, 2.385, 0.31, 1.1}, x[] = {0.7};
  double q[5], family[5];
  ves_multi_report report;
  ves_multi_options opt = ves_multi_defaults();
  opt.nonempty = 0.8;
  ASSERT_EQ(VES_OK, ves_multi_solve(w, x, 1, 5, &opt, NULL, q, &report));
  ASSERT_EQ(VES_OK, ves_multi_redraw_family(w, 5, 0.8, family));
  for (size_t i = 0; i < 5; i++) ASSERT_IN_RANGE(family[i], q[i], 1e-11);
  PASS();
}

/* Releases grow with c, as the proof says. [eq:multi-solve] */
TEST solution_grows_with_the_share_of_non_empty_draws(void) {
  enum { k = 3, n = 8 };
  double w[k * n], x[k], q[k * n], previous[k * n] = {0.0};
  ves_multi_report report;
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 31);
  random_network(r, 0, k, n, w, x);
  for (double c = 0.05; c < 1.0; c += 0.1) {
    ves_multi_options opt = ves_multi_defaults();
    opt.nonempty = c;
    ASSERT_EQ(VES_OK, ves_multi_solve(w, x, k, n, &opt, NULL, q, &report));
    for (size_t s = 0; s < k * n; s++) {
      ASSERT(q[s] > previous[s]);
      previous[s] = q[s];
    }
  }
  gsl_rng_free(r);
  PASS();
}

/* If one row has no zero, letting it transmit alone with the mapping of p in the order of its
 * weights is exact, and no draw is empty. [eq:multi-solve] */
TEST one_row_alone_can_carry_the_mixture(void) {
  const double w[] = {0.6, 0.3, 0.1, 0.1, 0.3, 0.6}, x[] = {1, 0.7};
  double target[3], q[6] = {0.0}, p[3], nothing, weaker = 0.0;
  ASSERT_EQ(VES_OK, ves_multi_mixture(w, x, 2, 3, target));
  for (size_t j = 3; j-- > 0;) { /* row 0 is in descending order */
    weaker += target[j];
    q[j] = target[j] / weaker;
  }
  ASSERT_EQ(VES_OK, exact(w, x, q, 2, 3, p, &nothing));
  ASSERT_EQ(0.0, nothing);
  for (size_t j = 0; j < 3; j++) ASSERT_IN_RANGE(target[j], p[j], 1e-15);
  PASS();
}

/* Too few steps is a failure that says so, tries other directions if it may, and still reports.
 * [eq:multi-solve] */
TEST solver_restarts_and_reports_failure(void) {
  enum { k = 4, n = 30 };
  double w[k * n], x[k], q[k * n];
  ves_multi_report report;
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 5);
  random_network(r, 0, k, n, w, x);
  ves_multi_options opt = ves_multi_defaults();
  opt.iterations = 1;
  opt.restarts = 3;
  ASSERT_EQ(VES_ECONVERGE, ves_multi_solve(w, x, k, n, &opt, r, q, &report));
  ASSERT_EQ(4u, report.attempts);
  ASSERT_EQ(4u, report.iterations);
  ASSERT(report.kl > 1e-12 && isfinite(report.kl));
  for (size_t s = 0; s < k * n; s++) ASSERT(q[s] >= 0.0 && q[s] <= 1.0);
  ASSERT_EQ(VES_ECONVERGE, ves_multi_solve(w, x, k, n, &opt, NULL, q, &report));
  ASSERT_EQ(1u, report.attempts);
  gsl_rng_free(r);
  PASS();
}

/* However few steps there are, the solver ends, also when it is nearly there; with enough it is there. */
TEST solver_ends_with_its_steps(void) {
  const double w[] = {0.6, 0.3, 0.1, 0.1, 0.3, 0.6}, x[] = {1, 0.8};
  double q[6];
  size_t nearly = 0;
  ves_multi_options opt = ves_multi_defaults();
  opt.restarts = 0;
  for (opt.iterations = 1; opt.iterations <= 40; opt.iterations++) {
    ves_multi_report report;
    const ves_status status = ves_multi_solve(w, x, 2, 3, &opt, NULL, q, &report);
    ASSERT(status == VES_OK || status == VES_ECONVERGE);
    ASSERT(report.iterations <= opt.iterations);
    nearly += status == VES_ECONVERGE && report.kl < 1e-6;
    if (opt.iterations == 40) ASSERT_EQ(VES_OK, status);
  }
  ASSERT(nearly > 0);
  PASS();
}

TEST errors_are_reported(void) {
  const double w[] = {0.6, 0.4, 0.6, 0.4}, x[] = {1, 1}, zero[] = {0, 0}, negative[] = {1, -1},
               high[] = {1, 1, 1, 2};
  const uint32_t input[] = {0, 1};
  double p[2], q[4];
  ves_two_stage *plan = NULL;
  ves_multi_report report;
  ves_multi_options opt = ves_multi_defaults();
  ASSERT_EQ(VES_ESIZE, ves_multi_mixture(w, x, 0, 2, p));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_mixture(w, zero, 2, 2, p));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_mixture(w, negative, 2, 2, p));
  ASSERT_EQ(VES_ESIZE, ves_multi_normal_fixed(w, w, 2, 0, p, NULL));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_normal_fixed(w, high, 2, 2, p, NULL));
  ASSERT_EQ(VES_ESIZE, ves_multi_normal_min(w, w, 0, 2, p));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_normal_min(w, high, 2, 2, p));
  ASSERT_EQ(VES_ESIZE, ves_multi_redraw_family(w, 0, 0.5, q));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(w, 2, 0.0, q));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(w, 2, 1.5, q));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(zero, 2, 0.5, q));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(negative, 2, 0.5, q));
  ASSERT_EQ(VES_ESIZE, ves_multi_two_stage_exact(w, x, 2, 0, p));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_two_stage_exact(w, zero, 2, 2, p));
  ASSERT_EQ(VES_ESIZE, ves_two_stage_alloc(w, x, input, 0, 2, &plan));
  ASSERT_EQ(VES_EDOMAIN, ves_two_stage_alloc(w, zero, input, 2, 2, &plan));
  ASSERT_EQ(VES_EDOMAIN, ves_two_stage_alloc(w, negative, input, 2, 2, &plan));
  ASSERT(plan == NULL);
  ves_two_stage_free(NULL);
  ASSERT_EQ(VES_ESIZE, ves_multi_solve(w, x, 0, 2, &opt, NULL, q, &report));
  ASSERT_EQ(VES_ESIZE, ves_multi_solve(w, x, 7, 2, &opt, NULL, q, &report));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_solve(w, zero, 2, 2, &opt, NULL, q, &report));
  opt.nonempty = 1.0;
  ASSERT_EQ(VES_EDOMAIN, ves_multi_solve(w, x, 2, 2, &opt, NULL, q, &report));
  opt.nonempty = 0.5;
  opt.tolerance = 0.0;
  ASSERT_EQ(VES_EDOMAIN, ves_multi_solve(w, x, 2, 2, &opt, NULL, q, &report));
  PASS();
}

/* Each number of each argument is looked at, and what is refused in one is refused in all. */
TEST domains_end_where_they_should(void) {
  static const double wrong[] = {-1e-300, NAN, INFINITY, -1};
  double p[2], q[4];
  for (size_t at = 0; at < 4; at++)
    for (size_t v = 0; v < 4; v++) {
      double w[] = {0.6, 0.4, 0.6, 0.4}, x[] = {1, 1}, e[] = {0.6, 0.4, 0.6, 0.4},
             r[] = {0.5, 0.5, 0.5, 0.5};
      w[at] = wrong[v];
      ASSERT_EQ(VES_EDOMAIN, ves_multi_mixture(w, x, 2, 2, p));
      ASSERT_EQ(VES_EDOMAIN, ves_multi_two_stage_exact(w, x, 2, 2, p));
      ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(w, 4, 0.5, q));
      e[at] = wrong[v];
      ASSERT_EQ(VES_EDOMAIN, ves_multi_normal_fixed(e, r, 2, 2, p, NULL));
      ASSERT_EQ(VES_EDOMAIN, ves_multi_normal_min(e, r, 2, 2, p));
      r[at] = wrong[v];
      e[at] = 0.5;
      ASSERT_EQ(VES_EDOMAIN, ves_multi_normal_fixed(e, r, 2, 2, p, NULL));
      ASSERT_EQ(VES_EDOMAIN, ves_multi_normal_min(e, r, 2, 2, p));
    }
  for (size_t at = 0; at < 2; at++)
    for (size_t v = 0; v < 4; v++) {
      const double w[] = {0.6, 0.4, 0.6, 0.4};
      double x[] = {1, 1};
      x[at] = wrong[v];
      ASSERT_EQ(VES_EDOMAIN, ves_multi_mixture(w, x, 2, 2, p));
      ASSERT_EQ(VES_EDOMAIN, ves_multi_two_stage_exact(w, x, 2, 2, p));
    }
  /* The ends of the domains belong to them. */
  const double one[] = {1, 0}, ends[] = {0, 1}, edge[] = {0, 2};
  ASSERT_EQ(VES_OK, ves_multi_mixture(one, one, 1, 2, p));
  ASSERT_EQ(1.0, p[0]);
  ASSERT_EQ(0.0, p[1]);
  ASSERT_EQ(VES_OK, ves_multi_normal_fixed(edge, ends, 1, 2, p, NULL));
  ASSERT_EQ(VES_OK, ves_multi_normal_min(edge, ends, 1, 2, p));
  ASSERT_EQ(VES_OK, ves_multi_redraw_family(one, 2, 1.0, q));
  ASSERT_EQ(1.0, q[0]);
  ASSERT_EQ(0.0, q[1]);
  ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(one, 2, nextafter(1.0, 2.0), q));
  ASSERT_EQ(VES_EDOMAIN, ves_multi_redraw_family(one, 2, NAN, q));
  ASSERT_EQ(VES_ESIZE, ves_multi_mixture(one, one, 1, 0, p));
  ASSERT_EQ(VES_ESIZE, ves_multi_normal_fixed(one, one, 0, 2, p, NULL));
  ASSERT_EQ(VES_ESIZE, ves_multi_normal_min(one, one, 1, 0, p));
  PASS();
}

/* Without variance the sign of the difference decides; equal means are a tie. */
TEST normal_approximation_without_variance(void) {
  const double e[] = {1, 2, 1}, sure[] = {1, 1, 1};
  double p[3];
  size_t top = 9;
  ASSERT_EQ(VES_OK, ves_multi_normal_fixed(e, sure, 1, 3, p, &top));
  ASSERT_EQ(1u, top);
  ASSERT_EQ(0.0, p[0]);
  ASSERT_EQ(0.5, p[1]);
  ASSERT_EQ(0.0, p[2]);
  ASSERT_EQ(VES_OK, ves_multi_normal_min(e, sure, 1, 3, p));
  ASSERT_EQ(0.0, p[0]);
  ASSERT_EQ(1.0, p[1]);
  const double equal[] = {1, 1}, half[] = {0.5, 0.5};
  ASSERT_EQ(VES_OK, ves_multi_normal_fixed(equal, half, 1, 2, p, &top));
  ASSERT_EQ(0u, top); /* the first of equals */
  ASSERT_EQ(0.5, p[1]);
  const double nothing[] = {0, 0};
  ASSERT_EQ(VES_OK, ves_multi_normal_fixed(equal, nothing, 1, 2, p, &top));
  ASSERT_EQ(0u, top);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  gsl_set_error_handler_off();
  GREATEST_MAIN_BEGIN();
  RUN_TEST(mixture_weights_rows_by_their_sums);
  RUN_TEST(normal_approximation_has_no_solution);
  RUN_TEST(normal_approximation_by_hand);
  RUN_TEST(redraw_family_samples_the_row);
  RUN_TEST(conjecture_holds_if_empty_draws_count);
  RUN_TEST(equal_rows_have_a_constant_solution_under_redraw);
  RUN_TEST(conjecture_holds_under_redraw);
  RUN_TEST(winner_is_locally_blind_to_activities);
  RUN_TEST(rare_release_mixes_rows_equally);
  RUN_TEST(two_stage_is_the_mixture);
  RUN_TEST(two_stage_samples_the_mixture);
  RUN_TEST(solver_is_exact);
  RUN_TEST(solver_follows_the_path_where_it_must);
  RUN_TEST(solver_finds_the_family_of_one_input);
  RUN_TEST(solution_grows_with_the_share_of_non_empty_draws);
  RUN_TEST(one_row_alone_can_carry_the_mixture);
  RUN_TEST(solver_restarts_and_reports_failure);
  RUN_TEST(solver_ends_with_its_steps);
  RUN_TEST(errors_are_reported);
  RUN_TEST(domains_end_where_they_should);
  RUN_TEST(normal_approximation_without_variance);
  GREATEST_MAIN_END();
}
