/* ves_evidence_avx2: encoding and accumulation, four tuning curves at a time.
 *
 * Lane by lane these are the operations of ves_code_curve and of bin_add in ves_evidence.c, in
 * their order, so the bits are theirs. A run of active curves is padded with zeros to whole
 * vectors: a product with zero adds zero to both bins of the next cells, which changes nothing.
 *
 * Two kinds of work are left out because their result is known. An input curve so low that its
 * products stay below half the unit of the high bin adds nothing to it: only the low bins are
 * touched. And rows often repeat their input value: its curves are kept, and what such rows add to
 * the input's presence, the same each time, is added once, multiplied by their number (of rows
 * without salience at most 2^15 between two carries: exact, like the sum it replaces). */
#include "ves_code_private.h"
#include "ves_evidence_private.h"
#include "ves_rng_simd.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_math_avx2.h"

typedef struct {
  size_t first, count;
  double *value;
} run;

/* A run that holds all active curves of x. The guess is nearly always good, and good if the curves
 * on either side are out of reach; past the last curve an infinite one is. */
static inline void find_run(const ves_code *code, double x, run *out) {
  const double reach = VES_CODE_REACH * code->sigma;
  const size_t first = ves_code_guess_below(code, x - reach);
  const size_t end = ves_code_guess_below(code, x + reach);
  out->first = first;
  out->count = end - first;
  if ((first > 0 && !(x - code->centers[first - 1] > code->far)) ||
      !(code->centers[end] - x > code->far))
    ves_code_run(code, x, &out->first, &out->count);
}

/* The active curves of x; values are padded with zeros to a whole vector. Lanes out of reach, the
 * infinite centres past the end among them, compute nonsense and are masked. */
static void activate(const ves_code *code, double x, run *out) {
  find_run(code, x, out);
  const __m256d sigma = _mm256_set1_pd(code->sigma), at = _mm256_set1_pd(x);
  const __m256d sign = _mm256_set1_pd(-0.0), reach = _mm256_set1_pd(VES_CODE_REACH);
  for (size_t a = 0; a < out->count; a += 4) {
    const __m256d center = _mm256_loadu_pd(code->centers + out->first + a);
    const __m256d z = _mm256_div_pd(sub(at, center), sigma);
    const __m256d height = exp4(mul(all(-0.5), mul(z, z)));
    const __m256d within = _mm256_cmp_pd(_mm256_andnot_pd(sign, z), reach, _CMP_LE_OQ);
    _mm256_storeu_pd(out->value + a, _mm256_and_pd(height, within));
  }
}

static inline void bin_add4(__m256d p, double *hi, double *lo) {
  const __m256d h = sub(add(p, all(VES_SPLIT_HIGH)), all(VES_SPLIT_HIGH));
  const __m256d l = sub(add(sub(p, h), all(VES_SPLIT_LOW)), all(VES_SPLIT_LOW));
  _mm256_storeu_pd(hi, add(_mm256_loadu_pd(hi), h));
  _mm256_storeu_pd(lo, add(_mm256_loadu_pd(lo), l));
}

/* The same for p <= 2^-23, of which the high bin gets nothing. */
static inline void bin_add4_low(__m256d p, double *lo) {
  const __m256d l = sub(add(p, all(VES_SPLIT_LOW)), all(VES_SPLIT_LOW));
  _mm256_storeu_pd(lo, add(_mm256_loadu_pd(lo), l));
}

static void add_joint(ves_evidence *ev, const run *x, const run *y, double salience) {
  for (size_t a = 0; a < x->count; a++) {
    const double present = salience * x->value[a];
    const size_t cell = (x->first + a) * ev->n + y->first;
    double *hi = ev->joint_hi + cell, *lo = ev->joint_lo + cell;
    if (present > 0x1p-23)
      for (size_t b = 0; b < y->count; b += 4)
        bin_add4(mul(all(present), _mm256_loadu_pd(y->value + b)), hi + b, lo + b);
    else
      for (size_t b = 0; b < y->count; b += 4)
        bin_add4_low(mul(all(present), _mm256_loadu_pd(y->value + b)), lo + b);
  }
}

/* What `times` rows of this salience add to the presence of the input. */
static void add_presence(ves_evidence *ev, const run *x, double salience, double times) {
  double *hi = ev->presence_hi + x->first, *lo = ev->presence_lo + x->first;
  for (size_t a = 0; a < x->count; a += 4) {
    double h[4] = {0}, l[4] = {0};
    bin_add4(mul(all(salience), _mm256_loadu_pd(x->value + a)), h, l);
    for (size_t b = 0; b < 4; b++) {
      hi[a + b] += times * h[b];
      lo[a + b] += times * l[b];
    }
  }
}

bool ves_evidence_add_avx2(ves_evidence *ev, const ves_code *input, const ves_code *output,
                           const double *xs, const double *ys, const double *salience, size_t rows,
                           double *scratch) {
  if (!ves_simd_in_use()) return false;
  run x = {.value = scratch}, y = {.value = scratch + input->reach + VES_EVIDENCE_SLACK};
  for (size_t from = 0, to; from < rows; from = to) {
    activate(input, xs[from], &x);
    for (to = from; to < rows && xs[to] == xs[from]; to++) {
      const double weight = salience != NULL ? salience[to] : 1.0;
      activate(output, ys[to], &y);
      add_joint(ev, &x, &y, weight);
      if (salience != NULL) add_presence(ev, &x, weight, 1.0);
    }
    if (salience == NULL) add_presence(ev, &x, 1.0, (double)(to - from));
  }
  return true;
}

#else

bool ves_evidence_add_avx2(ves_evidence *ev, const ves_code *input, const ves_code *output,
                           const double *xs, const double *ys, const double *salience, size_t rows,
                           double *scratch) {
  (void)ev, (void)input, (void)output, (void)xs, (void)ys, (void)salience, (void)rows,
      (void)scratch;
  return false;
}

#endif
