/* run_failures: failed replicates, told by what went wrong. A mistake in a script fails every
 * replicate in the same way: what went wrong is then worth telling once, and with it whom. */
#include "run_failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_index(const void *a, const void *b) {
  const run_failure *x = a, *y = b;
  return compare(x->index, y->index);
}

/* A message is missing where there was no memory for it. */
static int compare_messages(const run_failure *x, const run_failure *y) {
  return strcmp(x->message != NULL ? x->message : "", y->message != NULL ? y->message : "");
}

static int by_message(const void *a, const void *b) {
  const int order = compare_messages(a, b);
  return order != 0 ? order : by_index(a, b);
}

static int by_first(const void *a, const void *b) {
  const run_failure *x = a, *y = b;
  const int order = compare(x->first, y->first);
  return order != 0 ? order : by_index(a, b);
}

void run_failures_sort(run_failure *failures, size_t n) {
  if (n > 0) qsort(failures, n, sizeof *failures, by_index);
}

size_t run_failures_alike(const run_failure *failures, size_t n) {
  size_t count = 1;
  while (count < n && compare_messages(failures, failures + count) == 0) count++;
  return count;
}

void run_failures_group(run_failure *failures, size_t n) {
  if (n == 0) return;
  qsort(failures, n, sizeof *failures, by_message);
  for (size_t k = 0; k < n;) {
    const size_t end = k + run_failures_alike(failures + k, n - k);
    for (const uint64_t first = failures[k].index; k < end; k++) failures[k].first = first;
  }
  qsort(failures, n, sizeof *failures, by_first);
}

void run_failures_list(const run_failure *failures, size_t n, char *text, size_t size) {
  static const char more[] = ", ...";
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < n;) {
    const uint64_t from = failures[k].index;
    uint64_t to = from;
    while (++k < n && failures[k].index == to + 1) to++;
    char piece[64];
    int length =
        snprintf(piece, sizeof piece, "%s%llu", used > 0 ? ", " : "", (unsigned long long)from);
    if (to > from)
      length +=
          snprintf(piece + length, sizeof piece - (size_t)length, "-%llu", (unsigned long long)to);
    if (used + (size_t)length + sizeof more > size) {
      snprintf(text + used, size - used, "%s", more);
      return;
    }
    memcpy(text + used, piece, (size_t)length + 1);
    used += (size_t)length;
  }
}
