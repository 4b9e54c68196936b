/* ves_release: from weights and evidence to release probabilities, in closed form.
 *
 * The mapping. Sort the weights, strongest first. An output wins if its synapse transmits and every
 * stronger one fails: p_i = q_i prod_{j<i} (1 - q_j). Induction gives prod_{j<i} (1 - q_j) = 1 -
 * sum_{j<i} p_j, the chance that nothing stronger has won, so q_i = p_i / (1 - sum_{j<i} p_j). With
 * p = w / sum(w) the sums cancel to
 *
 *   q_i = w_i / (w_i + ... + w_n): [eq:mapping]
 *
 * a synapse's strength over its own plus everything weaker. Summing from the weakest up makes q_n =
 * w_n / w_n = 1 exactly and every partial sum accurate.
 *
 * The epistemic release. A weight w/phi that transmits with probability phi has mean w and variance
 * w^2 (1-phi)/phi. Equating this with the variance of Beta(A,B), w = A/(A+B), gives (1-phi)/phi =
 * B/C with C = A(A+B+1), hence phi = C/(C+B). Differs from [eq:beta2dropoutvar]: the printed root
 * solves C(1-phi) = B phi^2, one factor of phi too many, and delivers phi times the wanted
 * variance. Both are offered. With t = B/C they are 1/(1+t) and 2/(1+sqrt(1+4t)), forms in which
 * nothing cancels and nothing overflows. */
#include "ves_release.h"
#include <gsl/gsl_heapsort.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranks ---- */

/* Descending; equal weights in the order of their addresses, which is that of their indices. */
static int stronger_first(const void *a, const void *b) {
  const double *x = a, *y = b;
  if (*x != *y) return *x > *y ? -1 : 1;
  return (x > y) - (x < y);
}

/* Runs of up to RUN weights, each by insertion: equal weights keep their order. */
enum { RUN = 8, ON_STACK = 256 };

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

/* A merge sort written out, because ranking is a good part of the mapping and a library's sort
 * calls a function for each comparison; where there is no room for it, GSL's heapsort needs none.
 */
void ves_rank(const double *w, size_t n, size_t *order) {
  size_t here[ON_STACK], *from = order, *to = n <= ON_STACK ? here : malloc(n * sizeof *to);
  if (to == NULL) {
    gsl_heapsort_index(order, w, n, sizeof *w, stronger_first);
    return;
  }
  size_t *const scratch = to;
  sort_runs(w, n, order);
  for (size_t run = RUN; run < n; run *= 2) {
    for (size_t first = 0; first < n; first += 2 * run) {
      const size_t middle = n - first < run ? n : first + run;
      merge(w, from, first, middle, n - first < 2 * run ? n : first + 2 * run, to);
    }
    size_t *const swap = from;
    from = to;
    to = swap;
  }
  if (from != order) memcpy(order, from, n * sizeof *order);
  if (scratch != here) free(scratch);
}

/* ---- releases ---- */

void ves_release_analytic(const double *w, size_t n, size_t *order, double *q) {
  ves_rank(w, n, order);
  double weaker = 0.0;
  for (size_t r = n; r-- > 0;) {
    const size_t i = order[r];
    weaker += w[i];
    q[i] = w[i] > 0 ? w[i] / weaker : 0.0;
  }
}

void ves_release_epistemic(double a, double b, ves_phi_root root, double *phi, double *complement) {
  const double t = b / (a + b + 1) / a;
  if (root == VES_PHI_EXACT) {
    *phi = 1 / (1 + t);
    *complement = 1 / (1 + 1 / t);
  } else {
    *phi = 2 / (1 + sqrt(1 + 4 * t));
    *complement = isinf(t) ? 1 : t * *phi * *phi; /* C(1-phi) = B phi^2 */
  }
}

void ves_release_combine(const double *phi, const double *q, size_t count, double *qbar) {
  for (size_t c = 0; c < count; c++) qbar[c] = phi[c] * q[c];
}

double ves_release_divisor(const double *x, size_t m, ves_normaliser kind, double active) {
  double count = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < m; i++) {
    if (!(x[i] > active)) continue;
    count += 1;
    sum += x[i];
    squares += x[i] * x[i];
  }
  double divisor = 1;
  switch (kind) {
  case VES_DIVIDE_NONE: break;
  case VES_DIVIDE_SUM: divisor = sum; break;
  case VES_DIVIDE_COUNT: divisor = count; break;
  case VES_DIVIDE_PARTICIPATION: divisor = squares > 0 ? sum * sum / squares : 1; break;
  }
  return divisor > 1 ? divisor : 1;
}
