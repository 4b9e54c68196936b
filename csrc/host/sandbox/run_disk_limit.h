/* run_disk_limit: the room on disk a script may take. */
#ifndef RUN_DISK_LIMIT_H
#define RUN_DISK_LIMIT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  char path[PATH_MAX];
  uint64_t bytes; /* 0: no limit */
  uint64_t least; /* bytes that must stay free */
  uint64_t files; /* and files that can still be made */
} run_disk_limit;

/* So many bytes may be written below a directory, and half of all files that can be made there; 0
 * bytes: half of what is free. Without such a directory there is no limit. */
void run_disk_limit_begin(run_disk_limit *limit, const char *path, uint64_t bytes);

/* From now on no file of this process and those it starts may grow larger, unless standard output or
 * error leads to one that was large before: it may grow by as much. _lift ends that, so that what the
 * program itself has to say is not cut. */
void run_disk_limit_apply(const run_disk_limit *limit);
void run_disk_limit_lift(void);

bool run_disk_limit_set(const run_disk_limit *limit);
bool run_disk_limit_passed(const run_disk_limit *limit);

#endif
