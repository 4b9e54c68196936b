/* ves_sample_avx2: winners of many draws.
 *
 * Three observations make a draw cheap without changing it. A tie of a coarse byte matters only
 * where the scan from the strongest contender down gets to, so ties are settled there and not
 * before. The first 64 positions nearly always decide, so their masks are made for two draws at a
 * time, with both in flight in the generator. And an input at the edge of its tuning curve, active
 * at a thousandth of its peak, can only decide between outputs that the other inputs leave almost
 * tied. Such minor inputs are first left open: each contender is known up to an interval, from none
 * to all of its minor synapses transmitting, and since sums of non-negative terms in a fixed order
 * are monotone in floating point, a contender whose interval lies above all others has won whatever
 * the minor bits are. Where intervals overlap the draw is done again by the definition in
 * ves_sample.c. Every random bit that is looked at is the same one, so the winners are the same. */
#include "ves_rng_simd.h"
#include "ves_sample_private.h"

#if defined(__x86_64__) && defined(__AVX2__)

#include "ves_philox_avx2.h"

typedef struct {
  double low, high;
  size_t output;
} contender;

static inline uint64_t finish(const ves_sampler *s, const philox_group *g, size_t a, size_t w,
                              uint64_t *ties) {
  const philox_bytes b = philox_pack(g);
  return philox_compare(&b, s->tries[a].coarse + 64 * w, ties);
}

/* The first masks of draws `draw` and `draw` + 1, for the inputs that are not minor. */
static void open_two(ves_sampler *s, const philox_keys *keys, uint64_t draw) {
  for (size_t a = 0; a < s->k; a++) {
    if (s->minor[a]) continue;
    philox_group g = philox_blocks(draw, s->input[a], 0),
                 h = philox_blocks(draw + 1, s->input[a], 0);
    philox_two(keys, &g, &h);
    s->mask[a] = finish(s, &g, a, 0, &s->ties[a]);
    s->ahead[2 * a] = finish(s, &h, a, 0, &s->ahead[2 * a + 1]);
  }
}

static void open_word(ves_sampler *s, const philox_keys *keys, uint64_t draw, size_t w) {
  for (size_t a = 0; a < s->k; a++) {
    if (s->minor[a]) continue;
    philox_group g = philox_blocks(draw, s->input[a], (uint32_t)(4 * w));
    philox_one(keys, &g);
    s->mask[a] = finish(s, &g, a, w, &s->ties[a]);
  }
}

/* Decides what the coarse bytes left open at position r, and says whether anything transmits there.
 */
static inline bool settle(ves_sampler *s, uint64_t key, uint64_t draw, size_t r) {
  const uint64_t bit = UINT64_C(1) << (r % 64);
  uint64_t any = 0;
  for (size_t a = 0; a < s->k; a++) {
    if (s->minor[a]) continue;
    if (s->ties[a] & bit)
      s->mask[a] |= ves_mask_break(&s->tries[a], bit, key, draw, s->input[a], r / 64);
    any |= s->mask[a] & bit;
  }
  return any != 0;
}

/* The activity at position r from the masks of the major inputs, with the minor ones all failing
 * and all transmitting. */
static inline contender interval_at(const ves_sampler *s, size_t r) {
  contender c = {0.0, 0.0, s->output[r]};
  for (size_t a = 0; a < s->k; a++) {
    const double e = s->effective[a * s->n + r];
    if (s->minor[a]) {
      c.high += e;
    } else if (s->mask[a] >> (r % 64) & 1) {
      c.low += e;
      c.high += e;
    }
  }
  return c;
}

/* Whether the winner could be told without the minor inputs; s->mask holds the first masks. */
static bool decide(ves_sampler *s, const philox_keys *keys, uint64_t key, uint64_t draw,
                   uint32_t *winner) {
  contender best = {0.0, 0.0, s->n};
  for (size_t w = 0; w < s->words && s->bound[64 * w] >= best.low; w++) {
    if (w > 0) open_word(s, keys, draw, w);
    uint64_t any = 0;
    for (size_t a = 0; a < s->k; a++) any |= s->minor[a] ? 0 : s->mask[a] | s->ties[a];
    for (; any != 0; any &= any - 1) {
      const size_t r = 64 * w + (size_t)__builtin_ctzll(any);
      if (s->bound[r] < best.low) break;
      if (!settle(s, key, draw, r)) continue;
      const contender c = interval_at(s, r);
      if (c.low > best.high)
        best = c;
      else if (c.high >= best.low)
        return false;
    }
  }
  *winner = best.output < s->n ? (uint32_t)best.output + 1 : 0;
  return best.low > s->minor_most || (s->minor_most == 0.0 && best.output == s->n);
}

bool ves_sampler_winners_avx2(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner) {
  if (!ves_simd_in_use()) return false;
  const philox_keys keys = philox_round_keys(key);
  for (size_t d = 0; d < draws; d += 2) {
    open_two(s, &keys, first + d);
    if (!decide(s, &keys, key, first + d, &winner[d]))
      winner[d] = ves_sampler_winner(s, key, first + d);
    if (d + 1 == draws) break;
    for (size_t a = 0; a < s->k; a++) {
      s->mask[a] = s->ahead[2 * a];
      s->ties[a] = s->ahead[2 * a + 1];
    }
    if (!decide(s, &keys, key, first + d + 1, &winner[d + 1]))
      winner[d + 1] = ves_sampler_winner(s, key, first + d + 1);
  }
  return true;
}

#else

bool ves_sampler_winners_avx2(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner) {
  (void)s, (void)key, (void)first, (void)draws, (void)winner;
  return false;
}

#endif
