/* run_journals: the journals a process has open, and what to say when one fails. */
#include "run_journals.h"

#include "run_mpi.h"
#include "run_sandbox.h"
#include "run_stop.h"
#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run_journals_entry {
  run_journals_entry *next;
  run_journal *journal;
  pid_t owner; /* the process whose connection it is */
  char path[]; /* as it was asked for */
};

static run_journals_entry *entries = NULL;

int run_journals_exit_code(run_journal_status status) {
  const bool again =
      status == RUN_JOURNAL_FULL || status == RUN_JOURNAL_BUSY || status == RUN_JOURNAL_DAMAGED;
  return again ? RUN_INTERRUPTED : RUN_SCRIPT_ERROR;
}

const char *run_journals_advice(run_journal_status status) {
  if (status == RUN_JOURNAL_FULL) return "; make room, then run the same command again to go on";
  if (status == RUN_JOURNAL_DAMAGED) return "; run the same command again: it will be set aside";
  return status == RUN_JOURNAL_DENIED ? "; choose another place with --out DIR" : "";
}

_Noreturn void run_journals_raise(lua_State *L, const run_journal *journal,
                                  run_journal_status status) {
  run_stop(L, run_journals_exit_code(status), "%s%s",
           journal != NULL && run_journal_message(journal)[0] != '\0' ? run_journal_message(journal)
                                                                      : "not enough memory",
           run_journals_advice(status));
}

/* Passes on what the journal has to say, once. */
static void notify(run_journal *journal, const run_options *options) {
  const char *notice = run_journal_message(journal);
  const bool company = strncmp(notice, "another run is using", 20) == 0;
  if (company && options->command == RUN_COMMAND_POINT) return; /* the other points */
  if (notice[0] != '\0') fprintf(stderr, "vesicle: %s\n", notice);
}

run_journals_entry *run_journals_get(lua_State *L, const run_options *options, const char *dir,
                                     const char *name) {
  const char *path = lua_pushfstring(L, "%s/%s.sqlite", dir, name); /* stays on the stack */
  run_journals_entry *entry = entries;
  while (entry != NULL && strcmp(entry->path, path) != 0) entry = entry->next;
  if (entry != NULL) return entry;
  const bool temporary = run_mpi_rank() > 0;
  /* In a sandbox --out was made before, and no script makes another. */
  if (!temporary && access(dir, F_OK) != 0 &&
      (run_sandbox_on() || !run_sandbox_make_directories(dir)))
    run_stop(L, RUN_SCRIPT_ERROR, "cannot make the directory %s: %s%s", dir,
             strerror(run_sandbox_out_error() != 0 ? run_sandbox_out_error() : errno),
             run_journals_advice(RUN_JOURNAL_DENIED));
  if (!run_sandbox_owns(dir, name))
    run_stop(L, RUN_SCRIPT_ERROR, "%s %s", path, run_sandbox_not_own());
  if (!temporary && !run_sandbox_allows_journal(path))
    run_stop(L, RUN_SCRIPT_ERROR, "%s is %s", path, run_sandbox_reason(RUN_WRITE));
  entry = calloc(1, sizeof *entry + strlen(path) + 1);
  if (entry == NULL) {
    luaL_error(L, "not enough memory");
    return NULL; /* luaL_error does not return */
  }
  memcpy(entry->path, path, strlen(path) + 1);
  const run_journal_status status =
      run_journal_open(temporary ? NULL : path, RUN_JOURNAL_SHARE, &entry->journal);
  if (status != RUN_JOURNAL_OK) {
    lua_pushfstring(L, "%s%s",
                    entry->journal != NULL ? run_journal_message(entry->journal) : "out of memory",
                    run_journals_advice(status));
    run_journal_close(entry->journal);
    free(entry);
    run_stop(L, run_journals_exit_code(status), "%s", lua_tostring(L, -1));
  }
  notify(entry->journal, options);
  entry->owner = getpid();
  entry->next = entries;
  entries = entry;
  return entry;
}

run_journal *run_journals_connection(lua_State *L, run_journals_entry *entry) {
  if (entry->owner == getpid()) return entry->journal;
  run_journal *own = NULL;
  const run_journal_status status = run_journal_open(entry->path, RUN_JOURNAL_READ, &own);
  if (status != RUN_JOURNAL_OK) run_journals_raise(L, own, status);
  entry->journal = own;
  entry->owner = getpid();
  return own;
}
