/* ves_sample: one draw is synaptic failure, then lateral inhibition.
 *
 * Each synapse (i, j) of an active input transmits with its release probability; output j then has
 * the activity
 *
 *     y_j = sum over transmitting i of x_i w_ij,                                 [eq:subset-max]
 *
 * and the most active output silences the others. There is no other randomness.
 *
 * A sampler lays the outputs out by what they could reach if everything transmitted: position r
 * holds the output with the r-th largest bound sum_i x_i w_ij (equal bounds in index order). Two
 * things follow. A draw may stop as soon as the best activity found exceeds the next bound, which
 * for one input is at the first transmitting synapse; and since sums of non-negative terms taken in
 * one fixed order (ascending input) are monotone also in floating point, stopping early never
 * changes the winner. The position is also the address: synapse (i, position r) owns byte r of row
 * i of the draw (ves_rng.h), so the strongest contenders of all inputs share the first blocks of
 * random bits and the rest are often never generated. */
#include "ves_order.h"
#include "ves_sample_private.h"
#include "ves_stop.h"
#include <stdlib.h>
#include <string.h>

/* A sampler lives in one piece of memory, because it is made anew for every input: the struct, then
 * its arrays, all in words of eight bytes. */

typedef struct {
  uint64_t *next;
  size_t words; /* taken so far */
} piece;

/* The next `count` words; before there is a piece, only counted. */
static void *take(piece *p, size_t count) {
  uint64_t *here = p->next;
  p->words += count;
  if (p->next != NULL) p->next += count;
  return here;
}

static void lay_out(ves_sampler *s, piece *p) {
  const size_t k = s->k, n = s->n, room = 64 * s->words;
  s->input = take(p, (k + 1) / 2);
  s->output = take(p, n);
  s->bound = take(p, n);
  s->effective = take(p, k * n);
  s->mask = take(p, k);
  s->ties = take(p, k);
  s->ahead = take(p, 2 * k);
  s->major = take(p, k);
  s->strong = take(p, k * n);
  s->slack = take(p, n);
  s->tries = take(p, k * sizeof *s->tries / sizeof *p->next);
  for (size_t a = 0; a < k; a++) {
    const ves_thresholds t = {
        .n = n, .words = s->words, .coarse = take(p, room / 8), .fine = take(p, room)};
    if (p->next != NULL) s->tries[a] = t;
  }
}

static ves_sampler *allocate(size_t k, size_t n) {
  ves_sampler s = {.k = k, .n = n, .words = (n + 63) / 64}, *made;
  piece all = {NULL, (sizeof s + sizeof *all.next - 1) / sizeof *all.next};
  const size_t header = all.words;
  lay_out(&s, &all);
  uint64_t *memory = calloc(all.words, sizeof *memory);
  if (memory == NULL) return NULL;
  made = (ves_sampler *)(void *)memory;
  all.next = memory + header;
  lay_out(&s, &all);
  *made = s;
  return made;
}

void ves_sampler_free(ves_sampler *s) { free(s); }

/* The weakest inputs, together with at most this share of the total effective weight and each far
 * below the strongest, count as minor (see ves_sample_avx2.c): at the centre of a tuning curve, all
 * but its own. A larger share leaves more contenders undecided, a smaller one needs more masks. */
static const double minor_share = 0.11;

/* Lists the major inputs, in ascending order. sum and order are scratch of k. */
static void find_majors(ves_sampler *s, double *sum, size_t *order) {
  double total = 0.0, minor = 0.0;
  for (size_t a = 0; a < s->k; a++) {
    sum[a] = 0.0;
    for (size_t r = 0; r < s->n; r++) sum[a] += s->effective[a * s->n + r];
    total += sum[a];
  }
  ves_order_descending(sum, s->k, order);
  const double most = s->k > 0 ? minor_share * sum[order[0]] : 0.0;
  for (size_t c = s->k; c-- > 0;) {
    minor += sum[order[c]];
    if (minor > minor_share * total || sum[order[c]] > most) break;
    sum[order[c]] = -1.0;
  }
  for (size_t a = 0; a < s->k; a++)
    if (sum[a] >= 0) s->major[s->majors++] = a;
}

/* What the minor inputs can add to each output, and the major ones' weights side by side. */
static void divide_inputs(ves_sampler *s) {
  for (size_t a = 0, m = 0; a < s->k; a++)
    if (m < s->majors && s->major[m] == a)
      m++;
    else
      for (size_t r = 0; r < s->n; r++) s->slack[r] += s->effective[a * s->n + r];
  for (size_t r = 0; r < s->n; r++) {
    for (size_t m = 0; m < s->majors; m++)
      s->strong[r * s->majors + m] = s->effective[s->major[m] * s->n + r];
    if (s->slack[r] > s->minor_most) s->minor_most = s->slack[r];
    s->slack[r] +=
        1e-12 * s->bound[r]; /* sums in another order may round higher, but not by this much */
    if (s->majors == s->k) s->slack[r] = 0.0;
  }
}

