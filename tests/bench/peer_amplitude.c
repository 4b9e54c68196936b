/* The amplitude rule and release sites beside what one would write instead: `make bench-repair`.
 *
 * Three programs in one, which take turns; times are minima.
 *
 * - ours: the library, as experiments call it.
 * - peer: a good C program without intrinsics, with a generator of its own (xoshiro256++): weights
 *   sorted once, integer thresholds, members listed without branches; for sites, an alias table of
 *   the binomial law for each synapse (Walker 1977).
 * - bound: the amplitude rule and nothing else, by hand, with our generator and its bits: vectors for
 *   the random bytes and the masks, members one after the other.
 *
 * Before any time is believed they must agree: the bound in every bit, the peer in the mean of
 * releases, or of what is sent, up to sampling error. Prints `what n sites program ns ratio`: time of
 * one iteration of one row, or of one draw, and its ratio to ours. */
#include "ves_amplitude_private.h"
#include "ves_learn_avx2.h"
#include "ves_order.h"
#include "ves_sites.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 4, MOST = 10000, TURNS = 5, K = 3, OUTPUTS = 100, SITES_MOST = 256 };

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ---- xoshiro256++, four at a time where the compiler finds it ---- */

static uint64_t state[4][4];

static void generator_start(void) {
  uint64_t z = 1;
  for (int i = 0; i < 4; i++)
    for (int l = 0; l < 4; l++) state[i][l] = (z = z * 6364136223846793005u + 1442695040888963407u);
}

static inline uint64_t rotated(uint64_t x, int k) { return x << k | x >> (64 - k); }

static inline void four_words(uint64_t *out) {
  for (int l = 0; l < 4; l++) {
    out[l] = rotated(state[0][l] + state[3][l], 23) + state[0][l];
    const uint64_t t = state[1][l] << 17;
    state[2][l] ^= state[0][l];
    state[3][l] ^= state[1][l];
    state[1][l] ^= state[2][l];
    state[0][l] ^= state[3][l];
    state[2][l] ^= t;
    state[3][l] = rotated(state[3][l], 45);
  }
}

/* ---- the amplitude rule ---- */

static double weight[MOST], start[ROWS * MOST], learned[3][ROWS * MOST];
static size_t order[MOST];

static void ours_learns(size_t n, uint64_t iterations, double *q) {
  static double w[ROWS * MOST];
  for (size_t r = 0; r < ROWS; r++) memcpy(w + r * n, weight, n * sizeof *w);
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.iterations = iterations;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(n);
  if (ws == NULL || ves_amplitude_rows(w, ROWS, n, &opt, 1, 0, 0, ws, q) != VES_OK) abort();
  ves_learn_workspace_free(ws);
}

static void peer_learns(size_t n, uint64_t iterations, double *q) {
  static double w[MOST], a[MOST], updates[MOST], weaker[MOST];
  static uint32_t threshold[MOST + 8], member[MOST];
  for (size_t row = 0; row < ROWS; row++) {
    for (size_t r = 0; r < n; r++) { /* the weakest first */
      w[r] = weight[order[n - 1 - r]];
      a[r] = w[r] / q[row * n + order[n - 1 - r]];
      updates[r] = 0;
      threshold[r] = (uint32_t)(w[r] / a[r] * 0x1p31);
    }
    for (size_t r = n; r < n + 8; r++) threshold[r] = 0;
    for (uint64_t t = 0; t < iterations; t++) {
      size_t size = 0;
      double sum = 0;
      for (size_t r = 0; r < n; r += 8) {
        uint64_t word[4];
        uint32_t u[8];
        four_words(word);
        memcpy(u, word, sizeof u);
        for (size_t i = 0; i < 8; i++) {
          member[size] = (uint32_t)(r + i);
          size += u[i] >> 1 < threshold[r + i];
        }
      }
      for (size_t c = 0; c < size; c++) {
        weaker[c] = sum;
        sum += a[member[c]];
      }
      for (size_t c = 0; c < size; c++) {
        const uint32_t m = member[c];
        const double k = updates[m] += 1, target = w[m] + weaker[c];
        a[m] = k > 1 ? a[m] + (target - a[m]) / k : target;
        threshold[m] = (uint32_t)(w[m] / a[m] * 0x1p31);
      }
    }
    for (size_t r = 0; r < n; r++) q[row * n + order[n - 1 - r]] = w[r] / a[r];
  }
}

/* One row after the other: the bytes of sixteen iterations at once, then who transmits, 64 synapses
 * a step, then the members from the weakest up. */
