/* ves_order: indices sorted by their weights, written out because sorting is a good part of the
 * mapping's time and a library's sort calls a function for each comparison. Up to MANY weights are
 * merged, few of them counted where there are vectors (ves_order_avx2.c). More are dealt out by the bytes of their weights, from the last byte to the first, which
 * takes as long for each however many they are: a merge of 10,000 takes six times as long for each
 * as one of 1,000, since which side is stronger cannot be foreseen any more. Where there is no
 * memory for that they are merged, and where there is none for a merge, GSL's heapsort needs none.
 * Numbers themselves are sorted where they are, by a heapsort that, unlike GSL's, can be stopped. */
#include "ves_order.h"
#include "ves_order_private.h"
#include "ves_stop.h"
#include <gsl/gsl_heapsort.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- by merging ---- */

/* Descending; equal weights in the order of their addresses, which is that of their indices. */
static int stronger_first(const void *a, const void *b) {
  const double *x = a, *y = b;
  if (*x != *y) return *x > *y ? -1 : 1;
  return (x > y) - (x < y);
}

/* Runs of up to RUN weights, each by insertion: equal weights keep their order. */
enum { RUN = 8, ON_STACK = 256 };

/* Those of first .. end-1; blocks are whole numbers of runs. */
static void sort_runs(const double *w, size_t first, size_t end, size_t *order) {
  for (size_t i = first; i < end; i++) {
    size_t at = i;
    for (; at % RUN != 0 && w[order[at - 1]] < w[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
}

/* Merges runs first .. middle-1 and middle .. end-1; of equal weights the left one goes first.
 * Which side is stronger is a matter of chance, so that it is counted with and not branched on.
 * False if it was stopped, after some block of either side. */
static bool merge(const double *w, const size_t *from, size_t first, size_t middle, size_t end,
                  size_t *to) {
  size_t left = first, right = middle, at = first;
  while (left < middle && right < end) {
    const size_t left_end = ves_block_end(left, middle), right_end = ves_block_end(right, end);
    while (left < left_end && right < right_end) {
      const size_t l = from[left], r = from[right];
      const bool second = w[r] > w[l];
      to[at++] = second ? r : l;
      right += second;
      left += !second;
    }
    if (end - first > VES_BLOCK && ves_stopping()) return false;
  }
  while (left < middle) to[at++] = from[left++];
  while (right < end) to[at++] = from[right++];
  return true;
}

/* ---- by bytes ---- */

enum { MANY = 1024, BYTES = 8, VALUES = 256 };

/* A weight as an integer: the stronger the smaller. The bits of positive numbers grow with them, and
 * those of negative ones, whose first bit is set, with their size. */
typedef struct {
  uint64_t key;
  uint32_t index;
} dealt;

static uint64_t key_of(double w) {
  const double one_zero = w + 0.0; /* -0 is equal to 0 */
  uint64_t bits;
  memcpy(&bits, &one_zero, sizeof bits);
  return bits >> 63 ? bits : ~bits ^ UINT64_C(1) << 63;
}

/* Deals n weights out by one byte, those of equal bytes in the order they have; where[v] is the place
 * of the next that has value v. */
static bool deal(const dealt *from, size_t n, int byte, size_t *where, dealt *to) {
  for (size_t first = 0, end; first < n; first = end) {
    end = ves_block_end(first, n);
    for (size_t i = first; i < end; i++) to[where[from[i].key >> 8 * byte & 0xff]++] = from[i];
    if (ves_stopping()) return false;
  }
  return true;
}

/* The order of n weights, with room for twice as many. */
static bool order_by_bytes(const double *w, size_t n, dealt *from, size_t *order) {
  dealt *to = from + n;
  size_t count[BYTES][VALUES];
  memset(count, 0, sizeof count);
  for (size_t first = 0, end; first < n; first = end) {
    end = ves_block_end(first, n);
    for (size_t i = first; i < end; i++) {
      from[i] = (dealt){key_of(w[i]), (uint32_t)i};
      for (int b = 0; b < BYTES; b++) count[b][from[i].key >> 8 * b & 0xff]++;
    }
    if (ves_stopping()) return false;
  }
  for (int b = 0; b < BYTES; b++) {
    if (count[b][from[0].key >> 8 * b & 0xff] == n) continue; /* all have the same */
    for (size_t v = 0, place = 0, next; v < VALUES; v++, place = next) {
      next = place + count[b][v];
      count[b][v] = place;
    }
    if (!deal(from, n, b, count[b], to)) return false;
    dealt *const swap = from;
    from = to;
    to = swap;
  }
  for (size_t i = 0; i < n; i++) order[i] = from[i].index;
  return true;
}

/* ---- either ---- */

bool ves_order_finish(const double *w, size_t n, size_t *order) {
  if (n <= VES_ORDER_COUNTED && ves_order_avx2(w, n, order)) return true;
  if (n > MANY && n <= UINT32_MAX) {
    dealt *room = malloc(2 * n * sizeof *room);
    if (room != NULL) {
      const bool whole = order_by_bytes(w, n, room, order);
      free(room);
      return whole;
    }
  }
  size_t here[ON_STACK], *from = order, *to = n <= ON_STACK ? here : malloc(n * sizeof *to);
  if (to == NULL) {
    gsl_heapsort_index(order, w, n, sizeof *w, stronger_first);
    return true;
  }
  size_t *const scratch = to;
  bool stopped = false;
  for (size_t first = 0, end; first < n && !stopped; first = end) {
    end = ves_block_end(first, n);
    sort_runs(w, first, end, order);
    stopped = n > VES_BLOCK && ves_stopping();
  }
  for (size_t run = RUN; run < n && !stopped; run *= 2) {
    for (size_t first = 0; first < n && !stopped; first += 2 * run) {
      const size_t middle = n - first < run ? n : first + run;
      stopped = !merge(w, from, first, middle, n - first < 2 * run ? n : first + 2 * run, to) ||
                (first % VES_BLOCK == 0 && n > VES_BLOCK && ves_stopping());
    }
    size_t *const swap = from;
    from = to;
    to = swap;
  }
  if (from != order && !stopped) memcpy(order, from, n * sizeof *order);
  if (scratch != here) free(scratch);
  return !stopped;
}

void ves_order_descending(const double *w, size_t n, size_t *order) {
  if (ves_order_finish(w, n, order)) return;
  for (size_t i = 0; i < n; i++) order[i] = i;
}

/* By insertion, until it has moved more than pays. */
void ves_order_renew(const double *w, size_t n, size_t *order) {
  for (size_t r = 1, moves = 0; r < n; r++) {
    const size_t i = order[r];
    size_t at = r;
    for (; at > 0; at--) {
      const size_t left = order[at - 1];
      const bool stays = w[left] != w[i] ? w[left] > w[i] : left < i;
      if (stays) break;
      order[at] = left;
    }
    order[at] = i;
    moves += r - at;
    if (moves > 4 * n) {
      ves_order_descending(w, n, order);
      return;
    }
  }
}

/* ---- numbers ---- */

/* Puts `value` into the heap of x[0 .. n-1], from place `at` down: no parent is below its children. */
static void sift(double *x, size_t n, size_t at, double value) {
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    child += child + 1 < n && x[child] < x[child + 1];
    if (x[child] <= value) break;
    x[at] = x[child];
  }
  x[at] = value;
}

bool ves_sort_ascending(double *x, size_t n) {
  enum { LOOK = 4096 }; /* each of these goes through the depth of the heap */
  for (size_t at = n / 2; at-- > 0;) {
    if (at % LOOK == LOOK - 1 && ves_stopping()) return false;
    sift(x, n, at, x[at]);
  }
  for (size_t rest = n; rest-- > 1;) {
    if (rest % LOOK == LOOK - 1 && ves_stopping()) return false;
    const double last = x[rest];
    x[rest] = x[0];
    sift(x, rest, 0, last);
  }
  return true;
}
