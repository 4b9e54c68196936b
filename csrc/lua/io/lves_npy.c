/* lves_npy: vectors, matrices and tables as NumPy files.
 *
 * A .npy file is a magic word, a version, a header that spells a Python dictionary, and the
 * numbers. Written are version 1.0, little-endian doubles, row by row: what numpy.load returns is
 * the same bits. A table becomes a structured array, one field per column, texts as fixed-width
 * UTF-32. Read are versions 1 to 3, both byte orders and both storage orders, floats of 4 and 8
 * bytes, integers of 1 to 8, booleans, and structured arrays of these and of texts. What would not
 * fit a double exactly, or has another shape, is an error. */
#include "lves_columns.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = sizeof magic - 1, ALIGN = 64, MAX_DIMENSIONS = 2 };

/* ---- types of elements ---- */

typedef struct {
  char kind;   /* f i u b U S */
  size_t size; /* bytes of one element */
  bool big;    /* big-endian */
} element;

/* Reads "<f8" and the like. */
static bool parse_element(const char *text, size_t length, element *e) {
  if (length < 3) return false;
  const char order = text[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') return false;
  size_t size = 0;
  for (size_t i = 2; i < length; i++) {
    if (!isdigit((unsigned char)text[i]) || size > 100000000) return false;
    size = 10 * size + (size_t)(text[i] - '0');
  }
  *e = (element){.kind = text[1], .size = size, .big = order == '>'};
  switch (text[1]) {
  case 'f': return size == 4 || size == 8;
  case 'i':
  case 'u': return size == 1 || size == 2 || size == 4 || size == 8;
  case 'b': return size == 1;
  case 'S': return true;
  case 'U': e->size = 4 * size; return true;
  default: return false;
  }
}

static uint64_t get_bits(const unsigned char *at, size_t size, bool big) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++) bits |= (uint64_t)at[i] << 8 * (big ? size - 1 - i : i);
  return bits;
}

/* False if the number is an integer that no double holds. */
static bool get_number(const unsigned char *at, const element *e, double *value) {
  const uint64_t bits = get_bits(at, e->size, e->big), exact = UINT64_C(1) << 53;
  if (e->kind == 'f' && e->size == 8) {
    memcpy(value, &bits, sizeof *value);
  } else if (e->kind == 'f') {
    const uint32_t half = (uint32_t)bits;
    float narrow;
    memcpy(&narrow, &half, sizeof narrow);
    *value = (double)narrow;
  } else if (e->kind == 'i') {
    const uint64_t sign = UINT64_C(1) << (8 * e->size - 1);
    const uint64_t size = (bits & sign) != 0 ? (sign - (bits & (sign - 1))) : bits;
    if (size > exact) return false;
    *value = (bits & sign) != 0 ? -(double)size : (double)size;
  } else {
    if (bits > exact) return false;
    *value = (double)bits;
  }
  return true;
}

/* ---- texts ---- */

