/* lves_inputs: the input layer of a network in Lua, one code or the product of several.
 *
 * Where there are several, data come as one column per code and a point as one number per code;
 * a pattern of activity is always one number per curve of the product. Only curves that are active
 * are ever looked at, except where somebody asks for all of them (network:encode). */
#include "lves.h"

#include "ves_product.h"
#include <string.h>

/* ---- codes ---- */

/* Whether the value is an array whose first element is an object or another array. */
static bool is_list(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lves_plain_table(L, index)) return false;
  const int type = lua_rawgeti(L, index, 1);
  lua_pop(L, 1);
  return type == LUA_TTABLE || type == LUA_TUSERDATA;
}

/* Pushes element i of the array at arg, as an argument with a name of its own. */
static lves_arg push_element(const lves_arg *arg, size_t i) {
  lua_State *L = arg->L;
  luaL_checkstack(L, 8, NULL);
  lves_arg element = *arg;
  element.name = lua_pushfstring(L, "%s[%d]", arg->name, (int)i + 1);
  lua_rawgeti(L, arg->index, (lua_Integer)i + 1);
  element.index = lua_gettop(L);
  return element;
}

size_t lves_codes_arg(const lves_arg *arg, const ves_code *code[]) {
  lua_State *L = arg->L;
  size_t count = 1;
  if (is_list(L, arg->index)) {
    count = (size_t)lua_rawlen(L, arg->index);
    if (count > VES_PRODUCT_MAX) lves_fail(arg, "at most %d codes", VES_PRODUCT_MAX);
    for (size_t c = 0; c < count; c++) {
      const lves_arg element = push_element(arg, c);
      code[c] = lves_code_arg(&element);
    }
  } else if (lua_type(L, arg->index) == LUA_TTABLE) {
    lves_fail(arg, "a code, as from ves.code, or an array of them");
  } else {
    code[0] = lves_code_arg(arg);
  }
  return count;
}

void lves_push_codes(lua_State *L, const char *fn, const ves_product *p) {
  if (p->count > 1) lua_createtable(L, (int)p->count, 0);
  for (size_t c = 0; c < p->count; c++) {
    const ves_code *code = &p->code[c];
    lves_push_code(L, fn, code->n, code->lo, code->hi, code->sigma, code->spacing);
    if (p->count > 1) lua_rawseti(L, -2, (lua_Integer)c + 1);
  }
}

/* ---- columns of data ---- */

lves_array lves_column_arg(const lves_arg *arg, lves_domain domain) {
  if (lua_type(arg->L, arg->index) != LUA_TNUMBER) return lves_vector_arg(arg, domain);
  const double value = lves_number(arg, domain);
  double *data = lves_push_vector(arg->L, 1);
  *data = value;
  lua_replace(arg->L, arg->index);
  return (lves_array){.data = data, .rows = 1, .cols = 1, .matrix = false};
}

size_t lves_inputs_arg(const lves_arg *arg, size_t count, const double *column[]) {
  if (count == 1 && !is_list(arg->L, arg->index)) {
    const lves_array xs = lves_column_arg(arg, LVES_FINITE);
    column[0] = xs.data;
    return xs.cols;
  }
  if (lua_type(arg->L, arg->index) != LUA_TTABLE || !lves_plain_table(arg->L, arg->index) ||
      lua_rawlen(arg->L, arg->index) != count)
    lves_fail(arg, "an array of %d vectors, one for each input code", (int)count);
  size_t rows = 0;
  for (size_t c = 0; c < count; c++) {
    const lves_arg element = push_element(arg, c);
    const lves_array xs = lves_column_arg(&element, LVES_FINITE);
    if (c > 0 && xs.cols != rows)
      lves_fail(&element, "as many elements as '%s[1]' has, %d", arg->name, (int)rows);
    rows = xs.cols;
    column[c] = xs.data;
  }
  return rows;
}

/* ---- what a draw starts from ---- */

const uint32_t *lves_push_active(lua_State *L, const double *x, size_t m, double active,
                                 size_t *k) {
  uint32_t *input = lves_scratch(L, m, sizeof *input);
  *k = 0;
  for (size_t i = 0; i < m; i++)
    if (x[i] > active) input[(*k)++] = (uint32_t)i;
  return input;
}

