/* run_pack: the result of a replicate as bytes, and back, bit for bit.
 *
 * A value is a tag and what the tag promises:
 *
 *     N T F             nil, true, false
 *     i d               an integer or a float, 8 bytes
 *     s length bytes    a string
 *     v n numbers       a vector
 *     m rows cols numbers    a matrix
 *     t a h values (key value)...    a table: the a values at 1..a, then h further pairs
 *
 * The same value always gives the same bytes, whatever the history of its tables: the array part is
 * the longest run 1..a, and the other keys follow in the order numbers, strings, booleans, each
 * ascending. A float keeps every bit, NaN's included. Tables that share a part get a copy each;
 * functions, threads, other objects and tables with a metatable cannot travel between processes and
 * are refused by name. */
#include "run_pack.h"

#include "lves.h"
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 100

/* ---- packing ---- */

/* Where in the result we are, for messages: a chain of keys from the inside out. */
typedef struct place {
  const struct place *outer;
  int key; /* stack index of the key */
} place;

static void push_place(lua_State *L, const place *here) {
  if (here == NULL) {
    lua_pushliteral(L, "the result");
    return;
  }
  push_place(L, here->outer);
  if (lua_type(L, here->key) == LUA_TSTRING)
    lua_pushfstring(L, "%s.%s", lua_tostring(L, -1), lua_tostring(L, here->key));
  else {
    luaL_tolstring(L, here->key, NULL);
    lua_pushfstring(L, "%s[%s]", lua_tostring(L, -2), lua_tostring(L, -1));
    lua_remove(L, -2);
  }
  lua_remove(L, -2);
}

static _Noreturn void refuse(lua_State *L, const place *here, const char *what) {
  push_place(L, here);
  luaL_error(L,
             "%s is %s; a replicate may return numbers, strings, booleans, vectors, matrices and "
             "plain tables of them",
             lua_tostring(L, -1), what);
  abort(); /* luaL_error does not return */
}

static void add(lua_State *L, run_bytes *out, const void *data, size_t length) {
  if (!run_bytes_add(out, data, length)) luaL_error(L, "not enough memory to pack the result");
}

static void add_tag(lua_State *L, run_bytes *out, char tag) { add(L, out, &tag, 1); }

static void add_u64(lua_State *L, run_bytes *out, uint64_t value) {
  uint8_t word[8];
  run_put_u64(word, value);
  add(L, out, word, sizeof word);
}

static void add_double(lua_State *L, run_bytes *out, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  add_u64(L, out, bits);
}

static void add_doubles(lua_State *L, run_bytes *out, const double *values, size_t count) {
  if (count > SIZE_MAX / 16 || !run_bytes_reserve(out, count * 8))
    luaL_error(L, "not enough memory to pack the result");
  for (size_t i = 0; i < count; i++) add_double(L, out, values[i]);
}

/* A key that is not in the array part, as the sort sees it. */
typedef struct {
  int rank; /* 0 number, 1 string, 2 boolean */
  bool integer;
  lua_Integer i;
  double d;
  const char *s;
  size_t length;
  lua_Integer position; /* in the list of keys */
} key;

static int by_key(const void *pa, const void *pb) {
  const key *a = pa, *b = pb;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->rank == 1) {
    const size_t common = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->s, b->s, common);
    if (order != 0) return order;
    return (a->length > b->length) - (a->length < b->length);
  }
  if (a->integer && b->integer) return (a->i > b->i) - (a->i < b->i);
  if (a->d != b->d) return a->d < b->d ? -1 : 1;
  return (int)a->integer - (int)b->integer;
}

/* Describes the key on top of the stack; refuses kinds that have no order. */
static key describe_key(lua_State *L, const place *here) {
  key k = {.rank = 0};
  switch (lua_type(L, -1)) {
  case LUA_TNUMBER:
    k.integer = lua_isinteger(L, -1);
    k.i = lua_tointeger(L, -1);
    k.d = lua_tonumber(L, -1);
    break;
  case LUA_TSTRING:
    k.rank = 1;
    k.s = lua_tolstring(L, -1, &k.length);
    break;
  case LUA_TBOOLEAN:
    k.rank = 2;
    k.d = lua_toboolean(L, -1);
    break;
  default: refuse(L, here, "a table with a key that is neither number, string nor boolean");
  }
  return k;
}

static void pack_value(lua_State *L, int index, run_bytes *out, const place *here, int depth);

