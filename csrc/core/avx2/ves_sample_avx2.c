/* ves_sample_avx2: winners of many draws.
 *
 * Three observations make a draw cheap without changing it. The first 64 positions nearly always
 * decide, so their masks are made for two draws at a time, with both in flight in the generator. A
 * tie of a coarse byte matters only where the scan from the strongest contender down gets to, so
 * ties are settled there and not before. And an input at the edge of its tuning curve, active at a
 * thousandth of its peak, can only decide between outputs that the others leave almost tied: such
 * minor inputs are left open, a contender's activity is known up to an interval, from none to all
 * of its minor synapses transmitting, and only where two intervals overlap are the minor bits of
 * those two looked at. Sums of non-negative terms in a fixed order are monotone in floating point,
 * which makes the lower end safe; the upper end has room for rounding. If minor inputs alone could
 * decide, the draw is done again as ves_sample.c defines it, with the masks of all inputs. Every
 * bit that is looked at is the same one, so the winners are the same. */
#include "ves_rng_private.h"
#include "ves_sample_private.h"

#if (defined(__x86_64__) && defined(__AVX2__)) || defined(__wasm_simd128__)

#include "ves_philox_avx2.h"
#include "ves_stop.h"

/* An output that may win: its activity lies between low and high, depending on its minor synapses.
 */
typedef struct {
  double low, high;
  size_t r;      /* its position */
  uint64_t bits; /* which major inputs reach it */
} contender;

static inline uint64_t finish(const ves_sampler *s, const philox_group *g, size_t m, size_t w,
                              uint64_t *ties) {
  const philox_bytes b = philox_pack(g);
  return philox_compare(&b, s->tries[s->major[m]].coarse + 64 * w, ties);
}

/* The first masks of draws `draw` and `draw` + 1. */
static void open_two(ves_sampler *s, const philox_keys *keys, uint64_t draw) {
  for (size_t m = 0; m < s->majors; m++) {
    const uint32_t row = s->input[s->major[m]];
    philox_group g = philox_blocks(draw, row, 0), h = philox_blocks(draw + 1, row, 0);
    philox_two(keys, &g, &h);
    s->mask[m] = finish(s, &g, m, 0, &s->ties[m]);
    s->ahead[2 * m] = finish(s, &h, m, 0, &s->ahead[2 * m + 1]);
  }
}

static void open_word(ves_sampler *s, const philox_keys *keys, uint64_t draw, size_t w) {
  for (size_t m = 0; m < s->majors; m++) {
    philox_group g = philox_blocks(draw, s->input[s->major[m]], (uint32_t)(4 * w));
    philox_one(keys, &g);
    s->mask[m] = finish(s, &g, m, w, &s->ties[m]);
  }
}

/* Settles what the coarse bytes of position r left open. */
static void settle(ves_sampler *s, uint64_t key, uint64_t draw, size_t r) {
  const uint64_t bit = UINT64_C(1) << r % 64;
  for (size_t m = 0; m < s->majors; m++) {
    const size_t a = s->major[m];
    if (s->ties[m] & bit)
      s->mask[m] |= ves_mask_break(&s->tries[a], bit, key, draw, s->input[a], r / 64);
  }
}

/* What reaches position r from the major inputs. Whether a synapse transmits is a matter of chance,
 * so it is a factor of 0 or 1 and not a branch. */
static inline contender contender_at(const ves_sampler *s, size_t r) {
  const double *e = s->strong + r * s->majors;
  contender c = {.r = r};
  for (size_t m = 0; m < s->majors; m++) {
    const uint64_t bit = s->mask[m] >> r % 64 & 1;
    c.low += (double)(int)bit * e[m];
    c.bits |= bit << m;
  }
  c.high = c.low + s->slack[r];
  return c;
}

/* Looks at the minor synapses of a contender too: its activity as the definition sums it. */
static void make_exact(const ves_sampler *s, uint64_t key, uint64_t draw, contender *c) {
  double y = 0.0;
  size_t m = 0;
  for (size_t a = 0; a < s->k; a++) {
    const bool major = m < s->majors && s->major[m] == a;
    if (major ? c->bits >> m & 1 : ves_mask_bit(&s->tries[a], key, draw, s->input[a], c->r))
      y += s->effective[a * s->n + c->r];
    m += major;
  }
  c->low = c->high = y;
}

/* Whether c beats the best so far, their intervals overlapping: both are made exact. */
static bool beats(const ves_sampler *s, uint64_t key, uint64_t draw, contender *c,
                  contender *best) {
  if (c->low < c->high) make_exact(s, key, draw, c);
  if (best->low < best->high) make_exact(s, key, draw, best);
  return c->low > best->low || (c->low == best->low && s->output[c->r] < s->output[best->r]);
}

