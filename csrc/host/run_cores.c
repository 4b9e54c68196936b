/* run_cores: how many processors this process may use: those a batch system or taskset has left it,
 * not those of the machine. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity; NOLINT(bugprone-reserved-identifier) */
#endif
#include "run_cores.h"

#ifdef __linux__
#include <sched.h>
#endif
#include <unistd.h>

long run_cores(void) {
#ifdef __linux__
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
#endif
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online;
}
