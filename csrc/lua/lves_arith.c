/* lves_arith: elementwise arithmetic and comparison of vectors and matrices.
 *
 * + - * / ^ and unary minus act element by element between two arrays of one shape or an array and
 * a number; a plain Lua array may stand on either side. Results follow IEEE 754: a division by zero
 * is an infinity here, and an error where a function of the library is given it. */
#include "lves.h"

#include <math.h>

typedef double (*binary_fn)(double, double);

static double add(double a, double b) { return a + b; }
static double subtract(double a, double b) { return a - b; }
static double multiply(double a, double b) { return a * b; }
static double divide(double a, double b) { return a / b; }

/* An operand: a number, stretched over any shape, or an array. */
typedef struct {
  double number;
  lves_array array;
  bool scalar;
} operand;

static operand read_operand(lua_State *L, const char *fn, int index) {
  const lves_arg arg = lves_argument(L, fn, index, index == 1 ? "left" : "right");
  operand o = {.scalar = lua_type(L, index) == LUA_TNUMBER};
  if (o.scalar) {
    o.number = lua_tonumber(L, index);
  } else if (lves_array_test(L, index, &o.array)) {
    if (o.array.closed) lves_fail(&arg, "one that has not been closed");
  } else if (lua_type(L, index) == LUA_TTABLE) {
    o.array = lves_array_arg(&arg, LVES_FINITE);
  } else {
    lves_fail(&arg, "a number, vector or matrix");
  }
  return o;
}

static int combine(lua_State *L, const char *fn, binary_fn op) {
  lua_settop(L, 2);
  const operand a = read_operand(L, fn, 1), b = read_operand(L, fn, 2);
  const lves_array *shape = a.scalar ? &b.array : &a.array;
  if (!a.scalar && !b.scalar &&
      (a.array.matrix != b.array.matrix || a.array.rows != b.array.rows ||
       a.array.cols != b.array.cols))
    lves_error(L, fn, "shapes differ: %s and %s", lves_describe(L, 1), lves_describe(L, 2));
  double *out = lves_push_like(L, fn, shape);
  const size_t count = shape->rows * shape->cols;
  LVES_EACH(L, fn, i, count)
    out[i] = op(a.scalar ? a.number : a.array.data[i], b.scalar ? b.number : b.array.data[i]);
  return 1;
}

static int meta_add(lua_State *L) { return combine(L, "vector +", add); }
static int meta_sub(lua_State *L) { return combine(L, "vector -", subtract); }
static int meta_mul(lua_State *L) { return combine(L, "vector *", multiply); }
static int meta_div(lua_State *L) { return combine(L, "vector /", divide); }
static int meta_pow(lua_State *L) { return combine(L, "vector ^", pow); }

static int meta_unm(lua_State *L) {
  const lves_array a = lves_self_array(L, "vector unary -");
  double *out = lves_push_like(L, "vector unary -", &a);
  LVES_EACH(L, "vector unary -", i, a.rows * a.cols) out[i] = -a.data[i];
  return 1;
}

/* Same kind, shape and numbers. */
static int meta_eq(lua_State *L) {
  lves_array a, b;
  for (int i = 1; i <= 2; i++) {
    const lves_arg side = lves_argument(L, "vector ==", i, i == 1 ? "left" : "right");
    lves_check_open(&side);
  }
  bool equal = lves_array_test(L, 1, &a) && lves_array_test(L, 2, &b) && a.matrix == b.matrix &&
               a.rows == b.rows && a.cols == b.cols;
  const size_t count = equal ? a.rows * a.cols : 0;
  LVES_EACH(L, "vector ==", i, count) equal = equal && a.data[i] == b.data[i];
  lua_pushboolean(L, equal);
  return 1;
}

const luaL_Reg lves_array_metamethods[] = {
    {"__add", meta_add}, {"__sub", meta_sub}, {"__mul", meta_mul}, {"__div", meta_div},
    {"__pow", meta_pow}, {"__unm", meta_unm}, {"__eq", meta_eq},   {NULL, NULL},
};
