/* ves_columns_avx512.h: the members of many rows, eight of different rows in a vector.
 *
 * The sum of what the weaker members of a row transmit is made one after the other, by definition. In
 * one row that is a chain of additions with a member in each; here eight rows are summed in the lanes
 * of a vector, and a member takes its step in the lane that summed it, so that no sum is ever stored.
 *
 * Rows are dealt to eight columns, and a column lists the members of its rows one row behind the other,
 * each from its strongest down. Columns are read from their ends up, a member of each at a time: the
 * weakest of a row comes first, where the sum begins again. Columns are not of equal length, but with a
 * dozen rows in each nearly so; the shorter ones are filled up with synapses that do not exist, as many
 * different ones as need be for none to wait for its own last step.
 *
 * What limits the pace are two scattered stores a member. Everything else is therefore kept out of
 * their way: while the step of one vector is stored, the shares of the next are divided and the numbers
 * of the one after it are read. */
#ifndef VES_COLUMNS_AVX512_H
#define VES_COLUMNS_AVX512_H

#include "ves_learn_avx512.h"
#include <string.h>

enum { COLUMNS = VES_LEARN_COLUMNS, COLUMN = VES_LEARN_COLUMN };

/* Whether rows are many enough, and their members fit. */
static inline bool columns_suit(size_t lanes, size_t words) {
  return lanes >= COLUMNS && lanes * words >= VES_LEARN_DEAL &&
         (lanes + COLUMNS - 1) / COLUMNS * 64 * words <= VES_LEARN_LISTED;
}

/* ---- the lists ---- */

/* Lists the set bits of a word, whose first place is `first`: sixteen whether or not there are as many.
 * Returns how many there are. */
static inline size_t column_put(uint16_t *to, __m256i first, uint64_t bits) {
  const __m512i r = _mm512_maskz_compress_epi8(bits, wide_places());
  const size_t count = (size_t)__builtin_popcountll(bits);
  const __m256i some = _mm256_cvtepu8_epi16(_mm512_castsi512_si128(r));
  _mm256_storeu_si256((__m256i *)to, _mm256_add_epi16(first, some));
  if (__builtin_expect(count > 16, 0)) {
    const __m256i second = _mm256_cvtepu8_epi16(_mm512_extracti32x4_epi32(r, 1));
    const __m512i others = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(r, 1));
    _mm256_storeu_si256((__m256i *)(to + 16), _mm256_add_epi16(first, second));
    _mm512_storeu_si512(
        to + 32, _mm512_add_epi16(_mm512_broadcastw_epi16(_mm256_castsi256_si128(first)), others));
  }
  return count;
}

/* Lists the members of all lanes, and fills the columns up; returns the length of the longest. */
static inline __attribute__((always_inline)) size_t columns_list(const ves_learn_lanes *s,
                                                                 size_t lanes, size_t words) {
  size_t end[COLUMNS] = {0}, most = 0;
  __m256i place = _mm256_set1_epi16(VES_LEARN_GUARD);
  for (size_t l = 0; l < lanes; l++) {
    const size_t c = l % COLUMNS;
    size_t size = end[c];
    for (size_t w = 0; w < words; w++) {
      size += column_put(s->column + c * COLUMN + size, place, s->mask[l * words + w]);
      place = _mm256_add_epi16(place, _mm256_set1_epi16(64));
    }
    end[c] = size;
    s->row_end[size * COLUMNS + c] = 1;
  }
  for (size_t c = 0; c < COLUMNS; c++) most = end[c] > most ? end[c] : most;
  const __m256i eight = _mm256_set_epi16(7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0);
  const size_t spare = VES_LEARN_GUARD + lanes * s->stride;
  for (size_t c = 0; c < COLUMNS; c++) {
    const __m256i those = _mm256_add_epi16(_mm256_set1_epi16((short)(spare + 8 * c)), eight);
    for (size_t k = end[c]; k < most; k += 16)
      _mm256_storeu_si256((__m256i *)(s->column + c * COLUMN + k), those);
  }
  return most;
}

/* ---- the walk ---- */

/* Where the synapse stands that is member k of column c. */
static inline size_t column_at(const ves_learn_lanes *s, size_t k, size_t c) {
  return s->column[c * COLUMN + k];
}

