/* run_noted: the files a script has read, by content.
 *
 * A file has the name by which it was asked for: whoever looks whether it is the same must look where
 * the script would look, which in another working directory is another file. What lies beside the
 * script is asked for by the script's own path; a list that has such a name says where that is.
 *
 * The list is kept in the registry of the state, where no script can see it, and nothing is ever
 * taken from it: whoever runs code of his own in a state has been read into it before, so that his
 * digest is in the key of every result that he could have a hand in. */
#include "run_noted.h"

#include "lves.h"
#include "run_sandbox.h"
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char list_key = 0;

/* Pushes the list: its lines by number, and each line as a key. */
static void push_list(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &list_key);
}

static int digest(lua_State *L) {
  uint8_t sum[RUN_SHA256_SIZE];
  char hex[RUN_KEY_SIZE], absolute[PATH_MAX];
  struct stat status;
  const char *path = luaL_checkstring(L, 1), *instead = "nothing";
  errno = 0;
  if (run_sandbox_allows(path, RUN_MODULE) && stat(path, &status) == 0) {
    if (!S_ISREG(status.st_mode))
      instead = S_ISDIR(status.st_mode) ? "directory" : "stream";
    else if (run_sha256_file(path, sum) && realpath(path, absolute) != NULL)
      instead = NULL;
    lves_block_end(L, "digest", 0, 0); /* raises if it was stopped */
  }
  if (instead != NULL && run_sandbox_short())
    return luaL_error(L, "cannot look at %s: %s", path, strerror(errno));
  if (instead != NULL) {
    lua_pushnil(L);
    lua_pushstring(L, instead);
    return 2;
  }
  run_sha256_hex(sum, hex);
  lua_pushstring(L, hex);
  lua_pushstring(L, absolute);
  return 2;
}

static int note(lua_State *L) {
  lua_settop(L, 1);
  digest(L);
  if (lua_isnil(L, 2)) return 2;
  push_list(L);
  lua_pushfstring(L, "%s  %s", lua_tostring(L, 2), lua_tostring(L, 1));
  lua_pushvalue(L, -1);
  if (lua_rawget(L, 4) == LUA_TNIL) {
    lua_pushvalue(L, 5);
    lua_rawseti(L, 4, (lua_Integer)lua_rawlen(L, 4) + 1);
    lua_pushvalue(L, 5);
    lua_pushboolean(L, 1);
    lua_rawset(L, 4);
  }
  lua_settop(L, 3);
  return 2;
}

lua_Integer run_noted_count(lua_State *L) {
  push_list(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  lua_pop(L, 1);
  return count;
}

/* The directory of the script: as it was given, with a slash, and where it is. */
static char given[PATH_MAX], beside[PATH_MAX];

static void find_script(const char *script) {
  char real[PATH_MAX];
  const char *slash = strrchr(script, '/');
  const int length = slash != NULL ? (int)(slash - script) : 1;
  snprintf(given, sizeof given, "%.*s/", length, slash != NULL ? script : ".");
  if (realpath(script, real) == NULL) return;
  snprintf(beside, sizeof beside, "%.*s", (int)(strrchr(real, '/') - real), real);
}

bool run_noted_is_beside(const char *dir) { return strcmp(dir, beside) == 0; }

/* Whether a list of inputs names something by the script's own path. */
static bool names_neighbour(const char *lines) {
  const size_t length = strlen(given);
  for (const char *line = lines; line != NULL && *line != '\0';) {
    const char *end = strchr(line, '\n');
    const bool absent = strncmp(line, "absent ", 7) == 0;
    const size_t skip = absent ? 7 : RUN_KEY_SIZE + 1;
    if ((end != NULL ? (size_t)(end - line) : strlen(line)) > skip + length &&
        strncmp(line + skip, given, length) == 0)
      return true;
    line = end != NULL ? end + 1 : NULL;
  }
  return false;
}

void run_noted_join(lua_State *L, lua_Integer from) {
  const int text = lua_gettop(L);
  luaL_Buffer b;
  push_list(L);
  const lua_Integer count = (lua_Integer)lua_rawlen(L, text + 1);
  luaL_buffinit(L, &b);
  lua_pushvalue(L, text);
  luaL_addvalue(&b);
  for (lua_Integer i = from + 1; i <= count; i++) {
    if (luaL_bufflen(&b) > 0) luaL_addchar(&b, '\n');
    lua_rawgeti(L, text + 1, i);
    luaL_addvalue(&b);
  }
  luaL_pushresult(&b);
  if (names_neighbour(lua_tostring(L, -1)) && strchr(beside, '\n') == NULL)
    lua_pushfstring(L, "%s\nbeside %s", lua_tostring(L, -1), beside);
  lua_replace(L, text);
  lua_settop(L, text);
}

static int by_digest(const void *a, const void *b) {
  return memcmp(*(const char *const *)a, *(const char *const *)b, RUN_KEY_SIZE - 1);
}

void run_noted_mix(lua_State *L) {
  const int text = lua_gettop(L);
  luaL_Buffer b;
  char hex[RUN_KEY_SIZE];
  push_list(L);
  const size_t count = lua_rawlen(L, -1);
  const char **lines = lua_newuserdatauv(L, (count + 1) * sizeof *lines, 0);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, text + 1, (lua_Integer)i + 1);
    lines[i] = lua_tostring(L, -1); /* the list keeps it */
    lua_pop(L, 1);
  }
  qsort(lines, count, sizeof *lines, by_digest);
  luaL_buffinit(L, &b);
  lua_pushvalue(L, text);
  luaL_addvalue(&b);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && by_digest(&lines[i - 1], &lines[i]) == 0) continue;
    luaL_addchar(&b, '\n');
    luaL_addlstring(&b, lines[i], RUN_KEY_SIZE - 1);
  }
  luaL_pushresult(&b);
  size_t length = 0;
  const char *whole = lua_tolstring(L, -1, &length);
  run_sha256_of(whole, length, hex);
  lua_settop(L, text - 1);
  lua_pushstring(L, hex);
}

void run_noted_register(lua_State *L, const char *script) {
  if (script != NULL) find_script(script);
  static const luaL_Reg functions[] = {{"digest", digest}, {"note", note}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
