/* lves_save: networks on disk, bit for bit.
 *
 * The file, all numbers little-endian, 8 bytes each, doubles as their IEEE bits:
 *
 *     "vesicle network\n"                          16 bytes
 *     version                                      1
 *     m n  input: lo hi sigma  output: lo hi sigma  rate  salience rows since
 *     A0 B0 joint_hi joint_lo                      m x n each
 *     presence_hi presence_lo                      m each
 *     checksum                                     64-bit FNV-1a of all bytes before it
 *
 * What is read is believed only after the size, the checksum and every number have been checked: a
 * damaged or hostile file is an error, never a strange network. */
#include "lves.h"
#include "lves_bytes.h"

#include <math.h>
#include <string.h>

static const char magic[] = "vesicle network\n";
enum { MAGIC = sizeof magic - 1, VERSION = 2, HEADER = 15 };
enum { CARRY = 1 << 15 }; /* ves_evidence.c carries its bins before so many rows have been added */

/* The bytes a file of an m x n network has. */
static double file_size(size_t m, size_t n) {
  const double cells = (double)m * (double)n;
  return MAGIC + 8.0 * (HEADER + 1 + 4 * cells + 2 * (double)m);
}

/* 64-bit FNV-1a. */
static uint64_t checksum(const unsigned char *bytes, size_t count) {
  uint64_t sum = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * UINT64_C(1099511628211);
  return sum;
}

/* ---- saving ---- */

/* Writes at *at and moves it on. */
static void put_word(unsigned char **at, uint64_t word) {
  lves_put_bits(*at, word, 8);
  *at += 8;
}

static void put_doubles(unsigned char **at, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++, *at += 8) lves_put_double(*at, values[i]);
}

static void put_priors(unsigned char **at, const ves_evidence *ev, bool against) {
  enum { CELLS = 256 };
  double prior[2][CELLS];
  for (size_t first = 0, now; first < ev->m * ev->n; first += now) {
    now = ev->m * ev->n - first < CELLS ? ev->m * ev->n - first : CELLS;
    ves_evidence_prior_cells(ev, first, now, prior[0], prior[1]);
    put_doubles(at, prior[against], now);
  }
}

/* The high bins of all inputs, or from n on the low ones. */
static void put_bins(unsigned char **at, const ves_evidence *ev, size_t from) {
  static const double zero = 0.0;
  for (size_t i = 0; i < ev->m; i++) {
    const double *bins = ves_evidence_bins(ev, i);
    for (size_t j = 0; j < ev->n; j++) put_doubles(at, bins != NULL ? bins + from + j : &zero, 1);
  }
}

static void put_network(unsigned char *start, const lves_network *net) {
  const ves_evidence *ev = &net->evidence;
  const double real[] = {net->input.lo,  net->input.hi,     net->input.sigma, net->output.lo,
                         net->output.hi, net->output.sigma, ev->rate};
  unsigned char *at = start + MAGIC;
  memcpy(start, magic, MAGIC);
  put_word(&at, VERSION);
  put_word(&at, ev->m);
  put_word(&at, ev->n);
  put_word(&at, net->input.spacing);
  put_word(&at, net->output.spacing);
  put_doubles(&at, real, sizeof real / sizeof *real);
  put_word(&at, ev->salience);
  put_word(&at, ev->rows);
  put_word(&at, ev->since);
  put_priors(&at, ev, false);
  put_priors(&at, ev, true);
  put_bins(&at, ev, 0);
  put_bins(&at, ev, ev->n);
  put_doubles(&at, ev->presence_hi, ev->m);
  put_doubles(&at, ev->presence_lo, ev->m);
  put_word(&at, checksum(start, (size_t)(at - start)));
}

/*** network:save(path) -> network
 * Writes the network to a file, bit for bit, with a format version and a checksum; an existing file
 * is replaced in one step.
 * @param path string: the file
 * @return the network itself
 * @example code = ves.code{n = 5, lo = 0, hi = 1, sigma = 0.1}
 * @example net = ves.network{input = code, output = code, rng = rng}
 * @example path = os.tmpname(); net:save(path); print(ves.load(path)); os.remove(path)
 */
int lves_network_save(lua_State *L) {
  const char *fn = "network:save";
  const ves_evidence *ev = &lves_self_network(L, fn)->evidence;
  lves_arity(L, fn, 2);
  const lves_arg path = lves_argument(L, fn, 2, "path");
  lves_path_arg(&path);
  const size_t size = (size_t)file_size(ev->m, ev->n);
  lves_box *room = lves_push_room(L, fn, size);
  put_network(room->object, lves_self_network(L, fn));
  lves_write_file(&path, room->object, size);
  lves_box_release(room);
  lua_settop(L, 1);
  return 1;
}

/* ---- loading ---- */

typedef struct {
  size_t m, n;
  ves_spacing input, output;
  double code[6]; /* lo, hi, sigma of input and output */
  double rate;
  uint64_t salience, rows, since;
} header;

_Noreturn static void refuse(lua_State *L, const char *path, const char *reason) {
  lves_error(L, "ves.load", "'%s' %s", path, reason);
}

/* Reads at *at and moves it on. */
static uint64_t get_word(const unsigned char **at) {
  const uint64_t word = lves_get_bits(*at, 8);
  *at += 8;
  return word;
}

/* Reads numbers of [lo, hi]; false at any other. */
static bool get_doubles(const unsigned char **at, double lo, double hi, size_t count,
                        double *values) {
  for (size_t i = 0; i < count; i++, *at += 8) {
    values[i] = lves_get_double(*at);
    if (!(values[i] >= lo && values[i] <= hi)) return false;
  }
  return true;
}

