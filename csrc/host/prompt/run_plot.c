/* run_plot: the only place from which this program starts another one.
 *
 * Plots are drawn by gnuplot, a process of its own. Its commands and its output pass through
 * temporary files that have no name, so that neither side waits for the other and nothing is left
 * behind, not even if one of them is killed. A window stays open after gnuplot has ended. */
#include "run_plot.h"

#include "run_sandbox.h"
#include <errno.h>
#include <lauxlib.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int fail(lua_State *L, const char *message) {
  lua_pushnil(L);
  lua_pushstring(L, message);
  return 2;
}

/* Runs gnuplot with its standard streams on the three files; returns 0, or the reason in errno's
 * terms. *status is what waitpid says. */
static int run_gnuplot(FILE *in, FILE *out, FILE *err, int *status) {
  static char name[] = "gnuplot", persist[] = "-persist";
  char *const arguments[] = {name, persist, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t child;
  int code = posix_spawn_file_actions_init(&actions);
  if (code != 0) return code;
  code = posix_spawnattr_init(&attributes);
  if (code != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  code = posix_spawnp(&child, name, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return code;
  while (waitpid(child, status, 0) < 0)
    if (errno != EINTR) return errno;
  return 0;
}

static void push_content(lua_State *L, FILE *file) {
  luaL_Buffer b;
  size_t n;
  luaL_buffinit(L, &b);
  rewind(file);
  while ((n = fread(luaL_prepbuffer(&b), 1, LUAL_BUFFERSIZE, file)) > 0) luaL_addsize(&b, n);
  luaL_pushresult(&b);
}

static int plot(lua_State *L, FILE *in, FILE *out, FILE *err) {
  size_t length;
  const char *commands = luaL_checklstring(L, 1, &length);
  int status = 0;
  if (fwrite(commands, 1, length, in) != length || fflush(in) != 0 ||
      lseek(fileno(in), 0, SEEK_SET) != 0)
    return fail(L, strerror(errno));
  const int code = run_gnuplot(in, out, err, &status);
  if (code == ENOENT)
    return fail(L, "gnuplot is not installed (Debian: gnuplot-nox, or gnuplot-qt for windows)");
  if (code != 0) return fail(L, strerror(code));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    lua_pushnil(L);
    push_content(L, err);
    return 2;
  }
  push_content(L, out);
  return 1;
}

static int gnuplot(lua_State *L) {
  luaL_checkstring(L, 1);
  if (run_sandbox_on())
    return fail(L, "plots are drawn by gnuplot, and a script in the sandbox starts no programs "
                   "(--trust lifts this)");
  FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
  const int results =
      in != NULL && out != NULL && err != NULL ? plot(L, in, out, err) : fail(L, strerror(errno));
  if (in != NULL) fclose(in);
  if (out != NULL) fclose(out);
  if (err != NULL) fclose(err);
  return results;
}

void run_plot_register(lua_State *L) {
  lua_pushcfunction(L, gnuplot);
  lua_setfield(L, -2, "gnuplot");
}
