/* ves_rng_avx2: the generator and the masks, four blocks at a time.
 *
 * Each 64-bit lane of a vector holds one 32-bit counter word in its low half. vpmuludq multiplies
 * low halves to 64-bit products and ignores what stands in the high halves, so a round of Philox on
 * four counters is two multiplications, two shifts (the high words) and four exclusive ors; the low
 * words need no extraction at all. Round keys are the key plus multiples of Random123's Weyl
 * constants. At the end the low halves are packed so that the 64 bytes leave in the order of the
 * scalar path.
 *
 * The comparison with the coarse thresholds is unsigned and bytewise: b < c iff max(b, c) != b.
 * Ties go to the scalar refinement. Integers only, so the bits are those of ves_rng.c by
 * construction; tests/test_rng.c compares them. */
#include "ves_rng_simd.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include <Random123/philox.h>
#include <immintrin.h>

typedef struct {
  __m256i low, high; /* bytes 0-31 and 32-63 */
} bytes64;

static inline __m256i broadcast(uint32_t v) { return _mm256_set1_epi64x((long long)v); }

/* The 64 bytes of blocks first .. first+3. */
static inline bytes64 four_blocks(uint64_t key, uint64_t draw, uint32_t row, uint32_t first) {
  const __m256i m0 = broadcast(PHILOX_M4x32_0), m1 = broadcast(PHILOX_M4x32_1);
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  __m256i c0 = _mm256_add_epi64(broadcast(first), _mm256_set_epi64x(3, 2, 1, 0));
  __m256i c1 = broadcast(row), c2 = broadcast((uint32_t)draw),
          c3 = broadcast((uint32_t)(draw >> 32));
  for (int round = 0; round < 10; round++) {
    const __m256i p0 = _mm256_mul_epu32(c0, m0), p1 = _mm256_mul_epu32(c2, m1);
    c0 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c1), broadcast(k0));
    c2 = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c3), broadcast(k1));
    c1 = p1;
    c3 = p0;
    k0 += PHILOX_W32_0;
    k1 += PHILOX_W32_1;
  }
  const __m256i w01 = _mm256_blend_epi32(c0, _mm256_slli_epi64(c1, 32), 0xaa);
  const __m256i w23 = _mm256_blend_epi32(c2, _mm256_slli_epi64(c3, 32), 0xaa);
  const __m256i even = _mm256_unpacklo_epi64(w01, w23), odd = _mm256_unpackhi_epi64(w01, w23);
  const bytes64 out = {_mm256_permute2x128_si256(even, odd, 0x20),
                       _mm256_permute2x128_si256(even, odd, 0x31)};
  return out;
}

static void bytes_avx2(uint64_t key, uint64_t draw, uint32_t row, uint32_t first, size_t blocks,
                       uint8_t *out) {
  while (blocks > 0) {
    uint8_t buffer[64];
    const bytes64 b = four_blocks(key, draw, row, first);
    _mm256_storeu_si256((__m256i *)buffer, b.low);
    _mm256_storeu_si256((__m256i *)(buffer + 32), b.high);
    const size_t take = blocks < 4 ? blocks : 4;
    for (size_t i = 0; i < 16 * take; i++) out[i] = buffer[i];
    out += 16 * take;
    first += (uint32_t)take;
    blocks -= take;
  }
}

static inline uint64_t two_halves(__m256i low, __m256i high) {
  return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

static uint64_t word_avx2(const ves_thresholds *t, uint64_t key, uint64_t draw, uint32_t row,
                          size_t w) {
  const bytes64 b = four_blocks(key, draw, row, (uint32_t)(4 * w));
  const uint8_t *coarse = t->coarse + 64 * w;
  const __m256i cl = _mm256_loadu_si256((const __m256i *)coarse);
  const __m256i ch = _mm256_loadu_si256((const __m256i *)(coarse + 32));
  uint64_t mask = ~two_halves(_mm256_cmpeq_epi8(_mm256_max_epu8(b.low, cl), b.low),
                              _mm256_cmpeq_epi8(_mm256_max_epu8(b.high, ch), b.high));
  uint64_t ties = two_halves(_mm256_cmpeq_epi8(b.low, cl), _mm256_cmpeq_epi8(b.high, ch));
  while (ties != 0) {
    const size_t i = 64 * w + (size_t)__builtin_ctzll(ties);
    mask |= (uint64_t)ves_mask_refine(t->fine[i], key, draw, row, i) << (i % 64);
    ties &= ties - 1;
  }
  return mask;
}

static const ves_simd_path avx2_path = {"avx2", bytes_avx2, word_avx2};

const ves_simd_path *ves_simd_avx2(void) {
  return __builtin_cpu_supports("avx2") ? &avx2_path : NULL;
}

#else

const ves_simd_path *ves_simd_avx2(void) { return NULL; }

#endif
