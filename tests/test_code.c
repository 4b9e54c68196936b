/* Population codes: the curve against the C library, activity, and both readouts. */
#include "greatest.h"
#include "ves_code.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* [eq:tuning] */
TEST curve_is_the_gaussian(void) {
  ves_code code;
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, 3, -1, 1, 1, VES_SPACING_ENDS));
  for (double d = -8.5; d <= 8.5; d += 0.002385) {
    const double expected = exp(-0.5 * d * d);
    ASSERT_IN_RANGE(expected, ves_code_curve(&code, d), 2.5 * DBL_EPSILON * expected);
  }
  ASSERT_EQ(1.0, ves_code_curve(&code, 0));
  ASSERT_EQ(0.0, ves_code_curve(&code, nextafter(8.5, 9)));
  ASSERT(ves_code_curve(&code, 8.5) > 0);
  ASSERT_EQ(ves_code_curve(&code, -2.385), ves_code_curve(&code, 2.385));
  ves_code_free(&code);
  PASS();
}

TEST centers_span_the_range(void) {
  ves_code code;
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, 100, -6, 6, 0.05, VES_SPACING_ENDS));
  ASSERT_EQ(-6.0, code.centers[0]);
  ASSERT_EQ(6.0, code.centers[99]);
  for (size_t i = 0; i < 100; i++)
    ASSERT_IN_RANGE(-6 + 12 * (double)i / 99, code.centers[i], 1e-14);
  ves_code_free(&code);
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, 1, 0, 3, 1, VES_SPACING_ENDS));
  ASSERT_EQ(1.5, code.centers[0]);
  ves_code_free(&code);
  PASS();
}

/* The three ways to space centres equally on [lo, hi]. [eq:tuning] */
TEST centers_are_spaced_as_asked(void) {
  static const ves_spacing spacings[] = {VES_SPACING_BINS, VES_SPACING_OPEN};
  static const double first[] = {-5.94, -6}, last[] = {5.94, 5.88}, lone[] = {1.5, 0};
  for (size_t s = 0; s < 2; s++) {
    ves_code code;
    ASSERT_EQ(VES_OK, ves_code_alloc(&code, 100, -6, 6, 0.05, spacings[s]));
    ASSERT_EQ(spacings[s], code.spacing);
    ASSERT_IN_RANGE(first[s], code.centers[0], 1e-14);
    ASSERT_IN_RANGE(last[s], code.centers[99], 1e-14);
    for (size_t i = 0; i < 99; i++)
      ASSERT_IN_RANGE(0.12, code.centers[i + 1] - code.centers[i], 1e-14);
    for (int x = -8; x <= 8; x++) { /* the run is found wherever the centres begin */
      double rate[100], value[100];
      size_t at, count;
      ves_code_encode(&code, x * 0.77, rate);
      ves_code_active(&code, x * 0.77, &at, &count, value);
      for (size_t i = 0; i < 100; i++)
        ASSERT_EQ(ves_code_curve(&code, x * 0.77 - code.centers[i]), rate[i]);
    }
    ves_code_free(&code);
    ASSERT_EQ(VES_OK, ves_code_alloc(&code, 1, 0, 3, 1, spacings[s]));
    ASSERT_EQ(lone[s], code.centers[0]);
    ves_code_free(&code);
  }
  PASS();
}

/* The run of active curves is exactly the set of curves in reach, wherever x is. [eq:tuning] */
TEST active_is_encode(void) {
  static const double sigmas[] = {0.001, 0.05, 0.7, 100};
  static const size_t sizes[] = {1, 2, 7, 100};
  for (size_t s = 0; s < 4; s++)
    for (size_t k = 0; k < 4; k++) {
      ves_code code;
      ASSERT_EQ(VES_OK, ves_code_alloc(&code, sizes[k], -6, 6, sigmas[s], VES_SPACING_ENDS));
      double *value = malloc(code.reach * sizeof *value), rate[100];
      for (double x = -9; x <= 9; x += 0.0385) {
        size_t first, count;
        ves_code_active(&code, x, &first, &count, value);
        ASSERT(count <= code.reach);
        ves_code_encode(&code, x, rate);
        for (size_t i = 0; i < code.n; i++) {
          const double z = (x - code.centers[i]) / code.sigma;
          const double expected = fabs(z) <= 8.5 ? exp(-0.5 * z * z) : 0;
          ASSERT_IN_RANGE(expected, rate[i], 1e-15);
          ASSERT_EQ(rate[i], i >= first && i < first + count ? value[i - first] : 0);
        }
      }
      static const double extreme[] = {-1e308, 1e308, -1e9, 1e9};
      for (size_t e = 0; e < 4; e++) {
        size_t first, count;
        ves_code_active(&code, extreme[e], &first, &count, value);
        ASSERT_EQ(0, count);
        ves_code_encode(&code, extreme[e], rate);
        for (size_t i = 0; i < code.n; i++) ASSERT_EQ(0, rate[i]);
      }
      free(value);
      ves_code_free(&code);
    }
  PASS();
}

