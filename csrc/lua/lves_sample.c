/* lves_sample: draws by synaptic failure and lateral inhibition. */
#include "lves.h"

#include "ves_beta.h"
#include "ves_release.h"
#include "ves_sample.h"
#include "ves_sites.h"
#include "ves_stages.h"
#include "ves_stop.h"

static void release_sampler(void *object) { ves_sampler_free(object); }

ves_sampler *lves_push_sampler(lua_State *L, const char *fn, const double *effective,
                               const double *release, const uint32_t *input, size_t k, size_t n) {
  lves_box *box = lves_push_box(L, 0, release_sampler);
  box->object = ves_sampler_alloc(effective, release, input, k, n);
  if (box->object == NULL) lves_check(L, fn, VES_ENOMEM);
  return box->object;
}

static void release_now(lua_State *L, int index) { lves_box_release(lua_touserdata(L, index)); }

/*** ves.sample(w, q, options) -> vector
 * Draws winners for a single input: each synapse transmits with its release probability, and of
 * those that do the strongest wins, the lower index on ties. [eq:subset-max] [alg:sample]
 * @equation the i of largest w_i among those that transmit, i with probability q_i [eq:subset-max]
 * @param w vector of weights >= 0
 * @param q vector of release probabilities, as many
 * @key draws integer >= 1, default 1000
 * @key rng stream: moved on by the number of draws
 * @return vector of winning indices, counting from 1; 0 where nothing transmitted
 * @example w = ves.vector{0.5, 0.3, 0.2}
 * @example print(ves.sample(w, ves.release.analytic(w), {draws = 10, rng = rng}))
 */
static int sample(lua_State *L) {
  static const char *const keys[] = {"draws", "rng", NULL};
  static const uint32_t only = 0;
  const char *fn = "ves.sample";
  lves_arity(L, fn, 3);
  const lves_arg weights = lves_argument(L, fn, 1, "w"), releases = lves_argument(L, fn, 2, "q");
  const lves_array w = lves_vector_arg(&weights, LVES_WEIGHT);
  const lves_array q = lves_vector_of(&releases, LVES_PROBABILITY, w.cols);
  const lves_options o = lves_options_open(L, fn, 3, true, keys);
  const lves_arg draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng");
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000);
  lves_stream *r = lves_stream_arg(&rng);
  uint32_t *winner = lves_scratch(L, count, sizeof *winner);
  ves_sampler *sampler = lves_push_sampler(L, fn, w.data, q.data, &only, 1, w.cols);
  const int box = lua_gettop(L);
  double *out = lves_push_vector(L, count);
  lves_check(L, fn,
             ves_sampler_winners(sampler, r->key, lves_stream_take(&rng, r, (double)count), count,
                                 winner));
  for (size_t d = 0; d < count; d++) out[d] = winner[d];
  release_now(L, box);
  return 1;
}

/* ---- networks ---- */

/* What a call of network:sample asks for. */
typedef struct {
  lua_State *L;
  const char *fn;
  size_t draws;
  uint64_t key, first;
  ves_sampler *sampler;
  ves_sites *sites;   /* instead of the sampler, where sites or held masks are asked for */
  ves_stages *stages; /* or two stages */
  size_t hold;        /* draws of a bout; 0 without bouts */
  lves_reader reader;
  bool skip;
  uint64_t attempts; /* all of them */
  size_t kept;       /* draws in which something transmitted */
} run;

_Noreturn static void fail_silent(const run *s) {
  lves_error(s->L, s->fn,
             "nothing transmits, however often a draw is repeated: expected some release > 0 on a "
             "synapse with a weight (or empty = 'skip')");
}

/* Readouts of the winner alone: all draws at once. */
static void read_winners(run *s, uint32_t *winner, double *out) {
  if (s->skip) {
    lves_check(s->L, s->fn, ves_sampler_winners(s->sampler, s->key, s->first, s->draws, winner));
    s->attempts = s->draws;
  } else {
    const ves_status status =
        ves_sampler_redraw(s->sampler, s->key, s->first, s->draws, winner, &s->attempts);
    if (status == VES_ESILENT) fail_silent(s);
    lves_check(s->L, s->fn, status);
  }
  s->kept = lves_reader_winners(&s->reader, winner, s->draws, out);
}

