/* lves_table: tables of data from text files.
 *
 * A file has one row of column names and one row per line, its cells separated by tabs or commas
 * (or semicolons); a cell in double quotes may hold separators, line breaks and, doubled, quotes;
 * lines may end in any of the three ways; lines that begin with # are comments. The library writes
 * them between the names and the rows, where every program passes over them: some, such as NumPy's
 * genfromtxt, take the first line for the names whatever it begins with. Nothing is guessed
 * that could be wrong without a word: the first cell that is not missing says whether its column
 * holds numbers or texts, and a later cell that disagrees is an error that names line and column.
 * Or nothing is made of the cells at all (text = true): so the library reads its own tables, whose
 * cells are written without quotes.
 *
 * The text is scanned twice: once to count rows and learn the types, once to fill the columns. */
#include "lves_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scanner ---- */

typedef struct {
  lua_State *L;
  const char *path;
  const char *at, *end;
  size_t line;   /* of `at`, from 1 */
  size_t column; /* of the cell being read, from 1 */
  char separator;
  char comment; /* '\0': none */
  bool as_is;   /* cells are what stands between separators: no quotes, no blanks to be left out */
} scanner;

/* A cell as it stands in the file. */
typedef struct {
  const char *start;
  size_t length;
  bool quoted, doubled; /* in quotes; with doubled quotes inside */
  bool last;            /* of its row */
  size_t line, column;
} token;

static const char fn[] = "ves.read_table";

/* Raises "'FILE' line L, column C ('NAME'): MESSAGE"; the name may be NULL. */
_Noreturn static void refuse(const scanner *s, size_t line, size_t column, const char *name,
                             const char *message) {
  if (name != NULL)
    lves_error(s->L, fn, "'%s' line %d, column %d ('%s'): %s", s->path, (int)line, (int)column,
               name, message);
  lves_error(s->L, fn, "'%s' line %d, column %d: %s", s->path, (int)line, (int)column, message);
}

static bool at_break(const scanner *s) {
  return s->at < s->end && (*s->at == '\n' || *s->at == '\r');
}

static void skip_break(scanner *s) {
  if (*s->at == '\r' && s->at + 1 < s->end && s->at[1] == '\n') s->at++;
  s->at++;
  s->line++;
}

static void skip_blanks(scanner *s) {
  while (s->at < s->end && *s->at != s->separator && (*s->at == ' ' || *s->at == '\t')) s->at++;
}

static bool at_comment(const scanner *s) {
  return s->at < s->end && s->comment != '\0' && *s->at == s->comment;
}

/* Moves to the end of a comment's line, and appends it to the array at `comments` if that is not 0. */
static void scan_comment(scanner *s, int comments) {
  const char *start = s->at + 1;
  while (s->at < s->end && !at_break(s)) s->at++;
  if (start < s->at && *start == ' ') start++;
  if (comments == 0) return;
  lua_pushlstring(s->L, start, (size_t)(s->at - start));
  lua_rawseti(s->L, comments, (lua_Integer)lua_rawlen(s->L, comments) + 1);
}

/* Moves past the comments that stand directly below the names. */
static void skip_comments(scanner *s, int comments) {
  while (at_comment(s)) {
    scan_comment(s, comments);
    if (s->at < s->end) skip_break(s);
  }
}

/* Moves to the next row: past comments, which are appended to the array at `comments` if that is
 * not 0, and empty lines. Cells as they stand have neither below the first row. False at the end. */
static bool next_row(scanner *s, int comments) {
  s->column = 0;
  for (;;) {
    if (s->at == s->end) return false;
    if (s->as_is && comments == 0) return true;
    if (at_comment(s)) {
      scan_comment(s, comments);
    } else if (!at_break(s)) {
      return true;
    }
    if (s->at < s->end) skip_break(s);
  }
}

static void scan_quoted(scanner *s, token *t) {
  t->quoted = true;
  t->start = ++s->at;
  for (;; s->at++) {
    while (at_break(s)) skip_break(s);
    if (s->at == s->end)
      refuse(s, t->line, t->column, NULL, "the quote that opens here is not closed");
    if (*s->at != '"') continue;
    if (s->at + 1 == s->end || s->at[1] != '"') break;
    t->doubled = true;
    s->at++;
  }
  t->length = (size_t)(s->at - t->start);
  s->at++;
  skip_blanks(s);
  if (s->at < s->end && *s->at != s->separator && !at_break(s))
    refuse(s, s->line, t->column, NULL, "text after the closing quote");
}

