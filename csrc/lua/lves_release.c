/* lves_release: release probabilities in closed form. */
#include "lves.h"

#include "ves_release.h"
#include "ves_sites.h"
#include "ves_stop.h"

/* Pushes an array like w whose every row is the analytic mapping of w's. */
static void push_analytic(lua_State *L, const char *fn, const lves_array *w) {
  size_t *order = lves_scratch(L, w->cols, sizeof *order);
  double *q = lves_push_like(L, fn, w);
  for (size_t i = 0; i < w->rows; i++) {
    ves_release_analytic(w->data + i * w->cols, w->cols, order, q + i * w->cols);
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
  }
}

/*** ves.release.analytic(w) -> q
 * The release probabilities under which each output wins with probability proportional to its
 * weight: a weight divided by itself plus everything weaker. [eq:mapping]
 * Equal weights count as descending in order of index; a weight of zero has release 0.
 * @equation q_i = w_i / (w_i + sum of all weaker w_j) [eq:mapping]
 * @param w vector of weights >= 0; or a matrix, each row of which is mapped
 * @return vector or matrix like w
 * @example q = ves.release.analytic{0.5, 0.3, 0.2}; print(q)
 */
static int release_analytic(lua_State *L) {
  const char *fn = "ves.release.analytic";
  lves_arity(L, fn, 1);
  const lves_arg arg = lves_argument(L, fn, 1, "w");
  const lves_array w = lves_array_arg(&arg, LVES_WEIGHT);
  push_analytic(L, fn, &w);
  return 1;
}

/* The release of one site of N: of a synapse with one site, of either root. */
static void epistemic(double a, double b, ves_phi_root root, size_t sites, double *phi,
                      double *rest) {
  if (sites > 1)
    ves_release_epistemic_sites(a, b, sites, phi, rest);
  else
    ves_release_epistemic(a, b, root, phi, rest);
}

/*** ves.release.epistemic(A, B, root, options) -> phi, complement
 * The release probability that gives a weight the variance of Beta(A, B), and its complement 1 -
 * phi to full precision. Differs from [eq:beta2dropoutvar]: the exact root solves the variance
 * equation, the printed one solves it with a factor of phi too many. [eq:beta2dropoutvar]
 * @equation phi = C / (C + B), C = A (A + B + 1) [eq:beta2dropoutvar]
 * @equation printed: phi = (sqrt(C^2 + 4 B C) - C) / (2 B) [eq:beta2dropoutvar]
 * @param A number > 0, or a vector or matrix of them: evidence for
 * @param B number >= 0, or a vector or matrix like A: evidence against
 * @equation with N sites: phi = 1 / (1 + N t), t = B / C [eq:sites]
 * @param root 'exact' or 'printed', default 'exact'
 * @key sites integer in [1, 65536], default 1: of how many independent sites, each sending its
 * share w / (sites phi), phi is the release; of the exact root only
 * @return phi, like A
 * @return 1 - phi, like A
 * @example phi, rest = ves.release.epistemic(2, 3); print(phi, rest)
 */
static int release_epistemic(lua_State *L) {
  static const char *const roots[] = {"exact", "printed", NULL};
  static const char *const keys[] = {"sites", NULL};
  const char *fn = "ves.release.epistemic";
  lves_arity(L, fn, 4);
  const lves_arg for_ = lves_argument(L, fn, 1, "A"), against = lves_argument(L, fn, 2, "B"),
                 which = lves_argument(L, fn, 3, "root");
  const ves_phi_root root = (ves_phi_root)lves_choice_or(&which, roots, VES_PHI_EXACT);
  const lves_options o = lves_options_open(L, fn, 4, false, keys);
  const lves_arg number = lves_key(&o, "sites");
  const size_t sites = (size_t)lves_integer_or(&number, 1, VES_SITES_MAX, 1);
  if (sites > 1 && root == VES_PHI_PRINTED)
    lves_fail(&number, "no such key with root 'printed', which is of one site");
  if (lua_type(L, 1) == LUA_TNUMBER) {
    const double a = lves_number(&for_, LVES_POSITIVE), b = lves_number(&against, LVES_NONNEGATIVE);
    double phi, rest;
    epistemic(a, b, root, sites, &phi, &rest);
    lua_pushnumber(L, phi);
    lua_pushnumber(L, rest);
    return 2;
  }
  if (lua_type(L, 1) != LUA_TTABLE && lua_type(L, 1) != LUA_TUSERDATA)
    lves_fail(&for_, "a number > 0, or a vector or matrix of them");
  const lves_array a = lves_array_arg(&for_, LVES_POSITIVE);
  const lves_array b = lves_array_of(&against, LVES_NONNEGATIVE, &a);
  double *phi = lves_push_like(L, fn, &a), *rest = lves_push_like(L, fn, &a);
  LVES_EACH(L, fn, i, a.rows * a.cols)
    epistemic(a.data[i], b.data[i], root, sites, phi + i, rest + i);
  return 2;
}

/*** ves.release.combine(Phi, Q) -> Qbar
 * Epistemic and observed uncertainty together: the product of their releases. [eq:combined]
 * @equation Qbar_ij = Phi_ij Q_ij [eq:combined]
 * @param Phi vector or matrix of probabilities
 * @param Q vector or matrix like Phi
 * @return vector or matrix like Phi
 * @example print(ves.release.combine({0.5, 0.9}, {0.2, 1}))
 */
