/* lves_beta: the Beta reference, draws of the weights themselves instead of the synapses. */
#include "lves.h"

#include "ves_beta.h"
#include "ves_stop.h"

typedef struct {
  ves_beta **beta; /* of each active input, `sets` times */
  lves_pattern active;
  size_t n, sets;
} pattern;

/* Frees what push_betas has made. */
static void release_betas(void *object) {
  for (ves_beta **beta = object; *beta != NULL; beta++) ves_beta_free(*beta);
}

/* Pushes a box with the prepared weights of the active inputs: Beta(A + plus, B + plus), and if
 * there are two sets the next one with plus + 1. */
static lves_box *push_betas(lua_State *L, const char *fn, pattern *p, const double *a,
                            const double *b, double plus) {
  const size_t count = p->active.k * p->sets;
  lves_box *box = lves_push_box(L, (count + 1) * sizeof(void *), release_betas);
  box->object = p->beta = lves_box_room(box);
  for (size_t i = 0; i <= count; i++) p->beta[i] = NULL;
  for (size_t i = 0; i < count; i++) {
    const size_t at = i / p->sets * p->n;
    p->beta[i] = ves_beta_alloc(a + at, b + at, p->n, plus + (double)(i % p->sets));
    if (p->beta[i] == NULL) lves_check(L, fn, VES_ENOMEM);
  }
  return box;
}

/*** network:beta{x, rng, ...} -> vector, vector or nothing
 * Draws outputs with weights from their Beta distributions, the reference for what synaptic failure
 * should do: no synapse fails, but each active input's weights are drawn anew for each draw.
 * [eq:beta]
 * @equation w ~ Beta(A, B) [eq:beta]
 * @key x number to be encoded, one for each input code, or a vector of input activities
 * @key draws integer >= 1, default 1000
 * @key rng stream: moved on by the number of draws
 * @key readout 'winner', 'index', 'mean', 'decode' or 'activity', default 'winner'
 * @key width number > 0, with 'decode' alone: that of the kernels H, default the output code's sigma
 * @key beta 'AB', 'AB+1' or 'both', default 'AB': Beta(A, B), Beta(A+1, B+1), or both from the same
 * random numbers, as two calls would draw them
 * @key active number >= 0, default 0.001: inputs above it take part
 * @return vector of what each draw says; of 'activity' a matrix, one row per draw
 * @return with 'both', the same of Beta(A+1, B+1)
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}
 * @example print(net:beta{x = 0.5, draws = 100, rng = rng, readout = "mean"}:sd())
 */
int lves_network_beta(lua_State *L) {
  static const char *const keys[] = {"x",     "draws", "rng",    "readout",
                                     "width", "beta",  "active", NULL};
  static const char *const betas[] = {"AB", "AB+1", "both", NULL};
  enum { BOTH = 2 };
  const char *fn = "network:beta";
  const size_t n = lves_self_network(L, fn)->evidence.n;
  lves_arity(L, fn, 2);
  const lves_options o = lves_options_open(L, fn, 2, true, keys);
  const lves_arg x = lves_key(&o, "x"), draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng"),
                 beta = lves_key(&o, "beta"), active = lves_key(&o, "active");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  pattern p = {.n = n, .active = lves_push_pattern(&x, threshold)};
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000);
  lves_stream *r = lves_stream_arg(&rng);
  lves_reader reader = lves_reader_arg(&o);
  const int which = lves_choice_or(&beta, betas, 0);
  const size_t sets = which == BOTH ? 2 : 1;
  p.sets = sets;
  if (p.active.k == 0) lves_fail(&x, "an input that activates some neuron above %f", threshold);
  double *a = lves_scratch(L, p.active.k * n, sizeof *a),
         *b = lves_scratch(L, p.active.k * n, sizeof *b);
  lves_read_evidence(L, fn, p.active.input, p.active.k, a, b);
  lves_box *betas_box = push_betas(L, fn, &p, a, b, which == BOTH ? 0 : which);
  const ves_beta_layer layer = {.beta = (const ves_beta *const *)p.beta,
                                .x = p.active.x,
                                .row = p.active.input,
                                .k = p.active.k,
                                .n = n,
                                .sets = p.sets};
  double *room = lves_scratch(L, 2 * n + ves_beta_room(&layer), sizeof *room);
  double *const y[2] = {room, room + n};
  lves_push_reader(L, &reader);
  double *out[2];
  for (size_t s = 0; s < sets; s++) out[s] = lves_push_readings(L, fn, &reader, count, n);
  lves_reader_fill(L, fn, &reader, &lves_self_network(L, fn)->output);
  const uint64_t first = lves_stream_take(&rng, r, (double)count);
  for (size_t d = 0; d < count; d++) {
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
    uint32_t winner[2] = {0, 0};
    if (lves_reader_whole(&reader))
      ves_beta_activity(&layer, r->key, first + d, room + 2 * n, y);
    else
      ves_beta_winner(&layer, r->key, first + d, room + 2 * n, y, winner);
    for (size_t s = 0; s < sets; s++)
      lves_check(L, fn, lves_reader_read(&reader, winner[s], y[s], out[s] + d * reader.values));
  }
  lves_reader_release(&reader);
  lves_box_release(betas_box);
  return (int)p.sets;
}
