/* run_files: the file operations an experiment needs and Lua lacks. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include <lua.h>

/* Adds to the table on top of the stack:
 *   list(dir)                  sorted names of the entries of dir, or nil and a message
 *   publish(out, name, files)  puts the files (an array of {name, content}) into out/name, all or
 *                              none; see run_files.c */
void run_files_register(lua_State *L);

#endif