static int release_combine(lua_State *L) {
  const char *fn = "ves.release.combine";
  lves_arity(L, fn, 2);
  const lves_arg first = lves_argument(L, fn, 1, "Phi"), second = lves_argument(L, fn, 2, "Q");
  const lves_array phi = lves_array_arg(&first, LVES_PROBABILITY);
  const lves_array q = lves_array_of(&second, LVES_PROBABILITY, &phi);
  double *out = lves_push_like(L, fn, &phi);
  const size_t count = phi.rows * phi.cols;
  for (size_t from = 0, end; from < count; from = end) {
    end = lves_block_end(L, fn, from, count);
    ves_release_combine(phi.data + from, q.data + from, end - from, out + from);
  }
  return 1;
}

const char *const lves_normaliser_words[] = {"none", "sum", "count", "participation", NULL};

/*** ves.release.normalise(Q, x, kind, options) -> Q
 * Releases divided among the inputs that are active together: by the sum of their activities, by
 * their number, or by their participation (sum x)^2 / sum x^2, never by less than 1.
 * [eq:normaliser]
 * @equation Q_ij / max(1, N), N = sum x, the number of x, or (sum x)^2 / sum x^2 [eq:normaliser]
 * @param Q matrix of release probabilities, one row per input; or a vector, the releases of one
 * input
 * @param x vector of input activities >= 0, one per row of Q
 * @param kind 'none', 'sum', 'count' or 'participation', default 'participation'
 * @key active number >= 0, default 0.001: inputs above it count
 * @return matrix or vector like Q
 * @example print(ves.release.normalise({{0.5, 1}, {0.25, 1}}, {1, 1}, "count"))
 */
static int release_normalise(lua_State *L) {
  static const char *const keys[] = {"active", NULL};
  const char *fn = "ves.release.normalise";
  lves_arity(L, fn, 4);
  const lves_arg releases = lves_argument(L, fn, 1, "Q"), activity = lves_argument(L, fn, 2, "x"),
                 which = lves_argument(L, fn, 3, "kind");
  const lves_array q = lves_array_arg(&releases, LVES_PROBABILITY);
  const lves_array x = lves_vector_arg(&activity, LVES_ACTIVITY);
  if (q.matrix && x.cols != q.rows)
    lves_fail(&activity, "a vector of %d, one activity per row of Q", (int)q.rows);
  const int kind = lves_choice_or(&which, lves_normaliser_words, VES_DIVIDE_PARTICIPATION);
  const lves_options o = lves_options_open(L, fn, 4, false, keys);
  const lves_arg active = lves_key(&o, "active");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  double *out = lves_push_like(L, fn, &q);
  const double divisor = ves_release_divisor(x.data, x.cols, (ves_normaliser)kind, threshold);
  LVES_EACH(L, fn, i, q.rows * q.cols) out[i] = q.data[i] / divisor;
  return 1;
}

/*** ves.release.pooled_analytic(W, x, options) -> Q
 * The analytic mapping of all effective weights x_i W_ij of the active inputs taken as one vector:
 * every synapse of the pool competes with every other. Inactive inputs get release 0. [eq:pooled]
 * @equation Q_ij = v_ij / (v_ij + sum of all weaker v), v_ij = x_i W_ij [eq:pooled]
 * @param W matrix of weights >= 0, one row per input
 * @param x vector of input activities >= 0
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return matrix like W
 * @example print(ves.release.pooled_analytic({{0.6, 0.4}, {0.1, 0.9}}, {1, 0.5}))
 */
static int release_pooled(lua_State *L) {
  static const char *const keys[] = {"active", NULL};
  const char *fn = "ves.release.pooled_analytic";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "W"), activity = lves_argument(L, fn, 2, "x");
  const lves_array w = lves_matrix_arg(&weights, LVES_WEIGHT);
  const lves_array x = lves_vector_of(&activity, LVES_ACTIVITY, w.rows);
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg active = lves_key(&o, "active");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  size_t k;
  const uint32_t *input = lves_push_active(L, x.data, w.rows, threshold, &k);
  const size_t n = w.cols;
  double *effective = lves_scratch(L, k * n, sizeof *effective);
  double *pooled = lves_scratch(L, k * n, sizeof *pooled);
  size_t *order = lves_scratch(L, k * n, sizeof *order);
  double *q = lves_push_matrix(L, fn, w.rows, n);
  for (size_t i = 0; i < k; i++)
    LVES_EACH(L, fn, j, n) effective[i * n + j] = x.data[input[i]] * w.data[input[i] * n + j];
  if (k > 0) ves_release_analytic(effective, k * n, order, pooled);
  if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
  for (size_t i = 0; i < k; i++) lves_copy(L, fn, q + input[i] * n, pooled + i * n, n);
  return 1;
}

static const luaL_Reg functions[] = {
    {"analytic", release_analytic},      {"epistemic", release_epistemic},
    {"combine", release_combine},        {"normalise", release_normalise},
    {"pooled_analytic", release_pooled}, {NULL, NULL},
};

void lves_open_release(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "release");
}
