/* ves_order_private: the order of weights, and its vector kernel. */
#ifndef VES_ORDER_PRIVATE_H
#define VES_ORDER_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/* Weights whose order is counted, at most. */
#define VES_ORDER_COUNTED 512

/* ves_order_finish, or false: where there are no vectors in use, more weights, or one that is not a
 * number. */
bool ves_order_avx2(const double *w, size_t n, size_t *order);

#endif
