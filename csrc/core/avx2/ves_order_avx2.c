/* ves_order_avx2: the order of up to a few hundred weights, by counting.
 *
 * The place of a weight is the number of those that are stronger, and of equal ones before it. Counting
 * takes n^2 comparisons where a merge takes n log n, but four go into an instruction and none waits for
 * another: a hundred weights are in order in a fifth of the time. Sixteen weights at a time are
 * compared with all: with those before them, which also go first if they are equal; with each other;
 * and with those behind them. */
#include "ves_order_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_simd.h"
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

enum { BESIDE = 4, GROUP = 4 * BESIDE }; /* vectors, and weights in them */

/* One more for the places of those for which `before` is true, which is -1. */
static inline __m256i one_more(__m256i place, __m256d before) {
  return _mm256_sub_epi64(place, _mm256_castpd_si256(before));
}

/* Those of a vector that are weaker than `other`, or as strong. */
static inline __m256d weaker(__m256d own, __m256d other) {
  return _mm256_cmp_pd(own, other, _CMP_LT_OQ);
}
static inline __m256d not_stronger(__m256d own, __m256d other) {
  return _mm256_cmp_pd(own, other, _CMP_LE_OQ);
}

/* Compares the sixteen weights of a group with each other. */
static inline void count_among(const double *group, const __m256d own[BESIDE],
                               __m256i place[BESIDE]) {
  const __m256i number = _mm256_set_epi64x(3, 2, 1, 0);
#pragma GCC unroll 16
  for (int j = 0; j < GROUP; j++) {
    const __m256d other = _mm256_set1_pd(group[j]);
    const __m256d behind =
        _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(j % 4), number)); /* by its sign */
    for (int v = 0; v < j / 4; v++) place[v] = one_more(place[v], weaker(own[v], other));
    const int same = j / 4;
    place[same] = one_more(place[same], _mm256_blendv_pd(weaker(own[same], other),
                                                         not_stronger(own[same], other), behind));
    for (int v = same + 1; v < BESIDE; v++)
      place[v] = one_more(place[v], not_stronger(own[v], other));
  }
}

bool ves_order_avx2(const double *w, size_t n, size_t *order) {
  if (!ves_simd_in_use() || n > VES_ORDER_COUNTED) return false;
  double all[VES_ORDER_COUNTED + GROUP];
  for (size_t i = 0; i < n; i++) {
    if (isnan(w[i])) return false; /* which has no place */
    all[i] = w[i];
  }
  for (size_t i = n; i < n + GROUP; i++) all[i] = -INFINITY;
  for (size_t first = 0; first < n; first += GROUP) {
    __m256d own[BESIDE];
    __m256i place[BESIDE];
    for (int v = 0; v < BESIDE; v++) {
      own[v] = _mm256_loadu_pd(all + first + 4 * v);
      place[v] = _mm256_setzero_si256();
    }
    for (size_t j = 0; j < first; j++)
      for (int v = 0; v < BESIDE; v++)
        place[v] = one_more(place[v], not_stronger(own[v], _mm256_set1_pd(all[j])));
    count_among(all + first, own, place);
    for (size_t j = first + GROUP; j < n; j++)
      for (int v = 0; v < BESIDE; v++)
        place[v] = one_more(place[v], weaker(own[v], _mm256_set1_pd(all[j])));
    uint64_t at[GROUP];
    for (int v = 0; v < BESIDE; v++) _mm256_storeu_si256((__m256i *)(at + 4 * v), place[v]);
    for (size_t i = first; i < first + GROUP && i < n; i++) order[at[i - first]] = i;
  }
  return true;
}

#else

bool ves_order_avx2(const double *w, size_t n, size_t *order) {
  (void)w, (void)n, (void)order;
  return false;
}

#endif