/* The better of two contenders. */
static inline contender better(const ves_sampler *s, uint64_t key, uint64_t draw, contender c,
                               contender best) {
  if (c.low > best.high) return c;
  if (c.high < best.low) return best;
  contender one = c, other = best; /* copies, so that c and best can stay in registers */
  return beats(s, key, draw, &one, &other) ? one : other;
}

/* Whether the winner could be told from the major inputs; s->mask and s->ties hold the first masks.
 */
static bool decide(ves_sampler *s, const philox_keys *keys, uint64_t key, uint64_t draw,
                   uint32_t *winner) {
  contender best = {.low = -1.0, .high = -1.0};
  for (size_t w = 0; w < s->words && s->bound[64 * w] >= best.low; w++) {
    if (w > 0) open_word(s, keys, draw, w);
    uint64_t any = 0, ties = 0;
    for (size_t m = 0; m < s->majors; m++) any |= s->mask[m], ties |= s->ties[m];
    for (any |= ties; any != 0; any &= any - 1) {
      const size_t r = 64 * w + (size_t)__builtin_ctzll(any);
      if (r >= s->n || s->bound[r] < best.low)
        break; /* past the end a byte of 0 ties with a threshold of 0 */
      if (ties >> r % 64 & 1) settle(s, key, draw, r);
      const contender c = contender_at(s, r);
      if (c.bits != 0) best = better(s, key, draw, c, best);
    }
  }
  *winner = best.bits != 0 ? (uint32_t)s->output[best.r] + 1 : 0;
  return best.low > s->minor_most || (s->minor_most == 0.0 && best.bits == 0);
}

/* The masks of 64 positions for every input, two in flight; returns where anything transmits. */
static uint64_t transmit(ves_sampler *s, const philox_keys *keys, uint64_t key, uint64_t draw,
                         size_t w) {
  uint64_t any = 0;
  for (size_t a = 0; a < s->k; a += 2) {
    const size_t both[2] = {a, a + 1 < s->k ? a + 1 : a};
    philox_group g[2] = {philox_blocks(draw, s->input[both[0]], (uint32_t)(4 * w)),
                         philox_blocks(draw, s->input[both[1]], (uint32_t)(4 * w))};
    philox_two(keys, &g[0], &g[1]);
    for (int i = 0; i < 2; i++) {
      const philox_bytes b = philox_pack(&g[i]);
      const ves_thresholds *t = &s->tries[both[i]];
      uint64_t ties, mask = philox_compare(&b, t->coarse + 64 * w, &ties);
      if (ties != 0) mask |= ves_mask_break(t, ties, key, draw, s->input[both[i]], w);
      any |= s->mask[both[i]] = mask;
    }
  }
  return any;
}

/* ves_sampler_winner with these masks: where the major inputs leave the winner open. */
static uint32_t winner_of_all(ves_sampler *s, const philox_keys *keys, uint64_t key,
                              uint64_t draw) {
  double best = 0.0;
  size_t output = s->n;
  for (size_t w = 0; w < s->words && s->bound[64 * w] >= best; w++)
    for (uint64_t any = transmit(s, keys, key, draw, w); any != 0; any &= any - 1) {
      const size_t b = (size_t)__builtin_ctzll(any), r = 64 * w + b;
      if (s->bound[r] < best) break;
      double y = 0.0;
      for (size_t a = 0; a < s->k; a++)
        if (s->mask[a] >> b & 1) y += s->effective[a * s->n + r];
      if (y > best || (y == best && s->output[r] < output)) {
        best = y;
        output = s->output[r];
      }
    }
  return output < s->n ? (uint32_t)output + 1 : 0;
}

bool ves_sampler_winners_avx2(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner) {
  if (!ves_simd_in_use() || s->majors > 64) return false;
  const philox_keys keys = philox_round_keys(key);
  for (size_t d = 0; d < draws && !ves_stopping(); d += 2) {
    open_two(s, &keys, first + d);
    if (!decide(s, &keys, key, first + d, &winner[d]))
      winner[d] = winner_of_all(s, &keys, key, first + d);
    if (d + 1 == draws) break;
    for (size_t m = 0; m < s->majors; m++) {
      s->mask[m] = s->ahead[2 * m];
      s->ties[m] = s->ahead[2 * m + 1];
    }
    if (!decide(s, &keys, key, first + d + 1, &winner[d + 1]))
      winner[d + 1] = winner_of_all(s, &keys, key, first + d + 1);
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
