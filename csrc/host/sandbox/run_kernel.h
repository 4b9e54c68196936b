/* run_kernel: the kernel's own fence around a sandboxed script. */
#ifndef RUN_KERNEL_H
#define RUN_KERNEL_H

/* From now on, for this process and those it starts, and not to be undone: files are written only
 * below --out and read only in the places of the sandbox (Landlock); programs cannot be started,
 * nor connections made, nor other processes touched (seccomp). What the kernel does not offer is
 * left out: run_sandbox and run_doors do not rely on it. */
void run_kernel_fence(void);

#endif
