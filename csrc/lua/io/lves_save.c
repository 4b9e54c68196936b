/* lves_save: networks on disk, bit for bit.
 *
 * The file, all numbers little-endian, 8 bytes each, doubles as their IEEE bits:
 *
 *     "vesicle network\n"                          16 bytes
 *     version  inputs  places                      input codes, inputs that were ever active
 *     n spacing lo hi sigma                        of each input code, then of the output
 *     key a_lo a_hi b_lo b_hi                      the prior evidence, drawn whenever it is read
 *     rate  salience rows since
 *     i presence_hi presence_lo joint_hi joint_lo  of each place, i ascending: 3 + 2 n numbers
 *     checksum                                     64-bit FNV-1a of all bytes before it
 *
 * So a file is as long as what was seen is wide, also where the input is a product of codes.
 * What is read is believed only after the size, the checksum and every number have been checked: a
 * damaged or hostile file is an error, never a strange network. */
#include "lves.h"
#include "lves_bytes.h"

#include <math.h>
#include <string.h>

static const char magic[] = "vesicle network\n";
enum { MAGIC = sizeof magic - 1, VERSION = 3, OF_CODE = 5 };
enum { CARRY = 1 << 15 }; /* ves_evidence.c carries its bins before so many rows have been added */

/* The bytes a file has; before its places there is the header. */
static double file_size(size_t inputs, size_t places, size_t n) {
  const double header = 3 + OF_CODE * (double)(inputs + 1) + 5 + 4;
  return MAGIC + 8 * (header + (double)places * (3 + 2 * (double)n) + 1);
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

static void put_code(unsigned char **at, const ves_code *code) {
  const double range[] = {code->lo, code->hi, code->sigma};
  put_word(at, code->n);
  put_word(at, code->spacing);
  put_doubles(at, range, 3);
}

static void put_places(unsigned char **at, const ves_evidence *ev) {
  for (size_t i = 0; i < ev->m; i++) {
    const double *bins = ves_evidence_bins(ev, i);
    if (bins == NULL) continue;
    put_word(at, i);
    put_doubles(at, &ev->presence_hi[i], 1);
    put_doubles(at, &ev->presence_lo[i], 1);
    put_doubles(at, bins, 2 * ev->n);
  }
}

static void put_network(unsigned char *start, const lves_network *net) {
  const ves_evidence *ev = &net->evidence;
  const double prior[] = {ev->prior.a_lo, ev->prior.a_hi, ev->prior.b_lo, ev->prior.b_hi};
  unsigned char *at = start + MAGIC;
  memcpy(start, magic, MAGIC);
  put_word(&at, VERSION);
  put_word(&at, net->input.count);
  put_word(&at, ev->places);
  for (size_t c = 0; c < net->input.count; c++) put_code(&at, &net->input.code[c]);
  put_code(&at, &net->output);
  put_word(&at, ev->prior.key);
  put_doubles(&at, prior, 4);
  put_doubles(&at, &ev->rate, 1);
  put_word(&at, ev->salience);
  put_word(&at, ev->rows);
  put_word(&at, ev->since);
  put_places(&at, ev);
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
  const lves_network *net = lves_self_network(L, fn);
  lves_arity(L, fn, 2);
  const lves_arg path = lves_argument(L, fn, 2, "path");
  lves_path_arg(&path);
  const size_t size = (size_t)file_size(net->input.count, net->evidence.places, net->evidence.n);
  lves_box *room = lves_push_room(L, fn, size);
  put_network(room->object, lves_self_network(L, fn));
  lves_write_file(&path, room->object, size);
  lves_box_release(room);
  lua_settop(L, 1);
  return 1;
}

/* ---- loading ---- */

typedef struct {
  uint64_t inputs, places;
  ves_prior prior;
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

/* Reads a code into a box; false if it is none. */
static bool get_code(const unsigned char **at, ves_code *code) {
  double range[3];
  const uint64_t n = get_word(at), spacing = get_word(at);
  if (!get_doubles(at, -HUGE_VAL, HUGE_VAL, 3, range)) return false;
  if (n == 0 || n > LVES_SIZE_MAX || spacing > VES_SPACING_OPEN ||
      !lves_accepts(LVES_COORDINATE, range[0]) || !lves_accepts(LVES_COORDINATE, range[1]) ||
      !(range[0] < range[1]) || !lves_accepts(LVES_POSITIVE, range[2]))
    return false;
  *code = (ves_code){.n = (size_t)n,
                     .lo = range[0],
                     .hi = range[1],
                     .sigma = range[2],
                     .spacing = (ves_spacing)spacing};
  return true;
}

static bool get_prior(const unsigned char **at, ves_prior *prior) {
  double range[4];
  prior->key = get_word(at);
  if (!get_doubles(at, 1e-100, 1e100, 4, range)) return false;
  prior->a_lo = range[0];
  prior->a_hi = range[1];
  prior->b_lo = range[2];
  prior->b_hi = range[3];
  return range[0] <= range[1] && range[2] <= range[3];
}

/* Reads the header of a file of `size` bytes, and what the codes are (they own nothing yet); *at
 * then stands behind it. `code` has room for the inputs and the output. */
static header get_header(lua_State *L, const char *path, const unsigned char **at, size_t size,
                         ves_code *code) {
  const char *nonsense = "is damaged: its header makes no sense";
  header h;
  if (size < MAGIC + 24 || memcmp(*at, magic, MAGIC) != 0)
    refuse(L, path, "is not a vesicle network");
  *at += MAGIC;
  const uint64_t version = get_word(at);
  if (version != VERSION)
    lves_error(L, "ves.load", "'%s' has format version %f: expected %d", path, (double)version,
               VERSION);
  h.inputs = get_word(at);
  h.places = get_word(at);
  if (h.inputs == 0 || h.inputs > VES_PRODUCT_MAX || h.places > LVES_SIZE_MAX)
    refuse(L, path, nonsense);
  if ((double)size < file_size((size_t)h.inputs, 0, 0))
    refuse(L, path, "is damaged: it has the wrong size");
  double m = 1;
  bool good = true;
  for (size_t c = 0; c <= h.inputs && good; c++) good = get_code(at, &code[c]);
  for (size_t c = 0; c < h.inputs && good; c++) m *= (double)code[c].n;
  good = good && get_prior(at, &h.prior) && get_doubles(at, -HUGE_VAL, HUGE_VAL, 1, &h.rate);
  if (!good) refuse(L, path, nonsense);
  h.salience = get_word(at);
  h.rows = get_word(at);
  h.since = get_word(at);
  const size_t n = code[h.inputs].n;
  if (m > LVES_SIZE_MAX || m * (double)n > LVES_ELEMENTS_MAX || (double)h.places > m ||
      !lves_accepts(LVES_ACTIVITY, h.rate) || (double)h.salience > VES_SALIENCE_TOTAL_MAX ||
      h.rows > (uint64_t)LVES_DRAW_MAX || h.since >= CARRY)
    refuse(L, path, nonsense);
  if ((double)size != file_size((size_t)h.inputs, (size_t)h.places, n))
    refuse(L, path, "is damaged: it has the wrong size");
  return h;
}

/* Whether no output was active more often than input i: then B is at least B0. */
static bool counts_consistent(const ves_evidence *ev, size_t i) {
  const double *hi = ves_evidence_bins(ev, i), *lo = hi + ev->n;
  for (size_t j = 0; j < ev->n; j++) {
    const double against = (ev->presence_hi[i] - hi[j]) + (ev->presence_lo[i] - lo[j]);
    if (!(against >= 0) || !(hi[j] + lo[j] >= 0)) return false;
  }
  return true;
}

/* False if a number is none that a network could have. */
static bool get_evidence(const unsigned char *at, const header *h, ves_evidence *ev) {
  const double most = 2 * VES_SALIENCE_TOTAL_MAX;
  ev->prior = h->prior;
  ev->salience = h->salience;
  ev->rows = h->rows;
  ev->since = h->since;
  uint64_t next = 0; /* the least that the next place may be */
  for (uint64_t p = 0; p < h->places; p++) {
    const uint64_t place = get_word(&at);
    if (place < next || place >= ev->m) return false;
    next = place + 1;
    const size_t i = (size_t)place;
    double *bins = ves_evidence_own_bins(ev, i);
    if (!get_doubles(&at, -most, most, 1, &ev->presence_hi[i]) ||
        !get_doubles(&at, -1, 1, 1, &ev->presence_lo[i]) ||
        !get_doubles(&at, -most, most, ev->n, bins) ||
        !get_doubles(&at, -1, 1, ev->n, bins + ev->n) || !counts_consistent(ev, i))
      return false;
  }
  return true;
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
  ves_code code[VES_PRODUCT_MAX + 1];
  const header h = get_header(L, path, &at, size, code);
  if (checksum(bytes, size - 8) != lves_get_bits(bytes + size - 8, 8))
    refuse(L, path, "is damaged: its checksum does not match");
  lves_network *net = lves_push_network(L);
  const ves_code *input[VES_PRODUCT_MAX], *output = &code[h.inputs];
  for (size_t c = 0; c < h.inputs; c++) input[c] = &code[c];
  lves_check(L, fn, ves_product_alloc(&net->input, input, (size_t)h.inputs));
  lves_check(L, fn,
             ves_code_alloc(&net->output, output->n, output->lo, output->hi, output->sigma,
                            output->spacing));
  lves_check(L, fn, ves_evidence_alloc(&net->evidence, net->input.n, output->n, h.rate));
  if (!get_evidence(at, &h, &net->evidence))
    refuse(L, path, "is damaged: its evidence makes no sense");
  lves_push_codes(L, fn, &net->input);
  lua_setiuservalue(L, -2, LVES_NET_INPUT);
  lves_push_code(L, fn, output->n, output->lo, output->hi, output->sigma, output->spacing);
  lua_setiuservalue(L, -2, LVES_NET_OUTPUT);
  net->closed = false;
  return 1;
}
