/* lves_exponent: which constant exponent suits n equal weights (Appendix B). */
#include "lves.h"

#include "ves_exponent.h"

typedef struct {
  double top;
  ves_exponent_form form;
} measure;

static measure read_measure(lua_State *L, const char *fn, int index, lua_Integer n) {
  static const char *const keys[] = {"top", "form", NULL};
  static const char *const forms[] = {"integral", "sum", NULL};
  const lves_options o = lves_options_open(L, fn, index, false, keys);
  const lves_arg top = lves_key(&o, "top"), form = lves_key(&o, "form");
  const measure m = {.top = lves_number_or(&top, LVES_FRACTION, 1.0),
                     .form =
                         (ves_exponent_form)lves_choice_or(&form, forms, VES_EXPONENT_INTEGRAL)};
  if (m.form == VES_EXPONENT_INTEGRAL ? !(m.top * (double)n > 1) : !(m.top * (double)n >= 1))
    lves_fail(&top, "a fraction of the %I ranks that reaches beyond the first", (LUAI_UACINT)n);
  return m;
}

/*** ves.exponent.optimal(n, options) -> psi, error
 * The constant exponent that best turns the subset's share into the analytic release, for n equal
 * weights: the one with the least squared error over ranks. [app:exponent-optimal]
 * @equation psi with the least error(psi) [app:exponent-optimal]
 * @param n integer >= 2: weights
 * @key top number in (0, 1], default 1: the fraction of ranks, from the strongest, that count
 * @key form 'integral' or 'sum', default 'integral': over a continuous rank, or over the ranks
 * @return number: the exponent
 * @return number: the error there
 * @example print(ves.exponent.optimal(100))
 */
static int exponent_optimal(lua_State *L) {
  const char *fn = "ves.exponent.optimal";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "n");
  const lua_Integer n = lves_integer(&weights, 2, LVES_SIZE_MAX);
  const measure m = read_measure(L, fn, 2, n);
  double psi, error;
  lves_check(L, fn, ves_exponent_optimal((size_t)n, m.top, m.form, &psi, &error));
  lua_pushnumber(L, psi);
  lua_pushnumber(L, error);
  return 2;
}

/*** ves.exponent.error(n, psi, options) -> error
 * The squared error over ranks of a constant exponent, for n equal weights. [app:exponent-error]
 * @equation integral over ranks i of (((s + 1) / (2 s + 1))^psi - 1 / (s + 1))^2, s = n - i
 * [app:exponent-error]
 * @param n integer >= 2: weights
 * @param psi number >= 0: the exponent
 * @key top number in (0, 1], default 1: the fraction of ranks, from the strongest, that count
 * @key form 'integral' or 'sum', default 'integral'
 * @return number
 * @example print(ves.exponent.error(100, 4.4))
 */
static int exponent_error(lua_State *L) {
  const char *fn = "ves.exponent.error";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "n"), exponent = lves_argument(L, fn, 2, "psi");
  const lua_Integer n = lves_integer(&weights, 2, LVES_SIZE_MAX);
  const double psi = lves_number(&exponent, LVES_NONNEGATIVE);
  const measure m = read_measure(L, fn, 3, n);
  double error;
  lves_check(L, fn, ves_exponent_error((size_t)n, psi, m.top, m.form, &error));
  lua_pushnumber(L, error);
  return 1;
}

/*** ves.exponent.equilibrium(n, psi) -> q
 * Where learning with a constant exponent would settle for n equal weights if the subset below rank
 * i had the approximate size (n - i) q + 1: element i solves (1 / ((n - i) q + 1))^psi = q.
 * [app:exponent-equilibrium]
 * @equation q_i = 1 / ((n - i) q_i + 1)^psi [app:exponent-equilibrium]
 * @param n integer >= 1: weights
 * @param psi number >= 0: the exponent
 * @return vector of n releases, strongest first
 * @example print(ves.exponent.equilibrium(10, 4))
 */
static int exponent_equilibrium(lua_State *L) {
  const char *fn = "ves.exponent.equilibrium";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "n"), exponent = lves_argument(L, fn, 2, "psi");
  const size_t n = (size_t)lves_integer(&weights, 1, LVES_SIZE_MAX);
  const double psi = lves_number(&exponent, LVES_NONNEGATIVE);
  double *q = lves_push_vector(L, n);
  lves_check(L, fn, ves_exponent_equilibrium(n, psi, q));
  return 1;
}

/*** ves.exponent.subset_size(q, i) -> exact, printed
 * The expected size of the subset whose strongest member has rank i: exactly, 1 + the sum of the
 * weaker releases; and as printed, (n - i) q_i + 1. Differs from [app:subset-size] as printed.
 * [app:subset-size]
 * @equation 1 + sum of weaker q_j; printed: (n - i) q_i + 1 [app:subset-size]
 * @param q vector of releases, strongest weight first
 * @param i integer in [1, #q]: the rank
 * @return number: the exact expectation
 * @return number: the printed one
 * @example print(ves.exponent.subset_size({0.1, 0.2, 0.4, 1}, 1))
 */
static int exponent_subset_size(lua_State *L) {
  const char *fn = "ves.exponent.subset_size";
  lves_arity(L, fn, 2);
  const lves_arg releases = lves_argument(L, fn, 1, "q"), rank = lves_argument(L, fn, 2, "i");
  const lves_array q = lves_vector_arg(&releases, LVES_PROBABILITY);
  const size_t i = (size_t)lves_integer(&rank, 1, (lua_Integer)q.cols);
  double exact, printed;
  lves_check(L, fn, ves_exponent_subset_size(q.data, q.cols, i, &exact, &printed));
  lua_pushnumber(L, exact);
  lua_pushnumber(L, printed);
  return 2;
}

static const luaL_Reg functions[] = {
    {"optimal", exponent_optimal},
    {"error", exponent_error},
    {"equilibrium", exponent_equilibrium},
    {"subset_size", exponent_subset_size},
    {NULL, NULL},
};

void lves_open_exponent(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "exponent");
}
