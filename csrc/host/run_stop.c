/* run_stop: ending a run on purpose. */
#define _GNU_SOURCE /* vasprintf; NOLINT(bugprone-reserved-identifier) */
#include "run_stop.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void run_stop(lua_State *L, int exit_code, const char *format, ...) {
  va_list arguments;
  char *text = NULL;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  va_end(arguments);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, text != NULL ? text : format);
  free(text);
  lua_setfield(L, -2, "message");
  lua_pushinteger(L, exit_code);
  lua_setfield(L, -2, "exit_code");
  lua_error(L);
  abort(); /* lua_error does not return */
}
