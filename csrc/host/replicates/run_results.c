/* run_results: the results of a phase, read from the journal on demand, a block at a time, so that
 * a million replicates need no more memory than a hundred. */
#include "run_results.h"

#include "lves_json.h"
#include "run_stop.h"
#include <lauxlib.h>
#include <string.h>

#define RESULTS     "vesicle.results"
#define BLOCK_BYTES (1 << 20)

typedef struct {
  run_journals_entry *journal;
  char key[RUN_KEY_SIZE];
  uint64_t n;
  uint64_t from, until; /* the replicates of the block: the first, and one past the last */
  lves_buffer texts;    /* their results */
  lves_buffer starts;   /* size_t: where each begins in texts, and where the next would */
  bool failed;          /* out of memory */
} results_box;

static int free_results(lua_State *L) {
  results_box *results = luaL_checkudata(L, 1, RESULTS);
  lves_buffer_free(&results->texts);
  lves_buffer_free(&results->starts);
  results->from = results->until = 0;
  return 0;
}

static bool keep_row(void *context, const run_row *row, bool good) {
  results_box *results = context;
  if (!good || row->number != results->until) return false; /* a gap: the block ends before it */
  results->failed =
      !lves_buffer_add(&results->texts, row->result, row->result_length) ||
      !lves_buffer_add(&results->starts, &results->texts.length, sizeof results->texts.length);
  if (results->failed) return false;
  results->until++;
  return results->texts.length < BLOCK_BYTES;
}

static void load_block(lua_State *L, results_box *results, uint64_t number) {
  run_journal *journal = run_journals_connection(L, results->journal);
  int64_t phase = 0;
  results->texts.length = results->starts.length = 0;
  results->from = results->until = number;
  results->failed =
      !lves_buffer_add(&results->starts, &results->texts.length, sizeof results->texts.length);
  run_journal_status status = run_journal_phase(journal, results->key, NULL, NULL, &phase);
  if (status == RUN_JOURNAL_OK && !results->failed)
    status = run_journal_scan(journal, phase, NULL, number, results->n, keep_row, results);
  if (results->failed) luaL_error(L, "not enough memory");
  if (status != RUN_JOURNAL_OK && status != RUN_JOURNAL_ABSENT)
    run_journals_raise(L, journal, status);
  if (results->until == number)
    run_stop(L, RUN_INTERRUPTED,
             "replicate %llu has vanished from the journal %s while it was in use: run the same "
             "command again",
             (unsigned long long)number, run_journal_path(journal));
}

/* results:get(i, field) */
static int get(lua_State *L) {
  results_box *results = luaL_checkudata(L, 1, RESULTS);
  const lua_Integer i = luaL_checkinteger(L, 2);
  size_t named = 0, bounds[2];
  const char *field = luaL_optlstring(L, 3, NULL, &named);
  luaL_argcheck(L, i >= 1 && (uint64_t)i <= results->n, 2, "no such replicate");
  const uint64_t number = (uint64_t)i;
  if (number < results->from || number >= results->until) load_block(L, results, number);
  memcpy(bounds, results->starts.data + (number - results->from) * sizeof *bounds, sizeof bounds);
  const size_t length = bounds[1] - bounds[0];
  /* A copy: making the value may run a finalizer, and that may read another block. */
  const char *text = lua_pushlstring(L, results->texts.data + bounds[0], length);
  if (field == NULL)
    lves_json_read(L, text, length);
  else if (strlen(field) != named || !lves_json_read_field(L, text, length, field))
    lua_pushnil(L);
  return 1;
}

/* results:inputs() -> an array of the different lists of inputs that the replicates noted. */
static int inputs(lua_State *L) {
  static const char sql[] = "SELECT DISTINCT inputs FROM replicate WHERE phase = ?1 AND "
                            "number BETWEEN 1 AND ?2 AND inputs <> ''";
  const results_box *results = luaL_checkudata(L, 1, RESULTS);
  run_journal *journal = run_journals_connection(L, results->journal);
  sqlite3_stmt *statement = NULL;
  int64_t phase = 0;
  lua_newtable(L);
  run_journal_status status = run_journal_phase(journal, results->key, NULL, NULL, &phase);
  if (status == RUN_JOURNAL_ABSENT) return 1;
  int code = sqlite3_prepare_v2(run_journal_database(journal), sql, -1, &statement, NULL);
  sqlite3_bind_int64(statement, 1, phase);
  sqlite3_bind_int64(statement, 2, (int64_t)results->n);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    lua_pushstring(L, (const char *)sqlite3_column_text(statement, 0));
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    code = SQLITE_OK;
  }
  if (status == RUN_JOURNAL_OK) status = run_journal_status_of(journal, code);
  sqlite3_finalize(statement);
  if (status != RUN_JOURNAL_OK) run_journals_raise(L, journal, status);
  return 1;
}

void run_results_push(lua_State *L, run_journals_entry *journal, const char *key, uint64_t n) {
  results_box *results = lua_newuserdatauv(L, sizeof *results, 0);
  *results = (results_box){.journal = journal, .n = n};
  memcpy(results->key, key, RUN_KEY_SIZE);
  luaL_setmetatable(L, RESULTS);
}

void run_results_register(lua_State *L) {
  static const luaL_Reg metamethods[] = {{"__gc", free_results}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"get", get}, {"inputs", inputs}, {NULL, NULL}};
  luaL_newmetatable(L, RESULTS);
  luaL_setfuncs(L, metamethods, 0);
  luaL_newlib(L, methods);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
