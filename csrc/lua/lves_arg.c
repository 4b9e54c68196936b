/* lves_arg: argument checking.
 *
 * A wrong call must never run with a default in place of what its author meant. So option tables
 * are read raw (no metamethods run half-way through a check), every key in them must be known,
 * every number must be finite and in its range, strings are not taken for numbers, and surplus
 * arguments are refused. The message names the function, the key or argument, the value and what
 * was expected:
 *
 *     ves.release.learn: key 'rate' = -1: expected a number in (0, 1]
 *     ves.release.learn: unknown key 'iteration': did you mean 'iterations'? */
#include "lves.h"
#include "ves_stop.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- saying what is wrong ---- */

/* A number as Lua prints it; not-a-number and infinity without the platform's spelling. */
static void describe_number(lua_State *L, double value) {
  if (isnan(value))
    lua_pushliteral(L, "nan");
  else if (isinf(value))
    lua_pushstring(L, value < 0 ? "-inf" : "inf");
  else {
    char text[40];
    lves_snprintf(text, sizeof text, "%.14g", value);
    lua_pushstring(L, text);
  }
}

/* A string in quotes, shortened, without control characters. */
static void describe_string(lua_State *L, int index) {
  enum { SHOWN = 40 };
  char text[SHOWN + 1];
  size_t length;
  const char *s = lua_tolstring(L, index, &length);
  const size_t shown = length < SHOWN ? length : SHOWN;
  for (size_t i = 0; i < shown; i++) text[i] = (unsigned char)s[i] < ' ' ? '?' : s[i];
  text[shown] = '\0';
  lua_pushfstring(L, "'%s%s'", text, length > SHOWN ? "..." : "");
}

static void describe_box(lua_State *L, int index) {
  lves_array a;
  if (lves_array_test(L, index, &a)) {
    if (a.matrix)
      lua_pushfstring(L, "a %d x %d matrix", (int)a.rows, (int)a.cols);
    else
      lua_pushfstring(L, "a vector of %d", (int)a.cols);
  } else if (lves_test(L, index, LVES_STREAM) != NULL) {
    lua_pushliteral(L, "a stream");
  } else if (lves_test(L, index, LVES_CODE) != NULL) {
    lua_pushliteral(L, "a code");
  } else if (lves_test(L, index, LVES_NETWORK) != NULL) {
    lua_pushliteral(L, "a network");
  } else if (lves_test(L, index, LVES_CHAIN) != NULL) {
    lua_pushliteral(L, "a chain");
  } else {
    lua_pushliteral(L, "a userdata");
  }
}

const char *lves_describe(lua_State *L, int index) {
  luaL_checkstack(L, 8, NULL);
  switch (lua_type(L, index)) {
  case LUA_TNONE:
  case LUA_TNIL: lua_pushliteral(L, "nil"); break;
  case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index))
      lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, index));
    else
      describe_number(L, lua_tonumber(L, index));
    break;
  case LUA_TSTRING: describe_string(L, index); break;
  case LUA_TUSERDATA: describe_box(L, index); break;
  default: lua_pushfstring(L, "a %s", lua_typename(L, lua_type(L, index)));
  }
  return lua_tostring(L, -1);
}

/* Raises the message at the top of the stack, with the position of the caller before it. */
_Noreturn static void raise_top(lua_State *L) {
  luaL_where(L, 1);
  lua_insert(L, -2);
  lua_concat(L, 2);
  lua_error(L);
  for (;;) continue; /* lua_error does not return */
}

void lves_error(lua_State *L, const char *fn, const char *message, ...) {
  va_list args;
  luaL_checkstack(L, 8, NULL);
  va_start(args, message);
  lua_pushvfstring(L, message, args);
  va_end(args);
  lua_pushfstring(L, "%s: %s", fn, lua_tostring(L, -1));
  raise_top(L);
}

void lves_fail(const lves_arg *arg, const char *expected, ...) {
  lua_State *L = arg->L;
  va_list args;
  luaL_checkstack(L, 8, NULL);
  const bool missing = arg->key && lves_absent(arg);
  const char *value = lves_describe(L, arg->index); /* before anything is pushed in its place */
  va_start(args, expected);
  const char *wanted = lua_pushvfstring(L, expected, args);
  va_end(args);
  if (missing)
    lua_pushfstring(L, "%s: key '%s' is missing: expected %s", arg->fn, arg->name, wanted);
  else
    lua_pushfstring(L, "%s: %s '%s' = %s: expected %s", arg->fn, arg->key ? "key" : "argument",
                    arg->name, value, wanted);
  raise_top(L);
}

