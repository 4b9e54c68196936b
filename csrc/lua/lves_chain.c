/* lves_chain: networks on networks. */
#include "lves.h"

#include "ves_chain.h"
#include "ves_rng.h"
#include "ves_stop.h"
#include "ves_winner.h"
#include <string.h>

enum { LAYERS_MAX = 64 };

/* A chain keeps its networks as the elements of an array, its user value. */
typedef struct {
  lves_object object;
  size_t layers;
} lves_chain;

static lves_chain *self_chain(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  lves_chain *chain = lves_test(L, 1, LVES_CHAIN);
  if (chain == NULL) lves_fail(&self, "a chain (call it with a colon)");
  return chain;
}

/*** ves.chain{net1, net2, ...} -> chain
 * Networks on networks: the outputs of each are the inputs of the next. Nothing is copied: what a
 * network observes later, the chain knows. [eq:chain]
 * @param networks array of networks, from the first layer up; each has as many outputs as the next
 * has inputs
 * @return chain
 * @field layers array of the networks
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example below = ves.network{input = code, output = code, rng = rng}:observe({0, 0}, {-1, 1})
 * @example above = ves.network{input = code, output = code, rng = rng}:observe({-1, 1}, {2, -2})
 * @example chain = ves.chain{below, above}; print(chain:sample{x = 0, rng = rng, draws = 5})
 */
static int chain_new(lua_State *L) {
  const char *fn = "ves.chain";
  lves_arity(L, fn, 1);
  const lves_arg all = lves_argument(L, fn, 1, "networks");
  if (lua_type(L, 1) != LUA_TTABLE || !lves_plain_table(L, 1))
    lves_fail(&all, "an array of networks");
  const size_t layers = (size_t)lua_rawlen(L, 1);
  if (layers == 0 || layers > LAYERS_MAX) lves_fail(&all, "between 1 and %d networks", LAYERS_MAX);
  lves_chain *chain = lua_newuserdatauv(L, sizeof *chain, 1);
  *chain = (lves_chain){.layers = layers};
  lves_become(L, LVES_CHAIN);
  lua_createtable(L, (int)layers, 0);
  size_t below = 0;
  for (size_t l = 0; l < layers; l++) {
    const lves_arg one = {
        .L = L, .fn = fn, .name = lua_pushfstring(L, "networks[%d]", (int)l + 1), .index = 5};
    lua_rawgeti(L, 1, (lua_Integer)l + 1);
    const lves_network *net = lves_test(L, 5, LVES_NETWORK);
    if (net == NULL) lves_fail(&one, "a network, as from ves.network");
    if (net->closed) lves_fail(&one, "one that has not been closed");
    if (l > 0 && net->evidence.m != below)
      lves_error(L, fn, "%s has %d inputs: expected %d, as many as %s[%d] has outputs", one.name,
                 (int)net->evidence.m, (int)below, all.name, (int)l);
    below = net->evidence.n;
    lua_rawseti(L, 3, (lua_Integer)l + 1);
    lua_pop(L, 1);
  }
  lua_setiuservalue(L, 2, 1);
  return 1;
}

/* ---- what sampling and exact laws share ---- */

typedef struct {
  lua_State *L;
  const char *fn;
  size_t layers;
  ves_layer *layer[LAYERS_MAX];
  size_t outputs[LAYERS_MAX];
  ves_layer_options opt;
} run;

typedef struct {
  ves_layer *layer[LAYERS_MAX];
} layers_box;

static void release_layers(void *object) {
  layers_box *all = object;
  for (size_t l = 0; l < LAYERS_MAX; l++) ves_layer_free(all->layer[l]);
}

static const char *const empties[] = {"redraw", "skip", NULL};

static void read_options(const lves_options *o, run *s) {
  const lves_arg normaliser = lves_key(o, "normaliser"), active = lves_key(o, "active"),
                 empty = lves_key(o, "empty"), stages = lves_key(o, "stages");
  s->opt.stages = lves_integer_or(&stages, 1, 2, 1) == 2;
  if (s->opt.stages && !lves_absent(&normaliser))
    lves_fail(&normaliser, "no such key with stages = 2");
  s->opt.normaliser =
      (ves_normaliser)lves_choice_or(&normaliser, lves_normaliser_words, VES_DIVIDE_PARTICIPATION);
  s->opt.active = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  s->opt.empty = lves_choice_or(&empty, empties, 0) == 1 ? VES_EMPTY_SKIP : VES_EMPTY_REDRAW;
}

