/* other_libm: a mathematical library that rounds another way, for tests/artifact/libm.sh. Preloaded, it calls the real
 * functions and moves two of three results by one unit in the last place, up or down, which is more than a library does.
 * Exact results stay (exp(0), log(1), whole powers of whole numbers): every library has these. SEED chooses the units. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static double moved(double v) {
  if (!isfinite(v) || v == 0) return v;
  const char *seed = getenv("SEED");
  uint64_t h;
  memcpy(&h, &v, sizeof h);
  h = (h + (seed != NULL ? strtoull(seed, NULL, 10) : 0)) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  h ^= h >> 32;
  return h % 3 == 0 ? v : nextafter(v, h % 3 == 1 ? INFINITY : -INFINITY);
}

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

#define OTHER(name, exact_at)                                                                      \
  double name(double x);                                                                           \
  double name(double x) {                                                                          \
    static double (*of)(double);                                                                   \
    if (of == NULL) *(void **)&of = real(#name);                                                   \
    return x == (exact_at) ? of(x) : moved(of(x));                                                 \
  }

OTHER(exp, 0)
OTHER(expm1, 0)
OTHER(log, 1)
OTHER(log1p, 0)
OTHER(log2, 1)
OTHER(log10, 1)
OTHER(sin, 0)
OTHER(cos, 0)
OTHER(tan, 0)
OTHER(sinh, 0)
OTHER(cosh, 0)
OTHER(tanh, 0)
OTHER(erf, 0)
OTHER(erfc, 0)
OTHER(lgamma, 1)
OTHER(tgamma, 1)

double pow(double x, double y);
double pow(double x, double y) {
  static double (*of)(double, double);
  if (of == NULL) *(void **)&of = real("pow");
  const double v = of(x, y);
  const int exact = y == 0 || y == 1 || y == 2 || y == -1 || y == 0.5 || x == 1 ||
                    (x == floor(x) && v == floor(v));
  return exact ? v : moved(v);
}