/* One attempt at a draw, by whichever mechanism. Without bouts, sites open anew for each. */
static uint32_t attempt_draw(run *s, uint64_t key, uint64_t draw, double *y) {
  if (s->sites != NULL && s->hold == 0) ves_sites_open(s->sites, key, draw);
  if (s->stages != NULL && s->sites != NULL) {
    const uint32_t remains = ves_stages_input(s->stages, key, draw);
    return remains > 0 ? ves_sites_draw_row(s->sites, remains - 1, key, draw, y) : 0;
  }
  if (s->stages != NULL) return ves_stages_draw(s->stages, key, draw, y);
  if (s->sites != NULL) return ves_sites_draw(s->sites, key, draw, y);
  return ves_sampler_draw(s->sampler, key, draw, NULL, y);
}

/* Opens the sites for a bout, at the address of its first draw; again, should nothing be able to
 * transmit. */
static void open_bout(run *s, uint64_t draw) {
  uint64_t key = s->key;
  for (uint32_t attempt = 1; !ves_sites_open(s->sites, key, draw); attempt++) {
    if (ves_stopping()) lves_check(s->L, s->fn, VES_ESTOPPED);
    if (attempt == VES_ATTEMPTS_MAX) fail_silent(s);
    key = ves_sampler_redraw_key(s->key, attempt);
    s->attempts++;
  }
}

/* Readouts of the whole activity, y: draw by draw, each repeated as ves_sampler_redraw does. */
static void read_activities(run *s, double *y, double *out) {
  for (size_t d = 0; d < s->draws; d++) {
    if (ves_stopping()) lves_check(s->L, s->fn, VES_ESTOPPED);
    if (s->hold > 0 && d % s->hold == 0) open_bout(s, s->first + d);
    uint32_t winner = attempt_draw(s, s->key, s->first + d, y);
    s->attempts++;
    for (uint32_t attempt = 1; winner == 0 && !s->skip; attempt++) {
      if (ves_stopping()) lves_check(s->L, s->fn, VES_ESTOPPED);
      if (attempt == VES_ATTEMPTS_MAX) fail_silent(s);
      winner = attempt_draw(s, ves_sampler_redraw_key(s->key, attempt), s->first + d, y);
      s->attempts++;
    }
    if (winner != 0)
      lves_check(s->L, s->fn,
                 lves_reader_read(&s->reader, winner, y, out + s->kept++ * s->reader.values));
  }
  if (ves_stopping()) lves_check(s->L, s->fn, VES_ESTOPPED); /* the last may be unfinished */
}

static void push_info(const run *s, const double *out) {
  lua_State *L = s->L;
  const double empty = (double)(s->attempts - s->kept);
  lua_createtable(L, 0, 4);
  lua_pushnumber(L, empty / (double)s->attempts);
  lua_setfield(L, -2, "empty");
  lua_pushinteger(L, (lua_Integer)s->draws);
  lua_setfield(L, -2, "draws");
  lua_pushinteger(L, (lua_Integer)s->attempts);
  lua_setfield(L, -2, "attempts");
  lua_pushinteger(L, (lua_Integer)s->kept);
  lua_setfield(L, -2, "kept");
  if (s->hold == 0) return;
  double within, between;
  lves_check(L, s->fn, ves_sites_components(out, s->draws / s->hold, s->hold, &within, &between));
  lua_pushnumber(L, within);
  lua_setfield(L, -2, "within");
  lua_pushnumber(L, between);
  lua_setfield(L, -2, "between");
}

/* The synapses of the active inputs: effective weights and divided release probabilities, k x n. */
typedef struct {
  const double *x; /* of the active inputs */
  const uint32_t *input;
  size_t k, n;
  double divisor;
  double *a, *b; /* evidence */
  double *w;     /* room for the weights of a row */
} pattern;

static void fill_effective(const lves_arg *rescale, const pattern *p, const double *phi,
                           double *effective) {
  for (size_t i = 0; i < p->k; i++) {
    const size_t row = p->input[i], at = row * p->n;
    double *e = effective + i * p->n;
    ves_beta_mean(p->a + i * p->n, p->b + i * p->n, p->n, e);
    for (size_t j = 0; j < p->n; j++) {
      e[j] *= p->x[i];
      if (phi != NULL) e[j] /= phi[at + j];
    }
    const size_t j = lves_first_refused(LVES_FINITE, e, p->n);
    if (j < p->n)
      lves_fail_at(rescale, row + 1, j + 1, phi != NULL ? phi[at + j] : 1.0,
                   "a number by which a weight can be divided");
  }
}

