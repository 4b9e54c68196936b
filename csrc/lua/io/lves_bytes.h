/* lves_bytes: numbers as bytes, little-endian whatever the machine; doubles as their IEEE bits. */
#ifndef LVES_BYTES_H
#define LVES_BYTES_H

#include <stdint.h>
#include <string.h>

/* The lowest `size` bytes of a word. */
static inline void lves_put_bits(unsigned char *out, uint64_t bits, size_t size) {
  for (size_t i = 0; i < size; i++) out[i] = (unsigned char)(bits >> 8 * i);
}

static inline uint64_t lves_get_bits(const unsigned char *bytes, size_t size) {
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++) bits |= (uint64_t)bytes[i] << 8 * i;
  return bits;
}

static inline void lves_put_double(unsigned char out[8], double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  lves_put_bits(out, bits, sizeof bits);
}

static inline double lves_get_double(const unsigned char bytes[8]) {
  const uint64_t bits = lves_get_bits(bytes, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

#endif
