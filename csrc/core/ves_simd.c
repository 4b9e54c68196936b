/* ves_simd: the path in use. */
#include "ves_simd.h"

static bool in_use = false;

const char *ves_simd_select(bool on) {
  in_use = on && ves_simd_supported();
  return in_use ? "avx2" : "scalar";
}

bool ves_simd_in_use(void) { return in_use; }
