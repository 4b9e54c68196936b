/* run_sandbox_libraries: Lua's own libraries, as a script has them.
 *
 * Every function that opens a file is replaced by one that first says so (on_read: the journal has
 * to know what a result came from) and then asks run_sandbox. Those that can be built on the others
 * are written in Lua (lua/vesicle/base/loader.lua).
 *
 * In a sandbox the functions they replace are gone from the state: where one is still of use (load,
 * io.input) it is called as a C function, and no Lua value refers to it, so that there is nothing
 * to be found in an upvalue, a metatable or a table of loaded modules. Code is text: bytecode,
 * which Lua does not check, could do anything. */
#include "run_sandbox_libraries.h"

#include "lves.h"
#include "run_sandbox.h"
#include <errno.h>
#include <lauxlib.h>
#include <string.h>

static const char refusal[] = "is not there in the sandbox (--trust lifts this)";

/* ---- results ---- */

/* Its upvalue is its name. */
static int refuse(lua_State *L) {
  return luaL_error(L, "%s %s", lua_tostring(L, lua_upvalueindex(1)), refusal);
}

static const char *reason(int error, run_access access) {
  return run_sandbox_refused() ? run_sandbox_reason(access) : strerror(error);
}

/* What io.open and its like return: true, or what is wrong. */
static int result(lua_State *L, bool good, const char *path, run_access access) {
  const int error = errno;
  if (good) {
    lua_pushboolean(L, 1);
    return 1;
  }
  luaL_pushfail(L);
  lua_pushfstring(L, "%s: %s", path, reason(error, access));
  lua_pushinteger(L, error);
  return 3;
}

/* ---- what is read ---- */

static const char reader_key = 0; /* of the registry: the function of on_read */

static int on_read(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &reader_key) != LUA_TNIL)
    return luaL_error(L, "on_read is set already");
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &reader_key);
  return 0;
}

static run_access access_of(const char *mode) {
  return mode[0] == 'r' && strchr(mode, '+') == NULL ? RUN_READ : RUN_WRITE;
}

/* Says that the script looks at a file. */
static void tell_reader(lua_State *L, const char *path) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &reader_key) == LUA_TFUNCTION) {
    lua_pushstring(L, path);
    lua_call(L, 1, 0);
  } else {
    lua_pop(L, 1);
  }
}

/* Opens a file for the script; NULL with errno set. */
static FILE *open_noted(lua_State *L, const char *path, const char *mode, run_access access) {
  if (mode[0] == 'r' || (mode[0] == 'a' && strchr(mode, '+') != NULL)) tell_reader(L, path);
  return run_sandbox_fopen(path, mode, access);
}

static FILE *open_for_bindings(lua_State *L, const char *path, const char *mode) {
  FILE *file = open_noted(L, path, mode, RUN_READ);
  if (file == NULL && run_sandbox_refused())
    luaL_error(L, "'%s' is %s", path, run_sandbox_reason(access_of(mode)));
  return file;
}

static bool rename_for_bindings(lua_State *L, const char *from, const char *to) {
  if (run_sandbox_rename(from, to)) return true;
  if (!run_sandbox_refused()) return false;
  run_sandbox_remove(from);
  return luaL_error(L, "'%s' is %s", to, run_sandbox_reason(RUN_WRITE)) != 0;
}

/* ---- io ---- */

static lua_CFunction plain_input, plain_output, plain_setlocale;

static int close_stream(lua_State *L) {
  luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
  return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

/* Pushes a file handle; false with errno set. */
static bool push_file(lua_State *L, const char *path, const char *mode, run_access access) {
  luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);
  stream->closef = NULL; /* it is closed as yet */
  luaL_setmetatable(L, LUA_FILEHANDLE);
  stream->f = open_noted(L, path, mode, access);
  if (stream->f == NULL) return false;
  stream->closef = close_stream;
  return true;
}