/* The releases of layer l: a matrix that stays on the stack, or NULL for the mapping. */
static const double *release_of(const lves_arg *releases, size_t l, size_t m, size_t n) {
  static const char *const words[] = {"analytic", NULL};
  lua_State *L = releases->L;
  if (lves_absent(releases)) return NULL;
  lves_arg one = *releases;
  one.name = lua_pushfstring(L, "release[%d]", (int)l + 1);
  lua_rawgeti(L, releases->index, (lua_Integer)l + 1);
  one.index = lua_gettop(L);
  if (lua_type(L, one.index) != LUA_TSTRING)
    return lves_matrix_of(&one, LVES_PROBABILITY, m, n).data;
  lves_choice(&one, words);
  return NULL;
}

static void check_releases(const lves_arg *releases, size_t layers) {
  lua_State *L = releases->L;
  if (lves_absent(releases)) return;
  if (lua_type(L, releases->index) != LUA_TTABLE || !lves_plain_table(L, releases->index) ||
      lua_rawlen(L, releases->index) != layers)
    lves_fail(releases, "an array of %d, a matrix or 'analytic' for each layer", (int)layers);
}

/* Makes the layers; network l is at stack index nets + l. Then opens the first with x. The networks
 * must not be closed meanwhile, so that everything that may run a finalizer comes before. */
static lves_box *push_layers(run *s, int nets, const lves_arg *releases, const lves_arg *x) {
  lua_State *L = s->L;
  const double *q[LAYERS_MAX];
  check_releases(releases, s->layers);
  for (size_t l = 0; l < s->layers; l++) {
    luaL_checkstack(L, 16, NULL);
    const ves_evidence *ev = &((lves_network *)lua_touserdata(L, nets + (int)l))->evidence;
    q[l] = release_of(releases, l, ev->m, ev->n);
    s->outputs[l] = ev->n;
  }
  const lves_pattern p = lves_push_pattern(x, s->opt.active);
  if (p.k == 0) lves_fail(x, "an input that activates some neuron above %f", s->opt.active);
  lves_box *box = lves_push_box(L, sizeof(layers_box), release_layers);
  layers_box *all = lves_box_room(box);
  *all = (layers_box){{NULL}};
  box->object = all;
  for (size_t l = 0; l < s->layers; l++) {
    const lves_network *net = lua_touserdata(L, nets + (int)l);
    if (net->closed) lves_error(L, s->fn, "network %d of the chain is closed", (int)l + 1);
    s->layer[l] = all->layer[l] = ves_layer_alloc(&net->evidence, q[l], &s->opt);
    if (s->layer[l] == NULL) lves_check(L, s->fn, VES_ENOMEM);
  }
  const ves_status status = ves_layer_open(s->layer[0], p.input, p.x, p.k);
  if (status == VES_ESILENT)
    lves_error(L, s->fn,
               "nothing transmits in the first layer: expected some release > 0 on a "
               "synapse with a weight");
  lves_check(L, s->fn, status);
  return box;
}

/* Pushes the networks; the first takes the chain's place at index 1, where patterns are read for.
 * Returns where the networks begin. */
static int push_networks(lua_State *L, run *s) {
  s->layers = self_chain(L, s->fn)->layers;
  luaL_checkstack(L, LAYERS_MAX + 32, NULL);
  lua_getiuservalue(L, 1, 1);
  const int list = lua_gettop(L);
  for (size_t l = 0; l < s->layers; l++) lua_rawgeti(L, list, (lua_Integer)l + 1);
  lua_pushvalue(L, list + 1);
  lua_replace(L, 1);
  lves_self_network(L, s->fn); /* not closed */
  return list + 1;
}

_Noreturn static void fail_silent(const run *s) {
  lves_error(s->L, s->fn,
             "nothing transmits in a layer, however often a draw is repeated: expected some "
             "release > 0 on a synapse with a weight (or empty = 'skip')");
}

/* ---- sampling ---- */

typedef struct {
  uint64_t attempts;
  size_t draws, kept;
} outcome;

/* Pushes the table that sample returns second; the winners are at stack index `winners`. */
static void push_info(lua_State *L, const outcome *o, int winners) {
  const uint64_t empty = o->draws - o->kept;
  lua_createtable(L, 0, 5);
  lua_pushnumber(L, (double)empty / (double)o->draws);
  lua_setfield(L, -2, "empty");
  lua_pushinteger(L, (lua_Integer)o->draws);
  lua_setfield(L, -2, "draws");
  lua_pushinteger(L, (lua_Integer)o->attempts);
  lua_setfield(L, -2, "attempts");
  lua_pushinteger(L, (lua_Integer)o->kept);
  lua_setfield(L, -2, "kept");
  lua_pushvalue(L, winners);
  lua_setfield(L, -2, "winners");
}

