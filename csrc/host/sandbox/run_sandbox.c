/* run_sandbox: which files a script may touch.
 *
 * An experiment somebody sends you is a program. The policy of what it may do is stated here, once:
 *
 *   - it reads below the project (the tree this program belongs to), below the working directory
 *     and below --out; not in a working directory that is /, the user's home or above it;
 *   - it loads Lua code from there, and files *.lua beside the script or installed on the system;
 *   - it writes below --out, but not what is another's there: journals of replicates (".sqlite" in
 *     the name) and lists for make (*.d), which the program writes, and the results of other
 *     experiments; it makes and moves no directories, and keeps and publishes results under the name
 *     of its file alone (without a file, under the one name it first asks for, if that is nobody's);
 *     a script asked for its parameters (vesicle params) writes nowhere;
 *   - below those places, names that begin with a dot, what is neither a file nor a directory, and
 *     the file systems that show processes and devices (/proc, /sys) are closed;
 *   - it starts no program, loads no C module and no bytecode, and does not see the environment.
 *
 * The files are a list of places. Two fences are made from it: the functions below, to which every
 * function of Lua, of the bindings and of the host that opens files for a script leads
 * (run_sandbox_libraries has those of Lua, and the refusals of the last point), and the kernel's
 * own, coarser but beyond any mistake here (run_fence).
 *
 * Where a path leads is left to the kernel: the path is opened without access to its content
 * (O_PATH), the kernel is asked where that is, and what is used then is that very file, by its
 * descriptor. So neither links nor `..`, nor a change in between, gain anything. */
#define _GNU_SOURCE /* O_PATH; NOLINT(bugprone-reserved-identifier) */
#include "run_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <lua.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { PLACES_MAX = 16 };

static bool active = false;
static run_place places[PLACES_MAX];
static size_t n_places = 0;
static const char *out_place = NULL; /* --out, resolved */
static char own_name[NAME_MAX + 1];  /* the script's, and in a sweep the beginning of its others' */
static bool sweeps = false;
static bool unnamed = false; /* a script without a file has the name it first asks for */
static int out_error = 0;    /* why --out could not be made */
static bool refused = false; /* whether the last call failed by the policy */

bool run_sandbox_on(void) { return active; }

const run_place *run_sandbox_places(size_t *count) {
  *count = n_places;
  return places;
}

bool run_sandbox_refused(void) { return refused; }

bool run_sandbox_short(void) { return errno == EMFILE || errno == ENFILE || errno == ENOMEM; }

const char *run_sandbox_reason(run_access access) {
  static char unmade[200];
  if (access == RUN_WRITE && out_error != 0) {
    snprintf(unmade, sizeof unmade,
             "outside the sandbox: a script writes only below --out, which cannot be made: %s",
             strerror(out_error));
    return unmade;
  }
  return access == RUN_WRITE
             ? "outside the sandbox: a script writes only below --out, and neither a journal nor "
               "results of another there (--trust lifts this)"
             : "outside the sandbox: a script reads only below the project and the working "
               "directory, which must not be the home directory (--trust lifts this)";
}

/* ---- the policy ---- */

