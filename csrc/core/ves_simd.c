/* ves_simd: the path in use. */
#include "ves_simd.h"

#ifdef __wasm_simd128__
#define VECTOR "simd128"
#else
#define VECTOR "avx2"
#endif

static bool in_use = false, wide = false, narrow = false;

const char *ves_simd_select(bool on) {
  in_use = on && ves_simd_supported();
  wide = in_use && !narrow && ves_simd_wide_supported();
  return wide ? "avx512" : in_use ? VECTOR : "scalar";
}

const char *ves_simd_narrow(bool only) {
  narrow = only;
  return ves_simd_select(in_use);
}

bool ves_simd_in_use(void) { return in_use; }

bool ves_simd_wide(void) { return wide; }
