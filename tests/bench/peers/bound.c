/* A bound on the learning of the reference job: a program that can do nothing else.
 *
 * Algorithm 2 with the power rule, exponent 8, constant rate, on rows of 100 synapses, with the
 * random bits of this project: Philox4x32-10 at the same addresses, a byte a synapse, ties decided
 * by 32 more bits. Sizes and exponent are constants, nothing asks whether to stop, no argument is
 * checked, AVX2 is written by hand. Before anything is timed the releases must be those of the
 * library, bit for bit.
 *
 * Two variants tell what the definition costs: -DSINGLE=1 does the arithmetic in single precision,
 * eight members in a vector; -DTIES=0 takes a tie for a failure, which rounds every release down to
 * 8 bits: a wrong program, timed to see what deciding them costs. Neither has our bits. */
#include "job.h"
#include "ves_beta.h"
#include "ves_evidence.h"
#include "ves_learn.h"
#include "ves_order.h"
#include "ves_rng.h"
#include "ves_simd.h"
#include <Random123/philox.h>
#include <gsl/gsl_randist.h>
#include <immintrin.h>
#include <string.h>

#ifndef SINGLE
#define SINGLE 0
#endif
#ifndef TIES
#define TIES 1
#endif

#if SINGLE
typedef float real;
#else
typedef double real;
#endif
enum {
  WIDE = 128,  /* room of a row: two words of a mask */
  BLOCKS = 7,  /* of 16 bytes */
  BESIDE = 20, /* rows side by side */
  BATCH = 16,  /* iterations whose bytes are made at once */
  FIRST = 64,  /* room in front */
  VECTOR = (int)(32 / sizeof(real))
};

static double weights[N * N], learned[N * N];

/* ---- random bytes ---- */

static __m256i keys[10][2];
static uint64_t key;

static __m256i all(uint32_t v) { return _mm256_set1_epi64x((long long)v); }

static void set_key(uint64_t k) {
  key = k;
  for (uint32_t r = 0; r < 10; r++) {
    keys[r][0] = all((uint32_t)k + r * PHILOX_W32_0);
    keys[r][1] = all((uint32_t)(k >> 32) + r * PHILOX_W32_1);
  }
}

typedef struct {
  __m256i c0, c1, c2, c3;
} counters;

static inline void turn(counters *g, int r) {
  const __m256i p0 = _mm256_mul_epu32(g->c0, all(PHILOX_M4x32_0));
  const __m256i p1 = _mm256_mul_epu32(g->c2, all(PHILOX_M4x32_1));
  g->c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), g->c1), keys[r][0]);
  g->c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), g->c3), keys[r][1]);
  g->c1 = p1;
  g->c3 = p0;
}

/* The 16 bytes of each of four counters, WIDE bytes apart. */
static inline void store(const counters *g, uint8_t *out) {
  const __m256i w01 = _mm256_blend_epi32(g->c0, _mm256_slli_epi64(g->c1, 32), 0xaa);
  const __m256i w23 = _mm256_blend_epi32(g->c2, _mm256_slli_epi64(g->c3, 32), 0xaa);
  const __m256i even = _mm256_unpacklo_epi64(w01, w23), odd = _mm256_unpackhi_epi64(w01, w23);
  _mm_store_si128((__m128i *)out, _mm256_castsi256_si128(even));
  _mm_store_si128((__m128i *)(out + WIDE), _mm256_castsi256_si128(odd));
  _mm_store_si128((__m128i *)(out + 2 * WIDE), _mm256_extracti128_si256(even, 1));
  _mm_store_si128((__m128i *)(out + 3 * WIDE), _mm256_extracti128_si256(odd, 1));
}

/* Bytes of BATCH draws of a row. A lane is a draw; what blocks and draws have in a counter after
 * two rounds, where they have met only in exclusive ors, is made once. */
