/* run_sandbox: which files a script may touch.
 *
 * An experiment somebody sends you is a program. It may read below the project (the tree this
 * program belongs to) and below the working directory, and it may write below --out; `require` also
 * finds Lua files beside the script and those installed on the system. Everything else is closed,
 * whatever the path says: a path is first resolved, symbolic links, `.` and `..` included, and the
 * place it leads to is compared with those directories. What is then opened is the resolved path,
 * without following a link in its last component, and the kernel is asked where the opened file or
 * directory really is, so that a change in between gains nothing.
 *
 * The journals of finished replicates lie below --out and are not the script's: nothing with
 * ".sqlite" in its name can be written, removed or renamed.
 *
 * These functions are all that scripts have: the functions of Lua that open files are replaced
 * (run_doors), the bindings open theirs through here (lves_set_opener), and the host's own
 * functions ask here before they act. A second fence is the kernel's (run_kernel). */
#ifdef __linux__
#define _GNU_SOURCE /* O_PATH; NOLINT(bugprone-reserved-identifier) */
#endif
#include "run_sandbox.h"

#include "run_files.h"
#include <errno.h>
#include <fcntl.h>
#include <luaconf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

enum { PROJECT, WORKING, OUT, SCRIPT, SYSTEM, SYSTEM_MAX = SYSTEM + 8 };

static bool active = false;
static char roots[SYSTEM_MAX][PATH_MAX]; /* resolved; "" if there is none */
static char script[PATH_MAX];            /* the script itself, resolved */

bool run_sandbox_on(void) { return active; }

const char *run_sandbox_reason(run_access access) {
  return access == RUN_WRITE
             ? "outside the sandbox: a script writes only below --out, and never a journal "
               "(--trust lifts this)"
             : "outside the sandbox: a script reads only below the project and the working "
               "directory (--trust lifts this)";
}

/* ---- places ---- */