/* A curve ends where (x - c) / sigma, as it is rounded, passes the reach: of x next to that place, one by one, those
 * on this side are in the run and those on the other are not. [eq:tuning] */
TEST curves_end_at_their_edge(void) {
  static const double sigmas[] = {0.05, 0.7, 1.0 / 3};
  for (size_t s = 0; s < 3; s++) {
    ves_code code;
    ASSERT_EQ(VES_OK, ves_code_alloc(&code, 40, -6, 6, sigmas[s], VES_SPACING_ENDS));
    for (size_t c = 0; c < code.n; c++)
      for (int side = -1; side <= 1; side += 2) {
        double x = code.centers[c] + side * VES_CODE_REACH * code.sigma;
        for (int step = 0; step < 8; step++) x = nextafter(x, code.centers[c]);
        for (int step = 0; step < 16; step++, x = nextafter(x, side * INFINITY)) {
          size_t first, count;
          ves_code_run(&code, x, &first, &count);
          for (size_t i = 0; i < code.n; i++) {
            const bool in_reach = fabs((x - code.centers[i]) / code.sigma) <= VES_CODE_REACH;
            ASSERT_EQ(in_reach, i >= first && i < first + count);
            ASSERT_EQ(in_reach, ves_code_curve(&code, x - code.centers[i]) > 0);
          }
        }
      }
    ves_code_free(&code);
  }
  PASS();
}

/* The bound on active curves holds where rounding makes the spacing uneven or nothing at all. */
TEST reach_bounds_active_curves_far_from_zero(void) {
  static const double lows[] = {1e9, -1e12, 1e15, 1e16};
  for (size_t l = 0; l < 4; l++)
    for (double sigma = 0.001; sigma < 10; sigma *= 3) {
      ves_code code;
      ASSERT_EQ(VES_OK,
                ves_code_alloc(&code, 1000, lows[l], lows[l] + 64, sigma, VES_SPACING_ENDS));
      for (double x = lows[l] - 2; x <= lows[l] + 66; x += fabs(lows[l]) < 1e16 ? 0.125 : 2) {
        size_t first, count;
        ves_code_run(&code, x, &first, &count);
        ASSERT(count <= code.reach);
      }
      ves_code_free(&code);
    }
  PASS();
}

/* Encoding then reading out returns the stimulus within a tenth of the spacing. [eq:decode]
 * [readout:mean] */
TEST readouts_invert_the_code(void) {
  ves_code code;
  ves_decoder decoder;
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, 100, -6, 6, 0.05, VES_SPACING_ENDS));
  ASSERT_EQ(VES_OK, ves_decoder_alloc(&decoder, &code, code.sigma, ves_code_default_grid(&code)));
  ASSERT_EQ(1201, decoder.grid);
  const double spacing = 12.0 / 99;
  double rate[100], z;
  for (size_t i = 5; i < 95; i++) { /* a lone active neuron is read as its centre */
    for (size_t j = 0; j < 100; j++) rate[j] = j == i ? 0.385 : 0;
    ASSERT_EQ(VES_OK, ves_decoder_decode(&decoder, rate, &z));
    ASSERT_IN_RANGE(code.centers[i], z, spacing / 10);
    ASSERT_EQ(VES_OK, ves_code_mean(&code, rate, &z));
    ASSERT_IN_RANGE(code.centers[i], z, 1e-14);
  }
  ves_decoder_free(&decoder);
  ves_code_free(&code);
  /* With overlapping curves (sigma above half a spacing) any value is read well. */
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, 100, -6, 6, 0.15, VES_SPACING_ENDS));
  ASSERT_EQ(VES_OK, ves_decoder_alloc(&decoder, &code, code.sigma, 1201));
  for (double x = -5; x <= 5; x += 0.0385) {
    ves_code_encode(&code, x, rate);
    ASSERT_EQ(VES_OK, ves_decoder_decode(&decoder, rate, &z));
    ASSERT_IN_RANGE(x, z, spacing / 10);
    ASSERT_EQ(VES_OK, ves_code_mean(&code, rate, &z));
    ASSERT_IN_RANGE(x, z, 1e-3);
  }
  for (size_t j = 0; j < 100; j++) rate[j] = 0;
  ASSERT_EQ(VES_EDOMAIN, ves_decoder_decode(&decoder, rate, &z));
  ASSERT_EQ(VES_EDOMAIN, ves_code_mean(&code, rate, &z));
  ves_decoder_free(&decoder);
  ves_code_free(&code);
  PASS();
}

/* Of two peaks of one height the first is taken, also if the curve of the other is the more active
 * one, which is looked at first. [eq:decode] */
