/* ves_learn_bytes_avx2: the random bytes of many draws of one row.
 *
 * They are those of ves_philox_bytes, made with less work. A lane of a vector is a draw, so that no
 * lane stays empty whatever the number of blocks; the parts that blocks and draws have in a counter
 * after two rounds are made once for all (ves_philox_avx2.h); and eight draws are in flight. Blocks
 * go by fours, the 64 bytes of a line of memory, through all draws: however far apart the draws are,
 * no line is left half written for long. */
#include "ves_learn_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_learn_avx2.h"

enum { SETS = VES_LEARN_BATCH / 4, LINE = 4 }; /* of four draws; of blocks */

/* A block of four draws, `stride` bytes apart. */
static inline void store(const philox_group *g, size_t stride, uint8_t *out) {
  const philox_bytes b = philox_words(g);
  _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(b.low));
  _mm_storeu_si128((__m128i *)(out + stride), _mm256_castsi256_si128(b.high));
  _mm_storeu_si128((__m128i *)(out + 2 * stride), _mm256_extracti128_si256(b.low, 1));
  _mm_storeu_si128((__m128i *)(out + 3 * stride), _mm256_extracti128_si256(b.high, 1));
}

/* Blocks first .. first + count - 1 of all draws, at most a line. */
static inline void make_line(const philox_keys *keys, const philox_draw_part *draws, uint32_t high,
                             size_t first, size_t count, size_t stride, uint8_t *out) {
  philox_block_part part[LINE];
  for (size_t b = 0; b < count; b++)
    part[b] = philox_of_blocks(keys, philox_broadcast((uint32_t)(first + b)), high);
  for (size_t s = 0; s < SETS; s += 2)
    for (size_t b = 0; b < count; b++) {
      philox_group g = philox_join(&part[b], &draws[s]), h = philox_join(&part[b], &draws[s + 1]);
      philox_two_more(keys, &g, &h);
      store(&g, stride, out + 4 * s * stride + 16 * (first + b));
      store(&h, stride, out + 4 * (s + 1) * stride + 16 * (first + b));
    }
}

void ves_learn_bytes_avx2(const philox_keys *keys, uint64_t key, uint64_t draw, uint32_t row,
                          size_t n, size_t stride, uint8_t *bytes) {
  const uint32_t high = (uint32_t)(draw >> 32);
  const size_t blocks = (n + 15) / 16;
  if ((draw + VES_LEARN_BATCH - 1) >> 32 != high) { /* once in 2^32 draws */
    for (size_t d = 0; d < VES_LEARN_BATCH; d++)
      ves_philox_bytes(key, draw + d, row, 0, blocks, bytes + d * stride);
    return;
  }
  const __m256i count = _mm256_set_epi64x(3, 2, 1, 0);
  philox_draw_part draws[SETS];
  for (size_t s = 0; s < SETS; s++)
    draws[s] = philox_of_draws(
        keys, _mm256_add_epi64(philox_broadcast((uint32_t)draw + (uint32_t)(4 * s)), count), row);
  for (size_t b = 0; b < blocks; b += LINE)
    make_line(keys, draws, high, b, blocks - b < LINE ? blocks - b : LINE, stride, bytes);
}

size_t ves_learn_batch_avx2(ves_learn_lanes *s, const philox_keys *keys, uint64_t key,
                            uint64_t draw, uint32_t row, size_t lanes, size_t n) {
  if (s->made.lanes >= lanes && s->made.key == key && s->made.row == row && s->made.n == n &&
      s->made.stride == s->stride && draw - s->made.draw < VES_LEARN_BATCH)
    return (size_t)(draw - s->made.draw);
  if (ves_simd_wide() && (draw + VES_LEARN_BATCH - 1) >> 32 == draw >> 32)
    ves_learn_bytes_avx512(key, draw, row, lanes, n, s->stride, s->bytes);
  else
    for (size_t l = 0; l < lanes; l++)
      ves_learn_bytes_avx2(keys, key, draw, row + (uint32_t)l, n, s->stride,
                           s->bytes + l * VES_LEARN_BATCH * s->stride);
  s->made.key = key;
  s->made.draw = draw;
  s->made.row = row;
  s->made.n = n;
  s->made.stride = s->stride;
  s->made.lanes = lanes;
  return 0;
}

#endif
