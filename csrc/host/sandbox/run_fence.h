/* run_fence: the operating system's own fence around a sandboxed script. */
#ifndef RUN_FENCE_H
#define RUN_FENCE_H

#include <stdbool.h>

/* From now on, for this process and those it starts, and not to be undone: files are written and
 * read only in the places of the sandbox (Landlock); programs cannot be started, connections made
 * or other processes touched (seccomp). `ranks`: this is one of several ranks of an MPI job, which
 * keep files and connections. What the kernel does not offer is left out: run_sandbox does not rely
 * on it. Does nothing outside a sandbox. */
void run_fence_begin(bool ranks);

#endif
