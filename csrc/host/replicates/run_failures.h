/* run_failures: failed replicates, told by what went wrong. */
#ifndef RUN_FAILURES_H
#define RUN_FAILURES_H

#include "run_phase.h"

/* Sorts them so that those with the same message stand together, in the order of the first of
 * each; then by index. */
void run_failures_group(run_failure *failures, size_t n);
/* How many at the front, at least one of n > 0, have the same message. */
size_t run_failures_alike(const run_failure *failures, size_t n);
/* Sorts them by index alone. */
void run_failures_sort(run_failure *failures, size_t n);

/* Their indices, which rise, as "1-4, 7, 9"; ends in ", ..." where the text has no room for more.
 */
void run_failures_list(const run_failure *failures, size_t n, char *text, size_t size);

#endif
