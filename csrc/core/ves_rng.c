/* ves_rng: keys, words and masks, the scalar path. This file is the definition; ves_rng_avx2.c only
 * repeats it faster.
 *
 * Why a counter-based generator: a conventional generator hands out numbers in the order in which
 * it is asked, so every change of loop order, batch size or number of workers changes the results.
 * Philox is a keyed bijection of a counter (ten rounds of 32 x 32 -> 64 bit multiplication), so a
 * random number has an address, and two runs that ask for the same address get the same number
 * whoever asks and when.
 *
 * Why eight bits per synapse: a mask needs one comparison per synapse, and nearly always its first
 * eight bits decide it. A byte below the leading byte of the threshold is below the threshold, a
 * byte above is above; only on a tie, one time in 256, are 32 more bits looked at. The comparison
 * is that of a 40-bit uniform integer with a 40-bit threshold, so the probability is exact to
 * 2^-41, yet sixteen synapses share one call of the generator.
 *
 * Why names are hashed with the generator itself: a key absorbs 96 bits of a name at a time by k <-
 * the first 64 bits of Philox(k, block). For a fixed key this is a truncated permutation of the
 * block, so equal-length names collide only by chance (2^-64), and no second primitive is needed.
 * Hash blocks carry a constant in the counter word that for draws holds the high half of the draw
 * index, which the bindings keep below 2^21: the two never meet. */
#include "ves_rng_private.h"
#include <Random123/philox.h>
#include <stdlib.h>
#include <string.h>

/* ---- the generator ---- */

static philox4x32_key_t philox_key(uint64_t key) {
  const philox4x32_key_t k = {{(uint32_t)key, (uint32_t)(key >> 32)}};
  return k;
}

static philox4x32_ctr_t block_at(uint64_t key, uint64_t draw, uint32_t row, uint32_t block) {
  const philox4x32_ctr_t c = {{block, row, (uint32_t)draw, (uint32_t)(draw >> 32)}};
  return philox4x32(c, philox_key(key));
}

/* ---- keys ---- */

enum { HASH_HEAD = 0x76657369, HASH_BODY = 0x636c6521 };
enum { NAME_SEED = 1, NAME_INTEGER, NAME_REAL, NAME_STRING };

static uint64_t absorb(uint64_t key, uint32_t a, uint32_t b, uint32_t c, uint32_t part) {
  const philox4x32_ctr_t block = {{a, b, c, part}};
  const philox4x32_ctr_t r = philox4x32(block, philox_key(key));
  return (uint64_t)r.v[1] << 32 | r.v[0];
}

static uint64_t absorb_word(uint64_t key, uint32_t type, uint64_t value) {
  return absorb(key, type, (uint32_t)value, (uint32_t)(value >> 32), HASH_HEAD);
}

uint64_t ves_key_root(uint64_t seed) { return absorb_word(0, NAME_SEED, seed); }

uint64_t ves_key_integer(uint64_t key, int64_t value) {
  return absorb_word(key, NAME_INTEGER, (uint64_t)value);
}

uint64_t ves_key_real(uint64_t key, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return absorb_word(key, NAME_REAL, bits);
}

/* Little-endian whatever the machine, so that a name has one key. */
static uint32_t word_of(const unsigned char *bytes, size_t available) {
  uint32_t w = 0;
  for (size_t i = 0; i < 4 && i < available; i++) w |= (uint32_t)bytes[i] << (8 * i);
  return w;
}

uint64_t ves_key_string(uint64_t key, const char *bytes, size_t length) {
  const unsigned char *s = (const unsigned char *)bytes;
  key = absorb_word(key, NAME_STRING, length);
  for (size_t at = 0; at < length; at += 12) {
    const size_t left = length - at;
    key = absorb(key, word_of(s + at, left), left > 4 ? word_of(s + at + 4, left - 4) : 0,
                 left > 8 ? word_of(s + at + 8, left - 8) : 0, HASH_BODY);
  }
  return key;
}

/* ---- scalar draws through GSL ---- */

typedef struct {
  uint64_t key, draw;
  uint32_t row, block; /* block: the next one to make */
  unsigned used;       /* words of the present block already handed out */
  philox4x32_ctr_t words;
} philox_state;

_Static_assert(sizeof(philox_state) <= VES_RNG_STATE_WORDS * sizeof(uint64_t), "room for it");

static void seek(philox_state *s, uint64_t key, uint64_t draw, uint32_t row) {
  s->key = key;
  s->draw = draw;
  s->row = row;
  s->block = 0;
  s->used = 4;
}

static void philox_set(void *state, unsigned long seed) {
  seek(state, ves_key_root(seed), 0, VES_ROW_SCALAR);
}

static uint32_t next_word(philox_state *s) {
  if (s->used == 4) {
    s->words = block_at(s->key, s->draw, s->row, s->block++);
    s->used = 0;
  }
  return s->words.v[s->used++];
}

static unsigned long philox_get(void *state) { return next_word(state); }

/* Uniform on [0, 1) with all 53 bits of a double. */
static double uniform_of(uint32_t first, uint32_t second) {
  return (double)((uint64_t)(first >> 5) << 26 | second >> 6) * 0x1p-53;
}

static double philox_get_double(void *state) {
  const uint32_t first = next_word(state);
  return uniform_of(first, next_word(state));
}

