/* ves_order: a merge sort of indices, written out because sorting is a good part of the mapping's
 * time and a library's sort calls a function for each comparison. Where there is no memory for it,
 * GSL's heapsort needs none. */
#include "ves_order.h"
#include "ves_stop.h"
#include <gsl/gsl_heapsort.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Descending; equal weights in the order of their addresses, which is that of their indices. */
static int stronger_first(const void *a, const void *b) {
  const double *x = a, *y = b;
  if (*x != *y) return *x > *y ? -1 : 1;
  return (x > y) - (x < y);
}

/* Runs of up to RUN weights, each by insertion: equal weights keep their order. */
enum { RUN = 8, ON_STACK = 256, LOOK = 1 << 16 /* weights between two looks at the flag */ };

static void sort_runs(const double *w, size_t n, size_t *order) {
  for (size_t i = 0; i < n; i++) {
    size_t at = i;
    for (; at % RUN != 0 && w[order[at - 1]] < w[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
}

/* Merges runs first .. middle-1 and middle .. end-1; of equal weights the left one goes first.
 * Which side is stronger is a matter of chance, so that it is counted with and not branched on. */
static void merge(const double *w, const size_t *from, size_t first, size_t middle, size_t end,
                  size_t *to) {
  size_t left = first, right = middle, at = first;
  while (left < middle && right < end) {
    const size_t l = from[left], r = from[right];
    const bool second = w[r] > w[l];
    to[at++] = second ? r : l;
    right += second;
    left += !second;
  }
  while (left < middle) to[at++] = from[left++];
  while (right < end) to[at++] = from[right++];
}

void ves_order_descending(const double *w, size_t n, size_t *order) {
  size_t here[ON_STACK], *from = order, *to = n <= ON_STACK ? here : malloc(n * sizeof *to);
  if (to == NULL) {
    gsl_heapsort_index(order, w, n, sizeof *w, stronger_first);
    return;
  }
  size_t *const scratch = to;
  sort_runs(w, n, order);
  bool stopped = false;
  for (size_t run = RUN; run < n && !stopped; run *= 2) {
    for (size_t first = 0; first < n && !stopped; first += 2 * run) {
      const size_t middle = n - first < run ? n : first + run;
      merge(w, from, first, middle, n - first < 2 * run ? n : first + 2 * run, to);
      stopped = first % LOOK == 0 && n > LOOK && ves_stopping();
    }
    if (stopped) break; /* `from` has every index, `to` may not */
    size_t *const swap = from;
    from = to;
    to = swap;
  }
  if (from != order) memcpy(order, from, n * sizeof *order);
  if (scratch != here) free(scratch);
}
