/* vesicle: the whole core, for C and C++.
 *
 *     cc program.c $(pkg-config --cflags --libs vesicle)
 *
 * Each header can be included by itself as well, from C++ inside extern "C". A test compares this
 * list with the headers there are. */
#ifndef VESICLE_H
#define VESICLE_H

/* Headers of others come first: they say themselves how C++ is to read them. */
#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "ves_amplitude.h"
#include "ves_amplitude_theory.h"
#include "ves_beta.h"
#include "ves_chain.h"
#include "ves_code.h"
#include "ves_equilibrium.h"
#include "ves_evidence.h"
#include "ves_exponent.h"
#include "ves_follow.h"
#include "ves_learn.h"
#include "ves_multi.h"
#include "ves_order.h"
#include "ves_product.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_score.h"
#include "ves_simd.h"
#include "ves_sites.h"
#include "ves_spike.h"
#include "ves_stages.h"
#include "ves_status.h"
#include "ves_stop.h"
#include "ves_stream.h"
#include "ves_winner.h"

/* The version of the library, such as "0.1.0": a program can have been compiled with another. */
const char *ves_version(void);

#ifdef __cplusplus
}
#endif

#endif
