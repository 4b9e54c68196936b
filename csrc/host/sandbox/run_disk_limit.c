/* run_disk_limit: the room on disk a script may take.
 *
 * The kernel limits the size of one file, not of many. So whoever supervises a script looks at how
 * much is free: what others write meanwhile counts too, which a limit of half the free room can
 * afford. */
#include "run_disk_limit.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

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
}

static struct rlimit before; /* what the process had, if another was applied */
static bool applied = false;

void run_disk_limit_apply(const run_disk_limit *limit) {
  struct rlimit size;
  struct stat status;
  uint64_t most = 0; /* that a file had before into which the streams lead */
  if (limit->bytes == 0 || getrlimit(RLIMIT_FSIZE, &size) != 0) return;
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size > most)
      most = (uint64_t)status.st_size;
  if (size.rlim_cur <= most + limit->bytes) return;
  before = size;
  size.rlim_cur = most + limit->bytes;
  applied = setrlimit(RLIMIT_FSIZE, &size) == 0;
}

void run_disk_limit_lift(void) {
  if (applied) setrlimit(RLIMIT_FSIZE, &before);
}

bool run_disk_limit_set(const run_disk_limit *limit) { return limit->bytes > 0; }

bool run_disk_limit_passed(const run_disk_limit *limit) {
  uint64_t room = 0, files = 0;
  return limit->bytes > 0 && look(limit->path, &room, &files) &&
         (room < limit->least || files < limit->files);
}