static void scan_plain(scanner *s, token *t) {
  t->start = s->at;
  while (s->at < s->end && *s->at != s->separator && !at_break(s)) s->at++;
  const char *stop = s->at;
  while (!s->as_is && stop > t->start && (stop[-1] == ' ' || stop[-1] == '\t')) stop--;
  t->length = (size_t)(stop - t->start);
}

/* The next cell of the row; after the last one of a row the scanner stands behind its line. */
static token next_cell(scanner *s) {
  token t = {.line = s->line, .column = ++s->column};
  if (!s->as_is) skip_blanks(s);
  if (!s->as_is && s->at < s->end && *s->at == '"')
    scan_quoted(s, &t);
  else
    scan_plain(s, &t);
  if (s->at < s->end && *s->at == s->separator) {
    s->at++;
    return t;
  }
  t.last = true;
  if (s->at < s->end) skip_break(s);
  return t;
}

static void push_text(lua_State *L, const token *t) {
  if (!t->doubled) {
    lua_pushlstring(L, t->start, t->length);
    return;
  }
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (size_t i = 0; i < t->length; i++) {
    luaL_addchar(&b, t->start[i]);
    if (t->start[i] == '"') i++;
  }
  luaL_pushresult(&b);
}

/* ---- options ---- */

typedef struct {
  int missing;  /* stack index of the array of words that mean a missing value; 0: nothing does */
  int names;    /* of the array of column names */
  size_t count; /* columns */
  bool *text;   /* of each: texts rather than numbers */
  bool *known;  /* of each: whether that is settled */
  bool *number; /* of each: whether the caller said so */
} layout;

static char character_key(const lves_options *o, const char *name, char otherwise) {
  const lves_arg arg = lves_key(o, name);
  if (lves_absent(&arg)) return otherwise;
  if (lua_type(o->L, arg.index) == LUA_TBOOLEAN && !lua_toboolean(o->L, arg.index) &&
      strcmp(name, "comment") == 0)
    return '\0';
  size_t length = 0;
  const char *text = NULL;
  if (lua_type(o->L, arg.index) == LUA_TSTRING) text = lua_tolstring(o->L, arg.index, &length);
  if (length != 1 || strchr("\"\n\r+-._", *text) != NULL || isalnum((unsigned char)*text))
    lves_fail(&arg, "one character that is neither a letter nor part of a number%s",
              strcmp(name, "comment") == 0 ? ", or false" : "");
  return *text;
}

/* Pushes the array of missing words, checked. */
static int push_missing(const lves_options *o) {
  lua_State *L = o->L;
  const lves_arg arg = lves_key(o, "missing");
  if (lves_absent(&arg)) {
    lua_createtable(L, 1, 0);
    lua_pushliteral(L, "NA");
    lua_rawseti(L, -2, 1);
    return lua_gettop(L);
  }
  if (lua_type(L, arg.index) != LUA_TTABLE || !lves_plain_table(L, arg.index))
    lves_fail(&arg, "an array of texts");
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, arg.index); i++) {
    if (lua_rawgeti(L, arg.index, i) != LUA_TSTRING) lves_fail(&arg, "an array of texts");
    lua_pop(L, 1);
  }
  return arg.index;
}

static size_t find_column(const layout *lay, lua_State *L, const char *name) {
  for (size_t i = 0; i < lay->count; i++) {
    lua_rawgeti(L, lay->names, (lua_Integer)i + 1);
    const bool same = strcmp(lua_tostring(L, -1), name) == 0;
    lua_pop(L, 1);
    if (same) return i;
  }
  return lay->count;
}

_Noreturn static void refuse_column(const lves_options *o, const layout *lay, const char *key,
                                    const char *name) {
  lua_State *L = o->L;
  const char **names = lves_scratch(L, lay->count + 1, sizeof *names);
  for (size_t i = 0; i < lay->count; i++) {
    lua_rawgeti(L, lay->names, (lua_Integer)i + 1);
    names[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  names[lay->count] = NULL;
  const char *nearest = lves_nearest(name, names);
  if (nearest != NULL)
    lves_error(L, fn, "key '%s': there is no column '%s': did you mean '%s'?", key, name, nearest);
  lves_error(L, fn, "key '%s': there is no column '%s'", key, name);
}

/* Reads the key 'text' or 'number': an array of columns whose type the caller settles. */
static void settle(const lves_options *o, const char *key, layout *lay, bool text) {
  lua_State *L = o->L;
  const lves_arg arg = lves_key(o, key);
  if (lves_absent(&arg)) return;
  if (lua_type(L, arg.index) != LUA_TTABLE || !lves_plain_table(L, arg.index))
    lves_fail(&arg, text ? "an array of column names, or true" : "an array of column names");
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, arg.index); i++) {
    if (lua_rawgeti(L, arg.index, i) != LUA_TSTRING) lves_fail(&arg, "an array of column names");
    const char *name = lua_tostring(L, -1);
    const size_t column = find_column(lay, L, name);
    if (column == lay->count) refuse_column(o, lay, key, name);
    if (lay->known[column]) lves_error(L, fn, "column '%s' cannot be text and number", name);
    lay->known[column] = true;
    lay->text[column] = text;
    lay->number[column] = !text;
    lua_pop(L, 1);
  }
}

