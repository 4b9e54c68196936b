/* without_fence COMMAND...: runs a command on what looks to it like a kernel without Landlock and
 * without seccomp, so that the escapes of tests/program/sandbox.sh meet the sandbox's own checks alone. It
 * is done from outside, with a seccomp filter that the command inherits: the program has no switch
 * that would leave its fence out. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#include <errno.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field)   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP(k, a, b) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), (a), (b))

int main(int argc, char **argv) {
  struct sock_filter code[] = {
      LOAD(nr),
      SKIP(SYS_landlock_create_ruleset, 4, 0),
      SKIP(SYS_seccomp, 3, 0),
      SKIP(SYS_prctl, 0, 3),
      LOAD(args[0]),
      SKIP(PR_SET_SECCOMP, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
  if (argc < 2)
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 2;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) {
    perror("without_fence");
    return 2;
  }
  execvp(argv[1], argv + 1);
  perror(argv[1]);
  return 2;
}
