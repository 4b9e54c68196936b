/* lves_winner: the exact distribution of the winner. */
#include "lves.h"

#include "ves_sites.h"
#include "ves_winner.h"

static int exact_single(lua_State *L, const char *fn, const lves_arg *weights,
                        const lves_arg *releases) {
  const lves_array w = lves_vector_arg(weights, LVES_WEIGHT);
  const lves_array q = lves_vector_of(releases, LVES_PROBABILITY, w.cols);
  double *p = lves_push_vector(L, w.cols), nothing;
  lves_check(L, fn, ves_winner_single(w.data, q.data, w.cols, p, &nothing));
  lua_pushnumber(L, nothing);
  return 2;
}

/* One input whose releases are the rows of a matrix: states that it was in. */
static int exact_states(lua_State *L, const char *fn, const lves_arg *weights,
                        const lves_arg *releases) {
  const lves_array w = lves_vector_arg(weights, LVES_WEIGHT);
  const lves_array q = lves_matrix_arg(releases, LVES_PROBABILITY);
  if (q.cols != w.cols) lves_fail(releases, "a %d x %d matrix", (int)q.rows, (int)w.cols);
  double *p = lves_push_matrix(L, fn, q.rows, q.cols), *nothing = lves_push_vector(L, q.rows);
  lves_check(L, fn, ves_winner_states(w.data, q.data, q.rows, q.cols, p, nothing));
  return 2;
}

static int exact_multi(lua_State *L, const char *fn, const lves_arg *weights,
                       const lves_arg *releases, const lves_arg *activity) {
  static const char *const keys[] = {"active", NULL};
  const lves_array w = lves_matrix_arg(weights, LVES_WEIGHT);
  const lves_array q = lves_matrix_of(releases, LVES_PROBABILITY, w.rows, w.cols);
  const lves_array x = lves_vector_of(activity, LVES_ACTIVITY, w.rows);
  const lves_options o = lves_options_open(L, fn, 4, false, keys);
  const lves_arg active = lves_key(&o, "active");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  const size_t n = w.cols;
  size_t k;
  const uint32_t *input = lves_push_active(L, x.data, w.rows, threshold, &k);
  if (k > VES_WINNER_INPUTS_MAX)
    lves_fail(activity, "at most %d activities above %f, not %d", VES_WINNER_INPUTS_MAX, threshold,
              (int)k);
  const double *e = lves_push_effective(L, &w, x.data, input, k);
  const double *chance = lves_push_rows(L, &q, input, k);
  double *p = lves_push_vector(L, n), nothing = 1.0;
  if (k > 0) {
    ves_winner_workspace *work = ves_winner_workspace_alloc(k, n); /* no Lua until it is freed */
    const ves_status status =
        work == NULL ? VES_ENOMEM : ves_winner_multi(e, chance, k, n, p, &nothing, work);
    ves_winner_workspace_free(work);
    lves_check(L, fn, status);
  }
  lua_pushnumber(L, nothing);
  return 2;
}

/*** ves.winner.exact(w, q) -> p, nothing
 * The exact distribution of the winner, without Monte Carlo. For one input: vectors of weights and
 * releases [eq:winner]; of a matrix of releases, each row in turn. For up to 6 active inputs:
 * ves.winner.exact(W, Q, x, options), matrices with one row per input and a vector of input
 * activities; releases are taken as they are, not divided. [eq:winner-multi]
 * @equation P(i wins) = q_i product over stronger j of (1 - q_j) [eq:winner]
 * @param w vector or matrix of weights >= 0
 * @param q vector or matrix of release probabilities like w; if w is a vector, also a matrix with as
 * many columns
 * @param x vector of input activities >= 0, if w is a matrix
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return vector: the probability that each output wins; of a matrix of releases without x a matrix,
 * row by row
 * @return number: the probability that nothing transmits; then a vector
 * @example p, nothing = ves.winner.exact({0.5, 0.3, 0.2}, {0.5, 0.6, 1}); print(p, nothing)
 * @example p = ves.winner.exact({{0.6, 0.4}, {0.1, 0.9}}, {{0.5, 1}, {1, 0.9}}, {1, 0.5}); print(p)
 */
static int winner_exact(lua_State *L) {
  const char *fn = "ves.winner.exact";
  lves_arity(L, fn, 4);
  const lves_arg w = lves_argument(L, fn, 1, "w"), q = lves_argument(L, fn, 2, "q"),
                 x = lves_argument(L, fn, 3, "x"), options = lves_argument(L, fn, 4, "options");
  if (!lves_absent(&x)) return exact_multi(L, fn, &w, &q, &x);
  if (!lves_absent(&options)) lves_fail(&x, "a vector of input activities");
  if (lves_test(L, 1, LVES_MATRIX) == NULL && lves_test(L, 2, LVES_MATRIX) != NULL)
    return exact_states(L, fn, &w, &q);
  return exact_single(L, fn, &w, &q);
}

/*** ves.winner.sites(w, q, phi, options) -> p, nothing
 * The exact distribution of the winner of one input whose synapses have several release sites: a
 * synapse that releases sends the share of its weight that its open sites have. Of equal amounts
 * the first output's wins. [eq:winner] [eq:sites]
 * @equation synapse j sends w_j k / (N phi_j) with probability q_j Binomial(k; N, phi_j) [eq:sites]
 * @param w vector of weights >= 0
 * @param q vector of release probabilities, as many
 * @param phi vector of the release probabilities of a site, as many
 * @key sites integer in [1, 65536]: N
 * @key always integer: a synapse that sends w in every draw, default none
 * @return vector: the probability that each output wins; what has less than 1e-13 is left out
 * @return number: the probability that nothing transmits
 * @example p, nothing = ves.winner.sites({0.5, 0.3, 0.2}, {0.5, 0.6, 1}, {0.2, 0.1, 0.1}, {sites =
 * 64}); print(p, nothing)
 */
static int winner_sites(lua_State *L) {
  static const char *const keys[] = {"sites", "always", NULL};
  const char *fn = "ves.winner.sites";
  lves_arity(L, fn, 4);
  const lves_arg weights = lves_argument(L, fn, 1, "w"), releases = lves_argument(L, fn, 2, "q"),
                 of_site = lves_argument(L, fn, 3, "phi");
  const lves_array w = lves_vector_arg(&weights, LVES_WEIGHT);
  const lves_array q = lves_vector_of(&releases, LVES_PROBABILITY, w.cols);
  const lves_array phi = lves_vector_of(&of_site, LVES_FRACTION, w.cols);
  const lves_options o = lves_options_open(L, fn, 4, true, keys);
  const lves_arg sites = lves_key(&o, "sites"), always = lves_key(&o, "always");
  const size_t each = (size_t)lves_integer(&sites, 1, VES_SITES_MAX);
  if ((double)each * (double)w.cols > LVES_ELEMENTS_MAX)
    lves_fail(&sites, "fewer, for %d synapses", (int)w.cols);
  const size_t certain = (size_t)lves_integer_or(&always, 1, (lua_Integer)w.cols, 0);
  double *p = lves_push_vector(L, w.cols), nothing;
  lves_check(L, fn, ves_sites_winner(w.data, q.data, phi.data, w.cols, each, certain, p, &nothing));
  lua_pushnumber(L, nothing);
  return 2;
}

static const luaL_Reg functions[] = {
    {"exact", winner_exact}, {"sites", winner_sites}, {NULL, NULL}};

void lves_open_winner(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "winner");
}
