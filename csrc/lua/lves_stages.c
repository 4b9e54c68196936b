/* lves_stages: two stages that learn from the draws they make, and networks that learn from theirs
 * while data arrive. */
#include "lves_amplitude.h"

#include "ves_stages.h"
#include <string.h>

enum { ROW, ROW_UPDATES, STRENGTH, TURNS, INPUT, INPUT_UPDATES, PARTS };

/* What is known of synapses, m x n; of rows, m; and of inputs, m for one pattern, or m x levels. */
static const char *const parts[PARTS + 1] = {
    "amplitude", "updates", "strength", "turns", "input_amplitude", "input_updates", NULL};

static bool is_matrix(int part, size_t levels) {
  return part <= ROW_UPDATES || (part >= INPUT && levels > 0);
}

/* Pushes a new state: a table whose arrays are copies of those of the old one, or zeros, and what is
 * 0 has not been learned. The first `count` parts; those of inputs have m x levels numbers, or m if
 * levels is 0. */
static void push_state(const lves_arg *old, int count, size_t m, size_t n, size_t levels,
                       double *array[PARTS]) {
  lua_State *L = old->L;
  const char *names[PARTS + 1] = {NULL};
  for (int i = 0; i < count; i++) names[i] = parts[i];
  const bool given = !lves_absent(old);
  lves_options o = {.L = L, .fn = old->fn, .index = 0};
  if (given && lua_type(L, old->index) != LUA_TTABLE)
    lves_fail(old, "a state, as this function returns it");
  if (given) o = lves_options_open(L, old->fn, old->index, true, names);
  lua_createtable(L, 0, PARTS);
  const int state = lua_gettop(L);
  for (int i = 0; i < count; i++) {
    const bool matrix = is_matrix(i, levels);
    const size_t columns = i <= ROW_UPDATES ? n : matrix ? levels : 1;
    const double *from = NULL;
    if (given) {
      lves_arg arg = lves_key(&o, parts[i]);
      arg.name = lua_pushfstring(L, "state.%s", parts[i]);
      from = matrix ? lves_matrix_of(&arg, LVES_NONNEGATIVE, m, columns).data
                    : lves_vector_of(&arg, LVES_NONNEGATIVE, m).data;
    }
    array[i] = matrix ? lves_push_matrix(L, old->fn, m, columns) : lves_push_vector(L, m);
    if (from != NULL) memcpy(array[i], from, m * columns * sizeof *from);
    lua_setfield(L, state, parts[i]);
  }
  lua_pushvalue(L, state);
}

/* Pushes which inputs the k rows in `row` are, of m that the caller names. */
static const uint32_t *push_addresses(const lves_arg *inputs, size_t m, const uint32_t *row,
                                      size_t k) {
  const lves_array named = lves_vector_of(inputs, LVES_FINITE, m);
  lves_check_positions(inputs, &named, 1, LVES_SIZE_MAX);
  uint32_t *address = lves_scratch(inputs->L, k, sizeof *address);
  for (size_t a = 0; a < k; a++) address[a] = (uint32_t)named.data[row[a]] - 1;
  return address;
}

/*** ves.multi.two_stage_learn(W, x, options) -> outputs, state
 * Two-stage draws of a network that learns from them: inputs compete first, each with x_i times the
 * strength of its row, then the winner's row transmits alone; in every draw the two winners learn by
 * Algorithm 1 of the amplitude rule. A row's strength is the mean of what it sent when its turn
 * came. W may change from call to call. [eq:two-stage] [eq:amplitude] [eq:row-strength] [alg:1]
 * @equation a <- a + rate (w + sum of the weaker amplitudes that transmitted - a), for both winners
 * [eq:amplitude]
 * @param W matrix of weights >= 0, one row per input
 * @param x vector of input activities >= 0
 * @key state what an earlier call returned, default a start at w / 0.3: goes on from there. The
 * part for inputs belongs to one x
 * @key draws integer >= 1, default 1000
 * @key rate number in (0, 1] or 'average', default 'average'
 * @key decay number > 0: the rate falls as rate / (1 + d/decay), d the stream's draw
 * @key rate_floor number in (0, 1]: a step that falls falls to this and no further
 * @key order 'weight' or 'amplitude', default 'weight'
 * @key active number >= 0, default 0.001: inputs above it take part
 * @key inputs vector of whole numbers, default 1, 2, ...: which inputs of a network the rows of W
 * are. Rows that do not take part can then be left out, and draws stay the same
 * @key rng stream: moved on by the number of draws
 * @return vector of winning outputs, counting from 1; 0 where nothing transmitted
 * @return table: amplitude and updates, matrices like W; strength and turns, input_amplitude and
 * input_updates, vectors like x. W / amplitude are the releases of the second stage
 * @example W = ves.matrix{{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}}
 * @example y, state = ves.multi.two_stage_learn(W, {1, 0.5}, {draws = 500, rng = rng})
 * @example y, state = ves.multi.two_stage_learn(W, {1, 0.5}, {state = state, rng = rng}); print(y)
 */
