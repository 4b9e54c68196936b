/* run_disk_limit: the room on disk a script may take.
 *
 * The kernel limits the size of one file, not of many. So whoever supervises a script looks at how
 * much is free: what others write meanwhile counts too, which a limit of half the free room can
 * afford. */
#include "run_disk_limit.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

static bool look(const char *path, uint64_t *bytes, uint64_t *files) {
  struct statvfs disk;
  if (statvfs(path, &disk) != 0) return false;
  *bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
  *files = (uint64_t)disk.f_favail;
  return true;
}

void run_disk_limit_begin(run_disk_limit *limit, const char *path, uint64_t bytes) {
  uint64_t room = 0, files = 0;
  *limit = (run_disk_limit){0};
  if (snprintf(limit->path, sizeof limit->path, "%s", path) >= (int)sizeof limit->path) return;
  if (!look(path, &room, &files)) return;
  limit->bytes = bytes > 0 ? bytes : room / 2 + 1;
  limit->least = room > limit->bytes ? room - limit->bytes : 0;
  limit->files = files / 2;
  struct rlimit size;
  if (getrlimit(RLIMIT_FSIZE, &size) != 0 || size.rlim_cur <= limit->bytes) return;
  size.rlim_cur = limit->bytes;
  setrlimit(RLIMIT_FSIZE, &size);
}

bool run_disk_limit_set(const run_disk_limit *limit) { return limit->bytes > 0; }

bool run_disk_limit_passed(const run_disk_limit *limit) {
  uint64_t room = 0, files = 0;
  return limit->bytes > 0 && look(limit->path, &room, &files) &&
         (room < limit->least || files < limit->files);
}
