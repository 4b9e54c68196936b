/* immintrin.h: the instructions of csrc/core/avx2 by those of WebAssembly, so that its kernels run in
 * a page as they are.
 *
 * A vector of 256 bits is a pair of 128; the compiler keeps both in registers. Every operation here
 * gives the bits of the one it is named after, for the arguments that the kernels give it: what AVX2
 * does with numbers that are none, and with immediate operands that nobody uses, is left out. Max and
 * min are the ones that return their second argument where the two are equal, as on a processor.
 *
 * The reference job (tests/bench/job.lua) takes 3.0 times as long as with AVX2, and 7.4 times without
 * these. What is left is the width, half of AVX2's, and the products of the random numbers, whose
 * factors WebAssembly wants side by side: three shuffles for one multiplication. */
#ifndef WEB_IMMINTRIN_H
#define WEB_IMMINTRIN_H

#include <stdint.h>
#include <wasm_simd128.h>

typedef v128_t __m128i;
typedef struct {
  v128_t l, h;
} __m256i;
typedef struct {
  v128_t l, h;
} __m256d;

#define WEB_INLINE static inline __attribute__((always_inline))

/* name(a, b) of each half. */
#define WEB_BOTH(type, name, op)                                                                   \
  WEB_INLINE type name(type a, type b) { return (type){op(a.l, b.l), op(a.h, b.h)}; }

/* ---- memory and constants ---- */

WEB_INLINE __m256i _mm256_loadu_si256(const __m256i *p) {
  return (__m256i){wasm_v128_load(p), wasm_v128_load((const char *)p + 16)};
}
WEB_INLINE void _mm256_storeu_si256(__m256i *p, __m256i a) {
  wasm_v128_store(p, a.l);
  wasm_v128_store((char *)p + 16, a.h);
}
WEB_INLINE void _mm_storeu_si128(__m128i *p, __m128i a) { wasm_v128_store(p, a); }
WEB_INLINE __m256d _mm256_loadu_pd(const double *p) {
  return (__m256d){wasm_v128_load(p), wasm_v128_load(p + 2)};
}
WEB_INLINE void _mm256_storeu_pd(double *p, __m256d a) {
  wasm_v128_store(p, a.l);
  wasm_v128_store(p + 2, a.h);
}
WEB_INLINE __m256d _mm256_set1_pd(double v) {
  return (__m256d){wasm_f64x2_splat(v), wasm_f64x2_splat(v)};
}
WEB_INLINE __m256d _mm256_set_pd(double d, double c, double b, double a) {
  return (__m256d){wasm_f64x2_make(a, b), wasm_f64x2_make(c, d)};
}
WEB_INLINE __m256d _mm256_setzero_pd(void) { return _mm256_set1_pd(0.0); }
WEB_INLINE __m256i _mm256_set1_epi64x(long long v) {
  return (__m256i){wasm_i64x2_splat(v), wasm_i64x2_splat(v)};
}
WEB_INLINE __m256i _mm256_set_epi64x(long long d, long long c, long long b, long long a) {
  return (__m256i){wasm_i64x2_make(a, b), wasm_i64x2_make(c, d)};
}
WEB_INLINE __m256i _mm256_setzero_si256(void) { return _mm256_set1_epi64x(0); }
WEB_INLINE __m256i _mm256_castpd_si256(__m256d a) { return (__m256i){a.l, a.h}; }
WEB_INLINE __m256d _mm256_castsi256_pd(__m256i a) { return (__m256d){a.l, a.h}; }
WEB_INLINE __m128i _mm256_castsi256_si128(__m256i a) { return a.l; }
WEB_INLINE __m128i _mm256_extracti128_si256(__m256i a, int half) { return half ? a.h : a.l; }

/* ---- lanes apart ---- */

WEB_BOTH(__m256d, _mm256_add_pd, wasm_f64x2_add)
WEB_BOTH(__m256d, _mm256_sub_pd, wasm_f64x2_sub)
WEB_BOTH(__m256d, _mm256_mul_pd, wasm_f64x2_mul)
WEB_BOTH(__m256d, _mm256_div_pd, wasm_f64x2_div)
WEB_BOTH(__m256d, _mm256_and_pd, wasm_v128_and)
WEB_BOTH(__m256d, _mm256_or_pd, wasm_v128_or)
WEB_BOTH(__m256d, _mm256_xor_pd, wasm_v128_xor)
WEB_BOTH(__m256i, _mm256_add_epi64, wasm_i64x2_add)
WEB_BOTH(__m256i, _mm256_sub_epi64, wasm_i64x2_sub)
WEB_BOTH(__m256i, _mm256_and_si256, wasm_v128_and)
WEB_BOTH(__m256i, _mm256_or_si256, wasm_v128_or)
WEB_BOTH(__m256i, _mm256_xor_si256, wasm_v128_xor)
WEB_BOTH(__m256i, _mm256_cmpeq_epi8, wasm_i8x16_eq)
WEB_BOTH(__m256i, _mm256_max_epu8, wasm_u8x16_max)