static int two_stage_learn(lua_State *L) {
  static const char *const keys[] = {"state", "draws",  "rate",   "decay", "rate_floor",
                                     "order", "active", "inputs", "rng",   NULL};
  const char *fn = "ves.multi.two_stage_learn";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "W"), activity = lves_argument(L, fn, 2, "x");
  const lves_array w = lves_matrix_arg(&weights, LVES_WEIGHT);
  const lves_array x = lves_vector_of(&activity, LVES_ACTIVITY, w.rows);
  const lves_options o = lves_options_open(L, fn, 3, true, keys);
  const lves_arg old = lves_key(&o, "state"), draws = lves_key(&o, "draws"),
                 active = lves_key(&o, "active"), inputs = lves_key(&o, "inputs"),
                 rng = lves_key(&o, "rng");
  const ves_amplitude_options opt = lves_read_amplitude(&o);
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000);
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  lves_stream *r = lves_stream_arg(&rng);
  size_t k;
  const uint32_t *input = lves_push_active(L, x.data, w.rows, threshold, &k);
  if (k == 0) lves_fail(&activity, "an input that activates some neuron above %f", threshold);
  const uint32_t *address =
      lves_absent(&inputs) ? input : push_addresses(&inputs, w.rows, input, k);
  const size_t n = w.cols;
  double *of = lves_scratch(L, 3 * k * n + 5 * k, sizeof *of);
  double *weight = of, *row = weight + k * n, *counted = row + k * n, *level = counted + k * n,
         *first = level + k, *first_counted = first + k, *strength = first_counted + k,
         *turns = strength + k;
  uint32_t *winner = lves_scratch(L, count, sizeof *winner);
  double *out = lves_push_vector(L, count), *array[PARTS];
  const int result = lua_gettop(L);
  push_state(&old, PARTS, w.rows, n, 0, array);
  for (size_t a = 0; a < k; a++) {
    const size_t i = input[a];
    memcpy(weight + a * n, w.data + i * n, n * sizeof *of);
    memcpy(row + a * n, array[ROW] + i * n, n * sizeof *of);
    memcpy(counted + a * n, array[ROW_UPDATES] + i * n, n * sizeof *of);
    level[a] = x.data[i];
    first[a] = array[INPUT][i];
    first_counted[a] = array[INPUT_UPDATES][i];
    strength[a] = array[STRENGTH][i];
    turns[a] = array[TURNS][i];
  }
  ves_stages_state state = {row, counted, strength, turns, first, first_counted};
  ves_stages_start(weight, level, k, n, &state);
  const uint64_t from = lves_stream_take(&rng, r, (double)count);
  lves_check(
      L, fn,
      ves_stages_learn(weight, level, address, k, n, &opt, r->key, from, count, &state, winner));
  for (size_t a = 0; a < k; a++) {
    const size_t i = input[a];
    memcpy(array[ROW] + i * n, row + a * n, n * sizeof *of);
    memcpy(array[ROW_UPDATES] + i * n, counted + a * n, n * sizeof *of);
    array[INPUT][i] = first[a];
    array[INPUT_UPDATES][i] = first_counted[a];
    array[STRENGTH][i] = strength[a];
    array[TURNS][i] = turns[a];
  }
  for (size_t d = 0; d < count; d++) out[d] = winner[d];
  lua_pushvalue(L, result);
  lua_insert(L, -2);
  return 2;
}

