/* run_pool: a phase computed by worker processes on this machine.
 *
 * Workers are forked, so that each begins with the script's whole state at the E:replicate call and
 * nothing has to be sent but indices one way and results the other. The parent hands out the next
 * index as soon as a result arrives, and only then writes to the journal, so that nobody waits for
 * the disk. When replicates are short it hands out several ahead, as many as fill the time of one
 * write, and results that arrived together are committed together.
 *
 * A worker that dies takes one replicate with it: the one it was computing, the first of those it
 * was given and has not answered. The others go back, and a new worker takes its place. */
#include "run_pool.h"

#include "run_queue.h"
#include "run_signal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

typedef struct {
  pid_t pid; /* 0: the slot is empty */
  int to, from;
  lves_buffer input; /* answers not yet complete */
  run_queue queue;
  bool overdue, leaving;
} worker;

typedef struct {
  run_phase *phase;
  run_worker *code; /* what a worker runs */
  int jobs;
  double timeout;
  worker *workers;
  run_pace pace;
  bool out_of_memory;
} pool;

/* ---- starting and ending workers ---- */

static void become_worker(const pool *p, pid_t parent, int in, int out) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody computes for a dead parent */
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0) { /* if memory runs out, a worker goes before the parent that keeps the books */
    const ssize_t written = write(fd, "500", 3);
    (void)written;
    close(fd);
  }
#endif
  if (getppid() != parent) _exit(1);
  run_signal_worker();
  for (int i = 0; i < p->jobs; i++)
    if (p->workers[i].pid != 0) {
      close(p->workers[i].to);
      close(p->workers[i].from);
    }
  run_worker_serve(p->code, in, out);
  _exit(1); /* serve does not return */
}

/* A pipe that programs started by a worker do not inherit: its end must mean the worker's end. */
static bool open_pipe(int ends[2]) {
  if (pipe(ends) != 0) return false;
  if (ends[0] < FD_SETSIZE && ends[1] < FD_SETSIZE) {
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
  }
  close(ends[0]);
  close(ends[1]);
  errno = EMFILE;
  return false;
}

static bool start_worker(pool *p, worker *w) {
  int tasks[2], results[2];
  if (!open_pipe(tasks)) return false;
  if (!open_pipe(results)) {
    close(tasks[0]);
    close(tasks[1]);
    return false;
  }
  fflush(NULL); /* or the child would write our buffers once more */
  const pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    close(tasks[1]);
    close(results[0]);
    become_worker(p, parent, tasks[0], results[1]);
  }
  close(tasks[0]);
  close(results[1]);
  if (pid < 0) {
    close(tasks[1]);
    close(results[0]);
    return false;
  }
  fcntl(results[0], F_SETFL, O_NONBLOCK);
  lves_buffer input = w->input;
  input.length = 0;
  *w = (worker){.pid = pid, .to = tasks[1], .from = results[0], .input = input};
  return true;
}

/* Closes the pipes and waits for the end; the status is waitpid's. */
static int end_worker(worker *w) {
  int status = 0;
  close(w->to);
  close(w->from);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) continue;
  w->pid = 0;
  return status;
}

static void end_all(pool *p, bool kill_them) {
  for (int i = 0; i < p->jobs; i++)
    if (p->workers[i].pid != 0 && kill_them) kill(p->workers[i].pid, SIGKILL);
  for (int i = 0; i < p->jobs; i++)
    if (p->workers[i].pid != 0) end_worker(&p->workers[i]);
}

/* ---- handing out ---- */

/* Gives tasks to a worker. If it cannot take them it is dying: its end will show. */
static void feed(pool *p, worker *w) {
  const size_t wanted = w->leaving ? 0 : run_pace_ahead(&p->pace, p->phase);
  uint64_t number;
  while (w->queue.count < wanted && run_phase_next(p->phase, &number)) {
    if (write(w->to, &number, sizeof number) != (ssize_t)sizeof number) {
      run_phase_return(p->phase, number);
      return;
    }
    run_queue_push(&w->queue, number);
  }
}

/* Feeds everybody, starting workers as long as there is work. Says whether anybody has some; *able
 * is false if there is nobody to work. */
static bool feed_all(pool *p, bool *able) {
  bool alive = false, working = false, failed = false;
  for (int i = 0; i < p->jobs; i++) {
    worker *w = &p->workers[i];
    if (w->pid == 0 && !failed) {
      uint64_t number;
      if (!run_phase_next(p->phase, &number)) continue;
      run_phase_return(p->phase, number);
      failed = !start_worker(p, w);
    }
    if (w->pid == 0) continue;
    feed(p, w);
    alive = true;
    working = working || w->queue.count > 0;
  }
  *able = alive || !failed;
  return working;
}

/* ---- taking back ---- */

/* Takes the complete answers of a worker; false if it answers what it was not asked. */
static bool take_answers(pool *p, worker *w) {
  size_t at = 0, size;
  run_answer answer;
  bool good = true;
  while ((size = run_answer_read(w->input.data + at, w->input.length - at, &answer)) > 0) {
    good = w->queue.count > 0 && w->queue.tasks[w->queue.first] == answer.row.number;
    if (!good) break;
    run_queue_pop(&w->queue);
    run_pace_note(&p->pace, answer.seconds);
    p->out_of_memory = p->out_of_memory || !run_phase_take(p->phase, &answer);
    if (answer.kind == RUN_ANSWER_LAST) {
      w->leaving = true;
      run_queue_return(&w->queue, p->phase);
    }
    at += size;
  }
  w->input.length -= at;
  memmove(w->input.data, w->input.data + at, w->input.length);
  return good;
}

