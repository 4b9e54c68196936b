/* lves_json: Lua values as JSON text, and back, bit for bit.
 *
 *     integer        3
 *     float          3.0  0.10000000000000001  -0.0  9e999 (infinity)  null (not a number)
 *     text           "with \" and \\ and \u000a escaped", UTF-8 otherwise
 *     boolean        true  false
 *     vector         [1.0,2.5]
 *     matrix         [[1.0,2.5],[3.0,4.0]]; one without elements has no such text and is refused
 *     table          {"1":"first","2":"second","name":...}
 *
 * Seventeen digits give every double back. A table is an object even where it is an array, so that
 * it stays different from a vector; its integer keys come first, ascending, then its texts in the
 * order of their bytes, so that one value has one text whatever the history of its tables. A text
 * of digits is no key: it would read as an integer. Tables that share a part get a copy each.
 * Functions, threads, other objects and tables with a metatable are refused by name.
 *
 * What is read is what is written here, without blanks or other escapes. SQLite has functions that
 * read JSON too, but its conversion of a decimal number is not always the nearest double. */
#include "lves_json.h"

#include "lves.h"
#include "ves_stop.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 100

/* ---- writing ---- */

/* Where in the value we are, for messages: a chain of keys from the inside out. */
typedef struct place {
  const struct place *outer;
  const char *whole; /* at the outermost place: what the value is called */
  int key;           /* stack index of the key elsewhere */
} place;

static void push_place(lua_State *L, const place *here) {
  if (here->outer == NULL) {
    lua_pushstring(L, here->whole);
    return;
  }
  push_place(L, here->outer);
  const bool text = lua_type(L, here->key) == LUA_TSTRING;
  luaL_tolstring(L, here->key, NULL);
  lua_pushfstring(L, text ? "%s.%s" : "%s[%s]", lua_tostring(L, -2), lua_tostring(L, -1));
  lua_replace(L, -3);
  lua_pop(L, 1);
}

static _Noreturn void refuse(lua_State *L, const place *here, const char *what) {
  luaL_checkstack(L, DEPTH_MAX, NULL);
  push_place(L, here);
  luaL_error(L,
             "%s is %s; expected a number, text, boolean, vector, matrix or a plain table of them",
             lua_tostring(L, -1), what);
  abort(); /* luaL_error does not return */
}

static void add(lua_State *L, lves_buffer *out, const char *text, size_t length) {
  if (!lves_buffer_add(out, text, length)) luaL_error(L, "not enough memory");
}

static void add_char(lua_State *L, lves_buffer *out, char c) { add(L, out, &c, 1); }

static void add_integer(lua_State *L, lves_buffer *out, lua_Integer value) {
  char text[32];
  add(L, out, text, (size_t)snprintf(text, sizeof text, "%lld", (long long)value));
}

static void add_double(lua_State *L, lves_buffer *out, double value) {
  char text[40];
  int length;
  if (isnan(value))
    length = snprintf(text, sizeof text, "null");
  else if (isinf(value))
    length = snprintf(text, sizeof text, value > 0 ? "9e999" : "-9e999");
  else
    length = lves_snprintf(text, sizeof text, "%.17g", value);
  if (strspn(text, "-0123456789") == (size_t)length) {
    memcpy(text + length, ".0", 3);
    length += 2;
  }
  add(L, out, text, (size_t)length);
}

/* Now and then looks whether to stop. */
static void look(lua_State *L, size_t i) {
  if (i % 4096 == 0 && ves_stopping()) lves_check(L, "json", VES_ESTOPPED);
}

static void add_doubles(lua_State *L, lves_buffer *out, const double *values, size_t count) {
  add_char(L, out, '[');
  for (size_t i = 0; i < count; i++) {
    look(L, i);
    if (i > 0) add_char(L, out, ',');
    add_double(L, out, values[i]);
  }
  add_char(L, out, ']');
}