static void release_walk(void *object) { ves_product_walk_free(object); }

/* The curves above `active` at a point, one number per code. */
static lves_pattern push_point(lua_State *L, const char *fn, const double *point, double active) {
  lves_box *box = lves_push_box(L, sizeof(ves_product_walk), release_walk);
  ves_product_walk *walk = lves_box_room(box);
  lves_check(L, fn, ves_product_walk_alloc(walk, &lves_self_network(L, fn)->input));
  box->object = walk;
  const size_t k = ves_product_active(walk, point, active, NULL, NULL);
  double *x = lves_scratch(L, k + 1, sizeof *x);
  uint32_t *input = lves_scratch(L, k + 1, sizeof *input);
  ves_product_active(walk, point, active, input, x);
  lves_box_release(box);
  return (lves_pattern){input, x, k};
}

/* A point: a number for one code, or as many numbers as there are codes. False for anything that
 * may be activities instead: a vector of m of them. */
static bool point_arg(const lves_arg *arg, size_t count, size_t m, double *point) {
  lua_State *L = arg->L;
  if (count == 1 && lua_type(L, arg->index) == LUA_TNUMBER) {
    *point = lves_number(arg, LVES_FINITE);
    return true;
  }
  if (lua_type(L, arg->index) == LUA_TTABLE || lua_type(L, arg->index) == LUA_TUSERDATA) {
    const lves_array x = lves_vector_arg(arg, LVES_FINITE);
    if (x.cols == m && (count == 1 || m != count)) return false;
    if (x.cols == count) {
      memcpy(point, x.data, count * sizeof *point);
      return true;
    }
  }
  if (count == 1) lves_fail(arg, "a number, or a vector of %d activities", (int)m);
  lves_fail(arg, "%d numbers, one for each input code, or a vector of %d activities", (int)count,
            (int)m);
}

lves_pattern lves_push_pattern(const lves_arg *arg, double active) {
  lua_State *L = arg->L;
  const size_t m = lves_self_network(L, arg->fn)->input.n;
  double point[VES_PRODUCT_MAX];
  if (point_arg(arg, lves_self_network(L, arg->fn)->input.count, m, point))
    return push_point(L, arg->fn, point, active);
  const lves_array all = lves_vector_of(arg, LVES_ACTIVITY, m);
  lves_pattern p;
  p.input = lves_push_active(L, all.data, m, active, &p.k);
  double *x = lves_scratch(L, p.k + 1, sizeof *x);
  for (size_t a = 0; a < p.k; a++) x[a] = all.data[p.input[a]];
  p.x = x;
  return p;
}

/*** network:encode(x) -> vector
 * The activity of all inputs of the network at a point: of the input code's curves, or of the
 * products of curves, one of each input code, where there are several. Curve (i, j) of two codes is
 * number (i - 1) n_2 + j; a product is exactly 0 where it is lower than a single curve is at its
 * reach. [eq:tuning] [eq:product]
 * @equation rate_ij(x) = rate_i(x_1) rate_j(x_2) [eq:product]
 * @param x number; or {a, b, ...}, one number for each input code
 * @return vector of activities
 * @example code = ves.code{n = 4, lo = 0, hi = 1, sigma = 0.2}
 * @example net = ves.network{input = {code, code}, output = code, rng = rng}
 * @example print(net:encode{0.3, 0.8}:argmax())
 */
int lves_network_encode(lua_State *L) {
  const char *fn = "network:encode";
  const size_t count = lves_self_network(L, fn)->input.count;
  const size_t m = lves_self_network(L, fn)->input.n;
  lves_arity(L, fn, 2);
  const lves_arg x = lves_argument(L, fn, 2, "x");
  double point[VES_PRODUCT_MAX];
  if (!point_arg(&x, count, m, point)) lves_fail(&x, "the number to be encoded");
  const lves_pattern p = push_point(L, fn, point, 0.0);
  double *rate = lves_push_vector(L, m);
  for (size_t a = 0; a < p.k; a++) rate[p.input[a]] = p.x[a];
  return 1;
}
