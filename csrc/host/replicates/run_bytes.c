/* run_bytes: a growing buffer, and numbers in one byte order. */
#include "run_bytes.h"

#include <stdlib.h>
#include <string.h>

bool run_bytes_reserve(run_bytes *bytes, size_t more) {
  if (more <= bytes->capacity - bytes->length) return true;
  if (more > SIZE_MAX / 4 - bytes->length) return false;
  size_t capacity = bytes->capacity < 256 ? 256 : bytes->capacity;
  while (capacity - bytes->length < more) capacity *= 2;
  uint8_t *data = realloc(bytes->data, capacity);
  if (data == NULL) return false;
  bytes->data = data;
  bytes->capacity = capacity;
  return true;
}

bool run_bytes_add(run_bytes *bytes, const void *data, size_t length) {
  if (!run_bytes_reserve(bytes, length)) return false;
  if (length > 0) memcpy(bytes->data + bytes->length, data, length);
  bytes->length += length;
  return true;
}

bool run_bytes_add_u64(run_bytes *bytes, uint64_t value) {
  uint8_t word[8];
  run_put_u64(word, value);
  return run_bytes_add(bytes, word, sizeof word);
}

void run_bytes_free(run_bytes *bytes) {
  free(bytes->data);
  *bytes = (run_bytes){0};
}

void run_put_u64(uint8_t *at, uint64_t value) {
  for (int i = 0; i < 8; i++) at[i] = (uint8_t)(value >> (8 * i));
}

uint64_t run_get_u64(const uint8_t *at) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
  return value;
}
