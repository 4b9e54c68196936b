/* run_files: the file operations an experiment needs and Lua lacks.
 *
 * An experiment's outputs appear together or not at all. publish() writes every file into
 * OUT/.<name>.partial, flushes each to the disk, and only when all are whole renames them, one
 * directory entry after the other, into OUT/<name>; results of an earlier run that this run no
 * longer produces are removed. A failure (a full disk, say) removes the partial directory and
 * leaves the earlier results as they were. A lock on the directory OUT keeps two runs from mixing
 * their files; it is the kernel's, so that a killed run leaves none behind.
 *
 * The sandbox is asked for OUT; from there on everything is done by the descriptors of the three
 * directories and names without a slash, which lead nowhere else. */
#include "run_files.h"

#include "run_options.h"
#include "run_sandbox.h"
#include "run_stop.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int no_dots(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Calls `visit` with each entry's name, in order, as long as it returns true. */
static bool visit_entries(int dir, bool (*visit)(void *context, int dir, const char *name),
                          void *context) {
  char path[32];
  struct dirent **entries = NULL;
  snprintf(path, sizeof path, "/proc/self/fd/%d", dir);
  const int count = scandir(path, &entries, no_dots, by_name);
  bool good = count >= 0;
  for (int i = 0; i < count; i++) {
    good = good && visit(context, dir, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  return good;
}

/* ---- list ---- */

static bool add_name(void *context, int dir, const char *name) {
  (void)dir;
  lua_State *L = context;
  lua_pushstring(L, name);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  return true;
}

static int list(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  const int dir = run_sandbox_open(path, O_RDONLY | O_DIRECTORY, RUN_READ);
  lua_newtable(L);
  if (dir < 0 || !visit_entries(dir, add_name, L)) {
    lua_pushnil(L);
    lua_pushfstring(L, "%s: %s", path, strerror(errno));
  }
  if (dir >= 0) close(dir);
  return lua_istable(L, -1) ? 1 : 2;
}

/* ---- publish ---- */

typedef struct {
  lua_State *L; /* the array of files at 3 */
  lua_Integer count;
  int out, partial, final; /* descriptors of the directories; -1: not open */
  char hidden[NAME_MAX + 1];
  const char *name;   /* of the final directory; `hidden` is the partial one's */
  const char *dir;    /* where something failed, and */
  const char *failed; /* on which file, or NULL */
} publication;

/* The name of file i; its content too, if asked for. The strings live as long as the array. */
static const char *file_at(lua_State *L, lua_Integer i, const char **content, size_t *length) {
  lua_rawgeti(L, 3, i);
  lua_rawgeti(L, -1, 1);
  lua_rawgeti(L, -2, 2);
  const char *name = lua_tostring(L, -2);
  if (content != NULL) *content = lua_tolstring(L, -1, length);
  lua_pop(L, 3);
  return name;
}

static bool write_whole(int dir, const char *name, const char *content, size_t length) {
  const int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (file == NULL) return false;
  bool good = fwrite(content, 1, length, file) == length && fflush(file) == 0 && fsync(fd) == 0;
  const int saved = errno;
  if (fclose(file) != 0) return false;
  errno = saved;
  return good;
}

static bool unlink_entry(void *context, int dir, const char *name) {
  (void)context;
  return unlinkat(dir, name, 0) == 0 || errno == ENOENT;
}

/* Removes an earlier result that is not among the new files. */
static bool remove_if_stale(void *context, int dir, const char *name) {
  publication *p = context;
  const size_t length = strlen(name);
  const char *ending = length > 4 && name[0] != '.' ? name + length - 4 : "";
  if (strcmp(ending, ".tsv") != 0 && strcmp(ending, ".tex") != 0 && strcmp(ending, ".npy") != 0)
    return true;
  for (lua_Integer i = 1; i <= p->count; i++)
    if (strcmp(name, file_at(p->L, i, NULL, NULL)) == 0) return true;
  return unlink_entry(NULL, dir, name);
}

static int open_made(int parent, const char *name) {
  if (mkdirat(parent, name, 0777) != 0 && errno != EEXIST) return -1;
  const int follow = run_sandbox_on() ? O_NOFOLLOW : 0;
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
}

/* All of it, with OUT open and locked; false with errno set and the place in *p. */
static bool publish_locked(publication *p) {
  p->dir = p->hidden;
  p->partial = open_made(p->out, p->hidden);
  if (p->partial < 0 || !visit_entries(p->partial, unlink_entry, NULL)) return false;
  for (lua_Integer i = 1; i <= p->count; i++) {
    const char *content = NULL;
    size_t length = 0;
    p->failed = file_at(p->L, i, &content, &length);
    if (!write_whole(p->partial, p->failed, content, length)) return false;
  }
  p->dir = p->name;
  p->failed = NULL;
  p->final = open_made(p->out, p->name);
  if (p->final < 0 || !visit_entries(p->final, remove_if_stale, p)) return false;
  for (lua_Integer i = 1; i <= p->count; i++) {
    p->failed = file_at(p->L, i, NULL, NULL);
    if (renameat(p->partial, p->failed, p->final, p->failed) != 0) return false;
  }
  return true;
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

static lua_Integer check_files(lua_State *L) {
  luaL_checktype(L, 3, LUA_TTABLE);
  const lua_Integer count = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= count; i++) {
    luaL_argcheck(L, lua_rawgeti(L, 3, i) == LUA_TTABLE, 3, "array of {name, content} expected");
    luaL_argcheck(L, lua_rawgeti(L, -1, 1) == LUA_TSTRING, 3, "file name expected");
    luaL_argcheck(L, lua_rawgeti(L, -2, 2) == LUA_TSTRING, 3, "file content expected");
    const char *name = lua_tostring(L, -2);
    luaL_argcheck(L, is_component(name) && strstr(name, ".sqlite") == NULL, 3,
                  "a file name without / and not of a journal expected");
    lua_pop(L, 3);
  }
  return count;
}

static int publish(lua_State *L) {
  const char *out = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  luaL_argcheck(L, is_component(name) && strlen(name) < NAME_MAX - 10, 2,
                "a name without / expected");
  publication p = {.L = L, .count = check_files(L), .name = name, .partial = -1, .final = -1};
  snprintf(p.hidden, sizeof p.hidden, ".%s.partial", name);
  p.out = -1;
  if (run_sandbox_make_directories(out))
    p.out = run_sandbox_open(out, O_RDONLY | O_DIRECTORY, RUN_WRITE);
  if (p.out < 0 && errno == EACCES && run_sandbox_on())
    run_stop(L, RUN_SCRIPT_ERROR, "%s/%s is %s", out, name, run_sandbox_reason(RUN_WRITE));
  if (p.out < 0) raise_unpublished(L, out, errno);
  while (flock(p.out, LOCK_EX) != 0 && errno == EINTR) continue;
  const bool good = publish_locked(&p);
  const int saved = errno;
  if (p.partial >= 0) visit_entries(p.partial, unlink_entry, NULL);
  unlinkat(p.out, p.hidden, AT_REMOVEDIR);
  fsync(p.out);
  if (p.partial >= 0) close(p.partial);
  if (p.final >= 0) close(p.final);
  close(p.out);
  if (good) return 0;
  raise_unpublished(L,
                    lua_pushfstring(L, "%s/%s%s%s", out, p.dir, p.failed != NULL ? "/" : "",
                                    p.failed != NULL ? p.failed : ""),
                    saved);
}

void run_files_register(lua_State *L) {
  static const luaL_Reg functions[] = {{"list", list}, {"publish", publish}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
