/* ves_beta_avx2: Beta draws of four synapses at a time.
 *
 * Lane by lane these are the operations of ves_beta.c. A first pass tries all synapses, and keeps
 * those whose normals are accepted without a logarithm, more than nine of ten. The others are
 * listed with their normals and judged by fours, now with the logarithms, and those that are
 * rejected are tried with the words of the next try, until the list is empty. Where two
 * preparations are drawn with the same words, as A, B and A+1, B+1 are, the first pass makes words
 * and normals once for both: they are most of the work. */
#include "ves_beta_private.h"
#include "ves_rng_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_math_avx2.h"
#include "ves_philox_avx2.h"

/* The parameters of four synapses. */
typedef struct {
  __m256d d, c, squeeze, lower;
} gamma4;

typedef struct {
  philox_keys keys;
  uint64_t draw;
  uint32_t row;
} address;

/* ---- words ---- */

static inline philox_group blocks_at(const address *at, __m256i block) {
  const philox_group g = {block, philox_broadcast(at->row), philox_broadcast((uint32_t)at->draw),
                          philox_broadcast((uint32_t)(at->draw >> 32))};
  return g;
}

static inline __m256d mantissa4(__m256i low, __m256i high) {
  const __m256i both = _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xaa);
  return _mm256_castsi256_pd(
      _mm256_or_si256(_mm256_srli_epi64(both, 12), all_bits(UINT64_C(1023) << 52)));
}

static inline __m256d in_open_unit4(__m256i word) {
  const __m256i low = _mm256_blend_epi32(word, _mm256_setzero_si256(), 0xaa);
  const __m256d whole =
      sub(_mm256_castsi256_pd(_mm256_or_si256(low, all_bits(VES_LOG_WHOLE))), all(0x1p52));
  return mul(add(whole, all(0.5)), all(0x1p-32));
}

/* ---- one try ---- */

static inline void normals4(const philox_group *g, __m256d *x, __m256d *y) {
  const __m256d radius =
      _mm256_sqrt_pd(mul(all(-2.0), log4(sub(all(2.0), mantissa4(g->c0, g->c1)))));
  __m256d sine, cosine;
  circle4(mul(sub(mantissa4(g->c2, g->c3), all(1.5)), all(VES_CIRCLE_QUARTER)), &sine, &cosine);
  const __m256d swap = _mm256_castsi256_pd(_mm256_slli_epi64(g->c2, 63));
  const __m256d turn = _mm256_and_pd(_mm256_castsi256_pd(_mm256_slli_epi64(g->c2, 62)), all(-0.0));
  const __m256d r = _mm256_xor_pd(radius, turn);
  *x = mul(r, _mm256_blendv_pd(cosine, sine, swap));
  *y = mul(r, _mm256_blendv_pd(sine, cosine, swap));
}

static inline __m256d above_zero(__m256d v) {
  return _mm256_cmp_pd(v, _mm256_setzero_pd(), _CMP_GT_OQ);
}

/* Which lanes accept: by the squeeze alone, or also with the logarithms. */
static inline __m256d accept4(const gamma4 *g, __m256d x, __m256d u, bool thorough,
                              __m256d *value) {
  const __m256d z = add(all(1), mul(g->c, x)), v = mul(mul(z, z), z), x2 = mul(x, x);
  const __m256d near = _mm256_cmp_pd(z, all(VES_BETA_NEAR), _CMP_GE_OQ);
  const __m256d below = _mm256_max_pd(sub(all(1), z), _mm256_setzero_pd());
  const __m256d chord = mul(g->squeeze, add(all(VES_BETA_ABOVE), mul(all(VES_BETA_BELOW), below)));
  const __m256d squeeze = _mm256_blendv_pd(all(VES_BETA_SQUEEZE), chord, near);
  const __m256d bound = sub(all(1), mul(squeeze, mul(x2, x2)));
  __m256d kept = _mm256_cmp_pd(u, bound, _CMP_LT_OQ);
  *value = mul(g->d, v);
  if (thorough) {
    const __m256d h = add(mul(all(0.5), x2), mul(g->d, add(sub(all(1), v), log4(v))));
    kept = _mm256_or_pd(kept, _mm256_cmp_pd(log4(u), h, _CMP_LT_OQ));
  }
  return _mm256_and_pd(kept, above_zero(z));
}

static inline __m256d share4(__m256d a, __m256d b, __m256d la, __m256d lb) {
  const __m256d apart = sub(la, lb), below = _mm256_or_pd(apart, all(-0.0));
  const __m256d least = all(VES_EXP_LEAST), none = _mm256_cmp_pd(below, least, _CMP_LT_OQ);
  const __m256d e = _mm256_andnot_pd(none, exp4(_mm256_max_pd(below, least)));
  const __m256d a_less = _mm256_cmp_pd(apart, _mm256_setzero_pd(), _CMP_LT_OQ);
  const __m256d share_a = _mm256_blendv_pd(a, mul(a, e), a_less);
  const __m256d share_b = _mm256_blendv_pd(mul(b, e), b, a_less);
  return _mm256_div_pd(share_a, add(share_a, share_b));
}

