/* run_doors: Lua's own libraries, as a sandboxed script has them.
 *
 * Every door to the outside is a C function here, and each asks run_sandbox at every call. The
 * functions they replace are gone from the state: where one is still of use (load, io.input) it is
 * called as a C function, and no Lua value refers to it, so that there is nothing to be found in an
 * upvalue, a metatable or a table of loaded modules. Code is text: bytecode, which Lua does not
 * check, could do anything. */
#include "run_doors.h"

#include "lves.h"
#include "run_sandbox.h"
#include <errno.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

static const char refusal[] = "is not there in the sandbox (--trust lifts this)";

/* ---- refusals ---- */

/* Its upvalue is its name. */
static int refuse(lua_State *L) {
  return luaL_error(L, "%s %s", lua_tostring(L, lua_upvalueindex(1)), refusal);
}

static const char *reason(int error, run_access access) {
  return error == EACCES ? run_sandbox_reason(access) : strerror(error);
}

/* What io.open and its like return when they fail. */
static int fail(lua_State *L, const char *path, run_access access) {
  const int error = errno;
  luaL_pushfail(L);
  lua_pushfstring(L, "%s: %s", path, reason(error, access));
  lua_pushinteger(L, error);
  return 3;
}

static int succeed(lua_State *L) {
  lua_pushboolean(L, 1);
  return 1;
}

/* ---- io ---- */

static lua_CFunction plain_input, plain_output, plain_lines;

static int close_stream(lua_State *L) {
  luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
  return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

/* Pushes a closed file handle, to be filled. */
static luaL_Stream *push_stream(lua_State *L) {
  luaL_Stream *stream = lua_newuserdatauv(L, sizeof *stream, 0);
  stream->f = NULL;
  stream->closef = NULL;
  luaL_setmetatable(L, LUA_FILEHANDLE);
  return stream;
}

/* Pushes a file handle; false with errno set. */
static bool push_file(lua_State *L, const char *path, const char *mode) {
  luaL_Stream *stream = push_stream(L);
  stream->f = run_sandbox_fopen(path, mode, RUN_READ);
  if (stream->f == NULL) return false;
  stream->closef = close_stream;
  return true;
}

static run_access access_of(const char *mode) {
  return mode[0] == 'r' && strchr(mode, '+') == NULL ? RUN_READ : RUN_WRITE;
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
  return push_file(L, path, mode) ? 1 : fail(L, path, access_of(mode));
}

/* Replaces the name at 1, if it is one, by a file. */
static void open_argument(lua_State *L, const char *mode) {
  const char *path = lua_tostring(L, 1); /* of a number too, as Lua does */
  if (path == NULL) return;
  if (!push_file(L, path, mode))
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

/* Upvalues: the iterator of the file's own `lines`, and the file. */
static int next_line(lua_State *L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 0, LUA_MULTRET);
  if (lua_gettop(L) == 0 || lua_isnil(L, 1)) {
    luaL_Stream *stream = lua_touserdata(L, lua_upvalueindex(2));
    if (stream->closef != NULL) {
      fclose(stream->f);
      stream->closef = NULL;
    }
  }
  return lua_gettop(L);
}

static int lines(lua_State *L) {
  if (lua_isnoneornil(L, 1)) return plain_lines(L);
  const char *path = luaL_checkstring(L, 1);
  if (!push_file(L, path, "r")) return luaL_error(L, "%s: %s", path, reason(errno, RUN_READ));
  lua_replace(L, 1); /* the file is now the first argument of its own method */
  const int arguments = lua_gettop(L);
  lua_pushvalue(L, 1);
  lua_insert(L, 1);
  luaL_getmetatable(L, LUA_FILEHANDLE);
  lua_getfield(L, -1, "__index");
  lua_getfield(L, -1, "lines");
  lua_insert(L, 2);
  lua_pop(L, 2);
  lua_call(L, arguments, 1);
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, next_line, 2);
  lua_pushnil(L);
  lua_pushnil(L);
  lua_pushvalue(L, 1);
  return 4;
}

static int temporary_file(lua_State *L) {
  luaL_Stream *stream = push_stream(L);
  stream->f = run_sandbox_temporary(NULL);
  if (stream->f == NULL) return fail(L, "io.tmpfile", RUN_WRITE);
  stream->closef = close_stream;
  return 1;
}

