/* ves_sites: several release sites a synapse, and two kinds of randomness kept apart.
 *
 * The epistemic release [eq:beta2dropoutvar] gives a weight the mean and the variance of its Beta
 * distribution by letting the whole synapse fail. With N independent sites, each sending w / (N
 * phi) with probability phi, what is transmitted is w / (N phi) times a binomial number:
 *
 *     mean      w
 *     variance  w^2 (1 - phi) / (N phi)
 *     third     w^3 (1 - phi)(1 - 2 phi) / (N phi)^2                           [eq:sites-moments]
 *
 * The variance is that of Beta(A, B), w^2 t with t = B / (A (A + B + 1)), if phi = 1 / (1 + N t)
 * [eq:sites]; the third moment is then w^3 t (t - 1/N). One site is the original (its exact root).
 * As N grows, N phi tends to 1/t and the number of open sites to a Poisson number of that mean,
 * each worth w t.
 *
 * Here a draw has two parts. ves_sites_open says how many sites are open: what the network does not
 * know. ves_sites_draw says which synapses release, all open sites together: what the world does
 * not fix. Opened once for several draws, the sites hold a hypothesis about the weights; the
 * variance between such bouts is the one kind of uncertainty and the variance within them the other
 * [eq:held].
 *
 * Sites send alike, so that only their number matters, and it is drawn at once: K sites are open if
 * a 40-bit uniform integer lies below K of the thresholds T_k = 2^40 P(at least k open), which fall
 * with k. As for masks (ves_rng.c) a byte decides nearly always: a table tells the number for each
 * value of the byte, and 32 more bits are looked at only where a threshold lies within its range. A
 * draw costs the same with one site and with a thousand. The binomial law is built from its mode by
 * the ratios of neighbouring terms: four operations that round alike everywhere, no power and no
 * logarithm. */
#include "ves_sites.h"
#include "ves_order.h"
#include "ves_rng_private.h"
#include "ves_stop.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ves_release_epistemic_sites(double a, double b, size_t sites, double *phi,
                                 double *complement) {
  const double t = (double)sites * (b / (a + b + 1) / a);
  *phi = 1 / (1 + t);
  *complement = 1 / (1 + 1 / t);
}

void ves_sites_moments(double w, double phi, size_t sites, double *variance, double *third) {
  const double open = (double)sites * phi;
  *variance = w * w * (1 - phi) / open;
  *third = w * w * w * (1 - phi) * (1 - 2 * phi) / (open * open);
}

/* ---- sampling ---- */

enum { BYTES = 256 };

/* How many sites of a synapse are open: `least`, and one more for each threshold above the random
 * integer. */
typedef struct {
  uint32_t least;
  size_t first;              /* its thresholds, descending, begin here among all */
  uint16_t above[BYTES + 1]; /* how many of them lie above byte << 32 */
} open_number;

struct ves_sites {
  size_t k, n, words, sites;
  uint32_t *input;
  double *share;           /* k x n: what one open site sends */
  double *open;            /* k x n: what all open sites send */
  open_number *number;     /* k x n */
  uint16_t *shut;          /* k x n: from this byte on no site is open */
  uint64_t *threshold;     /* of all numbers */
  size_t thresholds, room; /* how many there are, and places for them */
  double *term;            /* scratch of sites + 1: the terms of a binomial law */
  uint8_t *byte;           /* scratch of a row */
  uint32_t *some;          /* scratch of a row: who may have open sites */
  uint32_t *unsure;        /* scratch of a row: whose bytes leave their numbers open */
  ves_thresholds all;      /* releases */
  ves_thresholds *synapse; /* k parts of them */
  bool certain;            /* whether what can release does so in every draw */
  uint64_t *mask;
  uint64_t key, sites_key, release_key; /* of the last draw, and what was made of it; 0 at first */
};