static void make_bytes(uint32_t draw, uint32_t row, uint8_t *out) {
  __m256i of_block[BLOCKS][3];
  for (uint32_t b = 0; b < BLOCKS; b++) {
    const __m256i p0 = _mm256_mul_epu32(all(b), all(PHILOX_M4x32_0));
    const __m256i c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), keys[0][1]);
    const __m256i p1 = _mm256_mul_epu32(c2, all(PHILOX_M4x32_1));
    of_block[b][0] = _mm256_srli_epi64(p1, 32);
    of_block[b][1] = p1;
    of_block[b][2] = p0;
  }
  counters of_draw[BATCH / 4];
  for (uint32_t d = 0; d < BATCH / 4; d++) {
    const __m256i four = _mm256_add_epi64(all(draw + 4 * d), _mm256_set_epi64x(3, 2, 1, 0));
    const __m256i p1 = _mm256_mul_epu32(four, all(PHILOX_M4x32_1));
    const __m256i c0 =
        _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), all(row)), keys[0][0]);
    const __m256i p0 = _mm256_mul_epu32(c0, all(PHILOX_M4x32_0));
    of_draw[d].c0 = _mm256_xor_si256(p1, keys[1][0]);
    of_draw[d].c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), keys[1][1]);
    of_draw[d].c3 = p0;
  }
  for (int b = 0; b < BLOCKS; b++)
    for (int d = 0; d < BATCH / 4; d += 2) { /* two in flight */
      counters g[2];
      for (int k = 0; k < 2; k++) {
        g[k].c0 = _mm256_xor_si256(of_block[b][0], of_draw[d + k].c0);
        g[k].c1 = of_block[b][1];
        g[k].c2 = _mm256_xor_si256(of_block[b][2], of_draw[d + k].c2);
        g[k].c3 = of_draw[d + k].c3;
      }
#pragma GCC unroll 8
      for (int r = 2; r < 10; r++) {
        turn(&g[0], r);
        turn(&g[1], r);
      }
      store(&g[0], out + 4 * d * WIDE + 16 * b);
      store(&g[1], out + 4 * (d + 1) * WIDE + 16 * b);
    }
}

/* ---- rows side by side ---- */

static _Alignas(64) real weight[FIRST + BESIDE * WIDE + 64], release[FIRST + BESIDE * WIDE + 64];
static _Alignas(64) uint8_t coarse[FIRST + BESIDE * WIDE + 64], bytes[BESIDE][BATCH * WIDE];
static uint32_t member[BESIDE * WIDE + 64];
static real amount[BESIDE * WIDE + 64], weaker[BESIDE * WIDE + 64];

/* Masks of all rows in an iteration, and the synapses that tie in it, as address and bit. */
static uint64_t mask[BESIDE][2];
static struct { uint32_t lane, bit; } tie[BESIDE * WIDE + 4];