/* [rwa] [+] [b] */
static bool is_mode(const char *mode) {
  if (*mode == '\0' || strchr("rwa", *mode) == NULL) return false;
  mode++;
  if (*mode == '+') mode++;
  if (*mode == 'b') mode++;
  return *mode == '\0';
}

static int open_file(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  const char *mode = luaL_optstring(L, 2, "r");
  luaL_argcheck(L, is_mode(mode), 2, "invalid mode");
  return push_file(L, path, mode, RUN_READ) ? 1 : result(L, false, path, access_of(mode));
}

/* Replaces the name at 1, if it is one, by a file. */
static void open_argument(lua_State *L, const char *mode) {
  const char *path = lua_tostring(L, 1); /* of a number too, as Lua does */
  if (path == NULL) return;
  if (!push_file(L, path, mode, RUN_READ))
    luaL_error(L, "cannot open file '%s' (%s)", path, reason(errno, access_of(mode)));
  lua_replace(L, 1);
}

static int input(lua_State *L) {
  open_argument(L, "r");
  return plain_input(L);
}

static int output(lua_State *L) {
  open_argument(L, "w");
  return plain_output(L);
}

/* ---- os ---- */

static int no_variable(lua_State *L) {
  luaL_checkstring(L, 1);
  luaL_pushfail(L);
  return 1;
}

static int remove_file(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  return result(L, run_sandbox_remove(path), path, RUN_WRITE);
}

static int rename_file(lua_State *L) {
  const char *from = luaL_checkstring(L, 1), *to = luaL_checkstring(L, 2);
  return result(L, run_sandbox_rename(from, to), from, RUN_WRITE);
}

/* What a run reads, writes and sorts is the same in every country. A script in the sandbox has no
 * such function. */
static int set_locale(lua_State *L) {
  const char *locale = luaL_optstring(L, 1, NULL);
  if (locale != NULL && strcmp(locale, "C") != 0 && strcmp(locale, "POSIX") != 0)
    return luaL_error(L,
                      "os.setlocale: argument 1 (locale) is '%s': expected 'C'; numbers and the "
                      "order of texts are the same wherever a script runs",
                      locale);
  return plain_setlocale(L);
}

static int temporary_name(lua_State *L) {
  char name[PATH_MAX];
  if (!run_sandbox_temporary(name))
    return luaL_error(L, "unable to generate a unique filename: %s", reason(errno, RUN_WRITE));
  lua_pushstring(L, name);
  return 1;
}

/* ---- code ---- */

static lua_CFunction plain_load;

static int load(lua_State *L) {
  const char *mode = luaL_optstring(L, 3, "t");
  if (strchr(mode, 't') == NULL) {
    luaL_pushfail(L);
    lua_pushfstring(L, "bytecode %s", refusal);
    return 2;
  }
  if (lua_gettop(L) < 3) lua_settop(L, 3);
  lua_pushliteral(L, "t");
  lua_replace(L, 3);
  return plain_load(L);
}

/* read_code(path) -> the content of a file of Lua code, or nil and a message. */
static int read_code(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  luaL_Buffer b;
  size_t n;
  if (!push_file(L, path, "rb", RUN_MODULE)) {
    luaL_pushfail(L);
    lua_pushfstring(L, "cannot open %s: %s", path, reason(errno, RUN_MODULE));
    return 2;
  }
  luaL_Stream *stream = lua_touserdata(L, -1);
  luaL_buffinit(L, &b);
  while ((n = fread(luaL_prepbuffer(&b), 1, LUAL_BUFFERSIZE, stream->f)) > 0) luaL_addsize(&b, n);
  luaL_pushresult(&b);
  const bool good = ferror(stream->f) == 0;
  fclose(stream->f);
  stream->closef = NULL;
  if (good) return 1;
  luaL_pushfail(L);
  lua_pushfstring(L, "cannot read %s", path);
  return 2;
}

