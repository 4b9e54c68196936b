/* run_files: the file operations an experiment needs and Lua lacks.
 *
 * An experiment's outputs appear together or not at all. publish() writes every file into
 * OUT/.<name>.partial, flushes each to the disk, and only when all are whole lets that directory and
 * OUT/<name> change places, which the kernel does in one step. Then the earlier results, now in the
 * partial directory, are removed; files there that are no results (of other endings than .tsv, .tex
 * and .npy) move on to the new directory, by the next run if this one is killed before. A failure (a
 * full disk, say) leaves the earlier results as they were. A lock on the directory OUT keeps two
 * runs from mixing their files; it is the kernel's, so that a killed run leaves none behind.
 *
 * The list of what the results depend on, OUT/<name>.d, is written before: if a run is killed in
 * between, make finds files missing or older than what they depend on. It is a list of paths and no
 * rule, since a script may read files of any name: make learns from paper/tools/stale.sh alone which
 * experiments are to run again.
 *
 * The sandbox is asked for OUT; from there on everything is done by the descriptors of the three
 * directories and names without a slash, which lead nowhere else. */
#define _GNU_SOURCE /* RENAME_EXCHANGE, syscall; NOLINT(bugprone-reserved-identifier) */
#include "run_files.h"

#include "lves_buffer.h"
#include "run_sandbox.h"
#include "run_stop.h"
#include "run_unfinished.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
  int out, partial; /* descriptors of the directories; -1: not open */
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

static bool is_result(const char *name) {
  const size_t length = strlen(name);
  const char *ending = length > 4 && name[0] != '.' ? name + length - 4 : "";
  return strcmp(ending, ".tsv") == 0 || strcmp(ending, ".tex") == 0 || strcmp(ending, ".npy") == 0;
}

/* Removes a result; anything else moves to the directory with this descriptor, if it has no file of
 * the name. */
static bool clear_entry(void *context, int dir, const char *name) {
  const int *to = context;
  if (is_result(name)) return unlinkat(dir, name, 0) == 0 || errno == ENOENT;
  return renameat(dir, name, *to, name) == 0 || errno == ENOENT || errno == ENOTEMPTY;
}

static int open_directory(int parent, const char *name) {
  const int follow = run_sandbox_on() ? O_NOFOLLOW : 0;
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
}

/* Removes the partial directory, where there is one. What is no result in it goes to the final one. */
static bool clear_partial(const publication *p) {
  const int partial = open_directory(p->out, p->hidden);
  if (partial < 0) return errno == ENOENT;
  const bool made = mkdirat(p->out, p->name, 0777) == 0;
  int final = open_directory(p->out, p->name);
  const bool good = final >= 0 && visit_entries(partial, clear_entry, &final);
  if (final >= 0) close(final);
  close(partial);
  if (made) unlinkat(p->out, p->name, AT_REMOVEDIR); /* if it is empty */
  return good && unlinkat(p->out, p->hidden, AT_REMOVEDIR) == 0;
}

/* Where the earlier results stand for a moment, on a file system that cannot exchange. */
static void name_aside(const publication *p, char aside[NAME_MAX + 1]) {
  snprintf(aside, NAME_MAX + 1, ".%s.earlier", p->name);
}

/* Puts back what a run left there that was killed in this moment. */
static bool recover(const publication *p) {
  char aside[NAME_MAX + 1];
  name_aside(p, aside);
  if (renameat(p->out, aside, p->out, p->name) == 0 || errno == ENOENT) return true;
  return clear_partial(p) && renameat(p->out, aside, p->out, p->hidden) == 0;
}

