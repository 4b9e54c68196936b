/* run_docs: the documentation of the Lua interface, inside the program.
 *
 * The build collects the comments that document functions, those that open with three asterisks in
 * the bindings and those that open with two in a long comment of the Lua library, into
 * ves_apidoc.h. help() parses them (lua/vesicle/prompt/apidoc.lua), so that it says what the
 * sources say, also where the program is installed without them. */
#include "run_docs.h"

#include "ves_apidoc.h"

void run_docs_register(lua_State *L) {
  lua_pushlstring(L, (const char *)ves_apidoc, sizeof ves_apidoc);
  lua_setfield(L, -2, "documentation");
}
