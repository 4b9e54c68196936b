/* Streams: Random123's published vectors, addresses, masks, and the same bits on every path. */
#include "greatest.h"
#include "support.h"
#include "ves_rng.h"
#include "ves_rng_private.h"
#include "ves_simd.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word_at(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The known answers of philox4x32-10 that Random123 publishes. */
TEST published_vectors(bool simd) {
  static const struct {
    uint32_t counter[4], key[2], answer[4];
  } kat[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
       {0xffffffff, 0xffffffff},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       {0xa4093822, 0x299f31d0},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  ves_simd_select(simd);
  for (size_t v = 0; v < sizeof kat / sizeof *kat; v++) {
    uint8_t bytes[16];
    const uint64_t key = (uint64_t)kat[v].key[1] << 32 | kat[v].key[0];
    const uint64_t draw = (uint64_t)kat[v].counter[3] << 32 | kat[v].counter[2];
    ves_philox_bytes(key, draw, kat[v].counter[1], kat[v].counter[0], 1, bytes);
    for (int i = 0; i < 4; i++) ASSERT_EQ_FMT(kat[v].answer[i], word_at(bytes + 4 * i), "%08x");
  }
  PASS();
}

TEST keys_tell_names_apart(void) {
  const uint64_t root = ves_key_root(7);
  const uint64_t keys[] = {root,
                           ves_key_root(8),
                           ves_key_integer(root, 3),
                           ves_key_integer(root, -3),
                           ves_key_real(root, 3.5),
                           ves_key_string(root, "3", 1),
                           ves_key_string(root, "", 0),
                           ves_key_string(root, "ab", 2),
                           ves_key_string(ves_key_string(root, "a", 1), "b", 1),
                           ves_key_string(root, "abcdefghijkl", 12),
                           ves_key_string(root, "abcdefghijkl\0", 13),
                           ves_key_string(root, "abcdefghijklm", 13)};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    for (size_t j = 0; j < i; j++) ASSERT(keys[i] != keys[j]);
  ASSERT_EQ(ves_key_string(root, "posterior", 9), ves_key_string(ves_key_root(7), "posterior", 9));
  PASS();
}

/* A name is as long as it is said to be: what stands behind it in memory is no part of it. */
TEST keys_end_with_their_names(void) {
  const char name[] = "a name of thirty-two characters.",
             longer[] = "a name of thirty-two characters!?";
  for (size_t length = 0; length <= 31; length++) {
    char other[40];
    memset(other, '#', sizeof other);
    memcpy(other, name, length);
    ASSERT_EQ(ves_key_string(5, name, length), ves_key_string(5, other, length));
    ASSERT_EQ(ves_key_string(5, name, length), ves_key_string(5, longer, length));
    if (length > 0) {
      other[length - 1] = '#';
      ASSERT(ves_key_string(5, name, length) != ves_key_string(5, other, length));
    }
  }
  PASS();
}

/* A draw is a function of its address: neither earlier draws nor how many words they took matter.
 */
TEST draws_have_addresses(void) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  const uint64_t key = ves_key_root(2385);
  double forward[50];
  for (uint64_t d = 0; d < 50; d++) {
    ves_rng_seek(r, key, d, VES_ROW_SCALAR);
    forward[d] = gsl_ran_beta(r, 0.3, 2.385); /* rejects a varying number of times */
  }
  for (uint64_t d = 50; d-- > 0;) {
    ves_rng_seek(r, key, d, VES_ROW_SCALAR);
    ASSERT_EQ(forward[d], gsl_ran_beta(r, 0.3, 2.385));
  }
  gsl_rng_free(r);
  PASS();
}

