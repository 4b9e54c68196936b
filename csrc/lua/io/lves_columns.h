/* lves_columns: a table of data is a Lua table from column names to columns. A column of numbers is
 * a vector, in which a missing value is not-a-number; a column of texts is a Lua array, in which a
 * missing one is false. */
#ifndef LVES_COLUMNS_H
#define LVES_COLUMNS_H

#include "lves.h"

/* What a table of data looks like once it has been checked. The stack indices stay valid until the
 * binding returns. */
typedef struct {
  lua_State *L;
  const char *fn;
  int names;   /* array of the names, in order */
  int columns; /* array of the columns, in the same order: vectors or plain arrays */
  size_t count, rows;
} lves_columns;

/* One cell. A missing value has neither a text nor, as a number, anything but not-a-number. */
typedef struct {
  bool is_text;
  double number;
  lua_Integer integer; /* its exact value, if is_integer */
  bool is_integer;
  const char *text; /* alive as long as the column is */
  size_t length;
} lves_cell;

/* Checks an argument that is to be a table of data or a matrix, and the key that names its columns
 * (all of them; their order; needed for a matrix, otherwise they go in alphabetical order). */
lves_columns lves_columns_arg(const lves_arg *data, const lves_arg *order);
const char *lves_columns_name(const lves_columns *c, size_t column);
/* Whether the column holds texts. Raises if it holds both texts and numbers, or anything else. */
bool lves_columns_texts(const lves_columns *c, size_t column);
lves_cell lves_columns_cell(const lves_columns *c, size_t column, size_t row);

/* Whether the text is a decimal number, inf or nan. */
bool lves_spells_number(const char *text, size_t length);

#endif