static void add_utf8(luaL_Buffer *b, uint32_t c) {
  char bytes[4];
  size_t n = 0;
  if (c < 0x80) {
    bytes[n++] = (char)c;
  } else if (c < 0x800) {
    bytes[n++] = (char)(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    bytes[n++] = (char)(0xE0 | c >> 12);
    bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
  } else {
    bytes[n++] = (char)(0xF0 | (c >> 18 & 0x07));
    bytes[n++] = (char)(0x80 | (c >> 12 & 0x3F));
    bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
  }
  if (c >= 0x80) bytes[n++] = (char)(0x80 | (c & 0x3F));
  luaL_addlstring(b, bytes, n);
}

/* Pushes a fixed-width text without the zeros that fill it. */
static void push_fixed_text(lua_State *L, const unsigned char *at, const element *e) {
  size_t length = e->size;
  const size_t unit = e->kind == 'U' ? 4 : 1;
  while (length >= unit && get_bits(at + length - unit, unit, false) == 0) length -= unit;
  if (unit == 1) {
    lua_pushlstring(L, (const char *)at, length);
    return;
  }
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (size_t i = 0; i < length; i += 4) add_utf8(&b, (uint32_t)get_bits(at + i, 4, e->big));
  luaL_pushresult(&b);
}

/* The next character of a UTF-8 text; a byte that starts none stands for itself. */
static uint32_t next_character(const char *text, size_t length, size_t *at) {
  const unsigned char lead = (unsigned char)text[(*at)++];
  const size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (lead < 0xC0 || lead > 0xF4 || *at + more > length) return lead;
  uint32_t c = lead & (0x3Fu >> more);
  for (size_t i = 0; i < more; i++) {
    const unsigned char next = (unsigned char)text[*at + i];
    if ((next & 0xC0) != 0x80) return lead;
    c = c << 6 | (next & 0x3F);
  }
  *at += more;
  return c;
}

/* ---- the header ---- */

typedef struct {
  lua_State *L;
  const char *fn, *path;
  const char *at, *end; /* of the header's text */
  const unsigned char *data, *data_end;
  bool structured, fortran;
  element e; /* of a plain array, or of one row of a structured one */
  size_t dimensions, shape[MAX_DIMENSIONS];
  int fields; /* stack index: array of {name, descr} of a structured array */
} npy;

_Noreturn static void refuse(const npy *f, const char *reason) {
  lves_error(f->L, f->fn, "'%s' %s", f->path, reason);
}

static void skip(npy *f, const char *characters) {
  while (f->at < f->end && *f->at != '\0' && strchr(characters, *f->at) != NULL) f->at++;
}

static bool take(npy *f, char c) {
  skip(f, " \n");
  if (f->at == f->end || *f->at != c) return false;
  f->at++;
  return true;
}

static void expect(npy *f, char c) {
  if (!take(f, c)) refuse(f, "is damaged: its header makes no sense");
}

/* A Python string without escapes. */
static const char *take_string(npy *f, size_t *length) {
  skip(f, " \n");
  const char quote = f->at < f->end ? *f->at : '\0';
  if (quote != '\'' && quote != '"') refuse(f, "is damaged: its header makes no sense");
  const char *start = ++f->at;
  while (f->at < f->end && *f->at != quote && *f->at != '\\') f->at++;
  if (f->at == f->end || *f->at == '\\') refuse(f, "has a name that cannot be read");
  *length = (size_t)(f->at++ - start);
  return start;
}

/* [('x', '<f8'), ('label', '<U3')]: pushes them as an array of {name, type}. */
static void take_fields(npy *f) {
  lua_State *L = f->L;
  size_t length;
  lua_newtable(L);
  f->fields = lua_gettop(L);
  f->structured = true;
  for (lua_Integer i = 1; !take(f, ']'); i++) {
    expect(f, '(');
    lua_createtable(L, 2, 0);
    for (int part = 1; part <= 2; part++) {
      const char *text = take_string(f, &length);
      lua_pushlstring(L, text, length);
      lua_rawseti(L, -2, part);
      skip(f, " \n");
      if (part == 1) expect(f, ',');
    }
    if (!take(f, ')')) refuse(f, "has a field that is an array: expected numbers and texts only");
    element e;
    lua_rawgeti(L, -1, 2);
    const char *type = lua_tolstring(L, -1, &length);
    if (!parse_element(type, length, &e))
      lves_error(L, f->fn,
                 "'%s' has a field of type %s: expected floats, integers, booleans, texts", f->path,
                 lves_describe(L, -1));
    lua_pop(L, 1);
    f->e.size += e.size;
    lua_rawseti(L, f->fields, i);
    if (!take(f, ',')) {
      expect(f, ']');
      return;
    }
  }
}

static void take_type(npy *f) {
  size_t length;
  if (take(f, '[')) {
    take_fields(f);
    return;
  }
  const char *type = take_string(f, &length);
  if (parse_element(type, length, &f->e) && f->e.kind != 'S' && f->e.kind != 'U') return;
  lua_pushlstring(f->L, type, length);
  lves_error(f->L, f->fn, "'%s' has elements of type %s: expected floats, integers or booleans",
             f->path, lves_describe(f->L, -1));
}

static void take_shape(npy *f) {
  expect(f, '(');
  while (!take(f, ')')) {
    double size = 0;
    const char *start = f->at;
    for (; f->at < f->end && isdigit((unsigned char)*f->at); f->at++)
      size = 10 * size + (*f->at - '0');
    if (f->at == start) refuse(f, "is damaged: its header makes no sense");
    if (size > LVES_SIZE_MAX) refuse(f, "is too large");
    if (f->dimensions < MAX_DIMENSIONS) f->shape[f->dimensions] = (size_t)size;
    f->dimensions++;
    take(f, ',');
  }
}

static void read_header(npy *f) {
  size_t length;
  expect(f, '{');
  while (!take(f, '}')) {
    const char *key = take_string(f, &length);
    expect(f, ':');
    if (length == 5 && memcmp(key, "descr", 5) == 0) {
      take_type(f);
    } else if (length == 13 && memcmp(key, "fortran_order", 13) == 0) {
      skip(f, " ");
      f->fortran = f->at < f->end && *f->at == 'T';
      skip(f, "TrueFals");
    } else if (length == 5 && memcmp(key, "shape", 5) == 0) {
      take_shape(f);
    } else {
      refuse(f, "is damaged: its header makes no sense");
    }
    take(f, ',');
  }
  if (f->e.size == 0 && !f->structured) refuse(f, "is damaged: its header makes no sense");
}

/* Finds the header and the data in the bytes of a file. */
static npy open_npy(const lves_arg *path) {
  size_t length;
  const unsigned char *bytes = (const unsigned char *)lves_read_file(path, &length);
  npy f = {.L = path->L, .fn = path->fn, .path = lua_tostring(path->L, path->index)};
  if (length < MAGIC + 4 || memcmp(bytes, magic, MAGIC) != 0) refuse(&f, "is not a .npy file");
  const unsigned version = bytes[MAGIC];
  if (version < 1 || version > 3)
    lves_error(f.L, f.fn, "'%s' has format version %d: expected 1, 2 or 3", f.path, (int)version);
  const size_t width = version == 1 ? 2 : 4, start = MAGIC + 2 + width;
  if (length < start) refuse(&f, "is cut short");
  const size_t header = (size_t)get_bits(bytes + MAGIC + 2, width, false);
  if (header > length - start) refuse(&f, "is cut short");
  f.at = (const char *)bytes + start;
  f.end = f.at + header;
  f.data = bytes + start + header;
  f.data_end = bytes + length;
  read_header(&f);
  return f;
}

/* Raises unless there are exactly `count` elements. */
static void check_size(const npy *f, size_t count) {
  const double have = (double)(f->data_end - f->data), want = (double)count * (double)f->e.size;
  if (have != want)
    lves_error(f->L, f->fn, "'%s' is damaged: %f bytes of data, expected %f", f->path, have, want);
}

/* ---- reading ---- */

_Noreturn static void refuse_integer(const npy *f, size_t at) {
  lves_error(f->L, f->fn, "'%s', element %d: an integer beyond 2^53, which no number here holds",
             f->path, (int)at + 1);
}

static void push_array(const npy *f) {
  if (f->dimensions < 1 || f->dimensions > MAX_DIMENSIONS)
    lves_error(f->L, f->fn, "'%s' has %d dimensions: expected a vector or a matrix", f->path,
               (int)f->dimensions);
  const bool matrix = f->dimensions == 2;
  const size_t rows = matrix ? f->shape[0] : 1, cols = matrix ? f->shape[1] : f->shape[0];
  if ((double)rows * (double)cols > LVES_ELEMENTS_MAX) refuse(f, "is too large");
  check_size(f, rows * cols);
  double *out = matrix ? lves_push_matrix(f->L, f->fn, rows, cols) : lves_push_vector(f->L, cols);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < cols; j++) {
      const size_t at = f->fortran ? j * rows + i : i * cols + j;
      if (!get_number(f->data + at * f->e.size, &f->e, out + i * cols + j)) refuse_integer(f, at);
    }
}

