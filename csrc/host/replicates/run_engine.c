/* run_engine: E:replicate's inside.
 *
 * The Lua side (vesicle.experiment) says what a result depends on, as a text whose SHA-256 is the
 * key of the phase, and gives a function `one(i)`. Here the journal is asked what exists, workers
 * compute the rest, and a store hands the results out: read on demand from the journal, a block at
 * a time, so that a million replicates need no more memory than a hundred. */
#include "run_engine.h"

#include "run_cores.h"
#include "run_failures.h"
#include "run_journal.h"
#include "run_mpi.h"
#include "run_pack.h"
#include "run_phase.h"
#include "run_pool.h"
#include "run_sandbox.h"
#include "run_signal.h"
#include "run_stop.h"
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL     "vesicle.journal"
#define STORE       "vesicle.store"
#define BLOCK_BYTES (1 << 20)
#define RESULT_MAX  900000000 /* SQLite's limit for one value is 10^9 bytes */

/* ---- journals ---- */

typedef struct {
  run_journal *journal;
  pid_t owner; /* the process whose connection it is */
  char *path;  /* NULL: temporary */
} journal_box;

static int exit_code_of(run_journal_status status) {
  switch (status) {
  case RUN_JOURNAL_FULL:
  case RUN_JOURNAL_BUSY:
  case RUN_JOURNAL_DAMAGED: return RUN_INTERRUPTED;
  default: return RUN_SCRIPT_ERROR;
  }
}

static const char *advice(run_journal_status status) {
  switch (status) {
  case RUN_JOURNAL_FULL: return "; make room, then run the same command again to go on";
  case RUN_JOURNAL_DAMAGED: return "; run the same command again: it will be repaired";
  case RUN_JOURNAL_DENIED: return "; choose another place with --out DIR";
  default: return "";
  }
}

static _Noreturn void raise_journal(lua_State *L, const run_journal *journal,
                                    run_journal_status status) {
  run_stop(L, exit_code_of(status), "%s%s",
           journal != NULL ? run_journal_message(journal) : "out of memory", advice(status));
}

/* Passes on what the journal has to say, once. */
static void notify(run_journal *journal, const run_options *options) {
  const char *notice = run_journal_message(journal);
  const bool company = strncmp(notice, "another run is using", 20) == 0;
  const bool expected = company && options->command == RUN_COMMAND_POINT; /* the other points */
  if (notice[0] != '\0' && !expected) fprintf(stderr, "vesicle: %s\n", notice);
  run_journal_acknowledge(journal);
}

