/* The kernels of the reference job, as fast as C gets here without hand-written vectors: what a
 * programmer would write who wants speed, needs no particular random bits, and takes single
 * precision for good enough.
 *
 * The generator is xoshiro256+ (Blackman and Vigna 2018), eight of them side by side, so that the
 * compiler makes vectors of them. With -DBEST_PHILOX it is Philox4x32-10, whose numbers have
 * addresses: the difference is what that costs in plain C. A release is kept as a threshold of 16
 * bits beside its float; the probability is so rounded by less than 1e-5. Comparing gives a byte a
 * synapse, eight bytes give eight bits by one multiplication, and only the members of a subset are
 * looked at: they are listed once, from the weakest up, with the sum so far, for several rows of
 * the network, and the whole list takes its step. Loops over lists are written so that the compiler
 * makes vectors of them. Used by best.c, and from R by by_rcpp.cpp. */
#ifndef PEER_BEST_H
#define PEER_BEST_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
  BEST_LANES = 8,  /* generators side by side */
  BEST_MOST = 128, /* synapses of a row */
  BEST_BESIDE = 4  /* rows side by side */
};

/* Random bits of a row's synapses, 16 each. */
typedef union {
  uint64_t word[BEST_MOST / 4];
  uint16_t of[BEST_MOST];
} best_random;

#ifdef BEST_PHILOX

typedef struct {
  uint32_t key[2];
  uint64_t at;
} best_rng;

static void best_seed(best_rng *g, uint64_t seed) {
  g->key[0] = (uint32_t)seed;
  g->key[1] = (uint32_t)(seed >> 32);
  g->at = 0;
}