static inline uint64_t movemask(__m256i low, __m256i high) {
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

/* Word w of row l without its ties, which are listed: two whether or not there are as many. */
static inline size_t compare(uint32_t l, uint32_t w, const uint8_t *random, size_t count) {
  const uint8_t *limit = coarse + FIRST + l * WIDE + 64 * w;
  const __m256i bl = _mm256_load_si256((const __m256i *)random),
                bh = _mm256_load_si256((const __m256i *)(random + 32));
  const __m256i cl = _mm256_load_si256((const __m256i *)limit),
                ch = _mm256_load_si256((const __m256i *)(limit + 32));
  mask[l][w] = ~movemask(_mm256_cmpeq_epi8(_mm256_max_epu8(bl, cl), bl),
                         _mm256_cmpeq_epi8(_mm256_max_epu8(bh, ch), bh));
#if TIES
  uint64_t ties = movemask(_mm256_cmpeq_epi8(bl, cl), _mm256_cmpeq_epi8(bh, ch));
  const size_t end = count + (size_t)__builtin_popcountll(ties);
  for (size_t k = count;; k += 2) {
#pragma GCC unroll 2
    for (size_t i = k; i < k + 2; i++) {
      tie[i].lane = l;
      tie[i].bit = 64 * w + (uint32_t)_tzcnt_u64(ties);
      ties &= ties - 1;
    }
    if (k + 2 >= end) return end;
  }
#else
  return count;
#endif
}

/* Decides `count` ties, four at a time. */
static inline void decide(size_t count, uint32_t draw, uint32_t row) {
  for (size_t k = 0; k < count; k += 4) {
    uint64_t block[4], lane[4], out[4][4];
    for (size_t i = 0; i < 4; i++) {
      block[i] = 0x80000000u | tie[k + i].bit / 4;
      lane[i] = row + tie[k + i].lane;
    }
    counters g = {_mm256_loadu_si256((const __m256i *)block),
                  _mm256_loadu_si256((const __m256i *)lane), all(draw), all(0)};
#pragma GCC unroll 10
    for (int r = 0; r < 10; r++) turn(&g, r);
    _mm256_storeu_si256((__m256i *)out[0], g.c0);
    _mm256_storeu_si256((__m256i *)out[1], g.c1);
    _mm256_storeu_si256((__m256i *)out[2], g.c2);
    _mm256_storeu_si256((__m256i *)out[3], g.c3);
    for (size_t i = 0; i < 4 && k + i < count; i++) {
      const uint32_t l = tie[k + i].lane, b = tie[k + i].bit;
      const size_t at = FIRST + l * WIDE + b;
      const uint64_t fine = ves_threshold_fine((double)release[at]);
      const uint64_t on = weight[at] > 0 && (uint32_t)out[b % 4][i] < fine;
      mask[l][b / 64] |= on << b % 64;
    }
  }
}

/* Lists members from the top bit, the weakest, down; four are listed whether or not there are as
 * many. */
static inline size_t list(size_t size, size_t at, uint64_t bits, real *sum) {
  const size_t end = size + (size_t)__builtin_popcountll(bits);
  for (size_t k = size; k < end; k += 4)
#pragma GCC unroll 4
    for (size_t i = k; i < k + 4; i++) {
      const unsigned above = 63 - (unsigned)_lzcnt_u64(bits);
      const size_t r = at + (size_t)(int)above;
      bits = _bzhi_u64(bits, above);
      member[i] = (uint32_t)r;
      amount[i] = weight[r];
      weaker[i] = *sum;
      *sum += weight[r];
    }
  if (end > size) *sum = weaker[end - 1] + amount[end - 1];
  return end;
}

/* One vector of members takes its step. */
static inline void step(size_t c) {
  const uint32_t *m = member + c;
  real next[VECTOR];
#pragma GCC unroll 8
  for (int i = 0; i < VECTOR; i++) next[i] = release[m[i]];
#if SINGLE
  const __m256 w = _mm256_loadu_ps(amount + c),
               g = _mm256_div_ps(w, _mm256_add_ps(_mm256_loadu_ps(weaker + c), w));
  const __m256 g2 = _mm256_mul_ps(g, g), g4 = _mm256_mul_ps(g2, g2), q = _mm256_loadu_ps(next);
  const __m256 moved = _mm256_sub_ps(
      q, _mm256_mul_ps(_mm256_set1_ps((float)RATE), _mm256_sub_ps(q, _mm256_mul_ps(g4, g4))));
  const __m256 kept =
      _mm256_min_ps(_mm256_max_ps(moved, _mm256_set1_ps((float)FLOOR)), _mm256_set1_ps(1));
  const __m256i whole = _mm256_cvttps_epi32(_mm256_mul_ps(kept, _mm256_set1_ps(256)));
  const __m256i c8 = _mm256_min_epi32(whole, _mm256_set1_epi32(255));
  uint32_t out[VECTOR];
  _mm256_storeu_ps(next, kept);
  _mm256_storeu_si256((__m256i *)out, c8);
#else
  const __m256d w = _mm256_loadu_pd(amount + c),
                g = _mm256_div_pd(w, _mm256_add_pd(_mm256_loadu_pd(weaker + c), w));
  const __m256d g2 = _mm256_mul_pd(g, g), g4 = _mm256_mul_pd(g2, g2), q = _mm256_loadu_pd(next);
  const __m256d moved = _mm256_sub_pd(
      q, _mm256_mul_pd(_mm256_set1_pd(RATE), _mm256_sub_pd(q, _mm256_mul_pd(g4, g4))));
  const __m256d kept =
      _mm256_min_pd(_mm256_max_pd(moved, _mm256_set1_pd(FLOOR)), _mm256_set1_pd(1));
  const __m256i bits = _mm256_castpd_si256(_mm256_add_pd(kept, _mm256_set1_pd(4096.0)));
  const __m256i c9 = _mm256_and_si256(_mm256_srli_epi64(bits, 32), _mm256_set1_epi64x(0x1ff));
  uint64_t out[VECTOR];
  _mm256_storeu_pd(next, kept);
  _mm256_storeu_si256((__m256i *)out, _mm256_sub_epi64(c9, _mm256_srli_epi64(c9, 8)));
#endif
#pragma GCC unroll 8
  for (int i = 0; i < VECTOR; i++) {
    release[m[i]] = next[i];
    coarse[m[i]] = (uint8_t)out[i];
  }
}

static void learn_beside(uint32_t row) {
  for (uint32_t t = 0; t < ITERATIONS; t += BATCH) {
    for (uint32_t l = 0; l < BESIDE; l++) make_bytes(t, row + l, bytes[l]);
    const uint32_t count = ITERATIONS - t < BATCH ? ITERATIONS - t : BATCH;
    for (uint32_t b = 0; b < count; b++) {
      size_t size = 0, ties = 0;
      for (uint32_t l = 0; l < BESIDE; l++) {
        ties = compare(l, 0, bytes[l] + b * WIDE, ties);
        ties = compare(l, 1, bytes[l] + b * WIDE + 64, ties);
      }
      decide(ties, t + b, row);
      for (uint32_t l = 0; l < BESIDE; l++) {
        const size_t at = FIRST + l * WIDE;
        real sum = 0;
        size = list(size, at + 64, mask[l][1], &sum);
        size = list(size, at, mask[l][0], &sum);
      }
      for (size_t k = size; k < size + VECTOR; k++) { /* a synapse that does not exist */
        member[k] = FIRST + BESIDE * WIDE;
        amount[k] = 1;
        weaker[k] = 0;
      }
      for (size_t c = 0; c < size; c += VECTOR) step(c);
    }
  }
}

static void learn(void) {
  memset(bytes, 255, sizeof bytes); /* what is past the blocks ties with nothing */
  for (uint32_t i = 0; i < N; i += BESIDE) {
    size_t order[BESIDE][N];
    memset(weight, 0, sizeof weight);
    memset(coarse, 0, sizeof coarse);
    for (size_t l = 0; l < BESIDE; l++) {
      const double *w = weights + (i + l) * N;
      double *q = learned + (i + l) * N;
      ves_learn_start(0.3, 0.1, FLOOR, 1, key, 0, i + (uint32_t)l, N, q);
      ves_order_descending(w, N, order[l]);
      for (size_t r = 0; r < N; r++) {
        weight[FIRST + l * WIDE + r] = (real)w[order[l][r]];
        release[FIRST + l * WIDE + r] = (real)q[order[l][r]];
        coarse[FIRST + l * WIDE + r] = ves_threshold_coarse(q[order[l][r]]);
      }
    }
    learn_beside(i);
    for (size_t l = 0; l < BESIDE; l++)
      for (size_t r = 0; r < N; r++)
        learned[(i + l) * N + order[l][r]] = (double)release[FIRST + l * WIDE + r];
  }
}

/* ---- the job ---- */

static void make_weights(uint64_t seed) {
  static double x[ROWS], y[ROWS], a[N * N], b[N * N];
  ves_code code;
  ves_evidence ev;
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  ves_rng_seek(r, ves_key_integer(seed, 1), 0, VES_ROW_SCALAR);
  for (int i = 0; i < ROWS; i++) {
    x[i] = value_of(i / (ROWS / INPUTS));
    y[i] = gsl_ran_gaussian_ziggurat(r, 0.2 + 0.2 * (x[i] + 4));
  }
  gsl_rng_free(r);
  if (ves_code_alloc(&code, N, LO, HI, SIGMA, VES_SPACING_ENDS) != VES_OK) abort();
  if (ves_evidence_alloc(&ev, N, N, 1) != VES_OK) abort();
  ves_evidence_priors(&ev, 0.025, 0.026, 0.1, 0.101, ves_key_integer(seed, 2));
  ves_evidence_observe(&ev, &code, &code, x, y, NULL, ROWS);
  ves_evidence_cells(&ev, 0, (size_t)N * N, a, b);
  ves_beta_mean(a, b, (size_t)N * N, weights);
  ves_evidence_free(&ev);
  ves_code_free(&code);
}

/* The library's releases, to the last bit. */
static void same_bits(void) {
  static double expected[N * N];
  const ves_learn_options opt = ves_learn_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (uint32_t i = 0; i < N; i++)
    ves_learn_start(0.3, 0.1, FLOOR, 1, key, 0, i, N, expected + (size_t)N * i);
  ves_learn_rows(weights, N, N, &opt, key, 0, 0, ws, expected);
  ves_learn_workspace_free(ws);
  learn();
  if (memcmp(expected, learned, sizeof learned) != 0) {
    fprintf(stderr, "bound: its releases are not those of the library\n");
    exit(1);
  }
}

static void job(uint64_t round) {
  set_key(ves_key_integer(ves_key_root(7), round));
  timed(NULL);
  learn();
  timed("learning");
}

int main(int argc, char **argv) {
  ves_simd_select(true);
  make_weights(ves_key_root(seed_of(argc, argv)));
  set_key(ves_key_root(seed_of(argc, argv)));
  if (sizeof(real) == sizeof(double) && TIES) same_bits();
  repeat(job);
  double mean = 0, strongest = 0;
  for (size_t i = 0; i < N; i++) {
    size_t order[N];
    ves_order_descending(weights + i * N, N, order);
    strongest += learned[i * N + order[0]] / N;
    for (size_t j = 0; j < N; j++) mean += learned[i * N + j] / (N * N);
  }
  printf("check\tlearned\t%.17g\ncheck\tstrongest\t%.17g\n", mean, strongest);
  return 0;
}
