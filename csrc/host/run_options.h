/* run_options: the command line, parsed and checked, before anything else happens. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit codes are part of the interface: scripts and make rules rely on them. */
enum { RUN_DONE = 0, RUN_SCRIPT_ERROR = 1, RUN_USAGE = 2, RUN_INTERRUPTED = 3, RUN_UNVERIFIED = 4 };

typedef enum {
  RUN_COMMAND_NONE, /* all is done: help was printed */
  RUN_COMMAND_VERSION,
  RUN_COMMAND_REPL,
  RUN_COMMAND_RUN,
  RUN_COMMAND_PARAMS,
  RUN_COMMAND_SWEEP,
  RUN_COMMAND_POINT, /* not to be typed: one point of a sweep */
  RUN_COMMAND_CLAIMS,
  RUN_COMMAND_JOURNAL
} run_command;

typedef struct {
  run_command command;
  const char *script; /* run, params, sweep: the script */
  const char *code;   /* what it says, if it is no file: standard input, or the text of -e */
  size_t code_size;
  const char *action; /* journal: show, verify or prune */
  const char *dir;    /* claims: the data directory; journal: that or a file; or NULL */
  const char *format; /* claims: text, tsv, latex or markdown */
  const char *id;     /* claims: one claim alone, or NULL */
  const char *out;    /* where experiments write, or NULL for the default */
  const char *scale;  /* "full" or "quick" */
  bool has_seed;
  int64_t seed;
  bool quiet;
  bool dry_run;               /* journal prune: only say what would be removed */
  long jobs;                  /* worker processes; 0: as many as there are cores */
  double timeout;             /* seconds a replicate may take; 0: any time */
  double point_timeout;       /* sweep: the same, for the replicates of its points */
  bool trust;                 /* no sandbox */
  double time_limit;          /* seconds the whole run may take; 0: any time */
  uint64_t max_memory;        /* bytes each process may use; 0: the default */
  uint64_t max_disk;          /* bytes a sandboxed script may write; 0: the default */
  uint64_t replicate;         /* compute this one alone; 0: all */
  const char *replicate_name; /* of which E:replicate call; NULL: the first */
  const char **set;           /* the key=value words of --set, in order */
  size_t n_set;
  const char **over; /* sweep: the key=values words of --over, as `set` */
  size_t n_over;
  const char *line; /* the command as it can be typed again, without --replicate */
} run_options;

#define RUN_JOBS_MAX 256

/* The name of a command, as typed. */
const char *run_options_command(run_command command);

/* What the command line asks for. The strings of *options belong to the Lua state that read it,
 * *reader, to be closed with lua_close when they are no longer needed. Returns RUN_DONE, or an exit
 * code after a message on stderr. */
struct lua_State;
struct run_paths;
int run_options_parse(int argc, char **argv, const struct run_paths *paths, run_options *options,
                      struct lua_State **reader);

#endif