TEST decoding_prefers_the_first(void) {
  enum {
    CURVES = 31,
    GRID = 25
  }; /* every fifth curve stands on every fourth point, others between */
  ves_code code;
  ves_decoder decoder;
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, CURVES, 0, 1, 0.02, VES_SPACING_ENDS));
  ASSERT_EQ(VES_OK, ves_decoder_alloc(&decoder, &code, code.sigma, GRID));
  size_t ties = 0;
  for (size_t k = 16; k < CURVES; k++) {
    double rate[CURVES] = {0}, height = 0, z = NAN;
    for (size_t g = 0; g < GRID; g++) {
      const double here = ves_code_curve(&code, decoder.z[g] - code.centers[k]);
      if (here > height) height = here;
    }
    rate[5] = 1;
    rate[k] = 1 / height;
    if (rate[k] * height != 1 || !(rate[k] > 1)) continue;
    ties++;
    ASSERT_EQ(VES_OK, ves_decoder_decode(&decoder, rate, &z));
    ASSERT_EQ(decoder.z[4], z);
  }
  ASSERT(ties > 3);
  ves_decoder_free(&decoder);
  ves_code_free(&code);
  PASS();
}

/* The peak is that of all points of the grid, the first of equals, also where a few points span the
 * whole range, for kernels as wide as the curves, narrower and wider. [eq:decode] */
TEST decoding_looks_everywhere(double sigma, double width) {
  enum { CURVES = 30 };
  static const size_t grids[] = {2, 3, 12, 13, 14, 25, 50, 12 * CURVES + 1};
  ves_code code;
  const ves_code kernel = {.sigma = width};
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, CURVES, 0, 1, sigma, VES_SPACING_ENDS));
  for (size_t c = 0; c < sizeof grids / sizeof *grids; c++) {
    const size_t grid = grids[c];
    ves_decoder decoder;
    ASSERT_EQ(VES_OK, ves_decoder_alloc(&decoder, &code, width, grid));
    for (size_t trial = 0; trial < 200; trial++) {
      double rate[CURVES], best = 0, at = NAN, z = NAN;
      for (size_t j = 0; j < CURVES; j++) {
        const double u = (double)((trial * 7919 + j * 104729 + j * j * 31) % 1009) / 1009;
        rate[j] = u < 0.7 ? 0 : u - (trial % 4 == 0 ? 0.8 : 0); /* some below 0 */
      }
      for (size_t g = 0; g < grid; g++) {
        const double point = g + 1 == grid ? 1 : (double)g / (double)(grid - 1);
        double sum = 0;
        for (size_t j = 0; j < CURVES; j++)
          sum += rate[j] * ves_code_curve(&kernel, point - code.centers[j]);
        if (sum > best) best = sum, at = point;
      }
      const ves_status status = ves_decoder_decode(&decoder, rate, &z);
      ASSERT_EQ(best > 0 ? VES_OK : VES_EDOMAIN, status);
      if (best > 0) ASSERT_EQ(at, z);
    }
    ves_decoder_free(&decoder);
  }
  ves_code_free(&code);
  PASS();
}

TEST bad_codes_are_refused(void) {
  ves_code code;
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 0, 0, 1, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 1, 1, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 0, 1, 0, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 0, NAN, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, NAN, 1, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, -INFINITY, 1, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 0, INFINITY, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 1, 0, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 0, 1, -1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 0, 1, NAN, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, 0, 1, INFINITY, VES_SPACING_ENDS));
  ASSERT_EQ(VES_EDOMAIN, ves_code_alloc(&code, 3, -1e308, 1e308, 1, VES_SPACING_ENDS));
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, 3, 0, 1, 1, VES_SPACING_ENDS));
  ves_decoder decoder;
  ASSERT_EQ(VES_EDOMAIN, ves_decoder_alloc(&decoder, &code, 0.05, 1));
  ASSERT_EQ(VES_EDOMAIN, ves_decoder_alloc(&decoder, &code, 0, 100));
  ASSERT_EQ(VES_EDOMAIN, ves_decoder_alloc(&decoder, &code, -1, 100));
  ASSERT_EQ(VES_EDOMAIN, ves_decoder_alloc(&decoder, &code, NAN, 100));
  ASSERT_EQ(VES_EDOMAIN, ves_decoder_alloc(&decoder, &code, INFINITY, 100));
  ves_code_free(&code);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(curve_is_the_gaussian);
  RUN_TEST(centers_span_the_range);
  RUN_TEST(centers_are_spaced_as_asked);
  RUN_TEST(active_is_encode);
  RUN_TEST(curves_end_at_their_edge);
  RUN_TEST(reach_bounds_active_curves_far_from_zero);
  RUN_TEST(readouts_invert_the_code);
  RUN_TEST(decoding_prefers_the_first);
  RUN_TESTp(decoding_looks_everywhere, 0.004, 0.004);
  RUN_TESTp(decoding_looks_everywhere, 0.05, 0.05);
  RUN_TESTp(decoding_looks_everywhere, 0.05, 0.004);
  RUN_TESTp(decoding_looks_everywhere, 0.004, 0.1);
  RUN_TESTp(decoding_looks_everywhere, 0.004, 3);
  RUN_TEST(bad_codes_are_refused);
  GREATEST_MAIN_END();
}
