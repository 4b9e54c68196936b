/* lves_class: how objects of the library appear in Lua.
 *
 * An object is a userdata with a metatable named after its class. A script cannot get hold of that
 * metatable: `getmetatable` answers a small table with the class's name and its iteration, all that
 * other code may want to know. So no script can run a finalizer by hand or change a method. */
#include "lves.h"

#include <stdlib.h>
#include <string.h>

/* An object begins with the address of its class's name. Every use of one starts with the question
 * whether it is what it should be, and looking up a metatable to compare would be half of what
 * reading v[i] costs. No other userdata holds such an address: scripts cannot write into one, and
 * other libraries do not know it. */

const char lves_name_vector[] = "ves.vector", lves_name_matrix[] = "ves.matrix",
           lves_name_stream[] = "ves.stream", lves_name_code[] = "ves.code",
           lves_name_network[] = "ves.network", lves_name_chain[] = "ves.chain";

lves_object *lves_object_at(lua_State *L, int index) {
  const bool room =
      lua_type(L, index) == LUA_TUSERDATA && lua_rawlen(L, index) >= sizeof(lves_object);
  return room ? lua_touserdata(L, index) : NULL;
}

void *lves_test(lua_State *L, int index, const char *name) {
  lves_object *object = lves_object_at(L, index);
  return object != NULL && object->name == name ? object : NULL;
}

void lves_become(lua_State *L, const char *name) {
  lves_object *object = lua_touserdata(L, -1);
  object->name = name;
  lua_rawgetp(L, LUA_REGISTRYINDEX, name);
  lua_setmetatable(L, -2);
}

void lves_class(lua_State *L, const char *name, lua_CFunction index, const luaL_Reg *metamethods,
                const luaL_Reg *const methods[]) {
  const bool fresh = luaL_newmetatable(L, name) != 0;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, name);
  if (!fresh) { /* this state has it already */
    lua_pop(L, 1);
    return;
  }
  luaL_setfuncs(L, metamethods, 0);
  const bool closes = lua_getfield(L, -1, "__close") != LUA_TNIL;
  lua_pop(L, 1);
  if (!closes && lua_getfield(L, -1, "__gc") != LUA_TNIL)
    lua_setfield(L, -2, "__close");
  else if (!closes)
    lua_pop(L, 1);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_getfield(L, -2, "__pairs");
  lua_setfield(L, -2, "__pairs");
  lua_setfield(L, -2, "__metatable");
  lua_newtable(L);
  for (; *methods != NULL; methods++) luaL_setfuncs(L, *methods, 0);
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The field or method nearest to a misspelt name; in alphabetical order, so that a tie is always
 * broken alike. */
static const char *nearest_member(lua_State *L, const char *name, const char *const fields[]) {
  size_t count = 0, at = 0;
  while (fields[count] != NULL) count++;
  lua_pushnil(L);
  for (; lua_next(L, lua_upvalueindex(1)) != 0; count++) lua_pop(L, 1);
  const char **names = lves_scratch(L, count + 1, sizeof *names);
  for (; fields[at] != NULL; at++) names[at] = fields[at];
  lua_pushnil(L);
  for (; lua_next(L, lua_upvalueindex(1)) != 0 && at < count; at++) {
    lua_pop(L, 1);
    names[at] = lua_tostring(L, -1);
  }
  qsort(names, at, sizeof *names, by_name);
  names[at] = NULL;
  return lves_nearest(name, names);
}

int lves_method(lua_State *L, const char *kind, const char *const fields[]) {
  lua_settop(L, 2);
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    const char *nearest = nearest_member(L, lua_tostring(L, 2), fields);
    if (nearest != NULL)
      lves_error(L, kind, "no field or method %s: did you mean '%s'?", lves_describe(L, 2),
                 nearest);
  }
  lves_error(L, kind, "no field or method %s", lves_describe(L, 2));
}

int lves_read_only(lua_State *L) {
  const char *name = luaL_getmetafield(L, 1, "__name") == LUA_TSTRING ? lua_tostring(L, -1) : "ves";
  lves_error(L, name, "cannot set %s: its fields are read-only", lves_describe(L, 2));
}

int lves_closed_text(lua_State *L, const char *kind) {
  lua_pushfstring(L, "%s (closed)", kind);
  return 1;
}

/* ---- memory that belongs to the collector ---- */

void *lves_scratch(lua_State *L, size_t count, size_t size) {
  luaL_checkstack(L, 8, NULL);
  if (count > SIZE_MAX / 2 / size) luaL_error(L, "not enough memory");
  return lua_newuserdatauv(L, count > 0 ? count * size : size, 0);
}

#define LVES_BOX "ves.box"

void *lves_box_room(lves_box *box) { return box + 1; }

void lves_box_release(lves_box *box) {
  void *object = box->object;
  box->object = NULL;
  if (object != NULL) box->release(object);
}

lves_box *lves_push_room(lua_State *L, const char *fn, size_t bytes) {
  lves_box *box = lves_push_box(L, 0, free);
  box->object = malloc(bytes > 0 ? bytes : 1);
  if (box->object == NULL) lves_check(L, fn, VES_ENOMEM);
  return box;
}

static int box_gc(lua_State *L) {
  lves_box_release(lua_touserdata(L, 1));
  return 0;
}

lves_box *lves_push_box(lua_State *L, size_t size, void (*release)(void *object)) {
  luaL_checkstack(L, 8, NULL);
  lves_box *box = lua_newuserdatauv(L, sizeof *box + size, 0);
  *box = (lves_box){NULL, release};
  if (luaL_newmetatable(L, LVES_BOX) != 0) {
    lua_pushcfunction(L, box_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return box;
}