static bool is_below(const char *path, const char *root) {
  const size_t length = strlen(root);
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

/* Adds a place. Returns its resolved path, or NULL if it is not there. */
static const char *add_place(const char *path, unsigned allows) {
  run_place *place = &places[n_places];
  if (n_places == PLACES_MAX || realpath(path, place->path) == NULL) return NULL;
  place->allows = allows;
  n_places++;
  return place->path;
}

/* Adds the directory of a file. */
static void add_place_of(const char *file, unsigned allows) {
  char dir[PATH_MAX];
  const char *slash = strrchr(file, '/');
  const int length = slash == NULL ? 0 : (int)(slash - file);
  snprintf(dir, sizeof dir, "%.*s%s", length, file, slash == NULL ? "." : "/");
  add_place(dir, allows);
}

static bool holds(const char *dir, const char *home) {
  char real[PATH_MAX];
  return home != NULL && realpath(home, real) != NULL && is_below(real, dir);
}

/* Whether a directory holds more than a script should see for being started there. The user's home
 * is what HOME says, which may be unset, and what the system says. */
static bool is_too_wide(const char *path) {
  char dir[PATH_MAX];
  if (realpath(path, dir) == NULL || strcmp(dir, "/") == 0) return true;
  const struct passwd *user = getpwuid(getuid());
  return holds(dir, getenv("HOME")) || (user != NULL && holds(dir, user->pw_dir));
}

/* Adds the directories of Lua's compiled-in search path, up to the "?". */
static void add_system_places(void) {
  for (const char *part = LUA_PATH_DEFAULT; *part != '\0';) {
    const size_t length = strcspn(part, ";");
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%.*s", (int)strcspn(part, ";?"), part);
    if (part[0] == '/') add_place_of(file, RUN_MODULE);
    part += length + (part[length] == ';');
  }
}

bool run_sandbox_begin(const run_options *options, const run_paths *paths) {
  const unsigned read = RUN_READ | RUN_MODULE;
  if (add_place(is_too_wide(paths->project) ? paths->lua : paths->project, read) == NULL) {
    perror("vesicle: cannot find the project");
    return false;
  }
  if (!is_too_wide(".")) add_place(".", read);
  if (options->command != RUN_COMMAND_PARAMS)
    out_place = add_place(run_paths_out(paths, options), read | RUN_WRITE | RUN_JOURNAL);
  sweeps = options->command == RUN_COMMAND_SWEEP;
  unnamed = options->code != NULL;
  if (options->script != NULL && !unnamed) run_paths_name(options->script, own_name);
  if (options->script != NULL && options->code == NULL) {
    add_place(options->script, read);
    add_place_of(options->script, RUN_MODULE);
  }
  add_system_places();
  active = true;
  return true;
}

/* Whether a script leaves alone what has this name in the directory --out: lists for make, and
 * folders with the results of other experiments. */
static bool is_anothers(const char *name, size_t length) {
  static const char *const marks[] = {"claims.tsv", "sweep.tsv"};
  char path[PATH_MAX];
  if (length > 2 && memcmp(name + length - 2, ".d", 2) == 0) return true;
  if (length > 7 && memcmp(name + length - 7, ".d.part", 7) == 0) return true;
  if (length == strlen(own_name) && memcmp(name, own_name, length) == 0) return false;
  for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
    if (snprintf(path, sizeof path, "%s/%.*s/%s", out_place, (int)length, name, marks[i]) <
            (int)sizeof path &&
        access(path, F_OK) == 0)
      return true;
  return false;
}

/* Whether a resolved path may be written as far as its owner goes. */
static bool is_own(const char *path) {
  if (strstr(last_component(path), ".sqlite") != NULL) return false;
  if (out_place == NULL || !is_below(path, out_place)) return true; /* no place to write to */
  const char *rest = path + (strcmp(out_place, "/") == 0 ? 0 : strlen(out_place));
  return *rest == '\0' || !is_anothers(rest + 1, strcspn(rest + 1, "/"));
}

/* Whether a resolved path lies in a place that is open to this access. */
static bool in_bounds(const char *path, run_access access) {
  if (access == RUN_WRITE && !is_own(path)) return false;
  for (size_t i = 0; i < n_places; i++) {
    const run_place *place = &places[i];
    if ((place->allows & access) == 0 || !is_below(path, place->path)) continue;
    const size_t known = strcmp(place->path, "/") == 0 ? 0 : strlen(place->path);
    if (strstr(path + known, "/.") != NULL) continue;
    if ((place->allows & RUN_READ) != 0 || ends_in(path, ".lua")) return true;
  }
  return false;
}

/* ---- where a path leads ---- */

enum { LINK_SIZE = 32 };

/* The name by which the kernel knows an open file. */
static const char *link_of(int fd, char link[LINK_SIZE]) {
  snprintf(link, LINK_SIZE, "/proc/self/fd/%d", fd);
  return link;
}

static bool is_allowed(int fd, run_access access) {
  char link[LINK_SIZE], path[PATH_MAX];
  struct stat status;
  struct statfs system;
  const ssize_t length = readlink(link_of(fd, link), path, sizeof path - 1);
  if (length < 0 || fstat(fd, &status) != 0 || fstatfs(fd, &system) != 0) return false;
  path[length] = '\0';
  return (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) &&
         system.f_type != PROC_SUPER_MAGIC && system.f_type != SYSFS_MAGIC &&
         in_bounds(path, access);
}

/* Closes the descriptor, if it is one, and leaves this error. */
static int fail(int fd, int error) {
  if (fd >= 0) close(fd);
  errno = error;
  return -1;
}

/* The same where the policy is the reason. */
static int refuse(int fd) {
  refused = true;
  return fail(fd, EACCES);
}

/* Cuts the last component off; false if none is left. */
static bool strip(char *path) {
  size_t length = strlen(path);
  if (length == 0) return false;
  while (length > 0 && path[length - 1] == '/') length--;
  while (length > 0 && path[length - 1] != '/') length--;
  path[length] = '\0';
  return true;
}

/* Finds the nearest part of the path that exists, a directory unless it is the whole. Returns a
 * descriptor to look at it with, and in *rest what is missing; or -1: what cannot be told is as
 * closed as what lies elsewhere. */
static int find_nearest(const char *path, run_access access, const char **rest) {
  char head[PATH_MAX];
  struct stat status;
  refused = false;
  if (path[0] == '\0' || strlen(path) >= sizeof head) return refuse(-1);
  memcpy(head, path, strlen(path) + 1);
  int fd = -1;
  do {
    fd = open(head[0] != '\0' ? head : ".", O_PATH | O_CLOEXEC);
  } while (fd < 0 && errno == ENOENT && strip(head));
  *rest = path + strlen(head);
  if (fd < 0 && run_sandbox_short()) return -1;
  if (fd >= 0 && fstat(fd, &status) == 0 && status.st_nlink == 0)
    return fail(fd, ENOENT); /* a working directory that was deleted */
  return fd >= 0 && is_allowed(fd, access) ? fd : refuse(fd);
}

/* Whether a script may make or remove this entry of a directory that it may write to. */
static bool is_entry(int dir, const char *name) {
  char link[LINK_SIZE], path[PATH_MAX];
  const ssize_t length = readlink(link_of(dir, link), path, sizeof path - 1);
  if (length < 0 || name[0] == '\0' || name[0] == '.') return false;
  path[length] = '\0';
  if (snprintf(path + length, sizeof path - (size_t)length, "/%s", name) >=
      (int)(sizeof path - (size_t)length))
    return false;
  return is_own(path);
}

static bool is_directory(int dir, const char *name) {
  struct stat status;
  return fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

/* Opens the directory a path lies in, to make or remove an entry of it. Returns its descriptor and
 * the entry's name, or -1. */
static int open_parent(const char *path, char name[NAME_MAX + 1]) {
  char parent[PATH_MAX];
  const char *rest = "";
  size_t length = strlen(path);
  while (length > 0 && path[length - 1] == '/') length--;
  if (length >= sizeof parent) return refuse(-1);
  snprintf(parent, sizeof parent, "%.*s", (int)length, path);
  const int size = snprintf(name, NAME_MAX + 1, "%s", last_component(parent));
  if (size > NAME_MAX) return refuse(-1);
  strip(parent);
  const int fd = find_nearest(parent[0] != '\0' ? parent : ".", RUN_WRITE, &rest);
  if (fd >= 0 && *rest != '\0') return fail(fd, ENOENT);
  return fd < 0 || is_entry(fd, name) ? fd : refuse(fd);
}

/* Whether the nearest part of a path that exists is open to this access; if so, errno is what to
 * leave if the rest is not. */
static bool reaches(const char *path, run_access access, const char **rest) {
  const int fd = find_nearest(path, access, rest);
  fail(fd, fd < 0 ? errno : EACCES);
  return fd >= 0;
}

/* Whether what is missing of a path can be made below what is there. */
static bool is_plain(const char *rest) { return strstr(rest, "..") == NULL; }

bool run_sandbox_allows(const char *path, run_access access) {
  const char *rest = "";
  return !active || (reaches(path, access, &rest) && *rest == '\0');
}

bool run_sandbox_allows_journal(const char *path) {
  const char *rest = "";
  return !active ||
         (reaches(path, RUN_JOURNAL, &rest) && ends_in(path, ".sqlite") && is_plain(rest));
}

const char *run_sandbox_name(void) { return active && own_name[0] != '\0' ? own_name : NULL; }

/* Scripts with a file leave a list for make beside their results. */
static void take_name(const char *name) {
  char list[PATH_MAX];
  const int length = snprintf(list, sizeof list, "%s/%s.d", out_place, name);
  if (length < (int)sizeof list && access(list, F_OK) != 0 && strlen(name) <= NAME_MAX)
    memcpy(own_name, name, strlen(name) + 1);
}

bool run_sandbox_owns(const char *out, const char *name) {
  static const char over[] = "-over-";
  char real[PATH_MAX];
  if (!active) return true;
  if (out_place == NULL || realpath(out, real) == NULL || strcmp(real, out_place) != 0)
    return false;
  if (unnamed && own_name[0] == '\0') take_name(name);
  const size_t length = strlen(own_name);
  return length > 0 && strncmp(name, own_name, length) == 0 &&
         (name[length] == '\0' || (sweeps && strncmp(name + length, over, sizeof over - 1) == 0));
}

const char *run_sandbox_not_own(void) {
  static char text[NAME_MAX + 200];
  snprintf(text, sizeof text,
           "is outside the sandbox: a script keeps and writes its results below --out as %s "
           "(--trust lifts this)",
           own_name[0] != '\0' ? own_name : "nobody else's name");
  return text;
}

/* ---- opening ---- */

int run_sandbox_open(const char *path, int flags, run_access access) {
  char link[LINK_SIZE];
  const char *rest = "";
  if (!active) return open(path, flags | O_CLOEXEC, 0666);
  if ((flags & O_ACCMODE) != O_RDONLY) access = RUN_WRITE;
  const int found = find_nearest(path, access, &rest);
  if (found < 0) return -1;
  int fd = -1;
  if (*rest == '\0')
    fd = open(link_of(found, link), (flags & ~O_CREAT) | O_CLOEXEC);
  else if ((flags & O_CREAT) == 0 || strchr(rest, '/') != NULL)
    errno = ENOENT;
  else if (!is_entry(found, rest))
    return refuse(found);
  else
    fd = openat(found, rest, flags | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0 && errno == ELOOP) return refuse(found);
  fail(found, errno);
  return fd;
}

static int flags_of(const char *mode) {
  const int both = strchr(mode, '+') != NULL ? O_RDWR : O_WRONLY;
  switch (mode[0]) {
  case 'r': return both == O_RDWR ? O_RDWR : O_RDONLY;
  case 'w': return both | O_CREAT | O_TRUNC;
  default: return both | O_CREAT | O_APPEND;
  }
}

FILE *run_sandbox_fopen(const char *path, const char *mode, run_access access) {
  if (!active) return fopen(path, mode);
  const int fd = run_sandbox_open(path, flags_of(mode), access);
  FILE *file = fd >= 0 ? fdopen(fd, mode) : NULL;
  if (file == NULL) fail(fd, errno);
  return file;
}

bool run_sandbox_temporary(char name[PATH_MAX]) {
  refused = out_place == NULL;
  errno = EACCES;
  if (out_place == NULL || snprintf(name, PATH_MAX, "%s/lua_XXXXXX", out_place) >= PATH_MAX)
    return false;
  const int fd = mkstemp(name);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/* ---- entries of directories ---- */

bool run_sandbox_remove(const char *path) {
  char name[NAME_MAX + 1];
  if (!active) return remove(path) == 0;
  const int dir = open_parent(path, name);
  if (dir < 0) return false;
  bool good = unlinkat(dir, name, 0) == 0;
  if (!good && (errno == EISDIR || errno == EPERM)) good = unlinkat(dir, name, AT_REMOVEDIR) == 0;
  fail(dir, errno);
  return good;
}

bool run_sandbox_rename(const char *from, const char *to) {
  char old_name[NAME_MAX + 1], new_name[NAME_MAX + 1];
  if (!active) return rename(from, to) == 0;
  const int old_dir = open_parent(from, old_name);
  if (old_dir < 0) return false;
  const int new_dir = open_parent(to, new_name);
  /* The results of another experiment could be a directory moved there. */
  const bool moves = new_dir >= 0 && is_directory(old_dir, old_name);
  if (moves) refuse(-1);
  const bool good = new_dir >= 0 && !moves && renameat(old_dir, old_name, new_dir, new_name) == 0;
  fail(new_dir, errno);
  fail(old_dir, errno);
  return good;
}

/* Makes a directory and its missing parents, and counts those made. */
static bool make_directories(const char *path, int *made) {
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
    if (mkdir(partial, 0777) == 0)
      ++*made;
    else if (errno != EEXIST)
      return false;
  }
  return true;
}

bool run_sandbox_make_directories(const char *path) {
  const char *rest = "";
  int made = 0;
  if (active && !reaches(path, RUN_WRITE, &rest)) return false;
  if (active && !is_plain(rest)) return refuse(-1) == 0;
  return make_directories(path, &made);
}

/* ---- the directory --out ---- */

static int made_before = 0; /* how many of its directories were made for the script */

void run_sandbox_prepare(const char *out) {
  if (!make_directories(out, &made_before)) out_error = errno;
}

int run_sandbox_out_error(void) { return out_error; }

void run_sandbox_tidy(const char *out) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s", out);
  while (made_before-- > 0 && rmdir(path) == 0) strip(path);
}
