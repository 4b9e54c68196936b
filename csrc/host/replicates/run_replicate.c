/* run_replicate: E:replicate's inside.
 *
 * The Lua side (vesicle.experiment) says what a result depends on, as a table whose JSON is the
 * description of the phase and whose SHA-256 is its key, and gives a function `one(i)`. To the
 * description the digests of the script and of every file that was read are added here, so that no
 * script, and no module that another one loads, can choose the key of its results. Nor does it choose
 * the journal: in a sandbox that is the one of the script's own name in --out. Then the journal is
 * asked what exists, workers compute the rest, here or on other ranks, and the results are handed
 * out from the journal. */
#include "run_replicate.h"

#include "lves.h"
#include "lves_json.h"
#include "run_cores.h"
#include "run_mpi.h"
#include "run_noted.h"
#include "run_pool.h"
#include "run_results.h"
#include "run_sandbox.h"
#include "run_signal.h"
#include "run_stop.h"
#include "run_unfinished.h"
#include "run_worker.h"
#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (1 << 20)

static const run_options *options_of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

/* ---- the specification ---- */

/* All that a phase needs; its strings stay on the stack. */
typedef struct {
  run_phase_spec spec;
  run_worker worker;
  run_journals_entry *journal;
} job;

static const char *string_field(lua_State *L, const char *name) {
  lua_getfield(L, 1, name);
  return luaL_checkstring(L, -1); /* stays on the stack */
}

/* A name that is one component of a path. */
static const char *name_field(lua_State *L, const char *name) {
  static const char words[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.";
  const char *text = string_field(L, name);
  const size_t length = lua_rawlen(L, -1);
  if (length == 0 || strspn(text, words) != length || strchr("_-.", text[0]) != NULL)
    luaL_error(L, "replicate: %s '%s': expected letters, digits, _, . and -", name, text);
  return text;
}

/* Pushes a copy of the description with the fields that are not the script's to say. */
static void push_description(lua_State *L) {
  lua_getfield(L, 1, "description");
  luaL_checktype(L, -1, LUA_TTABLE);
  const int given = lua_gettop(L);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, given) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, given + 1);
  }
  lua_pushliteral(L, "code");
  if (lua_rawget(L, given) != LUA_TSTRING) lua_pushliteral(L, "");
  run_noted_mix(L);
  lua_setfield(L, given + 1, "code");
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_setfield(L, given + 1, "script");
  lua_settop(L, given + 1);
}

/* Pushes the text of the description and hashes it. */
static const char *describe(lua_State *L, char key[RUN_KEY_SIZE]) {
  size_t length = 0;
  push_description(L);
  lves_json_push(L, -1, "description");
  const char *text = lua_tolstring(L, -1, &length);
  run_sha256_of(text, length, key);
  return text;
}

/* Reads the table at 1. The job belongs to the collector. */
static job *read_job(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkstack(L, 2 * LUA_MINSTACK, "E:replicate");
  job *j = lua_newuserdatauv(L, sizeof *j, 0);
  *j = (job){.spec = {.name = name_field(L, "name"),
                      .experiment = name_field(L, "experiment"),
                      .count = string_field(L, "count")}};
  j->spec.description = describe(L, j->spec.key);
  lua_getfield(L, 1, "n");
  const lua_Integer n = luaL_checkinteger(L, -1);
  if (n < 0 || n > RUN_REPLICATES_MAX)
    luaL_error(L, "replicate: n is %I, expected 0 to %d", (LUAI_UACINT)n, RUN_REPLICATES_MAX);
  j->spec.n = (uint64_t)n;
  lua_getfield(L, 1, "seed");
  j->spec.seed = luaL_checkinteger(L, -1);
  lua_getfield(L, 1, "first");
  j->spec.first = lua_toboolean(L, -1);
  lua_getfield(L, 1, "quiet");
  j->spec.quiet = lua_toboolean(L, -1);
  const char *out = string_field(L, "out");
  j->journal = run_journals_get(L, options_of(L), out, j->spec.experiment);
  lua_getfield(L, 1, "one");
  lua_getfield(L, 1, "inputs");
  j->worker = (run_worker){
      .L = L, .one = lua_gettop(L) - 1, .inputs = lua_gettop(L), .noted = run_noted_count(L)};
  luaL_checktype(L, j->worker.one, LUA_TFUNCTION);
  luaL_checktype(L, j->worker.inputs, LUA_TFUNCTION);
  return j;
}