static bool is_below(const char *path, const char *root) {
  const size_t length = strlen(root);
  if (length == 0) return false;
  if (strcmp(root, "/") == 0) return true;
  return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool ends_in(const char *path, const char *ending) {
  const size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

static const char *last_component(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/* Whether a resolved path is in bounds. */
static bool in_bounds(const char *path, run_access access) {
  if (access == RUN_WRITE)
    return is_below(path, roots[OUT]) && strstr(last_component(path), ".sqlite") == NULL;
  if (is_below(path, roots[PROJECT]) || is_below(path, roots[WORKING]) ||
      is_below(path, roots[OUT]) || strcmp(path, script) == 0)
    return true;
  if (access != RUN_MODULE || !ends_in(path, ".lua")) return false;
  for (int i = SCRIPT; i < SYSTEM_MAX; i++)
    if (is_below(path, roots[i])) return true;
  return false;
}

/* Resolves a path that may not exist yet: the longest part that does is resolved, the rest is added
 * as it is. Names after the first missing one cannot be links; `..` among them is refused. */
static bool locate(const char *path, char resolved[PATH_MAX]) {
  char head[PATH_MAX];
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof head) {
    errno = length == 0 ? ENOENT : ENAMETOOLONG;
    return false;
  }
  memcpy(head, path, length + 1);
  while (realpath(head, resolved) == NULL) {
    if (errno != ENOENT) return false;
    while (length > 0 && head[length - 1] == '/') length--;
    while (length > 0 && head[length - 1] != '/') length--;
    if (length == 0) { /* a relative path of which nothing exists */
      memcpy(head, ".", 2);
      if (realpath(head, resolved) == NULL) return false;
      break;
    }
    head[length] = '\0';
  }
  const size_t known = length < strlen(path) ? length : strlen(path);
  for (const char *rest = path + known; *rest != '\0';) {
    const size_t word = strcspn(rest, "/");
    const bool dot = word == 0 || (word == 1 && rest[0] == '.');
    const size_t have = strlen(resolved);
    if (word == 2 && rest[0] == '.' && rest[1] == '.') {
      errno = EACCES;
      return false;
    }
    if (!dot) {
      const bool root = have == 1;
      if (have + word + 2 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
      }
      if (!root) resolved[have] = '/';
      memcpy(resolved + have + !root, rest, word);
      resolved[have + !root + word] = '\0';
    }
    rest += word;
    rest += *rest == '/';
  }
  return true;
}

/* Resolves and checks. What cannot be resolved is as closed as what lies elsewhere: an error must
 * not tell what exists. */
static bool admit(const char *path, run_access access, char resolved[PATH_MAX]) {
  if (locate(path, resolved) && in_bounds(resolved, access)) return true;
  errno = EACCES;
  return false;
}

bool run_sandbox_allows(const char *path, run_access access) {
  char resolved[PATH_MAX];
  return !active || admit(path, access, resolved);
}

bool run_sandbox_allows_journal(const char *path) {
  char resolved[PATH_MAX];
  if (!active) return true;
  if (locate(path, resolved) && is_below(resolved, roots[OUT]) && ends_in(resolved, ".sqlite"))
    return true;
  errno = EACCES;
  return false;
}

/* ---- beginning ---- */

static void take_root(int which, const char *path) {
  if (!locate(path, roots[which])) roots[which][0] = '\0';
}

/* The directory of a file; "." if it has none in its name. */
static void take_root_of(int which, const char *file) {
  char dir[PATH_MAX];
  const char *slash = strrchr(file, '/');
  const size_t length = slash == NULL ? 0 : (size_t)(slash - file);
  if (length >= sizeof dir) return;
  memcpy(dir, file, length);
  dir[length] = '\0';
  take_root(which, slash == NULL ? "." : length == 0 ? "/" : dir);
}

/* The directories of Lua's compiled-in search path, up to the "?". */
static void take_system_roots(void) {
  int which = SYSTEM;
  for (const char *part = LUA_PATH_DEFAULT; *part != '\0' && which < SYSTEM_MAX;) {
    const size_t length = strcspn(part, ";");
    char file[PATH_MAX];
    if (part[0] == '/' && length < sizeof file) {
      memcpy(file, part, length);
      file[length] = '\0';
      file[strcspn(file, "?")] = '\0';
      take_root_of(which++, file);
    }
    part += length + (part[length] == ';');
  }
}

bool run_sandbox_begin(const run_options *options, const run_paths *paths) {
  take_root(PROJECT, paths->project);
  take_root(WORKING, ".");
  if (roots[PROJECT][0] == '\0' || roots[WORKING][0] == '\0') {
    perror("vesicle: cannot find the working directory");
    return false;
  }
  if (options->command != RUN_COMMAND_PARAMS) take_root(OUT, run_paths_out(paths, options));
  if (options->script != NULL) {
    take_root_of(SCRIPT, options->script);
    if (!locate(options->script, script)) script[0] = '\0';
  }
  take_system_roots();
  active = true;
  return true;
}

void run_sandbox_visit(void (*visit)(void *context, const char *path, run_access access),
                       void *context) {
  for (int i = 0; i < SYSTEM_MAX; i++)
    if (roots[i][0] != '\0')
      visit(context, roots[i], i == OUT ? RUN_WRITE : i < SCRIPT ? RUN_READ : RUN_MODULE);
  if (script[0] != '\0') visit(context, script, RUN_MODULE);
}

void run_sandbox_prepare(run_sandbox_place *place, const char *out) {
  const size_t length = strlen(out);
  place->made = false;
  if (length == 0 || length >= sizeof place->path) return;
  memcpy(place->path, out, length + 1);
  for (size_t i = length; i > 1 && place->path[i - 1] == '/'; i--) place->path[i - 1] = '\0';
  memcpy(place->first, place->path, sizeof place->path);
  if (access(place->path, F_OK) == 0) return;
  for (;;) { /* up to the first that is there */
    char parent[PATH_MAX];
    memcpy(parent, place->first, sizeof parent);
    char *slash = strrchr(parent, '/');
    if (slash == NULL || slash == parent) break;
    while (slash > parent && *slash == '/') *slash-- = '\0';
    if (access(parent, F_OK) == 0) break;
    memcpy(place->first, parent, sizeof parent);
  }
  place->made = run_files_make_directories(place->path);
}

void run_sandbox_tidy(const run_sandbox_place *place) {
  char path[PATH_MAX];
  if (!place->made) return;
  memcpy(path, place->path, sizeof path);
  while (rmdir(path) == 0 && strcmp(path, place->first) != 0) {
    char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) break;
    while (slash > path && *slash == '/') *slash-- = '\0';
  }
}

/* ---- opening ---- */

/* Whether an open file or directory is where it was meant to be. */
static bool is_at(int fd, const char *resolved) {
#ifdef __linux__
  char link[64], target[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, target, sizeof target - 1);
  if (length < 0) return false;
  target[length] = '\0';
  return strcmp(target, resolved) == 0;
#else
  (void)fd;
  (void)resolved;
  return true;
#endif
}

/* Opens the directory a resolved path lies in. Returns the descriptor, or -1; *name is the last
 * component. */
static int open_parent(const char *resolved, const char **name) {
  char parent[PATH_MAX];
  *name = last_component(resolved);
  const size_t length = (size_t)(*name - resolved);
  memcpy(parent, resolved, length);
  parent[length > 1 ? length - 1 : length] = '\0';
  if (**name == '\0') {
    errno = EISDIR;
    return -1;
  }
  const int fd = open(parent, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && !is_at(fd, parent)) {
    close(fd);
    errno = EACCES;
    return -1;
  }
  return fd;
}

static int flags_of(const char *mode) {
  const bool both = strchr(mode, '+') != NULL;
  switch (mode[0]) {
  case 'r': return both ? O_RDWR : O_RDONLY;
  case 'w': return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
  default: return (both ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
  }
}

/* A stream over the descriptor, which is closed if that fails. O_NONBLOCK was for named pipes,
 * which are refused here. */
static FILE *make_stream(int fd, const char *mode) {
  struct stat status;
  FILE *file = NULL;
  if (fd < 0) return NULL;
  if (fstat(fd, &status) != 0 || (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
    errno = EACCES;
  else
    file = fdopen(fd, mode);
  if (file == NULL) {
    const int saved = errno;
    close(fd);
    errno = saved;
  }
  return file;
}

FILE *run_sandbox_fopen(const char *path, const char *mode, run_access access) {
  if (!active) return fopen(path, mode);
  char resolved[PATH_MAX];
  const int flags = flags_of(mode);
  if (flags != O_RDONLY) access = RUN_WRITE;
  if (!admit(path, access, resolved)) return NULL;
  if (strcmp(resolved, "/") == 0) return make_stream(open("/", O_RDONLY | O_CLOEXEC), mode);
  const char *name;
  const int dir = open_parent(resolved, &name);
  if (dir < 0) return NULL;
  const int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  const int saved = errno;
  close(dir);
  errno = saved == ELOOP ? EACCES : saved;
  return make_stream(fd, mode);
}

FILE *run_sandbox_temporary(char *name) {
  char path[PATH_MAX];
  const int length = snprintf(path, sizeof path, "%s/lua_XXXXXX", roots[OUT]);
  if (roots[OUT][0] == '\0' || length < 0 || (size_t)length >= sizeof path) {
    errno = EACCES;
    return NULL;
  }
  if (!run_files_make_directories(roots[OUT])) return NULL;
  const int fd = mkstemp(path);
  if (fd >= 0 && name != NULL) memcpy(name, path, sizeof path);
  if (fd >= 0 && name == NULL) unlink(path);
  return make_stream(fd, "w+");
}

/* ---- names ---- */

/* The directory entry a path names, without following it: resolved parent and name. `..` cannot be
 * the last component. Returns the parent's descriptor, or -1. */
static int open_entry(const char *path, char name[PATH_MAX]) {
  char parent[PATH_MAX], resolved[PATH_MAX];
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  size_t start = length;
  while (start > 0 && path[start - 1] != '/') start--;
  if (length == start || length >= sizeof parent) {
    errno = EACCES;
    return -1;
  }
  memcpy(name, path + start, length - start);
  name[length - start] = '\0';
  memcpy(parent, path, start);
  parent[start] = '\0';
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strstr(name, ".sqlite") != NULL ||
      !admit(start == 0 ? "." : parent, RUN_WRITE, resolved)) {
    errno = EACCES;
    return -1;
  }
  const int fd = open(resolved, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && !is_at(fd, resolved)) {
    close(fd);
    errno = EACCES;
    return -1;
  }
  return fd;
}

bool run_sandbox_remove(const char *path) {
  if (!active) return remove(path) == 0;
  char name[PATH_MAX];
  const int dir = open_entry(path, name);
  if (dir < 0) return false;
  bool good = unlinkat(dir, name, 0) == 0;
  if (!good && (errno == EISDIR || errno == EPERM)) good = unlinkat(dir, name, AT_REMOVEDIR) == 0;
  const int saved = errno;
  close(dir);
  errno = saved;
  return good;
}

bool run_sandbox_rename(const char *from, const char *to) {
  if (!active) return rename(from, to) == 0;
  char old_name[PATH_MAX], new_name[PATH_MAX];
  const int old_dir = open_entry(from, old_name);
  if (old_dir < 0) return false;
  const int new_dir = open_entry(to, new_name);
  const bool good = new_dir >= 0 && renameat(old_dir, old_name, new_dir, new_name) == 0;
  const int saved = errno;
  close(old_dir);
  if (new_dir >= 0) close(new_dir);
  errno = saved;
  return good;
}
