/* ves_stream: draws from distributions, by GSL where it has them. */
#include "ves_stream.h"
#include "ves_rng_private.h"
#include "ves_stop.h"
#include <gsl/gsl_randist.h>

enum {
  LOOK = 4096, /* draws between two looks at whether to stop */
  PIECE = 256, /* uniforms made in one go */
};

/* GSL's generator, with its state beside it: nothing is allocated. */
typedef struct {
  gsl_rng gsl;
  uint64_t state[VES_RNG_STATE_WORDS];
} generator;

static gsl_rng *start(generator *g) {
  g->gsl.type = ves_rng_philox;
  g->gsl.state = g->state;
  return &g->gsl;
}

/* What gsl_rng_uniform gives: the first of each draw's pair. */
ves_status ves_stream_uniform(uint64_t key, uint64_t first, size_t n, double *out) {
  double second[PIECE];
  for (size_t i = 0; i < n; i += PIECE) {
    if (ves_stopping()) return VES_ESTOPPED;
    ves_uniform_pairs(key, first + i, n - i < PIECE ? n - i : PIECE, out + i, second);
  }
  return VES_OK;
}

ves_status ves_stream_normal(uint64_t key, uint64_t first, double mu, double sd, size_t n,
                             double *out) {
  generator g;
  gsl_rng *r = start(&g);
  for (size_t i = 0; i < n; i++) {
    if (i % LOOK == 0 && ves_stopping()) return VES_ESTOPPED;
    ves_rng_seek(r, key, first + i, VES_ROW_SCALAR);
    out[i] = mu + gsl_ran_gaussian_ziggurat(r, sd);
  }
  return VES_OK;
}

ves_status ves_stream_beta(uint64_t key, uint64_t first, double a, double b, size_t n,
                           double *out) {
  generator g;
  gsl_rng *r = start(&g);
  for (size_t i = 0; i < n; i++) {
    if (i % LOOK == 0 && ves_stopping()) return VES_ESTOPPED;
    ves_rng_seek(r, key, first + i, VES_ROW_SCALAR);
    out[i] = gsl_ran_beta(r, a, b);
  }
  return VES_OK;
}

ves_status ves_stream_bernoulli(uint64_t key, uint64_t first, double p, size_t n, double *out) {
  const ves_status status = ves_stream_uniform(key, first, n, out);
  for (size_t i = 0; i < n && status == VES_OK; i++) out[i] = out[i] < p;
  return status;
}

/* 64 bits, those past the largest multiple of `most` rejected. */
ves_status ves_stream_integer(uint64_t key, uint64_t first, uint64_t most, size_t n, double *out) {
  generator g;
  gsl_rng *r = start(&g);
  const uint64_t excess = (UINT64_MAX % most + 1) % most;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    if (i % LOOK == 0 && ves_stopping()) return VES_ESTOPPED;
    ves_rng_seek(r, key, first + i, VES_ROW_SCALAR);
    do {
      bits = (uint64_t)gsl_rng_get(r) << 32;
      bits |= gsl_rng_get(r);
    } while (bits > UINT64_MAX - excess);
    out[i] = (double)(bits % most + 1);
  }
  return VES_OK;
}

/* The shuffle of Fisher and Yates, from the end, with the draws of GSL's. */
ves_status ves_stream_permutation(uint64_t key, uint64_t draw, size_t n, double *out) {
  generator g;
  gsl_rng *r = start(&g);
  for (size_t i = 0; i < n; i++) out[i] = (double)(i + 1);
  ves_rng_seek(r, key, draw, VES_ROW_SCALAR);
  for (size_t i = n; i-- > 1;) {
    if (i % LOOK == 0 && ves_stopping()) return VES_ESTOPPED;
    const size_t other = gsl_rng_uniform_int(r, i + 1);
    const double swap = out[i];
    out[i] = out[other];
    out[other] = swap;
  }
  return VES_OK;
}
