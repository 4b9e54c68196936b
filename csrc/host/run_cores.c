/* run_cores: how many processors this process may use: those a batch system or taskset has left it,
 * not those of the machine. */
#define _GNU_SOURCE /* sched_getaffinity; NOLINT(bugprone-reserved-identifier) */
#include "run_cores.h"

#include <sched.h>
#include <unistd.h>

long run_cores(void) {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online;
}
