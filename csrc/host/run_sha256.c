/* run_sha256: digests of pieces and of files, by libmd. Its own SHA256File would wait at a pipe and
 * read a device without end, so files are opened here. */
#include "run_sha256.h"

#include "ves_stop.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void run_sha256_of(const void *bytes, size_t length, char hex[2 * RUN_SHA256_SIZE + 1]) {
  uint8_t digest[RUN_SHA256_SIZE];
  SHA2_CTX hash;
  SHA256Init(&hash);
  SHA256Update(&hash, bytes, length);
  SHA256Final(digest, &hash);
  run_sha256_hex(digest, hex);
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
  SHA2_CTX hash;
  SHA256Init(&hash);
  uint8_t chunk[16384];
  while (good) {
    if (ves_stopping()) {
      errno = EINTR;
      good = false;
      break;
    }
    const ssize_t n = read(fd, chunk, sizeof chunk);
    if (n == 0) break;
    if (n > 0)
      SHA256Update(&hash, chunk, (size_t)n);
    else
      good = errno == EINTR;
  }
  const int saved = errno;
  close(fd);
  errno = saved;
  if (good) SHA256Final(digest, &hash);
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