/*** chain:sample{x, rng, ...} -> vector, info
 * Draws from the last layer of a chain. The first layer draws from x as network:sample does; its
 * winner is then the only active input of the next layer, at 1, and so on up. Each layer draws from
 * a stream of its own, rng:stream("layer", l). [eq:chain]
 * @equation p = pi P_2 ... P_L, pi the law of the first layer, P_l those of the rows of layer l [eq:chain]
 * @key x number to be encoded, one for each input code, or a vector of activities of the first layer
 * @key release array with a matrix of release probabilities, or 'analytic', for each layer; default:
 * the mapping in all
 * @key draws integer >= 1, default 1000
 * @key rng stream: moved on by the number of draws
 * @key pass 'winner' or 'activity', default 'winner': what a layer hands on. Its whole activity is
 * scaled to a largest of 1
 * @key readout 'winner', 'index', 'mean', 'decode' or 'activity', default 'winner': of the last layer
 * @key width number > 0, with 'decode' alone: that of the kernels H, default the output code's sigma
 * @key stages 1 or 2, default 1: with 2, inputs compete first [eq:two-stage]
 * @key normaliser 'none', 'sum', 'count' or 'participation', default 'participation'
 * @key active number >= 0, default 0.001: inputs above it take part
 * @key empty 'redraw' or 'skip', default 'redraw': a layer in which nothing transmits draws again,
 * or the draw is left out
 * @return vector of what each draw says; of 'activity' a matrix, one row per draw
 * @return table: empty, the fraction of draws left out; draws, as asked for; attempts, of all
 * layers; kept, how many draws that is; winners, a matrix of the winning indices, one row per draw,
 * one column per layer, 0 where nothing transmitted
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example below = ves.network{input = code, output = code, rng = rng}:observe({0, 0}, {-1, 1})
 * @example above = ves.network{input = code, output = code, rng = rng}:observe({-1, 1}, {2, -2})
 * @example y, info = ves.chain{below, above}:sample{x = 0, rng = rng, draws = 5, stages = 2}
 * @example print(y, info.winners)
 */
static int chain_sample(lua_State *L) {
  static const char *const keys[] = {"x",     "release", "draws",      "rng",    "pass",  "readout",
                                     "width", "stages",  "normaliser", "active", "empty", NULL};
  static const char *const passes[] = {"winner", "activity", NULL};
  run s = {.L = L, .fn = "chain:sample"};
  self_chain(L, s.fn);
  lves_arity(L, s.fn, 2);
  const lves_options o = lves_options_open(L, s.fn, 2, true, keys);
  const lves_arg x = lves_key(&o, "x"), releases = lves_key(&o, "release"),
                 draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng"),
                 pass = lves_key(&o, "pass");
  read_options(&o, &s);
  outcome made = {.draws = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000)};
  const lves_stream *stream = lves_stream_arg(&rng);
  const ves_pass what = lves_choice_or(&pass, passes, 0) == 1 ? VES_PASS_ACTIVITY : VES_PASS_WINNER;
  lves_reader reader = lves_reader_arg(&o);
  const lves_arg empty = lves_key(&o, "empty");
  if (reader.kind == LVES_READ_ACTIVITY && s.opt.empty == VES_EMPTY_SKIP)
    lves_fail(&empty, "'redraw' with readout = 'activity'");
  const int nets = push_networks(L, &s);
  lves_box *box = push_layers(&s, nets, &releases, &x);
  double *y[LAYERS_MAX];
  uint64_t key[LAYERS_MAX];
  for (size_t l = 0; l < s.layers; l++) {
    y[l] = lves_scratch(L, s.outputs[l], sizeof(double));
    key[l] = ves_key_integer(ves_key_string(stream->key, "layer", 5), (int64_t)l + 1);
  }
  lves_push_reader(L, &reader);
  double *winners = lves_push_matrix(L, s.fn, made.draws, s.layers);
  const int winners_at = lua_gettop(L);
  double *out = lves_push_readings(L, s.fn, &reader, made.draws, s.outputs[s.layers - 1]);
  const int result = lua_gettop(L), top = nets + (int)s.layers - 1;
  lves_reader_fill(L, s.fn, &reader, &((lves_network *)lua_touserdata(L, top))->output);
  const uint64_t first = lves_stream_take(&rng, lves_stream_arg(&rng), (double)made.draws);
  for (size_t d = 0; d < made.draws; d++) {
    uint32_t winner[LAYERS_MAX];
    if (ves_stopping()) lves_check(L, s.fn, VES_ESTOPPED);
    const ves_status status =
        ves_chain_draw(s.layer, s.layers, what, key, first + d, y, winner, &made.attempts);
    if (status == VES_ESILENT) fail_silent(&s);
    lves_check(L, s.fn, status);
    for (size_t l = 0; l < s.layers; l++) winners[d * s.layers + l] = winner[l];
    const uint32_t last = winner[s.layers - 1];
    if (last != 0)
      lves_check(
          L, s.fn,
          lves_reader_read(&reader, last, y[s.layers - 1], out + made.kept++ * reader.values));
  }
  lves_reader_release(&reader);
  lves_box_release(box);
  if (made.kept < made.draws) lves_vector_shrink(L, result, made.kept);
  lua_pushvalue(L, result);
  push_info(L, &made, winners_at);
  return 2;
}

