/* run_files: the file operations an experiment needs and Lua lacks.
 *
 * An experiment's outputs appear together or not at all. publish() writes every file into
 * OUT/.<name>.partial, flushes each to the disk, and only when all are whole renames them, one
 * directory entry after the other, into OUT/<name>; results of an earlier run that this run no
 * longer produces are removed. A failure (a full disk, say) removes the partial directory and
 * leaves the earlier results as they were. A lock on the directory OUT keeps two runs from mixing
 * their files; it is the kernel's, so that a killed run leaves none behind. */
#include "run_files.h"

#include "run_options.h"
#include "run_sandbox.h"
#include "run_stop.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool run_files_make_directories(const char *path) {
  char partial[PATH_MAX];
  const size_t length = strlen(path);
  if (length == 0 || length >= sizeof partial) {
    errno = ENAMETOOLONG;
    return false;
  }
  for (size_t i = 1; i <= length; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(partial, path, i);
    partial[i] = '\0';
    if (mkdir(partial, 0777) != 0 && errno != EEXIST) return false;
  }
  return true;
}

static bool is_result(const char *name) {
  const size_t length = strlen(name);
  return length > 4 && name[0] != '.' &&
         (strcmp(name + length - 4, ".tsv") == 0 || strcmp(name + length - 4, ".tex") == 0 ||
          strcmp(name + length - 4, ".npy") == 0);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* Removes the regular files of a directory, then the directory; a missing one is fine. */
static void remove_flat(const char *dir) {
  struct dirent **entries = NULL;
  const int count = scandir(dir, &entries, NULL, by_name);
  char path[PATH_MAX];
  for (int i = 0; i < count; i++) {
    const int length = snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name);
    if (length > 0 && (size_t)length < sizeof path) unlink(path);
    free(entries[i]);
  }
  free(entries);
  rmdir(dir);
}

static int list(lua_State *L) {
  const char *dir = luaL_checkstring(L, 1);
  struct dirent **entries = NULL;
  const int count = run_sandbox_allows(dir, RUN_READ) ? scandir(dir, &entries, NULL, by_name) : -1;
  if (count < 0) {
    lua_pushnil(L);
    lua_pushfstring(L, "%s: %s", dir, strerror(errno));
    return 2;
  }
  lua_newtable(L);
  lua_Integer n = 0;
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
      lua_pushstring(L, name);
      lua_rawseti(L, -2, ++n);
    }
    free(entries[i]);
  }
  free(entries);
  return 1;
}

/* ---- publish ---- */

static bool write_whole(const char *path, const char *content, size_t length) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  while (length > 0) {
    const ssize_t n = write(fd, content, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int saved = errno;
      close(fd);
      errno = saved;
      return false;
    }
    content += n;
    length -= (size_t)n;
  }
  if (fsync(fd) != 0) {
    const int saved = errno;
    close(fd);
    errno = saved;
    return false;
  }
  return close(fd) == 0;
}

typedef struct {
  const char *out;
  char partial[PATH_MAX]; /* OUT/.<name>.partial */
  char final[PATH_MAX];   /* OUT/<name> */
  char failed[PATH_MAX];  /* the path an operation failed on */
} publication;

static bool path_in(char *path, const char *dir, const char *name) {
  const int length = snprintf(path, PATH_MAX, "%s/%s", dir, name);
  if (length > 0 && length < PATH_MAX) return true;
  errno = ENAMETOOLONG;
  return false;
}

/* The name of file i of the array at `files`; content in *content if asked for. The strings stay
 * alive as long as the array does. */
static const char *file_at(lua_State *L, int files, lua_Integer i, const char **content,
                           size_t *length) {
  lua_rawgeti(L, files, i);
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  const char *name = lua_tostring(L, -2);
  if (content != NULL) *content = lua_tolstring(L, -1, length);
  lua_pop(L, 3);
  return name;
}

static bool write_all(lua_State *L, publication *p, int files, lua_Integer count) {
  for (lua_Integer i = 1; i <= count; i++) {
    const char *content = NULL;
    size_t length = 0;
    const char *name = file_at(L, files, i, &content, &length);
    if (!path_in(p->failed, p->partial, name)) return false;
    if (!write_whole(p->failed, content, length)) return false;
  }
  return true;
}