/* is_code(path) -> whether there is such a file. */
static int is_code(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  FILE *file = run_sandbox_fopen(path, "rb", RUN_MODULE);
  if (file == NULL && run_sandbox_short())
    return luaL_error(L, "cannot look for %s: %s", path, strerror(errno));
  lua_pushboolean(L, file != NULL);
  if (file != NULL) fclose(file);
  return 1;
}

/* missed(path): there is no such file, which matters if there will be one. */
static int missed(lua_State *L) {
  tell_reader(L, luaL_checkstring(L, 1));
  return 0;
}

/* Puts io.lines, io.tmpfile, loadfile, dofile and what `require` needs in place. */
static void install_loader(lua_State *L, const char *lua_dir, const char *script) {
  const char *path = lua_pushfstring(L, "%s/vesicle/base/loader.lua", lua_dir);
  if (luaL_loadfilex(L, path, "t") != LUA_OK) lua_error(L);
  lua_pushcfunction(L, read_code);
  lua_pushcfunction(L, is_code);
  lua_pushcfunction(L, missed);
  lua_pushstring(L, lua_dir);
  lua_pushstring(L, script);
  lua_call(L, 5, 0);
  lua_pop(L, 1);
}

/* ---- all of them ---- */

static lua_CFunction function_at(lua_State *L, const char *library, const char *name) {
  lua_getglobal(L, library);
  lua_getfield(L, -1, name);
  const lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 2);
  return function;
}

static void put(lua_State *L, const char *library, const luaL_Reg *functions) {
  lua_getglobal(L, library);
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}

static void put_refusal(lua_State *L, const char *library, const char *name) {
  lua_getglobal(L, library);
  lua_pushfstring(L, "%s.%s", library, name);
  lua_pushcclosure(L, refuse, 1);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* package.searchers: what was preloaded, and Lua files; no C libraries. */
static void drop_c_searchers(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  for (int i = 3; i <= 4; i++) {
    lua_pushnil(L);
    lua_rawseti(L, -2, i);
  }
  lua_pop(L, 2);
}

void run_sandbox_libraries_install(lua_State *L, const char *lua_dir, const char *script) {
  static const luaL_Reg noted[] = {
      {"open", open_file}, {"input", input}, {"output", output}, {NULL, NULL}};
  static const luaL_Reg trusted_os[] = {{"setlocale", set_locale}, {NULL, NULL}};
  static const luaL_Reg os[] = {{"getenv", no_variable},
                                {"remove", remove_file},
                                {"rename", rename_file},
                                {"tmpname", temporary_name},
                                {NULL, NULL}};
  static const luaL_Reg base[] = {{"load", load}, {NULL, NULL}};
  static const char *const refused[][2] = {{"io", "popen"},
                                           {"os", "execute"},
                                           {"os", "setlocale"},
                                           {"string", "dump"},
                                           {"package", "loadlib"}};
  plain_input = function_at(L, "io", "input");
  plain_output = function_at(L, "io", "output");
  plain_setlocale = function_at(L, "os", "setlocale");
  put(L, "io", noted);
  put(L, "os", trusted_os);
  lves_set_files(open_for_bindings, rename_for_bindings);
  if (run_sandbox_on()) {
    plain_load = function_at(L, LUA_GNAME, "load");
    put(L, LUA_GNAME, base);
    put(L, "os", os);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
      put_refusal(L, refused[i][0], refused[i][1]);
    drop_c_searchers(L);
  }
  install_loader(L, lua_dir, script);
}

void run_sandbox_libraries_register(lua_State *L) {
  lua_pushcfunction(L, on_read);
  lua_setfield(L, -2, "on_read");
}

void run_sandbox_libraries_drop_debug(lua_State *L) {
  if (!run_sandbox_on()) return;
  lua_pushnil(L);
  lua_setglobal(L, "debug");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushnil(L);
  lua_setfield(L, -2, "debug");
  lua_pop(L, 1);
}