/* Says how a worker ended. */
static void describe_end(const pool *p, const worker *w, int status, char *text, size_t size) {
  if (w->overdue)
    snprintf(text, size, "took longer than %g s (--replicate-timeout)", p->timeout);
  else if (WIFSIGNALED(status))
    snprintf(text, size, "its worker was killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  else
    snprintf(text, size, "its worker ended by itself with exit status %d", WEXITSTATUS(status));
}

/* The worker's pipe has ended: so has the worker. */
static void bury(pool *p, worker *w) {
  const uint64_t current = w->queue.tasks[w->queue.first];
  const bool working = w->queue.count > 0;
  const int status = end_worker(w);
  if (!working) return;
  char text[160];
  describe_end(p, w, status, text, sizeof text);
  run_queue_pop(&w->queue);
  run_queue_return(&w->queue, p->phase);
  run_phase_fail(p->phase, current, text);
}

/* Reads what a worker has sent; buries it if that was its last. */
static void listen(pool *p, worker *w) {
  for (;;) {
    if (!lves_buffer_reserve(&w->input, 65536)) {
      p->out_of_memory = true;
      return;
    }
    const ssize_t n = read(w->from, w->input.data + w->input.length, 65536);
    if (n > 0) {
      w->input.length += (size_t)n;
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    const bool ended = n == 0 || errno != EAGAIN;
    if (!take_answers(p, w)) kill(w->pid, SIGKILL);
    if (ended) bury(p, w);
    return;
  }
}

/* ---- the loop ---- */

/* Waits for results, a deadline or a signal, at most `seconds`. */
static void wait_for_results(pool *p, double seconds, const sigset_t *waiting) {
  fd_set ready;
  FD_ZERO(&ready);
  int top = -1;
  for (int i = 0; i < p->jobs; i++)
    if (p->workers[i].pid != 0) {
      FD_SET(p->workers[i].from, &ready);
      if (p->workers[i].from > top) top = p->workers[i].from;
    }
  const struct timespec limit = {.tv_sec = (time_t)seconds,
                                 .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  if (pselect(top + 1, &ready, NULL, NULL, &limit, waiting) <= 0) return;
  for (int i = 0; i < p->jobs; i++)
    if (p->workers[i].pid != 0 && FD_ISSET(p->workers[i].from, &ready)) listen(p, &p->workers[i]);
}

/* Kills workers that are past their time; returns the seconds until the next deadline. */
static double enforce_deadlines(pool *p) {
  double rest = 0.5;
  for (int i = 0; p->timeout > 0 && i < p->jobs; i++) {
    worker *w = &p->workers[i];
    if (w->pid == 0 || w->queue.count == 0) continue;
    const double left = w->queue.started + p->timeout - run_now();
    if (left <= 0 && !w->overdue) {
      w->overdue = true;
      kill(w->pid, SIGKILL);
    }
    if (left > 0 && left < rest) rest = left;
  }
  return rest < 0.001 ? 0.001 : rest;
}

static run_outcome loop(pool *p, run_journal_status *status, const sigset_t *waiting) {
  for (;;) {
    if (run_signal_pending() != 0) return RUN_PHASE_INTERRUPTED;
    bool able = true;
    const bool working = feed_all(p, &able);
    *status = run_phase_commit(p->phase);
    if (*status != RUN_JOURNAL_OK) return RUN_PHASE_UNWRITTEN;
    run_progress_show(&p->phase->progress, p->phase->done);
    if (p->out_of_memory) errno = ENOMEM;
    if (!able || p->out_of_memory) return RUN_PHASE_NO_WORKER;
    if (!working) return RUN_PHASE_DONE;
    wait_for_results(p, enforce_deadlines(p), waiting);
  }
}

run_outcome run_pool_run(run_phase *phase, run_worker *code, int jobs, double timeout,
                         run_journal_status *status) {
  pool p = {.phase = phase, .code = code, .jobs = jobs, .timeout = timeout};
  p.pace.workers = jobs;
  run_outcome outcome = RUN_PHASE_NO_WORKER;
  p.workers = calloc((size_t)jobs, sizeof *p.workers);
  *status = RUN_JOURNAL_OK;
  if (p.workers != NULL) {
    sigset_t waiting;
    void (*piped)(int) = signal(SIGPIPE, SIG_IGN); /* a dying worker is noticed by its end */
    run_signal_block(&waiting);
    outcome = loop(&p, status, &waiting);
    const int saved = errno;
    end_all(&p, outcome != RUN_PHASE_DONE);
    if (outcome == RUN_PHASE_INTERRUPTED) {
      *status = run_phase_commit(phase);
      if (*status != RUN_JOURNAL_OK) outcome = RUN_PHASE_UNWRITTEN;
    }
    run_signal_unblock(&waiting);
    signal(SIGPIPE, piped);
    errno = saved;
  }
  run_progress_end(&phase->progress, phase->done);
  for (int i = 0; p.workers != NULL && i < jobs; i++) lves_buffer_free(&p.workers[i].input);
  free(p.workers);
  return outcome;
}