/* ---- os ---- */

static int no_variable(lua_State *L) {
  luaL_checkstring(L, 1);
  luaL_pushfail(L);
  return 1;
}

static int remove_file(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  return run_sandbox_remove(path) ? succeed(L) : fail(L, path, RUN_WRITE);
}

static int rename_file(lua_State *L) {
  const char *from = luaL_checkstring(L, 1), *to = luaL_checkstring(L, 2);
  return run_sandbox_rename(from, to) ? succeed(L) : fail(L, from, RUN_WRITE);
}

static int temporary_name(lua_State *L) {
  char name[PATH_MAX];
  FILE *file = run_sandbox_temporary(name);
  if (file == NULL)
    return luaL_error(L, "unable to generate a unique filename: %s", reason(errno, RUN_WRITE));
  fclose(file);
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

static int read_all(lua_State *L) {
  FILE *file = lua_touserdata(L, 1);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  size_t n;
  do {
    n = fread(luaL_prepbuffer(&b), 1, LUAL_BUFFERSIZE, file);
    luaL_addsize(&b, n);
  } while (n == LUAL_BUFFERSIZE);
  luaL_pushresult(&b);
  return 1;
}

/* Pushes the content of a file that holds Lua code; false with the message pushed. */
static bool push_code(lua_State *L, const char *path) {
  FILE *file = run_sandbox_fopen(path, "rb", RUN_MODULE);
  if (file == NULL) {
    lua_pushfstring(L, "cannot open %s: %s", path, reason(errno, RUN_READ));
    return false;
  }
  lua_pushcfunction(L, read_all);
  lua_pushlightuserdata(L, file);
  const bool good = lua_pcall(L, 1, 1, 0) == LUA_OK;
  const bool bad_file = ferror(file) != 0;
  fclose(file);
  if (good && bad_file) {
    lua_pop(L, 1);
    lua_pushfstring(L, "cannot read %s", path);
  }
  return good && !bad_file;
}

/* Pushes the function of a file of code, or nothing but a message; as luaL_loadfilex, a mark of
 * byte order and a first line that begins with # are passed over. */
static bool load_code(lua_State *L, const char *path) {
  if (!push_code(L, path)) return false;
  size_t length = 0;
  const char *code = lua_tolstring(L, -1, &length);
  if (length >= 3 && memcmp(code, "\xEF\xBB\xBF", 3) == 0) {
    code += 3;
    length -= 3;
  }
  if (length > 0 && code[0] == '#') {
    const char *end = memchr(code, '\n', length);
    const size_t skipped = end != NULL ? (size_t)(end - code) : length;
    code += skipped;
    length -= skipped;
  }
  lua_pushfstring(L, "@%s", path);
  const int status = luaL_loadbufferx(L, code, length, lua_tostring(L, -1), "t");
  lua_replace(L, -3);
  lua_pop(L, 1);
  return status == LUA_OK;
}

static int load_file(lua_State *L) {
  const char *path = luaL_optstring(L, 1, NULL);
  const char *mode = luaL_optstring(L, 2, "t");
  const bool has_environment = !lua_isnone(L, 3);
  bool good;
  if (strchr(mode, 't') == NULL) {
    lua_pushfstring(L, "bytecode %s", refusal);
    good = false;
  } else {
    good = path == NULL ? luaL_loadfilex(L, NULL, "t") == LUA_OK : load_code(L, path);
  }
  if (!good) {
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(L, 3);
    if (lua_setupvalue(L, -2, 1) == NULL) lua_pop(L, 1);
  }
  return 1;
}

static int results_of(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  return lua_gettop(L) - 1;
}

static int do_file(lua_State *L) {
  const char *path = luaL_optstring(L, 1, NULL);
  lua_settop(L, 1);
  const bool good = path == NULL ? luaL_loadfilex(L, NULL, "t") == LUA_OK : load_code(L, path);
  if (!good) return lua_error(L);
  lua_callk(L, 0, LUA_MULTRET, 0, results_of);
  return results_of(L, LUA_OK, 0);
}

/* ---- modules ---- */

/* Pushes the first file of `path`, a list of templates, that is there for `name`, and returns true;
 * or the list of those that are not. */
static bool search_path(lua_State *L, const char *name, const char *path, const char *separator,
                        const char *replacement) {
  if (*separator != '\0' && strstr(name, separator) != NULL)
    name = luaL_gsub(L, name, separator, replacement);
  luaL_Buffer missing;
  lua_newtable(L); /* keeps the names while the buffer is in use */
  const int names = lua_gettop(L);
  path = luaL_gsub(L, path, "?", name);
  lua_rawseti(L, names, 1);
  luaL_buffinit(L, &missing);
  bool first = true;
  while (*path != '\0') {
    const size_t length = strcspn(path, ";");
    lua_pushlstring(L, path, length);
    const char *file = lua_tostring(L, -1);
    FILE *found = length > 0 ? run_sandbox_fopen(file, "rb", RUN_MODULE) : NULL;
    if (found != NULL) {
      fclose(found);
      return true;
    }
    lua_pop(L, 1);
    if (length > 0) {
      luaL_addstring(&missing, first ? "no file '" : "\n\tno file '");
      first = false;
      luaL_addlstring(&missing, path, length);
      luaL_addchar(&missing, '\'');
    }
    path += length + (path[length] == ';');
  }
  luaL_pushresult(&missing);
  return false;
}

static int find_path(lua_State *L) {
  if (search_path(L, luaL_checkstring(L, 1), luaL_checkstring(L, 2), luaL_optstring(L, 3, "."),
                  luaL_optstring(L, 4, "/")))
    return 1;
  luaL_pushfail(L);
  lua_insert(L, -2);
  return 2;
}

/* The searcher of `require` for Lua files. Its upvalue is the table `package`. */
static int find_module(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  lua_getfield(L, lua_upvalueindex(1), "path");
  const char *path = lua_tostring(L, -1);
  if (path == NULL) return luaL_error(L, "'package.path' must be a string");
  if (!search_path(L, name, path, ".", "/")) return 1;
  const char *file = lua_tostring(L, -1);
  if (!load_code(L, file))
    return luaL_error(L, "error loading module '%s' from file '%s':\n\t%s", name, file,
                      lua_tostring(L, -1));
  lua_pushstring(L, file);
  return 2;
}

/* package.searchers: what was preloaded, and Lua files; no C libraries. */
static void replace_searchers(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, find_module, 1);
  lua_rawseti(L, -2, 2);
  for (int i = 3; i <= 4; i++) {
    lua_pushnil(L);
    lua_rawseti(L, -2, i);
  }
  lua_pop(L, 2);
}