/* What the members k of all columns have learned, and the thresholds of their releases. */
static inline void columns_store(const ves_learn_lanes *s, size_t k, __m512d state,
                                 __m512d release) {
  const size_t m0 = column_at(s, k, 0), m1 = column_at(s, k, 1), m2 = column_at(s, k, 2),
               m3 = column_at(s, k, 3), m4 = column_at(s, k, 4), m5 = column_at(s, k, 5),
               m6 = column_at(s, k, 6), m7 = column_at(s, k, 7);
  const uint64_t coarse = (uint64_t)_mm_cvtsi128_si64(wide_coarse(release));
  const __m256d low = _mm512_castpd512_pd256(state), high = _mm512_extractf64x4_pd(state, 1);
  const __m128d v0 = _mm256_castpd256_pd128(low), v2 = _mm256_extractf128_pd(low, 1);
  const __m128d v4 = _mm256_castpd256_pd128(high), v6 = _mm256_extractf128_pd(high, 1);
  _mm_storel_pd(&wide_synapse_at(s, m0)->state, v0);
  _mm_storeh_pd(&wide_synapse_at(s, m1)->state, v0);
  _mm_storel_pd(&wide_synapse_at(s, m2)->state, v2);
  _mm_storeh_pd(&wide_synapse_at(s, m3)->state, v2);
  _mm_storel_pd(&wide_synapse_at(s, m4)->state, v4);
  _mm_storeh_pd(&wide_synapse_at(s, m5)->state, v4);
  _mm_storel_pd(&wide_synapse_at(s, m6)->state, v6);
  _mm_storeh_pd(&wide_synapse_at(s, m7)->state, v6);
  s->coarse[m0] = (uint8_t)coarse;
  s->coarse[m1] = (uint8_t)(coarse >> 8);
  s->coarse[m2] = (uint8_t)(coarse >> 16);
  s->coarse[m3] = (uint8_t)(coarse >> 24);
  s->coarse[m4] = (uint8_t)(coarse >> 32);
  s->coarse[m5] = (uint8_t)(coarse >> 40);
  s->coarse[m6] = (uint8_t)(coarse >> 48);
  s->coarse[m7] = (uint8_t)(coarse >> 56);
}

/* Those of the members k - 1 of all columns that are not the weakest of their rows. */
static inline __mmask8 columns_inside(const ves_learn_lanes *s, size_t k) {
  const __m128i ends = _mm_loadl_epi64((const __m128i *)(s->row_end + k * COLUMNS));
  return (__mmask8)_mm_testn_epi8_mask(ends, ends);
}

/* What a rule is told of eight members: their weights and states, and what the weaker members of their
 * rows transmit together. */
typedef struct {
  wide_synapses of;
  __m512d weaker;
} column_members;

/* A rule: what it divides, ahead of time; and the step of the members k, which it stores. */
typedef __m512d column_ratio(const ves_learn_lanes *s, const void *rule, size_t k,
                             const column_members *m);
typedef void column_step(const ves_learn_lanes *s, const void *rule, size_t k,
                         const column_members *m, __m512d ratio);

static inline column_members columns_members(const ves_learn_lanes *s, size_t k) {
  return (column_members){.of = wide_read(s, column_at(s, k, 0), column_at(s, k, 1),
                                          column_at(s, k, 2), column_at(s, k, 3),
                                          column_at(s, k, 4), column_at(s, k, 5),
                                          column_at(s, k, 6), column_at(s, k, 7))};
}

/* All members take their step; they transmit their weights, or their states if these are amplitudes. */
static inline __attribute__((always_inline)) void
columns_walk(const ves_learn_lanes *s, size_t most, bool amplitudes, const void *rule,
             column_ratio *divide, column_step *step) {
  if (most == 0) return;
  column_members now = columns_members(s, most - 1), next = now;
  now.weaker = _mm512_setzero_pd();
  __m512d ratio = divide(s, rule, most - 1, &now);
  if (most > 1) next = columns_members(s, most - 2);
  for (size_t k = most; k-- > 0;) {    /* past the first member it is read again, for nobody */
    __asm__ volatile("" ::: "memory"); /* addresses are read twice rather than kept on the stack */
    const column_members later = columns_members(s, k > 2 ? k - 2 : 0);
    const __m512d sum = _mm512_add_pd(now.weaker, amplitudes ? now.of.state : now.of.weight);
    next.weaker = _mm512_maskz_mov_pd(columns_inside(s, k), sum);
    const __m512d coming = divide(s, rule, k > 1 ? k - 1 : 0, &next);
    step(s, rule, k, &now, ratio);
    now = next;
    ratio = coming;
    next = later;
  }
  memset(s->row_end, 0, (most + 1) * COLUMNS);
}

#endif
