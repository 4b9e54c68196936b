/* ves_rng: randomness that is a function of its address.
 *
 * A stream is a 64-bit key. The words of draw d on row i of a stream are, for block = 0, 1, 2, ...,
 *
 *     Philox4x32-10(key, counter = { block, i, low 32 bits of d, high 32 bits of d })
 *
 * and depend on nothing else: not on what was drawn before, on the order of loops, on batch size,
 * vector width, worker or rank. The generator is Random123's (Salmon et al., SC11,
 * doi:10.1145/2063384.2063405).
 *
 * Three kinds of randomness share the address space:
 *   - scalar draws (uniform, normal, beta, ...) run GSL's distributions on the words of row
 *     VES_ROW_SCALAR, each draw from a fresh block 0, so that a distribution that rejects never
 *     shifts the next draw;
 *   - masks take one byte per synapse (see ves_mask_draw below);
 *   - a substream has a key hashed from its parent's key and a name. */
#ifndef VES_RNG_H
#define VES_RNG_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VES_ROW_SCALAR UINT32_C(0xffffffff)

/* ---- keys ---- */

/* The key of the root stream of a seed, and the keys of named substreams. A key absorbs one
 * component of a name at a time; integers, reals and strings never collide by type. An
 * integer-valued real must be passed as an integer by the caller (3 and 3.0 are one name). */
uint64_t ves_key_root(uint64_t seed);
uint64_t ves_key_integer(uint64_t key, int64_t value);
uint64_t ves_key_real(uint64_t key, double value);
uint64_t ves_key_string(uint64_t key, const char *bytes, size_t length);

/* ---- scalar draws through GSL ---- */

/* A GSL generator type over the words of one draw. gsl_rng_set(r, s) selects the root stream of
 * seed s, draw 0. A generator yields the words of one address; move it with ves_rng_seek before
 * each draw. */
extern const gsl_rng_type *const ves_rng_philox;

void ves_rng_seek(gsl_rng *r, uint64_t key, uint64_t draw, uint32_t row);

/* first_of[d] and second_of[d]: the first two gsl_rng_uniform of draw first + d of the stream, row
 * VES_ROW_SCALAR, for many draws at once. One block of the generator holds both. */
void ves_uniform_pairs(uint64_t key, uint64_t first, size_t draws, double *first_of,
                       double *second_of);

/* ---- raw words ---- */

/* Bytes of `blocks` consecutive blocks at (key, draw, row), starting with block `first`: 16 bytes
 * each, the four words in order, each little-endian. */
void ves_philox_bytes(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                      uint8_t *out);

/* ---- Bernoulli masks ---- */

/* A release probability p is held as T = p * 2^40, rounded to nearest: a coarse byte and a fine
 * rest with T = coarse * 2^32 + fine, 0 <= fine <= 2^32 (p = 1 is coarse 255, fine 2^32, so that it
 * transmits always). */
typedef struct {
  size_t n;        /* synapses */
  size_t words;    /* 64-bit words of a mask over them */
  uint8_t *coarse; /* words * 64 entries; those past n are 0 */
  uint64_t *fine;  /* the same number */
} ves_thresholds;

/* Storage for n thresholds, all of probability 0; false when out of memory. */
bool ves_thresholds_alloc(ves_thresholds *t, size_t n);
void ves_thresholds_free(ves_thresholds *t);

static inline void ves_thresholds_set(ves_thresholds *t, size_t i, double p);

/* The mask of draw `draw` on row `row`: bit i of mask (word i / 64, bit i % 64) is set iff synapse
 * i transmits.
 *
 * Synapse i owns byte i of the address's bytes: it transmits if the byte is below coarse, fails if
 * above; on a tie, the 32-bit word i % 4 of block 2^31 + i / 4 decides, transmitting if below fine.
 * P(transmit) = T / 2^40 exactly. [eq:bernoulli] */
void ves_mask_draw(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                   uint64_t *mask);

/* The same for synapses 64*w .. 64*w+63 only. */
uint64_t ves_mask_word(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                       size_t w);

/* ---- inline part ---- */

#define VES_THRESHOLD_ONE (UINT64_C(1) << 40)

/* p in [0, 1] to T, round half to even: adding 2^12 leaves exactly 40 fraction bits in the double.
 */
static inline uint64_t ves_threshold(double p) {
  const double shifted = p + 4096.0;
  uint64_t bits;
  memcpy(&bits, &shifted, sizeof bits);
  return bits & (2 * VES_THRESHOLD_ONE - 1);
}

static inline uint8_t ves_threshold_coarse(double p) {
  const uint64_t c = ves_threshold(p) >> 32;
  return (uint8_t)(c - (c >> 8));
}

static inline uint64_t ves_threshold_fine(double p) {
  const uint64_t T = ves_threshold(p);
  return (T & UINT32_MAX) + (T >> 40 << 32);
}

static inline void ves_thresholds_set(ves_thresholds *t, size_t i, double p) {
  t->coarse[i] = ves_threshold_coarse(p);
  t->fine[i] = ves_threshold_fine(p);
}

#endif