/* q: the releases of all inputs; NULL for the mapping. */
static void fill_release(lua_State *L, const pattern *p, const double *q, double *release) {
  size_t *order = q == NULL ? lves_scratch(L, p->n, sizeof *order) : NULL;
  for (size_t i = 0; i < p->k; i++) {
    const size_t at = i * p->n;
    const double *row = q != NULL ? q + p->input[i] * p->n : release + at;
    if (q == NULL) {
      ves_beta_mean(p->a + at, p->b + at, p->n, p->w);
      ves_release_analytic(p->w, p->n, order, release + at);
      if (ves_stopping()) lves_check(L, "network:sample", VES_ESTOPPED);
    }
    for (size_t j = 0; j < p->n; j++) release[at + j] = row[j] / p->divisor;
  }
}

/* Whether any synapse can ever transmit. */
static bool can_transmit(const double *effective, const double *release, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (effective[i] > 0 && release[i] > 0) return true;
  return false;
}

/* ---- sites and stages ---- */

/* What sites have in common: the release over that of a site, divided among inputs; and effective
 * weights that are not divided. */
static void split_release(const lves_arg *release, const pattern *p, const double *phi,
                          const double *q, double *effective, double *chance) {
  for (size_t i = 0; i < p->k; i++)
    for (size_t j = 0; j < p->n; j++) {
      const size_t from = p->input[i] * p->n + j, at = i * p->n + j;
      const double common = q[from] / phi[from];
      if (common > 1 + 1e-9)
        lves_fail_at(release, p->input[i] + 1, j + 1, q[from],
                     "a product with that of a site, so not above 'rescale'");
      effective[at] *= phi[from]; /* it was divided, so that the quotient has been checked */
      chance[at] = (common < 1 ? common : 1) / p->divisor;
    }
}

static void release_sites(void *object) { ves_sites_free(object); }
static void release_stages(void *object) { ves_stages_free(object); }

static ves_sites *push_sites(lua_State *L, const char *fn, const pattern *p, const double *phi,
                             const double *effective, const double *chance, size_t each) {
  double *of_site = lves_scratch(L, p->k * p->n + 1, sizeof *of_site);
  for (size_t i = 0; i < p->k * p->n; i++) of_site[i] = phi[p->input[i / p->n] * p->n + i % p->n];
  lves_box *box = lves_push_box(L, 0, release_sites);
  box->object = ves_sites_alloc(effective, of_site, chance, p->input, p->k, p->n, each);
  if (box->object == NULL) lves_check(L, fn, VES_ENOMEM);
  return box->object;
}

/* q: the releases of the active inputs' rows, k x n; first: those of all inputs in the first stage,
 * or NULL. */
static void push_stages(run *s, const pattern *p, const double *first, const double *q) {
  lua_State *L = s->L;
  double *strength = lves_scratch(L, 2 * p->k + p->k * p->n, sizeof *strength);
  double *by = strength + p->k, *w = by + p->k;
  size_t *order = lves_scratch(L, p->k, sizeof *order);
  for (size_t i = 0; i < p->k; i++) {
    const size_t at = i * p->n;
    ves_beta_mean(p->a + at, p->b + at, p->n, w + at);
    strength[i] = p->x[i] * ves_stages_strength(w + at, q + at, p->n);
  }
  ves_release_analytic(strength, p->k, order, by);
  if (ves_stopping()) lves_check(L, s->fn, VES_ESTOPPED);
  for (size_t i = 0; i < p->k && first != NULL; i++) by[i] = first[p->input[i]];
  if (!s->skip && !can_transmit(strength, by, p->k)) fail_silent(s);
  lves_box *box = lves_push_box(L, 0, release_stages);
  box->object = ves_stages_alloc(strength, by, w, q, p->input, p->k, p->n);
  if (box->object == NULL) lves_check(L, s->fn, VES_ENOMEM);
  s->stages = box->object;
}

