/* run_paths: where this program's own files are.
 *
 * In a build tree the program is <tree>/build/vesicle (or deeper, for build variants) and its Lua
 * library <tree>/lua; installed, PREFIX/bin/vesicle and PREFIX/share/vesicle/lua. Both are found
 * from /proc/self/exe, so that neither the working directory nor the way the program was called
 * matters. Data go beside the program in a build tree, and to ./vesicle-data when installed. */
#include "run_paths.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool join(char *path, const char *dir, const char *rest) {
  const int length = snprintf(path, PATH_MAX, "%s/%s", dir, rest);
  return length >= 0 && length < PATH_MAX;
}

static bool holds_library(const char *dir) {
  char probe[PATH_MAX];
  return join(probe, dir, "vesicle/experiment.lua") && access(probe, R_OK) == 0;
}

static bool strip_last(char *path) {
  char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path) return false;
  *slash = '\0';
  return true;
}

int run_paths_find(run_paths *paths) {
  char exe[PATH_MAX], dir[PATH_MAX], candidate[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
  if (length < 0) {
    perror("vesicle: cannot find the program's own path (/proc/self/exe)");
    return -1;
  }
  exe[length] = '\0';
  if (!strip_last(exe)) return -1;
  const char *chosen = getenv("VESICLE_LUA");
  if (chosen != NULL && chosen[0] != '\0') {
    char resolved[PATH_MAX];
    if (!holds_library(chosen) || realpath(chosen, resolved) == NULL) {
      fprintf(stderr, "vesicle: VESICLE_LUA=%s holds no vesicle/experiment.lua\n", chosen);
      return -1;
    }
    memcpy(paths->lua, resolved, sizeof resolved);
    memcpy(paths->project, resolved, sizeof resolved);
    return join(paths->data, exe, "data") && join(paths->sweeps, exe, "sweeps") ? 0 : -1;
  }
  memcpy(dir, exe, sizeof exe);
  for (int up = 0; up < 4 && strip_last(dir); up++) {
    if (join(candidate, dir, "lua") && holds_library(candidate)) {
      memcpy(paths->lua, candidate, sizeof candidate);
      memcpy(paths->project, dir, sizeof dir);
      return join(paths->data, exe, "data") && join(paths->sweeps, exe, "sweeps") ? 0 : -1;
    }
    if (up == 0 && join(candidate, dir, "share/vesicle/lua") && holds_library(candidate)) {
      memcpy(paths->lua, candidate, sizeof candidate);
      if (!join(paths->project, dir, "share/vesicle")) return -1;
      if (!join(paths->data, ".", "vesicle-data")) return -1;
      memcpy(paths->sweeps, paths->data, sizeof paths->data);
      return 0;
    }
  }
  fprintf(stderr,
          "vesicle: no Lua library above %s (nor ../share/vesicle/lua); set VESICLE_LUA to the "
          "directory that holds vesicle/experiment.lua\n",
          exe);
  return -1;
}

const char *run_paths_out(const run_paths *paths, const run_options *options) {
  if (options->out != NULL) return options->out;
  const bool sweeps =
      options->command == RUN_COMMAND_SWEEP || options->command == RUN_COMMAND_POINT;
  return sweeps ? paths->sweeps : paths->data;
}
