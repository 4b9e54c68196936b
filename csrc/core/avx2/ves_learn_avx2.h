/* ves_learn_avx2.h: what the vector kernels of learning share. */
#ifndef VES_LEARN_AVX2_H
#define VES_LEARN_AVX2_H

#include "ves_philox_avx2.h"

/* The random bytes of n synapses in VES_LEARN_BATCH draws from `draw` on, one a synapse, draws
 * `stride` bytes apart; `keys` are the round keys of `key`. */
void ves_learn_bytes_avx2(const philox_keys *keys, uint64_t key, uint64_t draw, uint32_t row,
                          size_t n, size_t stride, uint8_t *bytes);

#endif