TEST gsl_type_is_sound(void) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  gsl_rng_set(r, 0);
  const unsigned long zero = gsl_rng_get(r);
  gsl_rng_set(r, 4357); /* GSL's own generator confuses these two seeds */
  ASSERT(zero != gsl_rng_get(r));
  ASSERT_EQ(UINT32_MAX, gsl_rng_max(r));
  ASSERT_EQ(0, gsl_rng_min(r));
  gsl_rng *copy = gsl_rng_clone(r);
  for (int i = 0; i < 9; i++) ASSERT_EQ(gsl_rng_get(r), gsl_rng_get(copy));
  for (int i = 0; i < 10000; i++) {
    const double u = gsl_rng_uniform(r);
    ASSERT(u >= 0 && u < 1);
  }
  gsl_rng_free(copy);
  gsl_rng_free(r);
  PASS();
}

/* Uniforms in bulk are the scalar draws one by one, on both paths and across 2^32. */
TEST bulk_uniforms(bool simd) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  double one[37], two[37];
  ves_simd_select(simd);
  static const uint64_t firsts[] = {0, 5, UINT32_MAX - 13, UINT32_MAX - 6,
                                    UINT32_MAX + UINT64_C(9)};
  for (size_t f = 0; f < sizeof firsts / sizeof *firsts; f++)
    for (size_t n = 1; n <= 37; n++) {
      ves_uniform_pairs(77, firsts[f], n, one, two);
      for (size_t d = 0; d < n; d++) {
        ves_rng_seek(r, 77, firsts[f] + d, VES_ROW_SCALAR);
        ASSERT_EQ(gsl_rng_uniform(r), one[d]);
        ASSERT_EQ(gsl_rng_uniform(r), two[d]);
      }
    }
  uint32_t listed[37];
  for (uint32_t d = 0; d < 37; d++) listed[d] = d * 5 % 37;
  for (size_t n = 0; n <= 37; n++) { /* of a list, and no others */
    for (size_t d = 0; d < 37; d++) one[d] = two[d] = -1;
    ves_uniform_pairs_at(77, listed, n, one, two);
    for (size_t k = 0; k < 37; k++) {
      ves_rng_seek(r, 77, listed[k], VES_ROW_SCALAR);
      ASSERT_EQ(k < n ? gsl_rng_uniform(r) : -1, one[listed[k]]);
      ASSERT_EQ(k < n ? gsl_rng_uniform(r) : -1, two[listed[k]]);
    }
  }
  gsl_rng_free(r);
  PASS();
}

enum { DRAWS = 200000 };

TEST moments_of_scalar_draws(void) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  const uint64_t key = ves_key_root(11);
  double *u = malloc(DRAWS * sizeof *u), *z = malloc(DRAWS * sizeof *z),
         *b = malloc(DRAWS * sizeof *b);
  for (uint64_t d = 0; d < DRAWS; d++) {
    ves_rng_seek(r, key, d, VES_ROW_SCALAR);
    u[d] = gsl_rng_uniform(r);
    ves_rng_seek(r, ves_key_string(key, "z", 1), d, VES_ROW_SCALAR);
    z[d] = gsl_ran_gaussian_ziggurat(r, 1);
    ves_rng_seek(r, ves_key_string(key, "b", 1), d, VES_ROW_SCALAR);
    b[d] = gsl_ran_beta(r, 2, 5);
  }
  const double root = sqrt((double)DRAWS);
  ASSERT(normal_p((gsl_stats_mean(u, 1, DRAWS) - 0.5) * root * sqrt(12)) > SIGNIFICANCE);
  ASSERT(normal_p(gsl_stats_mean(z, 1, DRAWS) * root) > SIGNIFICANCE);
  ASSERT(normal_p((gsl_stats_variance(z, 1, DRAWS) - 1) * root / sqrt(2)) > SIGNIFICANCE);
  const double beta_variance = 10.0 / 49 / 8;
  ASSERT(normal_p((gsl_stats_mean(b, 1, DRAWS) - 2.0 / 7) * root / sqrt(beta_variance)) >
         SIGNIFICANCE);
  /* Independent streams, and successive draws of one stream. */
  ASSERT(normal_p(gsl_stats_correlation(u, 1, z, 1, DRAWS) * root) > SIGNIFICANCE);
  ASSERT(normal_p(gsl_stats_correlation(z, 1, b, 1, DRAWS) * root) > SIGNIFICANCE);
  ASSERT(normal_p(gsl_stats_correlation(u, 1, u + 1, 1, DRAWS - 1) * root) > SIGNIFICANCE);
  free(u);
  free(z);
  free(b);
  gsl_rng_free(r);
  PASS();
}