/* What chance gives four synapses in a try, whatever their parameters. */
typedef struct {
  __m256i block; /* of kind 0 */
  philox_group uniform;
  __m256d x, y; /* normals */
} chance4;

#define KIND all_bits(UINT64_C(1) << 30)

static inline chance4 chance_at(const address *at, __m256i block) {
  philox_group normal = blocks_at(at, block);
  chance4 c = {.block = block, .uniform = blocks_at(at, _mm256_add_epi64(block, KIND))};
  philox_two(&at->keys, &normal, &c.uniform);
  normals4(&normal, &c.x, &c.y);
  return c;
}

/* What it makes of the weights of synapses with these parameters; *kept has the signs of the lanes
 * that are accepted. */
static inline __m256d try4(const address *at, const chance4 *c, const gamma4 *ga, const gamma4 *gb,
                           bool thorough, int *kept) {
  __m256d a, b;
  const __m256d both = _mm256_and_pd(accept4(ga, c->x, in_open_unit4(c->uniform.c0), thorough, &a),
                                     accept4(gb, c->y, in_open_unit4(c->uniform.c1), thorough, &b));
  *kept = _mm256_movemask_pd(both);
  const int lower_a = _mm256_movemask_pd(above_zero(ga->lower)),
            lower_b = _mm256_movemask_pd(above_zero(gb->lower));
  if ((lower_a | lower_b) == 0) return _mm256_div_pd(a, add(a, b));
  const __m256d la = mul(ga->lower, log4(sub(all(2.0), mantissa4(c->uniform.c2, c->uniform.c3))));
  __m256d lb = all(-0.0); /* 0 times a logarithm */
  if (lower_b != 0) {
    philox_group second = blocks_at(at, _mm256_add_epi64(c->block, _mm256_add_epi64(KIND, KIND)));
    philox_one(&at->keys, &second);
    lb = mul(gb->lower, log4(sub(all(2.0), mantissa4(second.c0, second.c1))));
  }
  return share4(a, b, la, lb);
}

/* ---- all synapses ---- */

static inline gamma4 gamma_run(const ves_gammas *g, size_t j) {
  return (gamma4){_mm256_loadu_pd(g->d + j), _mm256_loadu_pd(g->c + j),
                  _mm256_loadu_pd(g->squeeze + j), _mm256_loadu_pd(g->lower + j)};
}

static inline __m256d four_of(const double *v, const uint32_t *j) {
  return _mm256_set_pd(v[j[3]], v[j[2]], v[j[1]], v[j[0]]);
}

static inline gamma4 gamma_list(const ves_gammas *g, const uint32_t *j) {
  return (gamma4){four_of(g->d, j), four_of(g->c, j), four_of(g->squeeze, j), four_of(g->lower, j)};
}

/* Tries the listed synapses thoroughly; those that are rejected stay listed. */
static size_t try_list(const ves_beta *s, const address *at, uint64_t t, uint32_t *list,
                       size_t count, double *w) {
  size_t left = 0;
  for (size_t k = 0; k < count; k += 4) {
    uint32_t j[4];
    uint64_t block[4];
    for (size_t i = 0; i < 4; i++) {
      j[i] = list[k + i < count ? k + i : count - 1];
      block[i] = ves_beta_block(0, t, s->n, j[i]);
    }
    const gamma4 a = gamma_list(&s->a, j), b = gamma_list(&s->b, j);
    const chance4 c = chance_at(at, _mm256_loadu_si256((const __m256i *)(const void *)block));
    double weight[4];
    int kept;
    _mm256_storeu_pd(weight, try4(at, &c, &a, &b, true, &kept));
    for (size_t i = 0; i < 4 && k + i < count; i++)
      if (kept >> i & 1)
        w[j[i]] = weight[i];
      else
        list[left++] = j[i];
  }
  return left;
}

/* Synapses that are drawn before their list is worked off: it fits the stack. */
enum { STRETCH = 256 };

/* Synapses whose normals need the logarithms to be judged; room for whole vectors. */
typedef struct {
  uint32_t at[STRETCH + 3];
  double x[STRETCH + 3], y[STRETCH + 3], u[STRETCH + 3], v[STRETCH + 3];
  size_t count;
} listed;

static void enlist(listed *list, const chance4 *c, size_t j, size_t lanes, int kept) {
  double x[4], y[4], u[4], v[4];
  _mm256_storeu_pd(x, c->x);
  _mm256_storeu_pd(y, c->y);
  _mm256_storeu_pd(u, in_open_unit4(c->uniform.c0));
  _mm256_storeu_pd(v, in_open_unit4(c->uniform.c1));
  for (size_t i = 0; i < lanes; i++) {
    const size_t at = list->count;
    list->at[at] = (uint32_t)(j + i);
    list->x[at] = x[i];
    list->y[at] = y[i];
    list->u[at] = u[i];
    list->v[at] = v[i];
    list->count += !(kept >> i & 1);
  }
}

