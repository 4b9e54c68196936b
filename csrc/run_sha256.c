/* run_sha256: SHA-256 (FIPS 180-4). The journal needs a hash that no accident can fool, over inputs
 * of megabytes; the plain form is fast enough for that. */
#include "run_sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void absorb_block(uint32_t state[8], const uint8_t *block) {
  uint32_t w[64];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    const uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 64; i++) {
    const uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
    const uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void run_sha256_init(run_sha256 *hash) {
  static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(hash->state, initial, sizeof initial);
  hash->length = 0;
}

void run_sha256_add(run_sha256 *hash, const void *bytes, size_t length) {
  const uint8_t *p = bytes;
  while (length > 0) {
    const size_t used = (size_t)(hash->length % 64);
    if (used == 0 && length >= 64) {
      absorb_block(hash->state, p);
      p += 64, length -= 64, hash->length += 64;
      continue;
    }
    const size_t take = length < 64 - used ? length : 64 - used;
    memcpy(hash->block + used, p, take);
    p += take, length -= take, hash->length += take;
    if (hash->length % 64 == 0) absorb_block(hash->state, hash->block);
  }
}

void run_sha256_end(run_sha256 *hash, uint8_t digest[RUN_SHA256_SIZE]) {
  const uint64_t bits = hash->length * 8;
  const uint8_t one = 0x80, zero = 0;
  run_sha256_add(hash, &one, 1);
  while (hash->length % 64 != 56) run_sha256_add(hash, &zero, 1);
  uint8_t tail[8];
  for (int i = 0; i < 8; i++) tail[i] = (uint8_t)(bits >> (56 - 8 * i));
  run_sha256_add(hash, tail, sizeof tail);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

void run_sha256_of(const void *bytes, size_t length, uint8_t digest[RUN_SHA256_SIZE]) {
  run_sha256 hash;
  run_sha256_init(&hash);
  run_sha256_add(&hash, bytes, length);
  run_sha256_end(&hash, digest);
}

bool run_sha256_file(const char *path, uint8_t digest[RUN_SHA256_SIZE]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat status;
  bool good = fstat(fd, &status) == 0;
  if (good && !S_ISREG(status.st_mode)) {
    errno = EINVAL;
    good = false;
  }
  run_sha256 hash;
  run_sha256_init(&hash);
  uint8_t chunk[16384];
  while (good) {
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n == 0) break;
    if (n > 0)
      run_sha256_add(&hash, chunk, (size_t)n);
    else
      good = errno == EINTR;
  }
  const int saved = errno;
  close(fd);
  errno = saved;
  if (good) run_sha256_end(&hash, digest);
  return good;
}

void run_sha256_hex(const uint8_t digest[RUN_SHA256_SIZE], char hex[2 * RUN_SHA256_SIZE + 1]) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < RUN_SHA256_SIZE; i++) {
    hex[2 * i] = digits[digest[i] >> 4];
    hex[2 * i + 1] = digits[digest[i] & 15];
  }
  hex[2 * RUN_SHA256_SIZE] = '\0';
}
