/* ves_stream: draws from distributions, each with an address of its own.
 *
 * Draw d of a stream is a function of (key, d) alone: it starts at block 0 of row VES_ROW_SCALAR
 * and takes as many words there as its distribution likes, so that one that rejects shifts
 * nothing, and n draws at once are n draws one by one. */
#ifndef VES_STREAM_H
#define VES_STREAM_H

#include "ves_status.h"
#include <stddef.h>
#include <stdint.h>

/* Each fills out with draws first, first + 1, ..., first + n - 1 of stream key. VES_ESTOPPED if it
 * was stopped from outside. */

/* Uniform on [0, 1), with 53 random bits. */
ves_status ves_stream_uniform(uint64_t key, uint64_t first, size_t n, double *out);

/* Normal with mean mu and standard deviation sd >= 0. */
ves_status ves_stream_normal(uint64_t key, uint64_t first, double mu, double sd, size_t n,
                             double *out);

/* Beta with parameters a and b, in [1e-100, 1e100] so that draws are numbers. */
ves_status ves_stream_beta(uint64_t key, uint64_t first, double a, double b, size_t n, double *out);

/* 1 with probability p in [0, 1], else 0. */
ves_status ves_stream_bernoulli(uint64_t key, uint64_t first, double p, size_t n, double *out);

/* 1, 2, ..., most, all equally likely; 1 <= most <= 2^53. */
ves_status ves_stream_integer(uint64_t key, uint64_t first, uint64_t most, size_t n, double *out);

/* The numbers 1 to n in random order, all orders equally likely: one draw, `draw`. */
ves_status ves_stream_permutation(uint64_t key, uint64_t draw, size_t n, double *out);

#endif
