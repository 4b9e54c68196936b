/* ves_evidence_repeated_avx2: many rows that have the same input.
 *
 * Designed experiments present a handful of inputs many times each. Sums are exact, so rows may be
 * taken in any order, and these are sorted by the first output curve they activate: the rows of a
 * group then add to the same cells, each a product of one input curve with heights of their own.
 * This pays three times. Heights are computed in one long loop, row after row with nothing to wait
 * for. A group's sums stay in registers instead of going through memory at each row. And there the
 * splitting constants need not be subtracted: p + 1.5*2^30 holds the multiple of 2^-22 nearest to p
 * as a whole number in its low bits, so k of them are added as integers, k times the constant's
 * bits is taken away at the end, and what is left is the sum that bin_add would have made. */
#include "ves_evidence_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_evidence_avx2.h"
#include <string.h>

/* Rows sorted at once, outputs of the largest code, vectors of heights at hand (8 kB). */
enum { ROWS = 1024, OUTPUTS = 4096, HEIGHTS = 256 };

/* The first active curve of y, or one before it; `width` curves from there hold all of them, and
 * end before the room past the last curve does. */
static inline size_t first_curve(const ves_code *code, double y, size_t width) {
  size_t first = ves_code_guess_below(code, y - VES_CODE_REACH * code->sigma), count;
  const size_t end = first + width < code->n ? first + width : code->n;
  if ((first > 0 && !(y - code->centers[first - 1] > code->far)) ||
      !(code->centers[end] - y > code->far))
    ves_code_run(code, y, &first, &count);
  const size_t last = code->n + VES_CODE_SLACK - width;
  return first < last ? first : last;
}

/* Sorts by counting. */
static void sort_rows(const ves_code *code, size_t width, const double *ys, size_t rows,
                      uint16_t *first, uint16_t *order) {
  uint16_t place[OUTPUTS + 1];
  memset(place, 0, (code->n + 1) * sizeof *place);
  for (size_t r = 0; r < rows; r++) {
    first[r] = (uint16_t)first_curve(code, ys[r], width);
    place[first[r]]++;
  }
  for (size_t f = 0, sum = 0; f <= code->n; f++) {
    const size_t here = place[f];
    place[f] = (uint16_t)sum;
    sum += here;
  }
  for (size_t r = 0; r < rows; r++) order[place[first[r]]++] = (uint16_t)r;
}

/* Adds to four cells what k sums with a splitting constant hold in their low bits. */
static inline void flush(__m256i sums, size_t k, double constant, double unit, double *cells) {
  const __m256i whole = _mm256_sub_epi64(sums, all_bits((uint64_t)k * ves_bits(constant)));
  const __m256d shift = all(0x1.8p52);
  const __m256d number =
      sub(_mm256_castsi256_pd(_mm256_add_epi64(whole, _mm256_castpd_si256(shift))), shift);
  _mm256_storeu_pd(cells, add(_mm256_loadu_pd(cells), mul(number, all(unit))));
}

static void add_products(double present, const __m256d *y, size_t k, double *hi, double *lo) {
  __m256i high = _mm256_setzero_si256(), low = _mm256_setzero_si256();
  for (size_t r = 0; r < k; r++) {
    const __m256d p = mul(all(present), y[r]), sum = add(p, all(VES_SPLIT_HIGH));
    const __m256d rest = sub(p, sub(sum, all(VES_SPLIT_HIGH)));
    high = _mm256_add_epi64(high, _mm256_castpd_si256(sum));
    low = _mm256_add_epi64(low, _mm256_castpd_si256(add(rest, all(VES_SPLIT_LOW))));
  }
  flush(high, k, VES_SPLIT_HIGH, VES_UNIT_HIGH, hi);
  flush(low, k, VES_SPLIT_LOW, VES_UNIT_LOW, lo);
}

static void add_low_products(double present, const __m256d *y, size_t k, double *lo) {
  __m256i low = _mm256_setzero_si256();
  for (size_t r = 0; r < k; r++) {
    const __m256d sum = add(mul(all(present), y[r]), all(VES_SPLIT_LOW));
    low = _mm256_add_epi64(low, _mm256_castpd_si256(sum));
  }
  flush(low, k, VES_SPLIT_LOW, VES_UNIT_LOW, lo);
}

/* k rows whose heights y belong to the four outputs from `output`. */
static void add_group(ves_evidence *ev, const ves_run *x, size_t output, const __m256d *y,
                      size_t k) {
  for (size_t a = 0; a < x->count; a++) {
    double *hi = ves_evidence_own_bins(ev, x->first + a) + output, *lo = hi + ev->n;
    if (x->value[a] > VES_PRESENT_LOW)
      add_products(x->value[a], y, k, hi, lo);
    else
      add_low_products(x->value[a], y, k, lo);
  }
}

static void add_sorted(ves_evidence *ev, const ves_run *x, const ves_code *code, size_t vectors,
                       const double *ys, const uint16_t *first, const uint16_t *order,
                       size_t rows) {
  __m256d y[HEIGHTS]; /* of vector v and row r at v * rows + r */
  for (size_t r = 0; r < rows; r++)
    for (size_t v = 0; v < vectors; v++)
      y[v * rows + r] = heights(code, all(ys[order[r]]), code->centers + first[order[r]] + 4 * v);
  for (size_t r = 0, to; r < rows; r = to) {
    const size_t output = first[order[r]];
    for (to = r + 1; to < rows && first[order[to]] == output;) to++;
    for (size_t v = 0; v < vectors; v++) add_group(ev, x, output + 4 * v, y + v * rows + r, to - r);
  }
}

bool ves_evidence_add_repeated(ves_evidence *ev, const ves_run *x, const ves_code *output,
                               const double *ys, size_t rows) {
  const size_t vectors = (output->reach + 3) / 4;
  if (rows < VES_REPEATED || rows < output->n / 2 || output->n > OUTPUTS || vectors > HEIGHTS / 8)
    return false;
  uint16_t first[ROWS], order[ROWS];
  const size_t block = HEIGHTS / vectors;
  for (size_t from = 0; from < rows; from += ROWS) {
    const size_t now = rows - from < ROWS ? rows - from : ROWS;
    sort_rows(output, 4 * vectors, ys + from, now, first, order);
    for (size_t at = 0; at < now; at += block)
      add_sorted(ev, x, output, vectors, ys + from, first, order + at,
                 now - at < block ? now - at : block);
  }
  return true;
}

#endif
