/* run_fence: the operating system's own fence around a sandboxed script.
 *
 * run_sandbox leaves a script no function with which to do harm. Should there be a mistake in it,
 * in the bindings or in Lua itself, so that a script gets to run code of its own, it still finds
 * itself in a process for which the kernel opens nothing else: Landlock knows the places of the
 * sandbox, and a seccomp filter refuses the system calls that start programs, talk to the network
 * or reach into other processes. Both are Linux's, need no privilege, and are inherited by the
 * workers.
 *
 * The ranks of an MPI job are in it too. They have found each other before it closes
 * (run_mpi_start): from then on they need no other connection, and no other files than in
 * directories that each has for itself, for shared memory and for results that do not fit into
 * memory. The threads that MPI has begun by then get the filter as well; Landlock's rules are for
 * the thread of the script and what it starts. */
#define _GNU_SOURCE /* O_PATH, syscall; NOLINT(bugprone-reserved-identifier) */
#include "run_fence.h"

#include "run_sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* ---- Landlock ---- */

#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define READ_FILES  (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE_FILES (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define WRITE_DIRS                                                                                 \
  (LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |  \
   LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER)
#define NEVER                                                                                      \
  (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |      \
   LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

typedef struct {
  int fd;
  __u64 handled;
} ruleset;

static void allow(const ruleset *rules, const char *path, __u64 access) {
  const int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return;
  const struct landlock_path_beneath_attr rule = {.allowed_access = access & rules->handled,
                                                  .parent_fd = fd};
  syscall(SYS_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(fd);
}

static void allow_place(const ruleset *rules, const run_place *place) {
  struct stat status;
  const bool is_file = stat(place->path, &status) == 0 && !S_ISDIR(status.st_mode);
  if (is_file)
    allow(rules, place->path, LANDLOCK_ACCESS_FS_READ_FILE);
  else if (place->allows & RUN_WRITE)
    allow(rules, place->path, READ_FILES | WRITE_FILES | WRITE_DIRS);
  else
    allow(rules, place->path, READ_FILES);
}

/* Since its second version, which can rename between directories. */
static void fence_files(const char *const *own) {
  const long version =
      syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 2) return;
  ruleset rules = {.handled = READ_FILES | WRITE_FILES | WRITE_DIRS | NEVER};
  if (version < 3) rules.handled &= ~LANDLOCK_ACCESS_FS_TRUNCATE;
  const struct landlock_ruleset_attr attributes = {.handled_access_fs = rules.handled};
  rules.fd = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules.fd < 0) return;
  size_t count;
  const run_place *places = run_sandbox_places(&count);
  for (size_t i = 0; i < count; i++) allow_place(&rules, &places[i]);
  for (size_t i = 0; own[i] != NULL; i++)
    allow(&rules, own[i],
          READ_FILES | WRITE_FILES | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE);
  if (own[0] != NULL) allow(&rules, "/usr/share/openmpi", READ_FILES); /* its messages */
#ifdef SANITIZED
  allow(&rules, "/proc", READ_FILES); /* the checkers look at their own process */
#endif
  allow(&rules, "/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE);
  allow(&rules, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
  syscall(SYS_landlock_restrict_self, rules.fd, 0);
  close(rules.fd);
}

/* ---- seccomp ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

static const int refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_pidfd_getfd,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_open_by_handle_at,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
#ifdef SYS_link
    SYS_link,
    SYS_symlink,
    SYS_mknod,
#endif
#ifndef SANITIZED /* the leak checker looks at its own process with it */
    SYS_ptrace,
#endif
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
};

enum { N_REFUSED = sizeof refused / sizeof refused[0] };

/* The filter: another architecture's calls are refused (their numbers mean other things), then one
 * comparison for each refused call. */
static void fence_calls(void) {
  struct sock_filter code[N_REFUSED + 8];
  unsigned short n = 0;
  const __u32 no = SECCOMP_RET_ERRNO | EPERM;
  code[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, no);
  code[n++] =
      (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__ /* the numbers of the x32 calls begin here */
  code[n++] =
      (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, (__u8)(N_REFUSED + 1), 0);
#endif
  for (int i = 0; i < N_REFUSED; i++)
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)refused[i],
                                             (__u8)(N_REFUSED - i), 0);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, no);
  const struct sock_fprog program = {.len = n, .filter = code};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

static void fence_calls(void) {}

#endif

/* If memory runs out, a script goes before whoever started it. */
static void go_first(void) {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t written = write(fd, "500", 3);
  (void)written;
  close(fd);
}

void run_fence_begin(const char *const *own) {
  if (!run_sandbox_on()) return;
  go_first();
  tzset(); /* reads the time zone, for os.date, while that can be read */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  fence_files(own);
  fence_calls();
}