/* The length of the UTF-8 sequence at the start of `text`; 0 if it is none. */
static size_t sequence(const unsigned char *text, size_t length) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const unsigned char first = text[0];
  if (first < 0x80) return 1;
  const size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length < n) return 0;
  uint32_t code = first & (0x7fU >> n);
  for (size_t i = 1; i < n; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (text[i] & 0x3fU);
  }
  return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : n;
}

static void add_text(lua_State *L, lves_buffer *out, const char *text, size_t length,
                     const place *here) {
  add_char(L, out, '"');
  size_t pieces = 0;
  for (size_t at = 0, n; at < length; at += n) {
    const unsigned char c = (unsigned char)text[at];
    look(L, pieces++);
    n = sequence((const unsigned char *)text + at, length - at);
    if (n == 0) refuse(L, here, "a text that is not UTF-8");
    char escape[8];
    if (c < 0x20)
      add(L, out, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
    else if (c == '"' || c == '\\')
      add(L, out, escape, (size_t)snprintf(escape, sizeof escape, "\\%c", c));
    else
      add(L, out, text + at, n);
  }
  add_char(L, out, '"');
}

/* Whether a text reads as an integer. */
static bool is_digits(const char *text, size_t length) {
  const size_t sign = length > 0 && text[0] == '-';
  return length > sign && strspn(text + sign, "0123456789") == length - sign;
}

typedef struct {
  const char *text; /* NULL: an integer */
  size_t length;
  lua_Integer integer, position; /* in the list of keys */
} key;

static int by_key(const void *pa, const void *pb) {
  const key *a = pa, *b = pb;
  if (a->text == NULL || b->text == NULL) {
    if (a->text != NULL || b->text != NULL) return a->text == NULL ? -1 : 1;
    return (a->integer > b->integer) - (a->integer < b->integer);
  }
  const size_t common = a->length < b->length ? a->length : b->length;
  const int order = memcmp(a->text, b->text, common);
  return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Those of an array mostly are. */
static bool in_order(const key *keys, size_t count) {
  for (size_t k = 1; k < count; k++)
    if (by_key(&keys[k - 1], &keys[k]) > 0) return false;
  return true;
}

static void write_value(lua_State *L, int index, lves_buffer *out, const place *here, int depth);

/* Pushes the list of the keys of a table, and the keys in order. */
static key *push_keys(lua_State *L, int table, const place *here, size_t *count) {
  lua_newtable(L); /* keeps them alive and in reach */
  const int list = lua_gettop(L);
  *count = 0;
  for (lua_pushnil(L); lua_next(L, table) != 0;) {
    lua_pop(L, 1);
    const bool text = lua_type(L, -1) == LUA_TSTRING;
    if (!text && !lua_isinteger(L, -1))
      refuse(L, here, "a table with a key that is neither a whole number nor a text");
    if (text && is_digits(lua_tostring(L, -1), lua_rawlen(L, -1)))
      refuse(L, here, "a table with a text of digits as a key, which would read as a number");
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, (lua_Integer)++ * count);
    look(L, *count);
  }
  key *keys = lves_scratch(L, *count + 1, sizeof *keys);
  for (size_t k = 0; k < *count; k++) {
    look(L, k);
    keys[k] = (key){.position = (lua_Integer)k + 1};
    lua_rawgeti(L, list, keys[k].position);
    if (lua_type(L, -1) == LUA_TSTRING)
      keys[k].text = lua_tolstring(L, -1, &keys[k].length);
    else
      keys[k].integer = lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  if (*count > 1 && !in_order(keys, *count)) qsort(keys, *count, sizeof *keys, by_key);
  return keys;
}

static void write_table(lua_State *L, int table, lves_buffer *out, const place *here, int depth) {
  if (depth > DEPTH_MAX) refuse(L, here, "nested deeper than 100 tables (does it contain itself?)");
  if (lua_getmetatable(L, table)) refuse(L, here, "a table with a metatable");
  luaL_checkstack(L, 12, "a nested value");
  size_t count = 0;
  const key *keys = push_keys(L, table, here, &count);
  const int list = lua_gettop(L) - 1;
  add_char(L, out, '{');
  for (size_t k = 0; k < count; k++) {
    look(L, k);
    lua_rawgeti(L, list, keys[k].position);
    const place inner = {.outer = here, .key = lua_gettop(L)};
    if (k > 0) add_char(L, out, ',');
    if (keys[k].text != NULL) {
      add_text(L, out, keys[k].text, keys[k].length, &inner);
    } else {
      add_char(L, out, '"');
      add_integer(L, out, keys[k].integer);
      add_char(L, out, '"');
    }
    add_char(L, out, ':');
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    write_value(L, lua_gettop(L), out, &inner, depth + 1);
    lua_pop(L, 2);
  }
  add_char(L, out, '}');
  lua_pop(L, 2);
}

static void write_array(lua_State *L, int index, lves_buffer *out, const place *here) {
  lves_array a;
  if (!lves_array_test(L, index, &a)) {
    const bool named = luaL_getmetafield(L, index, "__name") == LUA_TSTRING;
    refuse(L, here, lua_pushfstring(L, "a %s", named ? lua_tostring(L, -1) : "userdata"));
  }
  if (!a.matrix) {
    add_doubles(L, out, a.data, a.cols);
    return;
  }
  if (lves_count(&a) == 0) refuse(L, here, "a matrix without elements");
  for (size_t i = 0; i < a.rows; i++) {
    add_char(L, out, i == 0 ? '[' : ',');
    add_doubles(L, out, a.data + i * a.cols, a.cols);
  }
  add_char(L, out, ']');
}

static void write_value(lua_State *L, int index, lves_buffer *out, const place *here, int depth) {
  size_t length = 0;
  switch (lua_type(L, index)) {
  case LUA_TBOOLEAN:
    if (lua_toboolean(L, index))
      add(L, out, "true", 4);
    else
      add(L, out, "false", 5);
    break;
  case LUA_TNUMBER:
    if (lua_isinteger(L, index))
      add_integer(L, out, lua_tointeger(L, index));
    else
      add_double(L, out, lua_tonumber(L, index));
    break;
  case LUA_TSTRING: {
    const char *text = lua_tolstring(L, index, &length);
    add_text(L, out, text, length, here);
    break;
  }
  case LUA_TTABLE: write_table(L, index, out, here, depth); break;
  case LUA_TUSERDATA: write_array(L, index, out, here); break;
  default: refuse(L, here, lua_pushfstring(L, "a %s", luaL_typename(L, index)));
  }
}

void lves_json_write(lua_State *L, int index, const char *whole, lves_buffer *out) {
  const place top = {.whole = whole};
  luaL_checkstack(L, 12, "a value");
  write_value(L, lua_absindex(L, index), out, &top, 0);
}

static void release_bytes(void *object) { lves_buffer_free(object); }

const char *lves_json_push(lua_State *L, int index, const char *whole) {
  index = lua_absindex(L, index);
  lves_box *box = lves_push_box(L, sizeof(lves_buffer), release_bytes);
  lves_buffer *bytes = lves_box_room(box);
  *bytes = (lves_buffer){0};
  box->object = bytes;
  lves_json_write(L, index, whole, bytes);
  lua_pushlstring(L, bytes->data, bytes->length);
  lves_box_release(box);
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

/* ---- reading ---- */

/* The text between two pointers; a zero byte stands behind its end, so that numbers end there. */
typedef struct {
  const char *at, *end;
} reader;

static _Noreturn void malformed(lua_State *L) {
  luaL_error(L, "the text of a result is malformed");
  abort(); /* luaL_error does not return */
}

/* Whether the next byte is this one; then passes it. */
static bool take(reader *r, char c) {
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

static void expect(lua_State *L, reader *r, char c) {
  if (!take(r, c)) malformed(L);
}

static bool take_word(reader *r, const char *word) {
  const size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

/* The number that follows, null being not a number. */
static double take_double(lua_State *L, reader *r) {
  if (take_word(r, "null")) return NAN;
  char *end = NULL;
  const size_t length = strspn(r->at, "+-.0123456789eE"); /* no hexadecimal, no word */
  const double value = lves_strtod(r->at, &end);
  if (length == 0 || end != r->at + length || end > r->end) malformed(L);
  r->at = end;
  return value;
}

static void read_number(lua_State *L, reader *r) {
  const size_t digits = strspn(r->at, "-0123456789");
  if (digits > 0 && strchr(".eE", r->at[digits]) != NULL && r->at + digits < r->end) {
    lua_pushnumber(L, take_double(L, r));
    return;
  }
  char *end = NULL;
  errno = 0;
  const long long value = strtoll(r->at, &end, 10);
  if (digits == 0 || errno != 0 || end != r->at + digits || end > r->end) malformed(L);
  r->at = end;
  lua_pushinteger(L, value);
}

/* The end of the text whose opening quote was passed: where its closing one is. */
static const char *find_quote(lua_State *L, const reader *r) {
  for (const char *at = r->at; at < r->end; at++) {
    if (*at == '"') return at;
    if (*at == '\\') at++;
  }
  malformed(L);
}

/* Pushes a text; the opening quote was passed. */
static void read_text(lua_State *L, reader *r) {
  const char *end = find_quote(L, r);
  if (memchr(r->at, '\\', (size_t)(end - r->at)) == NULL) {
    lua_pushlstring(L, r->at, (size_t)(end - r->at));
    r->at = end + 1;
    return;
  }
  char *text = lves_scratch(L, (size_t)(end - r->at) + 1, 1), *to = text;
  while (r->at < end) {
    if (!take(r, '\\') || *r->at == '"' || *r->at == '\\') {
      *to++ = *r->at++;
    } else {
      if (end - r->at < 5 || !take_word(r, "u00")) malformed(L);
      const char hex[] = {r->at[0], r->at[1], '\0'};
      if (strspn(hex, "0123456789abcdef") != 2) malformed(L);
      *to++ = (char)strtol(hex, NULL, 16);
      r->at += 2;
    }
  }
  r->at = end + 1;
  lua_pushlstring(L, text, (size_t)(to - text));
  lua_remove(L, -2);
}

/* How many numbers follow in the array whose opening bracket was passed. */
static size_t count_numbers(const reader *r) {
  size_t count = 1;
  for (const char *at = r->at; at < r->end && *at != ']'; at++) count += *at == ',';
  return r->at < r->end && *r->at == ']' ? 0 : count;
}

/* Reads so many numbers and the closing bracket. */
static void take_doubles(lua_State *L, reader *r, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    look(L, i);
    if (i > 0) expect(L, r, ',');
    values[i] = take_double(L, r);
  }
  expect(L, r, ']');
}

/* A vector or a matrix; the opening bracket was passed. */
static void read_array(lua_State *L, reader *r) {
  if (r->at == r->end || *r->at != '[') {
    const size_t n = count_numbers(r);
    take_doubles(L, r, lves_push_vector(L, n), n);
    return;
  }
  size_t rows = 1;
  const reader first = {r->at + 1, r->end};
  const size_t cols = count_numbers(&first);
  for (const char *at = r->at; at + 1 < r->end && !(at[0] == ']' && at[1] == ']'); at++)
    rows += at[0] == ']';
  double *values = lves_push_matrix(L, "vesicle", rows, cols);
  for (size_t i = 0; i < rows; i++) {
    if (i > 0) expect(L, r, ',');
    expect(L, r, '[');
    take_doubles(L, r, values + i * cols, cols);
  }
  expect(L, r, ']');
}

static void read_value(lua_State *L, reader *r, int depth);

/* Pushes a table; the opening brace was passed. */
static void read_table(lua_State *L, reader *r, int depth) {
  if (depth > DEPTH_MAX) malformed(L);
  luaL_checkstack(L, 8, "a nested value");
  lua_newtable(L);
  if (take(r, '}')) return;
  size_t pairs = 0;
  do {
    look(L, pairs++);
    expect(L, r, '"');
    read_text(L, r);
    if (is_digits(lua_tostring(L, -1), lua_rawlen(L, -1))) {
      errno = 0;
      const long long integer = strtoll(lua_tostring(L, -1), NULL, 10);
      if (errno != 0) malformed(L);
      lua_pop(L, 1);
      lua_pushinteger(L, integer);
    }
    expect(L, r, ':');
    read_value(L, r, depth + 1);
    lua_rawset(L, -3);
  } while (take(r, ','));
  expect(L, r, '}');
}

static void read_value(lua_State *L, reader *r, int depth) {
  if (take(r, '{'))
    read_table(L, r, depth);
  else if (take(r, '['))
    read_array(L, r);
  else if (take(r, '"'))
    read_text(L, r);
  else if (take_word(r, "true"))
    lua_pushboolean(L, 1);
  else if (take_word(r, "false"))
    lua_pushboolean(L, 0);
  else if (take_word(r, "null"))
    lua_pushnumber(L, (lua_Number)NAN);
  else
    read_number(L, r);
}

void lves_json_read(lua_State *L, const char *text, size_t length) {
  reader r = {text, text + length};
  luaL_checkstack(L, 8, "a value");
  read_value(L, &r, 0);
  if (r.at != r.end) malformed(L);
}

/* ---- one field ---- */

/* Passes over a value. */
static void skip_value(lua_State *L, reader *r) {
  int open = 0;
  do {
    r->at += strcspn(r->at, "\"[]{},"); /* a zero byte ends it too */
    if (r->at >= r->end) break;
    const char c = *r->at;
    if (open == 0 && (c == ',' || c == '}' || c == ']')) return;
    r->at++;
    if (c == '"') r->at = find_quote(L, r) + 1;
    open += (c == '{' || c == '[') - (c == '}' || c == ']');
  } while (open > 0);
  if (open > 0 || r->at > r->end) malformed(L);
}

/* Moves from a table to the value of one of its keys; false if there is none. */
static bool enter(lua_State *L, reader *r, const char *name, size_t length) {
  if (!take(r, '{') || take(r, '}')) return false;
  do {
    expect(L, r, '"');
    const char *start = r->at, *end = find_quote(L, r);
    r->at = end + 1;
    expect(L, r, ':');
    if ((size_t)(end - start) == length && memcmp(start, name, length) == 0) return true;
    skip_value(L, r);
  } while (take(r, ','));
  return false;
}

bool lves_json_read_field(lua_State *L, const char *text, size_t length, const char *path) {
  reader r = {text, text + length};
  luaL_checkstack(L, 8, "a value");
  while (*path != '\0') {
    const size_t part = strcspn(path, ".");
    if (part > 0 && !enter(L, &r, path, part)) return false; /* empty parts count for nothing */
    path += part + (path[part] == '.');
  }
  read_value(L, &r, 0);
  return true;
}

/* ---- for Lua ---- */

int lves_json_text(lua_State *L) {
  luaL_checkany(L, 1);
  lves_json_push(L, 1, "the result");
  return 1;
}

int lves_json_value(lua_State *L) {
  size_t length = 0, named = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *field = luaL_optlstring(L, 2, "", &named);
  if (named == 0)
    lves_json_read(L, text, length);
  else if (strlen(field) != named || !lves_json_read_field(L, text, length, field))
    lua_pushnil(L);
  return 1;
}