void ves_uniform_pairs_scalar(uint64_t key, uint64_t first, size_t draws, double *first_of,
                              double *second_of) {
  for (size_t d = 0; d < draws; d++) {
    const philox4x32_ctr_t r = block_at(key, first + d, VES_ROW_SCALAR, 0);
    first_of[d] = uniform_of(r.v[0], r.v[1]);
    second_of[d] = uniform_of(r.v[2], r.v[3]);
  }
}

static void pairs_at_scalar(uint64_t key, const uint32_t *draw, size_t count, double *first_of,
                            double *second_of) {
  for (size_t i = 0; i < count; i++)
    ves_uniform_pairs_scalar(key, draw[i], 1, first_of + draw[i], second_of + draw[i]);
}

static const gsl_rng_type philox_type = {"ves_philox4x32_10",  UINT32_MAX, 0,
                                         sizeof(philox_state), philox_set, philox_get,
                                         philox_get_double};

const gsl_rng_type *const ves_rng_philox = &philox_type;

void ves_rng_seek(gsl_rng *r, uint64_t key, uint64_t draw, uint32_t row) {
  seek(gsl_rng_state(r), key, draw, row);
}

/* ---- masks ---- */

bool ves_thresholds_alloc(ves_thresholds *t, size_t n) {
  t->n = n;
  t->words = (n + 63) / 64;
  t->coarse = calloc(t->words * 64, sizeof *t->coarse);
  t->fine = calloc(t->words * 64, sizeof *t->fine);
  if (t->coarse != NULL && t->fine != NULL) return true;
  ves_thresholds_free(t);
  return false;
}

void ves_thresholds_free(ves_thresholds *t) {
  free(t->coarse);
  free(t->fine);
  t->coarse = NULL;
  t->fine = NULL;
}

uint32_t ves_mask_fine(uint64_t key, uint64_t draw, uint32_t row, size_t i) {
  return block_at(key, draw, row, VES_FINE_BLOCKS | (uint32_t)(i / 4)).v[i % 4];
}

/* Whether the refinement word of a synapse lies below the fine part of its threshold. */
bool ves_mask_refine(uint64_t fine, uint64_t key, uint64_t draw, uint32_t row, size_t i) {
  return fine != 0 && ves_mask_fine(key, draw, row, i) < fine;
}

uint64_t ves_mask_break(const ves_thresholds *t, uint64_t ties, uint64_t key, uint64_t draw,
                        uint32_t row, size_t w) {
  uint64_t mask = 0;
  for (; ties != 0; ties &= ties - 1) {
    const size_t b = (size_t)__builtin_ctzll(ties), i = 64 * w + b;
    mask |= (uint64_t)ves_mask_refine(t->fine[i], key, draw, row, i) << b;
  }
  return mask;
}

bool ves_mask_bit(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row, size_t i) {
  const uint32_t word = block_at(key, draw, row, (uint32_t)(i / 16)).v[i % 16 / 4];
  const uint8_t byte = (uint8_t)(word >> (8 * (i % 4)));
  return byte < t->coarse[i] ||
         (byte == t->coarse[i] && ves_mask_refine(t->fine[i], key, draw, row, i));
}

static void bytes_scalar(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                         uint8_t *out) {
  for (size_t b = 0; b < blocks; b++) {
    const philox4x32_ctr_t r = block_at(key, draw, row, first + (uint32_t)b);
    for (int i = 0; i < 16; i++) *out++ = (uint8_t)(r.v[i / 4] >> (8 * (i % 4)));
  }
}

/* Which of 64 bytes are below their thresholds' coarse ones, and which tie. */
static uint64_t compare_scalar(const uint8_t *coarse, const uint8_t *byte, uint64_t *ties) {
  uint64_t mask = 0;
  *ties = 0;
  for (size_t b = 0; b < 64; b++) {
    mask |= (uint64_t)(byte[b] < coarse[b]) << b;
    *ties |= (uint64_t)(byte[b] == coarse[b]) << b;
  }
  return mask;
}

static uint64_t word_scalar(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                            size_t w) {
  uint8_t byte[64];
  bytes_scalar(key, draw, row, (uint32_t)(4 * w), 4, byte);
  uint64_t ties;
  const uint64_t mask = compare_scalar(t->coarse + 64 * w, byte, &ties);
  return mask | ves_mask_break(t, ties, key, draw, row, w);
}

static void mask_scalar(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                        uint64_t *mask) {
  for (size_t w = 0; w < t->words; w++) mask[w] = word_scalar(t, key, draw, row, w);
}

/* ---- the path in use ---- */

static const ves_rng_path scalar = {bytes_scalar, word_scalar, mask_scalar,
                                    ves_uniform_pairs_scalar, pairs_at_scalar};

static const ves_rng_path *path(void) { return ves_simd_in_use() ? &ves_rng_avx2 : &scalar; }

void ves_philox_bytes(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                      uint8_t *out) {
  path()->bytes(key, draw, row, first, blocks, out);
}

uint64_t ves_mask_word(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                       size_t w) {
  return path()->word(t, key, draw, row, w);
}

void ves_mask_draw(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                   uint64_t *mask) {
  path()->mask(t, key, draw, row, mask);
}

void ves_uniform_pairs(uint64_t key, uint64_t first, size_t draws, double *first_of,
                       double *second_of) {
  path()->pairs(key, first, draws, first_of, second_of);
}

void ves_uniform_pairs_at(uint64_t key, const uint32_t *draw, size_t count, double *first_of,
                          double *second_of) {
  path()->pairs_at(key, draw, count, first_of, second_of);
}