static bool code_valid(const double *code) {
  return lves_accepts(LVES_COORDINATE, code[0]) && lves_accepts(LVES_COORDINATE, code[1]) &&
         code[0] < code[1] && lves_accepts(LVES_POSITIVE, code[2]);
}

/* Reads the header of a file of `size` bytes; *at then stands behind it. */
static header get_header(lua_State *L, const char *path, const unsigned char **at, size_t size) {
  header h;
  if (size < MAGIC + 8 * HEADER || memcmp(*at, magic, MAGIC) != 0)
    refuse(L, path, "is not a vesicle network");
  *at += MAGIC;
  const uint64_t version = get_word(at);
  if (version != VERSION)
    lves_error(L, "ves.load", "'%s' has format version %f: expected %d", path, (double)version,
               VERSION);
  const uint64_t m = get_word(at), n = get_word(at);
  const uint64_t input = get_word(at), output = get_word(at);
  const bool ordered = get_doubles(at, -HUGE_VAL, HUGE_VAL, 6, h.code) &&
                       get_doubles(at, -HUGE_VAL, HUGE_VAL, 1, &h.rate);
  h.salience = get_word(at);
  h.rows = get_word(at);
  h.since = get_word(at);
  if (!ordered || input > VES_SPACING_OPEN || output > VES_SPACING_OPEN || m == 0 || n == 0 ||
      m > LVES_SIZE_MAX || n > LVES_SIZE_MAX || (double)m * (double)n > LVES_ELEMENTS_MAX ||
      !code_valid(h.code) || !code_valid(h.code + 3) || !lves_accepts(LVES_ACTIVITY, h.rate) ||
      (double)h.salience > VES_SALIENCE_TOTAL_MAX || h.rows > (uint64_t)LVES_DRAW_MAX ||
      h.since >= CARRY)
    refuse(L, path, "is damaged: its header makes no sense");
  h.input = (ves_spacing)input;
  h.output = (ves_spacing)output;
  h.m = (size_t)m;
  h.n = (size_t)n;
  if ((double)size != file_size(h.m, h.n)) refuse(L, path, "is damaged: it has the wrong size");
  return h;
}

/* Whether no output was active more often than its input: then B is at least B0. Every input has
 * bins, as get_evidence leaves them. */
static bool counts_consistent(const ves_evidence *ev) {
  for (size_t i = 0; i < ev->m; i++) {
    const double *hi = ves_evidence_bins(ev, i), *lo = hi + ev->n;
    for (size_t j = 0; j < ev->n; j++) {
      const double against = (ev->presence_hi[i] - hi[j]) + (ev->presence_lo[i] - lo[j]);
      if (!(against >= 0) || !(hi[j] + lo[j] >= 0)) return false;
    }
  }
  return true;
}

/* False if a number is none that a network could have. */
static bool get_evidence(const unsigned char *at, const header *h, ves_evidence *ev) {
  const double most = 2 * VES_SALIENCE_TOTAL_MAX;
  const size_t cells = h->m * h->n;
  ev->salience = h->salience;
  ev->rows = h->rows;
  ev->since = h->since;
  bool good = get_doubles(&at, 1e-100, 1e100, cells, ev->a0) &&
              get_doubles(&at, 1e-100, 1e100, cells, ev->b0);
  for (size_t i = 0; i < h->m && good; i++)
    good = get_doubles(&at, -most, most, h->n, ves_evidence_own_bins(ev, i));
  for (size_t i = 0; i < h->m && good; i++)
    good = get_doubles(&at, -1, 1, h->n, ves_evidence_own_bins(ev, i) + h->n);
  return good && get_doubles(&at, -most, most, h->m, ev->presence_hi) &&
         get_doubles(&at, -1, 1, h->m, ev->presence_lo) && counts_consistent(ev);
}

/*** ves.load(path) -> network
 * Reads a network that network:save has written, bit for bit. A damaged file is an error.
 * @param path string: the file
 * @return network
 * @example code = ves.code{n = 5, lo = 0, hi = 1, sigma = 0.1}
 * @example net = ves.network{input = code, output = code, rng = rng}
 * @example path = os.tmpname(); net:save(path); print(ves.load(path).A == net.A); os.remove(path)
 */
int lves_load(lua_State *L) {
  const char *fn = "ves.load";
  lves_arity(L, fn, 1);
  const lves_arg arg = lves_argument(L, fn, 1, "path");
  size_t size;
  const unsigned char *bytes = (const unsigned char *)lves_read_file(&arg, &size), *at = bytes;
  const char *path = lua_tostring(L, 1);
  const header h = get_header(L, path, &at, size);
  if (checksum(bytes, size - 8) != lves_get_bits(bytes + size - 8, 8))
    refuse(L, path, "is damaged: its checksum does not match");
  lves_network *net = lves_push_network(L);
  lves_check(L, fn, ves_code_alloc(&net->input, h.m, h.code[0], h.code[1], h.code[2], h.input));
  lves_check(L, fn, ves_code_alloc(&net->output, h.n, h.code[3], h.code[4], h.code[5], h.output));
  lves_check(L, fn, ves_evidence_alloc(&net->evidence, h.m, h.n, h.rate));
  lves_check(L, fn, ves_evidence_own_priors(&net->evidence));
  if (!get_evidence(at, &h, &net->evidence))
    refuse(L, path, "is damaged: its evidence makes no sense");
  lves_push_code(L, fn, h.m, h.code[0], h.code[1], h.code[2], h.input);
  lua_setiuservalue(L, -2, LVES_NET_INPUT);
  lves_push_code(L, fn, h.n, h.code[3], h.code[4], h.code[5], h.output);
  lua_setiuservalue(L, -2, LVES_NET_OUTPUT);
  net->closed = false;
  return 1;
}