/* A matrix of all inputs' releases, or NULL for 'analytic'. */
static const double *release_arg(const lves_arg *arg, size_t m, size_t n) {
  static const char *const words[] = {"analytic", NULL};
  if (lua_type(arg->L, arg->index) != LUA_TSTRING)
    return lves_matrix_of(arg, LVES_PROBABILITY, m, n).data;
  lves_choice(arg, words);
  return NULL;
}

/*** network:sample{x, release, rng, ...} -> vector, info
 * Draws outputs by synaptic failure and lateral inhibition. The releases of the active inputs are
 * first divided among them. [eq:subset-max] [alg:sample] [eq:normaliser]
 * @equation the j of largest y_j = sum_i x_i W_ij z_ij, z_ij = 1 with probability Q_ij / N
 * [eq:subset-max]
 * @key x number to be encoded, one for each input code, or a vector of input activities
 * @key release matrix of release probabilities, one row per input; or 'analytic', the mapping of the
 * active inputs' weights, so that no matrix of all inputs is needed [eq:mapping]
 * @key draws integer >= 1, default 1000
 * @key rng stream: moved on by the number of draws
 * @key readout 'winner', 'index', 'mean', 'decode' or 'activity', default 'winner': the winner's
 * centre, its index, the mean of the whole activity, its peak [eq:decode], or the whole activity
 * @key width number > 0, with 'decode' alone: that of the kernels H, default the output code's sigma
 * @key normaliser 'none', 'sum', 'count' or 'participation', default 'participation'
 * @key active number >= 0, default 0.001: inputs above it take part
 * @key rescale matrix in (0, 1]: the weights are divided by it, as by Phi
 * @key empty 'redraw' or 'skip', default 'redraw': what becomes of a draw in which nothing
 * transmits
 * @key sites integer in [1, 65536], default 1: release sites of a synapse. `rescale` is then the
 * release of each, and `release` the product of that and of what all sites of a synapse have in
 * common [eq:sites]
 * @key hold integer m >= 2: the sites that are open, with probability `rescale`, stay so for m
 * draws, a bout, while the rest, `release` over `rescale`, is drawn anew [eq:held]
 * @key stages 1 or 2, default 1: with 2, inputs compete first with x_i times the largest amplitude
 * W / Q of their row, then the winner's row transmits alone [eq:two-stage]
 * @key input_release vector of probabilities, one per input, of the first of two stages; default:
 * the mapping
 * @return vector of what each draw says (with 'skip', only of those in which something transmitted);
 * of 'activity' a matrix, one row per draw
 * @return table: empty, the fraction of attempts in which nothing transmitted; draws, as asked for;
 *   attempts; kept, how many draws that is; with hold, the variances within and between bouts
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}:observe({0, 0}, {1, 2})
 * @example Q = ves.release.analytic(net:weights())
 * @example y, info = net:sample{x = 0, release = Q, draws = 100, rng = rng}; print(y:mean(),
 * info.empty)
 */