/* ---- what a cell is ---- */

static bool is_missing(lua_State *L, const layout *lay, const token *t) {
  if (t->quoted || lay->missing == 0) return false;
  if (t->length == 0) return true;
  const lua_Integer words = (lua_Integer)lua_rawlen(L, lay->missing);
  for (lua_Integer i = 1; i <= words; i++) {
    size_t length;
    lua_rawgeti(L, lay->missing, i);
    const char *word = lua_tolstring(L, -1, &length);
    const bool same = length == t->length && memcmp(word, t->start, length) == 0;
    lua_pop(L, 1);
    if (same) return true;
  }
  return false;
}

static bool same_word(const char *text, size_t length, const char *word) {
  if (strlen(word) != length) return false;
  for (size_t i = 0; i < length; i++)
    if ((text[i] | 0x20) != word[i]) return false; /* in small letters, in any locale */
  return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* By hand: strtod alone would take hexadecimal too. */
bool lves_spells_number(const char *text, size_t length) {
  size_t i = length > 0 && (*text == '+' || *text == '-'), digits = 0;
  if (same_word(text + i, length - i, "inf") || same_word(text + i, length - i, "infinity") ||
      same_word(text, length, "nan"))
    return true;
  for (; i < length && is_digit(text[i]); i++) digits++;
  if (i < length && text[i] == '.')
    for (i++; i < length && is_digit(text[i]); i++) digits++;
  if (digits == 0) return false;
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    if (i < length && (text[i] == '+' || text[i] == '-')) i++;
    if (i == length) return false;
    while (i < length && is_digit(text[i])) i++;
  }
  return i == length;
}

/* The number a cell spells. Its text is followed by a separator, a break, a quote or the
 * terminating zero of the file, where strtod stops. */
static bool number_of(const token *t, double *value) {
  if (!lves_spells_number(t->start, t->length)) return false;
  const bool word = !is_digit(t->start[t->length - 1]) && t->start[t->length - 1] != '.';
  char *end = NULL;
  *value = lves_strtod(t->start, &end);
  return end == t->start + t->length && (word || !isinf(*value)); /* 1e999 is no number */
}

static const char *name_of(const layout *lay, lua_State *L, size_t column) {
  lua_rawgeti(L, lay->names, (lua_Integer)column + 1);
  return lua_tostring(L, -1);
}

_Noreturn static void refuse_cell(const scanner *s, const layout *lay, const token *t) {
  lua_State *L = s->L;
  const char *name = name_of(lay, L, t->column - 1);
  push_text(L, t);
  const char *shown = lves_describe(L, -1);
  const char *why = lay->number[t->column - 1] ? "expected a number"
                                               : "expected a number, as above it in this column "
                                                 "(key 'text' makes it a column of texts)";
  lua_pushfstring(L, "%s: %s", shown, why);
  refuse(s, t->line, t->column, name, lua_tostring(L, -1));
}

/* ---- rows ---- */

typedef void (*visit)(const scanner *s, const layout *lay, const token *t, size_t row);

/* Calls visit for every cell; returns the number of rows. */
static size_t each_cell(scanner s, const layout *lay, visit f) {
  size_t rows = 0;
  for (; next_row(&s, 0); rows++) {
    token t;
    const size_t line = s.line;
    do {
      t = next_cell(&s);
      if (t.column <= lay->count) f(&s, lay, &t, rows);
    } while (!t.last);
    if (t.column != lay->count) {
      lua_pushfstring(s.L, "this row has %d cells: expected %d", (int)t.column, (int)lay->count);
      refuse(&s, line, t.column < lay->count ? t.column + 1 : lay->count + 1, NULL,
             lua_tostring(s.L, -1));
    }
  }
  return rows;
}

