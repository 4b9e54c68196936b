/* run_files: the file operations an experiment needs and Lua lacks. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "run_options.h"
#include "run_paths.h"
#include <lua.h>

/* Adds to the table on top of the stack:
 *   list(dir)                  sorted names of the entries of dir, or nil and a message
 *   publish(out, name, files, read, missing)
 *                              puts the files (an array of {name, content}) into out/name, all or
 *                              none, and beside it a rule for make with the files read, and those
 *                              looked for in vain, if there are such arrays; see run_files.c
 * `options` and `paths` must outlive the state. */
void run_files_register(lua_State *L, const run_options *options, const run_paths *paths);

#endif