static const run_options *options_of(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

static int open_journal(lua_State *L) {
  const char *path = run_mpi_rank() == 0 ? luaL_optstring(L, 1, NULL) : NULL;
  journal_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (journal_box){.owner = getpid()};
  luaL_setmetatable(L, JOURNAL);
  if (path != NULL && !run_sandbox_allows_journal(path))
    run_stop(L, RUN_SCRIPT_ERROR, "%s is %s", path, run_sandbox_reason(RUN_WRITE));
  if (path != NULL) {
    char dir[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (slash != NULL && slash != path && (size_t)(slash - path) < sizeof dir) {
      memcpy(dir, path, (size_t)(slash - path));
      dir[slash - path] = '\0';
      if (!run_sandbox_make_directories(dir))
        run_stop(L, RUN_SCRIPT_ERROR, "cannot make the directory %s: %s%s", dir, strerror(errno),
                 advice(RUN_JOURNAL_DENIED));
    }
    box->path = strdup(path);
    if (box->path == NULL) return luaL_error(L, "not enough memory");
  }
  const run_journal_status status = run_journal_open(path, RUN_JOURNAL_SHARE, &box->journal);
  if (status != RUN_JOURNAL_OK) raise_journal(L, box->journal, status);
  notify(box->journal, options_of(L));
  return 1;
}

static int close_journal(lua_State *L) {
  journal_box *box = luaL_checkudata(L, 1, JOURNAL);
  if (box->owner == getpid()) run_journal_close(box->journal);
  box->journal = NULL;
  free(box->path);
  box->path = NULL;
  return 0;
}

/* The connection of this process. A worker that looks at earlier results opens its own: SQLite's
 * do not survive a fork. */
static run_journal *connection(lua_State *L, journal_box *box) {
  if (box->journal == NULL) luaL_error(L, "the journal is closed");
  if (box->owner == getpid()) return box->journal;
  run_journal *own = NULL;
  const run_journal_status status = run_journal_open(box->path, RUN_JOURNAL_READ, &own);
  if (status != RUN_JOURNAL_OK) raise_journal(L, own, status);
  box->journal = own;
  box->owner = getpid();
  return own;
}

/* ---- stores ---- */

/* The results of one phase; its user value is the journal. */
typedef struct {
  uint8_t key[RUN_SHA256_SIZE];
  uint64_t n;
  run_bytes block;  /* values of consecutive replicates, each after its index and length */
  uint64_t from;    /* the first index of the block, */
  uint64_t until;   /* one past its last */
  size_t *offsets;  /* of each of them in the block */
  size_t n_offsets; /* room in offsets */
  bool failed;      /* out of memory */
} store_box;

static int free_store(lua_State *L) {
  store_box *store = luaL_checkudata(L, 1, STORE);
  run_bytes_free(&store->block);
  free(store->offsets);
  store->offsets = NULL;
  store->n_offsets = 0;
  store->from = store->until = 0;
  return 0;
}

static bool keep_value(void *context, const run_record *record) {
  store_box *store = context;
  if (record->index != store->until) return false; /* a gap: the block ends before it */
  const size_t slot = (size_t)(store->until - store->from);
  if (slot == store->n_offsets) {
    const size_t room = 2 * store->n_offsets + 64;
    size_t *offsets = realloc(store->offsets, room * sizeof *offsets);
    if (offsets == NULL) {
      store->failed = true;
      return false;
    }
    store->offsets = offsets;
    store->n_offsets = room;
  }
  store->offsets[slot] = store->block.length;
  store->failed = !run_bytes_add_u64(&store->block, record->value_length) ||
                  !run_bytes_add(&store->block, record->value, record->value_length);
  if (store->failed) return false;
  store->until++;
  return store->block.length < BLOCK_BYTES;
}

/* A packed value, or the field that the string at a stack index names; nil if there is no such. */
static int push_value(lua_State *L, const uint8_t *bytes, size_t length, int field) {
  size_t named = 0;
  const char *path = luaL_optlstring(L, field, NULL, &named);
  if (path == NULL)
    run_unpack(L, bytes, length);
  else if (strlen(path) != named || !run_unpack_field(L, bytes, length, path))
    lua_pushnil(L);
  return 1;
}

static void load_block(lua_State *L, store_box *store, journal_box *box, uint64_t index) {
  run_journal *journal = connection(L, box);
  int64_t phase = 0;
  store->block.length = 0;
  store->from = store->until = index;
  store->failed = false;
  run_journal_status status = run_journal_phase(journal, store->key, "", false, &phase);
  if (status == RUN_JOURNAL_OK)
    status = run_journal_scan(journal, phase, index, store->n, keep_value, store);
  if (store->failed) luaL_error(L, "not enough memory");
  if (status != RUN_JOURNAL_OK && status != RUN_JOURNAL_ABSENT) raise_journal(L, journal, status);
  if (store->until == index)
    run_stop(L, RUN_INTERRUPTED,
             "replicate %llu has vanished from the journal %s while it was in use: run the same "
             "command again",
             (unsigned long long)index, run_journal_path(journal));
}

/* store:get(i, field): the result of replicate i, or one field of it; nil if there is no such. */
static int get_result(lua_State *L) {
  store_box *store = luaL_checkudata(L, 1, STORE);
  const lua_Integer i = luaL_checkinteger(L, 2);
  luaL_argcheck(L, i >= 1 && (uint64_t)i <= store->n, 2, "no such replicate");
  lua_settop(L, 3);
  const uint64_t index = (uint64_t)i;
  if (index < store->from || index >= store->until) {
    lua_getiuservalue(L, 1, 1);
    load_block(L, store, luaL_checkudata(L, -1, JOURNAL), index);
  }
  const uint8_t *at = store->block.data + store->offsets[index - store->from];
  return push_value(L, at + 8, (size_t)run_get_u64(at), 3);
}

static int store_length(lua_State *L) {
  const store_box *store = luaL_checkudata(L, 1, STORE);
  lua_pushinteger(L, (lua_Integer)store->n);
  return 1;
}

static void push_store(lua_State *L, int journal, const uint8_t *key, uint64_t n) {
  store_box *store = lua_newuserdatauv(L, sizeof *store, 1);
  *store = (store_box){.n = n};
  memcpy(store->key, key, RUN_SHA256_SIZE);
  luaL_setmetatable(L, STORE);
  lua_pushvalue(L, journal);
  lua_setiuservalue(L, -2, 1);
}

/* ---- computing one replicate ---- */

/* What a worker needs; the functions are at fixed places of the Lua stack. */
typedef struct {
  lua_State *L;
  int one, inputs; /* stack indices */
  const uint8_t *key;
  run_bytes value, frame;
  double watch; /* seconds a replicate may take in this very process; 0: somebody else watches */
} computation;

static int add_traceback(lua_State *L) {
  const char *message = luaL_tolstring(L, 1, NULL);
  if (lua_istable(L, 1) && lua_getfield(L, 1, "message") == LUA_TSTRING)
    message = lua_tostring(L, -1);
  if (lua_istable(L, 1) && lua_getfield(L, 1, "traced") == LUA_TBOOLEAN) {
    lua_pushstring(L, message); /* it has a traceback, of where it happened */
    return 1;
  }
  luaL_traceback(L, L, message, 1);
  return 1;
}

/* Called as a function: (computation, index); leaves the inputs on the stack and the packed result
 * in c->value. */
static int compute(lua_State *L) {
  computation *c = lua_touserdata(L, 1);
  lua_pushvalue(L, 3);
  lua_pushvalue(L, 2);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1))
    luaL_error(L, "run returned nothing (results must be returned: what a replicate assigns "
                  "elsewhere is lost with its worker)");
  c->value.length = 0;
  run_pack(L, -1, &c->value);
  lua_pushvalue(L, 4);
  lua_call(L, 0, 1);
  luaL_checkstring(L, -1);
  return 1;
}