static void bound_learns(size_t n, uint64_t iterations, double *q) {
  static double w[MOST + 64], a[MOST + 64], updates[MOST + 64], weaker[MOST + 64];
  static uint8_t coarse[MOST + 64], bytes[VES_LEARN_BATCH * (MOST + 64)];
  static uint32_t member[MOST + 64];
  const size_t words = (n + 63) / 64, stride = 64 * words;
  const philox_keys keys = philox_round_keys(1);
  memset(bytes, 0xff, sizeof bytes);
  for (uint32_t row = 0; row < ROWS; row++) {
    memset(coarse, 0, sizeof coarse);
    for (size_t r = 0; r < n; r++) {
      w[r] = weight[order[r]];
      a[r] = w[r] / q[row * n + order[r]];
      updates[r] = 0;
      coarse[r] = ves_threshold_coarse(w[r] / a[r]);
    }
    for (uint64_t t = 0; t < iterations; t++) {
      const size_t b = t % VES_LEARN_BATCH;
      if (b == 0) ves_learn_bytes_avx2(&keys, 1, t, row, n, stride, bytes);
      size_t size = 0;
      double sum = 0;
      for (size_t v = words; v-- > 0;) {
        const uint8_t *from = bytes + b * stride + 64 * v;
        const philox_bytes random = {_mm256_loadu_si256((const __m256i *)from),
                                     _mm256_loadu_si256((const __m256i *)(from + 32))};
        uint64_t ties, mask = philox_compare(&random, coarse + 64 * v, &ties);
        for (; ties != 0; ties &= ties - 1) {
          const size_t i = (size_t)__builtin_ctzll(ties), r = 64 * v + i;
          const uint64_t fine = r < n ? ves_threshold_fine(w[r] / a[r]) : 0;
          mask |= (uint64_t)ves_mask_refine(fine, 1, t, row, r) << i;
        }
        while (mask != 0) {
          const unsigned top = 63 - (unsigned)_lzcnt_u64(mask);
          mask = _bzhi_u64(mask, top);
          member[size] = (uint32_t)(64 * v + top);
          weaker[size++] = sum;
          sum += a[64 * v + top];
        }
      }
      for (size_t c = 0; c < size; c++) {
        const uint32_t m = member[c];
        const double k = updates[m] += 1, step = 1 / k, target = w[m] + weaker[c];
        const double moved = step < 1 ? a[m] + step * (target - a[m]) : target;
        a[m] = moved > w[m] ? moved : w[m];
        coarse[m] = ves_threshold_coarse(w[m] / a[m]);
      }
    }
    for (size_t r = 0; r < n; r++) q[row * n + order[r]] = w[r] / a[r];
  }
}

typedef void learning(size_t n, uint64_t iterations, double *q);

static double mean(const double *v, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += v[i] / (double)count;
  return sum;
}

static void report(const char *what, size_t n, size_t sites, const char *const *names,
                   const double *best, int programs, double each) {
  for (int p = 0; p < programs; p++)
    printf("%s\t%zu\t%zu\t%s\t%.1f\t%.2f\n", what, n, sites, names[p], best[p] / each * 1e9,
           best[p] / best[0]);
}

static void learning_of(size_t n) {
  static const char *const names[] = {"ours", "peer", "bound"};
  learning *const programs[] = {ours_learns, peer_learns, bound_learns};
  const uint64_t iterations = 400000 / n + 2000;
  double best[] = {INFINITY, INFINITY, INFINITY};
  for (size_t i = 0; i < n; i++) weight[i] = exp(-5.0 * (double)i / (double)n) + 0.01;
  for (size_t i = 0; i < ROWS * n; i++) start[i] = 0.3;
  ves_order_descending(weight, n, order);
  for (int turn = 0; turn < TURNS; turn++)
    for (int p = 0; p < 3; p++) {
      memcpy(learned[p], start, ROWS * n * sizeof *start);
      const double since = seconds();
      programs[p](n, iterations, learned[p]);
      best[p] = fmin(best[p], seconds() - since);
    }
  const double own = mean(learned[0], ROWS * n), other = mean(learned[1], ROWS * n);
  if (memcmp(learned[0], learned[2], ROWS * n * sizeof *start) != 0 ||
      fabs(other / own - 1) > 0.05) {
    printf("the programs disagree at n = %zu: %.17g, %.17g, %.17g\n", n, own, other,
           mean(learned[2], ROWS * n));
    exit(1);
  }
  report("amplitude", n, 0, names, best, 3, ROWS * (double)iterations);
}

/* ---- release sites ---- */

