/* ves_learn_bytes_avx512: ves_learn_bytes_avx2 with eight draws in a vector, for many rows.
 *
 * Four blocks, the 64 bytes of a line of memory, are made at a time: a round of each in turn, because
 * a round waits for its multiplication and the processor does not look far enough ahead to begin
 * another block by itself. They stand one behind the other in four vectors, and are brought together
 * draw by draw, so that a line is stored at once. Rows differ in one word of the counter, which two
 * rounds later has met only one of the two products: the other one is made once for all rows. */
#include "ves_learn_private.h"

#if defined(__x86_64__) && defined(__AVX512VBMI2__)

#include "ves_learn_avx512.h"

enum { SETS = VES_LEARN_BATCH / 8, LINE = 4 }; /* of eight draws; of blocks */

/* What all rows have in the counters of a line after two rounds, and of a product of the third. */
typedef struct {
  __m512i c0;                  /* after the first round, without the row */
  uint32_t c1[LINE], c2[LINE]; /* after the second: low words of products of the block */
  __m512i third[LINE],
      high[LINE]; /* the product of c0 in the third, and its high word with the key */
} rows_part;

static inline rows_part part_of_rows(const wide_keys *k, uint64_t draw, uint32_t first) {
  const __m512i draws = _mm512_add_epi64(wide_low((uint32_t)draw), wide_count());
  const __m512i p1 = _mm512_mul_epu32(draws, wide_all(PHILOX_M4x32_1));
  rows_part part = {.c0 = _mm512_xor_si512(wide_high(p1), wide_all(k->word[0][0]))};
  for (uint32_t b = 0; b < LINE; b++) {
    const uint64_t of0 = (uint64_t)(first + b) * PHILOX_M4x32_0;
    const uint32_t c2 = (uint32_t)(of0 >> 32) ^ (uint32_t)(draw >> 32) ^ k->word[0][1];
    const uint64_t of1 = (uint64_t)c2 * PHILOX_M4x32_1;
    const __m512i c0 = wide_xor(p1, wide_all((uint32_t)(of1 >> 32)), wide_all(k->word[1][0]));
    part.c1[b] = (uint32_t)of1 ^ k->word[2][0];
    part.c2[b] = (uint32_t)of0 ^ k->word[1][1];
    part.third[b] = _mm512_mul_epu32(c0, wide_all(PHILOX_M4x32_0));
    part.high[b] = _mm512_xor_si512(wide_high(part.third[b]), wide_all(k->word[2][1]));
  }
  return part;
}

/* Parts 0 to 3 of four vectors become four lines, `step` bytes apart. */
static inline void store_lines(const __m512i v[LINE], uint8_t *out, size_t step) {
  const __m512i a = _mm512_shuffle_i32x4(v[0], v[1], 0x44);
  const __m512i b = _mm512_shuffle_i32x4(v[0], v[1], 0xee);
  const __m512i c = _mm512_shuffle_i32x4(v[2], v[3], 0x44);
  const __m512i d = _mm512_shuffle_i32x4(v[2], v[3], 0xee);
  _mm512_storeu_si512(out, _mm512_shuffle_i32x4(a, c, 0x88));
  _mm512_storeu_si512(out + step, _mm512_shuffle_i32x4(a, c, 0xdd));
  _mm512_storeu_si512(out + 2 * step, _mm512_shuffle_i32x4(b, d, 0x88));
  _mm512_storeu_si512(out + 3 * step, _mm512_shuffle_i32x4(b, d, 0xdd));
}

/* A line of eight draws of a row, `stride` bytes apart, of which `count` blocks are asked for: the
 * rest ties with nothing. */
static inline __attribute__((always_inline)) void make_line(const wide_keys *k,
                                                            const rows_part *part, uint32_t row,
                                                            int count, size_t stride,
                                                            uint8_t *out) {
  const __m512i p0 =
      _mm512_mul_epu32(_mm512_xor_si512(part->c0, wide_all(row)), wide_all(PHILOX_M4x32_0));
  const __m512i high = wide_high(p0);
  wide_group g[LINE];
  __m512i even[LINE], odd[LINE];
#pragma GCC unroll 4
  for (int b = 0; b < count; b++) {
    g[b].c1 =
        _mm512_mul_epu32(_mm512_xor_si512(high, wide_all(part->c2[b])), wide_all(PHILOX_M4x32_1));
    g[b].c0 = _mm512_xor_si512(wide_high(g[b].c1), wide_all(part->c1[b]));
    g[b].c2 = _mm512_xor_si512(p0, part->high[b]);
    g[b].c3 = part->third[b];
  }
#pragma GCC unroll 7
  for (int round = 3; round < 10; round++)
#pragma GCC unroll 4
    for (int b = 0; b < count; b++) wide_round(&g[b], k->word[round]);
#pragma GCC unroll 4
  for (int b = 0; b < LINE; b++) {
    if (b < count)
      wide_words(&g[b], &even[b], &odd[b]);
    else
      even[b] = odd[b] = _mm512_set1_epi8(-1);
  }
  store_lines(even, out, 2 * stride);
  store_lines(odd, out + stride, 2 * stride);
}

static inline __attribute__((always_inline)) void make_lines(const wide_keys *k,
                                                             const rows_part *part, uint32_t row,
                                                             size_t rows, int count, size_t stride,
                                                             uint8_t *out) {
  for (size_t l = 0; l < rows; l++)
    make_line(k, part, row + (uint32_t)l, count, stride, out + l * VES_LEARN_BATCH * stride);
}

void ves_learn_bytes_avx512(uint64_t key, uint64_t draw, uint32_t row, size_t rows, size_t n,
                            size_t stride, uint8_t *bytes) {
  const wide_keys k = wide_round_keys(key);
  const size_t blocks = (n + 15) / 16;
  for (size_t first = 0; first < blocks; first += LINE)
    for (size_t s = 0; s < SETS; s++) {
      const rows_part part = part_of_rows(&k, draw + 8 * s, (uint32_t)first);
      uint8_t *out = bytes + 8 * s * stride + 16 * first;
      switch (blocks - first) { /* a constant of the code */
      case 1: make_lines(&k, &part, row, rows, 1, stride, out); break;
      case 2: make_lines(&k, &part, row, rows, 2, stride, out); break;
      case 3: make_lines(&k, &part, row, rows, 3, stride, out); break;
      default: make_lines(&k, &part, row, rows, LINE, stride, out);
      }
    }
}

#else

void ves_learn_bytes_avx512(uint64_t key, uint64_t draw, uint32_t row, size_t rows, size_t n,
                            size_t stride, uint8_t *bytes) {
  (void)key, (void)draw, (void)row, (void)rows, (void)n, (void)stride, (void)bytes;
}

#endif
