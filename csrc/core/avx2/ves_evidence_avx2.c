/* ves_evidence_avx2: encoding and accumulation, four tuning curves at a time.
 *
 * Lane by lane these are the operations of ves_code_curve and of bin_add in ves_evidence.c, in
 * their order, so the bits are theirs. A run of active curves is padded with zeros to whole
 * vectors: a product with zero adds zero to both bins of the next cells, which changes nothing.
 *
 * Two kinds of work are left out because their result is known. A low input curve adds nothing to
 * the high bins: only the low ones are touched. And rows often repeat their input value: its curves
 * are kept, and what such rows add to the input's presence, the same each time, is added once,
 * multiplied by their number (of rows without salience at most 2^15 between two carries: exact,
 * like the sum it replaces). Many of them at once go to ves_evidence_repeated_avx2.c. */
#include "ves_evidence_private.h"
#include "ves_rng_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_evidence_avx2.h"

/* A run that holds all active curves of x. The guess is nearly always good, and good if the curves
 * on either side are out of reach; past the last curve an infinite one is. */
static inline void find_run(const ves_code *code, double x, ves_run *out) {
  const double reach = VES_CODE_REACH * code->sigma;
  const size_t first = ves_code_guess_below(code, x - reach);
  const size_t end = ves_code_guess_below(code, x + reach);
  out->first = first;
  out->count = end - first;
  if ((first > 0 && !(x - code->centers[first - 1] > code->far)) ||
      !(code->centers[end] - x > code->far))
    ves_code_run(code, x, &out->first, &out->count);
}

static void activate(const ves_code *code, double x, ves_run *out) {
  find_run(code, x, out);
  for (size_t a = 0; a < out->count; a += 4)
    _mm256_storeu_pd(out->value + a, heights(code, all(x), code->centers + out->first + a));
}

static inline __m256d split(__m256d p, double constant) {
  return sub(add(p, all(constant)), all(constant));
}

static inline void increase(double *cells, __m256d by) {
  _mm256_storeu_pd(cells, add(_mm256_loadu_pd(cells), by));
}

static inline void bin_add4(__m256d p, double *hi, double *lo) {
  const __m256d h = split(p, VES_SPLIT_HIGH);
  increase(hi, h);
  increase(lo, split(sub(p, h), VES_SPLIT_LOW));
}

static void add_joint(ves_evidence *ev, const ves_run *x, const ves_run *y, double salience) {
  for (size_t a = 0; a < x->count; a++) {
    const double present = salience * x->value[a];
    double *hi = ves_evidence_own_bins(ev, x->first + a) + y->first, *lo = hi + ev->n;
    if (present > VES_PRESENT_LOW)
      for (size_t b = 0; b < y->count; b += 4)
        bin_add4(mul(all(present), _mm256_loadu_pd(y->value + b)), hi + b, lo + b);
    else
      for (size_t b = 0; b < y->count; b += 4)
        increase(lo + b, split(mul(all(present), _mm256_loadu_pd(y->value + b)), VES_SPLIT_LOW));
  }
}

/* What `times` rows of this salience add to the presence of the input. */
static void add_presence(ves_evidence *ev, const ves_run *x, double salience, double times) {
  double *hi = ev->presence_hi + x->first, *lo = ev->presence_lo + x->first;
  for (size_t a = 0; a < x->count; a += 4) {
    const __m256d p = mul(all(salience), _mm256_loadu_pd(x->value + a));
    const __m256d h = split(p, VES_SPLIT_HIGH), l = split(sub(p, h), VES_SPLIT_LOW);
    increase(hi + a, mul(all(times), h));
    increase(lo + a, mul(all(times), l));
  }
}

bool ves_evidence_add_run_avx2(ves_evidence *ev, const ves_run *x, const ves_run *y,
                               double salience) {
  if (!ves_simd_in_use()) return false;
  add_joint(ev, x, y, salience);
  add_presence(ev, x, salience, 1.0);
  return true;
}

bool ves_evidence_add_avx2(ves_evidence *ev, const ves_code *input, const ves_code *output,
                           const double *xs, const double *ys, const double *salience, size_t rows,
                           double *scratch) {
  if (!ves_simd_in_use()) return false;
  ves_run x = {.value = scratch}, y = {.value = scratch + input->reach + VES_EVIDENCE_SLACK};
  for (size_t from = 0, to; from < rows; from = to) {
    activate(input, xs[from], &x);
    for (to = from + 1; to < rows && xs[to] == xs[from];) to++;
    if (salience == NULL) {
      add_presence(ev, &x, 1.0, (double)(to - from));
      if (to - from >= VES_REPEATED &&
          ves_evidence_add_repeated(ev, &x, output, ys + from, to - from))
        continue;
    }
    for (size_t r = from; r < to; r++) {
      const double weight = salience != NULL ? salience[r] : 1.0;
      activate(output, ys[r], &y);
      add_joint(ev, &x, &y, weight);
      if (salience != NULL) add_presence(ev, &x, weight, 1.0);
    }
  }
  return true;
}

#else

bool ves_evidence_add_run_avx2(ves_evidence *ev, const ves_run *x, const ves_run *y,
                               double salience) {
  (void)ev, (void)x, (void)y, (void)salience;
  return false;
}

bool ves_evidence_add_avx2(ves_evidence *ev, const ves_code *input, const ves_code *output,
                           const double *xs, const double *ys, const double *salience, size_t rows,
                           double *scratch) {
  (void)ev, (void)input, (void)output, (void)xs, (void)ys, (void)salience, (void)rows,
      (void)scratch;
  return false;
}

#endif
