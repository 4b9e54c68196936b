/* lves_file: whole files, read and written.
 *
 * Every binding that reads or writes a file does it here, so that whoever embeds the library can
 * decide which files there are (lves_set_files). A file is read whole before anything is made of
 * it, and written under a temporary name, flushed and renamed, so that a file of the final name is
 * whole. Both names have to be allowed. */
#include "lves.h"
#include "ves_stop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static FILE *open_any(lua_State *L, const char *path, const char *mode) {
  (void)L;
  return fopen(path, mode);
}

static bool rename_any(lua_State *L, const char *from, const char *to) {
  (void)L;
  return rename(from, to) == 0;
}

static lves_opener opener = open_any;
static lves_renamer renamer = rename_any;

void lves_set_files(lves_opener open, lves_renamer rename) {
  opener = open;
  renamer = rename;
}

const char *lves_path_arg(const lves_arg *arg) {
  size_t length = 0;
  const char *path = NULL;
  if (lua_type(arg->L, arg->index) == LUA_TSTRING)
    path = lua_tolstring(arg->L, arg->index, &length);
  if (path == NULL || length == 0 || strlen(path) != length) lves_fail(arg, "the name of a file");
  return path;
}

/* ---- whole files ---- */

static void release_file(void *object) {
  FILE **file = object;
  if (*file != NULL) fclose(*file);
  *file = NULL;
}

/* Pushes a box that closes the file if an error comes between. */
static FILE **push_open(lua_State *L, const char *path, const char *mode) {
  lves_box *box = lves_push_box(L, sizeof(FILE *), release_file);
  FILE **file = lves_box_room(box);
  *file = opener(L, path, mode);
  box->object = file;
  return file;
}

const char *lves_read_file(const lves_arg *arg, size_t *length) {
  lua_State *L = arg->L;
  const char *path = lves_path_arg(arg);
  FILE **file = push_open(L, path, "rb");
  const int box = lua_gettop(L);
  if (*file == NULL) lves_error(L, arg->fn, "cannot read '%s': %s", path, strerror(errno));
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  enum { BLOCK = 1 << 16 };
  size_t n;
  do {
    char *room = luaL_prepbuffsize(&b, BLOCK);
    errno = 0;
    n = fread(room, 1, BLOCK, *file);
    luaL_addsize(&b, n);
    lves_block_end(L, arg->fn, 0, n);
  } while (n == BLOCK);
  if (ferror(*file)) lves_error(L, arg->fn, "cannot read '%s': %s", path, strerror(errno));
  luaL_pushresult(&b);
  release_file(file);
  lua_remove(L, box);
  return lua_tolstring(L, -1, length);
}

void lves_write_file(const lves_arg *arg, const char *content, size_t length) {
  lua_State *L = arg->L;
  const char *path = lves_path_arg(arg);
  const char *partial = lua_pushfstring(L, "%s.partial", path);
  FILE **file = push_open(L, partial, "wb");
  if (*file == NULL) lves_error(L, arg->fn, "cannot write '%s': %s", path, strerror(errno));
  bool good = true;
  for (size_t from = 0, end; from < length && good; from = end) {
    if (ves_stopping()) {
      release_file(file);
      remove(partial);
      lves_check(L, arg->fn, VES_ESTOPPED);
    }
    end = ves_block_end(from, length);
    good = fwrite(content + from, 1, end - from, *file) == end - from;
  }
  if (fclose(*file) != 0) good = false;
  *file = NULL;
  if (!good || !renamer(L, partial, path)) {
    const int reason = errno;
    remove(partial);
    lves_error(L, arg->fn, "cannot write '%s': %s", path, strerror(reason));
  }
  lua_pop(L, 2);
}
