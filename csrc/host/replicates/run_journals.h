/* run_journals: the journals a process has open, and what to say when one fails. */
#ifndef RUN_JOURNALS_H
#define RUN_JOURNALS_H

#include "run_journal.h"
#include "run_options.h"
#include <lua.h>

/* A journal in use; it stays open until the process ends. */
typedef struct run_journals_entry run_journals_entry;

/* The journal DIR/NAME.sqlite, opened if this process has not done so, its directory made if missing.
 * Raises a stop if it cannot be had, or may not in the sandbox. On ranks other than 0 it is a
 * temporary one. */
run_journals_entry *run_journals_get(lua_State *L, const run_options *options, const char *dir,
                                     const char *name);

/* The connection of this process: a worker that looks at earlier results opens its own, since
 * SQLite's do not survive a fork. */
run_journal *run_journals_connection(lua_State *L, run_journals_entry *entry);

/* What a status leads to: the exit code, and what the user can do. */
int run_journals_exit_code(run_journal_status status);
const char *run_journals_advice(run_journal_status status);
/* Ends the run with the journal's message. */
_Noreturn void run_journals_raise(lua_State *L, const run_journal *journal,
                                  run_journal_status status);

#endif
