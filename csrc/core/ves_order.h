/* ves_order: weights in descending order, which competition, learning and the mapping all need. */
#ifndef VES_ORDER_H
#define VES_ORDER_H

#include <stddef.h>

/* order[r] = index of the r-th strongest of n weights, r from 0; equal weights keep index order,
 * everywhere. When it is stopped (ves_stop) it returns every index once, in some order: whoever
 * calls it for many weights looks at the flag afterwards. */
void ves_order_descending(const double *w, size_t n, size_t *order);

#endif
