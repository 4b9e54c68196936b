/* lves_score: how well a sample, or a distribution, agrees with what it should be. */
#include "lves.h"

#include "ves_score.h"

/*** ves.score.crps(sample, y) -> number
 * The continuous ranked probability score of a sample's distribution at y; smaller is better.
 * [eq:crps]
 * @equation mean |X - y| - mean |X - X'| / 2 [eq:crps]
 * @param sample vector
 * @param y number: what happened
 * @example print(ves.score.crps({1, 2, 3}, 2.5))
 */
static int score_crps(lua_State *L) {
  const char *fn = "ves.score.crps";
  lves_arity(L, fn, 2);
  const lves_arg sample = lves_argument(L, fn, 1, "sample"), at = lves_argument(L, fn, 2, "y");
  const lves_array s = lves_vector_arg(&sample, LVES_COORDINATE);
  const double y = lves_number(&at, LVES_COORDINATE);
  double *scratch = lves_scratch(L, s.cols, sizeof *scratch), crps;
  lves_check(L, fn, ves_score_crps(s.data, s.cols, y, scratch, &crps));
  lua_pushnumber(L, crps);
  return 1;
}

/*** ves.score.pit(sample, y) -> number
 * The probability integral transform: the fraction of the sample below y, half of the ties
 * included. [eq:pit]
 * @equation P(X < y) + P(X = y) / 2 [eq:pit]
 * @param sample vector
 * @param y number: what happened
 * @example print(ves.score.pit({1, 2, 3, 4}, 2.5))
 */
static int score_pit(lua_State *L) {
  const char *fn = "ves.score.pit";
  lves_arity(L, fn, 2);
  const lves_arg sample = lves_argument(L, fn, 1, "sample"), at = lves_argument(L, fn, 2, "y");
  const lves_array s = lves_vector_arg(&sample, LVES_FINITE);
  const double y = lves_number(&at, LVES_FINITE);
  double pit;
  lves_check(L, fn, ves_score_pit(s.data, s.cols, y, &pit));
  lua_pushnumber(L, pit);
  return 1;
}

/*** ves.score.coverage(sample, y, level) -> boolean, lower, upper
 * Whether y lies in the sample's central interval of a given probability. [eq:coverage]
 * @equation whether F(y) lies between (1 - level) / 2 and (1 + level) / 2 [eq:coverage]
 * @param sample vector
 * @param y number: what happened
 * @param level number in (0, 1), default 0.95
 * @return boolean
 * @return number: the lower end of the interval
 * @return number: the upper end
 * @example print(ves.score.coverage(rng:normal(0, 1, 1000), 1.5, 0.9))
 */
static int score_coverage(lua_State *L) {
  const char *fn = "ves.score.coverage";
  lves_arity(L, fn, 3);
  const lves_arg sample = lves_argument(L, fn, 1, "sample"), at = lves_argument(L, fn, 2, "y"),
                 level = lves_argument(L, fn, 3, "level");
  const lves_array s = lves_vector_arg(&sample, LVES_COORDINATE);
  const double y = lves_number(&at, LVES_COORDINATE);
  const double probability = lves_number_or(&level, LVES_INSIDE, 0.95);
  double *scratch = lves_scratch(L, s.cols, sizeof *scratch), lower, upper;
  int covered;
  lves_check(L, fn,
             ves_score_coverage(s.data, s.cols, y, probability, scratch, &covered, &lower, &upper));
  lua_pushboolean(L, covered);
  lua_pushnumber(L, lower);
  lua_pushnumber(L, upper);
  return 3;
}

typedef ves_status (*distance_fn)(const double *p, const double *q, size_t n, double *distance);

static int distance(lua_State *L, const char *fn, distance_fn measure) {
  lves_arity(L, fn, 2);
  const lves_arg first = lves_argument(L, fn, 1, "p"), second = lves_argument(L, fn, 2, "q");
  const lves_array p = lves_vector_arg(&first, LVES_PROBABILITY);
  const lves_array q = lves_vector_of(&second, LVES_PROBABILITY, p.cols);
  double result;
  lves_check(L, fn, measure(p.data, q.data, p.cols, &result));
  lua_pushnumber(L, result);
  return 1;
}

/*** ves.score.total_variation(p, q) -> number
 * The total variation distance of two distributions, half the sum of |p - q|. [eq:total-variation]
 * @equation sum of |p_i - q_i| / 2 [eq:total-variation]
 * @param p vector of probabilities
 * @param q vector of probabilities, as many
 * @example print(ves.score.total_variation({0.5, 0.5}, {0.9, 0.1}))
 */
static int score_total_variation(lua_State *L) {
  return distance(L, "ves.score.total_variation", ves_score_total_variation);
}

/*** ves.score.kl(p, q) -> number
 * The Kullback-Leibler divergence of q from p in nats, the sum of p log(p / q); infinite if p is
 * positive where q is 0. [eq:kl]
 * @equation sum of p_i log(p_i / q_i) [eq:kl]
 * @param p vector of probabilities
 * @param q vector of probabilities, as many
 * @example print(ves.score.kl({0.5, 0.5}, {0.9, 0.1}))
 */
static int score_kl(lua_State *L) { return distance(L, "ves.score.kl", ves_score_kl); }

static const luaL_Reg functions[] = {
    {"crps", score_crps},
    {"pit", score_pit},
    {"coverage", score_coverage},
    {"total_variation", score_total_variation},
    {"kl", score_kl},
    {NULL, NULL},
};

void lves_open_score(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "score");
}