/* ---- masks ---- */

TEST thresholds_round_to_nearest(void) {
  ASSERT_EQ(0, ves_threshold(0));
  ASSERT_EQ(VES_THRESHOLD_ONE, ves_threshold(1));
  ASSERT_EQ(VES_THRESHOLD_ONE / 2, ves_threshold(0.5));
  ASSERT_EQ((uint64_t)llrint(ldexp(0.3, 40)), ves_threshold(0.3));
  ASSERT_EQ((uint64_t)llrint(ldexp(1e-4, 40)), ves_threshold(1e-4));
  ves_thresholds t;
  ASSERT(ves_thresholds_alloc(&t, 2));
  ves_thresholds_set(&t, 0, 1.0);
  ASSERT_EQ(255, t.coarse[0]);
  ASSERT_EQ(UINT64_C(1) << 32, t.fine[0]);
  ves_thresholds_set(&t, 1, 255.5 / 256);
  ASSERT_EQ(255, t.coarse[1]);
  ASSERT_EQ(UINT64_C(1) << 31, t.fine[1]);
  ves_thresholds_free(&t);
  PASS();
}

static int transmits(const uint64_t *mask, size_t i) { return mask[i / 64] >> (i % 64) & 1; }

/* Frequencies, including probabilities that only the refinement can resolve (below 1/256).
 * [eq:bernoulli] */
TEST masks_have_their_probabilities(void) {
  enum { SYNAPSES = 70, TIMES = 400000 };
  static const double p[] = {0, 1, 0.5, 1.0 / 256, 0.001, 0.0035, 0.3, 0.999, 255.3 / 256, 1e-4};
  ves_thresholds t;
  ASSERT(ves_thresholds_alloc(&t, SYNAPSES));
  double count[SYNAPSES] = {0};
  for (size_t i = 0; i < SYNAPSES; i++) ves_thresholds_set(&t, i, p[i % 10]);
  for (uint64_t d = 0; d < TIMES; d++) {
    uint64_t mask[2];
    ves_mask_draw(&t, ves_key_root(5), d, 3, mask);
    for (size_t i = 0; i < SYNAPSES; i++) count[i] += transmits(mask, i);
    ASSERT_EQ(0, mask[1] >> (SYNAPSES - 64)); /* nothing past the end */
  }
  for (size_t i = 0; i < SYNAPSES; i++) {
    const double pi = p[i % 10], sd = sqrt(TIMES * pi * (1 - pi));
    if (sd == 0)
      ASSERT_EQ(TIMES * pi, count[i]);
    else
      ASSERT(normal_p((count[i] - TIMES * pi) / sd) > SIGNIFICANCE);
  }
  ves_thresholds_free(&t);
  PASS();
}

/* Given a tie of the coarse byte, the refinement transmits with probability fine / 2^32. */
TEST refinement_is_exact(void) {
  ves_thresholds t;
  ASSERT(ves_thresholds_alloc(&t, 16));
  for (size_t i = 0; i < 16; i++) ves_thresholds_set(&t, i, (100 + 0.3) / 256);
  double ties = 0, kept = 0;
  for (uint64_t d = 0; d < 200000; d++) {
    uint8_t byte[16];
    ves_philox_bytes(ves_key_root(9), d, 0, 0, 1, byte);
    const uint64_t mask = ves_mask_word(&t, ves_key_root(9), d, 0, 0);
    for (size_t i = 0; i < 16; i++) {
      if (byte[i] != 100) {
        ASSERT_EQ(byte[i] < 100, transmits(&mask, i));
      } else {
        ties++;
        kept += transmits(&mask, i);
      }
    }
  }
  ASSERT(normal_p((kept - 0.3 * ties) / sqrt(ties * 0.21)) > SIGNIFICANCE);
  ves_thresholds_free(&t);
  PASS();
}

