/* run_results: the results of a phase, read from the journal on demand. */
#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "run_journals.h"

/* Makes the class; once per state. */
void run_results_register(lua_State *L);

/* Pushes the results 1 to n of the phase with this key: results:get(i, field) is the result of
 * replicate i, or one field of it, nil if there is no such. */
void run_results_push(lua_State *L, run_journals_entry *journal, const char *key, uint64_t n);

#endif