/*** network:arrive(xs, ys, options) -> outputs, state
 * Rows of data arrive one by one at a network that learns from its own draws. Each row is observed;
 * then, with its input present, the network draws in two stages, and both winners of a draw learn by
 * Algorithm 1 of the amplitude rule. It is the same, to the bit, as network:observe and
 * ves.multi.two_stage_learn with the weights of the active inputs, row by row, in less time; the
 * inputs' own amplitudes start anew with each row, unless `levels` says otherwise.
 * [eq:two-stage] [eq:amplitude] [eq:row-strength] [eq:evidence]
 * @equation a <- a + rate (w + sum of the weaker amplitudes that transmitted - a), for both winners
 * [eq:amplitude]
 * @param xs vector of inputs; or a number. With several input codes {xs1, xs2, ...}, a vector or
 * number for each
 * @param ys vector of outputs, as many; or a number
 * @key state what an earlier call returned, default nothing: goes on from there
 * @key draws integer >= 1, default 10: draws after each row
 * @key rate number in (0, 1] or 'average', default 'average'
 * @key decay number > 0: the rate falls as rate / (1 + d/decay), d the stream's draw
 * @key rate_floor number in (0, 1]: a step that falls falls to this and no further
 * @key order 'weight' or 'amplitude', default 'weight'
 * @key active number >= 0, default 0.001: inputs above it take part
 * @key follow boolean, default false: before the draws each active row's amplitudes follow the data:
 * they fall with the row's weights, and add what weaker synapses gained [eq:amplitude-follow]. Needs
 * order 'amplitude'
 * @key levels integer in [0, 1000], default 0: so many equal ranges of its activity for each of which
 * an input keeps its release of the first stage; 0 to learn it anew with each row
 * @key rng stream: moved on by the number of draws
 * @return matrix of winning outputs, counting from 1, one row for each row of data; 0 where nothing
 * transmitted
 * @return table: amplitude and updates, matrices like network:weights(); strength and turns, vectors
 * with an element for each input; with levels also input_amplitude and input_updates, a row for each
 * input, its amplitude in units of its activity times the strength. 0 is what has not been learned
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}
 * @example y, state = net:arrive({0, 1, 0}, {0.5, 1, 0.7}, {rng = rng})
 * @example y, state = net:arrive({0, 1}, {0.4, 1.2}, {state = state, rng = rng}); print(y)
 */
int lves_network_arrive(lua_State *L) {
  static const char *const keys[] = {"state",  "draws",  "rate",   "decay", "rate_floor", "order",
                                     "active", "follow", "levels", "rng",   NULL};
  const char *fn = "network:arrive";
  lves_self_network(L, fn);
  lves_arity(L, fn, 4);
  const lves_arg in = lves_argument(L, fn, 2, "xs"), target = lves_argument(L, fn, 3, "ys");
  const double *column[VES_PRODUCT_MAX];
  const size_t rows = lves_inputs_arg(&in, lves_self_network(L, fn)->input.count, column);
  const lves_array ys = lves_column_arg(&target, LVES_FINITE);
  if (ys.cols != rows) lves_fail(&target, "as many elements as 'xs' has, %d", (int)rows);
  const lves_options o = lves_options_open(L, fn, 4, true, keys);
  const lves_arg old = lves_key(&o, "state"), draws = lves_key(&o, "draws"),
                 active = lves_key(&o, "active"), follow = lves_key(&o, "follow"),
                 levels = lves_key(&o, "levels"), rng = lves_key(&o, "rng");
  const ves_amplitude_options opt = lves_read_amplitude(&o);
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 10);
  const ves_stages_arrival how = {.active = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3),
                                  .follow = lua_toboolean(L, follow.index),
                                  .levels = (size_t)lves_integer_or(&levels, 0, 1000, 0)};
  if (!lves_absent(&follow) && !lua_isboolean(L, follow.index)) lves_fail(&follow, "true or false");
  if (how.follow && opt.order != VES_ORDER_AMPLITUDE)
    lves_fail(&follow, "false: amplitudes follow data where order = 'amplitude'");
  lves_stream *r = lves_stream_arg(&rng);
  const ves_evidence *ev = &lves_self_network(L, fn)->evidence;
  double *out = lves_push_matrix(L, fn, rows, count), *array[PARTS] = {NULL};
  const int result = lua_gettop(L);
  push_state(&old, how.levels > 0 ? PARTS : INPUT, ev->m, ev->n, how.levels, array);
  uint32_t *winner = lves_scratch(L, rows * count, sizeof *winner);
  lves_network *net = lves_self_network(L, fn);
  if ((double)net->evidence.salience + (double)rows > VES_SALIENCE_TOTAL_MAX)
    lves_error(L, fn,
               "the salience of all rows together would exceed %f, where sums stop being exact",
               VES_SALIENCE_TOTAL_MAX);
  const uint64_t first = lves_stream_take(&rng, r, (double)rows * (double)count);
  ves_stages_state known = {array[ROW],   array[ROW_UPDATES], array[STRENGTH],
                            array[TURNS], array[INPUT],       array[INPUT_UPDATES]};
  lves_check(L, fn,
             ves_stages_arrive(&net->evidence, &net->input, &net->output, column, ys.data, rows,
                               &how, &opt, r->key, first, count, &known, winner));
  for (size_t d = 0; d < rows * count; d++) out[d] = winner[d];
  lua_pop(L, 1);
  lua_pushvalue(L, result);
  lua_insert(L, -2);
  return 2;
}

/* After lves_open_multi: this function lives in the same table. */
void lves_open_stages(lua_State *L) {
  lua_getfield(L, -1, "multi");
  lua_pushcfunction(L, two_stage_learn);
  lua_setfield(L, -2, "two_stage_learn");
  lua_pop(L, 1);
}
