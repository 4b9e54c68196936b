/* Appendix B: the error functional, its minimiser against the printed exponents, the approximate
 * equilibrium, and what the expected size of a subset really is. */
#include "greatest.h"
#include "ves_exponent.h"
#include <gsl/gsl_errno.h>
#include <math.h>

/* The printed integrand, term by term. */
static double squared(double n, double i, double psi) {
  const double d = pow(1.0 / ((n - i) * (1.0 / (n - i + 1.0)) + 1.0), psi) - 1.0 / (n - i + 1.0);
  return d * d;
}

/* [app:exponent-error] */
TEST error_equals_a_riemann_sum(void) {
  const double psi[] = {0.0, 1.0, 2.385, 4.4, 9.5};
  const double top[] = {1.0, 0.5, 0.317};
  for (size_t a = 0; a < 5; a++)
    for (size_t b = 0; b < 3; b++) {
      enum { CELLS = 200000 };
      const double n = 37.0, m = top[b] * n, h = (m - 1.0) / CELLS;
      double midpoint = 0.0, error;
      for (int c = 0; c < CELLS; c++) midpoint += h * squared(n, 1.0 + h * (c + 0.5), psi[a]);
      ASSERT_EQ(VES_OK, ves_exponent_error(37, psi[a], top[b], VES_EXPONENT_INTEGRAL, &error));
      ASSERT_IN_RANGE(midpoint, error, 1e-8 * midpoint);
      double sum = 0.0;
      for (int i = 1; i <= (int)floor(m); i++) sum += squared(n, i, psi[a]);
      ASSERT_EQ(VES_OK, ves_exponent_error(37, psi[a], top[b], VES_EXPONENT_SUM, &error));
      ASSERT_IN_RANGE(sum, error, 1e-13 * sum);
    }
  PASS();
}

/* At psi = 0 the misfit is 1 - 1/(s+1): the integral is elementary. [app:exponent-error] */
TEST error_has_its_closed_form_at_zero(void) {
  const size_t sizes[] = {2, 100, 10000};
  for (size_t i = 0; i < 3; i++) {
    const double n = (double)sizes[i];
    double error;
    ASSERT_EQ(VES_OK, ves_exponent_error(sizes[i], 0.0, 1.0, VES_EXPONENT_INTEGRAL, &error));
    const double closed = (n - 1.0) - 2.0 * log(n) + (1.0 - 1.0 / n);
    ASSERT_IN_RANGE(closed, error, 1e-11 * closed);
  }
  PASS();
}

/* The original prints 4.4, 6.6, 6.25 and 9.5. [app:exponent-optimal] */
TEST optimum_reproduces_the_printed_exponents(void) {
  const struct {
    size_t n;
    double top, printed, half_digit;
  } row[] = {{100, 1.0, 4.4, 0.05},
             {1000, 1.0, 6.6, 0.05},
             {100, 0.5, 6.25, 0.005},
             {1000, 0.5, 9.5, 0.05}};
  for (size_t i = 0; i < 4; i++) {
    double psi;
    ASSERT_EQ(VES_OK,
              ves_exponent_optimal(row[i].n, row[i].top, VES_EXPONENT_INTEGRAL, &psi, NULL));
    ASSERT_IN_RANGE(row[i].printed, psi, row[i].half_digit);
  }
  PASS();
}

/* No other exponent does better, in either form, for few and for many weights.
 * [app:exponent-optimal] */
TEST optimum_is_a_minimum(void) {
  const size_t sizes[] = {2, 3, 17, 100, 10000};
  for (size_t i = 0; i < 5; i++)
    for (int form = 0; form < 2; form++) {
      double psi, least, error;
      ASSERT_EQ(VES_OK, ves_exponent_optimal(sizes[i], 1.0, (ves_exponent_form)form, &psi, &least));
      for (double factor = 0.25; factor < 4.0; factor *= 1.05) {
        ASSERT_EQ(VES_OK,
                  ves_exponent_error(sizes[i], psi * factor, 1.0, (ves_exponent_form)form, &error));
        ASSERT(error >= least - 1e-13);
      }
    }
  PASS();
}

/* One rank alone is fitted exactly. [app:exponent-optimal] */
TEST optimum_of_one_rank_has_no_misfit(void) {
  double psi, error;
  ASSERT_EQ(VES_OK, ves_exponent_optimal(40, 0.025, VES_EXPONENT_SUM, &psi, &error));
  ASSERT_IN_RANGE(log(40.0) / log(79.0 / 40.0), psi, 1e-5);
  ASSERT_IN_RANGE(0.0, error, 1e-14);
  PASS();
}

