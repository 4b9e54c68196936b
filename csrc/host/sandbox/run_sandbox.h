/* run_sandbox: which files a script may touch. */
#ifndef RUN_SANDBOX_H
#define RUN_SANDBOX_H

#include "run_options.h"
#include "run_paths.h"
#include <stdbool.h>
#include <stdio.h>

typedef enum {
  RUN_READ,   /* below the project, the working directory or --out */
  RUN_MODULE, /* the same, and Lua files beside the script or installed on the system */
  RUN_WRITE   /* below --out, but not a journal */
} run_access;

/* From now on, in this process and its children, files are opened for scripts only where the
 * sandbox allows it. A script that is only asked for its parameters (vesicle params) may write
 * nowhere. Not to be undone. Returns false, with a message printed, if the places cannot be found.
 */
bool run_sandbox_begin(const run_options *options, const run_paths *paths);
bool run_sandbox_on(void);

/* A directory made for a script that may not need it. */
typedef struct {
  bool made;
  char path[PATH_MAX], first[PATH_MAX]; /* the directory, and the first of its parents made */
} run_sandbox_place;

/* Makes the directory --out and its parents, as far as they are missing: the kernel's fence needs
 * it to be there. run_sandbox_tidy removes those that were made and are still empty. */
void run_sandbox_prepare(run_sandbox_place *place, const char *out);
void run_sandbox_tidy(const run_sandbox_place *place);

/* Calls `visit` with each directory of the sandbox and with the script, for the kernel's own fence.
 */
void run_sandbox_visit(void (*visit)(void *context, const char *path, run_access access),
                       void *context);

/* Whether the path lies where the sandbox allows this access; it need not exist. Always true
 * outside a sandbox. False with errno = EACCES. */
bool run_sandbox_allows(const char *path, run_access access);
/* The same for a journal of replicates: a file NAME.sqlite below --out. */
bool run_sandbox_allows_journal(const char *path);

/* fopen, remove and rename within the sandbox, whatever `..` and symbolic links say. NULL or false
 * with errno set: EACCES if the sandbox forbids it. Only regular files and directories are opened.
 * `mode` is fopen's, and valid. */
FILE *run_sandbox_fopen(const char *path, const char *mode, run_access access);
bool run_sandbox_remove(const char *path);
bool run_sandbox_rename(const char *from, const char *to);
/* A new empty file below --out; its name, PATH_MAX bytes, if `name` is not NULL, else it has none
 * any more. */
FILE *run_sandbox_temporary(char *name);

/* What to say when errno is EACCES. */
const char *run_sandbox_reason(run_access access);

#endif