void ves_sites_free(ves_sites *s) {
  if (s == NULL) return;
  ves_thresholds_free(&s->all);
  free(s->input);
  free(s->share);
  free(s->open);
  free(s->number);
  free(s->shut);
  free(s->threshold);
  free(s->term);
  free(s->byte);
  free(s->some);
  free(s->unsure);
  free(s->synapse);
  free(s->mask);
  free(s);
}

/* ---- the number of open sites ---- */

/* The terms of Binomial(n, p) in proportion to the largest, in term[*from .. *to]; what lies
 * outside has together less than 2^-41 of the whole. 0 < p < 1. */
static void binomial_terms(size_t n, double p, double *term, size_t *from, size_t *to) {
  const double odds = p / (1 - p), negligible = 1e-20;
  size_t mode = (size_t)((double)(n + 1) * p);
  if (mode > n) mode = n;
  term[mode] = 1.0;
  for (*to = mode; *to < n; ++*to) {
    term[*to + 1] = term[*to] * ((double)(n - *to) / (double)(*to + 1) * odds);
    if (term[*to + 1] < negligible) break;
  }
  for (*from = mode; *from > 0; --*from) {
    term[*from - 1] = term[*from] * ((double)*from / ((double)(n - *from + 1) * odds));
    if (term[*from - 1] < negligible) break;
  }
}

/* Room for `more` further thresholds. */
static bool make_room(ves_sites *s, size_t more) {
  if (s->thresholds + more <= s->room) return true;
  const size_t room = 2 * (s->thresholds + more);
  uint64_t *larger = realloc(s->threshold, room * sizeof *larger);
  if (larger == NULL) return false;
  s->threshold = larger;
  s->room = room;
  return true;
}

/* The law of the open sites of synapse `at`, each of which opens with probability p. */
static bool set_number(ves_sites *s, size_t at, double p) {
  open_number *of = &s->number[at];
  size_t from = 0, to = 0;
  *of = (open_number){.first = s->thresholds};
  if (p >= 1) of->least = (uint32_t)s->sites;
  s->shut[at] = of->least > 0 ? BYTES : 0;
  if (!(p > 0) || p >= 1) return true;
  binomial_terms(s->sites, p, s->term, &from, &to);
  if (!make_room(s, to - from)) return false;
  uint64_t *threshold = s->threshold + s->thresholds;
  double total = 0.0, tail = 0.0;
  for (size_t k = to + 1; k-- > from;) total += s->term[k];
  for (size_t k = to; k > from; k--) {
    tail += s->term[k];
    threshold[k - from - 1] = ves_threshold(tail / total);
  }
  of->least = (uint32_t)from;
  s->thresholds += to - from;
  size_t above = to - from;
  uint64_t b = 0;
  for (; b <= BYTES && above > 0; b++) { /* the others are 0 */
    while (above > 0 && threshold[above - 1] <= b << 32) above--;
    of->above[b] = (uint16_t)above;
  }
  s->shut[at] = (uint16_t)(of->least > 0 || b > BYTES ? BYTES : b);
  return true;
}

/* The number of a synapse whose byte leaves it open: 32 bits more decide. */
static uint32_t decide_number(const ves_sites *s, const open_number *of, size_t byte, uint32_t row,
                              size_t j, uint64_t key, uint64_t draw) {
  const uint64_t u = (uint64_t)byte << 32 | ves_mask_fine(key, draw, row, j);
  size_t above = of->above[byte + 1];
  while (above < of->above[byte] && u < s->threshold[of->first + above]) above++;
  return of->least + (uint32_t)above;
}

/* Lists the positions whose byte is below its bound; returns how many they are. */
static size_t list_below(const uint8_t *restrict byte, const uint16_t *restrict bound, size_t n,
                         uint32_t *restrict list) {
  size_t count = 0;
  for (size_t j = 0; j < n; j++) {
    list[count] = (uint32_t)j;
    count += byte[j] < bound[j];
  }
  return count;
}

/* Opens the sites of the a-th active input. Most synapses that hardly transmit have none open, which
 * their byte alone tells; only the tables of the others are looked at. Who these are, and whose byte
 * leaves the number open, is a matter of chance, so that they are listed, without a branch, and decided
 * afterwards. Returns whether any is open. */