WEB_INLINE __m256d _mm256_max_pd(__m256d a, __m256d b) {
  return (__m256d){wasm_f64x2_pmax(b.l, a.l), wasm_f64x2_pmax(b.h, a.h)};
}
WEB_INLINE __m256d _mm256_min_pd(__m256d a, __m256d b) {
  return (__m256d){wasm_f64x2_pmin(b.l, a.l), wasm_f64x2_pmin(b.h, a.h)};
}
WEB_INLINE __m256d _mm256_sqrt_pd(__m256d a) {
  return (__m256d){wasm_f64x2_sqrt(a.l), wasm_f64x2_sqrt(a.h)};
}
WEB_INLINE __m256d _mm256_floor_pd(__m256d a) {
  return (__m256d){wasm_f64x2_floor(a.l), wasm_f64x2_floor(a.h)};
}
WEB_INLINE __m256d _mm256_andnot_pd(__m256d a, __m256d b) {
  return (__m256d){wasm_v128_andnot(b.l, a.l), wasm_v128_andnot(b.h, a.h)};
}
WEB_INLINE __m256i _mm256_slli_epi64(__m256i a, uint32_t n) {
  return (__m256i){wasm_i64x2_shl(a.l, n), wasm_i64x2_shl(a.h, n)};
}
WEB_INLINE __m256i _mm256_srli_epi64(__m256i a, uint32_t n) {
  return (__m256i){wasm_u64x2_shr(a.l, n), wasm_u64x2_shr(a.h, n)};
}

/* The products of the low halves of 64-bit lanes: these are put side by side first. */
WEB_INLINE v128_t web_products(v128_t a, v128_t b) {
  return wasm_u64x2_extmul_low_u32x4(wasm_i32x4_shuffle(a, a, 0, 2, 0, 2),
                                     wasm_i32x4_shuffle(b, b, 0, 2, 0, 2));
}
WEB_BOTH(__m256i, _mm256_mul_epu32, web_products)

enum { _CMP_LT_OQ, _CMP_LE_OQ, _CMP_GT_OQ, _CMP_GE_OQ, _CMP_EQ_OQ };
WEB_INLINE v128_t web_compare(v128_t a, v128_t b, int how) {
  return how == _CMP_LT_OQ   ? wasm_f64x2_lt(a, b)
         : how == _CMP_LE_OQ ? wasm_f64x2_le(a, b)
         : how == _CMP_GT_OQ ? wasm_f64x2_gt(a, b)
         : how == _CMP_GE_OQ ? wasm_f64x2_ge(a, b)
                             : wasm_f64x2_eq(a, b);
}
WEB_INLINE __m256d _mm256_cmp_pd(__m256d a, __m256d b, int how) {
  return (__m256d){web_compare(a.l, b.l, how), web_compare(a.h, b.h, how)};
}

/* By the sign bit of each lane of `which`: b where it is set. */
WEB_INLINE v128_t web_choose(v128_t a, v128_t b, v128_t which) {
  return wasm_v128_bitselect(b, a, wasm_i64x2_lt(which, wasm_i64x2_const(0, 0)));
}
WEB_INLINE __m256d _mm256_blendv_pd(__m256d a, __m256d b, __m256d which) {
  return (__m256d){web_choose(a.l, b.l, which.l), web_choose(a.h, b.h, which.h)};
}
WEB_INLINE int _mm256_movemask_pd(__m256d a) {
  return (int)(wasm_i64x2_bitmask(a.l) | wasm_i64x2_bitmask(a.h) << 2);
}
/* Whether no bit is set in both. */
WEB_INLINE int _mm256_testz_si256(__m256i a, __m256i b) {
  return !wasm_v128_any_true(wasm_v128_or(wasm_v128_and(a.l, b.l), wasm_v128_and(a.h, b.h)));
}
WEB_INLINE int _mm256_movemask_epi8(__m256i a) {
  return (int)((uint32_t)wasm_i8x16_bitmask(a.l) | (uint32_t)wasm_i8x16_bitmask(a.h) << 16);
}

/* ---- lanes that move ---- */

WEB_INLINE __m256i _mm256_unpacklo_epi64(__m256i a, __m256i b) {
  return (__m256i){wasm_i64x2_shuffle(a.l, b.l, 0, 2), wasm_i64x2_shuffle(a.h, b.h, 0, 2)};
}
WEB_INLINE __m256i _mm256_unpackhi_epi64(__m256i a, __m256i b) {
  return (__m256i){wasm_i64x2_shuffle(a.l, b.l, 1, 3), wasm_i64x2_shuffle(a.h, b.h, 1, 3)};
}
/* The odd 32-bit lanes of b, which is what 0xaa says; the only pattern in use. */
WEB_INLINE __m256i _mm256_blend_epi32(__m256i a, __m256i b, int pattern) {
  (void)pattern;
  return (__m256i){wasm_i32x4_shuffle(a.l, b.l, 0, 5, 2, 7),
                   wasm_i32x4_shuffle(a.h, b.h, 0, 5, 2, 7)};
}
/* 0x20: the low halves; 0x31: the high ones. */
WEB_INLINE __m256i _mm256_permute2x128_si256(__m256i a, __m256i b, int pattern) {
  return pattern == 0x20 ? (__m256i){a.l, b.l} : (__m256i){a.h, b.h};
}

/* ---- bits ---- */

WEB_INLINE uint64_t _lzcnt_u64(uint64_t a) { return a == 0 ? 64 : (uint64_t)__builtin_clzll(a); }
WEB_INLINE uint64_t _tzcnt_u64(uint64_t a) { return a == 0 ? 64 : (uint64_t)__builtin_ctzll(a); }
WEB_INLINE uint64_t _bzhi_u64(uint64_t a, uint32_t n) {
  return (n & 255) > 63 ? a : a & ((UINT64_C(1) << (n & 63)) - 1);
}

#endif
