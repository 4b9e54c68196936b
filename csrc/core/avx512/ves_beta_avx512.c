/* ves_beta_avx512: Beta draws of eight synapses at a time.
 *
 * The same passes as in ves_beta_avx2.c: all synapses are tried, those that need the logarithms are
 * listed with their normals and judged, those that are rejected tried again. Lane by lane these are
 * the operations of ves_beta.c and of ves_math_private.h. The chain from a random word to a weight is
 * long and every step waits for the one before, so that twice as many synapses in a vector take
 * little more time than as many in AVX2. */
#include "ves_beta_private.h"
#include "ves_simd.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

#include "ves_math_private.h"
#include "ves_philox_avx512.h"

enum { LANES = 8 };

/* ---- arithmetic ---- */

static inline __m512d mul(__m512d a, __m512d b) { return _mm512_mul_pd(a, b); }
static inline __m512d add(__m512d a, __m512d b) { return _mm512_add_pd(a, b); }
static inline __m512d sub(__m512d a, __m512d b) { return _mm512_sub_pd(a, b); }
static inline __m512d over(__m512d a, __m512d b) { return _mm512_div_pd(a, b); }
static inline __m512d all(double v) { return _mm512_set1_pd(v); }
static inline __m512i all_bits(uint64_t v) { return _mm512_set1_epi64((long long)v); }
static inline __m512d line(double a, double b, __m512d r) { return add(all(a), mul(all(b), r)); }
static inline __mmask8 less(__m512d a, __m512d b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline __mmask8 above_zero(__m512d v) { return less(_mm512_setzero_pd(), v); }

static inline __m512d exp8(__m512d t) {
  const __m512d sum = add(mul(t, all(VES_EXP_LOG2E)), all(VES_EXP_ROUND));
  const __m512d k = sub(sum, all(VES_EXP_ROUND));
  const __m512d r = sub(sub(t, mul(k, all(VES_EXP_LN2_HIGH))), mul(k, all(VES_EXP_LN2_LOW)));
  const __m512d r2 = mul(r, r), r4 = mul(r2, r2), r8 = mul(r4, r4);
  const __m512d low =
      add(add(add(all(1), r), mul(line(VES_EXP_2, VES_EXP_3, r), r2)),
          mul(add(line(VES_EXP_4, VES_EXP_5, r), mul(line(VES_EXP_6, VES_EXP_7, r), r2)), r4));
  const __m512d high =
      add(add(line(VES_EXP_8, VES_EXP_9, r), mul(line(VES_EXP_10, VES_EXP_11, r), r2)),
          mul(line(VES_EXP_12, VES_EXP_13, r), r4));
  const __m512i scale = _mm512_add_epi64(_mm512_slli_epi64(_mm512_castpd_si512(sum), 52),
                                         all_bits(UINT64_C(1023) << 52));
  return mul(add(low, mul(high, r8)), _mm512_castsi512_pd(scale));
}

static inline __m512d log8(__m512d x) {
  const __m512i bits = _mm512_castpd_si512(x);
  const __m512i exponent = _mm512_srli_epi64(
      _mm512_sub_epi64(bits, all_bits(VES_LOG_SPLIT - (VES_LOG_OFFSET << 52))), 52);
  const __m512i moved = _mm512_slli_epi64(_mm512_sub_epi64(exponent, all_bits(VES_LOG_OFFSET)), 52);
  const __m512d m = _mm512_castsi512_pd(_mm512_sub_epi64(bits, moved));
  const __m512d k = sub(_mm512_castsi512_pd(_mm512_or_si512(exponent, all_bits(VES_LOG_WHOLE))),
                        all(0x1p52 + (double)VES_LOG_OFFSET));
  const __m512d s = over(sub(m, all(1)), add(m, all(1)));
  const __m512d z = mul(s, s), z2 = mul(z, z), z4 = mul(z2, z2);
  const __m512d p =
      add(add(line(1.0 / 3, 1.0 / 5, z), mul(line(1.0 / 7, 1.0 / 9, z), z2)),
          mul(add(line(1.0 / 11, 1.0 / 13, z), mul(line(1.0 / 15, 1.0 / 17, z), z2)), z4));
  const __m512d twice = add(s, s);
  return add(mul(k, all(VES_LOG_LN2)), add(twice, mul(twice, mul(z, p))));
}

static inline void circle8(__m512d y, __m512d *sine, __m512d *cosine) {
  const __m512d z = mul(y, y), z2 = mul(z, z), z4 = mul(z2, z2);
  const __m512d s = add(add(line(VES_SIN_3, VES_SIN_5, z), mul(line(VES_SIN_7, VES_SIN_9, z), z2)),
                        mul(line(VES_SIN_11, VES_SIN_13, z), z4));
  const __m512d c = add(add(line(VES_COS_2, VES_COS_4, z), mul(line(VES_COS_6, VES_COS_8, z), z2)),
                        mul(add(line(VES_COS_10, VES_COS_12, z), mul(all(VES_COS_14), z2)), z4));
  *sine = add(y, mul(y, mul(z, s)));
  *cosine = add(all(1), mul(z, c));
}

/* ---- words ---- */

typedef struct {
  wide_keys keys;
  uint64_t draw;
  uint32_t row;
} address;

static inline wide_group blocks_at(const address *at, __m512i block) {
  return (wide_group){block, wide_low(at->row), wide_low((uint32_t)at->draw),
                      wide_low((uint32_t)(at->draw >> 32))};
}

static inline void rounds(const wide_keys *k, wide_group *g) {
  for (int round = 0; round < 10; round++) wide_round(g, k->word[round]);
}

static inline __m512d mantissa8(__m512i low, __m512i high) {
  const __m512i both = _mm512_mask_blend_epi32(0xaaaa, low, _mm512_slli_epi64(high, 32));
  return _mm512_castsi512_pd(
      _mm512_or_si512(_mm512_srli_epi64(both, 12), all_bits(UINT64_C(1023) << 52)));
}

static inline __m512d in_open_unit8(__m512i word) {
  const __m512d whole = _mm512_cvtepu64_pd(_mm512_maskz_mov_epi32(0x5555, word));
  return mul(add(whole, all(0.5)), all(0x1p-32));
}

/* What chance gives eight synapses in a try, whatever their parameters. */
typedef struct {
  __m512i block; /* of kind 0 */
  wide_group uniform;
  __m512d x, y; /* normals */
} chance8;

#define KIND all_bits(UINT64_C(1) << 30)

static inline chance8 chance_at(const address *at, __m512i block) {
  wide_group normal = blocks_at(at, block);
  chance8 c = {.block = block, .uniform = blocks_at(at, _mm512_add_epi64(block, KIND))};
  for (int round = 0; round < 10; round++) {
    wide_round(&normal, at->keys.word[round]);
    wide_round(&c.uniform, at->keys.word[round]);
  }
  const __m512d radius =
      _mm512_sqrt_pd(mul(all(-2.0), log8(sub(all(2.0), mantissa8(normal.c0, normal.c1)))));
  __m512d sine, cosine;
  circle8(mul(sub(mantissa8(normal.c2, normal.c3), all(1.5)), all(VES_CIRCLE_QUARTER)), &sine,
          &cosine);
  const __mmask8 swap = _mm512_test_epi64_mask(normal.c2, all_bits(1));
  const __m512d turn =
      _mm512_and_pd(_mm512_castsi512_pd(_mm512_slli_epi64(normal.c2, 62)), all(-0.0));
  const __m512d r = _mm512_xor_pd(radius, turn);
  c.x = mul(r, _mm512_mask_blend_pd(swap, cosine, sine));
  c.y = mul(r, _mm512_mask_blend_pd(swap, sine, cosine));
  return c;
}

/* ---- one try ---- */

/* The parameters of eight synapses. */
typedef struct {
  __m512d d, c, squeeze, lower;
} gamma8;

/* Which lanes accept: by the squeeze alone, or also with the logarithms. */
static inline __mmask8 accept8(const gamma8 *g, __m512d x, __m512d u, bool thorough,
                               __m512d *value) {
  const __m512d z = add(all(1), mul(g->c, x)), v = mul(mul(z, z), z), x2 = mul(x, x);
  const __mmask8 near = _mm512_cmp_pd_mask(z, all(VES_BETA_NEAR), _CMP_GE_OQ);
  const __m512d below = _mm512_max_pd(sub(all(1), z), _mm512_setzero_pd());
  const __m512d chord = mul(g->squeeze, add(all(VES_BETA_ABOVE), mul(all(VES_BETA_BELOW), below)));
  const __m512d squeeze = _mm512_mask_blend_pd(near, all(VES_BETA_SQUEEZE), chord);
  __mmask8 kept = less(u, sub(all(1), mul(squeeze, mul(x2, x2))));
  *value = mul(g->d, v);
  if (thorough) {
    const __m512d h = add(mul(all(0.5), x2), mul(g->d, add(sub(all(1), v), log8(v))));
    kept |= less(log8(u), h);
  }
  return kept & above_zero(z);
}

static inline __m512d share8(__m512d a, __m512d b, __m512d la, __m512d lb) {
  const __m512d apart = sub(la, lb), below = _mm512_or_pd(apart, all(-0.0));
  const __mmask8 some = _mm512_cmp_pd_mask(below, all(VES_EXP_LEAST), _CMP_NLT_UQ);
  const __m512d e = _mm512_maskz_mov_pd(some, exp8(_mm512_max_pd(below, all(VES_EXP_LEAST))));
  const __mmask8 a_less = less(apart, _mm512_setzero_pd());
  const __m512d share_a = _mm512_mask_mul_pd(a, a_less, a, e);
  const __m512d share_b = _mm512_mask_mul_pd(b, (__mmask8)~a_less, b, e);
  return over(share_a, add(share_a, share_b));
}

/* What chance makes of the weights of synapses with these parameters; *kept has the lanes that are
 * accepted. */
static inline __m512d try8(const address *at, const chance8 *c, const gamma8 *ga, const gamma8 *gb,
                           bool thorough, __mmask8 *kept) {
  __m512d a, b;
  *kept = accept8(ga, c->x, in_open_unit8(c->uniform.c0), thorough, &a) &
          accept8(gb, c->y, in_open_unit8(c->uniform.c1), thorough, &b);
  const __mmask8 lower_a = above_zero(ga->lower), lower_b = above_zero(gb->lower);
  if ((lower_a | lower_b) == 0) return over(a, add(a, b));
  const __m512d la = mul(ga->lower, log8(sub(all(2.0), mantissa8(c->uniform.c2, c->uniform.c3))));
  __m512d lb = all(-0.0); /* 0 times a logarithm */
  if (lower_b != 0) {
    wide_group second = blocks_at(at, _mm512_add_epi64(c->block, _mm512_add_epi64(KIND, KIND)));
    rounds(&at->keys, &second);
    lb = mul(gb->lower, log8(sub(all(2.0), mantissa8(second.c0, second.c1))));
  }
  return share8(a, b, la, lb);
}

/* ---- all synapses ---- */

static inline gamma8 gamma_run(const ves_gammas *g, size_t j) {
  return (gamma8){_mm512_loadu_pd(g->d + j), _mm512_loadu_pd(g->c + j),
                  _mm512_loadu_pd(g->squeeze + j), _mm512_loadu_pd(g->lower + j)};
}

static inline gamma8 gamma_list(const ves_gammas *g, __m256i j) {
  return (gamma8){_mm512_i32gather_pd(j, g->d, 8), _mm512_i32gather_pd(j, g->c, 8),
                  _mm512_i32gather_pd(j, g->squeeze, 8), _mm512_i32gather_pd(j, g->lower, 8)};
}

/* The first `count` lanes. */
static inline __mmask8 first_lanes(size_t count) {
  return count < LANES ? (__mmask8)((1U << count) - 1) : 0xff;
}

/* The next synapses of a list, with the first of them in lanes past its end. */
static inline __m256i next_listed(const uint32_t *list, __mmask8 lanes) {
  return _mm256_mask_loadu_epi32(_mm256_set1_epi32((int)list[0]), lanes, list);
}

/* Appends the chosen lanes; there is room for all of them. */
static inline size_t append(uint32_t *list, size_t count, __m256i j, __mmask8 chosen) {
  _mm256_storeu_si256((__m256i *)(void *)(list + count), _mm256_maskz_compress_epi32(chosen, j));
  return count + (size_t)__builtin_popcount(chosen);
}

/* Tries the listed synapses thoroughly; those that are rejected stay listed, from the front. */
static size_t try_list(const ves_beta *s, const address *at, uint64_t t, uint32_t *list,
                       size_t count, double *w) {
  const __m512i start = wide_low(ves_beta_block(0, t, s->n, 0));
  size_t left = 0;
  for (size_t k = 0; k < count; k += LANES) {
    const __mmask8 lanes = first_lanes(count - k);
    const __m256i j = next_listed(list + k, lanes);
    const gamma8 a = gamma_list(&s->a, j), b = gamma_list(&s->b, j);
    const __m512i block = _mm512_and_si512(_mm512_add_epi64(start, _mm512_cvtepu32_epi64(j)),
                                           all_bits((UINT64_C(1) << 30) - 1));
    const chance8 c = chance_at(at, block);
    __mmask8 kept;
    const __m512d weight = try8(at, &c, &a, &b, true, &kept);
    uint32_t index[LANES];
    double value[LANES];
    _mm256_storeu_si256((__m256i *)(void *)index, j);
    _mm512_storeu_pd(value, weight);
    for (size_t i = 0; i < LANES && k + i < count; i++)
      if (kept >> i & 1)
        w[index[i]] = value[i];
      else
        list[left++] = index[i];
  }
  return left;
}

/* Synapses that are drawn before their list is worked off: it fits the stack. */
enum { STRETCH = 256 };

/* Synapses whose normals need the logarithms to be judged; room for whole vectors. */
typedef struct {
  uint32_t at[STRETCH + LANES];
  double x[STRETCH + LANES], y[STRETCH + LANES], u[STRETCH + LANES], v[STRETCH + LANES];
  size_t count;
} listed;

static inline __m512d chosen_of(__mmask8 chosen, __m512d v) {
  return _mm512_maskz_compress_pd(chosen, v);
}

static void enlist(listed *list, const chance8 *c, size_t j, __mmask8 chosen) {
  const size_t at = list->count;
  const __m256i here =
      _mm256_add_epi32(_mm256_set1_epi32((int)j), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
  _mm512_storeu_pd(list->x + at, chosen_of(chosen, c->x));
  _mm512_storeu_pd(list->y + at, chosen_of(chosen, c->y));
  _mm512_storeu_pd(list->u + at, chosen_of(chosen, in_open_unit8(c->uniform.c0)));
  _mm512_storeu_pd(list->v + at, chosen_of(chosen, in_open_unit8(c->uniform.c1)));
  list->count = append(list->at, at, here, chosen);
}

/* Judges the listed synapses, whose weights stand in w already; those that are rejected stay. */
static void judge(const ves_beta *s, listed *list) {
  const size_t count = list->count;
  list->count = 0;
  for (size_t k = 0; k < count; k += LANES) {
    const __mmask8 lanes = first_lanes(count - k);
    const __m256i j = next_listed(list->at + k, lanes);
    const gamma8 a = gamma_list(&s->a, j), b = gamma_list(&s->b, j);
    const __m512d half = all(0.5);
    __m512d unused;
    const __mmask8 kept = accept8(&a, _mm512_maskz_loadu_pd(lanes, list->x + k),
                                  _mm512_mask_loadu_pd(half, lanes, list->u + k), true, &unused) &
                          accept8(&b, _mm512_maskz_loadu_pd(lanes, list->y + k),
                                  _mm512_mask_loadu_pd(half, lanes, list->v + k), true, &unused);
    list->count = append(list->at, list->count, j, (__mmask8)(lanes & ~kept));
  }
}

/* All weights of `sets` preparations, one or two. */
static inline __attribute__((always_inline)) void draw_sets(const ves_beta *const *s, size_t sets,
                                                            const address *at, double *const *w) {
  const size_t n = s[0]->n;
  for (size_t first = 0; first < n; first += STRETCH) {
    const size_t end = n - first < STRETCH ? n : first + STRETCH;
    listed list[2];
    for (size_t i = 0; i < sets; i++) list[i].count = 0;
    for (size_t j = first; j < end; j += LANES) {
      const __mmask8 lanes = first_lanes(end - j);
      const chance8 c = chance_at(at, _mm512_add_epi64(wide_low((uint32_t)j), wide_count()));
      for (size_t i = 0; i < sets; i++) {
        const gamma8 a = gamma_run(&s[i]->a, j), b = gamma_run(&s[i]->b, j);
        __mmask8 kept;
        _mm512_mask_storeu_pd(w[i] + j, lanes, try8(at, &c, &a, &b, false, &kept));
        if ((lanes & ~kept) != 0) enlist(list + i, &c, j, (__mmask8)(lanes & ~kept));
      }
    }
    for (size_t i = 0; i < sets; i++) {
      judge(s[i], list + i);
      for (uint64_t t = 1; list[i].count > 0; t++)
        list[i].count = try_list(s[i], at, t, list[i].at, list[i].count, w[i]);
    }
  }
}

static bool usable(const ves_beta *s) { return ves_simd_wide() && s->n < UINT32_C(1) << 30; }

bool ves_beta_draw_avx512(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w) {
  if (!usable(s)) return false;
  const address at = {wide_round_keys(key), draw, row};
  draw_sets(&s, 1, &at, &w);
  return true;
}

bool ves_beta_draw_both_avx512(const ves_beta *const s[2], uint64_t key, uint64_t draw,
                               uint32_t row, double *const w[2]) {
  if (!usable(s[0])) return false;
  const address at = {wide_round_keys(key), draw, row};
  draw_sets(s, 2, &at, w);
  return true;
}

bool ves_beta_draw_listed_avx512(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                                 uint32_t *list, size_t count, double *w) {
  if (!usable(s)) return false;
  const address at = {wide_round_keys(key), draw, row};
  for (uint64_t t = 0; count > 0; t++) count = try_list(s, &at, t, list, count, w);
  return true;
}

#else

bool ves_beta_draw_avx512(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w) {
  (void)s, (void)key, (void)draw, (void)row, (void)w;
  return false;
}

bool ves_beta_draw_both_avx512(const ves_beta *const s[2], uint64_t key, uint64_t draw,
                               uint32_t row, double *const w[2]) {
  (void)s, (void)key, (void)draw, (void)row, (void)w;
  return false;
}

bool ves_beta_draw_listed_avx512(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                                 uint32_t *list, size_t count, double *w) {
  (void)s, (void)key, (void)draw, (void)row, (void)list, (void)count, (void)w;
  return false;
}

#endif
