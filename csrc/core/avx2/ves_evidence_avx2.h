/* ves_evidence_avx2.h: tuning curves, four at a time, for the vector kernels of the evidence alone.
 *
 * Lane by lane these are the operations of ves_code_curve, in their order, so the bits are its. */
#ifndef VES_EVIDENCE_AVX2_H
#define VES_EVIDENCE_AVX2_H

#include "ves_code_private.h"
#include "ves_evidence_private.h"
#include "ves_math_avx2.h"

/* The heights of a run are padded with zeros to whole vectors. */

/* An input curve as low as this adds nothing to the high bin: its products stay at or below half
 * the bin's unit. */
#define VES_PRESENT_LOW 0x1p-23

/* The heights at x of four curves. Lanes out of reach, the infinite centres past the end among
 * them, compute nonsense and are masked. */
static inline __m256d heights(const ves_code *code, __m256d x, const double *centers) {
  const __m256d z = _mm256_div_pd(sub(x, _mm256_loadu_pd(centers)), all(code->sigma));
  const __m256d height = exp4(mul(all(-0.5), mul(z, z)));
  const __m256d distance = _mm256_andnot_pd(all(-0.0), z);
  return _mm256_and_pd(height, _mm256_cmp_pd(distance, all(VES_CODE_REACH), _CMP_LE_OQ));
}

/* Adds `rows` rows that have the input x, but for what they add to its presence. False, and nothing
 * done, if they are too few to gain by it (they always are below VES_REPEATED) or the code is too
 * large. */
#define VES_REPEATED 64
bool ves_evidence_add_repeated(ves_evidence *ev, const ves_run *x, const ves_code *output,
                               const double *ys, size_t rows);

#endif
