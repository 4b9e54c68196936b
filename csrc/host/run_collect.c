/* run_collect: how often Lua collects garbage.
 *
 * Lua begins a collection when the memory in use has doubled since the last. A replicate makes and
 * drops matrices around a state of less than half a megabyte: all of it would be marked again after
 * every handful of them, which took a tenth of the time of small replicates. The collector knows no
 * least amount of garbage worth a cycle, only the ratio; so the state holds a block that counts as
 * memory in use and, never touched, takes none. */
#include "run_collect.h"

enum { BALLAST = 4 << 20 };

void run_collect_tune(lua_State *L) {
  static const char key = 0;
  lua_newuserdatauv(L, BALLAST, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}
