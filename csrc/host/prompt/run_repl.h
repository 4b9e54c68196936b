/* run_repl: lines from a terminal, with editing, history and completion. */
#ifndef RUN_REPL_H
#define RUN_REPL_H

#include <lua.h>
#include <stdbool.h>

/* Whether somebody sits at a terminal. */
bool run_repl_interactive(void);

/* Adds to the table on top of the stack:
 *   interactive              whether somebody sits at a terminal
 *   read_line(prompt, complete)
 *                            the next line without its line break; nil at the end; false if it was
 *                            interrupted. From here on until the next call, SIGINT stops the
 * script. complete(text) is asked at a Tab, with what stands before the cursor: it returns what to
 * insert, and an array of what could follow remember(line)           adds a line to the history
 *   width()                  columns of the terminal
 *   utf8()                   whether it shows more than ASCII */
void run_repl_register(lua_State *L);

#endif
