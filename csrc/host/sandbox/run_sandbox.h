/* run_sandbox: which files a script may touch. */
#ifndef RUN_SANDBOX_H
#define RUN_SANDBOX_H

#include "run_options.h"
#include "run_paths.h"
#include <stdbool.h>
#include <stdio.h>

/* What may be done with a file. */
typedef enum {
  RUN_READ = 1,   /* read it as data */
  RUN_MODULE = 2, /* load it as Lua code */
  RUN_WRITE = 4,  /* make, change, rename or remove it */
  RUN_JOURNAL = 8 /* keep replicates in it */
} run_access;

/* A file or directory, links resolved, and the accesses it is open to (a sum of run_access). */
typedef struct {
  char path[PATH_MAX];
  unsigned allows;
} run_place;

/* From now on, in this process and its children, files are opened for scripts only in the places
 * the policy names (see run_sandbox.c). Not to be undone. Returns false, with a message printed, if
 * they cannot be found. */
bool run_sandbox_begin(const run_options *options, const run_paths *paths);
bool run_sandbox_on(void);

/* The places of the sandbox, *count of them; none outside one. */
const run_place *run_sandbox_places(size_t *count);

/* Makes the directory --out before the sandbox begins: the kernel's fence needs it to be there.
 * run_sandbox_tidy removes those directories that were made and are still empty. */
void run_sandbox_prepare(const char *out);
void run_sandbox_tidy(const char *out);
/* The errno with which that failed, or 0. */
int run_sandbox_out_error(void);

/* Whether the sandbox allows this access to a file that is there. Always true outside a sandbox.
 * False with errno set. */
bool run_sandbox_allows(const char *path, run_access access);
/* The same for a journal of replicates, a file NAME.sqlite below --out, which need not exist. */
bool run_sandbox_allows_journal(const char *path);

/* open, fopen, remove, rename and making a directory with its parents, within the sandbox, whatever
 * `..` and symbolic links say. -1, NULL or false with errno set: EACCES if the sandbox forbids it.
 * What is opened for writing needs RUN_WRITE, whatever `access` says. In a sandbox only regular
 * files and directories are opened. `mode` is fopen's, and valid. */
int run_sandbox_open(const char *path, int flags, run_access access);
FILE *run_sandbox_fopen(const char *path, const char *mode, run_access access);
bool run_sandbox_remove(const char *path);
bool run_sandbox_rename(const char *from, const char *to);
bool run_sandbox_make_directories(const char *path);

/* Makes a new empty file below --out; false with errno set. */
bool run_sandbox_temporary(char name[PATH_MAX]);

/* The name under which the script keeps and writes results, NULL outside a sandbox. Whether `out` is
 * the directory --out, and `name` is this one or that of its sweeps; always true outside a sandbox. */
const char *run_sandbox_name(void);
bool run_sandbox_owns(const char *out, const char *name);
/* What to say when it does not, after the place. */
const char *run_sandbox_not_own(void);

/* Whether the last of the functions above that failed did so because the sandbox forbids it, and not
 * the file system; and what to say then. */
bool run_sandbox_refused(void);
const char *run_sandbox_reason(run_access access);
/* Whether errno says that the process lacks memory or descriptors: nothing is known of the file. */
bool run_sandbox_short(void);

#endif
