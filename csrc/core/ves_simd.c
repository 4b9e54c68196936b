/* ves_simd: the path in use. */
#include "ves_simd.h"

#ifdef __wasm_simd128__
#define VECTOR "simd128"
#else
#define VECTOR "avx2"
#endif

static bool in_use = false;

const char *ves_simd_select(bool on) {
  in_use = on && ves_simd_supported();
  return in_use ? VECTOR : "scalar";
}

bool ves_simd_in_use(void) { return in_use; }
