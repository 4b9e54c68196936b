/* run_signal: SIGINT, SIGTERM and SIGHUP end a run cleanly.
 *
 * The handler only leaves a note and sets Lua's hook, as Lua's own interpreter does, but in every
 * coroutine under way (run_coroutine). Whoever waits
 * (run_pool) looks at the note; a running script meets the hook; a computation of the core looks at
 * a flag (ves_stop) and returns, upon which its binding calls `stopped`. */
#include "run_signal.h"

#include "lves.h"
#include "run_coroutine.h"
#include "run_options.h"
#include "run_stop.h"
#include "ves_stop.h"
#include <lauxlib.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/time.h>

static volatile sig_atomic_t arrived = 0;
static lua_State *hooked = NULL;
static bool supervised = false;

static _Noreturn void raise_interrupted(lua_State *L) {
  run_stop(
      L, RUN_INTERRUPTED,
      "interrupted; finished replicates are kept in the journal: run the same command again to "
      "go on");
}

/* Instructions that a script has for tidying up after it caught the stop. */
enum { GRACE = 1000000 };

static bool insists = false;

/* The script caught the stop and went on. Now every step of it ends here, also the one after the
 * pcall that catches this one. */
static void stop_again(lua_State *L, lua_Debug *where) {
  (void)where;
  lua_sethook(L, stop_again, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
  raise_interrupted(L);
}

/* What follows a stop, in the coroutine that it happened in. */
static void rearm(lua_State *L) {
  if (insists)
    lua_sethook(L, stop_again, LUA_MASKCOUNT, GRACE);
  else
    lua_sethook(L, NULL, 0, 0);
}

static void stop_script(lua_State *L, lua_Debug *where) {
  (void)where;
  rearm(L);
  raise_interrupted(L);
}

/* Sets the hook of the main coroutine and of the others under way: the one that runs, and those that
 * go on when it has been stopped. */
static void set_hooks(lua_Hook hook, int mask, int count) {
  if (hooked == NULL) return;
  lua_sethook(hooked, hook, mask, count);
  run_coroutine_hook(hook, mask, count);
}

/* Makes Lua call `hook` at its next step. */
static void set_hook(lua_Hook hook) {
  set_hooks(hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static void handle(int number) {
  arrived = number;
  signal(number, SIG_DFL);
  ves_stop(true);
  set_hook(stop_script);
}

/* ---- the watch of a rank ---- */

static double allowed = 0;

static void raise_overdue(lua_State *L) {
  char seconds[32]; // luaL_error would print 1 as 1.0, unlike the pool
  snprintf(seconds, sizeof seconds, "%g", allowed);
  luaL_error(L, "took longer than %s s (--replicate-timeout)", seconds);
}

static void stop_replicate(lua_State *L, lua_Debug *where) {
  (void)where;
  lua_sethook(L, NULL, 0, 0);
  raise_overdue(L);
}

static void handle_alarm(int number) {
  (void)number;
  ves_stop(true);
  set_hook(stop_replicate);
}

/* A computation of the core was stopped. */
static void stopped(lua_State *L) {
  if (arrived != 0) raise_interrupted(L);
  raise_overdue(L);
}

void run_signal_watch(double seconds) {
  if (seconds > 0) allowed = seconds;
  const struct itimerval timer = {
      .it_value = {.tv_sec = (time_t)seconds,
                   .tv_usec = (suseconds_t)(1e6 * (seconds - (double)(time_t)seconds))}};
  if (seconds > 0) {
    struct sigaction action = {.sa_handler = handle_alarm};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
  }
  setitimer(ITIMER_REAL, &timer, NULL);
  if (seconds <= 0) run_signal_acknowledge();
}

/* ---- the signals that end a run ---- */

static void make_set(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGUSR1);
}

void run_signal_install(lua_State *L, bool handle_them) {
  hooked = L;
  arrived = 0;
  insists = false;
  ves_stop(false);
  lves_set_stopped(stopped);
  if (!handle_them) return;
  struct sigaction action = {.sa_handler = handle};
  sigemptyset(&action.sa_mask);
  if (supervised) {
    sigaction(SIGUSR1, &action, NULL);
    return;
  }
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  struct sigaction hangup;
  if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* nohup ignores it */
    sigaction(SIGHUP, &action, NULL);
}

void run_signal_begin(void) {
  sigset_t ours;
  make_set(&ours);
  sigaddset(&ours, SIGALRM);
  sigaddset(&ours, SIGCHLD);
  sigprocmask(SIG_UNBLOCK, &ours, NULL);
  signal(SIGCHLD, SIG_DFL);
}

void run_signal_insist(void) { insists = true; }

void run_signal_over(void) {
  set_hooks(NULL, 0, 0);
  insists = false;
}

void run_signal_supervised(void) {
  supervised = true;
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
}

int run_signal_pending(void) { return arrived; }

void run_signal_acknowledge(void) {
  if (arrived != 0 && insists)
    set_hooks(stop_again, LUA_MASKCOUNT, GRACE);
  else
    set_hooks(NULL, 0, 0);
  if (arrived == 0) ves_stop(false);
}

void run_signal_block(sigset_t *waiting) {
  sigset_t all;
  make_set(&all);
  sigprocmask(SIG_BLOCK, &all, waiting);
}

void run_signal_unblock(const sigset_t *waiting) { sigprocmask(SIG_SETMASK, waiting, NULL); }

void run_signal_worker(void) {
  hooked = NULL;
  ves_stop(false);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}
