/* die_at: preloaded into the program, kills it before the DIE_AT-th of the calls that change
 * directories or flush a file, so that a test can stop a publication between any two of its steps. */
#define _GNU_SOURCE /* RTLD_NEXT; NOLINT(bugprone-reserved-identifier) */
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int calls = 0;

static void step(void) {
  const char *at = getenv("DIE_AT");
  if (at != NULL && ++calls == atoi(at)) kill(getpid(), SIGKILL);
}

int renameat(int from, const char *old, int to, const char *new) {
  step();
  return (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

int unlinkat(int dir, const char *name, int flags) {
  step();
  return (int)syscall(SYS_unlinkat, dir, name, flags);
}

int mkdirat(int dir, const char *name, mode_t mode) {
  step();
  return (int)syscall(SYS_mkdirat, dir, name, mode);
}

int fsync(int fd) {
  step();
  return (int)syscall(SYS_fsync, fd);
}
