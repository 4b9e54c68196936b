/* ves_follow: learning while weights change: one vector of weights after the other, with what is
 * learned from one as the start of the next. */
#include "ves_follow.h"
#include "ves_stop.h"
#include <stdlib.h>
#include <string.h>

/* What runs side by side have, runs x n each. */
typedef struct {
  double *w, *a, *updates;
} memory;

/* Amplitudes from releases. */
static void keep_amplitudes(const double *w, const double *q, size_t count, double *a) {
  for (size_t c = 0; c < count; c++)
    if (w[c] > 0) a[c] = w[c] / q[c];
}

static void releases_of(const double *w, const double *a, size_t count, double *q) {
  for (size_t c = 0; c < count; c++) {
    if (!(w[c] > 0)) continue;
    const double now = w[c] / a[c];
    q[c] = now < 1 ? now : 1.0;
  }
}

static void copy_to_all(const double *w, size_t n, size_t runs, double *all) {
  for (size_t i = 0; i < runs; i++) memcpy(all + i * n, w, n * sizeof *w);
}

static ves_status follow(const double *w, size_t blocks, size_t n, size_t runs, const double *from,
                         ves_follow_rule rule, uint64_t key, uint64_t first,
                         ves_learn_workspace *ws, const memory *m, double *q, size_t every,
                         double *kept) {
  const size_t count = runs * n;
  ves_learn_options plain = rule.rule != NULL ? *rule.rule : ves_learn_defaults();
  ves_amplitude_options amplitude =
      rule.amplitude != NULL ? *rule.amplitude : ves_amplitude_defaults();
  plain.targets = NULL;
  amplitude.winner = NULL;
  plain.trace = amplitude.trace = 0;
  if (amplitude.updates == NULL) amplitude.updates = m->updates;
  const uint64_t each = rule.amplitude != NULL ? amplitude.iterations : plain.iterations;
  copy_to_all(from, n, runs, m->w);
  keep_amplitudes(m->w, q, count, m->a);
  ves_status status = VES_OK;
  for (size_t b = 0; b < blocks && status == VES_OK; b++) {
    copy_to_all(w + b * n, n, runs, m->w);
    if (rule.amplitude != NULL) {
      releases_of(m->w, m->a, count, q);
      status = ves_amplitude_rows(m->w, runs, n, &amplitude, key, first + b * each, 0, ws, q);
      keep_amplitudes(m->w, q, count, m->a);
    } else {
      status = ves_learn_rows(m->w, runs, n, &plain, key, first + b * each, 0, ws, q);
    }
    if (every > 0 && (b + 1) % every == 0) memcpy(kept + b / every * count, q, count * sizeof *q);
  }
  return status;
}

ves_status ves_follow(const double *w, size_t blocks, size_t n, size_t runs, const double *from,
                      ves_follow_rule rule, uint64_t key, uint64_t first, ves_learn_workspace *ws,
                      double *q, size_t every, double *kept) {
  if ((rule.rule == NULL) == (rule.amplitude == NULL)) return VES_EDOMAIN;
  if (n == 0 || runs == 0) return VES_ESIZE;
  double *room = calloc(3 * runs * n, sizeof *room);
  if (room == NULL) return VES_ENOMEM;
  const memory m = {room, room + runs * n, room + 2 * runs * n};
  const ves_status status =
      follow(w, blocks, n, runs, from, rule, key, first, ws, &m, q, every, kept);
  free(room);
  return status;
}
