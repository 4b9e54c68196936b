/* run_worker: the process that computes replicates. */
#include "run_worker.h"

#include "lves_json.h"
#include "run_noted.h"
#include "run_progress.h"
#include "run_signal.h"
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define RESULT_MAX 900000000 /* SQLite's limit for one row is 10^9 bytes */

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

/* Called as a function: (worker, number, one, inputs); returns the list of inputs. */
static int compute(lua_State *L) {
  run_worker *w = lua_touserdata(L, 1);
  lua_pushvalue(L, 3);
  lua_pushvalue(L, 2);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1))
    luaL_error(L, "run returned nothing (results must be returned: what a replicate assigns "
                  "elsewhere is lost with its worker)");
  w->result.length = 0;
  lves_json_write(L, -1, "the result", &w->result);
  lua_pushvalue(L, 4);
  lua_call(L, 0, 1);
  luaL_checkstring(L, -1);
  run_noted_join(L, w->noted);
  if (w->result.length + lua_rawlen(L, -1) > RESULT_MAX)
    luaL_error(L, "the result takes %I bytes, more than the %I that the journal holds",
               (LUAI_UACINT)w->result.length, (LUAI_UACINT)RESULT_MAX);
  return 1;
}

int run_worker_compute(run_worker *w, uint64_t number) {
  lua_State *L = w->L;
  const double start = run_now();
  lua_pushcfunction(L, add_traceback);
  const int handler = lua_gettop(L);
  lua_pushcfunction(L, compute);
  lua_pushlightuserdata(L, w);
  lua_pushinteger(L, (lua_Integer)number);
  lua_pushvalue(L, w->one);
  lua_pushvalue(L, w->inputs);
  if (w->watch > 0) run_signal_watch(w->watch);
  int status = lua_pcall(L, 4, 1, handler);
  if (w->watch > 0) run_signal_watch(0);
  lua_remove(L, handler);
  if (status != LUA_OK) return status;
  run_answer answer = {
      .kind = RUN_ANSWER_RESULT,
      .seconds = run_now() - start,
      .row = {.number = number, .result = w->result.data, .result_length = w->result.length}};
  answer.row.inputs = lua_tolstring(L, -1, &answer.row.inputs_length);
  w->answer.length = 0;
  if (!run_answer_add(&answer, &w->answer)) {
    lua_pushliteral(L, "not enough memory");
    lua_replace(L, -2);
    return LUA_ERRMEM;
  }
  lua_pop(L, 1);
  return LUA_OK;
}

const lves_buffer *run_worker_answer(void *context, uint64_t number) {
  run_worker *w = context;
  const int status = run_worker_compute(w, number);
  if (status == LUA_OK) return &w->answer;
  run_answer answer = {.kind = status == LUA_ERRMEM ? RUN_ANSWER_LAST : RUN_ANSWER_ERROR,
                       .row = {.number = number, .inputs = ""}};
  answer.row.result = lua_tolstring(w->L, -1, &answer.row.result_length);
  w->answer.length = 0;
  if (answer.row.result == NULL || !run_answer_add(&answer, &w->answer)) {
    answer.kind = RUN_ANSWER_LAST;
    answer.row.result = "not enough memory";
    answer.row.result_length = strlen(answer.row.result);
    run_answer_add(&answer, &w->answer); /* there is room (run_worker_serve) */
  }
  lua_pop(w->L, 1);
  return &w->answer;
}

/* ---- over pipes ---- */

static int generation = 0;

int run_worker_generation(void) { return generation; }
void run_worker_enter(void) { generation++; }
void run_worker_leave(void) { generation--; }

void run_worker_serve(void *context, int in, int out) {
  run_worker *w = context;
  FILE *tasks = fdopen(in, "rb"), *answers = fdopen(out, "wb");
  run_answer answer = {.kind = RUN_ANSWER_RESULT};
  uint64_t number;
  run_worker_enter();
  /* With room for a message when memory is gone. */
  if (tasks == NULL || answers == NULL || !lves_buffer_reserve(&w->answer, 4096)) _exit(1);
  while (answer.kind != RUN_ANSWER_LAST && fread(&number, sizeof number, 1, tasks) == 1) {
    const lves_buffer *bytes = run_worker_answer(w, number);
    run_answer_read(bytes->data, bytes->length, &answer);
    if (fwrite(bytes->data, bytes->length, 1, answers) != 1) break;
    if (fflush(answers) != 0) break; /* the parent is gone */
    fflush(NULL);                    /* what the replicate printed or logged */
  }
  _exit(0);
}

void run_worker_free(run_worker *worker) {
  lves_buffer_free(&worker->result);
  lves_buffer_free(&worker->answer);
}
