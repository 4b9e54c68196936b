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
 * It is written under a temporary name and renamed, so that a file of the final name is whole. What
 * is read is believed only after the size, the checksum and every number have been checked: a
 * damaged or hostile file is an error, never a strange network. */
#include "lves.h"
#include "lves_bytes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char magic[] = "vesicle network\n";
enum { MAGIC = sizeof magic - 1, VERSION = 1, HEADER = 13 };
enum { CARRY = 1 << 15 }; /* ves_evidence.c carries its bins before so many rows have been added */

/* ---- a file with a running checksum ---- */

typedef struct {
  FILE *file;
  uint64_t sum;
  bool good;
} channel;

static void release_channel(void *object) {
  channel *c = object;
  if (c->file != NULL) fclose(c->file);
  c->file = NULL;
}

static channel *push_channel(lua_State *L, const char *path, const char *mode) {
  lves_box *box = lves_push_box(L, sizeof(channel), release_channel);
  channel *c = lves_box_room(box);
  *c = (channel){
      .file = lves_open(L, path, mode), .sum = UINT64_C(14695981039346656037), .good = true};
  box->object = c;
  return c;
}

static void absorb(channel *c, const unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) c->sum = (c->sum ^ bytes[i]) * UINT64_C(1099511628211);
}

static void put_bytes(channel *c, const void *bytes, size_t count) {
  absorb(c, bytes, count);
  if (c->good && fwrite(bytes, 1, count, c->file) != count) c->good = false;
}

static void put_word(channel *c, uint64_t word) {
  unsigned char bytes[8];
  lves_put_bits(bytes, word, sizeof bytes);
  put_bytes(c, bytes, sizeof bytes);
}

static void put_double(channel *c, double value) {
  unsigned char bytes[8];
  lves_put_double(bytes, value);
  put_bytes(c, bytes, sizeof bytes);
}

static void put_doubles(channel *c, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) put_double(c, values[i]);
}

static void get_bytes(channel *c, void *bytes, size_t count) {
  memset(bytes, 0, count);
  if (c->good && fread(bytes, 1, count, c->file) != count) c->good = false;
  absorb(c, bytes, count);
}

static uint64_t get_word(channel *c) {
  unsigned char bytes[8];
  get_bytes(c, bytes, sizeof bytes);
  return lves_get_bits(bytes, sizeof bytes);
}

static double get_double(channel *c) {
  unsigned char bytes[8];
  get_bytes(c, bytes, sizeof bytes);
  return lves_get_double(bytes);
}

/* Reads numbers of [lo, hi]; anything else spoils the channel. */
static void get_doubles(channel *c, double lo, double hi, size_t count, double *values) {
  for (size_t i = 0; i < count && c->good; i++) {
    values[i] = get_double(c);
    if (!(values[i] >= lo && values[i] <= hi)) c->good = false;
  }
}

/* ---- saving ---- */

static void put_code(channel *c, const ves_code *code) {
  put_double(c, code->lo);
  put_double(c, code->hi);
  put_double(c, code->sigma);
}

static void put_priors(channel *c, const ves_evidence *ev, bool against) {
  enum { CELLS = 256 };
  double prior[2][CELLS];
  for (size_t first = 0, now; first < ev->m * ev->n; first += now) {
    now = ev->m * ev->n - first < CELLS ? ev->m * ev->n - first : CELLS;
    ves_evidence_prior_cells(ev, first, now, prior[0], prior[1]);
    put_doubles(c, prior[against], now);
  }
}

/* The high bins of all inputs, or from n on the low ones. */
static void put_bins(channel *c, const ves_evidence *ev, size_t from) {
  for (size_t i = 0; i < ev->m; i++) {
    const double *bins = ves_evidence_bins(ev, i);
    for (size_t j = 0; j < ev->n; j++) put_double(c, bins != NULL ? bins[from + j] : 0.0);
  }
}

static void put_network(channel *c, const lves_network *net) {
  const ves_evidence *ev = &net->evidence;
  put_bytes(c, magic, MAGIC);
  put_word(c, VERSION);
  put_word(c, ev->m);
  put_word(c, ev->n);
  put_code(c, &net->input);
  put_code(c, &net->output);
  put_double(c, ev->rate);
  put_word(c, ev->salience);
  put_word(c, ev->rows);
  put_word(c, ev->since);
  put_priors(c, ev, false);
  put_priors(c, ev, true);
  put_bins(c, ev, 0);
  put_bins(c, ev, ev->n);
  put_doubles(c, ev->presence_hi, ev->m);
  put_doubles(c, ev->presence_lo, ev->m);
  put_word(c, c->sum);
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
  lves_self_network(L, fn);
  lves_arity(L, fn, 2);
  const lves_arg arg = lves_argument(L, fn, 2, "path");
  const char *path = lves_path_arg(&arg);
  const char *partial = lua_pushfstring(L, "%s.partial", path);
  channel *c = push_channel(L, partial, "wb");
  if (c->file == NULL) lves_error(L, fn, "cannot write '%s': %s", path, strerror(errno));
  put_network(c, lves_self_network(L, fn));
  if (fclose(c->file) != 0) c->good = false;
  c->file = NULL;
  if (!c->good || rename(partial, path) != 0) {
    const char *reason = strerror(errno);
    remove(partial);
    lves_error(L, fn, "cannot write '%s': %s", path, reason);
  }
  lua_settop(L, 1);
  return 1;
}

