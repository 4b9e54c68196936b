/* vesicle: the program. It reads the command line and hands over; everything else is in run_*. */
#include "run_disk_limit.h"
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
#include "run_unfinished.h"
#include "run_version.h"
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <lauxlib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The commands written in Lua: require(module).main(a, b, c) with the strings given. */
static int call_main(lua_State *L, const char *module, const char *const words[3]) {
  static const char chunk[] = "local module, a, b, c = ...; require(module).main(a, b, c)";
  if (luaL_loadstring(L, chunk) != LUA_OK) return RUN_SCRIPT_ERROR;
  lua_pushstring(L, module);
  for (int i = 0; i < 3; i++) lua_pushstring(L, words[i]);
  return run_state_call(L, 4);
}

/* What the program was asked for. */
typedef struct {
  run_options options;
  run_paths paths;
} task;

static bool runs_script(const run_options *options) {
  return options->command == RUN_COMMAND_RUN || options->command == RUN_COMMAND_PARAMS ||
         options->command == RUN_COMMAND_SWEEP;
}

/* Limits and sandbox of a command that runs a script. An MPI job has begun by now. */
static bool confine(const run_options *options, const run_paths *paths) {
  if (!options->trust && !run_sandbox_begin(options, paths)) return false;
  if (!options->trust || options->max_memory > 0) run_memory_limit_begin(options->max_memory);
  run_fence_begin(run_mpi_directories());
  return true;
}

static int run_script(lua_State *L, const run_options *options, const run_paths *paths) {
  run_signal_install(L, run_mpi_rank() == 0);
  run_signal_insist();
  if (options->command == RUN_COMMAND_SWEEP) {
    const int code = run_state_prepare(L, options);
    if (code != RUN_DONE) return code;
    return call_main(L, "vesicle.experiment.sweep",
                     (const char *const[3]){options->script, NULL, NULL});
  }
  run_unfinished_expect(options, paths);
  const int code = run_state_script(L, options);
  const char *left = code == RUN_DONE ? run_unfinished_left() : NULL;
  if (left != NULL) {
    fflush(stdout);
    fprintf(stderr,
            "vesicle: %s ends without E:finish(): the experiment `%s` has written nothing\n",
            options->script, left);
    return RUN_SCRIPT_ERROR;
  }
  if (code == RUN_DONE && options->command == RUN_COMMAND_PARAMS && !run_state_declared(L)) {
    fprintf(stderr, "vesicle: %s declares no experiment\n", options->script);
    return RUN_SCRIPT_ERROR;
  }
  return code;
}

static int with_state(const task *t) {
  const run_options *options = &t->options;
  const char *dir = options->dir != NULL ? options->dir : t->paths.data;
  int code = RUN_SCRIPT_ERROR;
  if (runs_script(options) && !confine(options, &t->paths)) return code;
  lua_State *L = run_state_new(options, &t->paths);
  if (L == NULL) return code;
  if (options->command == RUN_COMMAND_CLAIMS)
    code = call_main(L, "vesicle.experiment.ledger",
                     (const char *const[3]){dir, options->format, options->id});
  else if (options->command == RUN_COMMAND_REPL)
    code = call_main(L, "vesicle.prompt.repl", (const char *const[3]){NULL, NULL, NULL});
  else
    code = run_script(L, options, &t->paths);
  run_signal_over();
  lua_close(L);
  return code;
}

/* Everything after the command line has been read. */
static int work(void *context) {
  const task *t = context;
  const run_options *options = &t->options;
  int code = run_mpi_start();
  if (code != RUN_DONE) return code;
  gsl_set_error_handler_off();
  signal(SIGXFSZ, SIG_IGN); /* a file over its limit is an error of write(), not a death */
  if (options->command == RUN_COMMAND_VERSION)
    run_version_print();
  else if (options->command == RUN_COMMAND_JOURNAL)
    code = run_inspect(options->action, options->dir != NULL ? options->dir : t->paths.data,
                       options->dry_run);
  else
    code = with_state(t);
  run_disk_limit_lift();
  const bool whole = !ferror(stdout), flushed = fflush(stdout) == 0;
  if (!whole || !flushed) {
    fprintf(stderr, "vesicle: standard output: %s\n",
            flushed ? "not all of it could be written" : strerror(errno));
    if (code == RUN_DONE) code = RUN_SCRIPT_ERROR;
  }
  run_mpi_leave(code);
  return code;
}

/* Makes sure that there are three standard streams. A file opened later would take the number of one
 * that is closed, and what is printed would land in it. Those opened here fail like closed ones: they
 * cannot be read or written. */
static bool reserve_standard_streams(void) {
  for (int fd = 0; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return false;
  return true;
}

/* A sandboxed script runs in a process that can be killed, and finds the directory it may write to;
 * if it does not write, that goes away again. */
static int supervise(task *t) {
  const char *out = run_paths_out(&t->paths, &t->options);
  const bool writes = !t->options.trust && t->options.command != RUN_COMMAND_PARAMS;
  if (writes) run_sandbox_prepare(out);
  const char *objection = writes ? run_paths_objection(&t->paths, &t->options, out) : NULL;
  if (objection != NULL) {
    fprintf(stderr, "vesicle: --out %s %s\n", out, objection);
    run_sandbox_tidy(out);
    return RUN_USAGE;
  }
  run_disk_limit disk = {0};
  if (writes) run_disk_limit_begin(&disk, out, t->options.max_disk);
  if (!t->options.trust) run_mpi_prepare();
  const int code = run_supervise(t->options.time_limit, &disk, work, t);
  run_mpi_tidy();
  if (writes) run_sandbox_tidy(out);
  return code;
}

int main(int argc, char **argv) {
  static task t;
  lua_State *reader = NULL;
  run_signal_begin();
  if (!reserve_standard_streams()) return RUN_SCRIPT_ERROR;
  if (run_paths_find(&t.paths) != 0) return RUN_SCRIPT_ERROR;
  int code = run_options_parse(argc, argv, &t.paths, &t.options, &reader);
  if (code == RUN_DONE && t.options.command != RUN_COMMAND_NONE) {
    const bool sandboxed = runs_script(&t.options) && !t.options.trust;
    code = sandboxed || t.options.time_limit > 0 ? supervise(&t) : work(&t);
  }
  if (reader != NULL) lua_close(reader);
  return code;
}
