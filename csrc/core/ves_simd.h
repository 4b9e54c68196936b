/* ves_simd: whether plain C computes, or vector instructions.
 *
 * The scalar path is the definition. A vector path (csrc/core/avx2) repeats it faster, with the
 * same bits, and is used where the processor has the instructions. Where it has wider ones, learning
 * and draws of weights are done by them (csrc/core/avx512), again with the same bits; tests compare
 * all. */
#ifndef VES_SIMD_H
#define VES_SIMD_H

#include <stdbool.h>

/* Selects the vector path if `on` and the processor has it, otherwise the scalar one, which is also
 * in use at the start. Returns the name of the path now in use: "avx512", "avx2" ("simd128" in a
 * web page) or "scalar". */
const char *ves_simd_select(bool on);

/* Keeps the vector path from AVX-512 if `only` AVX2 is wanted. Returns the name of the path. */
const char *ves_simd_narrow(bool only);

/* Whether the vector path is the one in use. */
bool ves_simd_in_use(void);

/* Whether it uses AVX-512. */
bool ves_simd_wide(void);

/* Whether the vector path was compiled and the processor has its instructions (ves_simd_avx2.c). */
bool ves_simd_supported(void);

/* The same of AVX-512 (ves_simd_avx512.c). */
bool ves_simd_wide_supported(void);

#endif
