/* ves_order: weights in descending order, which competition, learning and the mapping all need; and
 * numbers in ascending order. */
#ifndef VES_ORDER_H
#define VES_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* order[r] = index of the r-th strongest of n weights, r from 0; equal weights keep index order,
 * everywhere. When it is stopped (ves_stop) it returns every index once, in some order: whoever
 * calls it for many weights looks at the flag afterwards. */
void ves_order_descending(const double *w, size_t n, size_t *order);

/* The same from an order of other weights in `order`, in less time if it is nearly right: when the
 * weights have changed a little since. */
void ves_order_renew(const double *w, size_t n, size_t *order);

/* The same as ves_order_descending for whoever does not need an order then: false if it was stopped, and `order` is not to
 * be read. */
bool ves_order_finish(const double *w, size_t n, size_t *order);

/* Sorts n numbers, none of them not-a-number, where they are. False if it was stopped: they are then
 * in some order. */
bool ves_sort_ascending(double *x, size_t n);

#endif