/* The two directories change places. */
static bool exchange(const publication *p) {
  if (renameat(p->out, p->hidden, p->out, p->name) == 0) return true; /* there was none, or empty */
  if (errno != ENOTEMPTY && errno != EEXIST) return false;
#ifdef SYS_renameat2
  if (syscall(SYS_renameat2, p->out, p->hidden, p->out, p->name, RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
#endif
  char aside[NAME_MAX + 1];
  name_aside(p, aside);
  return renameat(p->out, p->name, p->out, aside) == 0 &&
         renameat(p->out, p->hidden, p->out, p->name) == 0 &&
         renameat(p->out, aside, p->out, p->hidden) == 0;
}

/* All of it, with OUT open and locked; false with errno set and the place in *p. */
static bool publish_locked(publication *p, const lves_buffer *list) {
  char part[NAME_MAX + 1], final[NAME_MAX + 1];
  p->dir = p->hidden;
  if (!recover(p) || !clear_partial(p) || mkdirat(p->out, p->hidden, 0777) != 0) return false;
  p->partial = open_directory(p->out, p->hidden);
  if (p->partial < 0) return false;
  for (lua_Integer i = 1; i <= p->count; i++) {
    const char *content = NULL;
    size_t length = 0;
    p->failed = file_at(p->L, i, &content, &length);
    if (!write_whole(p->partial, p->failed, content, length)) return false;
  }
  p->failed = NULL;
  snprintf(part, sizeof part, "%s.d.part", p->name);
  snprintf(final, sizeof final, "%s.d", p->name);
  p->dir = p->name;
  if (list->length > 0) {
    unlinkat(p->out, part, 0);
    if (!write_whole(p->out, part, list->data, list->length)) return false;
    if (renameat(p->out, part, p->out, final) != 0) return false;
  }
  return fsync(p->partial) == 0 && exchange(p);
}

/* No room is a reason to go on later: the replicates are in the journal. */
static _Noreturn void raise_unpublished(lua_State *L, const char *path, int error) {
  const bool no_room = error == ENOSPC || error == EDQUOT || error == EFBIG;
  run_stop(L, no_room ? RUN_INTERRUPTED : RUN_SCRIPT_ERROR, "cannot write %s: %s%s", path,
           strerror(error),
           no_room ? "; make room, then run the same command again to go on"
                   : "; choose another place with --out DIR");
}

/* Names go into paths, make and LaTeX: letters, digits, _ and -. */
static size_t word_length(const char *name) {
  static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-";
  return strchr("_-", name[0]) == NULL ? strspn(name, letters) : 0;
}

static bool is_word(const char *name) {
  const size_t length = word_length(name);
  return length > 0 && name[length] == '\0' && length < NAME_MAX - 10;
}

static bool is_result_name(const char *name, size_t length) {
  return is_result(name) && word_length(name) == length - 4 && length < NAME_MAX - 10;
}

static lua_Integer check_files(lua_State *L) {
  luaL_checktype(L, 3, LUA_TTABLE);
  const lua_Integer count = luaL_len(L, 3);
  for (lua_Integer i = 1; i <= count; i++) {
    luaL_argcheck(L, lua_rawgeti(L, 3, i) == LUA_TTABLE, 3, "array of {name, content} expected");
    luaL_argcheck(L, lua_rawgeti(L, -1, 1) == LUA_TSTRING, 3, "file name expected");
    luaL_argcheck(L, lua_rawgeti(L, -2, 2) == LUA_TSTRING, 3, "file content expected");
    luaL_argcheck(L, is_result_name(lua_tostring(L, -2), lua_rawlen(L, -2)), 3,
                  "the name of a file .tsv, .tex or .npy, of letters, digits, _ and -, expected");
    lua_pop(L, 3);
  }
  return count;
}

static bool add_text(lves_buffer *to, const char *text) {
  return lves_buffer_add(to, text, strlen(text));
}

/* Where make runs; "" for a script that it does not know. */
static const char *root_of(lua_State *L) {
  const run_options *options = lua_touserdata(L, lua_upvalueindex(1));
  const run_paths *paths = lua_touserdata(L, lua_upvalueindex(2));
  const bool known = options->script != NULL && run_paths_is_experiment(paths, options->script);
  return known && strcmp(paths->project, paths->lua) != 0 ? paths->project : "";
}

static const char *below(const char *root, const char *path) {
  const size_t length = strlen(root);
  return length > 0 && strncmp(path, root, length) == 0 && path[length] == '/' ? path + length + 1
                                                                               : path;
}

/* A path that does not fit on a line makes its experiment run again each time, which the journal
 * makes cheap. */
static bool add_line(lves_buffer *list, const char *kind, const char *path) {
  if (strchr(path, '\n') != NULL) kind = path = "unlisted";
  return add_text(list, kind) && add_text(list, " ") && add_text(list, path) &&
         add_text(list, "\n");
}

/* The list for make, if there is an array of files at 4; those that were missing are at 5. Files
 * below the directory where make runs are named from there, so that it holds in a copy of the tree. */
static bool make_list(const publication *p, lves_buffer *list) {
  lua_State *L = p->L;
  bool good = true;
  const run_options *options = lua_touserdata(L, lua_upvalueindex(1));
  if (!lua_istable(L, 4) || options->code != NULL) return true; /* make runs files */
  for (int array = 4; array <= 5; array++) {
    for (lua_Integer i = 1; good && lua_rawgeti(L, array, i) == LUA_TSTRING; i++, lua_pop(L, 1))
      good = add_line(list, array == 4 ? "read" : "absent", below(root_of(L), lua_tostring(L, -1)));
    lua_settop(L, 5);
  }
  for (lua_Integer i = 1; good && i <= p->count; i++)
    good = add_line(list, "wrote", file_at(L, i, NULL, NULL));
  return good;
}

/* publish(out, name, files, read, missing) */
static int publish(lua_State *L) {
  const char *out = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
  luaL_argcheck(L, is_word(name) && strlen(name) == lua_rawlen(L, 2), 2,
                "a name of letters, digits, _ and - expected");
  lua_settop(L, 5);
  luaL_argcheck(L, lua_isnil(L, 4) == lua_isnil(L, 5), 5, "two arrays expected, or none");
  if (!lua_isnil(L, 4)) luaL_checktype(L, 4, LUA_TTABLE);
  if (!lua_isnil(L, 5)) luaL_checktype(L, 5, LUA_TTABLE);
  publication p = {
      .L = L, .count = check_files(L), .out = -1, .partial = -1, .name = name, .dir = name};
  snprintf(p.hidden, sizeof p.hidden, ".%s.partial", name);
  if (run_sandbox_out_error() != 0) raise_unpublished(L, out, run_sandbox_out_error());
  if (!run_sandbox_owns(out, name))
    run_stop(L, RUN_SCRIPT_ERROR, "%s/%s %s", out, name, run_sandbox_not_own());
  if (run_sandbox_make_directories(out))
    p.out = run_sandbox_open(out, O_RDONLY | O_DIRECTORY, RUN_WRITE);
  if (p.out < 0 && run_sandbox_refused())
    run_stop(L, RUN_SCRIPT_ERROR, "%s/%s is %s", out, name, run_sandbox_reason(RUN_WRITE));
  if (p.out < 0) raise_unpublished(L, out, errno);
  lves_buffer list = {0};
  while (flock(p.out, LOCK_EX) != 0 && errno == EINTR) continue;
  errno = ENOMEM;
  const bool good = make_list(&p, &list) && publish_locked(&p, &list);
  const int saved = errno;
  lves_buffer_free(&list);
  fsync(p.out);
  clear_partial(&p);
  if (p.partial >= 0) close(p.partial);
  close(p.out);
  if (good) {
    const run_options *options = lua_touserdata(L, lua_upvalueindex(1));
    const run_paths *paths = lua_touserdata(L, lua_upvalueindex(2));
    if (strcmp(out, run_paths_out(paths, options)) == 0) run_unfinished_remove(name);
    return 0;
  }
  raise_unpublished(L,
                    lua_pushfstring(L, "%s/%s%s%s", out, p.dir, p.failed != NULL ? "/" : "",
                                    p.failed != NULL ? p.failed : ""),
                    saved);
}

void run_files_register(lua_State *L, const run_options *options, const run_paths *paths) {
  static const luaL_Reg functions[] = {{"list", list}, {"publish", publish}, {NULL, NULL}};
  lua_pushlightuserdata(L, (void *)options);
  lua_pushlightuserdata(L, (void *)paths);
  luaL_setfuncs(L, functions, 2);
}