void lves_fail_at(const lves_arg *arg, size_t row, size_t i, double value, const char *expected) {
  lua_State *L = arg->L;
  luaL_checkstack(L, 8, NULL);
  if (row > 0)
    lua_pushfstring(L, "[%d][%d]", (int)row, (int)i);
  else
    lua_pushfstring(L, "[%d]", (int)i);
  const char *at = lua_tostring(L, -1);
  describe_number(L, value);
  lua_pushfstring(L, "%s: %s '%s'%s = %s: expected %s", arg->fn, arg->key ? "key" : "argument",
                  arg->name, at, lua_tostring(L, -1), expected);
  raise_top(L);
}

static lves_stopped stopped = NULL;

void lves_set_stopped(lves_stopped chosen) { stopped = chosen; }

void lves_check(lua_State *L, const char *fn, ves_status status) {
  if (status == VES_ESTOPPED && stopped != NULL) stopped(L);
  if (status != VES_OK) lves_error(L, fn, "%s", ves_status_message(status));
}

size_t lves_block_end(lua_State *L, const char *fn, size_t from, size_t n) {
  if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
  return ves_block_end(from, n);
}

/* ---- suggestions ---- */

enum { WORD_MAX = 64 };

static size_t least(size_t a, size_t b, size_t c) {
  const size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

static bool same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits (insert, delete, replace, swap neighbours) from one word to another, capitals or not. */
static size_t edits(const char *a, size_t na, const char *b, size_t nb) {
  size_t d[WORD_MAX + 1][WORD_MAX + 1];
  for (size_t i = 0; i <= na; i++)
    for (size_t j = 0; j <= nb; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const size_t change = !same_letter(a[i - 1], b[j - 1]);
      d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]) &&
          d[i - 2][j - 2] + 1 < d[i][j])
        d[i][j] = d[i - 2][j - 2] + 1;
    }
  return d[na][nb];
}

const char *lves_nearest(const char *word, const char *const words[]) {
  const size_t length = strlen(word);
  const char *nearest = NULL;
  if (length == 0 || length > WORD_MAX) return NULL;
  size_t best = length / 6 + 2; /* allow one edit, and one more per six letters */
  for (; *words != NULL; words++) {
    const size_t n = strlen(*words);
    if (n > WORD_MAX) continue;
    const size_t distance = edits(word, length, *words, n);
    if (distance < best && distance < n) {
      best = distance;
      nearest = *words;
    }
  }
  return nearest;
}

/* ---- arguments ---- */

lves_arg lves_argument(lua_State *L, const char *fn, int index, const char *name) {
  return (lves_arg){.L = L, .fn = fn, .name = name, .key = false, .index = index};
}

bool lves_absent(const lves_arg *arg) { return lua_isnoneornil(arg->L, arg->index); }

void lves_arity(lua_State *L, const char *fn, int most) {
  const int count = lua_gettop(L), self = strchr(fn, ':') != NULL;
  if (count > most)
    lves_error(L, fn, "%d arguments: expected at most %d", count - self, most - self);
  lua_settop(L, most);
}

/* ---- numbers ---- */

/* All bounds are closed, the nearest double standing for an open one: two comparisons settle every
 * value, not-a-number too. */
static const struct {
  double lo, hi;
  const char *words;
} domains[] = {
    [LVES_FINITE] = {-DBL_MAX, DBL_MAX, "a finite number"},
    [LVES_ORDERED] = {-HUGE_VAL, HUGE_VAL, "a number"},
    [LVES_POSITIVE] = {DBL_TRUE_MIN, DBL_MAX, "a number > 0"},
    [LVES_NONNEGATIVE] = {0, DBL_MAX, "a number >= 0"},
    [LVES_PROBABILITY] = {0, 1, "a number in [0, 1]"},
    [LVES_FRACTION] = {DBL_TRUE_MIN, 1, "a number in (0, 1]"},
    [LVES_INSIDE] = {DBL_TRUE_MIN, 1 - DBL_EPSILON / 2, "a number in (0, 1)"},
    [LVES_WEIGHT] = {0, 1e200, "a number in [0, 1e200]"},
    [LVES_ACTIVITY] = {0, 1e100, "a number in [0, 1e100]"},
    [LVES_COORDINATE] = {-1e100, 1e100, "a number in [-1e100, 1e100]"},
    [LVES_SALIENCE] = {0, VES_SALIENCE_MAX, "a number in [0, 1048576]"},
    [LVES_SHAPE] = {1e-100, 1e100, "a number in [1e-100, 1e100]"},
};