/* First pass: the first cell that is not missing settles the type of its column. A number in quotes
 * is a text. */
static void learn_type(const scanner *s, const layout *lay, const token *t, size_t row) {
  (void)row;
  const size_t c = t->column - 1;
  double value;
  if (lay->known[c] || is_missing(s->L, lay, t)) return;
  lay->known[c] = true;
  lay->text[c] = t->quoted || !number_of(t, &value);
}

/* Second pass: the columns stand on the stack behind the array of names, in order. */
static void fill_cell(const scanner *s, const layout *lay, const token *t, size_t row) {
  lua_State *L = s->L;
  const size_t c = t->column - 1;
  const bool missing = is_missing(L, lay, t);
  lua_rawgeti(L, lay->names + 1, (lua_Integer)c + 1);
  if (lay->text[c]) {
    if (missing)
      lua_pushboolean(L, 0);
    else
      push_text(L, t);
    lua_rawseti(L, -2, (lua_Integer)row + 1);
  } else {
    lves_array a;
    double value = NAN;
    if (!missing && !number_of(t, &value)) refuse_cell(s, lay, t);
    if (lves_array_test(L, -1, &a) && row < a.cols) a.data[row] = value;
  }
  lua_pop(L, 1);
}

/* ---- the names ---- */

/* The separator a line suggests, looked for outside quotes: a tab, else a comma, else a semicolon;
 * a line without any is a single column. */
static char guess_separator(const scanner *s) {
  bool inside = false, comma = false, semicolon = false;
  for (const char *p = s->at; p < s->end && (inside || (*p != '\n' && *p != '\r')); p++) {
    if (*p == '"') inside = !inside;
    if (inside) continue;
    if (*p == '\t') return '\t';
    comma = comma || *p == ',';
    semicolon = semicolon || *p == ';';
  }
  return comma || !semicolon ? ',' : ';';
}

static void check_name(const scanner *s, const layout *lay, const token *t) {
  lua_State *L = s->L;
  const char *name = lua_tostring(L, -1);
  if (lua_rawlen(L, -1) == 0) refuse(s, t->line, t->column, NULL, "a column without a name");
  if (strlen(name) != lua_rawlen(L, -1))
    refuse(s, t->line, t->column, NULL, "the name has a zero byte: this is no text file");
  if (find_column(lay, L, name) < lay->count)
    refuse(s, t->line, t->column, name, "another column has the same name");
}

/* Pushes the array of names, from the file's first row or from the key 'columns'. */
static void read_names(const lves_options *o, scanner *s, layout *lay) {
  lua_State *L = s->L;
  const lves_arg given = lves_key(o, "columns");
  const bool named = !lves_absent(&given);
  if (named && (lua_type(L, given.index) != LUA_TTABLE || !lves_plain_table(L, given.index) ||
                lua_rawlen(L, given.index) == 0))
    lves_fail(&given, "an array of column names");
  lua_newtable(L);
  lay->names = lua_gettop(L);
  lay->count = 0;
  if (named) {
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, given.index); i++) {
      if (lua_rawgeti(L, given.index, i) != LUA_TSTRING || lua_rawlen(L, -1) == 0 ||
          find_column(lay, L, lua_tostring(L, -1)) < lay->count)
        lves_error(L, fn, "key 'columns'[%d] = %s: expected a new name", (int)i,
                   lves_describe(L, -1));
      lua_rawseti(L, lay->names, i);
      lay->count++;
    }
    return;
  }
  token t;
  do {
    t = next_cell(s);
    push_text(L, &t);
    check_name(s, lay, &t);
    lua_rawseti(L, lay->names, (lua_Integer)++lay->count);
  } while (!t.last);
}

/* Pushes an array with the columns, still empty. */
static void push_columns(lua_State *L, const layout *lay, size_t rows) {
  if (rows > LVES_SIZE_MAX) lves_error(L, fn, "%f rows are too many", (double)rows);
  lua_createtable(L, (int)lay->count, 0);
  for (size_t c = 0; c < lay->count; c++) {
    if (lay->text[c])
      lua_createtable(L, (int)rows, 0);
    else
      lves_push_vector(L, rows);
    lua_rawseti(L, -2, (lua_Integer)c + 1);
  }
}

/* The text to read instead of the file's. */
static const char *content_of(const lves_arg *path, const lves_arg *content, size_t *length) {
  lves_path_arg(path);
  if (lua_type(content->L, content->index) != LUA_TSTRING) lves_fail(content, "a text");
  return lua_tolstring(content->L, content->index, length);
}

