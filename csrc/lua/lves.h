/* lves: what the bindings share.
 *
 * A binding has one shape. It checks its arguments, creates its result as a box that is already
 * consistent, calls the core, and checks the status. The core never sees Lua, and Lua never unwinds
 * through the core: memory that must outlive an error belongs to the collector (boxes, scratch).
 *
 * Any allocation may run a finalizer, and a finalizer may close an object. Vectors and matrices
 * keep their numbers inside their own box, so for them closing is a mark and no pointer dangles;
 * codes and networks own memory of the core, so their pointers are fetched after the last
 * allocation. */
#ifndef LVES_H
#define LVES_H

#include "ves_code.h"
#include "ves_evidence.h"
#include "ves_learn.h"
#include "ves_product.h"
#include "ves_sample.h"
#include "ves_status.h"
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_vector.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- limits ---- */

#define LVES_SIZE_MAX     100000000          /* elements of a vector, rows or columns of a matrix */
#define LVES_ELEMENTS_MAX 1000000000.0       /* elements of a matrix */
#define LVES_DRAW_MAX     (INT64_C(1) << 53) /* the first draw index that is no address */

/* ---- objects (lves_class.c) ---- */

/* What every object of the library begins with; lves_become writes it. */
typedef struct {
  const char *name; /* of its class: lves_name_vector or another */
} lves_object;

/* ---- where a value came from (lves_arg.c) ---- */

/* A value on the stack and its name, so that every message can say what was wrong with what. */
typedef struct {
  lua_State *L;
  const char *fn;   /* the function as its user writes it: "ves.release.learn" */
  const char *name; /* of the argument or key */
  bool key;         /* a key of an options table rather than an argument */
  int index;        /* where on the stack */
} lves_arg;

/* What numbers are acceptable. Not-a-number never is. */
typedef enum {
  LVES_FINITE,
  LVES_ORDERED, /* infinities too */
  LVES_POSITIVE,
  LVES_NONNEGATIVE,
  LVES_PROBABILITY, /* [0, 1] */
  LVES_FRACTION,    /* (0, 1] */
  LVES_INSIDE,      /* (0, 1) */
  LVES_WEIGHT,      /* [0, 1e200]: products with activities and sums of them stay finite */
  LVES_ACTIVITY,    /* [0, 1e100] */
  LVES_COORDINATE,  /* [-1e100, 1e100] */
  LVES_SALIENCE,    /* [0, VES_SALIENCE_MAX] */
  LVES_SHAPE /* [1e-100, 1e100]: parameters of a Beta distribution, so that draws are numbers */
} lves_domain;

lves_arg lves_argument(lua_State *L, const char *fn, int index, const char *name);
bool lves_absent(const lves_arg *arg); /* nil or none */

/* Raises "FN: key 'NAME' = VALUE: expected EXPECTED". */
_Noreturn void lves_fail(const lves_arg *arg, const char *expected, ...);
/* The same for one element: 'NAME'[i], or 'NAME'[i][j] if row > 0; indices from 1. */
_Noreturn void lves_fail_at(const lves_arg *arg, size_t row, size_t i, double value,
                            const char *expected);
/* Raises "FN: MESSAGE". */
_Noreturn void lves_error(lua_State *L, const char *fn, const char *message, ...);
/* Raises the status's words unless it is VES_OK. After VES_ESTOPPED the function of lves_set_stopped,
 * if there is one, raises what it wants instead; it serves all states of the process. */
typedef void (*lves_stopped)(lua_State *L);
void lves_set_stopped(lves_stopped chosen);
void lves_check(lua_State *L, const char *fn, ves_status status);

/* A loop over the elements 0 .. n-1, in blocks: between two it raises if stopping was asked for.
 * `break` leaves one block only. */
