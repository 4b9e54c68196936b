/* ves_rng_simd: what a vector path of the generator provides, and what it may use. Private to the
 * core. */
#ifndef VES_RNG_SIMD_H
#define VES_RNG_SIMD_H

#include "ves_rng.h"

typedef struct {
  const char *name;
  void (*bytes)(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                uint8_t *out);
  uint64_t (*word)(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row, size_t w);
  void (*pairs)(uint64_t key, uint64_t first, size_t draws, double *first_of, double *second_of);
} ves_simd_path;

/* The AVX2 path, or NULL where the processor (or the compiler's target) has none. */
const ves_simd_path *ves_simd_avx2(void);

/* Whether the vector path is the one in use. */
bool ves_simd_in_use(void);

/* Decides the ties of 64 synapses: which of the set bits of `ties` transmit by their refinement
 * words. */
uint64_t ves_mask_break(const ves_thresholds *t, uint64_t ties, uint64_t key, uint64_t draw,
                        uint32_t row, size_t w);

/* The refinement of synapse i: whether it transmits, given that its byte ties. */
bool ves_mask_refine(uint64_t fine, uint64_t key, uint64_t draw, uint32_t row, size_t i);

/* Whether synapse i transmits: one bit of ves_mask_draw. */
bool ves_mask_bit(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row, size_t i);

void ves_uniform_pairs_scalar(uint64_t key, uint64_t first, size_t draws, double *first_of,
                              double *second_of);

#endif
