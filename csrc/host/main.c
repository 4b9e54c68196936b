/* vesicle: the program. It reads the command line and hands over; everything else is in run_*. */
#include "run_fence.h"
#include "run_inspect.h"
#include "run_memory_limit.h"
#include "run_mpi.h"
#include "run_options.h"
#include "run_paths.h"
#include "run_sandbox.h"
#include "run_signal.h"
#include "run_state.h"
#include "run_supervise.h"
#include "run_version.h"
#include <gsl/gsl_errno.h>
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>

/* The commands written in Lua: require(module).main(a, b, c) with the strings given. */
static int call_main(lua_State *L, const char *module, const char *const words[3]) {
  static const char chunk[] = "local module, a, b, c = ...; require(module).main(a, b, c)";
  if (luaL_loadstring(L, chunk) != LUA_OK) return RUN_SCRIPT_ERROR;
  lua_pushstring(L, module);
  for (int i = 0; i < 3; i++) lua_pushstring(L, words[i]);
  return run_state_call(L, 4);
}

static int journal(const run_options *options) {
  run_paths paths;
  if (options->dir == NULL && run_paths_find(&paths) != 0) return RUN_SCRIPT_ERROR;
  return run_inspect(options->action, options->dir != NULL ? options->dir : paths.data,
                     options->dry_run);
}

static bool runs_script(const run_options *options) {
  return options->command == RUN_COMMAND_RUN || options->command == RUN_COMMAND_PARAMS ||
         options->command == RUN_COMMAND_SWEEP;
}

/* Limits and sandbox of a command that runs a script. An MPI job has begun by now. */
static bool confine(const run_options *options, const run_paths *paths) {
  if (!options->trust && !run_sandbox_begin(options, paths)) return false;
  if (!options->trust || options->max_memory > 0) run_memory_limit_begin(options->max_memory);
  run_fence_begin(run_mpi_size() > 1);
  return true;
}

static int with_state(const run_options *options) {
  run_paths paths;
  if (run_paths_find(&paths) != 0) return RUN_SCRIPT_ERROR;
  if (runs_script(options) && !confine(options, &paths)) return RUN_SCRIPT_ERROR;
  lua_State *L = run_state_new(options, &paths);
  if (L == NULL) {
    fprintf(stderr, "vesicle: out of memory\n");
    return RUN_SCRIPT_ERROR;
  }
  int code = RUN_DONE;
  if (options->command == RUN_COMMAND_CLAIMS) {
    const char *const words[3] = {options->dir != NULL ? options->dir : paths.data, options->format,
                                  options->id};
    code = call_main(L, "vesicle.experiment.ledger", words);
  } else if (options->command == RUN_COMMAND_REPL) {
    code = call_main(L, "vesicle.prompt.repl", (const char *const[3]){NULL, NULL, NULL});
  } else if (options->command == RUN_COMMAND_SWEEP) {
    run_signal_install(L, run_mpi_rank() == 0);
    code = run_state_prepare(L, options->script);
    if (code == RUN_DONE)
      code = call_main(L, "vesicle.experiment.sweep",
                       (const char *const[3]){options->script, NULL, NULL});
  } else {
    run_signal_install(L, run_mpi_rank() == 0);
    code = run_state_script(L, options->script);
    if (code == RUN_DONE && options->command == RUN_COMMAND_PARAMS && !run_state_declared(L)) {
      fprintf(stderr, "vesicle: %s declares no experiment\n", options->script);
      code = RUN_SCRIPT_ERROR;
    }
  }
  lua_close(L);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("vesicle: standard output");
    if (code == RUN_DONE) code = RUN_SCRIPT_ERROR;
  }
  return code;
}

/* Everything after the command line has been read. */
static int work(void *context) {
  const run_options *options = context;
  int code = run_mpi_start();
  if (code != RUN_DONE) return code;
  gsl_set_error_handler_off();
  signal(SIGXFSZ, SIG_IGN); /* a file over its limit is an error of write(), not a death */
  switch (options->command) {
  case RUN_COMMAND_HELP: code = run_options_help(options->topic); break;
  case RUN_COMMAND_VERSION: run_version_print(); break;
  case RUN_COMMAND_JOURNAL: code = journal(options); break;
  default: code = with_state(options); break;
  }
  run_mpi_leave(code);
  return code;
}

/* A sandboxed script runs in a process that can be killed, and finds the directory it may write to;
 * if it does not write, that goes away again. */
static int supervise(run_options *options) {
  run_paths paths;
  const bool writes = !options->trust && options->command != RUN_COMMAND_PARAMS;
  if (run_paths_find(&paths) != 0) return RUN_SCRIPT_ERROR;
  if (writes) run_sandbox_prepare(run_paths_out(&paths, options));
  const int code = run_supervise(options->time_limit, work, options);
  if (writes) run_sandbox_tidy(run_paths_out(&paths, options));
  return code;
}

int main(int argc, char **argv) {
  run_options options;
  int code = run_options_parse(argc, argv, &options);
  if (code != RUN_DONE) return code;
  const bool sandboxed = runs_script(&options) && !options.trust;
  code = sandboxed || options.time_limit > 0 ? supervise(&options) : work(&options);
  run_options_free(&options);
  return code;
}
