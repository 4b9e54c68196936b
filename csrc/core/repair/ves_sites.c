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
 * Here a draw has two parts. ves_sites_open says which sites are open: what the network does not
 * know. ves_sites_draw says which synapses release, all open sites together: what the world does
 * not fix. Opened once for several draws, the sites hold a hypothesis about the weights; the
 * variance between such bouts is the one kind of uncertainty and the variance within them the other
 * [eq:held]. */
#include "ves_sites.h"
#include "ves_rng.h"
#include "ves_stop.h"
#include <stdlib.h>

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

struct ves_sites {
  size_t k, n, words, sites;
  uint32_t *input;
  double *share; /* k x n: what one open site sends */
  double *open;  /* k x n: what all open sites send */
  bool *can;     /* k x n: whether there is a weight and a release */
  ves_thresholds sites_of_all, synapses_of_all;
  ves_thresholds *site, *synapse; /* k each: parts of these */
  uint64_t *mask;
};

void ves_sites_free(ves_sites *s) {
  if (s == NULL) return;
  ves_thresholds_free(&s->sites_of_all);
  ves_thresholds_free(&s->synapses_of_all);
  free(s->input);
  free(s->share);
  free(s->open);
  free(s->can);
  free(s->site);
  free(s->synapse);
  free(s->mask);
  free(s);
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
  s->can = calloc(k * n + 1, sizeof *s->can);
  s->mask = calloc(s->words, sizeof *s->mask);
  s->site = calloc(k + 1, sizeof *s->site);
  s->synapse = calloc(k + 1, sizeof *s->synapse);
  if (s->input == NULL || s->share == NULL || s->open == NULL || s->can == NULL ||
      s->mask == NULL || s->site == NULL || s->synapse == NULL)
    return false;
  if (!ves_thresholds_alloc(&s->sites_of_all, 64 * s->words * k + 1) ||
      !ves_thresholds_alloc(&s->synapses_of_all, 64 * s->words * k + 1))
    return false;
  for (size_t a = 0; a < k; a++) {
    s->site[a] = part_of(&s->sites_of_all, a, n);
    s->synapse[a] = part_of(&s->synapses_of_all, a, n);
  }
  return true;
}

ves_sites *ves_sites_alloc(const double *effective, const double *phi, const double *release,
                           const uint32_t *input, size_t k, size_t n, size_t sites) {
  if (n == 0 || sites == 0 || n > SIZE_MAX / sizeof(double) / (k + 1)) return NULL;
  ves_sites *s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;
  *s = (ves_sites){.k = k, .n = n, .words = (n + 63) / 64, .sites = sites};
  if (!reserve(s)) {
    ves_sites_free(s);
    return NULL;
  }
  for (size_t a = 0; a < k; a++) {
    s->input[a] = input[a];
    for (size_t j = 0; j < n; j++) {
      const size_t at = a * n + j;
      s->share[at] = effective[at] / ((double)sites * phi[at]);
      s->can[at] = effective[at] > 0 && ves_threshold(release[at]) > 0;
      ves_thresholds_set(&s->site[a], j, s->can[at] ? phi[at] : 0.0);
      ves_thresholds_set(&s->synapse[a], j, s->can[at] ? release[at] : 0.0);
    }
  }
  return s;
}

/* Runs through the outputs j that are set in a mask. */
#define for_each_bit(j, mask, words)                                                               \
  for (size_t w_ = 0; w_ < (words); w_++)                                                          \
    for (uint64_t bits_ = (mask)[w_];                                                              \
         bits_ != 0 && ((j) = 64 * w_ + (size_t)__builtin_ctzll(bits_), true); bits_ &= bits_ - 1)

bool ves_sites_open(ves_sites *s, uint64_t key, uint64_t draw) {
  const uint64_t sites_key = ves_key_string(key, "sites", 5);
  for (size_t at = 0; at < s->k * s->n; at++) s->open[at] = 0.0;
  for (size_t c = 0; c < s->sites && !ves_stopping(); c++) {
    const uint64_t site_key = ves_key_integer(sites_key, (int64_t)c);
    for (size_t a = 0; a < s->k; a++) {
      size_t j;
      ves_mask_draw(&s->site[a], site_key, draw, s->input[a], s->mask);
      for_each_bit(j, s->mask, s->words) s->open[a * s->n + j] += 1.0;
    }
  }
  bool any = false;
  for (size_t at = 0; at < s->k * s->n; at++) {
    any |= s->open[at] > 0;
    s->open[at] *= s->share[at];
  }
  return any;
}

/* Active inputs from .. to - 1 transmit. */
static uint32_t transmit(ves_sites *s, size_t from, size_t to, uint64_t key, uint64_t draw,
                         double *y) {
  const uint64_t release_key = ves_key_string(key, "release", 7);
  for (size_t j = 0; j < s->n; j++) y[j] = 0.0;
  for (size_t a = from; a < to; a++) {
    size_t j;
    ves_mask_draw(&s->synapse[a], release_key, draw, s->input[a], s->mask);
    for_each_bit(j, s->mask, s->words) y[j] += s->open[a * s->n + j];
  }
  size_t best = 0;
  for (size_t j = 1; j < s->n; j++)
    if (y[j] > y[best]) best = j;
  return y[best] > 0 ? (uint32_t)best + 1 : 0;
}

uint32_t ves_sites_draw(ves_sites *s, uint64_t key, uint64_t draw, double *y) {
  return transmit(s, 0, s->k, key, draw, y);
}

uint32_t ves_sites_draw_row(ves_sites *s, size_t a, uint64_t key, uint64_t draw, double *y) {
  return transmit(s, a, a + 1, key, draw, y);
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