/* Computes replicate `index`: LUA_OK with its record in c->frame from `start` on, or Lua's status
 * with the message on the stack. Pops nothing but what it pushed, save that message. */
static int compute_record(computation *c, uint64_t index) {
  lua_State *L = c->L;
  lua_pushcfunction(L, add_traceback);
  const int handler = lua_gettop(L);
  lua_pushcfunction(L, compute);
  lua_pushlightuserdata(L, c);
  lua_pushinteger(L, (lua_Integer)index);
  lua_pushvalue(L, c->one);
  lua_pushvalue(L, c->inputs);
  const int status = lua_pcall(L, 4, 1, handler);
  lua_remove(L, handler);
  if (status != LUA_OK) return status;
  size_t length = 0;
  const char *inputs = lua_tolstring(L, -1, &length);
  const run_record record = {.key = c->key,
                             .index = index,
                             .inputs = inputs,
                             .inputs_length = length,
                             .value = c->value.data,
                             .value_length = c->value.length};
  const bool fits = length + c->value.length <= RESULT_MAX;
  const bool good = fits && run_record_make(&record, &c->frame);
  lua_pop(L, 1);
  if (good) return LUA_OK;
  if (!fits) {
    lua_pushfstring(L, "the result takes %I bytes, more than the %I that the journal holds",
                    (LUAI_UACINT)c->value.length, (LUAI_UACINT)RESULT_MAX);
    return LUA_ERRRUN;
  }
  lua_pushliteral(L, "not enough memory");
  return LUA_ERRMEM;
}

