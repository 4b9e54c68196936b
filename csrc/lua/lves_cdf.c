/* lves_cdf: distribution functions, from GSL. */
#include "lves.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const char *const tails[] = {"lower", "upper", NULL};

/*** ves.cdf.normal(z, tail) -> probability
 * The probability that a standard normal variable is below z, or above it.
 * @param z number, or a vector or matrix of them
 * @param tail 'lower' or 'upper', default 'lower'
 * @return number, or a vector or matrix like z
 * @example print(ves.cdf.normal(1.96), ves.cdf.normal({0, 6}, "upper"))
 */
static int cdf_normal(lua_State *L) {
  const char *fn = "ves.cdf.normal";
  lves_arity(L, fn, 2);
  const lves_arg at = lves_argument(L, fn, 1, "z"), side = lves_argument(L, fn, 2, "tail");
  const int upper = lves_choice_or(&side, tails, 0);
  double (*const probability)(double) = upper ? gsl_cdf_ugaussian_Q : gsl_cdf_ugaussian_P;
  if (lua_type(L, 1) != LUA_TTABLE && lua_type(L, 1) != LUA_TUSERDATA) {
    if (lua_type(L, 1) != LUA_TNUMBER) lves_fail(&at, "a number, vector or matrix");
    lua_pushnumber(L, probability(lves_number(&at, LVES_ORDERED)));
    return 1;
  }
  const lves_array z = lves_array_arg(&at, LVES_ORDERED);
  double *out = lves_push_like(L, fn, &z);
  for (size_t i = 0; i < lves_count(&z); i++) out[i] = probability(z.data[i]);
  return 1;
}

/*** ves.cdf.chi_square(statistic, df, tail) -> probability
 * The probability that a chi-square variable with df degrees of freedom is below the statistic, or
 * above it: the p-value of a test.
 * @param statistic number >= 0
 * @param df number > 0
 * @param tail 'lower' or 'upper', default 'lower'
 * @example print(ves.cdf.chi_square(3.84, 1, "upper"))
 */
static int cdf_chi_square(lua_State *L) {
  const char *fn = "ves.cdf.chi_square";
  lves_arity(L, fn, 3);
  const lves_arg at = lves_argument(L, fn, 1, "statistic"), freedom = lves_argument(L, fn, 2, "df"),
                 side = lves_argument(L, fn, 3, "tail");
  const double x = lves_number(&at, LVES_ORDERED), df = lves_number(&freedom, LVES_POSITIVE);
  if (x < 0) lves_fail(&at, "a number >= 0");
  const int upper = lves_choice_or(&side, tails, 0);
  const double beyond = isinf(x) ? 0.0 : gsl_cdf_chisq_Q(x, df);
  lua_pushnumber(L, upper ? beyond : isinf(x) ? 1.0 : gsl_cdf_chisq_P(x, df));
  return 1;
}

static const luaL_Reg functions[] = {
    {"normal", cdf_normal},
    {"chi_square", cdf_chi_square},
    {NULL, NULL},
};

void lves_open_cdf(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "cdf");
}
