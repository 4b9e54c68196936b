/* ves_simd: whether plain C computes, or vector instructions.
 *
 * The scalar path is the definition. A vector path (csrc/core/avx2) repeats it faster, with the
 * same bits, and is used where the processor has the instructions; tests compare the two. */
#ifndef VES_SIMD_H
#define VES_SIMD_H

#include <stdbool.h>

/* Selects the vector path if `on` and the processor has it, otherwise the scalar one, which is also
 * in use at the start. Returns the name of the path now in use: "avx2" ("simd128" in a
 * web page) or "scalar". */
const char *ves_simd_select(bool on);

/* Whether the vector path is the one in use. */
bool ves_simd_in_use(void);

/* Whether the vector path was compiled and the processor has its instructions (ves_simd_avx2.c). */
bool ves_simd_supported(void);

#endif
