/* ves_evidence_private: what the scalar accumulation and its vector kernel share. */
#ifndef VES_EVIDENCE_PRIVATE_H
#define VES_EVIDENCE_PRIVATE_H

#include "ves_evidence.h"
#include <stdbool.h>

/* The binary places at which an addend is split (see ves_evidence.c). */
#define VES_SPLIT_HIGH 0x1.8p30
#define VES_SPLIT_LOW  0x1.8p-8
#define VES_UNIT_HIGH  0x1p-22 /* what is left of an addend is a multiple of these */
#define VES_UNIT_LOW   0x1p-60

/* Adds rows as ves_evidence_observe does, without carrying and without counting; scratch has room
 * for both codes' reach and twice the slack. The vector kernel, same bits as the scalar code; false
 * if there is none to use. */
bool ves_evidence_add_avx2(ves_evidence *ev, const ves_code *input, const ves_code *output,
                           const double *xs, const double *ys, const double *salience, size_t rows,
                           double *scratch);

#endif
