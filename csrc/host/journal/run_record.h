/* run_record: one finished replicate as a self-contained record.
 *
 * A record carries its own mark, key, index and checksum, so that it can be trusted, or found
 * again, without anything around it: in a row of the journal, in a message between processes, or in
 * the raw bytes of a damaged file.
 *
 *     mark      16   "vesicle record 1"
 *     key       32   of the phase: what the result depends on besides the index (see run_phase)
 *     index      8   of the replicate, from 1; 0 is the description of the phase
 *     lengths  8+8   of the two parts that follow
 *     inputs         lines "sha256  path" of the files read while it ran
 *     value          the packed result (run_pack), or the text of a description
 *     checksum  16   the first half of the SHA-256 of all that */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

#include "run_bytes.h"
#include "run_sha256.h"

#define RUN_RECORD_MARK     "vesicle record 1"
#define RUN_RECORD_HEAD     72
#define RUN_RECORD_CHECKSUM 16

/* Points into the bytes it was parsed from. */
typedef struct {
  const uint8_t *key;
  uint64_t index;
  const char *inputs;
  size_t inputs_length;
  const uint8_t *value;
  size_t value_length;
} run_record;

/* The record, appended to out; false if out of memory. */
bool run_record_make(const run_record *record, run_bytes *out);

/* The length a record claims to have, from its first RUN_RECORD_HEAD bytes; 0 if the mark is not
 * there or the lengths make no sense (beyond `most`). */
uint64_t run_record_length(const uint8_t *head, uint64_t most);

/* Parses exactly `length` bytes; false if they are not a whole record with the right checksum. */
bool run_record_parse(const uint8_t *bytes, size_t length, run_record *record);

#endif
