/* run_reduce: what the ranks of a job put together outside of replicates.
 *
 * Evidence is a sum, and its accumulators are exact (ves_evidence), so that a data file may be
 * split among ranks in any way: each sums its share, the sums are added rank by rank, and A and B
 * have the same bits for any number of ranks. */
#include "run_reduce.h"

#include "lves.h"
#include "run_mpi.h"
#include <lauxlib.h>
#include <string.h>

/* Rank `root` sends bytes to all others, if there are any. */
static void broadcast(int root, void *bytes, size_t length) {
  if (run_mpi_size() > 1) run_mpi->broadcast(root, bytes, length);
}

static int exchange(lua_State *L) {
  size_t length = 0;
  const char *mine = luaL_checklstring(L, 1, &length);
  lua_settop(L, 1);
  lua_createtable(L, run_mpi_size(), 0);
  for (int root = 0; root < run_mpi_size(); root++) {
    uint64_t theirs = length;
    broadcast(root, &theirs, sizeof theirs);
    char *text = lua_newuserdatauv(L, (size_t)theirs + 1, 0);
    if (root == run_mpi_rank()) memcpy(text, mine, length);
    broadcast(root, text, (size_t)theirs);
    lua_pushlstring(L, text, (size_t)theirs);
    lua_rawseti(L, 2, root + 1);
    lua_pop(L, 1);
  }
  return 1;
}

/* Gives every rank the sums of one of them. */
static void broadcast_evidence(int root, ves_evidence *ev) {
  uint64_t counts[] = {ev->salience, ev->rows, ev->since, ev->places};
  broadcast(root, counts, sizeof counts);
  ev->salience = counts[0];
  ev->rows = counts[1];
  ev->since = counts[2];
  ev->places = (uint32_t)counts[3];
  broadcast(root, ev->place, ev->m * sizeof *ev->place);
  broadcast(root, ev->joint, ev->places * ves_evidence_stride(ev) * sizeof *ev->joint);
  broadcast(root, ev->presence_hi, ev->m * sizeof *ev->presence_hi);
  broadcast(root, ev->presence_lo, ev->m * sizeof *ev->presence_lo);
}

static int merge(lua_State *L) {
  const char *fn = "E:observe";
  lves_network *net = luaL_checkudata(L, 1, LVES_NETWORK);
  lves_network *part = luaL_checkudata(L, 2, LVES_NETWORK);
  const size_t m = net->evidence.m, n = net->evidence.n;
  luaL_argcheck(L, !net->closed && !part->closed && part->evidence.m == m && part->evidence.n == n,
                2, "a network of the same size expected");
  ves_evidence theirs;
  ves_status status = ves_evidence_alloc(&theirs, m, n, net->evidence.rate);
  lves_check(L, fn, status);
  for (int root = 0; root < run_mpi_size(); root++) {
    ves_evidence *sum = root == run_mpi_rank() ? &part->evidence : &theirs;
    broadcast_evidence(root, sum);
    if (status == VES_OK) status = ves_evidence_merge(&net->evidence, sum);
  }
  ves_evidence_free(&theirs);
  lves_check(L, fn, status);
  return 0;
}

void run_reduce_register(lua_State *L) {
  static const luaL_Reg functions[] = {{"exchange", exchange}, {"merge", merge}, {NULL, NULL}};
  luaL_setfuncs(L, functions, 0);
}