/* Pushes the column whose elements begin at `at`, one every row. */
static void push_column(const npy *f, const unsigned char *at, const element *e) {
  lua_State *L = f->L;
  const size_t rows = f->shape[0];
  if (e->kind == 'U' || e->kind == 'S') {
    lua_createtable(L, (int)rows, 0);
    for (size_t r = 0; r < rows; r++) {
      push_fixed_text(L, at + r * f->e.size, e);
      lua_rawseti(L, -2, (lua_Integer)r + 1);
    }
    return;
  }
  double *out = lves_push_vector(L, rows);
  for (size_t r = 0; r < rows; r++)
    if (!get_number(at + r * f->e.size, e, out + r)) refuse_integer(f, r);
}

static void push_table(const npy *f) {
  lua_State *L = f->L;
  if (f->dimensions != 1)
    lves_error(L, f->fn, "'%s' is a structured array of %d dimensions: expected 1", f->path,
               (int)f->dimensions);
  check_size(f, f->shape[0]);
  const size_t count = (size_t)lua_rawlen(L, f->fields);
  size_t offset = 0;
  lua_createtable(L, (int)count, 0);
  const int names = lua_gettop(L);
  lua_createtable(L, 0, (int)count);
  for (size_t i = 0; i < count; i++) {
    element e = {0};
    size_t length;
    lua_rawgeti(L, f->fields, (lua_Integer)i + 1);
    lua_rawgeti(L, -1, 2);
    const char *type = lua_tolstring(L, -1, &length);
    parse_element(type, length, &e);
    lua_pop(L, 1);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
    lua_pushvalue(L, -1);
    lua_rawseti(L, names, (lua_Integer)i + 1);
    push_column(f, f->data + offset, &e);
    lua_rawset(L, -3);
    offset += e.size;
  }
  lves_push_columns_info(L, names, f->shape[0]);
}