static void pack_table(lua_State *L, int table, run_bytes *out, const place *here, int depth) {
  if (depth > DEPTH_MAX) refuse(L, here, "nested deeper than 100 tables (does it contain itself?)");
  if (lua_getmetatable(L, table)) refuse(L, here, "a table with a metatable");
  luaL_checkstack(L, 12, "a nested result");
  lua_Integer array = 0;
  while (lua_rawgeti(L, table, array + 1) != LUA_TNIL) {
    array++;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  lua_newtable(L); /* the other keys, kept alive and in reach */
  const int others = lua_gettop(L);
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    const bool in_array =
        lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= array;
    if (in_array) continue;
    describe_key(L, here);
    lua_pushvalue(L, -1);
    lua_rawseti(L, others, (lua_Integer)++count);
  }
  key *keys = lua_newuserdatauv(L, (count + 1) * sizeof *keys, 0);
  for (size_t k = 0; k < count; k++) {
    lua_rawgeti(L, others, (lua_Integer)k + 1);
    keys[k] = describe_key(L, here);
    keys[k].position = (lua_Integer)k + 1;
    lua_pop(L, 1);
  }
  if (count > 1) qsort(keys, count, sizeof *keys, by_key);
  add_tag(L, out, 't');
  add_u64(L, out, (uint64_t)array);
  add_u64(L, out, count);
  for (lua_Integer i = 1; i <= array; i++) {
    lua_pushinteger(L, i);
    const place inner = {here, lua_gettop(L)};
    lua_rawgeti(L, table, i);
    pack_value(L, lua_gettop(L), out, &inner, depth + 1);
    lua_pop(L, 2);
  }
  for (size_t k = 0; k < count; k++) {
    lua_rawgeti(L, others, keys[k].position);
    const place inner = {here, lua_gettop(L)};
    pack_value(L, lua_gettop(L), out, here, depth);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    pack_value(L, lua_gettop(L), out, &inner, depth + 1);
    lua_pop(L, 2);
  }
  lua_pop(L, 2);
}

static void pack_array(lua_State *L, int index, run_bytes *out, const place *here) {
  lves_array a;
  if (!lves_array_test(L, index, &a)) {
    const bool named = luaL_getmetafield(L, index, "__name") == LUA_TSTRING;
    lua_pushfstring(L, "a %s", named ? lua_tostring(L, -1) : "userdata");
    refuse(L, here, lua_tostring(L, -1));
  }
  add_tag(L, out, a.matrix ? 'm' : 'v');
  if (a.matrix) add_u64(L, out, a.rows);
  add_u64(L, out, a.cols);
  add_doubles(L, out, a.data, a.matrix ? a.rows * a.cols : a.cols);
}

static void pack_value(lua_State *L, int index, run_bytes *out, const place *here, int depth) {
  switch (lua_type(L, index)) {
  case LUA_TNIL: add_tag(L, out, 'N'); break;
  case LUA_TBOOLEAN: add_tag(L, out, lua_toboolean(L, index) ? 'T' : 'F'); break;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index)) {
      add_tag(L, out, 'i');
      add_u64(L, out, (uint64_t)lua_tointeger(L, index));
    } else {
      add_tag(L, out, 'd');
      add_double(L, out, lua_tonumber(L, index));
    }
    break;
  case LUA_TSTRING: {
    size_t length = 0;
    const char *text = lua_tolstring(L, index, &length);
    add_tag(L, out, 's');
    add_u64(L, out, length);
    add(L, out, text, length);
    break;
  }
  case LUA_TTABLE: pack_table(L, index, out, here, depth); break;
  case LUA_TUSERDATA: pack_array(L, index, out, here); break;
  default: {
    lua_pushfstring(L, "a %s", luaL_typename(L, index));
    refuse(L, here, lua_tostring(L, -1));
  }
  }
}

void run_pack(lua_State *L, int index, run_bytes *out) {
  pack_value(L, lua_absindex(L, index), out, NULL, 0);
}

/* ---- unpacking ---- */

typedef struct {
  const uint8_t *at, *end;
} reader;

static _Noreturn void malformed(lua_State *L) {
  luaL_error(L, "the bytes of a result are malformed");
  abort(); /* luaL_error does not return */
}

static uint64_t take_u64(lua_State *L, reader *r) {
  if (r->end - r->at < 8) malformed(L);
  const uint64_t value = run_get_u64(r->at);
  r->at += 8;
  return value;
}

static double take_double(lua_State *L, reader *r) {
  const uint64_t bits = take_u64(L, r);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* A count of things that take at least `size` bytes each. */
static size_t take_count(lua_State *L, reader *r, size_t size) {
  const uint64_t count = take_u64(L, r);
  if (count > (uint64_t)(r->end - r->at) / size) malformed(L);
  return (size_t)count;
}

/* The elements of a matrix, after making sure that they are there. */
static size_t take_shape(lua_State *L, reader *r, size_t *rows, size_t *cols) {
  const uint64_t down = take_u64(L, r), across = take_u64(L, r);
  const uint64_t room = (uint64_t)(r->end - r->at) / 8;
  if (down > room + 1 || across > room + 1 || (down > 0 && across > room / down)) malformed(L);
  *rows = (size_t)down;
  *cols = (size_t)across;
  return *rows * *cols;
}

/* Numbers that are known to be there. */
static void take_numbers(reader *r, size_t count, double *out) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ /* as they are kept */
  if (count > 0) memcpy(out, r->at, count * sizeof *out);
#else
  for (size_t i = 0; i < count; i++) {
    const uint64_t bits = run_get_u64(r->at + 8 * i);
    memcpy(out + i, &bits, sizeof bits);
  }
#endif
  r->at += 8 * count;
}

