/* lves_buffer: bytes that grow at their end. */
#include "lves_buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool lves_buffer_reserve(lves_buffer *bytes, size_t more) {
  if (more <= bytes->capacity - bytes->length) return true;
  if (more > SIZE_MAX / 4 - bytes->length) return false;
  size_t capacity = bytes->capacity < 256 ? 256 : bytes->capacity;
  while (capacity - bytes->length < more) capacity *= 2;
  char *data = realloc(bytes->data, capacity);
  if (data == NULL) return false;
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

bool lves_buffer_add(lves_buffer *bytes, const void *data, size_t length) {
  if (!lves_buffer_reserve(bytes, length)) return false;
  if (length > 0) memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  return true;
}

void lves_buffer_free(lves_buffer *bytes) {
  free(bytes->data);
  *bytes = (lves_buffer){0};
}
