/* ves_simd_avx2: whether this processor can run what the files of this folder were compiled to. */
#include "ves_simd.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include <cpuid.h>

/* Compilers do not all know lzcnt's name: its bit is 5 of ecx of leaf 0x80000001. */
static bool counts_leading_zeros(void) {
  unsigned a, b, c = 0, d;
  return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 5 & 1);
}

/* Every processor with AVX2 so far has the bit instructions beside it; a virtual one may hide them.
 */
bool ves_simd_supported(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
         counts_leading_zeros();
}

#elif defined(__wasm_simd128__) /* a page loads what its browser can run (csrc/web) */

bool ves_simd_supported(void) { return true; }

#else

bool ves_simd_supported(void) { return false; }

#endif
