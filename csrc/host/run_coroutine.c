/* run_coroutine: a list on the C stack, with one link for every lua_resume under way. */
#include "run_coroutine.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct link {
  lua_State *thread;
  struct link *outer; /* of the coroutine that resumed this one; NULL: the main one did */
} link;

static _Atomic(link *) innermost = NULL; /* a handler may look at any moment */

/* Resumes the coroutine with the `count` values on top of L, and moves there what it yields or
 * returns: how many values; or its error: -1. */
static int resume(lua_State *L, lua_State *thread, int count) {
  int results = 0;
  if (!lua_checkstack(thread, count)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, thread, count);
  link here = {.thread = thread, .outer = innermost};
  innermost = &here;
  const int status = lua_resume(thread, L, count, &results); /* which lets no error through */
  innermost = here.outer;
  if (status != LUA_OK && status != LUA_YIELD) {
    lua_xmove(thread, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_pop(thread, results);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  lua_xmove(thread, L, results);
  return results;
}

/* coroutine.resume(co, ...) */
static int resume_given(lua_State *L) {
  lua_State *thread = lua_tothread(L, 1);
  luaL_argexpected(L, thread != NULL, 1, "thread");
  const int count = resume(L, thread, lua_gettop(L) - 1);
  lua_pushboolean(L, count >= 0);
  lua_insert(L, count >= 0 ? -(count + 1) : -2);
  return count >= 0 ? count + 1 : 2;
}

/* What coroutine.wrap returns; its upvalue is the coroutine. An error goes on to the caller, once
 * the variables to be closed are closed. */
static int resume_wrapped(lua_State *L) {
  lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
  const int count = resume(L, thread, lua_gettop(L));
  if (count >= 0) return count;
  int status = lua_status(thread);
  if (status != LUA_OK && status != LUA_YIELD) {
    status = lua_resetthread(thread);
    if (status != LUA_OK) lua_xmove(thread, L, 1); /* perhaps that of a __close */
  }
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int wrap(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *thread = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, thread, 1);
  lua_pushcclosure(L, resume_wrapped, 1);
  return 1;
}

void run_coroutine_install(lua_State *L) {
  static const luaL_Reg functions[] = {{"resume", resume_given}, {"wrap", wrap}, {NULL, NULL}};
  lua_getglobal(L, LUA_COLIBNAME);
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}

void run_coroutine_hook(lua_Hook hook, int mask, int count) {
  for (const link *at = innermost; at != NULL; at = at->outer)
    lua_sethook(at->thread, hook, mask, count);
}