static bool open_row(ves_sites *s, size_t a, uint64_t key, uint64_t draw) {
  const open_number *number = s->number + a * s->n;
  const double *share = s->share + a * s->n;
  double *open = s->open + a * s->n;
  const uint8_t *byte = s->byte;
  uint32_t *unsure = s->unsure, any = 0;
  ves_philox_bytes(key, draw, s->input[a], 0, 4 * s->words, s->byte);
  memset(open, 0, s->n * sizeof *open);
  const size_t some = list_below(byte, s->shut + a * s->n, s->n, s->some);
  size_t undecided = 0;
  for (size_t i = 0; i < some; i++) {
    const size_t j = s->some[i];
    const open_number *of = &number[j];
    const uint16_t *above = of->above + byte[j];
    const uint32_t count = of->least + above[1];
    unsure[undecided] = (uint32_t)j;
    undecided += above[1] < above[0];
    any |= count;
    open[j] = (double)count * share[j];
  }
  for (size_t i = 0; i < undecided; i++) {
    const size_t j = unsure[i];
    const uint32_t count = decide_number(s, &number[j], byte[j], s->input[a], j, key, draw);
    any |= count;
    open[j] = (double)count * share[j];
  }
  return any != 0;
}

/* The a-th n of all thresholds, from a multiple of 64 on. */
static ves_thresholds part_of(const ves_thresholds *all, size_t a, size_t n) {
  const size_t words = (n + 63) / 64;
  return (ves_thresholds){.n = n,
                          .words = words,
                          .coarse = all->coarse + 64 * words * a,
                          .fine = all->fine + 64 * words * a};
}

static bool reserve(ves_sites *s) {
  const size_t k = s->k, n = s->n;
  s->input = calloc(k + 1, sizeof *s->input);
  s->share = calloc(k * n + 1, sizeof *s->share);
  s->open = calloc(k * n + 1, sizeof *s->open);
  s->number = malloc((k * n + 1) * sizeof *s->number); /* each is set as a whole */
  s->shut = calloc(k * n + 1, sizeof *s->shut);
  s->term = calloc(s->sites + 1, sizeof *s->term);
  s->byte = calloc(64 * s->words, sizeof *s->byte);
  s->some = calloc(n + 1, sizeof *s->some);
  s->unsure = calloc(n + 1, sizeof *s->unsure);
  s->mask = calloc(s->words, sizeof *s->mask);
  s->synapse = calloc(k + 1, sizeof *s->synapse);
  if (s->input == NULL || s->share == NULL || s->open == NULL || s->number == NULL ||
      s->shut == NULL || s->some == NULL || s->term == NULL || s->byte == NULL ||
      s->unsure == NULL || s->mask == NULL || s->synapse == NULL)
    return false;
  if (!ves_thresholds_alloc(&s->all, 64 * s->words * k + 1)) return false;
  for (size_t a = 0; a < k; a++) s->synapse[a] = part_of(&s->all, a, n);
  return true;
}

ves_sites *ves_sites_alloc(const double *effective, const double *phi, const double *release,
                           const uint32_t *input, size_t k, size_t n, size_t sites) {
  if (n == 0 || sites == 0 || sites > VES_SITES_MAX || n > SIZE_MAX / sizeof(open_number) / (k + 1))
    return NULL;
  ves_sites *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  *s = (ves_sites){.k = k, .n = n, .words = (n + 63) / 64, .sites = sites, .certain = true};
  bool complete = reserve(s);
  for (size_t a = 0; complete && a < k; a++) {
    s->input[a] = input[a];
    for (size_t j = 0; complete && j < n; j++) {
      const size_t at = a * n + j;
      const bool can = effective[at] > 0 && ves_threshold(release[at]) > 0;
      s->share[at] = effective[at] / ((double)sites * phi[at]);
      ves_thresholds_set(&s->synapse[a], j, can ? release[at] : 0.0);
      s->certain &= !can || ves_threshold(release[at]) == VES_THRESHOLD_ONE;
      complete = set_number(s, at, can ? phi[at] : 0.0);
    }
  }
  if (complete) return s;
  ves_sites_free(s);
  return NULL;
}

