/* lves_npy: vectors and matrices in NumPy's format, bit for bit.
 *
 * A .npy file has a magic word, a version, the length of a header, and the header: a Python
 * dictionary in a spelling that the format fixes, padded with blanks so that the data begin at a
 * multiple of 64 bytes. Written and read are doubles in rows one after the other; any other array
 * is an error that says how to save it. Tables belong into text files (lves_table.c). */
#include "lves.h"
#include "lves_bytes.h"

#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
static const char dictionary[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (";
enum { MAGIC = sizeof magic - 1, START = MAGIC + 4, ALIGN = 64 };

/* ---- writing ---- */

/* Pushes the bytes of a file with this array. */
static void push_npy(lua_State *L, const lves_array *a) {
  char header[192];
  int length = a->matrix
                   ? snprintf(header, sizeof header, "%s%zu, %zu), }", dictionary, a->rows, a->cols)
                   : snprintf(header, sizeof header, "%s%zu,), }", dictionary, a->cols);
  while ((START + length + 1) % ALIGN != 0) header[length++] = ' ';
  header[length++] = '\n';
  const size_t count = lves_count(a), size = START + (size_t)length + 8 * count;
  luaL_Buffer b;
  unsigned char *out = (unsigned char *)luaL_buffinitsize(L, &b, size);
  memcpy(out, magic, MAGIC);
  out[MAGIC] = 1; /* version 1.0 */
  out[MAGIC + 1] = 0;
  lves_put_bits(out + MAGIC + 2, (uint64_t)length, 2);
  memcpy(out + START, header, (size_t)length);
  out += START + length;
  LVES_EACH(L, "ves.npy", i, count) lves_put_double(out + 8 * i, a->data[i]);
  luaL_pushresultsize(&b, size);
}

/* A vector or matrix of any numbers, or a plain array of finite ones. */
static lves_array array_of_numbers(const lves_arg *data) {
  lves_array a;
  lves_check_open(data);
  return lves_array_test(data->L, data->index, &a) ? a : lves_array_arg(data, LVES_FINITE);
}

/*** ves.npy(data) -> text
 * The bytes of a NumPy file with an array of doubles. E:array writes them beside the tables of an
 * experiment, ves.write_npy anywhere.
 * @param data vector, array of numbers, or matrix
 * @return text of bytes
 * @example print(#ves.npy{1, 2, 3})
 */
static int npy(lua_State *L) {
  lves_arity(L, "ves.npy", 1);
  const lves_arg data = lves_argument(L, "ves.npy", 1, "data");
  const lves_array a = array_of_numbers(&data);
  push_npy(L, &a);
  return 1;
}

/*** ves.write_npy(path, data) -> nothing
 * Writes a NumPy file, bit for bit: numpy.load(path) returns the same array. An existing file is
 * replaced in one step.
 * @param path string: the file
 * @param data vector, array of numbers, or matrix
 * @example path = os.tmpname(); ves.write_npy(path, ves.matrix{{1, 2}, {3, 4}})
 * @example print(ves.read_npy(path)[2][1]); os.remove(path)
 */
static int write_npy(lua_State *L) {
  const char *fn = "ves.write_npy";
  lves_arity(L, fn, 2);
  const lves_arg path = lves_argument(L, fn, 1, "path"), data = lves_argument(L, fn, 2, "data");
  lves_path_arg(&path);
  const lves_array a = array_of_numbers(&data);
  push_npy(L, &a);
  size_t length;
  const char *bytes = lua_tolstring(L, -1, &length);
  lves_write_file(&path, bytes, length);
  return 0;
}

/* ---- reading ---- */

_Noreturn static void refuse(const lves_arg *path, const char *reason) {
  lves_error(path->L, path->fn, "'%s' %s", lua_tostring(path->L, path->index), reason);
}

/* Reads a size and what follows it; false if there is none, or it is beyond any array. */
static bool take_size(const char **at, const char *after, size_t *size) {
  char *end;
  if (**at < '0' || **at > '9') return false;
  const unsigned long long value = strtoull(*at, &end, 10);
  if (value > LVES_SIZE_MAX || strncmp(end, after, strlen(after)) != 0) return false;
  *size = (size_t)value;
  *at = end + strlen(after);
  return true;
}

/* The shape that a header tells: (n,) or (rows, cols). Raises if it is not an array as above. */
static lves_array read_shape(const lves_arg *path, const char *header) {
  const char *at = header + sizeof dictionary - 1;
  lves_array a = {.rows = 1};
  if (strncmp(header, dictionary, sizeof dictionary - 1) == 0) {
    if (take_size(&at, ",), }", &a.cols)) return a;
    a.matrix = true;
    if (take_size(&at, ", ", &a.rows) && take_size(&at, "), }", &a.cols) && a.rows > 0 &&
        a.cols > 0 && (double)a.rows * (double)a.cols <= LVES_ELEMENTS_MAX)
      return a;
  }
  refuse(path, "is no vector or matrix of doubles in rows: save it as "
               "numpy.ascontiguousarray(a, '<f8')");
}

/*** ves.read_npy(path) -> vector|matrix
 * Reads a NumPy file with a vector or a matrix of doubles, as numpy.save writes it.
 * @param path string: the file
 * @return vector or matrix
 * @example path = os.tmpname(); ves.write_npy(path, {1, 2, 3})
 * @example print(ves.read_npy(path):sum()); os.remove(path)
 */
static int read_npy(lua_State *L) {
  lves_arity(L, "ves.read_npy", 1);
  const lves_arg path = lves_argument(L, "ves.read_npy", 1, "path");
  size_t length;
  const unsigned char *bytes = (const unsigned char *)lves_read_file(&path, &length);
  if (length < START || memcmp(bytes, magic, MAGIC) != 0) refuse(&path, "is not a .npy file");
  if (bytes[MAGIC] != 1) refuse(&path, "has another format version than 1.0");
  const size_t header = (size_t)lves_get_bits(bytes + MAGIC + 2, 2);
  if (header > length - START) refuse(&path, "is cut short");
  const lves_array a = read_shape(&path, (const char *)bytes + START);
  if (length - START - header != 8 * lves_count(&a)) refuse(&path, "has the wrong size");
  double *out =
      a.matrix ? lves_push_matrix(L, path.fn, a.rows, a.cols) : lves_push_vector(L, a.cols);
  LVES_EACH(L, path.fn, i, lves_count(&a)) out[i] = lves_get_double(bytes + START + header + 8 * i);
  return 1;
}

void lves_open_npy(lua_State *L) {
  lua_pushcfunction(L, npy);
  lua_setfield(L, -2, "npy");
  lua_pushcfunction(L, read_npy);
  lua_setfield(L, -2, "read_npy");
  lua_pushcfunction(L, write_npy);
  lua_setfield(L, -2, "write_npy");
}
