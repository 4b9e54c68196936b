/* run_supervise: a script in a process that can be killed.
 *
 * Time cannot be limited from within: a hook is not called while a pattern is matched, pcall
 * catches what a hook raises, and a coroutine has hooks of its own. So the script runs in a child
 * process and its parent looks at the clock. At the end of the time, or at a signal, the child is
 * first told to stop, with SIGUSR1, on which it writes what is finished to the journal and says
 * what is left. If it is still there a little later it is killed, which loses nothing that is in
 * the journal. Its workers die with it.
 *
 * The child ignores the signals of a terminal, so that each reaches it once, through the parent. */
#include "run_supervise.h"

#include "run_options.h"
#include "run_progress.h"
#include "run_signal.h"
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds between being asked and being killed, at the end of the time and at a signal. */
#define GRACE    1.0
#define PATIENCE 3.0
#define LOOK     0.2 /* seconds between two looks at the disk */

static void forget(int number) { (void)number; }

/* The signals the parent waits for. */
static void make_set(sigset_t *set) {
  struct sigaction hangup;
  sigemptyset(set);
  sigaddset(set, SIGCHLD);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it */
    sigaddset(set, SIGHUP);
}

static int start(pid_t parent, const sigset_t *before, const run_disk_limit *disk,
                 int (*work)(void *context), void *context) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the parent speaks for us: without it we end */
  if (getppid() != parent) _exit(RUN_INTERRUPTED);
  sigprocmask(SIG_SETMASK, before, NULL);
  run_signal_supervised();
  run_disk_limit_apply(disk);
  const int code = work(context);
  exit(code);
}

/* What the parent knows. */
typedef struct {
  pid_t child;
  double started, limit; /* seconds; limit 0: none */
  double kill_at;        /* 0: not yet asked to stop */
  int asked_by;          /* the signal that asked, or 0 */
  bool timed_out;
  const run_disk_limit *disk;
  bool over_disk;
} watch;

static void ask_to_stop(watch *w, double grace) {
  w->kill_at = run_now() + grace;
  kill(w->child, SIGUSR1);
}

/* Waits for a signal or the next deadline. */
static int wait_for_news(const watch *w, const sigset_t *set) {
  double rest = 3600;
  if (w->kill_at > 0)
    rest = w->kill_at - run_now();
  else if (w->limit > 0)
    rest = w->started + w->limit - run_now();
  if (run_disk_limit_set(w->disk) && rest > LOOK) rest = LOOK;
  if (rest < 0) rest = 0;
  if (rest > 3600) rest = 3600;
  const struct timespec span = {.tv_sec = (time_t)rest,
                                .tv_nsec = (long)(1e9 * (rest - (double)(time_t)rest))};
  return sigtimedwait(set, NULL, &span);
}

static int watch_child(watch *w, const sigset_t *set) {
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(w->child, &status, WNOHANG);
    if (ended == w->child) return status;
    if (ended < 0 && errno != EINTR) return 0;
    const int number = wait_for_news(w, set);
    if (number > 0 && number != SIGCHLD) {
      if (w->asked_by != 0) kill(w->child, SIGKILL);
      w->asked_by = number;
      ask_to_stop(w, PATIENCE);
    }
    const double now = run_now();
    if (!w->over_disk && run_disk_limit_passed(w->disk)) {
      w->over_disk = true;
      kill(w->child, SIGKILL);
    }
    if (!w->timed_out && w->limit > 0 && now >= w->started + w->limit) {
      w->timed_out = true;
      fflush(stdout);
      fprintf(stderr, "vesicle: stopped after %g s (--timeout)\n", w->limit);
      ask_to_stop(w, GRACE);
    }
    if (w->kill_at > 0 && now >= w->kill_at) kill(w->child, SIGKILL);
  }
}

/* The exit code of a child that ended with this status. */
static int judge(const watch *w, int status) {
  static const char kept[] = "finished replicates are kept in the journal: run the same command "
                             "again to go on";
  if (WIFEXITED(status)) return w->timed_out ? RUN_INTERRUPTED : WEXITSTATUS(status);
  const int number = WTERMSIG(status);
  if (w->over_disk) {
    fprintf(stderr, "vesicle: stopped: the script may write %llu MB (--max-disk); %s\n",
            (unsigned long long)(w->disk->bytes >> 20), kept);
    return RUN_SCRIPT_ERROR;
  }
  if (w->timed_out) {
    fprintf(stderr, "vesicle: the script did not stop and was killed; %s\n", kept);
    return RUN_INTERRUPTED;
  }
  if (w->asked_by != 0) {
    fprintf(stderr, "vesicle: interrupted; %s\n", kept);
    return RUN_INTERRUPTED;
  }
  const bool crashed = number == SIGSEGV || number == SIGBUS || number == SIGABRT ||
                       number == SIGFPE || number == SIGILL;
  fprintf(stderr, "vesicle: the script's process was killed by signal %d (%s)%s%s\n", number,
          strsignal(number), crashed ? "" : "; ", crashed ? "" : kept);
  return crashed ? RUN_SCRIPT_ERROR : RUN_INTERRUPTED;
}

int run_supervise(double seconds, const run_disk_limit *disk, int (*work)(void *context),
                  void *context) {
  sigset_t set, before;
  struct sigaction action = {.sa_handler = forget}, old;
  sigemptyset(&action.sa_mask);
  make_set(&set);
  sigprocmask(SIG_BLOCK, &set, &before);
  sigaction(SIGCHLD, &action, &old); /* or its default would be to drop it */
  fflush(NULL);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    sigaction(SIGCHLD, &old, NULL);
    start(parent, &before, disk, work, context);
  }
  if (child < 0) {
    perror("vesicle: cannot start a process for the script");
    return RUN_INTERRUPTED;
  }
  watch w = {.child = child, .started = run_now(), .limit = seconds, .disk = disk};
  return judge(&w, watch_child(&w, &set));
}