/* Every path gives the bits of the scalar one, for all sizes, tails, keys and alignments. */
TEST vector_path_has_the_scalar_bits(void) {
  for (size_t n = 1; n <= 300; n += n < 70 ? 1 : 23) {
    ves_thresholds t;
    ASSERT(ves_thresholds_alloc(&t, n));
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(r, n);
    for (size_t i = 0; i < n; i++) {
      const double u = gsl_rng_uniform(r);
      ves_thresholds_set(&t, i, i % 7 == 0 ? round(u * 256) / 256 : u);
    }
    for (uint64_t d = 0; d < 40; d++) {
      uint64_t scalar[5], vector[5];
      uint8_t bytes[2][16 * 9 + 3];
      const uint64_t key = ves_key_root(d * 77 + n), draw = d << (d % 40);
      ves_simd_select(false);
      ves_mask_draw(&t, key, draw, (uint32_t)d * 12345u, scalar);
      ves_philox_bytes(key, draw, 5, (uint32_t)n, 1 + d % 9, bytes[0] + d % 3);
      ves_simd_select(true);
      ves_mask_draw(&t, key, draw, (uint32_t)d * 12345u, vector);
      ves_philox_bytes(key, draw, 5, (uint32_t)n, 1 + d % 9, bytes[1] + d % 3);
      ASSERT_MEM_EQ(scalar, vector, t.words * sizeof *scalar);
      ASSERT_MEM_EQ(&bytes[0][d % 3], &bytes[1][d % 3], 16 * (1 + d % 9));
    }
    gsl_rng_free(r);
    ves_thresholds_free(&t);
  }
  PASS();
}

/* Masks of different draws, rows and synapses are independent. */
TEST masks_are_independent(void) {
  enum { TIMES = 100000 };
  ves_thresholds t;
  ASSERT(ves_thresholds_alloc(&t, 2));
  ves_thresholds_set(&t, 0, 0.4);
  ves_thresholds_set(&t, 1, 0.4);
  double both[3] = {0}; /* with the other synapse, the next draw, the next row */
  for (uint64_t d = 0; d < TIMES; d++) {
    const uint64_t a = ves_mask_word(&t, 1, d, 0, 0), b = ves_mask_word(&t, 1, d + 1, 0, 0);
    const uint64_t c = ves_mask_word(&t, 1, d, 1, 0);
    both[0] += (a & 1) && (a & 2);
    both[1] += (a & 1) && (b & 1);
    both[2] += (a & 1) && (c & 1);
  }
  const double p = 0.4 * 0.4, sd = sqrt(TIMES * p * (1 - p));
  for (int i = 0; i < 3; i++) ASSERT(normal_p((both[i] - TIMES * p) / sd) > SIGNIFICANCE);
  ves_thresholds_free(&t);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TESTp(published_vectors, false);
  RUN_TESTp(published_vectors, true);
  RUN_TEST(keys_tell_names_apart);
  RUN_TEST(keys_end_with_their_names);
  RUN_TEST(draws_have_addresses);
  RUN_TEST(gsl_type_is_sound);
  RUN_TESTp(bulk_uniforms, false);
  RUN_TESTp(bulk_uniforms, true);
  RUN_TEST(moments_of_scalar_draws);
  RUN_TEST(thresholds_round_to_nearest);
  RUN_TEST(masks_have_their_probabilities);
  RUN_TEST(refinement_is_exact);
  RUN_TEST(vector_path_has_the_scalar_bits);
  RUN_TEST(masks_are_independent);
  GREATEST_MAIN_END();
}