/* ---- the worker ---- */

static void write_whole(int fd, const uint8_t *bytes, size_t length) {
  while (length > 0) {
    const ssize_t n = write(fd, bytes, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1); /* the parent is gone */
    bytes += n;
    length -= (size_t)n;
  }
}

static bool read_task(int fd, uint64_t *index) {
  uint8_t task[8];
  size_t have = 0;
  while (have < sizeof task) {
    const ssize_t n = read(fd, task + have, sizeof task - have);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    have += (size_t)n;
  }
  *index = run_get_u64(task);
  return true;
}

/* The frame of one replicate (a run_compute). */
static const run_bytes *make_frame(void *context, uint64_t index) {
  computation *c = context;
  const uint8_t head[RUN_FRAME_HEAD] = {0};
  c->frame.length = 0;
  run_bytes_add(&c->frame, head, sizeof head);
  const double start = run_now();
  if (c->watch > 0) run_signal_watch(c->watch);
  const int status = compute_record(c, index);
  if (c->watch > 0) run_signal_watch(0);
  uint8_t kind = RUN_FRAME_RESULT;
  if (status != LUA_OK) {
    kind = status == LUA_ERRMEM ? RUN_FRAME_LAST : RUN_FRAME_ERROR;
    size_t length = 0;
    const char *message = lua_tolstring(c->L, -1, &length);
    c->frame.length = RUN_FRAME_HEAD;
    if (message == NULL || !run_bytes_add(&c->frame, message, length)) kind = RUN_FRAME_LAST;
    lua_pop(c->L, 1);
  }
  c->frame.data[0] = kind;
  run_put_u64(c->frame.data + 1, index);
  run_put_u64(c->frame.data + 9, c->frame.length - RUN_FRAME_HEAD);
  run_put_u64(c->frame.data + 17, (uint64_t)(1e9 * (run_now() - start)));
  return &c->frame;
}

static int generation = 0; /* of workers: 0 in the process that was started */

static void serve(void *context, int in, int out) {
  computation *c = context;
  uint64_t index;
  generation++;
  if (!run_bytes_reserve(&c->frame, 4096)) _exit(1); /* room for a message when memory is gone */
  while (read_task(in, &index)) {
    const run_bytes *frame = make_frame(c, index);
    fflush(NULL); /* what the replicate printed or logged */
    write_whole(out, frame->data, frame->length);
    if (frame->data[0] == RUN_FRAME_LAST) break;
  }
  _exit(0);
}

/* ---- failures ---- */

typedef struct {
  const char *name, *experiment;
  lua_Integer seed;
  bool first;
} phase_words;

/* Raises the stop that ends a run with failed replicates. */
static _Noreturn void raise_failures(lua_State *L, const run_options *options, run_phase *phase,
                                     const phase_words *words) {
  enum { SHOWN = 5 };
  const size_t n = phase->n_failures;
  run_failure *failures = phase->failures;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  char line[512], list[256];
  snprintf(line, sizeof line,
           "%zu of %llu replicates of `%.100s` in %.100s failed; the other %llu are kept in the "
           "journal",
           n, (unsigned long long)phase->n, words->name, words->experiment,
           (unsigned long long)phase->done);
  luaL_addstring(&b, line);
  run_failures_group(failures, n);
  size_t told = 0;
  for (int kinds = 0; told < n && kinds < SHOWN; kinds++) {
    const run_failure *f = failures + told;
    const size_t alike = run_failures_alike(f, n - told);
    run_failures_list(f, alike, list, sizeof list);
    snprintf(line, sizeof line, "\n\nreplicate%s %s (seed %lld): ", alike > 1 ? "s" : "", list,
             (long long)words->seed);
    luaL_addstring(&b, line);
    luaL_addstring(&b, f->message != NULL ? f->message : "not enough memory");
    luaL_addstring(&b, alike > 1 ? "\nto run just the first: " : "\nto run just this one: ");
    luaL_addstring(&b, options->line);
    snprintf(line, sizeof line, " --replicate %.100s%s%llu", words->first ? "" : words->name,
             words->first ? "" : ":", (unsigned long long)f->index);
    luaL_addstring(&b, line);
    told += alike;
  }
  if (told < n) {
    run_failures_sort(failures + told, n - told);
    run_failures_list(failures + told, n - told, list, sizeof list);
    luaL_addstring(&b, "\n\nalso failed: ");
    luaL_addstring(&b, list);
  }
  luaL_pushresult(&b);
  run_phase_free(phase);
  run_stop(L, RUN_SCRIPT_ERROR, "%s", lua_tostring(L, -1));
}