/* Judges the listed synapses, whose weights stand in w already; those that are rejected stay. */
static void judge(const ves_beta *s, listed *list) {
  const size_t count = list->count;
  list->count = 0;
  for (size_t k = 0; k < count; k += 4) {
    for (size_t i = k; i < k + 4; i++)
      if (i >= count) {
        list->at[i] = list->at[i - 1];
        list->x[i] = list->y[i] = 0.0;
        list->u[i] = list->v[i] = 0.5;
      }
    const gamma4 a = gamma_list(&s->a, list->at + k), b = gamma_list(&s->b, list->at + k);
    __m256d unused;
    const int kept = _mm256_movemask_pd(_mm256_and_pd(
        accept4(&a, _mm256_loadu_pd(list->x + k), _mm256_loadu_pd(list->u + k), true, &unused),
        accept4(&b, _mm256_loadu_pd(list->y + k), _mm256_loadu_pd(list->v + k), true, &unused)));
    for (size_t i = 0; i < 4 && k + i < count; i++)
      if (!(kept >> i & 1)) list->at[list->count++] = list->at[k + i];
  }
}

/* The first try of synapses j to j + lanes - 1; those that are not kept are listed. */
static inline void try_run(const ves_beta *s, const address *at, const chance4 *c, size_t j,
                           size_t lanes, listed *list, double *w) {
  const gamma4 a = gamma_run(&s->a, j), b = gamma_run(&s->b, j);
  int kept;
  const __m256d weight = try4(at, c, &a, &b, false, &kept);
  if (lanes == 4) {
    _mm256_storeu_pd(w + j, weight);
  } else {
    double four[4];
    _mm256_storeu_pd(four, weight);
    for (size_t i = 0; i < lanes; i++) w[j + i] = four[i];
  }
  if (kept != 15) enlist(list, c, j, lanes, kept);
}

/* All weights of `sets` preparations, one or two. */
static inline void draw_sets(const ves_beta *const *s, size_t sets, const address *at,
                             double *const *w) {
  const size_t n = s[0]->n;
  for (size_t first = 0; first < n; first += STRETCH) {
    const size_t end = n - first < STRETCH ? n : first + STRETCH;
    listed list[2];
    for (size_t i = 0; i < sets; i++) list[i].count = 0;
    for (size_t j = first; j < end; j += 4) {
      const chance4 c = chance_at(
          at, _mm256_add_epi64(philox_broadcast((uint32_t)j), _mm256_set_epi64x(3, 2, 1, 0)));
      for (size_t i = 0; i < sets; i++)
        try_run(s[i], at, &c, j, end - j < 4 ? end - j : 4, list + i, w[i]);
    }
    for (size_t i = 0; i < sets; i++) {
      judge(s[i], list + i);
      for (uint64_t t = 1; list[i].count > 0; t++)
        list[i].count = try_list(s[i], at, t, list[i].at, list[i].count, w[i]);
    }
  }
}

bool ves_beta_draw_avx2(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w) {
  if (!ves_simd_in_use() || s->n >= UINT32_C(1) << 30) return false;
  const address at = {philox_round_keys(key), draw, row};
  draw_sets(&s, 1, &at, &w);
  return true;
}

bool ves_beta_draw_both_avx2(const ves_beta *const s[2], uint64_t key, uint64_t draw, uint32_t row,
                             double *const w[2]) {
  if (!ves_simd_in_use() || s[0]->n >= UINT32_C(1) << 30) return false;
  const address at = {philox_round_keys(key), draw, row};
  draw_sets(s, 2, &at, w);
  return true;
}

bool ves_beta_draw_listed_avx2(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                               uint32_t *list, size_t count, double *w) {
  if (!ves_simd_in_use() || s->n >= UINT32_C(1) << 30) return false;
  const address at = {philox_round_keys(key), draw, row};
  for (uint64_t t = 0; count > 0; t++) count = try_list(s, &at, t, list, count, w);
  return true;
}

#else

bool ves_beta_draw_avx2(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row, double *w) {
  (void)s, (void)key, (void)draw, (void)row, (void)w;
  return false;
}

bool ves_beta_draw_both_avx2(const ves_beta *const s[2], uint64_t key, uint64_t draw, uint32_t row,
                             double *const w[2]) {
  (void)s, (void)key, (void)draw, (void)row, (void)w;
  return false;
}

bool ves_beta_draw_listed_avx2(const ves_beta *s, uint64_t key, uint64_t draw, uint32_t row,
                               uint32_t *list, size_t count, double *w) {
  (void)s, (void)key, (void)draw, (void)row, (void)list, (void)count, (void)w;
  return false;
}

#endif
