/* run_bytes: a growing buffer, and numbers in one byte order (little-endian) whatever the machine.
 */
#ifndef RUN_BYTES_H
#define RUN_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owned by whoever initialised it with {0}; release with run_bytes_free. */
typedef struct {
  uint8_t *data;
  size_t length, capacity;
} run_bytes;

/* Makes room for `more` bytes after the present ones; false if out of memory. */
bool run_bytes_reserve(run_bytes *bytes, size_t more);
bool run_bytes_add(run_bytes *bytes, const void *data, size_t length);
bool run_bytes_add_u64(run_bytes *bytes, uint64_t value);
void run_bytes_free(run_bytes *bytes);

void run_put_u64(uint8_t *at, uint64_t value);
uint64_t run_get_u64(const uint8_t *at);

#endif
