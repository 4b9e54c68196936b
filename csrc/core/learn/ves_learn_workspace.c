/* ves_learn_workspace: the memory of rows that learn, and who transmits in an iteration: what all
 * rules have in common. */
#include "ves_learn_private.h"
#include "ves_order.h"
#include "ves_simd.h"
#include <stdlib.h>
#include <string.h>

/* ---- vectors side by side ---- */

static void lanes_free(ves_learn_lanes *s) {
  free(s->order);
  free(s->weight);
  free(s->updates);
  free(s->coarse);
  free(s->bytes);
  free(s->mask);
  free(s->tie);
  free(s->tied);
  free(s->tie_word);
  free(s->column);
  free(s->row_end);
  free(s->end);
  free(s->member);
  free(s->member_amount);
  free(s->member_weaker);
  free(s->member_size);
  free(s->member_rest);
  free(s->weaker);
  *s = (ves_learn_lanes){0};
}

size_t ves_learn_lanes_of(size_t rows, size_t n) {
  const size_t times = ves_simd_wide() ? VES_LEARN_WIDE : 1, limit = times * VES_LEARN_LANES;
  const size_t beside = times * VES_LEARN_BESIDE / ((n + 63) / 64 * 64);
  const size_t most = beside < 1 ? 1 : beside < limit ? beside : limit;
  return rows < most ? rows : most;
}

bool ves_learn_lanes_reserve(ves_learn_lanes *s, size_t lanes, size_t n) {
  const size_t stride = (n + 63) / 64 * 64, synapses = lanes * stride;
  s->stride = stride;
  if (synapses <= s->room) return true;
  lanes_free(s);
  const size_t room = VES_LEARN_GUARD + synapses + VES_LEARN_GUARD;
  s->order = calloc(synapses, sizeof *s->order);
  s->weight = calloc(2 * room, sizeof *s->weight); /* states stand among them or behind them */
  s->updates = calloc(room, sizeof *s->updates);
  s->coarse = aligned_alloc(64, room); /* both are read by whole lines of memory */
  s->bytes = aligned_alloc(64, VES_LEARN_BATCH * synapses);
  s->mask = calloc(synapses / 64, sizeof *s->mask);
  s->tie = calloc(room, sizeof *s->tie);
  s->tied = calloc(synapses / 64, sizeof *s->tied);
  s->tie_word = calloc(room, sizeof *s->tie_word);
  s->column = calloc((size_t)VES_LEARN_COLUMNS * VES_LEARN_COLUMN, sizeof *s->column);
  s->row_end = calloc((size_t)VES_LEARN_COLUMNS * VES_LEARN_COLUMN, 1);
  s->end = calloc(lanes, sizeof *s->end);
  s->member = calloc(room, sizeof *s->member);
  s->member_amount = calloc(room, sizeof *s->member_amount);
  s->member_weaker = calloc(room, sizeof *s->member_weaker);
  s->member_size = calloc(room, sizeof *s->member_size);
  s->member_rest = calloc(room, sizeof *s->member_rest);
  s->weaker = calloc(room, sizeof *s->weaker);
  if (s->order == NULL || s->weight == NULL || s->updates == NULL || s->coarse == NULL ||
      s->bytes == NULL || s->mask == NULL || s->tie == NULL || s->tied == NULL ||
      s->tie_word == NULL || s->column == NULL || s->row_end == NULL || s->end == NULL ||
      s->member == NULL || s->member_amount == NULL || s->member_weaker == NULL ||
      s->member_size == NULL || s->member_rest == NULL || s->weaker == NULL)
    return false;
  memset(s->coarse, 0, room);
  memset(s->bytes, 0xff, VES_LEARN_BATCH * synapses); /* never ties with a threshold */
  s->stride = stride;
  s->room = synapses;
  return true;
}

void ves_learn_lanes_pair(ves_learn_lanes *s, bool paired) {
  s->apart = paired ? 2 : 1;
  s->state = s->weight + (paired ? 1 : VES_LEARN_GUARD + s->room + VES_LEARN_GUARD);
}

void ves_learn_lanes_sort(ves_learn_lanes *s, size_t lane, const double *w, size_t n) {
  size_t *order = s->order + lane * s->stride;
  if (s->sorted.n != n || s->sorted.stride != s->stride) s->sorted.lanes = 0;
  if (lane > 0 && memcmp(w, w - n, n * sizeof *w) == 0)
    memcpy(order, order - s->stride, n * sizeof *order);
  else if (lane < s->sorted.lanes)
    ves_order_renew(w, n, order);
  else
    ves_order_descending(w, n, order);
  s->sorted.n = n;
  s->sorted.stride = s->stride;
  if (lane >= s->sorted.lanes) s->sorted.lanes = lane + 1;
}

/* ---- one vector ---- */

ves_learn_workspace *ves_learn_workspace_alloc(size_t n) {
  if (n == 0 || n > UINT32_MAX / 8) return NULL;
  ves_learn_workspace *ws = calloc(1, sizeof *ws);
  if (ws == NULL) return NULL;
  ws->room = n;
  ws->order = malloc(n * sizeof *ws->order);
  ws->weight = malloc(n * sizeof *ws->weight);
  ws->state = malloc(n * sizeof *ws->state);
  ws->weaker = malloc(n * sizeof *ws->weaker);
  ws->target_sum = malloc(n * sizeof *ws->target_sum);
  ws->updates = malloc(n * sizeof *ws->updates);
  ws->mask = malloc((n + 63) / 64 * sizeof *ws->mask);
  ws->member = malloc(n * sizeof *ws->member);
  ws->member_sum = malloc(n * sizeof *ws->member_sum);
  ws->member_weaker = malloc(n * sizeof *ws->member_weaker);
  if (ves_thresholds_alloc(&ws->tries, n) && ws->order != NULL && ws->weight != NULL &&
      ws->state != NULL && ws->weaker != NULL && ws->target_sum != NULL && ws->updates != NULL &&
      ws->mask != NULL && ws->member != NULL && ws->member_sum != NULL && ws->member_weaker != NULL)
    return ws;
  ves_learn_workspace_free(ws);
  return NULL;
}

void ves_learn_workspace_free(ves_learn_workspace *ws) {
  if (ws == NULL) return;
  ves_thresholds_free(&ws->tries);
  lanes_free(&ws->beside);
  free(ws->order);
  free(ws->weight);
  free(ws->state);
  free(ws->weaker);
  free(ws->target_sum);
  free(ws->updates);
  free(ws->mask);
  free(ws->member);
  free(ws->member_sum);
  free(ws->member_weaker);
  free(ws);
}

void ves_learn_narrow(ves_learn_workspace *ws, size_t n) {
  for (size_t r = n; r < ws->tries.words * 64; r++) {
    ws->tries.coarse[r] = 0;
    ws->tries.fine[r] = 0;
  }
  for (size_t w = 0; w < ws->tries.words; w++) ws->mask[w] = 0;
}

size_t ves_learn_subset(ves_learn_workspace *ws, size_t n, uint64_t key, uint64_t draw,
                        uint32_t row) {
  ves_mask_draw(&ws->tries, key, draw, row, ws->mask);
  size_t size = 0;
  for (size_t w = (n + 63) / 64; w-- > 0;)
    for (uint64_t bits = ws->mask[w]; bits != 0;) {
      const unsigned top = 63u - (unsigned)__builtin_clzll(bits);
      bits ^= UINT64_C(1) << top;
      ws->member[size++] = 64 * w + top;
    }
  return size;
}