static _Noreturn void raise_interrupted(lua_State *L, const run_options *options, run_phase *phase,
                                        const char *name) {
  const unsigned long long done = phase->done - phase->n_pending, n = phase->n;
  const char *path = run_journal_path(phase->journal);
  run_signal_acknowledge();
  run_phase_free(phase);
  run_stop(L, RUN_INTERRUPTED,
           "interrupted; %llu of %llu replicates of `%s` are kept in %s\nto go on: %s", done, n,
           name, path, options->line);
}

static _Noreturn void raise_unwritten(lua_State *L, run_phase *phase, run_journal_status status) {
  const unsigned long long done = phase->done - phase->n_pending, n = phase->n;
  const run_journal *journal = phase->journal;
  run_phase_free(phase);
  run_stop(L, exit_code_of(status), "%s; %llu of %llu replicates were written before%s",
           run_journal_message(journal), done, n, advice(status));
}

/* ---- replicate(journal, spec) ---- */

static const char *string_field(lua_State *L, int table, const char *name) {
  lua_getfield(L, table, name);
  return luaL_checkstring(L, -1); /* stays on the stack */
}

/* Runs one replicate here, in this process, and stops: --replicate I. */
static _Noreturn void run_single(lua_State *L, const run_options *options, computation *c,
                                 run_phase *phase, const phase_words *words) {
  const uint64_t index = options->replicate;
  if (index > phase->n) {
    const unsigned long long n = phase->n;
    run_phase_free(phase);
    run_stop(L, RUN_USAGE, "--replicate %llu: `%s` has %llu replicates", (unsigned long long)index,
             words->name, n);
  }
  const int status = compute_record(c, index);
  if (status != LUA_OK) {
    run_phase_free(phase);
    run_stop(L, RUN_SCRIPT_ERROR, "replicate %llu of `%s` in %s (seed %lld): %s",
             (unsigned long long)index, words->name, words->experiment, (long long)words->seed,
             lua_tostring(L, -1));
  }
  run_journal_status written = run_journal_begin(phase->journal);
  if (written == RUN_JOURNAL_OK)
    written = run_journal_put(phase->journal, phase->number, index, c->frame.data, c->frame.length);
  if (written == RUN_JOURNAL_OK) written = run_journal_commit(phase->journal);
  if (written != RUN_JOURNAL_OK) raise_unwritten(L, phase, written);
  run_bytes_free(&c->value);
  run_bytes_free(&c->frame);
  run_phase_free(phase);
  run_stop(L, RUN_DONE, "replicate %llu of `%s` in %s finished and is in the journal",
           (unsigned long long)index, words->name, words->experiment);
}

static int worker_count(const run_options *options, uint64_t missing) {
  long jobs = options->jobs > 0 ? options->jobs : run_cores();
  if ((uint64_t)jobs > missing) jobs = (long)missing;
  return (int)(jobs > RUN_JOBS_MAX ? RUN_JOBS_MAX : jobs);
}

static bool singled_out(const run_options *options, const phase_words *words) {
  if (options->replicate == 0) return false;
  if (options->replicate_name == NULL) return words->first;
  return strcmp(options->replicate_name, words->name) == 0;
}

/* The specification of a phase, read from the table at 2; its strings stay on the stack. */
typedef struct {
  phase_words words;
  const char *description, *count;
  uint64_t n;
  bool quiet;
  uint8_t key[RUN_SHA256_SIZE];
} specification;

