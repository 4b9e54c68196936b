/* lves_amplitude: options of the amplitude rule, and what theory says of it. Learning itself is
 * ves.release.learn's. */
#include "lves_amplitude.h"

#include "ves_amplitude_theory.h"
#include "ves_stop.h"
#include <string.h>

bool lves_is_amplitude(const lves_arg *rule) {
  return lua_type(rule->L, rule->index) == LUA_TSTRING &&
         strcmp(lua_tostring(rule->L, rule->index), "amplitude") == 0;
}

/* Keys of other rules, which would silently do nothing. */
static void refuse_foreign(const lves_options *o) {
  static const char *const foreign[][2] = {{"psi", "rule 'power'"},
                                           {"subtract", "rule 'subtract'"},
                                           {"expected_over", "rule 'expected'"},
                                           {"floor", "the rules that learn q itself"},
                                           {"ceiling", "the rules that learn q itself"}};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    const lves_arg arg = lves_key(o, foreign[i][0]);
    if (!lves_absent(&arg)) lves_fail(&arg, "no such key here: it belongs to %s", foreign[i][1]);
    lua_pop(o->L, 1);
  }
}

void lves_refuse_amplitude(const lves_options *o) {
  static const char *const own[] = {"order", "rate_floor", "updates", NULL};
  for (size_t i = 0; own[i] != NULL; i++) {
    const lves_arg arg = lves_key(o, own[i]);
    if (!lves_absent(&arg)) lves_fail(&arg, "no such key here: it belongs to rule 'amplitude'");
    lua_pop(o->L, 1);
  }
}

ves_amplitude_options lves_read_amplitude(const lves_options *o) {
  static const char *const orders[] = {"weight", "amplitude", NULL};
  ves_amplitude_options a = ves_amplitude_defaults();
  refuse_foreign(o);
  const lves_arg algorithm = lves_key(o, "algorithm"), order = lves_key(o, "order"),
                 rate = lves_key(o, "rate"), decay = lves_key(o, "decay"),
                 least = lves_key(o, "rate_floor"), iterations = lves_key(o, "iterations");
  a.algorithm = (int)lves_integer_or(&algorithm, 1, 2, a.algorithm);
  a.order = (ves_amplitude_order)lves_choice_or(&order, orders, VES_ORDER_WEIGHT);
  if (!lves_absent(&rate)) {
    a.average = lua_type(o->L, rate.index) == LUA_TSTRING &&
                strcmp(lua_tostring(o->L, rate.index), "average") == 0;
    if (!a.average && (lua_type(o->L, rate.index) != LUA_TNUMBER ||
                       !lves_accepts(LVES_FRACTION, lua_tonumber(o->L, rate.index))))
      lves_fail(&rate, "a number in (0, 1], or 'average'");
    if (!a.average) a.rate = lua_tonumber(o->L, rate.index);
  }
  a.decay = lves_number_or(&decay, LVES_POSITIVE, 0.0);
  if (a.average && a.decay > 0)
    lves_fail(&decay, "no such key with rate = 'average', whose step falls by itself");
  a.rate_floor = lves_number_or(&least, LVES_FRACTION, 0.0);
  if (!a.average && a.decay == 0 && a.rate_floor > 0)
    lves_fail(&least, "no such key with a constant rate: it bounds a step that falls");
  if (!a.average && a.rate_floor > a.rate)
    lves_fail(&least, "a number not above rate = %f", a.rate);
  a.iterations =
      (uint64_t)lves_integer_or(&iterations, 1, LVES_DRAW_MAX - 1, (lua_Integer)a.iterations);
  return a;
}

double *lves_push_updates(const lves_options *o, const lves_array *w, const uint32_t *row,
                          size_t rows) {
  lua_State *L = o->L;
  const lves_arg updates = lves_key(o, "updates");
  const int type = lua_type(L, updates.index);
  if (type == LUA_TNIL || (type == LUA_TBOOLEAN && !lua_toboolean(L, updates.index))) return NULL;
  if (type != LUA_TBOOLEAN && type != LUA_TTABLE && type != LUA_TUSERDATA)
    lves_fail(&updates, "true, or an array like the weights: numbers of updates so far");
  const double *given =
      type == LUA_TBOOLEAN ? NULL : lves_array_of(&updates, LVES_NONNEGATIVE, w).data;
  double *counted = lves_push_like(L, o->fn, w);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < w->cols; j++)
      counted[i * w->cols + j] = given != NULL ? given[row[i] * w->cols + j] : 0.0;
  return counted;
}

/* ---- theory ---- */

/*** ves.release.amplitude_theory(w, options) -> table
 * What the amplitude rule comes to without running it: where amplitudes rest, how much a target
 * varies there, and how fast the winner's distribution is reached with step 1/k.
 * [eq:amplitude-unbiased] [eq:amplitude-variance] [eq:amplitude-rate] [eq:amplitude-distance]
 * @equation S_i = w_i + sum of weaker w_j; variance = (S_{i+1}^2 - sum of weaker w_j^2) / 2
 * [eq:amplitude-variance]
 * @equation total variation of the winner <= sum of p_i |q_i S_i / w_i - 1| [eq:amplitude-distance]
 * @param w vector of weights >= 0, some > 0
 * @key algorithm 1 or 2, default 2: which one the rate is of
 * @key q vector of release probabilities, as many: how far from the mapping they are
 * @return table: amplitude, the resting point; variance, of a target there; rate, the c of which c
 * / sqrt(T) bounds the mean total variation of the winner after T iterations, as T grows; distance,
 * with q, a bound on that of the releases q
 * @example theory = ves.release.amplitude_theory({0.5, 0.3, 0.2}); print(theory.amplitude,
 * theory.rate)
 */
static int amplitude_theory(lua_State *L) {
  static const char *const keys[] = {"algorithm", "q", NULL};
  const char *fn = "ves.release.amplitude_theory";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "w");
  const lves_array w = lves_vector_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 2, false, keys);
  const lves_arg algorithm = lves_key(&o, "algorithm"), releases = lves_key(&o, "q");
  const int which = (int)lves_integer_or(&algorithm, 1, 2, 2);
  const double *q =
      lves_absent(&releases) ? NULL : lves_vector_of(&releases, LVES_PROBABILITY, w.cols).data;
  bool any = false;
  for (size_t i = 0; i < w.cols; i++) any |= w.data[i] > 0;
  if (!any) lves_fail(&weights, "some weight > 0");
  size_t *order = lves_scratch(L, w.cols, sizeof *order);
  lua_createtable(L, 0, 4);
  double *mean = lves_push_vector(L, w.cols);
  lua_setfield(L, -2, "amplitude");
  double *variance = lves_push_vector(L, w.cols), rate;
  lua_setfield(L, -2, "variance");
  ves_amplitude_moments(w.data, NULL, w.cols, order, mean, variance);
  if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
  lves_check(L, fn, ves_amplitude_rate(w.data, w.cols, which, &rate));
  lua_pushnumber(L, rate);
  lua_setfield(L, -2, "rate");
  if (q != NULL) {
    lua_pushnumber(L, ves_amplitude_distance(w.data, q, w.cols, order));
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
    lua_setfield(L, -2, "distance");
  }
  return 1;
}

/* After lves_open_release: this function lives in the same table. */
void lves_open_amplitude(lua_State *L) {
  lua_getfield(L, -1, "release");
  lua_pushcfunction(L, amplitude_theory);
  lua_setfield(L, -2, "amplitude_theory");
  lua_pop(L, 1);
}
