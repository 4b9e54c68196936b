/* run_sha256: SHA-256 (FIPS 180-4), for the keys and checksums of the journal. libmd computes it;
 * here are the forms in which the host asks for it. */
#ifndef RUN_SHA256_H
#define RUN_SHA256_H

#include <sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUN_SHA256_SIZE SHA256_DIGEST_LENGTH

/* The digest of one piece, in hexadecimal. */
void run_sha256_of(const void *bytes, size_t length, char hex[2 * RUN_SHA256_SIZE + 1]);

/* The digest of a regular file; false with errno set if it cannot be read, is not
 * regular, or the process was asked to stop. */
bool run_sha256_file(const char *path, uint8_t digest[RUN_SHA256_SIZE]);

/* Lower-case hexadecimal, with its terminating zero. */
void run_sha256_hex(const uint8_t digest[RUN_SHA256_SIZE], char hex[2 * RUN_SHA256_SIZE + 1]);

#endif
