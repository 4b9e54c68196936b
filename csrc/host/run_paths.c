/* run_paths: where this program's own files are.
 *
 * In a build tree the program is <tree>/build/vesicle (or deeper, for build variants) and its Lua
 * library <tree>/lua; installed, PREFIX/bin/vesicle and PREFIX/share/vesicle/lua. Both are found
 * from /proc/self/exe, so that neither the working directory nor the way the program was called
 * matters. Data go beside the program in a build tree, and to ./vesicle-data when installed. Only
 * the scripts in <tree>/lua/experiments write where the report reads. */
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
  if (!join(paths->data, dir, "data") || !join(paths->sweeps, dir, "sweeps") ||
      !join(paths->scripts, dir, "scripts"))
    return -1;
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
      return join(paths->data, ".", "vesicle-data") && join(paths->sweeps, ".", "vesicle-data") &&
                     join(paths->scripts, ".", "vesicle-data")
                 ? 0
                 : -1;
  }
  fprintf(stderr, "vesicle: no Lua library above the program (nor ../share/vesicle/lua); set "
                  "VESICLE_LUA to the directory that holds vesicle/experiment.lua\n");
  return -1;
}

bool run_paths_is_experiment(const run_paths *paths, const char *script) {
  char real[PATH_MAX], experiments[PATH_MAX];
  if (realpath(script, real) == NULL || !join(experiments, paths->lua, "experiments")) return false;
  return strip_last(real) && strcmp(real, experiments) == 0;
}

void run_paths_name(const char *script, char name[NAME_MAX + 1]) {
  const char *slash = strrchr(script, '/'), *last = slash != NULL ? slash + 1 : script;
  const size_t length = strlen(last);
  const bool lua = length > 4 && strcmp(last + length - 4, ".lua") == 0;
  snprintf(name, NAME_MAX + 1, "%.*s", (int)(lua ? length - 4 : length), last);
  for (char *c = name; *c != '\0'; c++) {
    const bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
    const bool other = (*c >= '0' && *c <= '9') || ((*c == '_' || *c == '-') && c > name);
    if (!letter && !other) *c = c > name ? '_' : 'x';
  }
}

/* The folder of a script that is none of the project's experiments. */
static const char *own_folder(const run_paths *paths, const char *script) {
  static char folder[PATH_MAX];
  char name[NAME_MAX + 1];
  run_paths_name(script, name);
  return join(folder, paths->scripts, name) ? folder : paths->scripts;
}

static bool is_below(const char *path, const char *root) {
  const size_t length = strlen(root);
  return strcmp(root, "/") == 0 ||
         (strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0'));
}

/* Whether a path leads to, or below, what `name` in the directory `dir` leads to. */
static bool leads_below(const char *path, const char *dir, const char *name) {
  char place[PATH_MAX], real[PATH_MAX];
  return join(place, dir, name) && realpath(place, real) != NULL && is_below(path, real);
}

const char *run_paths_objection(const run_paths *paths, const run_options *options,
                                const char *out) {
  char real[PATH_MAX], program[PATH_MAX];
  if (realpath(out, real) == NULL) return NULL;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  program[length > 0 ? length : 0] = '\0';
  if (is_below(paths->lua, real) || is_below(program, real))
    return "holds the program itself: choose a folder of its own (--trust lifts this)";
  strip_last(program);
  if ((leads_below(real, program, "data") || leads_below(real, program, "quick/data")) &&
      !(options->script != NULL && run_paths_is_experiment(paths, options->script)))
    return "is where the report reads: only scripts in lua/experiments write there; choose another "
           "folder, or leave --out out";
  return NULL;
}

const char *run_paths_out(const run_paths *paths, const run_options *options) {
  if (options->out != NULL) return options->out;
  const bool sweeps =
      options->command == RUN_COMMAND_SWEEP || options->command == RUN_COMMAND_POINT;
  if (sweeps) return paths->sweeps;
  const bool installed = strcmp(paths->scripts, paths->data) == 0;
  if (options->script == NULL || installed || run_paths_is_experiment(paths, options->script))
    return paths->data;
  return own_folder(paths, options->script);
}
