/* ves_simd_avx512: whether this processor can run what the files of this folder were compiled to. */
#include "ves_simd.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

bool ves_simd_wide_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
}

#else

bool ves_simd_wide_supported(void) { return false; }

#endif
