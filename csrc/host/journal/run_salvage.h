/* run_salvage: records out of the raw bytes of a damaged journal. */
#ifndef RUN_SALVAGE_H
#define RUN_SALVAGE_H

#include "run_record.h"

#define RUN_JOURNAL_PAGE 16384 /* bytes of a page of the journal's file */

/* Calls `found` with every whole record in the file; it returns false to stop. Returns false with
 * errno set if the file cannot be read, or if stopped. */
typedef bool (*run_salvage_found)(void *context, const run_record *record, const uint8_t *bytes,
                                  size_t length);
bool run_salvage_scan(const char *path, run_salvage_found found, void *context);

#endif
