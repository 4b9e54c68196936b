/* run_limits: the memory a script may use.
 *
 * Memory is limited twice: Lua's allocator refuses to grow past the limit, which a script meets as
 * an ordinary error, "not enough memory", and the address space of the process ends a little
 * further on, for what is allocated outside Lua. Each process has the limit to itself.
 */
#include "run_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB   ((uint64_t)1 << 20)
#define SLACK (64 * MIB) /* for what is no data: stacks, libraries, pages of the journal */

static uint64_t limit = 0; /* bytes */
static uint64_t used = 0;  /* by Lua, in all states */

/* Three quarters of the memory this process could have: the machine's, or its control group's. */
static uint64_t default_limit(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 1024 * MIB;
  FILE *file = fopen("/sys/fs/cgroup/memory.max", "r");
  unsigned long long group = 0;
  if (file != NULL) {
    if (fscanf(file, "%20llu", &group) == 1 && group > 0 && group < bytes) bytes = group;
    fclose(file);
  }
  return bytes / 4 * 3;
}

void run_limits_begin(const run_options *options) {
  limit = options->max_memory > 0 ? options->max_memory : default_limit();
}

/* Lua's allocator. Shrinking never fails, as Lua requires. */
static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
  (void)context;
  if (block == NULL) old_size = 0;
  if (new_size > old_size && (new_size - old_size > limit || used > limit - (new_size - old_size)))
    return NULL;
  if (new_size == 0) {
    free(block);
    used -= old_size;
    return NULL;
  }
  void *moved = realloc(block, new_size);
  if (moved != NULL) used += new_size - old_size;
  return moved;
}

void run_limits_watch(lua_State *L) {
  if (limit == 0) return;
  used += (uint64_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (uint64_t)lua_gc(L, LUA_GCCOUNTB);
  lua_setallocf(L, allocate, NULL);
}

/* The address space of this process, in bytes. */
static uint64_t address_space(void) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%20llu", &pages) != 1) pages = 0;
  fclose(file);
  return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void run_limits_enforce(void) {
  const uint64_t present = address_space();
  struct rlimit space;
  if (limit == 0 || present == 0 || getrlimit(RLIMIT_AS, &space) != 0) return;
  const rlim_t wanted = (rlim_t)(present + limit + SLACK);
  if (space.rlim_cur == RLIM_INFINITY || space.rlim_cur > wanted) {
    space.rlim_cur = wanted;
    setrlimit(RLIMIT_AS, &space);
  }
}

const char *run_limits_hint(const char *message) {
  static char hint[128];
  hint[0] = '\0';
  if (limit > 0 && message != NULL &&
      (strstr(message, "not enough memory") != NULL || strstr(message, "out of memory") != NULL))
    snprintf(hint, sizeof hint, "the script may use %llu MB in each process (--max-memory)",
             (unsigned long long)(limit / MIB));
  return hint;
}