static specification read_specification(lua_State *L, computation *c) {
  luaL_checkstack(L, 2 * LUA_MINSTACK, "E:replicate");
  specification s = {
      .words = {.name = string_field(L, 2, "name"), .experiment = string_field(L, 2, "experiment")},
      .description = string_field(L, 2, "description"),
      .count = string_field(L, 2, "count")};
  lua_getfield(L, 2, "n");
  s.n = (uint64_t)luaL_checkinteger(L, -1);
  lua_getfield(L, 2, "seed");
  s.words.seed = luaL_checkinteger(L, -1);
  lua_getfield(L, 2, "first");
  s.words.first = lua_toboolean(L, -1);
  lua_getfield(L, 2, "quiet");
  s.quiet = lua_toboolean(L, -1);
  lua_getfield(L, 2, "one");
  lua_getfield(L, 2, "inputs");
  *c = (computation){.L = L, .one = lua_gettop(L) - 1, .inputs = lua_gettop(L)};
  luaL_checktype(L, c->one, LUA_TFUNCTION);
  luaL_checktype(L, c->inputs, LUA_TFUNCTION);
  run_sha256_of(s.description, strlen(s.description), s.key);
  return s;
}

/* Computes what is missing, here or on the other ranks; raises what goes wrong. *idle tells whether
 * no rank computes any more. */
static void complete(lua_State *L, const run_options *options, run_phase *phase, computation *c,
                     const specification *s, bool *idle) {
  run_journal_status status = RUN_JOURNAL_OK;
  run_outcome outcome = RUN_PHASE_DONE;
  *idle = false;
  if (run_mpi_size() > 1) {
    outcome = run_mpi_coordinate(phase, options->timeout, &status);
  } else if (phase->done < s->n) {
    const run_pool_options pool = {.serve = serve,
                                   .context = c,
                                   .jobs = worker_count(options, s->n - phase->done),
                                   .timeout = options->timeout};
    outcome = run_pool_run(phase, &pool, &status);
  }
  if (outcome == RUN_PHASE_INTERRUPTED) raise_interrupted(L, options, phase, s->words.name);
  if (outcome == RUN_PHASE_UNWRITTEN) raise_unwritten(L, phase, status);
  if (outcome == RUN_PHASE_OVERDUE) raise_interrupted(L, options, phase, s->words.name);
  if (outcome == RUN_PHASE_NO_WORKER) {
    run_phase_free(phase);
    run_stop(L, RUN_INTERRUPTED, "no worker process could be started: %s", strerror(errno));
  }
  *idle = true;
  if (phase->n_failures > 0) raise_failures(L, options, phase, &s->words);
}

/* replicate(journal, spec) on the rank that keeps the journal; pushes the store. */
static int replicate_here(lua_State *L) {
  const run_options *options = options_of(L);
  bool *idle = lua_touserdata(L, 3);
  journal_box *box = luaL_checkudata(L, 1, JOURNAL);
  luaL_checktype(L, 2, LUA_TTABLE);
  computation c;
  specification s = read_specification(L, &c);
  c.key = s.key;
  if (!run_mpi_meet(s.key, s.n))
    run_stop(L, RUN_SCRIPT_ERROR,
             "the ranks disagree about `%s` in %s: the script or what it reads is not the same on "
             "all of them",
             s.words.name, s.words.experiment);
  run_phase phase;
  run_journal *journal = connection(L, box);
  /* Experiments may run side by side: each line says whose it is. The string stays on the stack. */
  const char *label = lua_pushfstring(L, "%s %s", s.words.experiment, s.words.name);
  const run_journal_status status =
      run_phase_open(&phase, journal, s.key, s.description, s.count, s.n, label, s.quiet);
  if (status != RUN_JOURNAL_OK) {
    run_phase_free(&phase);
    raise_journal(L, journal, status);
  }
  notify(journal, options);
  if (singled_out(options, &s.words)) run_single(L, options, &c, &phase, &s.words);
  complete(L, options, &phase, &c, &s, idle);
  run_phase_free(&phase);
  push_store(L, 1, s.key, s.n);
  return 1;
}