bool lves_accepts(lves_domain domain, double value) {
  return value >= domains[domain].lo && value <= domains[domain].hi;
}

/* Two elements side by side, as the integers that their bits are, in the notation that gcc and clang
 * share for all processors. */
typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
enum { AT_ONCE = 32 };

/* The top bit is set in what is below lo or above hi. */
#define OUTSIDE(v)   (((v)-low) | (high - (v)))
#define OUTSIDE_2(k) (OUTSIDE(v[k] & kept) | OUTSIDE(v[(k) + 1] & kept))
#define OUTSIDE_8(k)                                                                               \
  ((OUTSIDE_2(k) | OUTSIDE_2((k) + 2)) | (OUTSIDE_2((k) + 4) | OUTSIDE_2((k) + 6)))

/* Whether AT_ONCE elements, of whose bits those in `keep` count, all lie in [lo, hi]: judged
 * together, without a branch for each. Doubles that are not negative have the order of their bits,
 * not-a-number coming last; the bits of negative ones, as of -0, are above all of these. */
static inline bool all_between(const double *values, uint64_t keep, uint64_t lo, uint64_t hi) {
  const pair *v = (const pair *)(const void *)values;
  const pair kept = {keep, keep}, low = {lo, lo}, high = {hi, hi};
  const pair outside = OUTSIDE_8(0) | OUTSIDE_8(8);
  return (outside[0] | outside[1]) >> 63 == 0;
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Bounds below 0 are those above it with the other sign, and leave the sign out. What is not passed
 * here, which may be a -0, is looked at one by one. */
size_t lves_first_refused(lves_domain domain, const double *values, size_t count) {
  const double lo = domains[domain].lo, hi = domains[domain].hi;
  const uint64_t least = bits_of(lo), most = bits_of(hi), all = UINT64_MAX;
  for (size_t i = 0; i < count;) {
    if (lo < 0)
      while (i + AT_ONCE <= count && all_between(values + i, all >> 1, 0, most)) i += AT_ONCE;
    else
      while (i + AT_ONCE <= count && all_between(values + i, all, least, most)) i += AT_ONCE;
    for (const size_t end = count - i < AT_ONCE ? count : i + AT_ONCE; i < end; i++)
      if (!(values[i] >= lo && values[i] <= hi)) return i;
  }
  return count;
}

const char *lves_expectation(lves_domain domain) { return domains[domain].words; }

double lves_number(const lves_arg *arg, lves_domain domain) {
  if (lua_type(arg->L, arg->index) != LUA_TNUMBER) lves_fail(arg, "%s", lves_expectation(domain));
  const double value = lua_tonumber(arg->L, arg->index);
  if (!lves_accepts(domain, value)) lves_fail(arg, "%s", lves_expectation(domain));
  return value;
}

double lves_number_or(const lves_arg *arg, lves_domain domain, double otherwise) {
  return lves_absent(arg) ? otherwise : lves_number(arg, domain);
}

lua_Integer lves_integer(const lves_arg *arg, lua_Integer lo, lua_Integer hi) {
  int integral = 0;
  lua_Integer value = 0;
  if (lua_type(arg->L, arg->index) == LUA_TNUMBER)
    value = lua_tointegerx(arg->L, arg->index, &integral);
  if (!integral || value < lo || value > hi) {
    if (lo == LUA_MININTEGER && hi == LUA_MAXINTEGER) lves_fail(arg, "an integer");
    lves_fail(arg, "an integer in [%I, %I]", (LUAI_UACINT)lo, (LUAI_UACINT)hi);
  }
  return value;
}

lua_Integer lves_integer_or(const lves_arg *arg, lua_Integer lo, lua_Integer hi,
                            lua_Integer otherwise) {
  return lves_absent(arg) ? otherwise : lves_integer(arg, lo, hi);
}

/* ---- words ---- */

_Noreturn static void fail_choice(const lves_arg *arg, const char *const words[]) {
  luaL_Buffer b;
  luaL_buffinit(arg->L, &b);
  luaL_addstring(&b, words[1] != NULL ? "one of " : "");
  for (size_t i = 0; words[i] != NULL; i++) {
    if (i > 0) luaL_addstring(&b, ", ");
    luaL_addchar(&b, '\'');
    luaL_addstring(&b, words[i]);
    luaL_addchar(&b, '\'');
  }
  luaL_pushresult(&b);
  lves_fail(arg, "%s", lua_tostring(arg->L, -1));
}

int lves_choice(const lves_arg *arg, const char *const words[]) {
  luaL_checkstack(arg->L, 8, NULL);
  if (lua_type(arg->L, arg->index) != LUA_TSTRING) fail_choice(arg, words);
  const char *word = lua_tostring(arg->L, arg->index);
  for (int i = 0; words[i] != NULL; i++)
    if (strcmp(word, words[i]) == 0) return i;
  fail_choice(arg, words);
}

int lves_choice_or(const lves_arg *arg, const char *const words[], int otherwise) {
  return lves_absent(arg) ? otherwise : lves_choice(arg, words);
}

/* ---- option tables ---- */

/* Whether indexing the table could run somebody's code. */
bool lves_plain_table(lua_State *L, int index) {
  if (luaL_getmetafield(L, index, "__index") != LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  if (luaL_getmetafield(L, index, "__len") != LUA_TNIL) {
    lua_pop(L, 1);
    return false;
  }
  return true;
}

static bool known(const char *key, const char *const keys[]) {
  for (; *keys != NULL; keys++)
    if (strcmp(key, *keys) == 0) return true;
  return false;
}

/* Of all unknown keys the first in alphabetical order, so that one call has one message. */
static const char *first_unknown(lua_State *L, int table, const char *const keys[]) {
  const char *unknown = NULL;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) {
      const char *key = lua_tostring(L, -1);
      if (!known(key, keys) && (unknown == NULL || strcmp(key, unknown) < 0)) unknown = key;
    }
  }
  return unknown;
}