/*** ves.read_npy(path) -> vector|matrix|table, info
 * Reads a NumPy file: a vector, a matrix, or a structured array as a table of columns, as
 * ves.read_table returns it. Floats, integers, booleans, and, in tables, texts.
 * @param path string: the file
 * @return vector, matrix or table
 * @return of a table, info: columns (the names in order), rows
 * @example path = os.tmpname(); ves.write_npy(path, ves.matrix{{1, 2}, {3, 4}})
 * @example print(ves.read_npy(path)[2][1]); os.remove(path)
 */
static int read_npy(lua_State *L) {
  const char *fn = "ves.read_npy";
  lves_arity(L, fn, 1);
  const lves_arg path = lves_argument(L, fn, 1, "path");
  luaL_checkstack(L, 24, NULL);
  const npy f = open_npy(&path);
  if (f.structured) {
    push_table(&f);
    return 2;
  }
  push_array(&f);
  return 1;
}

/* ---- writing ---- */

static void add_bits(luaL_Buffer *b, uint64_t bits, size_t size) {
  char bytes[8];
  for (size_t i = 0; i < size; i++) bytes[i] = (char)(bits >> 8 * i & 0xFF);
  luaL_addlstring(b, bytes, size);
}

static void add_double(luaL_Buffer *b, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  add_bits(b, bits, 8);
}

/* Adds everything before the data. `dictionary` is the header's text, without its padding. */
static void add_header(luaL_Buffer *b, const lves_arg *path, const char *dictionary) {
  const size_t length = strlen(dictionary), before = MAGIC + 4;
  const size_t total = (before + length + 1 + ALIGN - 1) / ALIGN * ALIGN;
  if (total - before > 0xFFFF)
    lves_error(path->L, path->fn, "the names of the columns are too long for this format");
  luaL_addlstring(b, magic, MAGIC);
  luaL_addlstring(b, "\x01\x00", 2);
  add_bits(b, total - before, 2);
  luaL_addlstring(b, dictionary, length);
  for (size_t i = before + length + 1; i < total; i++) luaL_addchar(b, ' ');
  luaL_addchar(b, '\n');
}

/* The widest text of a column, in characters; at least 1. */
static size_t widest(const lves_columns *c, size_t column) {
  size_t most = 1;
  for (size_t r = 0; r < c->rows; r++) {
    const lves_cell cell = lves_columns_cell(c, column, r);
    size_t count = 0;
    for (size_t at = 0; cell.is_text && at < cell.length; count++)
      next_character(cell.text, cell.length, &at);
    if (count > most) most = count;
  }
  return most;
}

/* Pushes the header's text; sets the width of each column of texts, 0 for numbers. */
static const char *push_dictionary(const lves_columns *c, size_t *widths) {
  lua_State *L = c->L;
  luaL_Buffer b;
  char text[64];
  for (size_t i = 0; i < c->count; i++) {
    const char *name = lves_columns_name(c, i);
    if (strpbrk(name, "'\\") != NULL)
      lves_error(L, c->fn, "column '%s': expected a name without quotes and backslashes", name);
    for (const char *p = name; *p != '\0'; p++)
      if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
        lves_error(L, c->fn, "column '%s': expected a name of plain characters", name);
    widths[i] = lves_columns_texts(c, i) ? widest(c, i) : 0;
  }
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "{'descr': [");
  for (size_t i = 0; i < c->count; i++) {
    luaL_addstring(&b, i > 0 ? ", ('" : "('");
    luaL_addstring(&b, lves_columns_name(c, i));
    snprintf(text, sizeof text, widths[i] > 0 ? "', '<U%zu')" : "', '<f8')", widths[i]);
    luaL_addstring(&b, text);
  }
  snprintf(text, sizeof text, "], 'fortran_order': False, 'shape': (%zu,), }", c->rows);
  luaL_addstring(&b, text);
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

