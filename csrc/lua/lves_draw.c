/* lves_draw: one draw, looked into, or several.
 *
 * A sampler tells who won. Here is also why: which synapses transmitted, and how active each output
 * was before the winner silenced the others. A draw is a function of its stream and its number
 * (ves_rng.h), so that any draw of a sample can be looked into afterwards. */
#include "lves.h"

#include "ves_sample.h"

/* Weights, releases and activities as the caller gave them: the releases are not divided. */
typedef struct {
  lves_array w, q;
  const double *x; /* activities of the inputs; 1 of a single one */
  const uint32_t *input;
  size_t k; /* active inputs */
} drawn;

static drawn read_single(const lves_arg *weights, const lves_arg *releases, const lves_arg *x,
                         const lves_arg *active) {
  static const uint32_t only = 0;
  static const double one = 1.0;
  const char *several = "no such key here: it belongs to several inputs, a matrix of weights";
  drawn d = {.x = &one, .input = &only, .k = 1};
  d.w = lves_vector_arg(weights, LVES_WEIGHT);
  d.q = lves_vector_of(releases, LVES_PROBABILITY, d.w.cols);
  if (!lves_absent(x)) lves_fail(x, "%s", several);
  if (!lves_absent(active)) lves_fail(active, "%s", several);
  return d;
}

static drawn read_several(const lves_arg *weights, const lves_arg *releases, const lves_arg *x,
                          const lves_arg *active) {
  drawn d = {.w = lves_matrix_arg(weights, LVES_WEIGHT)};
  d.q = lves_matrix_of(releases, LVES_PROBABILITY, d.w.rows, d.w.cols);
  d.x = lves_vector_of(x, LVES_ACTIVITY, d.w.rows).data;
  const double threshold = lves_number_or(active, LVES_NONNEGATIVE, 1e-3);
  d.input = lves_push_active(weights->L, d.x, d.w.rows, threshold, &d.k);
  return d;
}

/* Pushes a sampler for the active inputs. */
static ves_sampler *push_sampler(lua_State *L, const char *fn, const drawn *d) {
  const double *effective = lves_push_effective(L, &d->w, d->x, d->input, d->k);
  const double *release = lves_push_rows(L, &d->q, d->input, d->k);
  return lves_push_sampler(L, fn, effective, release, d->input, d->k, d->w.cols);
}

/* The index of the draw: number d counts from the stream's cursor, which stays; without a number it
 * is the next one, and the stream moves on. */
static uint64_t draw_index(const lves_arg *number, const lves_arg *rng, lves_stream *stream) {
  if (lves_absent(number)) return lves_stream_take(rng, stream, 1.0);
  const int64_t most = LVES_DRAW_MAX - (int64_t)stream->cursor;
  return stream->cursor + (uint64_t)lves_integer(number, 1, most) - 1;
}

/* Fills the table on top with as many draws as are asked for. */
static void draw_many(lua_State *L, const char *fn, const lves_arg *rng, const lves_arg *draws,
                      ves_sampler *sampler, size_t n) {
  const size_t count = (size_t)lves_integer(draws, 1, (lua_Integer)(LVES_ELEMENTS_MAX / (double)n));
  lves_stream *stream = lves_stream_arg(rng);
  double *activity = lves_push_matrix(L, fn, count, n);
  lua_setfield(L, -2, "activity");
  double *winner = lves_push_vector(L, count);
  lua_setfield(L, -2, "winner");
  const uint64_t first = lves_stream_take(rng, stream, (double)count);
  LVES_EACH(L, fn, i, count)
    winner[i] = ves_sampler_draw(sampler, stream->key, first + i, NULL, activity + i * n);
}

/*** ves.draw(w, q, options) -> table
 * One draw, looked into: which synapses transmitted, how active that left each output, and who won.
 * For several inputs, W and Q are matrices with one row per input and `x` has their activities; the
 * releases are taken as they are, not divided. [eq:subset-max] [alg:sample]
 * @equation y_j = sum_i x_i W_ij z_ij, z_ij = 1 with probability Q_ij; the largest y_j wins
 * [eq:subset-max]
 * @param w vector or matrix of weights >= 0
 * @param q vector or matrix of release probabilities like w
 * @key rng stream: moved on by one draw, unless `draw` is given
 * @key draw integer d >= 1: look into draw d of what ves.sample or network:sample draw with this
 * stream, which is not moved on
 * @key draws integer >= 1: as many draws, one after the other; the stream is moved on by them all
 * @key x vector of input activities >= 0, if w is a matrix
 * @key active number >= 0, default 0.001: inputs above it are active, if w is a matrix
 * @return table: transmits, like w, is 1 where a synapse transmitted (without weight it never
 * does); activity, a vector, before lateral inhibition; winner, an index from 1, 0 if nothing
 * transmitted. With `draws`, activity is a matrix with a row for each, winner a vector, and transmits
 * is left out
 * @example w = ves.vector{0.5, 0.3, 0.2}; q = ves.release.analytic(w)
 * @example d = ves.draw(w, q, {rng = rng}); print(d.transmits, d.activity, d.winner)
 * @example W = ves.matrix{{0.6, 0.4}, {0.1, 0.9}}
 * @example print(ves.draw(W, ves.release.analytic(W), {x = {1, 0.5}, rng = rng, draw =
 * 7}).activity)
 * @example print(ves.draw(w, q, {rng = rng, draws = 3}).winner)
 */
static int draw(lua_State *L) {
  static const char *const keys[] = {"rng", "draw", "draws", "x", "active", NULL};
  const char *fn = "ves.draw";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "w"), releases = lves_argument(L, fn, 2, "q");
  const bool several = lves_array_arg(&weights, LVES_WEIGHT).matrix;
  const lves_options o = lves_options_open(L, fn, 3, true, keys);
  const lves_arg rng = lves_key(&o, "rng"), number = lves_key(&o, "draw"), x = lves_key(&o, "x"),
                 active = lves_key(&o, "active"), draws = lves_key(&o, "draws");
  if (!lves_absent(&draws) && !lves_absent(&number)) lves_fail(&draws, "none beside 'draw'");
  const drawn d = (several ? read_several : read_single)(&weights, &releases, &x, &active);
  lves_stream *stream = lves_stream_arg(&rng);
  ves_sampler *sampler = push_sampler(L, fn, &d);
  const int box = lua_gettop(L);
  lua_createtable(L, 0, 3);
  if (!lves_absent(&draws)) {
    draw_many(L, fn, &rng, &draws, sampler, d.w.cols);
    lves_box_release(lua_touserdata(L, box));
    return 1;
  }
  double *transmits = lves_push_like(L, fn, &d.w);
  lua_setfield(L, -2, "transmits");
  double *activity = lves_push_vector(L, d.w.cols);
  lua_setfield(L, -2, "activity");
  const uint64_t key = stream->key, index = draw_index(&number, &rng, stream);
  lua_pushinteger(L, ves_sampler_draw(sampler, key, index, transmits, activity));
  lua_setfield(L, -2, "winner");
  lves_spread_rows(transmits, d.w.rows, d.w.cols, d.input, d.k);
  lves_box_release(lua_touserdata(L, box));
  return 1;
}

void lves_open_draw(lua_State *L) {
  lua_pushcfunction(L, draw);
  lua_setfield(L, -2, "draw");
}
