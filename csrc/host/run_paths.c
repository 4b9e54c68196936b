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
  char dir[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", dir, sizeof dir - 1);
  if (length < 0) {
    perror("vesicle: cannot find the program's own path (/proc/self/exe)");
    return -1;
  }
  dir[length] = '\0';
  strip_last(dir);
  if (!join(paths->data, dir, "data") || !join(paths->sweeps, dir, "sweeps")) return -1;
  const char *chosen = getenv("VESICLE_LUA");
  if (chosen != NULL && chosen[0] != '\0') {
    if (holds_library(chosen) && realpath(chosen, paths->lua) != NULL) {
      memcpy(paths->project, paths->lua, sizeof paths->lua);
      return 0;
    }
    fprintf(stderr, "vesicle: VESICLE_LUA=%s holds no vesicle/experiment.lua\n", chosen);
    return -1;
  }
  for (int up = 0; up < 4 && strip_last(dir); up++) {
    memcpy(paths->project, dir, sizeof dir);
    if (join(paths->lua, dir, "lua") && holds_library(paths->lua)) return 0;
    if (up == 0 && join(paths->project, dir, "share/vesicle") &&
        join(paths->lua, dir, "share/vesicle/lua") && holds_library(paths->lua))
      return join(paths->data, ".", "vesicle-data") && join(paths->sweeps, ".", "vesicle-data")
                 ? 0
                 : -1;
  }
  fprintf(stderr, "vesicle: no Lua library above the program (nor ../share/vesicle/lua); set "
                  "VESICLE_LUA to the directory that holds vesicle/experiment.lua\n");
  return -1;
}

const char *run_paths_out(const run_paths *paths, const run_options *options) {
  if (options->out != NULL) return options->out;
  const bool sweeps =
      options->command == RUN_COMMAND_SWEEP || options->command == RUN_COMMAND_POINT;
  return sweeps ? paths->sweeps : paths->data;
}