/* Runs through the outputs j that are set in a mask. */
#define for_each_bit(j, mask, words)                                                               \
  for (size_t w_ = 0; w_ < (words); w_++)                                                          \
    for (uint64_t bits_ = (mask)[w_];                                                              \
         bits_ != 0 && ((j) = 64 * w_ + (size_t)__builtin_ctzll(bits_), true); bits_ &= bits_ - 1)

/* The keys of sites and of releases are made anew only where the stream's changes. */
static void use_key(ves_sites *s, uint64_t key) {
  if (s->key == key && s->release_key != 0) return;
  s->key = key;
  s->sites_key = ves_key_string(key, "sites", 5);
  s->release_key = ves_key_string(key, "release", 7);
}

bool ves_sites_open(ves_sites *s, uint64_t key, uint64_t draw) {
  bool any = false;
  use_key(s, key);
  for (size_t a = 0; a < s->k; a++) any |= open_row(s, a, s->sites_key, draw);
  return any;
}

/* Active inputs from .. to - 1 transmit, y being what arrives. If they release in every draw no mask
 * is drawn: a synapse that cannot has no open site, and adds 0. */
static void arrive(ves_sites *s, size_t from, size_t to, uint64_t draw, double *y) {
  for (size_t j = 0; j < s->n; j++) y[j] = 0.0;
  for (size_t a = from; a < to; a++) {
    const double *open = s->open + a * s->n;
    size_t j;
    if (s->certain) {
      for (j = 0; j < s->n; j++) y[j] += open[j];
      continue;
    }
    ves_mask_draw(&s->synapse[a], s->release_key, draw, s->input[a], s->mask);
    for_each_bit(j, s->mask, s->words) y[j] += open[j];
  }
}

/* The output of largest y, the first of equals, counting from 1; 0 if nothing arrived. Four running
 * maxima do not wait for one another. */
static uint32_t strongest(const double *y, size_t n) {
  double most[4] = {0.0, 0.0, 0.0, 0.0};
  size_t j = 0;
  for (; j + 4 <= n; j += 4)
    for (size_t i = 0; i < 4; i++) most[i] = y[j + i] > most[i] ? y[j + i] : most[i];
  for (; j < n; j++) most[0] = y[j] > most[0] ? y[j] : most[0];
  for (size_t i = 1; i < 4; i++) most[0] = most[i] > most[0] ? most[i] : most[0];
  if (!(most[0] > 0)) return 0;
  for (j = 0; y[j] != most[0];) j++;
  return (uint32_t)j + 1;
}

static uint32_t transmit(ves_sites *s, size_t from, size_t to, uint64_t key, uint64_t draw,
                         double *y) {
  use_key(s, key);
  arrive(s, from, to, draw, y);
  return strongest(y, s->n);
}

uint32_t ves_sites_draw(ves_sites *s, uint64_t key, uint64_t draw, double *y) {
  return transmit(s, 0, s->k, key, draw, y);
}

uint32_t ves_sites_draw_row(ves_sites *s, size_t a, uint64_t key, uint64_t draw, double *y) {
  return transmit(s, a, a + 1, key, draw, y);
}

/* ---- the winner of one input ---- */

#define RARE 1e-13 /* a probability that is left out */

/* Amounts that may be sent, by whom, and with what probability. */
typedef struct {
  size_t count;
  double *amount, *chance, *choose, *less; /* choose: logarithms of binomial coefficients */
  size_t *of, *order;
} amounts;

static void amounts_free(amounts *a) {
  free(a->amount);
  free(a->chance);
  free(a->choose);
  free(a->less);
  free(a->of);
  free(a->order);
}

