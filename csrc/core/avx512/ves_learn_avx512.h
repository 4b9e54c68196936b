/* ves_learn_avx512.h: what the AVX-512 kernels of learning share: who transmits, and the list of
 * members that take a step together.
 *
 * The plan is that of ves_learn_avx2.c, rows side by side in three passes. A mask is one comparison
 * of 64 bytes, and the set bits of a word become a list by one instruction, vpcompressb. Three things
 * differ for the sake of processors whose loads wait for smaller stores to the same bytes:
 *
 *   - Ties are found eight words of masks at a time: words that have some are moved together, the
 *     lowest tie of each is decided in a lane of its own, and what is left of the word goes to the end
 *     of the queue.
 *   - A row is listed from its strongest member down. Sums, which begin with the weakest, are made
 *     backwards, eight members whether or not there are as many: what was too much stands in the row
 *     before, whose own sums are made after it.
 *   - More rows go side by side, so that what waits for a pass to end waits less often. */
#ifndef VES_LEARN_AVX512_H
#define VES_LEARN_AVX512_H

#include "ves_learn_private.h"
#include "ves_philox_avx512.h"
#include "ves_rng_private.h"

/* ---- who transmits ---- */

/* A synapse: these kernels have weights and states side by side (ves_learn_lanes_pair), since both are
 * read whenever it is a member. */
typedef struct {
  double weight, state;
} wide_synapse;

static inline wide_synapse *wide_synapse_at(const ves_learn_lanes *s, size_t at) {
  return (wide_synapse *)s->weight + at;
}

/* Weights and states of eight. They are read one by one: a gathering instruction takes longer. */
typedef struct {
  __m512d weight, state;
} wide_synapses;

static inline __m512d wide_four(const ves_learn_lanes *s, size_t a, size_t b, size_t c, size_t d) {
  const __m256d low = _mm256_set_m128d(_mm_loadu_pd(&wide_synapse_at(s, b)->weight),
                                       _mm_loadu_pd(&wide_synapse_at(s, a)->weight));
  const __m256d high = _mm256_set_m128d(_mm_loadu_pd(&wide_synapse_at(s, d)->weight),
                                        _mm_loadu_pd(&wide_synapse_at(s, c)->weight));
  return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

static inline wide_synapses wide_read(const ves_learn_lanes *s, size_t m0, size_t m1, size_t m2,
                                      size_t m3, size_t m4, size_t m5, size_t m6, size_t m7) {
  const __m512d even = wide_four(s, m0, m2, m4, m6), odd = wide_four(s, m1, m3, m5, m7);
  return (wide_synapses){_mm512_unpacklo_pd(even, odd), _mm512_unpackhi_pd(even, odd)};
}

static inline wide_synapses wide_members(const ves_learn_lanes *s, const uint32_t *m) {
  return wide_read(s, m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]);
}

/* Whether there are words enough for what these kernels wait for. */
static inline bool wide_enough(size_t lanes, size_t n) {
  return lanes * ((n + 63) / 64) >= VES_LEARN_ENOUGH;
}

/* The releases of eight synapses with such weights and states; a rule has its own. */
typedef __m512d wide_release(__m512d weight, __m512d state);

/* Moves the words of `tied` that are not empty to the front of the queue, and their places beside
 * them; returns how many they are. */
static inline size_t wide_ties(const ves_learn_lanes *s, size_t words) {
  size_t count = 0;
  __m512i at = wide_count();
  for (size_t i = 0; i < words; i += 8) {
    const __mmask8 there = (__mmask8)(words - i < 8 ? (1u << (words - i)) - 1 : 0xff);
    const __m512i t = _mm512_maskz_loadu_epi64(there, s->tied + i);
    const __mmask8 some = _mm512_test_epi64_mask(t, t);
    _mm512_storeu_si512(s->tie + count, _mm512_maskz_compress_epi64(some, t));
    _mm512_storeu_si512(s->tie_word + count, _mm512_maskz_compress_epi64(some, at));
    at = _mm512_add_epi64(at, _mm512_set1_epi64(8));
    count += (size_t)__builtin_popcount(some);
  }
  return count;
}

/* The lanes of words, `words` of them each. */
static inline __m512i wide_lane(__m512i word, size_t words) {
  if (words == 1) return word;
  if (words == 2) return _mm512_srli_epi64(word, 1);
  const __m512d half = _mm512_add_pd(_mm512_cvtepu64_pd(word), _mm512_set1_pd(0.5));
  return _mm512_cvttpd_epu64(_mm512_div_pd(half, _mm512_set1_pd((double)words)));
}

