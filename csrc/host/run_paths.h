/* run_paths: where this program's own files are. */
#ifndef RUN_PATHS_H
#define RUN_PATHS_H

#include "run_options.h"
#include <limits.h>
#include <stdbool.h>

typedef struct run_paths {
  char lua[PATH_MAX];     /* the directory that holds vesicle/experiment.lua */
  char project[PATH_MAX]; /* the tree it belongs to; `lua` itself if VESICLE_LUA names it */
  char data[PATH_MAX];    /* where the project's experiments write unless told otherwise */
  char scripts[PATH_MAX]; /* and all other scripts, each in a folder of its name */
  char sweeps[PATH_MAX];  /* and sweeps: elsewhere, because `data` is what the report is made of */
} run_paths;

/* Finds both from the place of the executable, never from the working directory. VESICLE_LUA in
 * the environment overrides `lua`. Returns 0, or -1 after a message on stderr. */
int run_paths_find(run_paths *paths);

/* Whether a script is one of the project's experiments. */
bool run_paths_is_experiment(const run_paths *paths, const char *script);

/* The name a script has in the places where it writes: its file's without .lua, other characters
 * than letters, digits, _ and - replaced by _. */
void run_paths_name(const char *script, char name[NAME_MAX + 1]);

/* Why a sandboxed script must not write below this directory, or NULL. */
const char *run_paths_objection(const run_paths *paths, const run_options *options,
                                const char *out);

/* The directory below which this command writes: --out, or the place for it. */
const char *run_paths_out(const run_paths *paths, const run_options *options);

#endif