/* [app:exponent-equilibrium] */
TEST equilibrium_solves_its_equation(void) {
  static double q[10000];
  const struct {
    size_t n;
    double psi;
  } row[] = {{1, 4.4}, {2, 1.0}, {100, 4.4}, {1000, 6.6}, {10000, 8.0}, {100, 0.25}, {50, 400.0}};
  for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
    const size_t n = row[r].n;
    ASSERT_EQ(VES_OK, ves_exponent_equilibrium(n, row[r].psi, q));
    for (size_t i = 1; i <= n; i++) {
      const double target = pow(1.0 / ((double)(n - i) * q[i - 1] + 1.0), row[r].psi);
      ASSERT_IN_RANGE(1.0, target / q[i - 1], 1e-11 * (1.0 + row[r].psi));
      ASSERT(i == 1 || q[i - 1] > q[i - 2]);
    }
    ASSERT_EQ(1.0, q[n - 1]);
  }
  /* psi = 1, one weaker synapse: q (q + 1) = 1 */
  ASSERT_EQ(VES_OK, ves_exponent_equilibrium(2, 1.0, q));
  ASSERT_IN_RANGE((sqrt(5.0) - 1.0) / 2.0, q[0], 1e-14);
  /* psi = 0: the target is 1 */
  ASSERT_EQ(VES_OK, ves_exponent_equilibrium(3, 0.0, q));
  ASSERT(q[0] == 1.0 && q[1] == 1.0 && q[2] == 1.0);
  PASS();
}

/* Erratum E7. With the analytic releases of n = 100 equal weights the strongest synapse's subset
 * has 1 + H_99 = 6.18 members on average, the printed formula says 1.99. The exact value is checked
 * by adding up the Poisson-binomial law of the size. [app:subset-size] */
TEST subset_size_is_not_as_printed(void) {
  enum { N = 100 };
  double q[N], law[N + 1] = {1.0}, mean = 0.0, exact, printed;
  for (size_t i = 0; i < N; i++) q[i] = 1.0 / (double)(N - i);
  for (size_t j = 1; j < N; j++)
    for (size_t c = j; c-- > 0;) {
      law[c + 1] += law[c] * q[j];
      law[c] *= 1.0 - q[j];
    }
  for (size_t c = 0; c < N; c++) mean += (double)(c + 1) * law[c];
  ASSERT_EQ(VES_OK, ves_exponent_subset_size(q, N, 1, &exact, &printed));
  ASSERT_IN_RANGE(mean, exact, 1e-12);
  ASSERT_IN_RANGE(1.99, printed, 1e-12);
  ASSERT_IN_RANGE(3.1, exact / printed, 0.05);
  /* they agree if the weaker releases average q_i, and for the weakest */
  const double level[] = {0.25, 0.3, 0.2};
  ASSERT_EQ(VES_OK, ves_exponent_subset_size(level, 3, 1, &exact, &printed));
  ASSERT_IN_RANGE(exact, printed, 1e-15);
  ASSERT_EQ(VES_OK, ves_exponent_subset_size(level, 3, 3, &exact, &printed));
  ASSERT(exact == 1.0 && printed == 1.0);
  PASS();
}

TEST errors_are_reported(void) {
  double value, q[1];
  const ves_exponent_form integral = VES_EXPONENT_INTEGRAL, sum = VES_EXPONENT_SUM;
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_error(1, 2.0, 1.0, integral, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_error(9, -1.0, 1.0, integral, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_error(9, nan(""), 1.0, sum, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_error(9, 2.0, 0.0, sum, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_error(9, 2.0, 1.1, integral, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_error(9, 2.0, 1.0, (ves_exponent_form)7, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_optimal(2, 0.5, integral, &value, NULL)); /* no length */
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_optimal(9, 0.1, sum, &value, NULL));      /* no rank */
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_equilibrium(0, 1.0, q));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_equilibrium(1, -1.0, q));
  q[0] = 0.5;
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_subset_size(q, 1, 0, &value, NULL));
  ASSERT_EQ(VES_EDOMAIN, ves_exponent_subset_size(q, 1, 2, &value, NULL));
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  gsl_set_error_handler_off();
  GREATEST_MAIN_BEGIN();
  RUN_TEST(error_equals_a_riemann_sum);
  RUN_TEST(error_has_its_closed_form_at_zero);
  RUN_TEST(optimum_reproduces_the_printed_exponents);
  RUN_TEST(optimum_is_a_minimum);
  RUN_TEST(optimum_of_one_rank_has_no_misfit);
  RUN_TEST(equilibrium_solves_its_equation);
  RUN_TEST(subset_size_is_not_as_printed);
  RUN_TEST(errors_are_reported);
  GREATEST_MAIN_END();
}