/* The refinement words of synapses number `rank` of words `word`, `words` of them a lane. */
static inline __m512i wide_fine(const wide_keys *keys, __m512i word, __m512i rank, size_t words,
                                uint64_t draw, uint32_t row) {
  const __m512i lane = wide_lane(word, words);
  const __m512i first = _mm512_mullo_epi64(lane, _mm512_set1_epi64((long long)words));
  const __m512i bit = _mm512_add_epi64(_mm512_slli_epi64(_mm512_sub_epi64(word, first), 6), rank);
  wide_group g = {_mm512_or_si512(_mm512_srli_epi64(bit, 2), wide_low(VES_FINE_BLOCKS)),
                  _mm512_add_epi64(lane, wide_low(row)), wide_low((uint32_t)draw),
                  wide_low((uint32_t)(draw >> 32))};
#pragma GCC unroll 10
  for (int round = 0; round < 10; round++) wide_round(&g, keys->word[round]);
  const __mmask8 odd = _mm512_test_epi64_mask(rank, _mm512_set1_epi64(1));
  const __mmask8 upper = _mm512_test_epi64_mask(rank, _mm512_set1_epi64(2));
  const __m512i low = _mm512_mask_mov_epi64(g.c0, odd, g.c1);
  const __m512i high = _mm512_mask_mov_epi64(g.c2, odd, g.c3);
  return _mm512_and_si512(_mm512_mask_mov_epi64(low, upper, high), wide_low(UINT32_MAX));
}

/* ves_threshold_fine. */
static inline __m512i wide_threshold_fine(__m512d p) {
  const __m512i bits = _mm512_castpd_si512(_mm512_add_pd(p, _mm512_set1_pd(4096.0)));
  const __m512i T = _mm512_and_si512(bits, _mm512_set1_epi64(2 * VES_THRESHOLD_ONE - 1));
  return _mm512_add_epi64(_mm512_and_si512(T, wide_low(UINT32_MAX)),
                          _mm512_slli_epi64(_mm512_srli_epi64(T, 40), 32));
}

/* The masks of all lanes in iteration b of a batch, which draws at (draw, row + lane). */
static inline __attribute__((always_inline)) void wide_masks(const ves_learn_lanes *s,
                                                             const wide_keys *keys, size_t lanes,
                                                             size_t words, size_t b, uint64_t draw,
                                                             uint32_t row, wide_release *release) {
  for (size_t l = 0; l < lanes; l++)
    for (size_t w = 0; w < words; w++) {
      const uint8_t *bytes = s->bytes + (l * VES_LEARN_BATCH + b) * s->stride + 64 * w;
      const __m512i r = _mm512_loadu_si512(bytes);
      const __m512i c = _mm512_loadu_si512(s->coarse + VES_LEARN_GUARD + l * s->stride + 64 * w);
      s->mask[l * words + w] = _mm512_cmplt_epu8_mask(r, c);
      s->tied[l * words + w] = _mm512_cmpeq_epi8_mask(r, c);
    }
  size_t count = wide_ties(s, lanes * words);
  for (size_t k = 0, now; k < count; k += now) {
    now = count - k < 8 ? count - k : 8;
    const __mmask8 there = (__mmask8)((1u << now) - 1);
    const __m512i t = _mm512_maskz_loadu_epi64(there, s->tie + k);
    const __m512i word = _mm512_maskz_loadu_epi64(there, s->tie_word + k);
    const __m512i lowest = _mm512_and_si512(t, _mm512_sub_epi64(_mm512_setzero_si512(), t));
    const __m512i rest = _mm512_xor_si512(t, lowest);
    const __mmask8 more = _mm512_test_epi64_mask(rest, rest);
    _mm512_storeu_si512(s->tie + count, _mm512_maskz_compress_epi64(more, rest));
    _mm512_storeu_si512(s->tie_word + count, _mm512_maskz_compress_epi64(more, word));
    count += (size_t)__builtin_popcount(more);
    const __m512i rank = /* 0 where there is no tie */
        _mm512_maskz_sub_epi64(there, _mm512_set1_epi64(63), _mm512_lzcnt_epi64(lowest));
    uint64_t at[8], bit[8], where[8];
    _mm512_storeu_si512(at, _mm512_add_epi64(_mm512_add_epi64(_mm512_slli_epi64(word, 6), rank),
                                             _mm512_set1_epi64(VES_LEARN_GUARD)));
    const __m512i drawn = wide_fine(keys, word, rank, words, draw, row);
    const wide_synapses of = wide_read(s, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7]);
    const __m512i fine = wide_threshold_fine(release(of.weight, of.state));
    const __mmask8 some =
        _mm512_mask_cmp_pd_mask(there, of.weight, _mm512_setzero_pd(), _CMP_GT_OQ);
    const __mmask8 on = _mm512_mask_cmplt_epu64_mask(some, drawn, fine);
    _mm512_storeu_si512(bit, _mm512_maskz_mov_epi64(on, lowest));
    _mm512_storeu_si512(where, word);
    for (int i = 0; i < 8; i++) s->mask[where[i]] |= bit[i];
  }
}

