/* run_stop: ending a run on purpose. */
#include "run_stop.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void run_stop(lua_State *L, int exit_code, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  lua_createtable(L, 0, 2);
  const size_t size = length < 0 ? 1 : (size_t)length + 1;
  char *text = lua_newuserdatauv(L, size, 0);
  text[0] = '\0';
  if (length >= 0) vsnprintf(text, size, format, again);
  va_end(again);
  lua_pushstring(L, text);
  lua_setfield(L, -3, "message");
  lua_pop(L, 1);
  lua_pushinteger(L, exit_code);
  lua_setfield(L, -2, "exit_code");
  lua_error(L);
  abort(); /* lua_error does not return */
}