/* ---- over ranks ---- */

typedef struct {
  run_bytes block;
  bool failed;
} sending;

static bool send_row(void *context, const run_record *record) {
  sending *s = context;
  const size_t before = s->block.length;
  s->failed = !run_bytes_add_u64(&s->block, 0) || !run_record_make(record, &s->block);
  if (s->failed) return false;
  run_put_u64(s->block.data + before, s->block.length - before - 8);
  if (s->block.length >= BLOCK_BYTES) {
    run_mpi_send_block(s->block.data, s->block.length);
    s->block.length = 0;
  }
  return true;
}

/* Sends all results to all ranks: the script goes on everywhere. */
static void send_rows(lua_State *L, run_journal *journal, const store_box *store) {
  sending s = {.failed = false};
  int64_t phase = 0;
  run_journal_status status = run_journal_phase(journal, store->key, "", false, &phase);
  if (status == RUN_JOURNAL_OK && store->n > 0)
    status = run_journal_scan(journal, phase, 1, store->n, send_row, &s);
  if (status == RUN_JOURNAL_OK && !s.failed && s.block.length > 0)
    run_mpi_send_block(s.block.data, s.block.length);
  run_bytes_free(&s.block);
  if (s.failed) luaL_error(L, "not enough memory");
  if (status != RUN_JOURNAL_OK) raise_journal(L, journal, status);
  run_mpi_send_block(NULL, 0);
}

/* The keeper's part: whatever comes of the phase, the others are told. */
static int replicate_as_keeper(lua_State *L) {
  bool idle = true;
  lua_settop(L, 2);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushcclosure(L, replicate_here, 1);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_pushlightuserdata(L, &idle);
  const int status = lua_pcall(L, 3, 1, 0);
  if (status != LUA_OK) {
    const bool is_stop = lua_istable(L, -1) && lua_getfield(L, -1, "exit_code") == LUA_TNUMBER;
    if (is_stop && idle) {
      run_mpi_dismiss((int)lua_tointeger(L, -1), true);
      run_mpi_agreed();
    }
    if (is_stop) lua_pop(L, 1);
    return lua_error(L);
  }
  run_mpi_dismiss(RUN_DONE, false);
  send_rows(L, connection(L, luaL_checkudata(L, 1, JOURNAL)), luaL_checkudata(L, -1, STORE));
  return 1;
}

/* Puts the records of a block into the temporary journal. */
static run_journal_status keep_block(run_journal *journal, int64_t phase, const run_bytes *block) {
  run_journal_status status = run_journal_begin(journal);
  for (size_t at = 0; status == RUN_JOURNAL_OK && at < block->length;) {
    const size_t length = (size_t)run_get_u64(block->data + at);
    const uint8_t *record = block->data + at + 8;
    status = run_journal_put(journal, phase, run_get_u64(record + 48), record, length);
    at += 8 + length;
  }
  return status == RUN_JOURNAL_OK ? run_journal_commit(journal) : status;
}

/* The part of every other rank. */
static int replicate_as_worker(lua_State *L) {
  journal_box *box = luaL_checkudata(L, 1, JOURNAL);
  luaL_checktype(L, 2, LUA_TTABLE);
  computation c;
  const specification s = read_specification(L, &c);
  c.key = s.key;
  c.watch = options_of(L)->timeout;
  bool stop = false;
  int code = RUN_DONE;
  run_mpi_work(s.key, s.n, make_frame, &c, &stop, &code);
  run_bytes_free(&c.value);
  run_bytes_free(&c.frame);
  if (stop) {
    run_mpi_agreed();
    run_stop(L, code, "%s", "");
  }
  int64_t phase = 0;
  run_journal *journal = connection(L, box);
  run_journal_status status = run_journal_phase(journal, s.key, s.description, true, &phase);
  run_bytes block = {0};
  while (status == RUN_JOURNAL_OK && run_mpi_take_block(&block))
    status = keep_block(journal, phase, &block);
  run_bytes_free(&block);
  if (status != RUN_JOURNAL_OK) raise_journal(L, journal, status);
  push_store(L, 1, s.key, s.n);
  return 1;
}

