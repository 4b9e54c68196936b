/* lves_buffer: bytes that grow at their end. */
#ifndef LVES_BUFFER_H
#define LVES_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Owned by whoever initialised it with {0}; release with lves_buffer_free. */
typedef struct {
  char *data;
  size_t length, capacity;
} lves_buffer;

/* Makes room for `more` bytes after the present ones; false if out of memory. */
bool lves_buffer_reserve(lves_buffer *bytes, size_t more);
bool lves_buffer_add(lves_buffer *bytes, const void *data, size_t length);
void lves_buffer_free(lves_buffer *bytes);

#endif