/* ---- the list of members ---- */

/* The places in a word. */
static inline __m512i wide_places(void) {
  return _mm512_set_epi8(63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45,
                         44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26,
                         25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6,
                         5, 4, 3, 2, 1, 0);
}

/* Lists the set bits of a word, the lowest first, after the `size` members there are: sixteen whether
 * or not there are as many. Returns the new size. */
static inline size_t wide_list_word(uint32_t *member, size_t size, size_t at, uint64_t bits) {
  const __m512i r = _mm512_maskz_compress_epi8(bits, wide_places()), first = wide_all((uint32_t)at);
  const size_t end = size + (size_t)__builtin_popcountll(bits);
  uint32_t *out = member + size;
  _mm512_storeu_si512(out,
                      _mm512_add_epi32(first, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(r))));
  if (end > size + 16) {
    const __m128i second = _mm512_extracti32x4_epi32(r, 1), third = _mm512_extracti32x4_epi32(r, 2);
    const __m128i fourth = _mm512_extracti32x4_epi32(r, 3);
    _mm512_storeu_si512(out + 16, _mm512_add_epi32(first, _mm512_cvtepu8_epi32(second)));
    _mm512_storeu_si512(out + 32, _mm512_add_epi32(first, _mm512_cvtepu8_epi32(third)));
    _mm512_storeu_si512(out + 48, _mm512_add_epi32(first, _mm512_cvtepu8_epi32(fourth)));
  }
  return end;
}

/* Tells each of the members listed in [start, end), the strongest first, what those after it have
 * together. */
static inline void wide_sum(const uint32_t *member, const double *amount, double *weaker,
                            size_t start, size_t end) {
  double sum = 0.0;
  for (;;) {
    const uint32_t *m = member + end;
    double *out = weaker + end;
#pragma GCC unroll 8
    for (int k = 1; k <= 8; k++) {
      out[-k] = sum;
      sum += amount[2 * m[-k]];
    }
    if (end <= start + 8) return;
    end -= 8;
  }
}

/* Lists the members of all lanes with the sums of the weaker ones, from VES_LEARN_GUARD on, and fills
 * the last vector up; returns where the list ends. */
static inline size_t wide_list(const ves_learn_lanes *s, const double *amount, size_t lanes,
                               size_t words) {
  size_t size = VES_LEARN_GUARD;
  for (size_t l = 0; l < lanes; l++) {
    for (size_t w = 0; w < words; w++)
      size = wide_list_word(s->member, size, VES_LEARN_GUARD + l * s->stride + 64 * w,
                            s->mask[l * words + w]);
    s->end[l] = size;
  }
  const uint32_t spare = (uint32_t)(VES_LEARN_GUARD + lanes * s->stride);
  for (size_t k = size; k < size + 8; k++) {
    s->member[k] = spare;
    s->member_weaker[k] = 0.0;
  }
  for (size_t l = lanes; l-- > 0;)
    wide_sum(s->member, amount, s->member_weaker, l > 0 ? s->end[l - 1] : VES_LEARN_GUARD,
             s->end[l]);
  return size;
}

/* ---- the step ---- */

/* The numbers of eight members. */
static inline __m512d wide_eight(const double *from, const uint32_t *m) {
  return _mm512_set_pd(from[m[7]], from[m[6]], from[m[5]], from[m[4]], from[m[3]], from[m[2]],
                       from[m[1]], from[m[0]]);
}

/* ves_threshold_coarse. */
static inline __m128i wide_coarse(__m512d q) {
  const __m512i bits = _mm512_castpd_si512(_mm512_add_pd(q, _mm512_set1_pd(4096.0)));
  const __m512i c = _mm512_and_si512(_mm512_srli_epi64(bits, 32), _mm512_set1_epi64(0x1ff));
  return _mm512_cvtepi64_epi8(_mm512_sub_epi64(c, _mm512_srli_epi64(c, 8)));
}

/* What is learned by eight members, and their thresholds. */
static inline void wide_store(const ves_learn_lanes *s, const uint32_t *m, __m512d state,
                              __m512d release) {
  double next[8];
  uint8_t coarse[16];
  _mm512_storeu_pd(next, state);
  _mm_storeu_si128((__m128i *)coarse, wide_coarse(release));
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) {
    wide_synapse_at(s, m[i])->state = next[i];
    s->coarse[m[i]] = coarse[i];
  }
}

#endif