/* replicate(journal, spec) -> store. A worker starts no workers, except that a point of a sweep, a
 * worker of the sweep, has its own. */
static int replicate(lua_State *L) {
  if (generation > (options_of(L)->command == RUN_COMMAND_POINT ? 1 : 0))
    return luaL_error(L, "replicates are not started inside a replicate");
  if (run_mpi_rank() > 0) return replicate_as_worker(L);
  if (run_mpi_size() > 1) return replicate_as_keeper(L);
  bool idle = true;
  lua_settop(L, 2);
  lua_pushlightuserdata(L, &idle);
  return replicate_here(L);
}

/* ---- the rest ---- */

static int digest(lua_State *L) {
  uint8_t sum[RUN_SHA256_SIZE];
  char hex[2 * RUN_SHA256_SIZE + 1], absolute[PATH_MAX];
  const char *path = luaL_checkstring(L, 1);
  if (!run_sandbox_allows(path, RUN_MODULE) || !run_sha256_file(path, sum) ||
      realpath(path, absolute) == NULL)
    return 0;
  run_sha256_hex(sum, hex);
  lua_pushstring(L, hex);
  lua_pushstring(L, absolute);
  return 2;
}

static int sha256(lua_State *L) {
  size_t length = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  uint8_t sum[RUN_SHA256_SIZE];
  char hex[2 * RUN_SHA256_SIZE + 1];
  run_sha256_of(text, length, sum);
  run_sha256_hex(sum, hex);
  lua_pushstring(L, hex);
  return 1;
}

static int pack_inner(lua_State *L) {
  run_pack(L, 2, lua_touserdata(L, 1));
  return 0;
}

static int pack(lua_State *L) {
  luaL_checkany(L, 1);
  run_bytes bytes = {0};
  lua_settop(L, 1);
  lua_pushcfunction(L, pack_inner);
  lua_pushlightuserdata(L, &bytes);
  lua_pushvalue(L, 1);
  const int status = lua_pcall(L, 2, 0, 0);
  if (status != LUA_OK) {
    run_bytes_free(&bytes);
    return lua_error(L);
  }
  lua_pushlstring(L, (const char *)bytes.data, bytes.length);
  run_bytes_free(&bytes);
  return 1;
}

static int unpack(lua_State *L) {
  size_t length = 0;
  const char *bytes = luaL_checklstring(L, 1, &length);
  return push_value(L, (const uint8_t *)bytes, length, 2);
}

static void make_class(lua_State *L, const char *name, const luaL_Reg *metamethods,
                       const luaL_Reg *methods) {
  luaL_newmetatable(L, name);
  luaL_setfuncs(L, metamethods, 0);
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

void run_engine_register(lua_State *L, const run_options *options) {
  static const luaL_Reg journal_meta[] = {
      {"__gc", close_journal}, {"__close", close_journal}, {NULL, NULL}};
  static const luaL_Reg journal_methods[] = {{"close", close_journal}, {NULL, NULL}};
  static const luaL_Reg store_meta[] = {
      {"__gc", free_store}, {"__len", store_length}, {NULL, NULL}};
  static const luaL_Reg store_methods[] = {{"get", get_result}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"journal", open_journal},
                                       {"replicate", replicate},
                                       {"digest", digest},
                                       {"sha256", sha256},
                                       {"pack", pack},
                                       {"unpack", unpack},
                                       {NULL, NULL}};
  make_class(L, JOURNAL, journal_meta, journal_methods);
  make_class(L, STORE, store_meta, store_methods);
  lua_pushlightuserdata(L, (void *)options);
  luaL_setfuncs(L, functions, 1);
}