/*** ves.read_table(path, options) -> table, info
 * Reads a table of data, tab- or comma-separated: a row of column names, then one row per line.
 * Cells may stand in double quotes; lines that begin with # are comments. The first cell of a
 * column that is not missing says whether it holds numbers or texts (a number in quotes is a
 * text); a later one that disagrees is an error that names line and column.
 * @param path string: the file
 * @key separator one character; default a tab, comma or semicolon, as the first line has it
 * @key comment the character that begins a comment, default '#'; false for none
 * @key missing array of texts that mean a missing value, default {'NA'}; so does an empty cell
 * @key columns array of names, for a file without a row of names
 * @key text array of names of columns to be read as texts; true for all of them, each cell as it
 * stands: quotes, blanks and missing values mean nothing, as in the tables that E:table writes
 * @key number array of names of columns that must be numbers, also in quotes
 * @key content text to read instead of what the file holds: a part of it, or what came another way
 * @return table: each column by its name, a vector of numbers (a missing one is nan) or an array of
 * texts (a missing one is false)
 * @return info: columns (the names in order), rows, comments (those before the first row)
 * @example path = os.tmpname()
 * @example ves.write_table(path, {x = {1, 2, 3}, label = {"a", "b", "c"}})
 * @example t, info = ves.read_table(path); print(t.x:mean(), t.label[3], info.rows);
 * os.remove(path)
 */
static int read_table(lua_State *L) {
  static const char *const keys[] = {"separator", "comment", "missing", "columns",
                                     "text",      "number",  "content", NULL};
  lves_arity(L, fn, 2);
  const lves_options o = lves_options_open(L, fn, 2, false, keys);
  const lves_arg path = lves_argument(L, fn, 1, "path");
  const lves_arg content = lves_key(&o, "content");
  size_t length;
  const char *text =
      lves_absent(&content) ? lves_read_file(&path, &length) : content_of(&path, &content, &length);
  scanner s = {.L = L, .path = lua_tostring(L, 1), .at = text, .end = text + length, .line = 1};
  if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
    lves_error(L, fn, "'%s' is UTF-16: save it as UTF-8", s.path);
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) s.at += 3;
  s.comment = character_key(&o, "comment", '#');
  const char separator = character_key(&o, "separator", '\0');
  if (separator != '\0' && separator == s.comment)
    lves_error(L, fn, "the separator and the comment are the same character");
  const lves_arg texts = lves_key(&o, "text");
  s.as_is = lua_type(L, texts.index) == LUA_TBOOLEAN && lua_toboolean(L, texts.index);
  layout lay = {.missing = push_missing(&o)};
  if (s.as_is) lay.missing = 0;
  lua_newtable(L);
  const int comments = lua_gettop(L);
  if (!next_row(&s, comments))
    lves_error(L, fn, "'%s' is empty: expected a row of column names", s.path);
  s.separator = separator != '\0' ? separator : guess_separator(&s);
  read_names(&o, &s, &lay);
  skip_comments(&s, comments);
  lua_newtable(L); /* the place behind the names, for the columns */
  bool *flags = lves_scratch(L, 3 * lay.count, sizeof *flags);
  memset(flags, 0, 3 * lay.count * sizeof *flags);
  lay.text = flags;
  lay.known = flags + lay.count;
  lay.number = flags + 2 * lay.count;
  if (s.as_is)
    for (size_t c = 0; c < lay.count; c++) lay.text[c] = lay.known[c] = true;
  else
    settle(&o, "text", &lay, true);
  settle(&o, "number", &lay, false);
  const size_t rows = each_cell(s, &lay, learn_type);
  push_columns(L, &lay, rows);
  lua_replace(L, lay.names + 1);
  each_cell(s, &lay, fill_cell);
  lua_createtable(L, 0, (int)lay.count);
  for (size_t c = 0; c < lay.count; c++) {
    lua_rawgeti(L, lay.names, (lua_Integer)c + 1);
    lua_rawgeti(L, lay.names + 1, (lua_Integer)c + 1);
    lua_rawset(L, -3);
  }
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, lay.names);
  lua_setfield(L, -2, "columns");
  lua_pushinteger(L, (lua_Integer)rows);
  lua_setfield(L, -2, "rows");
  lua_pushvalue(L, comments);
  lua_setfield(L, -2, "comments");
  return 2;
}

void lves_open_table(lua_State *L) {
  lua_pushcfunction(L, read_table);
  lua_setfield(L, -2, "read_table");
}
