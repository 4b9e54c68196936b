/* run_memory_limit: the memory a script may use.
 *
 * Memory is limited twice: Lua's allocator refuses to grow past the limit, which a script meets as
 * an ordinary error, "not enough memory", and the address space of the process ends a little
 * further on, for what is allocated outside Lua. Each process has the limit to itself. */
#include "run_memory_limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB   ((uint64_t)1 << 20)
#define SLACK (64 * MIB) /* for what is no data: stacks, libraries, pages of the journal */

static uint64_t limit = 0; /* bytes */
static uint64_t used = 0;  /* by Lua, in all states */

/* The number a file of the kernel begins with; 0 if there is none. */
static uint64_t number_in(const char *path) {
  char text[64] = "";
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  if (fgets(text, sizeof text, file) == NULL) text[0] = '\0';
  fclose(file);
  return (uint64_t)strtoull(text, NULL, 10);
}

/* Three quarters of the memory this process could have: the machine's, or its control group's. */
static uint64_t default_limit(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 1024 * MIB;
  const uint64_t group = number_in("/sys/fs/cgroup/memory.max"); /* or "max" */
  if (group > 0 && group < bytes) bytes = group;
  return bytes / 4 * 3;
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

void run_memory_limit_watch(lua_State *L) {
  if (limit == 0) return;
  used += (uint64_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (uint64_t)lua_gc(L, LUA_GCCOUNTB);
  lua_setallocf(L, allocate, NULL);
}

void run_memory_limit_begin(uint64_t bytes) {
  limit = bytes > 0 ? bytes : default_limit();
  const uint64_t present = number_in("/proc/self/statm") * (uint64_t)sysconf(_SC_PAGESIZE);
  struct rlimit space;
  if (present == 0 || getrlimit(RLIMIT_AS, &space) != 0) return;
  const rlim_t wanted = (rlim_t)(present + limit + SLACK);
  if (space.rlim_cur == RLIM_INFINITY || space.rlim_cur > wanted) {
    space.rlim_cur = wanted;
    setrlimit(RLIMIT_AS, &space);
  }
}

const char *run_memory_limit_hint(const char *message) {
  static char hint[128];
  hint[0] = '\0';
  if (limit > 0 && message != NULL &&
      (strstr(message, "not enough memory") != NULL || strstr(message, "out of memory") != NULL))
    snprintf(hint, sizeof hint, "the script may use %llu MB in each process (--max-memory)",
             (unsigned long long)(limit / MIB));
  return hint;
}