static int push_results(lua_State *L, const job *j) {
  run_results_push(L, j->journal, j->spec.key, j->spec.n);
  lua_pushstring(L, j->spec.key);
  return 2;
}

/* ---- what goes wrong ---- */

/* The words are Lua's: explain(spec, failures, done, line). */
static _Noreturn void raise_failures(lua_State *L, const run_options *options, run_phase *phase) {
  const lua_Integer done = (lua_Integer)phase->done;
  lua_getfield(L, 1, "explain");
  lua_pushvalue(L, 1);
  lua_createtable(L, (int)phase->n_failures, 0);
  for (size_t i = 0; i < phase->n_failures; i++) {
    const run_failure *failure = &phase->failures[i];
    lua_createtable(L, 2, 0);
    lua_pushinteger(L, (lua_Integer)failure->number);
    lua_rawseti(L, -2, 1);
    lua_pushstring(L, failure->message != NULL ? failure->message : "not enough memory");
    lua_rawseti(L, -2, 2);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  run_phase_free(phase);
  lua_pushinteger(L, done);
  lua_pushstring(L, options->line);
  lua_call(L, 4, 1);
  run_stop(L, RUN_SCRIPT_ERROR, "%s", luaL_tolstring(L, -1, NULL));
}

static _Noreturn void raise_interrupted(lua_State *L, const run_options *options,
                                        run_phase *phase) {
  const unsigned long long done = phase->done - phase->n_pending;
  const run_phase_spec *spec = phase->spec;
  const char *path = run_journal_path(phase->journal);
  run_signal_acknowledge();
  run_phase_free(phase);
  run_stop(L, RUN_INTERRUPTED,
           "interrupted; %llu of %llu replicates of `%s` are kept in %s\nto go on: %s", done,
           (unsigned long long)spec->n, spec->name, path, options->line);
}

static _Noreturn void raise_unwritten(lua_State *L, run_phase *phase, run_journal_status status) {
  const unsigned long long done = phase->done - phase->n_pending, n = phase->spec->n;
  const run_journal *journal = phase->journal;
  run_phase_free(phase);
  run_stop(L, run_journals_exit_code(status), "%s; %llu of %llu replicates were written before%s",
           run_journal_message(journal), done, n, run_journals_advice(status));
}

/* ---- one replicate: --replicate NAME:I ---- */

static bool singled_out(const run_options *options, const run_phase_spec *spec) {
  if (options->replicate == 0) return false;
  if (options->replicate_name == NULL) return spec->first;
  return strcmp(options->replicate_name, spec->name) == 0;
}

/* Runs it here, in this process, and stops. */
static _Noreturn void run_single(lua_State *L, const run_options *options, run_worker *worker,
                                 run_phase *phase) {
  const unsigned long long number = options->replicate;
  const run_phase_spec *spec = phase->spec;
  if (number > spec->n) {
    run_phase_free(phase);
    run_stop(L, RUN_USAGE, "--replicate %llu: `%s` has %llu replicates", number, spec->name,
             (unsigned long long)spec->n);
  }
  run_worker_enter();
  const int status = run_worker_compute(worker, number);
  run_worker_leave();
  if (status != LUA_OK) {
    run_phase_free(phase);
    run_stop(L, RUN_SCRIPT_ERROR, "replicate %llu of `%s` in %s (seed %lld): %s", number,
             spec->name, spec->experiment, (long long)spec->seed, lua_tostring(L, -1));
  }
  const run_journal_status written = run_phase_write(phase->journal, phase->id, spec->key,
                                                     worker->answer.data, worker->answer.length);
  run_worker_free(worker);
  if (written != RUN_JOURNAL_OK) raise_unwritten(L, phase, written);
  run_phase_free(phase);
  run_unfinished_waive();
  run_stop(L, RUN_DONE, "replicate %llu of `%s` in %s finished and is in the journal", number,
           spec->name, spec->experiment);
}

/* ---- all replicates ---- */

static int worker_count(const run_options *options, uint64_t missing) {
  long jobs = options->jobs > 0 ? options->jobs : run_cores();
  if ((uint64_t)jobs > missing) jobs = (long)missing;
  return (int)(jobs > RUN_JOBS_MAX ? RUN_JOBS_MAX : jobs);
}

/* Computes what is missing, here or on the other ranks; raises what goes wrong. *idle tells whether
 * no rank computes any more. */
static void complete(lua_State *L, const run_options *options, run_phase *phase, run_worker *worker,
                     bool *idle) {
  run_journal_status status = RUN_JOURNAL_OK;
  run_outcome outcome = RUN_PHASE_DONE;
  *idle = false;
  if (run_mpi_size() > 1) {
    outcome = run_mpi->coordinate(phase, &status);
  } else if (phase->done < phase->spec->n) {
    const int jobs = worker_count(options, phase->spec->n - phase->done);
    outcome = run_pool_run(phase, worker, jobs, options->timeout, &status);
  }
  if (outcome == RUN_PHASE_INTERRUPTED) raise_interrupted(L, options, phase);
  if (outcome == RUN_PHASE_UNWRITTEN) raise_unwritten(L, phase, status);
  if (outcome == RUN_PHASE_NO_WORKER) {
    run_phase_free(phase);
    run_stop(L, RUN_INTERRUPTED, "no worker process could be started: %s", strerror(errno));
  }
  *idle = true;
  if (phase->n_failures > 0) raise_failures(L, options, phase);
}

/* replicate(spec, idle) where the journal is kept. */
static int replicate_here(lua_State *L) {
  const run_options *options = options_of(L);
  bool *idle = lua_touserdata(L, 2);
  job *j = read_job(L);
  if (run_mpi_size() > 1 && !run_mpi->meet(&j->spec))
    run_stop(L, RUN_SCRIPT_ERROR,
             "the ranks disagree about `%s` in %s: the script or what it reads is not the same on "
             "all of them",
             j->spec.name, j->spec.experiment);
  run_phase phase;
  run_journal *journal = run_journals_connection(L, j->journal);
  /* Experiments may run side by side: each line says whose it is. The string stays on the stack. */
  const char *label = lua_pushfstring(L, "%s %s", j->spec.experiment, j->spec.name);
  const run_journal_status status = run_phase_open(&phase, journal, &j->spec, label);
  if (status != RUN_JOURNAL_OK) {
    run_phase_free(&phase);
    run_journals_raise(L, journal, status);
  }
  if (singled_out(options, &j->spec)) run_single(L, options, &j->worker, &phase);
  complete(L, options, &phase, &j->worker, idle);
  run_phase_free(&phase);
  return push_results(L, j);
}

/* ---- over ranks ---- */

/* Sends a block of answers to all others; none (length 0) after the last. */
static void send_block(const lves_buffer *block) {
  uint64_t length = block->length;
  run_mpi->broadcast(0, &length, sizeof length);
  run_mpi->broadcast(0, block->data, block->length);
}

static bool send_row(void *context, const run_row *row, bool good) {
  lves_buffer *block = context;
  const run_answer answer = {.kind = RUN_ANSWER_RESULT, .row = *row};
  if (!good || !run_answer_add(&answer, block)) return false;
  if (block->length >= BLOCK_BYTES) {
    send_block(block);
    block->length = 0;
  }
  return true;
}

/* Sends all results to all ranks: the script goes on everywhere. */
static void send_rows(lua_State *L, const job *j) {
  lves_buffer block = {0};
  int64_t phase = 0;
  run_journal *journal = run_journals_connection(L, j->journal);
  run_journal_status status = run_journal_phase(journal, j->spec.key, NULL, NULL, &phase);
  if (status == RUN_JOURNAL_OK)
    status = run_journal_scan(journal, phase, NULL, 1, j->spec.n, send_row, &block);
  if (status == RUN_JOURNAL_OK && block.length > 0) send_block(&block);
  block.length = 0;
  if (status == RUN_JOURNAL_OK) send_block(&block);
  lves_buffer_free(&block);
  if (status != RUN_JOURNAL_OK) run_journals_raise(L, journal, status);
}

/* The keeper's part: whatever comes of the phase, the others are told. */
static int replicate_as_keeper(lua_State *L) {
  bool idle = true;
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushcclosure(L, replicate_here, 2);
  lua_pushvalue(L, 1);
  lua_pushlightuserdata(L, &idle);
  if (lua_pcall(L, 2, 2, 0) != LUA_OK) {
    const bool is_stop = lua_istable(L, -1) && lua_getfield(L, -1, "exit_code") == LUA_TNUMBER;
    if (is_stop && idle) {
      run_mpi->dismiss((int)lua_tointeger(L, -1), true);
      run_mpi_agreed();
    }
    if (is_stop) lua_pop(L, 1);
    return lua_error(L);
  }
  run_mpi->dismiss(RUN_DONE, false);
  lua_settop(L, 1);
  const job *j = read_job(L);
  send_rows(L, j);
  return push_results(L, j);
}

/* Takes all results into the temporary journal. */
static run_journal_status take_rows(run_journal *journal, const run_phase_spec *spec) {
  int64_t phase = 0;
  run_journal_status status =
      run_journal_phase(journal, spec->key, spec->name, spec->description, &phase);
  lves_buffer block = {0};
  for (;;) {
    uint64_t length = 0;
    run_mpi->broadcast(0, &length, sizeof length);
    if (length == 0) break;
    block.length = 0;
    if (!lves_buffer_reserve(&block, (size_t)length)) abort(); /* which ends the job */
    run_mpi->broadcast(0, block.data, (size_t)length);
    if (status == RUN_JOURNAL_OK)
      status = run_phase_write(journal, phase, spec->key, block.data, (size_t)length);
  }
  lves_buffer_free(&block);
  return status;
}

/* The part of every other rank. */
static int replicate_as_worker(lua_State *L) {
  job *j = read_job(L);
  bool stop = false;
  int code = RUN_DONE;
  j->worker.watch = options_of(L)->timeout;
  run_worker_enter();
  run_mpi->work(&j->spec, run_worker_answer, &j->worker, &stop, &code);
  run_worker_leave();
  run_worker_free(&j->worker);
  if (stop) {
    run_mpi_agreed();
    run_stop(L, code, "%s", "");
  }
  run_journal *journal = run_journals_connection(L, j->journal);
  const run_journal_status status = take_rows(journal, &j->spec);
  if (status != RUN_JOURNAL_OK) run_journals_raise(L, journal, status);
  return push_results(L, j);
}

/* replicate(spec). A worker starts no workers, except that a point of a sweep, a worker of the
 * sweep, has its own. */
static int replicate(lua_State *L) {
  if (run_worker_generation() > (options_of(L)->command == RUN_COMMAND_POINT ? 1 : 0))
    return luaL_error(L, "replicates are not started inside a replicate");
  if (run_mpi_rank() > 0) return replicate_as_worker(L);
  if (run_mpi_size() > 1) return replicate_as_keeper(L);
  bool idle = true;
  lua_settop(L, 1);
  lua_pushlightuserdata(L, &idle);
  return replicate_here(L);
}

/* ---- the rest ---- */

static int sha256(lua_State *L) {
  size_t length = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  char hex[RUN_KEY_SIZE];
  uint8_t digest[RUN_SHA256_SIZE];
  SHA2_CTX hash;
  SHA256Init(&hash);
  for (size_t from = 0, end; from < length; from = end) {
    end = lves_block_end(L, "sha256", from, length);
    SHA256Update(&hash, (const uint8_t *)text + from, end - from);
  }
  SHA256Final(digest, &hash);
  run_sha256_hex(digest, hex);
  lua_pushstring(L, hex);
  return 1;
}

void run_replicate_register(lua_State *L, const run_options *options) {
  static const luaL_Reg functions[] = {{"replicate", replicate},
                                       {"json", lves_json_text},
                                       {"from_json", lves_json_value},
                                       {"sha256", sha256},
                                       {NULL, NULL}};
  uint8_t sum[RUN_SHA256_SIZE];
  char script[RUN_KEY_SIZE] = "none";
  if (options->code != NULL)
    run_sha256_of(options->code, options->code_size, script);
  else if (options->script != NULL && run_sha256_file(options->script, sum))
    run_sha256_hex(sum, script);
  run_results_register(L);
  run_noted_register(L, options->script);
  lua_pushlightuserdata(L, (void *)options);
  lua_pushstring(L, script);
  luaL_setfuncs(L, functions, 2);
}
