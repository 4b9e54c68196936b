/* run_inspect: `vesicle journal show|verify|prune`. */
#ifndef RUN_INSPECT_H
#define RUN_INSPECT_H

#include <stdbool.h>

/* `path` is a journal or a directory of journals. Prints to stdout, failures to stderr; returns an
 * exit code. */
int run_inspect(const char *action, const char *path, bool dry_run);

#endif