static double effective[K * OUTPUTS], phi[K * OUTPUTS], always[K * OUTPUTS];

static double ours_draws(size_t sites, size_t draws) {
  const uint32_t input[K] = {3, 4, 5};
  double y[OUTPUTS], sent = 0;
  ves_sites *s = ves_sites_alloc(effective, phi, always, input, K, OUTPUTS, sites);
  if (s == NULL) abort();
  for (uint64_t d = 0; d < draws; d++) {
    ves_sites_open(s, 7, d);
    const uint32_t winner = ves_sites_draw(s, 7, d, y);
    sent += winner > 0 ? y[winner - 1] : 0;
  }
  ves_sites_free(s);
  return sent / (double)draws;
}

/* Walker's table: value i with probability share[i], otherwise other[i]. */
static double share[K * OUTPUTS][SITES_MOST + 1];
static uint16_t other[K * OUTPUTS][SITES_MOST + 1];

static void alias_table(size_t at, size_t sites) {
  const size_t cells = sites + 1;
  double p[SITES_MOST + 1];
  for (size_t k = 0; k < cells; k++)
    p[k] = (double)cells *
           exp(lgamma((double)cells) - lgamma((double)k + 1) - lgamma((double)(sites - k) + 1) +
               (double)k * log(phi[at]) + (double)(sites - k) * log1p(-phi[at]));
  size_t small[SITES_MOST + 1], large[SITES_MOST + 1], s = 0, l = 0;
  for (size_t k = 0; k < cells; k++) *(p[k] < 1 ? &small[s++] : &large[l++]) = k;
  while (s > 0 && l > 0) {
    const size_t k = small[--s], from = large[l - 1];
    share[at][k] = p[k];
    other[at][k] = (uint16_t)from;
    p[from] -= 1 - p[k];
    if (p[from] < 1) small[s++] = large[--l];
  }
  while (l > 0) share[at][large[--l]] = 1;
  while (s > 0) share[at][small[--s]] = 1;
}

static double peer_draws(size_t sites, size_t draws) {
  double sent = 0;
  for (size_t at = 0; at < K * OUTPUTS; at++) alias_table(at, sites);
  for (size_t d = 0; d < draws; d++) {
    double y[OUTPUTS] = {0}, best = 0;
    for (size_t at = 0; at < K * OUTPUTS; at += 4) {
      uint64_t word[4];
      four_words(word);
      for (size_t i = at; i < at + 4; i++) {
        const uint64_t cell = (word[i - at] >> 32) * (sites + 1) >> 32;
        const double u = (double)(uint32_t)word[i - at] * 0x1p-32;
        const double open = u < share[i][cell] ? (double)cell : other[i][cell];
        y[i % OUTPUTS] += effective[i] / ((double)sites * phi[i]) * open;
      }
    }
    for (size_t j = 0; j < OUTPUTS; j++) best = y[j] > best ? y[j] : best;
    sent += best;
  }
  return sent / (double)draws;
}

static void draws_of(size_t sites) {
  static const char *const names[] = {"ours", "peer"};
  const size_t draws = 10000;
  double best[] = {INFINITY, INFINITY}, sent[2];
  for (size_t i = 0; i < K * OUTPUTS; i++) {
    const double w = exp(-0.5 * pow((double)(i % OUTPUTS) / 10 - 5, 2)) + 0.01;
    effective[i] = w * (i / OUTPUTS == 1 ? 1 : 0.1);
    phi[i] = 1 / (1 + (double)sites * (0.02 + 0.5 * (1 - w / 1.01)));
    always[i] = 1;
  }
  for (int turn = 0; turn < TURNS; turn++)
    for (int p = 0; p < 2; p++) {
      const double since = seconds();
      sent[p] = p == 0 ? ours_draws(sites, draws) : peer_draws(sites, draws);
      best[p] = fmin(best[p], seconds() - since);
    }
  if (fabs(sent[1] / sent[0] - 1) > 0.02) {
    printf("the programs disagree at %zu sites: %.17g, %.17g\n", sites, sent[0], sent[1]);
    exit(1);
  }
  report("sites", OUTPUTS, sites, names, best, 2, (double)draws);
}

int main(void) {
  ves_simd_select(true);
  if (!ves_simd_in_use()) {
    printf("no vector path on this processor: nothing to compare\n");
    return 0;
  }
  generator_start();
  printf("what\tn\tsites\tprogram\tns\tratio\n");
  for (size_t n = 10; n <= MOST; n *= 10) learning_of(n);
  for (size_t sites = 1; sites <= SITES_MOST; sites *= 4) draws_of(sites);
  return 0;
}
