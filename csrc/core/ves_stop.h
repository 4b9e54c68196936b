/* ves_stop: ending a long computation from outside.
 *
 * A function of the core may run for minutes. Those that do look at one flag in every turn of their
 * outer loop, which costs nothing that can be measured, and when it is set they return VES_ESTOPPED
 * within a fraction of a second. A loop over elements, of which there may be a hundred million,
 * runs in blocks and looks between two of them. What they were to fill in is then unfinished. As
 * long as nobody sets the flag, no result depends on it. */
#ifndef VES_STOP_H
#define VES_STOP_H

#include <stdbool.h>

/* Asks every computation of the process to stop, those to come too, until called with false. Can be
 * called from a signal handler. */
void ves_stop(bool stop);

/* Whether it has been asked to: for loops of C. C++ has another atomic_bool, and sets the flag
 * without reading it. */
#ifndef __cplusplus
#include <stdatomic.h>
#include <stddef.h>

extern atomic_bool ves_stop_flag;

static inline bool ves_stopping(void) {
  return atomic_load_explicit(&ves_stop_flag, memory_order_relaxed);
}

/* Elements in a block, and where the block that begins at `from` ends, of n elements. */
enum { VES_BLOCK = 1 << 16 };

static inline size_t ves_block_end(size_t from, size_t n) {
  return n - from > VES_BLOCK ? from + VES_BLOCK : n;
}
#endif

#endif
