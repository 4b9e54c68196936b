/* ves_rng_simd: what a vector path of the generator provides. Private to ves_rng*.c. */
#ifndef VES_RNG_SIMD_H
#define VES_RNG_SIMD_H

#include "ves_rng.h"

typedef struct {
  const char *name;
  void (*bytes)(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                uint8_t *out);
  uint64_t (*word)(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row, size_t w);
} ves_simd_path;

/* The AVX2 path, or NULL where the processor (or the compiler's target) has none. */
const ves_simd_path *ves_simd_avx2(void);

/* Decides a tie of the coarse byte of `synapse`: whether its 32 refinement bits are below `fine`.
 */
bool ves_mask_refine(uint64_t fine, uint64_t key, uint64_t draw, uint32_t row, size_t synapse);

#endif
