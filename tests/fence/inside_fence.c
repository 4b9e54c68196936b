/* inside_fence: a library to be preloaded into the program, as if a script had got to run code of
 * its own: when the script is opened, it tries what the kernel's fence is to refuse, around all
 * checks of the sandbox, and prints a line for each: "refused WHAT" or "ESCAPED WHAT". */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void tell(const char *what, bool done) {
  fprintf(stderr, "%s %s\n", done ? "ESCAPED" : "refused", what);
}

static void try_all(void) {
  char name[] = "true", *const command[] = {name, NULL};
  tell("read", open("/etc/passwd", O_RDONLY) >= 0);
  tell("environment", open("/proc/self/environ", O_RDONLY) >= 0);
  tell("list", open("/", O_RDONLY | O_DIRECTORY) >= 0);
  tell("write", open("../outside/escaped", O_WRONLY | O_CREAT, 0666) >= 0);
  tell("write-here", open("escaped", O_WRONLY | O_CREAT, 0666) >= 0);
  tell("link", symlink("../outside", "../out/escaped") == 0);
  tell("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
  tell("execute", execv("/bin/true", command) == 0);
}

/* Stands in for fopen and for fopen64, which is the same under another name. */
static FILE *open_script(const char *function, const char *path, const char *mode) {
  static bool done = false;
  FILE *(*original)(const char *, const char *) = NULL;
  *(void **)&original = dlsym(RTLD_NEXT, function);
  const char *script = getenv("INSIDE_FENCE");
  if (!done && script != NULL && strcmp(path, script) == 0) {
    done = true;
    try_all();
  }
  return original(path, mode);
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's are reserved */
FILE *fopen(const char *path, const char *mode) { return open_script("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return open_script("fopen64", path, mode); }
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
