/* run_record: making and checking records. */
#include "run_record.h"

#include <string.h>

static void checksum(const uint8_t *bytes, size_t length, uint8_t sum[RUN_RECORD_CHECKSUM]) {
  uint8_t digest[RUN_SHA256_SIZE];
  run_sha256_of(bytes, length, digest);
  memcpy(sum, digest, RUN_RECORD_CHECKSUM);
}

bool run_record_make(const run_record *record, run_bytes *out) {
  const size_t start = out->length;
  uint8_t sum[RUN_RECORD_CHECKSUM];
  const bool good =
      run_bytes_add(out, RUN_RECORD_MARK, 16) && run_bytes_add(out, record->key, RUN_SHA256_SIZE) &&
      run_bytes_add_u64(out, record->index) && run_bytes_add_u64(out, record->inputs_length) &&
      run_bytes_add_u64(out, record->value_length) &&
      run_bytes_add(out, record->inputs, record->inputs_length) &&
      run_bytes_add(out, record->value, record->value_length);
  if (!good) return false;
  checksum(out->data + start, out->length - start, sum);
  return run_bytes_add(out, sum, sizeof sum);
}

uint64_t run_record_length(const uint8_t *head, uint64_t most) {
  if (memcmp(head, RUN_RECORD_MARK, 16) != 0) return 0;
  const uint64_t inputs = run_get_u64(head + 56), value = run_get_u64(head + 64);
  const uint64_t fixed = RUN_RECORD_HEAD + RUN_RECORD_CHECKSUM;
  if (most < fixed || inputs > most - fixed || value > most - fixed - inputs) return 0;
  return fixed + inputs + value;
}

bool run_record_parse(const uint8_t *bytes, size_t length, run_record *record) {
  if (length < RUN_RECORD_HEAD + RUN_RECORD_CHECKSUM) return false;
  if (run_record_length(bytes, length) != length) return false;
  uint8_t sum[RUN_RECORD_CHECKSUM];
  checksum(bytes, length - RUN_RECORD_CHECKSUM, sum);
  if (memcmp(sum, bytes + length - RUN_RECORD_CHECKSUM, sizeof sum) != 0) return false;
  record->key = bytes + 16;
  record->index = run_get_u64(bytes + 48);
  record->inputs_length = (size_t)run_get_u64(bytes + 56);
  record->value_length = (size_t)run_get_u64(bytes + 64);
  record->inputs = (const char *)bytes + RUN_RECORD_HEAD;
  record->value = bytes + RUN_RECORD_HEAD + record->inputs_length;
  return true;
}