/* ---- the bindings ---- */

static FILE *open_for_bindings(lua_State *L, const char *path, const char *mode) {
  FILE *file = run_sandbox_fopen(path, mode, RUN_READ);
  if (file == NULL && errno == EACCES)
    luaL_error(L, "'%s' is %s", path, run_sandbox_reason(access_of(mode)));
  return file;
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

void run_doors_shut(lua_State *L) {
  static const luaL_Reg base[] = {
      {"load", load}, {"loadfile", load_file}, {"dofile", do_file}, {NULL, NULL}};
  static const luaL_Reg io[] = {{"open", open_file},         {"input", input},
                                {"output", output},          {"lines", lines},
                                {"tmpfile", temporary_file}, {NULL, NULL}};
  static const luaL_Reg os[] = {{"getenv", no_variable},
                                {"remove", remove_file},
                                {"rename", rename_file},
                                {"tmpname", temporary_name},
                                {NULL, NULL}};
  static const luaL_Reg package[] = {{"searchpath", find_path}, {NULL, NULL}};
  if (!run_sandbox_on()) return;
  plain_load = function_at(L, LUA_GNAME, "load");
  plain_input = function_at(L, "io", "input");
  plain_output = function_at(L, "io", "output");
  plain_lines = function_at(L, "io", "lines");
  put(L, LUA_GNAME, base);
  put(L, "io", io);
  put(L, "os", os);
  put(L, "package", package);
  put_refusal(L, "io", "popen");
  put_refusal(L, "os", "execute");
  put_refusal(L, "os", "setlocale");
  put_refusal(L, "string", "dump");
  put_refusal(L, "package", "loadlib");
  replace_searchers(L);
  lves_set_opener(open_for_bindings);
}

void run_doors_drop_debug(lua_State *L) {
  if (!run_sandbox_on()) return;
  lua_pushnil(L);
  lua_setglobal(L, "debug");
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushnil(L);
  lua_setfield(L, -2, "debug");
  lua_pop(L, 1);
}
