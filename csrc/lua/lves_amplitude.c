/* lves_amplitude: options of the amplitude rule. Learning itself is ves.release.learn's. */
#include "lves_amplitude.h"

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
  a.order = (ves_order)lves_choice_or(&order, orders, VES_ORDER_WEIGHT);
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

static void release_workspace(void *object) { ves_amplitude_workspace_free(object); }

lves_box *lves_push_amplitude_workspace(lua_State *L, const char *fn, size_t n) {
  lves_box *box = lves_push_box(L, 0, release_workspace);
  box->object = ves_amplitude_workspace_alloc(n);
  if (box->object == NULL) lves_check(L, fn, VES_ENOMEM);
  return box;
}