/* A key that is no string: options are named. */
static void refuse_unnamed(lua_State *L, const char *fn, int table) {
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      lves_error(L, fn, "unknown key %s: expected named keys only", lves_describe(L, -1));
  }
}

lves_options lves_options_open(lua_State *L, const char *fn, int index, bool required,
                               const char *const keys[]) {
  const lves_arg arg = lves_argument(L, fn, index, "options");
  luaL_checkstack(L, 60, NULL);
  if (lves_absent(&arg) && !required) return (lves_options){L, fn, 0};
  if (lua_type(L, index) != LUA_TTABLE) lves_fail(&arg, "a table of options");
  if (!lves_plain_table(L, index)) lves_fail(&arg, "a plain table, without __index or __len");
  const char *unknown = first_unknown(L, index, keys);
  if (unknown != NULL) {
    const char *nearest = lves_nearest(unknown, keys);
    lua_pushstring(L, unknown);
    const char *shown = lves_describe(L, -1);
    if (nearest != NULL) lves_error(L, fn, "unknown key %s: did you mean '%s'?", shown, nearest);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (size_t i = 0; keys[i] != NULL; i++) {
      if (i > 0) luaL_addstring(&b, ", ");
      luaL_addstring(&b, keys[i]);
    }
    luaL_pushresult(&b);
    lves_error(L, fn, "unknown key %s: expected one of %s", shown, lua_tostring(L, -1));
  }
  refuse_unnamed(L, fn, index);
  return (lves_options){L, fn, index};
}

lves_arg lves_key(const lves_options *options, const char *name) {
  lua_State *L = options->L;
  if (options->index == 0) {
    lua_pushnil(L);
  } else {
    lua_pushstring(L, name);
    lua_rawget(L, options->index);
  }
  return (lves_arg){.L = L, .fn = options->fn, .name = name, .key = true, .index = lua_gettop(L)};
}