/* Removes earlier results whose names are not among the new files. */
static bool remove_stale(lua_State *L, publication *p, int files, lua_Integer count) {
  struct dirent **entries = NULL;
  memcpy(p->failed, p->final, sizeof p->final);
  const int found = scandir(p->final, &entries, NULL, by_name);
  if (found < 0) return false;
  bool good = true;
  for (int e = 0; e < found; e++) {
    bool kept = !is_result(entries[e]->d_name);
    for (lua_Integer i = 1; i <= count && !kept; i++)
      kept = strcmp(entries[e]->d_name, file_at(L, files, i, NULL, NULL)) == 0;
    if (!kept && good)
      good = path_in(p->failed, p->final, entries[e]->d_name) &&
             (unlink(p->failed) == 0 || errno == ENOENT);
    free(entries[e]);
  }
  free(entries);
  return good;
}

static bool rename_all(lua_State *L, publication *p, int files, lua_Integer count) {
  char from[PATH_MAX];
  for (lua_Integer i = 1; i <= count; i++) {
    const char *name = file_at(L, files, i, NULL, NULL);
    if (!path_in(from, p->partial, name) || !path_in(p->failed, p->final, name)) return false;
    if (rename(from, p->failed) != 0) return false;
  }
  return true;
}

static bool publish_locked(lua_State *L, publication *p, int files, lua_Integer count) {
  remove_flat(p->partial);
  memcpy(p->failed, p->partial, sizeof p->partial);
  if (mkdir(p->partial, 0777) != 0) return false;
  if (!write_all(L, p, files, count)) return false;
  memcpy(p->failed, p->final, sizeof p->final);
  if (mkdir(p->final, 0777) != 0 && errno != EEXIST) return false;
  return remove_stale(L, p, files, count) && rename_all(L, p, files, count);
}

/* No room is a reason to go on later: the replicates are in the journal. */
static _Noreturn void raise_unpublished(lua_State *L, const char *path, int error) {
  const bool no_room = error == ENOSPC || error == EDQUOT || error == EFBIG;
  run_stop(L, no_room ? RUN_INTERRUPTED : RUN_SCRIPT_ERROR, "cannot write %s: %s%s", path,
           strerror(error),
           no_room ? "; make room, then run the same command again to go on"
                   : "; choose another place with --out DIR");
}

/* A name is one component of a path: it leads nowhere else. */
static bool is_component(const char *name) {
  return name[0] != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
         strcmp(name, "..") != 0;
}

static void check_names(lua_State *L, const char *name, int files, lua_Integer count) {
  luaL_argcheck(L, is_component(name), 2, "a name without / expected");
  for (lua_Integer i = 1; i <= count; i++) {
    const char *file = file_at(L, files, i, NULL, NULL);
    luaL_argcheck(L, is_component(file) && strstr(file, ".sqlite") == NULL, files,
                  "a file name without / and not of a journal expected");
  }
}

static int publish(lua_State *L) {
  const char *out = luaL_checkstring(L, 1);
  const char *name = luaL_checkstring(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  const lua_Integer count = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= count; i++) {
    luaL_argcheck(L, lua_rawgeti(L, 3, i) == LUA_TTABLE, 3, "array of {name, content} expected");
    luaL_argcheck(L, lua_rawgeti(L, -1, 1) == LUA_TSTRING, 3, "file name expected");
    luaL_argcheck(L, lua_rawgeti(L, -2, 2) == LUA_TSTRING, 3, "file content expected");
    lua_pop(L, 3);
  }
  publication p = {.out = out};
  check_names(L, name, 3, count);
  const int n = snprintf(p.partial, sizeof p.partial, "%s/.%s.partial", out, name);
  if (n < 0 || (size_t)n >= sizeof p.partial || !path_in(p.final, out, name))
    raise_unpublished(L, out, ENAMETOOLONG);
  if (!run_sandbox_allows(p.final, RUN_WRITE) || !run_sandbox_allows(p.partial, RUN_WRITE))
    run_stop(L, RUN_SCRIPT_ERROR, "%s is %s", p.final, run_sandbox_reason(RUN_WRITE));
  int lock = -1;
  if (!run_files_make_directories(out) ||
      (lock = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
    raise_unpublished(L, out, errno);
  while (flock(lock, LOCK_EX) != 0 && errno == EINTR) continue;
  const bool good = publish_locked(L, &p, 3, count);
  const int saved = errno;
  remove_flat(p.partial);
  fsync(lock);
  close(lock);
  if (!good) raise_unpublished(L, p.failed, saved);
  return 0;
}

void run_files_register(lua_State *L) {
  static const luaL_Reg functions[] = {{"list", list}, {"publish", publish}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