static void add_table(luaL_Buffer *b, const lves_columns *c, const size_t *widths) {
  for (size_t r = 0; r < c->rows; r++)
    for (size_t i = 0; i < c->count; i++) {
      const lves_cell cell = lves_columns_cell(c, i, r);
      if (widths[i] == 0) {
        add_double(b, cell.number);
        continue;
      }
      size_t at = 0;
      for (size_t k = 0; k < widths[i]; k++) {
        const bool more = cell.is_text && at < cell.length;
        add_bits(b, more ? next_character(cell.text, cell.length, &at) : 0, 4);
      }
    }
}

static void write_columns(const lves_arg *path, const lves_arg *data, const lves_arg *order) {
  lua_State *L = path->L;
  size_t length;
  luaL_Buffer b;
  const lves_columns c = lves_columns_arg(data, order);
  size_t *widths = lves_scratch(L, c.count, sizeof *widths);
  const char *dictionary = push_dictionary(&c, widths);
  luaL_buffinit(L, &b);
  add_header(&b, path, dictionary);
  add_table(&b, &c, widths);
  luaL_pushresult(&b);
  const char *bytes = lua_tolstring(L, -1, &length);
  lves_write_file(path, bytes, length);
}

static void write_array(const lves_arg *path, const lves_array *a) {
  lua_State *L = path->L;
  char shape[64], dictionary[128];
  size_t length;
  luaL_Buffer b;
  if (a->matrix)
    snprintf(shape, sizeof shape, "(%zu, %zu)", a->rows, a->cols);
  else
    snprintf(shape, sizeof shape, "(%zu,)", a->cols);
  snprintf(dictionary, sizeof dictionary, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }",
           shape);
  luaL_buffinit(L, &b);
  add_header(&b, path, dictionary);
  for (size_t i = 0; i < a->rows * a->cols; i++) add_double(&b, a->data[i]);
  luaL_pushresult(&b);
  const char *bytes = lua_tolstring(L, -1, &length);
  lves_write_file(path, bytes, length);
}

/*** ves.write_npy(path, data, options) -> nothing
 * Writes a NumPy file, bit for bit: numpy.load(path) returns the same array. A table of columns
 * becomes a structured array with one field per column. An existing file is replaced in one step.
 * @param path string: the file
 * @param data vector, array of numbers, or matrix; or a table of columns by name, as
 * ves.write_table takes it (a missing text becomes an empty one)
 * @key columns array of names in their order, of a table; alphabetical if omitted
 * @example path = os.tmpname(); ves.write_npy(path, {x = {1, 2}, label = {"a", "b"}})
 * @example print(ves.read_npy(path).label[2]); os.remove(path)
 */
static int write_npy(lua_State *L) {
  static const char *const keys[] = {"columns", NULL};
  const char *fn = "ves.write_npy";
  lves_array a;
  lves_arity(L, fn, 3);
  const lves_arg path = lves_argument(L, fn, 1, "path");
  lves_path_arg(&path);
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg order = lves_key(&o, "columns");
  const lves_arg data = lves_argument(L, fn, 2, "data");
  lves_check_open(&data);
  if (lua_type(L, data.index) == LUA_TTABLE && lua_rawlen(L, data.index) > 0)
    a = lves_array_arg(&data, LVES_FINITE);
  else if (!lves_array_test(L, data.index, &a)) {
    if (lua_type(L, data.index) != LUA_TTABLE)
      lves_fail(&data, "a vector, a matrix, or a table of columns by name");
    write_columns(&path, &data, &order);
    return 0;
  }
  if (!lves_absent(&order)) lves_fail(&order, "nothing: it belongs to a table of columns");
  write_array(&path, &a);
  return 0;
}

void lves_open_npy(lua_State *L) {
  lua_pushcfunction(L, read_npy);
  lua_setfield(L, -2, "read_npy");
  lua_pushcfunction(L, write_npy);
  lua_setfield(L, -2, "write_npy");
}
