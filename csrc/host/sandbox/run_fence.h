/* run_fence: the operating system's own fence around a sandboxed script. */
#ifndef RUN_FENCE_H
#define RUN_FENCE_H

/* From now on, for this process and those it starts, and not to be undone: files are written and
 * read only in the places of the sandbox (Landlock); programs cannot be started, connections made
 * or other processes touched (seccomp). The directories in the array `own`, NULL after the last,
 * are for the program itself. What the kernel does not offer is left out: run_sandbox does not rely
 * on it. Does nothing outside a sandbox. */
void run_fence_begin(const char *const *own);

#endif