/* NOLINTBEGIN(bugprone-macro-parentheses): i is declared here */
#define LVES_EACH(L, fn, i, n)                                                                     \
  for (size_t i##_from = 0, i##_end;                                                               \
       i##_from < (n) && (i##_end = lves_block_end(L, fn, i##_from, n)) > 0; i##_from = i##_end)   \
    for (size_t i = i##_from; i < i##_end; i++)
/* NOLINTEND(bugprone-macro-parentheses) */

/* Raises if stopping was asked for, else says where the block that begins at `from` ends. */
size_t lves_block_end(lua_State *L, const char *fn, size_t from, size_t n);

/* Raises if the call has more than `most` arguments. */
void lves_arity(lua_State *L, const char *fn, int most);

double lves_number(const lves_arg *arg, lves_domain domain);
double lves_number_or(const lves_arg *arg, lves_domain domain, double otherwise);
/* An integer, or a float with an integral value. */
lua_Integer lves_integer(const lves_arg *arg, lua_Integer lo, lua_Integer hi);
lua_Integer lves_integer_or(const lves_arg *arg, lua_Integer lo, lua_Integer hi,
                            lua_Integer otherwise);
/* The position of a string in a NULL-terminated list of words. */
int lves_choice(const lves_arg *arg, const char *const words[]);
int lves_choice_or(const lves_arg *arg, const char *const words[], int otherwise);

bool lves_accepts(lves_domain domain, double value);

/* The index of the first of `count` values that lves_accepts refuses; count if there is none. */
size_t lves_first_refused(lves_domain domain, const double *values, size_t count);
const char *lves_expectation(lves_domain domain);

/* Whether indexing the table runs nobody's code. */
bool lves_plain_table(lua_State *L, int index);
/* A short description of a value for messages; pushed on the stack. */
const char *lves_describe(lua_State *L, int index);

/* The word of a NULL-terminated list nearest to a misspelt one, or NULL if none is near. */
const char *lves_nearest(const char *word, const char *const words[]);

/* ---- option tables ---- */

typedef struct {
  lua_State *L;
  const char *fn;
  int index; /* of the table; 0 when there is none */
} lves_options;

/* Opens the table of options at a stack index, refusing keys that are not in the NULL-terminated
 * list. A call without the table has no options, unless it is required. */
lves_options lves_options_open(lua_State *L, const char *fn, int index, bool required,
                               const char *const keys[]);
/* Pushes the value of a key (nil if absent), which stays on the stack. */
lves_arg lves_key(const lves_options *options, const char *name);

/* ---- vectors and matrices (lves_array.c) ---- */

#define LVES_VECTOR lves_name_vector
#define LVES_MATRIX lves_name_matrix

/* The numbers of a box follow it in memory, or belong to a matrix that a view keeps alive as its
 * user value. Strides are 1 and rows contiguous. */
typedef struct {
  lves_object object;
  gsl_vector gsl;
  bool closed;
} lves_vector;

typedef struct {
  lves_object object;
  gsl_matrix gsl;
  bool closed;
} lves_matrix;

/* Either of them, read. A vector is a single row. */
typedef struct {
  double *data;
  size_t rows, cols;
  bool matrix, closed;
} lves_array;

/* Push a new box of zeros. */
double *lves_push_vector(lua_State *L, size_t n);
double *lves_push_matrix(lua_State *L, const char *fn, size_t rows, size_t cols);
/* Pushes a new box of the same shape, whose numbers the caller writes before anything else. */
double *lves_push_like(lua_State *L, const char *fn, const lves_array *shape);
/* Copies n numbers, in blocks as above. */
void lves_copy(lua_State *L, const char *fn, double *to, const double *from, size_t n);
/* Push a view of n numbers of the array at stack index `owner`. */
void lves_push_view(lua_State *L, int owner, double *data, size_t n);

/* Read an argument: a box, or a plain Lua array, which is replaced on the stack by a new box. Every
 * element is checked, and there is at least one. */
lves_array lves_vector_arg(const lves_arg *arg, lves_domain domain);

/* Raises unless each of the numbers of a vector is a whole one in [least, most]. */
void lves_check_positions(const lves_arg *arg, const lves_array *a, size_t least, size_t most);

lves_array lves_matrix_arg(const lves_arg *arg, lves_domain domain);
lves_array lves_array_arg(const lves_arg *arg, lves_domain domain);
/* The same of a given shape. */
lves_array lves_vector_of(const lves_arg *arg, lves_domain domain, size_t n);
lves_array lves_matrix_of(const lves_arg *arg, lves_domain domain, size_t rows, size_t cols);
lves_array lves_array_of(const lves_arg *arg, lves_domain domain, const lves_array *shape);

/* Pushes scratch with a copy of `count` rows of an array. */
double *lves_push_rows(lua_State *L, const lves_array *a, const uint32_t *row, size_t count);
/* The same, each row multiplied by the activity of its input: effective weights x_i w_ij. */
double *lves_push_effective(lua_State *L, const lves_array *w, const double *x, const uint32_t *row,
                            size_t count);
/* The way back: the first `count` rows of a rows x n array move to the ascending places `row`, and
 * the other rows become 0. */
void lves_spread_rows(double *data, size_t rows, size_t n, const uint32_t *row, size_t count);

/* Whether the value is a vector or matrix box, whatever its state; *array is filled if so. */
bool lves_array_test(lua_State *L, int index, lves_array *array);
/* The object of a method: a box that is not closed; it may have no elements. */
lves_array lves_self_array(lua_State *L, const char *fn);
/* The same with at least so many elements, in a call with at most so many arguments; and one whose
 * elements have an order, none of them being not-a-number. */
lves_array lves_self_with(lua_State *L, const char *fn, size_t least, int arguments);
lves_array lves_self_ordered(lua_State *L, const char *fn, int arguments);
size_t lves_count(const lves_array *array); /* of its elements */

/* Makes the vector at a stack index shorter. */
void lves_vector_shrink(lua_State *L, int index, size_t n);
/* Raises if the value is a closed box. */
void lves_check_open(const lves_arg *arg);
/* __gc and __close: the box is no longer to be used. Its memory goes with the box. */
int lves_array_close(lua_State *L);

/* What vectors and matrices have in common: arithmetic (lves_arith.c), and methods that summarise
 * (lves_stats.c), act element by element (lves_elementwise.c), or pick and count (lves_pick.c). */
extern const luaL_Reg lves_array_metamethods[];
extern const luaL_Reg lves_stats_methods[], lves_elementwise_methods[], lves_pick_methods[];

/* ---- memory that survives an error by belonging to the collector (lves_class.c) ---- */

/* Pushes a block for count elements of the given size. */
void *lves_scratch(lua_State *L, size_t count, size_t size);

/* A box for one object of the core: a pointer it handed out, or a struct kept in the box. */
typedef struct {
  void *object; /* NULL while there is nothing to release */
  void (*release)(void *object);
} lves_box;

/* Pushes an empty box with room for a struct of the given size; the caller sets box->object once
 * there is something to release. */
lves_box *lves_push_box(lua_State *L, size_t size, void (*release)(void *object));
void *lves_box_room(lves_box *box);
/* Pushes a box with `bytes` of memory, for what is needed during one call and is not to wait for
 * the collector: the next call then gets the same memory again. */
lves_box *lves_push_room(lua_State *L, const char *fn, size_t bytes);
/* Releases the object now rather than when the collector comes round. */
void lves_box_release(lves_box *box);

/* ---- classes (lves_class.c) ---- */

/* What LVES_VECTOR and the others stand for. */
extern const char lves_name_vector[], lves_name_matrix[], lves_name_stream[], lves_name_code[],
    lves_name_network[], lves_name_chain[];

/* What may be an object: a userdata with room for the beginning of one; otherwise NULL. */
lves_object *lves_object_at(lua_State *L, int index);
/* The object at an index if it is one of this class, otherwise NULL. */
void *lves_test(lua_State *L, int index, const char *name);
/* Makes the userdata on top one of this class. */
void lves_become(lua_State *L, const char *name);

/* Registers a class under its name, with the methods of a NULL-terminated list of lists. `index`
 * serves __index with the table of methods as upvalue 1; `__gc` also serves `__close`; the
 * metatable itself is out of reach. */
void lves_class(lua_State *L, const char *name, lua_CFunction index, const luaL_Reg *metamethods,
                const luaL_Reg *const methods[]);
/* For __index, key at stack index 2: the method of that name, or an error with a suggestion.
 * `fields` is a NULL-terminated list of what else the key might have meant. */
int lves_method(lua_State *L, const char *kind, const char *const fields[]);
/* For __tostring of a closed object, which may be printed like any other: "vector (closed)". */
int lves_closed_text(lua_State *L, const char *kind);
/* __newindex of objects whose fields cannot be set. */
int lves_read_only(lua_State *L);

/* ---- files (lves_file.c) ---- */

/* Opens as fopen does: NULL with errno set if there is no such file, or none to be had. */
typedef FILE *(*lves_opener)(lua_State *L, const char *path, const char *mode);

/* How the functions below open files, for all states of the process; NULL for fopen. */
void lves_set_opener(lves_opener chosen);

const char *lves_path_arg(const lves_arg *arg);
/* Pushes the content of the file that an argument names. */
const char *lves_read_file(const lves_arg *arg, size_t *length);
/* Writes the file that an argument names, all of it or nothing. */
void lves_write_file(const lves_arg *arg, const char *content, size_t length);

/* ---- streams (lves_rng.c) ---- */

#define LVES_STREAM lves_name_stream

typedef struct {
  lves_object object;
  uint64_t key, cursor;
  bool closed;
  gsl_rng gsl; /* its state follows in the same box */
} lves_stream;

lves_stream *lves_stream_arg(const lves_arg *arg);
/* The cursor, after making sure that `draws` more draws have addresses; then moves it on. */
uint64_t lves_stream_take(const lves_arg *arg, lves_stream *stream, double draws);

/* ---- codes (lves_code.c) ---- */

#define LVES_CODE lves_name_code

/* A code keeps the decoder that it was read with last: to make one takes as long as to read a thousand
 * activities. */
typedef struct {
  lves_object object;
  ves_code core;
  ves_decoder decoder;
  double width; /* of the decoder's kernels; 0 if there is none */
  bool closed;
} lves_code;

ves_code *lves_code_arg(const lves_arg *arg);
/* Pushes a code; raises if the core refuses it. */
void lves_push_code(lua_State *L, const char *fn, size_t n, double lo, double hi, double sigma,
                    ves_spacing spacing);

/* Makes a decoder; width 0 is that of the code's curves. */
void lves_make_decoder(lua_State *L, const char *fn, ves_decoder *decoder, const ves_code *code,
                       double width, size_t grid);

/* ---- networks (lves_network.c) ---- */

#define LVES_NETWORK lves_name_network
#define LVES_CHAIN   lves_name_chain

/* A network has its own copies of its codes; the codes it was made with are its user values. */
typedef struct {
  lves_object object;
  ves_evidence evidence;
  ves_product input; /* of one code or several */
  ves_code output;
  bool closed;
} lves_network;

enum { LVES_NET_INPUT = 1, LVES_NET_OUTPUT, LVES_NET_VALUES = LVES_NET_OUTPUT };

/* Pushes an empty, closed network; the caller fills it and opens it. */
lves_network *lves_push_network(lua_State *L);
/* The network at stack index 1. */
lves_network *lves_self_network(lua_State *L, const char *fn);
/* A and B of k inputs of the network at stack index 1, k x n each. */
void lves_read_evidence(lua_State *L, const char *fn, const uint32_t *input, size_t k, double *a,
                        double *b);

/* ---- the inputs of a network (lves_inputs.c) ---- */

/* The active inputs of a draw, ascending. */
typedef struct {
  const uint32_t *input;
  const double *x; /* their activities */
  size_t k;
} lves_pattern;

/* Pushes the active inputs (x_i > active) of the network at stack index 1: a number for each of its
 * input codes is encoded, a vector of activities is taken as it is. */
lves_pattern lves_push_pattern(const lves_arg *arg, double active);

/* The active inputs (x_i > active) of m: pushes their ascending indices and says how many. */
const uint32_t *lves_push_active(lua_State *L, const double *x, size_t m, double active, size_t *k);

/* Reads one code or an array of them; returns how many. `code` has room for VES_PRODUCT_MAX. */
size_t lves_codes_arg(const lves_arg *arg, const ves_code *code[]);
/* Pushes copies of the codes of a product: the code if it is one, else an array. */
void lves_push_codes(lua_State *L, const char *fn, const ves_product *p);

/* Reads a column of data: a vector, or a single number as a vector of one. */
lves_array lves_column_arg(const lves_arg *arg, lves_domain domain);
/* Reads as many columns as there are codes, of the same length, which is returned. Of a single code
 * the column itself will do. */
size_t lves_inputs_arg(const lves_arg *arg, size_t count, const double *column[]);

int lves_network_encode(lua_State *L);

/* ---- draws of networks ---- */

/* Pushes a box with a sampler (lves_sample.c): k active inputs, n outputs, as ves_sampler_alloc. */
ves_sampler *lves_push_sampler(lua_State *L, const char *fn, const double *effective,
                               const double *release, const uint32_t *input, size_t k, size_t n);

int lves_network_sample(lua_State *L); /* lves_sample.c */
int lves_network_beta(lua_State *L);   /* lves_beta.c */
int lves_network_arrive(lua_State *L); /* lves_stages.c */
int lves_network_save(lua_State *L);   /* lves_save.c */
int lves_load(lua_State *L);

/* The words of ves_normaliser, in its order (lves_release.c). */
extern const char *const lves_normaliser_words[];

/* ---- readouts (lves_readout.c) ---- */

typedef enum {
  LVES_READ_WINNER,
  LVES_READ_INDEX,
  LVES_READ_MEAN,
  LVES_READ_DECODE,
  LVES_READ_ACTIVITY
} lves_readout;

typedef struct {
  lves_readout kind;
  double width;  /* of H; 0: that of the code's curves */
  size_t values; /* that a draw gives */
  lves_box *box;
  ves_decoder *decoder;
  const ves_code *code;
} lves_reader;

/* Reads the keys 'readout' and 'width'. lves_push_reader pushes what the reader needs, and
 * lves_reader_fill gives it the output code. */
lves_reader lves_reader_arg(const lves_options *o);
void lves_push_reader(lua_State *L, lves_reader *reader);
/* Pushes room for what so many draws of n outputs say: a vector, or a matrix with a row for each. */
double *lves_push_readings(lua_State *L, const char *fn, lves_reader *reader, size_t draws,
                           size_t n);
void lves_reader_fill(lua_State *L, const char *fn, lves_reader *reader, const ves_code *code);
void lves_reader_release(lves_reader *reader);
/* Whether the readout looks at the whole activity, or at the winner alone. */
bool lves_reader_whole(const lves_reader *reader);
/* Readouts of many draws from their winners alone. Winners count from 1; a draw without one, 0, is
 * left out. Returns how many values were written. */
size_t lves_reader_winners(const lves_reader *reader, const uint32_t *winner, size_t draws,
                           double *value);
/* The readout of one draw from its winner, which counts from 1, and the activity of all outputs:
 * reader->values numbers. */
ves_status lves_reader_read(const lves_reader *reader, uint32_t winner, const double *y,
                            double *value);

/* ---- the parts of the module: each adds to the table at the top of the stack ---- */

void lves_open_vector(lua_State *L);
void lves_open_matrix(lua_State *L);
void lves_open_rng(lua_State *L);
void lves_open_code(lua_State *L);
void lves_open_network(lua_State *L);
void lves_open_chain(lua_State *L);
void lves_open_release(lua_State *L);
void lves_open_learn(lua_State *L);
void lves_open_amplitude(lua_State *L);
void lves_open_sample(lua_State *L);
void lves_open_draw(lua_State *L);
void lves_open_winner(lua_State *L);
void lves_open_exponent(lua_State *L);
void lves_open_multi(lua_State *L);
void lves_open_stages(lua_State *L);
void lves_open_spike(lua_State *L);
void lves_open_score(lua_State *L);
void lves_open_cdf(lua_State *L);
void lves_open_table(lua_State *L);
void lves_open_table_write(lua_State *L);
void lves_open_npy(lua_State *L);

int luaopen_vesicle(lua_State *L);

#endif
