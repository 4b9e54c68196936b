/* run_plot: the only place from which this program starts another one. */
#ifndef RUN_PLOT_H
#define RUN_PLOT_H

#include <lua.h>

/* Adds to the table on top of the stack:
 *   gnuplot(commands)   runs gnuplot on the text; returns what it printed, or nil and a message */
void run_plot_register(lua_State *L);

#endif