ves_sampler *ves_sampler_alloc(const double *effective, const double *release,
                               const uint32_t *input, size_t k, size_t n) {
  if (n == 0 || n > SIZE_MAX / 64 / sizeof(double) / (k + 1)) return NULL;
  ves_sampler *s = allocate(k, n);
  double *reachable = calloc(n + k, sizeof *reachable);
  size_t *order = calloc(k + 1, sizeof *order);
  if (s == NULL || reachable == NULL || order == NULL) {
    free(reachable);
    free(order);
    ves_sampler_free(s);
    return NULL;
  }
  for (size_t a = 0; a < k; a++)
    for (size_t j = 0; j < n; j++) reachable[j] += effective[a * n + j];
  ves_order_descending(reachable, n, s->output);
  for (size_t r = 0; r < n; r++) s->bound[r] = reachable[s->output[r]];
  for (size_t a = 0; a < k; a++) {
    s->input[a] = input[a];
    for (size_t r = 0; r < n; r++) {
      const size_t from = a * n + s->output[r];
      s->effective[a * n + r] = effective[from];
      /* A synapse without weight cannot make its output win: it counts as failing. */
      ves_thresholds_set(&s->tries[a], r, effective[from] > 0 ? release[from] : 0.0);
    }
  }
  find_majors(s, reachable, order);
  divide_inputs(s);
  free(reachable);
  free(order);
  return s;
}

/* The masks of 64 positions for every input; returns those where anything transmits. */
static uint64_t transmit(ves_sampler *s, uint64_t key, uint64_t draw, size_t word) {
  uint64_t any = 0;
  for (size_t a = 0; a < s->k; a++)
    any |= s->mask[a] = ves_mask_word(&s->tries[a], key, draw, s->input[a], word);
  return any;
}

static double activity_at(const ves_sampler *s, size_t r) {
  double y = 0.0;
  for (size_t a = 0; a < s->k; a++)
    if (s->mask[a] >> (r % 64) & 1) y += s->effective[a * s->n + r];
  return y;
}

typedef struct {
  double y;
  size_t output; /* n while nothing has transmitted */
} contender;

/* Lateral inhibition between two outputs. */
static void compete(contender *best, double y, size_t output) {
  if (y > best->y || (y == best->y && output < best->output)) *best = (contender){y, output};
}

uint32_t ves_sampler_strongest(ves_sampler *s, uint64_t key, uint64_t draw, double *y) {
  contender best = {0.0, s->n};
  for (size_t w = 0; w < s->words && s->bound[64 * w] >= best.y; w++)
    for (uint64_t any = transmit(s, key, draw, w); any != 0; any &= any - 1) {
      const size_t r = 64 * w + (size_t)__builtin_ctzll(any);
      if (s->bound[r] < best.y) break;
      compete(&best, activity_at(s, r), s->output[r]);
    }
  *y = best.y;
  return best.output < s->n ? (uint32_t)best.output + 1 : 0;
}

uint32_t ves_sampler_winner(ves_sampler *s, uint64_t key, uint64_t draw) {
  double y;
  return ves_sampler_strongest(s, key, draw, &y);
}

ves_status ves_sampler_winners(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner) {
  if (!ves_sampler_winners_avx2(s, key, first, draws, winner))
    for (size_t d = 0; d < draws && !ves_stopping(); d++)
      winner[d] = ves_sampler_winner(s, key, first + d);
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}

/* Copies the masks of 64 positions into a table with a row for each input and a column for each
 * output. */
static void write_masks(const ves_sampler *s, size_t word, double *transmits) {
  for (size_t a = 0; a < s->k; a++)
    for (size_t r = 64 * word; r < s->n && r < 64 * (word + 1); r++)
      transmits[a * s->n + s->output[r]] = (double)(s->mask[a] >> (r % 64) & 1);
}

/* What 64 positions receive. Inputs in ascending order, as in activity_at, but each all at once: whose
 * synapses transmit to one position is a matter of chance that no processor foresees. */
static void add_activities(const ves_sampler *s, size_t word, double sum[64]) {
  memset(sum, 0, 64 * sizeof *sum);
  for (size_t a = 0; a < s->k; a++) {
    const double *effective = s->effective + a * s->n + 64 * word;
    for (uint64_t bits = s->mask[a]; bits != 0; bits &= bits - 1) {
      const size_t r = (size_t)__builtin_ctzll(bits);
      sum[r] += effective[r];
    }
  }
}

uint32_t ves_sampler_draw(ves_sampler *s, uint64_t key, uint64_t draw, double *transmits,
                          double *y) {
  contender best = {0.0, s->n};
  double sum[64];
  memset(y, 0, s->n * sizeof *y);
  for (size_t w = 0; w < s->words; w++) {
    uint64_t any = transmit(s, key, draw, w);
    if (transmits != NULL) write_masks(s, w, transmits);
    add_activities(s, w, sum);
    for (; any != 0; any &= any - 1) {
      const size_t r = (size_t)__builtin_ctzll(any), output = s->output[64 * w + r];
      y[output] = sum[r];
      compete(&best, sum[r], output);
    }
  }
  return best.output < s->n ? (uint32_t)best.output + 1 : 0;
}

/* ---- draws in which nothing transmits ---- */

uint64_t ves_sampler_redraw_key(uint64_t key, uint32_t attempt) {
  return ves_key_integer(ves_key_string(key, "redraw", 6), attempt);
}

ves_status ves_sampler_redraw(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner, uint64_t *attempts) {
  const ves_status status = ves_sampler_winners(s, key, first, draws, winner);
  if (status != VES_OK) return status;
  *attempts = draws;
  for (size_t d = 0; d < draws; d++)
    for (uint32_t attempt = 1; winner[d] == 0; attempt++) {
      if (attempt == VES_ATTEMPTS_MAX) return VES_ESILENT;
      if (ves_stopping()) return VES_ESTOPPED;
      winner[d] = ves_sampler_winner(s, ves_sampler_redraw_key(key, attempt), first + d);
      ++*attempts;
    }
  return VES_OK;
}