/* ---- loading ---- */

typedef struct {
  size_t m, n;
  double code[6]; /* lo, hi, sigma of input and output */
  double rate;
  uint64_t salience, rows, since;
} header;

_Noreturn static void refuse(lua_State *L, const char *path, const char *reason) {
  lves_error(L, "ves.load", "'%s' %s", path, reason);
}

static bool code_valid(const double *code) {
  return lves_accepts(LVES_COORDINATE, code[0]) && lves_accepts(LVES_COORDINATE, code[1]) &&
         code[0] < code[1] && lves_accepts(LVES_POSITIVE, code[2]);
}

static header get_header(lua_State *L, const char *path, channel *c) {
  char start[MAGIC];
  header h;
  get_bytes(c, start, sizeof start);
  if (!c->good || memcmp(start, magic, MAGIC) != 0) refuse(L, path, "is not a vesicle network");
  const uint64_t version = get_word(c);
  if (c->good && version != VERSION)
    lves_error(L, "ves.load", "'%s' has format version %f: expected %d", path, (double)version,
               VERSION);
  const uint64_t m = get_word(c), n = get_word(c);
  for (size_t i = 0; i < 6; i++) h.code[i] = get_double(c);
  h.rate = get_double(c);
  h.salience = get_word(c);
  h.rows = get_word(c);
  h.since = get_word(c);
  if (!c->good || m == 0 || n == 0 || m > LVES_SIZE_MAX || n > LVES_SIZE_MAX ||
      (double)m * (double)n > LVES_ELEMENTS_MAX || !code_valid(h.code) || !code_valid(h.code + 3) ||
      !lves_accepts(LVES_ACTIVITY, h.rate) || (double)h.salience > VES_SALIENCE_TOTAL_MAX ||
      h.rows > (uint64_t)LVES_DRAW_MAX || h.since >= CARRY)
    refuse(L, path, "is damaged: its header makes no sense");
  h.m = (size_t)m;
  h.n = (size_t)n;
  return h;
}

/* The size a file with this header must have. */
static double file_size(const header *h) {
  const double cells = (double)h->m * (double)h->n;
  return MAGIC + 8.0 * (HEADER + 1 + 4 * cells + 2 * (double)h->m);
}

static double size_of(FILE *file) {
  const long here = ftell(file);
  if (here < 0 || fseek(file, 0, SEEK_END) != 0) return -1;
  const long size = ftell(file);
  return fseek(file, here, SEEK_SET) == 0 ? (double)size : -1;
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

static void get_evidence(channel *c, const header *h, ves_evidence *ev) {
  const double most = 2 * VES_SALIENCE_TOTAL_MAX;
  const size_t cells = h->m * h->n;
  ev->salience = h->salience;
  ev->rows = h->rows;
  ev->since = h->since;
  get_doubles(c, 1e-100, 1e100, cells, ev->a0);
  get_doubles(c, 1e-100, 1e100, cells, ev->b0);
  for (size_t i = 0; i < h->m; i++) get_doubles(c, -most, most, h->n, ves_evidence_own_bins(ev, i));
  for (size_t i = 0; i < h->m; i++)
    get_doubles(c, -1, 1, h->n, ves_evidence_own_bins(ev, i) + h->n);
  get_doubles(c, -most, most, h->m, ev->presence_hi);
  get_doubles(c, -1, 1, h->m, ev->presence_lo);
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
  const char *path = lves_path_arg(&arg);
  channel *c = push_channel(L, path, "rb");
  if (c->file == NULL) lves_error(L, fn, "cannot read '%s': %s", path, strerror(errno));
  const header h = get_header(L, path, c);
  if (size_of(c->file) != file_size(&h)) refuse(L, path, "is damaged: it has the wrong size");
  lves_network *net = lves_push_network(L);
  lves_check(L, fn, ves_code_alloc(&net->input, h.m, h.code[0], h.code[1], h.code[2]));
  lves_check(L, fn, ves_code_alloc(&net->output, h.n, h.code[3], h.code[4], h.code[5]));
  lves_check(L, fn, ves_evidence_alloc(&net->evidence, h.m, h.n, h.rate));
  lves_check(L, fn, ves_evidence_own_priors(&net->evidence));
  get_evidence(c, &h, &net->evidence);
  const uint64_t sum = c->sum;
  if (!c->good || get_word(c) != sum || !c->good)
    refuse(L, path, "is damaged: its checksum does not match");
  if (!counts_consistent(&net->evidence))
    refuse(L, path, "is damaged: its evidence makes no sense");
  fclose(c->file);
  c->file = NULL;
  lves_push_code(L, fn, h.m, h.code[0], h.code[1], h.code[2]);
  lua_setiuservalue(L, -2, LVES_NET_INPUT);
  lves_push_code(L, fn, h.n, h.code[3], h.code[4], h.code[5]);
  lua_setiuservalue(L, -2, LVES_NET_OUTPUT);
  net->closed = false;
  return 1;
}