/* Blocks of 128 bits, side by side. */
static inline void best_fill(best_rng *g, best_random *out) {
  enum { BLOCKS = BEST_MOST / 8 };
  uint32_t c[4][BLOCKS], key[2] = {g->key[0], g->key[1]};
  for (int b = 0; b < BLOCKS; b++) {
    c[0][b] = (uint32_t)b;
    c[1][b] = 0;
    c[2][b] = (uint32_t)g->at;
    c[3][b] = (uint32_t)(g->at >> 32);
  }
  for (int r = 0; r < 10; r++) {
    for (int b = 0; b < BLOCKS; b++) {
      const uint64_t p = (uint64_t)c[0][b] * 0xD2511F53u, q = (uint64_t)c[2][b] * 0xCD9E8D57u;
      c[0][b] = (uint32_t)(q >> 32) ^ c[1][b] ^ key[0];
      c[2][b] = (uint32_t)(p >> 32) ^ c[3][b] ^ key[1];
      c[1][b] = (uint32_t)q;
      c[3][b] = (uint32_t)p;
    }
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  for (int b = 0; b < BLOCKS; b++) {
    out->word[b] = c[0][b] | (uint64_t)c[1][b] << 32;
    out->word[BLOCKS + b] = c[2][b] | (uint64_t)c[3][b] << 32;
  }
  g->at++;
}

static inline double best_uniform(best_rng *g) {
  best_random random;
  best_fill(g, &random);
  return (double)(random.word[0] >> 11) * 0x1p-53;
}

#else

typedef struct {
  uint64_t s[4][BEST_LANES];
} best_rng;

static void best_seed(best_rng *g, uint64_t seed) { /* splitmix64, as the authors say */
  for (int i = 0; i < 4; i++)
    for (int l = 0; l < BEST_LANES; l++) {
      uint64_t z = (seed += 0x9e3779b97f4a7c15u);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      g->s[i][l] = z ^ (z >> 31);
    }
}

static inline void best_fill(best_rng *g, best_random *out) {
  best_rng h = *g;
  for (int b = 0; b < BEST_MOST / 4; b += BEST_LANES)
    for (int l = 0; l < BEST_LANES; l++) {
      out->word[b + l] = h.s[0][l] + h.s[3][l];
      const uint64_t t = h.s[1][l] << 17;
      h.s[2][l] ^= h.s[0][l];
      h.s[3][l] ^= h.s[1][l];
      h.s[1][l] ^= h.s[2][l];
      h.s[0][l] ^= h.s[3][l];
      h.s[2][l] ^= t;
      h.s[3][l] = (h.s[3][l] << 45) | (h.s[3][l] >> 19);
    }
  *g = h;
}

static inline double best_uniform(best_rng *g) {
  const uint64_t bits = g->s[0][0] + g->s[3][0], t = g->s[1][0] << 17;
  g->s[2][0] ^= g->s[0][0];
  g->s[3][0] ^= g->s[1][0];
  g->s[1][0] ^= g->s[2][0];
  g->s[0][0] ^= g->s[3][0];
  g->s[2][0] ^= t;
  g->s[3][0] = (g->s[3][0] << 45) | (g->s[3][0] >> 19);
  return (double)(bits >> 11) * 0x1p-53;
}

#endif

static inline uint16_t best_threshold(float q) {
  const float t = q * 65536.0f + 0.5f;
  return t > 65535.0f ? 65535 : (uint16_t)t;
}

/* The bits of 64 bytes that are 0 or 1. */
static inline uint64_t best_bits(const uint8_t *bytes) {
  uint64_t bits = 0;
  for (int k = 0; k < 8; k++) {
    uint64_t eight;
    memcpy(&eight, bytes + 8 * k, 8);
    bits |= (eight * 0x0102040810204080u >> 56) << (8 * k);
  }
  return bits;
}

/* Algorithm 2, power rule with exponent 8, on `rows` <= BEST_BESIDE rows of n <= BEST_MOST
 * synapses, weakest first. */
static inline __attribute__((always_inline)) void best_learn(best_rng *g, int rows, int n,
                                                             const float (*w)[BEST_MOST],
                                                             float (*q)[BEST_MOST], int iterations,
                                                             float rate, float least) {
  best_random random;
  static uint16_t threshold[BEST_BESIDE][BEST_MOST];
  static float weight[BEST_BESIDE * BEST_MOST], sum[BEST_BESIDE * BEST_MOST],
      now[BEST_BESIDE * BEST_MOST];
  static int16_t member[BEST_BESIDE * BEST_MOST];
  uint8_t on[BEST_MOST];
  float *const release = &q[0][0];
  memset(threshold, 0, sizeof threshold);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) threshold[i][j] = best_threshold(q[i][j]);
  for (int t = 0; t < iterations; t++) {
    int size = 0;
    for (int i = 0; i < rows; i++) {
      const uint16_t *limit = threshold[i];
      best_fill(g, &random);
      float total = 0;
      for (int j = 0; j < BEST_MOST; j++) on[j] = random.of[j] < limit[j];
      for (int half = 0; half < BEST_MOST; half += 64)
        for (uint64_t bits = best_bits(on + half); bits != 0; bits &= bits - 1) {
          const int j = half + __builtin_ctzll(bits);
          member[size] = (int16_t)(i * BEST_MOST + j);
          weight[size] = w[i][j];
          sum[size++] = total += w[i][j];
        }
    }
    for (int k = 0; k < size; k++) now[k] = release[member[k]];
    for (int k = 0; k < size; k++) {
      const float share = weight[k] / sum[k], two = share * share, four = two * two;
      const float next = now[k] - rate * (now[k] - four * four);
      now[k] = next < least ? least : next > 1 ? 1 : next;
    }
    for (int k = 0; k < size; k++) {
      release[member[k]] = now[k];
      (&threshold[0][0])[member[k]] = best_threshold(now[k]);
    }
  }
}