static bool amounts_alloc(amounts *a, size_t n, size_t sites) {
  const size_t most = n * sites + 1;
  *a = (amounts){.amount = malloc(most * sizeof *a->amount),
                 .chance = malloc(most * sizeof *a->chance),
                 .choose = malloc((sites + 1) * sizeof *a->choose),
                 .less = malloc(n * sizeof *a->less),
                 .of = malloc(most * sizeof *a->of),
                 .order = malloc(most * sizeof *a->order)};
  return a->amount != NULL && a->chance != NULL && a->choose != NULL && a->less != NULL &&
         a->of != NULL && a->order != NULL;
}

static void add_amount(amounts *a, double amount, size_t of, double chance) {
  a->amount[a->count] = amount;
  a->of[a->count] = of;
  a->chance[a->count++] = chance;
}

/* What synapse j may send. */
static void add_synapse(amounts *a, size_t j, double w, double q, double phi, size_t sites) {
  if (phi >= 1) {
    add_amount(a, w, j, q);
    return;
  }
  const double share = w / ((double)sites * phi), open = log(phi), shut = log(1 - phi);
  for (size_t k = 1; k <= sites; k++) {
    const double p = exp(a->choose[k] + (double)k * open + (double)(sites - k) * shut);
    if (p > RARE) add_amount(a, share * (double)k, j, q * p);
  }
}

/* From the largest amount down: the chance that it wins is that of sending it times that of all
 * others sending less. */
static void compete(const amounts *a, size_t n, double *p, double *nothing) {
  double all = 1.0;
  for (size_t j = 0; j < n; j++) a->less[j] = 1.0;
  *nothing = 0.0;
  for (size_t i = 0; i < a->count; i++) {
    const size_t at = a->order[i], j = a->of[at];
    p[j] += a->chance[at] * all / a->less[j];
    const double rest = a->less[j] - a->chance[at];
    if (rest < RARE) return;
    all = all * rest / a->less[j];
    a->less[j] = rest;
  }
  *nothing = all;
}

ves_status ves_sites_winner(const double *w, const double *q, const double *phi, size_t n,
                            size_t sites, size_t always, double *p, double *nothing) {
  if (n == 0 || sites == 0 || sites > VES_SITES_MAX || n > SIZE_MAX / sizeof(double) / (sites + 1))
    return VES_ESIZE;
  amounts a;
  ves_status status = amounts_alloc(&a, n, sites) ? VES_OK : VES_ENOMEM;
  if (status == VES_OK) {
    a.choose[0] = 0.0;
    for (size_t k = 1; k <= sites; k++)
      a.choose[k] = a.choose[k - 1] + log((double)(sites - k + 1) / (double)k);
    for (size_t j = 0; j < n && !ves_stopping(); j++) {
      p[j] = 0.0;
      if (j + 1 == always)
        add_amount(&a, w[j], j, 1.0);
      else if (q[j] > 0)
        add_synapse(&a, j, w[j], q[j], phi[j], sites);
    }
    ves_order_descending(a.amount, a.count, a.order);
    if (ves_stopping())
      status = VES_ESTOPPED;
    else
      compete(&a, n, p, nothing);
  }
  amounts_free(&a);
  return status;
}

/* ---- the two kinds of variance ---- */

ves_status ves_sites_components(const double *value, size_t bouts, size_t each, double *within,
                                double *between) {
  if (bouts < 2 || each < 2) return VES_ESIZE;
  double mean = 0.0, inside = 0.0, outside = 0.0;
  for (size_t i = 0; i < bouts * each; i++) mean += value[i];
  mean /= (double)(bouts * each);
  for (size_t b = 0; b < bouts; b++) {
    const double *bout = value + b * each;
    double of_bout = 0.0;
    for (size_t i = 0; i < each; i++) of_bout += bout[i];
    of_bout /= (double)each;
    for (size_t i = 0; i < each; i++) inside += (bout[i] - of_bout) * (bout[i] - of_bout);
    outside += (of_bout - mean) * (of_bout - mean);
  }
  *within = inside / ((double)bouts * (double)(each - 1));
  *between = outside / (double)(bouts - 1) - *within / (double)each;
  return VES_OK;
}
