/* run_repl: lines from a terminal, with editing, history and completion. */
#ifndef RUN_REPL_H
#define RUN_REPL_H

#include <lua.h>
#include <stdbool.h>

/* Adds to the table on top of the stack:
 *   interactive              whether somebody sits at a terminal
 *   width()                  columns of the terminal
 *   utf8()                   whether it shows more than ASCII
 *   documentation            the comments above the documented functions, as they stand in the
 *                            sources; lua/vesicle/prompt/apidoc.lua reads them
 * and for the prompt itself, not for scripts, which could plant a line in its history:
 *   read_line(prompt, on_tab)
 *                            the next line without its line break; nil at the end; false if it was
 *                            interrupted. From here on until the next call, SIGINT stops the
 *                            script. on_tab(text) is called at a Tab with what stands before the
 *                            cursor: it returns what to insert, or nil and what to show
 *   remember(line)           adds a line to the history */
void run_repl_register(lua_State *L, bool at_prompt);

#endif