/* The amplitude rule with steps of 1/k, likewise; amplitudes start at w / q. */
static inline __attribute__((always_inline)) void best_amplitude(best_rng *g, int rows, int n,
                                                                 const float (*w)[BEST_MOST],
                                                                 float (*q)[BEST_MOST],
                                                                 int iterations) {
  static uint16_t threshold[BEST_BESIDE][BEST_MOST];
  static float amplitude[BEST_BESIDE * BEST_MOST], count[BEST_BESIDE * BEST_MOST];
  static float weight[BEST_BESIDE * BEST_MOST], weaker[BEST_BESIDE * BEST_MOST];
  static float now[BEST_BESIDE * BEST_MOST], times[BEST_BESIDE * BEST_MOST];
  static uint16_t limit_of[BEST_BESIDE * BEST_MOST];
  static int16_t member[BEST_BESIDE * BEST_MOST];
  best_random random;
  uint8_t on[BEST_MOST];
  memset(threshold, 0, sizeof threshold);
  memset(count, 0, sizeof count);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      threshold[i][j] = best_threshold(q[i][j]);
      amplitude[i * BEST_MOST + j] = w[i][j] / q[i][j];
    }
  for (int t = 0; t < iterations; t++) {
    int size = 0;
    for (int i = 0; i < rows; i++) {
      const uint16_t *limit = threshold[i];
      float total = 0;
      best_fill(g, &random);
      for (int j = 0; j < BEST_MOST; j++) on[j] = random.of[j] < limit[j];
      for (int half = 0; half < BEST_MOST; half += 64)
        for (uint64_t bits = best_bits(on + half); bits != 0; bits &= bits - 1) {
          const int j = half + __builtin_ctzll(bits), at = i * BEST_MOST + j;
          member[size] = (int16_t)at;
          weight[size] = w[i][j];
          now[size] = amplitude[at];
          times[size] = count[at];
          weaker[size++] = total;
          total += amplitude[at];
        }
    }
    for (int k = 0; k < size; k++) {
      times[k] += 1;
      now[k] += (weight[k] + weaker[k] - now[k]) / times[k];
      limit_of[k] = best_threshold(weight[k] / now[k]);
    }
    for (int k = 0; k < size; k++) {
      amplitude[member[k]] = now[k];
      count[member[k]] = times[k];
      (&threshold[0][0])[member[k]] = limit_of[k];
    }
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) q[i][j] = w[i][j] / amplitude[i * BEST_MOST + j];
}

/* The winner of one draw: k inputs of n <= BEST_MOST synapses with effective weights and
 * thresholds; -1 if nothing transmits. */
static int best_draw(best_rng *g, int k, int n, const float (*effective)[BEST_MOST],
                     const uint16_t (*threshold)[BEST_MOST]) {
  best_random random;
  float y[BEST_MOST] = {0}, most = 0;
  for (int i = 0; i < k; i++) {
    best_fill(g, &random);
    for (int j = 0; j < BEST_MOST; j++)
      y[j] += random.of[j] < threshold[i][j] ? effective[i][j] : 0.0f;
  }
  for (int j = 0; j < n; j++) most = y[j] > most ? y[j] : most;
  if (!(most > 0)) return -1;
  for (int j = 0;; j++)
    if (y[j] == most) return j;
}

/* Adds the curves of v that are not 0 beyond 8.5 widths: their number, from *first on. */
static int best_encode(double v, double lo, double hi, double sigma, int n, int *first,
                       double *rate) {
  const double step = (hi - lo) / (n - 1);
  int from = (int)ceil((v - 8.5 * sigma - lo) / step),
      to = (int)floor((v + 8.5 * sigma - lo) / step);
  from = from < 0 ? 0 : from;
  to = to > n - 1 ? n - 1 : to;
  for (int j = from; j <= to; j++) {
    const double z = (v - (lo + step * j)) / sigma;
    rate[j - from] = exp(-0.5 * z * z);
  }
  *first = from;
  return to - from + 1;
}

/* Ascending order of n values, all positive floats: their bits are ordered as they are. */
static void best_order(const float *v, int n, uint8_t *order) {
  uint64_t key[BEST_MOST];
  for (int j = 0; j < n; j++) {
    uint32_t bits;
    memcpy(&bits, v + j, 4);
    const uint64_t own = (uint64_t)bits << 8 | (uint64_t)j;
    int at = j;
    for (; at > 0 && key[at - 1] > own; at--) key[at] = key[at - 1];
    key[at] = own;
  }
  for (int j = 0; j < n; j++) order[j] = (uint8_t)key[j];
}

#endif