int lves_network_sample(lua_State *L) {
  static const char *const keys[] = {"x",     "release",    "draws",  "rng",           "readout",
                                     "width", "normaliser", "active", "rescale",       "empty",
                                     "sites", "hold",       "stages", "input_release", NULL};
  static const char *const empties[] = {"redraw", "skip", NULL};
  const char *fn = "network:sample";
  const size_t m = lves_self_network(L, fn)->evidence.m, n = lves_self_network(L, fn)->evidence.n;
  lves_arity(L, fn, 2);
  const lves_options o = lves_options_open(L, fn, 2, true, keys);
  const lves_arg x = lves_key(&o, "x"), release = lves_key(&o, "release"),
                 draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng"),
                 normaliser = lves_key(&o, "normaliser"), active = lves_key(&o, "active"),
                 rescale = lves_key(&o, "rescale"), empty = lves_key(&o, "empty");
  const lves_arg sites = lves_key(&o, "sites"), hold = lves_key(&o, "hold"),
                 stages = lves_key(&o, "stages"), inputs = lves_key(&o, "input_release");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  const lves_pattern on = lves_push_pattern(&x, threshold);
  pattern p = {.n = n, .x = on.x, .input = on.input, .k = on.k};
  run s = {.L = L, .fn = fn};
  s.draws = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000);
  const double *q = release_arg(&release, m, n);
  lves_stream *r = lves_stream_arg(&rng);
  s.reader = lves_reader_arg(&o);
  const int divide = lves_choice_or(&normaliser, lves_normaliser_words, VES_DIVIDE_PARTICIPATION);
  const double *phi =
      lves_absent(&rescale) ? NULL : lves_matrix_of(&rescale, LVES_FRACTION, m, n).data;
  s.skip = lves_choice_or(&empty, empties, 0) == 1;
  const size_t each = (size_t)lves_integer_or(&sites, 1, VES_SITES_MAX, 1);
  const bool two = lves_integer_or(&stages, 1, 2, 1) == 2;
  s.hold = (size_t)lves_integer_or(&hold, 2, LVES_SIZE_MAX, 0);
  const bool open = each > 1 || s.hold > 0 || (two && phi != NULL);
  const double *first = NULL;
  if (open && q == NULL) lves_fail(&release, "a matrix, where a synapse has sites");
  if (open && phi == NULL) lves_fail(&rescale, "the release of each site, such as Phi");
  if (s.hold > 0 && (s.draws % s.hold != 0 || s.draws == s.hold))
    lves_fail(&hold, "a number of which draws = %d is a multiple, with two bouts or more",
              (int)s.draws);
  if (s.hold > 0 && s.skip) lves_fail(&empty, "'redraw': bouts are of one size");
  const bool activity = s.reader.kind == LVES_READ_ACTIVITY;
  if (activity && s.skip) lves_fail(&empty, "'redraw' with readout = 'activity'");
  if (activity && s.hold > 0) lves_fail(&hold, "no such key with readout = 'activity'");
  if (two) {
    if (!lves_absent(&normaliser)) lves_fail(&normaliser, "no such key with stages = 2");
    if (!lves_absent(&inputs)) first = lves_vector_of(&inputs, LVES_PROBABILITY, m).data;
  } else if (!lves_absent(&inputs)) {
    lves_fail(&inputs, "no such key without stages = 2");
  }

  p.divisor = two ? 1.0 : ves_release_divisor(p.x, p.k, (ves_normaliser)divide, threshold);
  const size_t synapses = p.k * n; /* at most LVES_ELEMENTS_MAX: no sum overflows */
  lves_box *room =
      lves_push_room(L, fn, (4 * synapses + n) * sizeof(double) + s.draws * sizeof(uint32_t));
  double *effective = room->object, *chance = effective + synapses, *y = chance + synapses;
  p.w = y;
  p.a = y + n;
  p.b = p.a + synapses;
  uint32_t *winner = (uint32_t *)(void *)(p.b + synapses);
  lves_read_evidence(L, fn, p.input, p.k, p.a, p.b);
  fill_effective(&rescale, &p, phi, effective);
  fill_release(L, &p, q, chance);
  if (open) split_release(&release, &p, phi, q, effective, chance);
  if (!s.skip && p.k == 0) lves_fail(&x, "an input that activates some neuron above %f", threshold);
  if (!s.skip && !can_transmit(effective, chance, p.k * n)) fail_silent(&s);
  if (two && p.k > 0) push_stages(&s, &p, first, chance);
  if (open)
    s.sites = push_sites(L, fn, &p, phi, effective, chance, each);
  else if (s.stages == NULL)
    s.sampler = lves_push_sampler(L, fn, effective, chance, p.input, p.k, n);
  const int box = lua_gettop(L);
  lves_push_reader(L, &s.reader);
  double *out = lves_push_readings(L, fn, &s.reader, s.draws, n);
  const int result = lua_gettop(L);
  lves_reader_fill(L, fn, &s.reader, &lves_self_network(L, fn)->output);
  s.key = r->key;
  s.first = lves_stream_take(&rng, r, (double)s.draws);
  if (lves_reader_whole(&s.reader) || open || two)
    read_activities(&s, y, out);
  else
    read_winners(&s, winner, out);
  lves_reader_release(&s.reader);
  release_now(L, box);
  lves_box_release(room);
  if (s.kept < s.draws) lves_vector_shrink(L, result, s.kept);
  lua_pushvalue(L, result);
  push_info(&s, out);
  return 2;
}

void lves_open_sample(lua_State *L) {
  lua_pushcfunction(L, sample);
  lua_setfield(L, -2, "sample");
}