/*** chain:exact(x, options) -> p, nothing
 * The exact distribution of the winner of the last layer, without Monte Carlo, if winners are passed
 * on: the product of the layers' transition matrices. [eq:chain]
 * @equation p = pi P_2 ... P_L [eq:chain]
 * @param x number to be encoded, one for each input code, or a vector of activities of the first
 * layer
 * @key release array with a matrix of release probabilities, or 'analytic', for each layer; default:
 * the mapping in all
 * @key stages 1 or 2, default 1. With 1 the first layer may have up to 6 active inputs
 * @key normaliser 'none', 'sum', 'count' or 'participation', default 'participation'
 * @key active number >= 0, default 0.001: inputs above it take part
 * @key empty 'redraw' or 'skip', default 'redraw'
 * @return vector: the probability that each output of the last layer wins
 * @return number: the probability that the draw is left out, 0 unless with 'skip'
 * @example code = ves.code{n = 5, lo = 0, hi = 4, sigma = 0.3}
 * @example below = ves.network{input = code, output = code, rng = rng}:observe({1, 1}, {0, 4})
 * @example above = ves.network{input = code, output = code, rng = rng}:observe({0, 4}, {3, 2})
 * @example print(ves.chain{below, above}:exact(1, {stages = 2}))
 */
static int chain_exact(lua_State *L) {
  static const char *const keys[] = {"release", "stages", "normaliser", "active", "empty", NULL};
  run s = {.L = L, .fn = "chain:exact"};
  self_chain(L, s.fn);
  lves_arity(L, s.fn, 3);
  lua_settop(L, 3);
  const lves_arg x = lves_argument(L, s.fn, 2, "x");
  const lves_options o = lves_options_open(L, s.fn, 3, false, keys);
  const lves_arg releases = lves_key(&o, "release");
  read_options(&o, &s);
  const int nets = push_networks(L, &s);
  lves_box *box = push_layers(&s, nets, &releases, &x);
  double *p = lves_push_vector(L, s.outputs[0]);
  ves_status status = ves_layer_exact(s.layer[0], p);
  for (size_t l = 1; l < s.layers && status == VES_OK; l++) {
    const double *below = p;
    p = lves_push_vector(L, s.outputs[l]);
    status = ves_layer_exact_pass(s.layer[l], below, p);
  }
  if (status == VES_ESILENT) fail_silent(&s);
  if (status == VES_ESIZE)
    lves_fail(&x, "at most %d active inputs (or stages = 2)", VES_WINNER_INPUTS_MAX);
  lves_check(L, s.fn, status);
  lves_box_release(box);
  double sum = 0.0;
  for (size_t j = 0; j < s.outputs[s.layers - 1]; j++) sum += p[j];
  lua_pushnumber(L, s.opt.empty == VES_EMPTY_SKIP && sum < 1 ? 1 - sum : 0.0);
  return 2;
}

/* ---- the class ---- */

static int chain_index(lua_State *L) {
  static const char *const fields[] = {"layers", NULL};
  const size_t layers = self_chain(L, "chain")->layers;
  if (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "layers") != 0)
    return lves_method(L, "chain", fields);
  lua_getiuservalue(L, 1, 1);
  lua_createtable(L, (int)layers, 0);
  for (size_t l = 0; l < layers; l++) {
    lua_rawgeti(L, -2, (lua_Integer)l + 1);
    lua_rawseti(L, -2, (lua_Integer)l + 1);
  }
  return 1;
}

static int chain_tostring(lua_State *L) {
  lua_pushfstring(L, "chain of %d networks", (int)self_chain(L, "tostring")->layers);
  return 1;
}

static const luaL_Reg metamethods[] = {
    {"__newindex", lves_read_only}, {"__tostring", chain_tostring}, {NULL, NULL}};

static const luaL_Reg methods[] = {{"sample", chain_sample}, {"exact", chain_exact}, {NULL, NULL}};

void lves_open_chain(lua_State *L) {
  lves_class(L, LVES_CHAIN, chain_index, metamethods, (const luaL_Reg *const[]){methods, NULL});
  lua_pushcfunction(L, chain_new);
  lua_setfield(L, -2, "chain");
}