static void unpack_value(lua_State *L, reader *r, int depth);

static void unpack_table(lua_State *L, reader *r, int depth) {
  if (depth > DEPTH_MAX) malformed(L);
  luaL_checkstack(L, 6, "a nested result");
  const size_t array = take_count(L, r, 1), count = take_count(L, r, 2);
  lua_createtable(L, array < 65536 ? (int)array : 65536, count < 65536 ? (int)count : 65536);
  for (size_t i = 1; i <= array; i++) {
    unpack_value(L, r, depth + 1);
    lua_rawseti(L, -2, (lua_Integer)i);
  }
  for (size_t i = 0; i < count; i++) {
    unpack_value(L, r, depth + 1);
    const bool bad = lua_isnil(L, -1) || lua_istable(L, -1) || lua_isuserdata(L, -1) ||
                     (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) != lua_tonumber(L, -1));
    if (bad) malformed(L);
    unpack_value(L, r, depth + 1);
    lua_rawset(L, -3);
  }
}

static void unpack_value(lua_State *L, reader *r, int depth) {
  if (r->at == r->end) malformed(L);
  switch (*r->at++) {
  case 'N': lua_pushnil(L); break;
  case 'T': lua_pushboolean(L, 1); break;
  case 'F': lua_pushboolean(L, 0); break;
  case 'i': lua_pushinteger(L, (lua_Integer)take_u64(L, r)); break;
  case 'd': lua_pushnumber(L, take_double(L, r)); break;
  case 's': {
    const size_t length = take_count(L, r, 1);
    lua_pushlstring(L, (const char *)r->at, length);
    r->at += length;
    break;
  }
  case 'v': {
    const size_t n = take_count(L, r, 8);
    take_numbers(r, n, lves_push_vector(L, n));
    break;
  }
  case 'm': {
    size_t rows, cols;
    const size_t count = take_shape(L, r, &rows, &cols);
    take_numbers(r, count, lves_push_matrix(L, "run_unpack", rows, cols));
    break;
  }
  case 't': unpack_table(L, r, depth); break;
  default: malformed(L);
  }
}

void run_unpack(lua_State *L, const uint8_t *bytes, size_t length) {
  reader r = {bytes, bytes + length};
  unpack_value(L, &r, 0);
  if (r.at != r.end) malformed(L);
}

/* ---- one field ---- */

/* Passes over a value. */
static void skip_value(lua_State *L, reader *r, int depth) {
  if (depth > DEPTH_MAX || r->at == r->end) malformed(L);
  switch (*r->at++) {
  case 'N':
  case 'T':
  case 'F': break;
  case 'i':
  case 'd': take_u64(L, r); break;
  case 's': {
    const size_t length = take_count(L, r, 1);
    r->at += length;
    break;
  }
  case 'v': {
    const size_t n = take_count(L, r, 8);
    r->at += 8 * n;
    break;
  }
  case 'm': {
    size_t rows, cols;
    const size_t count = take_shape(L, r, &rows, &cols);
    r->at += 8 * count;
    break;
  }
  case 't': {
    const size_t array = take_count(L, r, 1), count = take_count(L, r, 2);
    for (size_t i = 0; i < array + 2 * count; i++) skip_value(L, r, depth + 1);
    break;
  }
  default: malformed(L);
  }
}

/* Whether the value that follows is this string; passes over it. */
static bool skip_equal(lua_State *L, reader *r, const char *text, size_t length) {
  reader here = *r;
  skip_value(L, r, 0);
  if (*here.at++ != 's') return false;
  return take_count(L, &here, 1) == length && memcmp(here.at, text, length) == 0;
}

/* The position in an array that a part of a path names; 0 if none. */
static size_t position_of(const char *text, size_t length) {
  size_t number = 0;
  if (length == 0 || length > 9) return 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] < '0' || text[i] > '9') return 0;
    number = 10 * number + (size_t)(text[i] - '0');
  }
  return number;
}

/* Moves from a table to the value of one of its keys, or of a position in its array; false if there
 * is none. */
static bool enter(lua_State *L, reader *r, const char *part, size_t length) {
  if (r->at == r->end) malformed(L);
  if (*r->at++ != 't') return false;
  const size_t array = take_count(L, r, 1), count = take_count(L, r, 2);
  const size_t position = position_of(part, length);
  reader element = *r;
  for (size_t i = 1; i <= array; i++) {
    if (i == position) element = *r;
    skip_value(L, r, 1);
  }
  for (size_t i = 0; i < count; i++) {
    if (skip_equal(L, r, part, length)) return true;
    skip_value(L, r, 1);
  }
  *r = element;
  return position >= 1 && position <= array;
}

bool run_unpack_field(lua_State *L, const uint8_t *bytes, size_t length, const char *path) {
  reader r = {bytes, bytes + length};
  while (*path != '\0') {
    const size_t part = strcspn(path, ".");
    if (part > 0 && !enter(L, &r, path, part)) return false; /* empty parts count for nothing */
    path += part + (path[part] == '.');
  }
  unpack_value(L, &r, 0);
  return true;
}
