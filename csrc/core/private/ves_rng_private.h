/* ves_rng_private: what the generator, its vector path and the kernels that draw masks share. */
#ifndef VES_RNG_PRIVATE_H
#define VES_RNG_PRIVATE_H

#include "ves_rng.h"
#include "ves_simd.h"

/* The functions that differ between the scalar path and the vector path. */
typedef struct {
  void (*bytes)(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                uint8_t *out); /* ves_philox_bytes */
  uint64_t (*word)(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                   size_t w); /* ves_mask_word */
  void (*mask)(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
               uint64_t *mask); /* ves_mask_draw */
  void (*pairs)(uint64_t key, uint64_t first, size_t draws, double *first_of,
                double *second_of); /* ves_uniform_pairs */
  void (*pairs_at)(uint64_t key, const uint32_t *draw, size_t count, double *first_of,
                   double *second_of); /* ves_uniform_pairs_at */
} ves_rng_path;

/* Room for the state of ves_rng_philox, so that a generator can stand on the stack. */
#define VES_RNG_STATE_WORDS 8

/* Only to be used where ves_simd_in_use(). */
extern const ves_rng_path ves_rng_avx2;

/* Refinement words live in the upper half of the block range. */
#define VES_FINE_BLOCKS UINT32_C(0x80000000)

/* Decides the ties of 64 synapses: which of the set bits of `ties` transmit by their refinement
 * words. */
uint64_t ves_mask_break(const ves_thresholds *t, uint64_t ties, uint64_t key, uint64_t draw,
                        uint32_t row, size_t w);

/* The refinement word of synapse i: what follows its byte. */
uint32_t ves_mask_fine(uint64_t key, uint64_t draw, uint32_t row, size_t i);

/* The refinement of synapse i: whether it transmits, given that its byte ties. */
bool ves_mask_refine(uint64_t fine, uint64_t key, uint64_t draw, uint32_t row, size_t i);

/* Whether synapse i transmits: one bit of ves_mask_draw. */
bool ves_mask_bit(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row, size_t i);

void ves_uniform_pairs_scalar(uint64_t key, uint64_t first, size_t draws, double *first_of,
                              double *second_of);

/* As ves_uniform_pairs for draws 0, 1, ..., but only those that are listed. */
void ves_uniform_pairs_at(uint64_t key, const uint32_t *draw, size_t count, double *first_of,
                          double *second_of);

#endif
