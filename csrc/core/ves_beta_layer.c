/* ves_beta_layer: what a layer of inputs does whose weights are drawn anew, and which output wins.
 *
 * Inputs far from the centre of their tuning curve are active by a hundredth of the others or less,
 * and most of what they add decides nothing. A weight is at most 1, so they add at most the sum of
 * their activities, the slack: an output that without them is behind by more than that cannot win,
 * and their weights to it are not drawn. Each weight has random words of its own, so those that are
 * drawn are the same as if all were, and so is the winner, bit for bit. */
#include "ves_beta.h"
#include <stdbool.h>
#include <string.h>

/* Inputs up to this share of the largest activity wait for the others. Where that spares little, all
 * of them are drawn as before. */
static const double waits = 0.15;

/* Sums in another order may round otherwise, but not by this much. */
static const double rounding = 1e-12;

/* Weights of each input and set, then a list of outputs for each set, and another. */
size_t ves_beta_room(const ves_beta_layer *layer) {
  return (layer->sets * (layer->k + 1) + 1) * layer->n;
}

static double *weights_of(const ves_beta_layer *l, double *room, size_t i, size_t set) {
  return room + (l->sets * i + set) * l->n;
}

static void draw_input(const ves_beta_layer *l, size_t i, uint64_t key, uint64_t draw,
                       double *room) {
  double *const w[2] = {weights_of(l, room, i, 0), weights_of(l, room, i, l->sets - 1)};
  if (l->sets == 2)
    ves_beta_draw_both(l->beta + 2 * i, key, draw, l->row[i], w);
  else
    ves_beta_draw(l->beta[i], key, draw, l->row[i], w[0]);
}

static void add_input(const ves_beta_layer *l, size_t i, double *room, double *const y[2]) {
  for (size_t set = 0; set < l->sets; set++) {
    const double x = l->x[i], *restrict w = weights_of(l, room, i, set);
    double *restrict sum = y[set];
    for (size_t j = 0; j < l->n; j++) sum[j] += x * w[j];
  }
}

static void clear(const ves_beta_layer *l, double *const y[2]) {
  for (size_t set = 0; set < l->sets; set++) memset(y[set], 0, l->n * sizeof *y[set]);
}

/* [eq:beta] */
void ves_beta_activity(const ves_beta_layer *l, uint64_t key, uint64_t draw, double *room,
                       double *const y[2]) {
  clear(l, y);
  for (size_t i = 0; i < l->k; i++) {
    draw_input(l, i, key, draw, room);
    add_input(l, i, room, y);
  }
}

static size_t largest(const double *y, size_t n) {
  size_t best = 0;
  for (size_t j = 1; j < n; j++)
    if (y[j] > y[best]) best = j;
  return best;
}

/* The largest value alone: four at a time, which need not wait for each other. */
static double most(const double *y, size_t n) {
  double top[4] = {y[0], y[0], y[0], y[0]};
  size_t j = 0;
  for (; j + 4 <= n; j += 4)
    for (size_t i = 0; i < 4; i++) top[i] = y[j + i] > top[i] ? y[j + i] : top[i];
  for (; j < n; j++) top[0] = y[j] > top[0] ? y[j] : top[0];
  for (size_t i = 1; i < 4; i++) top[0] = top[i] > top[0] ? top[i] : top[0];
  return top[0];
}

/* Lists the outputs that are behind the first by no more than the slack. */
static size_t contenders(const double *y, size_t n, double slack, uint32_t *list) {
  const double least = (1 - rounding) * most(y, n) - (1 + rounding) * slack;
  size_t count = 0;
  for (size_t j = 0; j < n; j++) {
    list[count] = (uint32_t)j;
    count += (1 + rounding) * y[j] >= least;
  }
  return count;
}

/* The winner among the listed: the inputs that wait are drawn for them alone, and their activities
 * summed in the order of all inputs. */
static uint32_t settle(const ves_beta_layer *l, size_t set, double limit, uint64_t key,
                       uint64_t draw, double *room, const uint32_t *list, size_t count) {
  uint32_t *worked_off = (uint32_t *)(void *)(room + l->sets * (l->k + 1) * l->n);
  for (size_t i = 0; i < l->k; i++) {
    if (l->x[i] > limit) continue;
    memcpy(worked_off, list, count * sizeof *list);
    ves_beta_draw_listed(l->beta[l->sets * i + set], key, draw, l->row[i], worked_off, count,
                         weights_of(l, room, i, set));
  }
  uint32_t best = list[0];
  double best_y = -1.0;
  for (size_t c = 0; c < count; c++) {
    double sum = 0.0;
    for (size_t i = 0; i < l->k; i++) sum += l->x[i] * weights_of(l, room, i, set)[list[c]];
    if (sum > best_y) {
      best_y = sum;
      best = list[c];
    }
  }
  return best + 1;
}

void ves_beta_winner(const ves_beta_layer *l, uint64_t key, uint64_t draw, double *room,
                     double *const y[2], uint32_t winner[2]) {
  const double limit = waits * most(l->x, l->k);
  const size_t sets = l->sets == 2 ? 2 : 1;
  double slack = 0.0;
  clear(l, y);
  for (size_t i = 0; i < l->k; i++) {
    if (l->x[i] <= limit) {
      slack += l->x[i];
      continue;
    }
    draw_input(l, i, key, draw, room);
    add_input(l, i, room, y);
  }
  size_t count[2] = {0, 0};
  uint32_t *list[2];
  for (size_t set = 0; set < sets; set++) {
    list[set] = (uint32_t *)(void *)weights_of(l, room, l->k, set);
    if (slack > 0) count[set] = contenders(y[set], l->n, slack, list[set]);
  }
  const bool all = slack > 0 && (count[0] > l->n / 4 || count[1] > l->n / 4);
  if (all) {
    clear(l, y);
    for (size_t i = 0; i < l->k; i++) {
      if (l->x[i] <= limit) draw_input(l, i, key, draw, room);
      add_input(l, i, room, y);
    }
  }
  for (size_t set = 0; set < sets; set++)
    winner[set] = all || slack == 0 ? (uint32_t)largest(y[set], l->n) + 1
                                    : settle(l, set, limit, key, draw, room, list[set], count[set]);
}
