/* web_page: vesicle in a web page, where csrc/host cannot be: there are no processes, files or
 * signals, and nobody to protect a machine from, because the browser does.
 *
 * A page holds one or more Lua states, each made of the same core and bindings as the program.
 * What such a state is asked goes in as text in the dialect of lves_json, and the answer comes out
 * the same way; what happens meanwhile (a line of progress, a finished table) is told to the page
 * by web_tell. The requests themselves are answered in Lua: csrc/web/page.lua. */
#include "lves.h"
#include "lves_json.h"
#include "ves_simd.h"
#include "ves_version.h"
#include <emscripten.h>
#include <gsl/gsl_errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>

static const char answer_key = 0; /* of the registry: the last answer, which the page reads */

/* What the page is told: Module.tell(kind, name, text), by csrc/web/worker.js. */
EM_JS(void, web_tell, (const char *kind, const char *name, const char *text),
      { Module["tell"](UTF8ToString(kind), UTF8ToString(name), UTF8ToString(text)); });

/* tell(kind, name, text) */
static int tell(lua_State *L) {
  fflush(NULL);
  web_tell(luaL_checkstring(L, 1), luaL_optstring(L, 2, ""), luaL_optstring(L, 3, ""));
  return 0;
}

/* The C half of the module `vesicle.base.host`; page.lua has the other. */
static int open_host(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"tell", tell}, {"json", lves_json_text}, {"from_json", lves_json_value}, {NULL, NULL}};
  luaL_newlib(L, functions);
  lua_pushliteral(L, VES_VERSION);
  lua_setfield(L, -2, "version");
  lua_pushliteral(L, VES_COMMIT);
  lua_setfield(L, -2, "commit");
  return 1;
}

/* Loads page.lua, and leaves the function that answers requests in the registry. */
static int set_up(lua_State *L) {
  lua_pushboolean(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
  luaL_openlibs(L);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_vesicle);
  lua_setfield(L, -2, "vesicle");
  if (luaL_loadfilex(L, "csrc/web/page.lua", "t") != LUA_OK) return lua_error(L);
  open_host(L);
  lua_call(L, 1, 1);
  luaL_checktype(L, -1, LUA_TFUNCTION);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &set_up);
  return 0;
}

static const char *keep(lua_State *L) {
  const char *text = lua_tostring(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &answer_key);
  fflush(NULL);
  return text;
}

/* A new state, or NULL; what went wrong is told as an error. */
EMSCRIPTEN_KEEPALIVE lua_State *web_open(void) {
  gsl_set_error_handler_off();
  lua_State *L = luaL_newstate();
  if (L == NULL) {
    web_tell("error", "", "not enough memory");
    return NULL;
  }
  lua_pushcfunction(L, set_up);
  if (lua_pcall(L, 0, 0, 0) == LUA_OK) return L;
  web_tell("error", "", lua_tostring(L, -1));
  lua_close(L);
  return NULL;
}

/* Answers a request; the text is valid until the next one. */
EMSCRIPTEN_KEEPALIVE const char *web_ask(lua_State *L, const char *request) {
  lua_settop(L, 0);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &set_up);
  lua_pushstring(L, request);
  if (lua_pcall(L, 1, 1, 0) == LUA_OK) return keep(L);
  web_tell("error", "", lua_tostring(L, -1)); /* one that page.lua could not catch: no memory */
  lua_settop(L, 0);
  return NULL;
}

EMSCRIPTEN_KEEPALIVE void web_close(lua_State *L) { lua_close(L); }

EMSCRIPTEN_KEEPALIVE const char *web_version(void) { return VES_VERSION; }
EMSCRIPTEN_KEEPALIVE const char *web_commit(void) { return VES_COMMIT; }
EMSCRIPTEN_KEEPALIVE int web_simd(void) { return ves_simd_supported(); }
