/* run_mpi: one run over the ranks of an MPI job.
 *
 * Rank 0 and the workers exchange four kinds of messages: a worker's hello (its key of the phase
 * and its n: whether all ranks do the same), tasks one way, answers the other, and a dismissal.
 * Waiting is done by probing and sleeping, so that a rank that waits leaves its core to one that
 * computes.
 *
 * A sandboxed script runs behind a fence (run_fence) that closes after MPI_Init. What MPI does later
 * by default and the fence refuses is seen to before: each rank exchanges a byte with each other, so
 * that all connections are made and all shared memory is attached; messages between ranks of one
 * machine are copied through that memory, not read out of the other process; and its files, as those
 * in which a rank keeps results for a while, lie in directories of its own. The names of these
 * settings are Open MPI's; others do not mind. */
#define _GNU_SOURCE /* mkdtemp; NOLINT(bugprone-reserved-identifier) */
#include "run_mpi.h"

#include "run_options.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The size of the job a launcher has put this process in, as far as it says so; 1 if none. */
static long launched_size(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                      "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const char *value = getenv(names[i]);
    if (value != NULL) return strtol(value, NULL, 10);
  }
  return 1;
}

#ifdef VES_MPI

#include "run_queue.h"
#include "run_signal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { TAG_HELLO = 1, TAG_TASK, TAG_ANSWER, TAG_DISMISS };

#define MESSAGE_MAX (1 << 30)

static int rank = 0, size = 1;
static bool joined = false, agreed = false;

int run_mpi_rank(void) { return rank; }
int run_mpi_size(void) { return size; }
void run_mpi_agreed(void) { agreed = true; }

static bool is_launched(void) { return launched_size() > 1 || getenv("PMIX_RANK") != NULL; }

/* ---- directories of its own ---- */

static char made[2][PATH_MAX];           /* for shared memory, and for SQLite */
static const char *directories[3] = {0}; /* those that were made */

const char *const *run_mpi_directories(void) { return directories; }

/* Removes what runs left behind that were killed: empty directories of processes that are gone. */
static void remove_abandoned(const char *parent, const char *beginning) {
  DIR *entries = opendir(parent);
  if (entries == NULL) return;
  const size_t length = strlen(beginning);
  for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
    if (strncmp(entry->d_name, beginning, length) != 0) continue;
    const long pid = strtol(entry->d_name + length, NULL, 10);
    if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH)
      unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
  }
  closedir(entries);
}

/* Makes a directory in the first of these where it can, and keeps it as number i. */
static void make_directory(int i, const char *const *parents) {
  static const char beginning[] = "vesicle-rank-";
  for (; *parents != NULL; parents++) {
    const int length =
        snprintf(made[i], sizeof made[i], "%s/%s%ld-XXXXXX", *parents, beginning, (long)getpid());
    if (length < 0 || length >= (int)sizeof made[i] || mkdtemp(made[i]) == NULL) continue;
    remove_abandoned(*parents, beginning);
    directories[i] = made[i];
    return;
  }
}

void run_mpi_prepare(void) {
  const char *chosen = getenv("TMPDIR");
  if (chosen == NULL || chosen[0] != '/') chosen = "/var/tmp";
  if (!is_launched()) return;
  make_directory(0, (const char *const[]){"/dev/shm", chosen, "/tmp", NULL});
  if (directories[0] == NULL) return;
  make_directory(1, (const char *const[]){chosen, "/tmp", NULL});
  setenv("OMPI_MCA_btl_vader_backing_directory", made[0], 1); /* Open MPI 4 */
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
  setenv("OMPI_MCA_btl_sm_backing_directory", made[0], 1); /* Open MPI 5 */
  setenv("OMPI_MCA_smsc", "^cma", 1);
  if (directories[1] != NULL) setenv("SQLITE_TMPDIR", made[1], 1);
}

void run_mpi_tidy(void) {
  for (size_t i = 0; directories[i] != NULL; i++) {
    DIR *entries = opendir(directories[i]);
    if (entries == NULL) continue;
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
      unlinkat(dirfd(entries), entry->d_name, 0);
    closedir(entries);
    rmdir(directories[i]);
  }
}

/* ---- joining and leaving ---- */

/* Every rank exchanges a byte with every other. */
static void find_each_other(void) {
  for (int step = 1; step < size; step++) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    char sent = 0, received = 0;
    MPI_Sendrecv(&sent, 1, MPI_BYTE, to, 0, &received, 1, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int run_mpi_start(void) {
  if (!is_launched()) return RUN_DONE;
  MPI_Init(NULL, NULL);
  joined = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  find_each_other();
  if (rank > 0) { /* the script prints on rank 0 alone; a signal is rank 0's business */
    if (freopen("/dev/null", "w", stdout) == NULL) MPI_Abort(MPI_COMM_WORLD, RUN_SCRIPT_ERROR);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGUSR1, SIG_IGN); /* what a supervisor makes of them */
  }
  return RUN_DONE;
}

void run_mpi_leave(int code) {
  if (!joined) return;
  if (code != RUN_DONE && !agreed) {
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  MPI_Finalize();
}

/* Sleeps a little, longer the longer nothing has happened; the first times not at all. */
static void doze(int *idle) {
  if (++*idle < 10) return;
  const long most = 1000000, ns = 5000L * *idle;
  const struct timespec nap = {.tv_nsec = ns < most ? ns : most};
  nanosleep(&nap, NULL);
}

static void send_bytes(const void *bytes, size_t length, int to, int tag) {
  MPI_Send(bytes, (int)length, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static void broadcast(int root, void *bytes, size_t length) {
  char *at = bytes;
  while (length > 0) {
    const size_t part = length < MESSAGE_MAX ? length : MESSAGE_MAX;
    MPI_Bcast(at, (int)part, MPI_BYTE, root, MPI_COMM_WORLD);
    at += part;
    length -= part;
  }
}

/* Waits for a message from `from` with any tag; returns its length. */
static size_t await_message(int from, MPI_Status *status) {
  int there = 0, length = 0;
  for (int idle = 0;;) {
    MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, status);
    if (there) break;
    doze(&idle);
  }
  MPI_Get_count(status, MPI_BYTE, &length);
  return (size_t)length;
}

/* ---- rank 0 ---- */

/* What a rank says at the beginning of a phase. */
typedef struct {
  char key[RUN_KEY_SIZE];
  uint64_t n;
} hello;

static hello make_hello(const run_phase_spec *spec) {
  hello h;
  memset(&h, 0, sizeof h); /* the bytes between its members too */
  memcpy(h.key, spec->key, sizeof h.key);
  h.n = spec->n;
  return h;
}

static bool meet(const run_phase_spec *spec) {
  const hello mine = make_hello(spec);
  hello theirs;
  bool same = true;
  for (int other = 1; other < size; other++) {
    MPI_Status status;
    await_message(other, &status);
    MPI_Recv(&theirs, sizeof theirs, MPI_BYTE, other, TAG_HELLO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    same = same && memcmp(&mine, &theirs, sizeof mine) == 0;
  }
  return same;
}

static void dismiss(int code, bool stop) {
  const uint64_t message[2] = {stop, (uint64_t)code};
  for (int other = 1; other < size; other++)
    send_bytes(message, sizeof message, other, TAG_DISMISS);
}

typedef struct {
  run_phase *phase;
  run_queue *queues; /* one per rank; that of rank 0 stays empty */
  run_pace pace;
  lves_buffer input;
  bool out_of_memory;
} coordination;

/* Hands out tasks, round by round: everybody gets a first one first. Says whether anybody has one.
 */
static bool feed(coordination *c, bool more) {
  const size_t wanted = run_pace_ahead(&c->pace, c->phase);
  bool working = false;
  for (size_t held = 0; held < wanted; held++)
    for (int other = 1; other < size; other++) {
      uint64_t number;
      working = working || c->queues[other].count > 0;
      if (!more || c->queues[other].count > held) continue;
      more = run_phase_next(c->phase, &number);
      if (!more) continue;
      run_queue_push(&c->queues[other], number);
      send_bytes(&number, sizeof number, other, TAG_TASK);
      working = true;
    }
  return working;
}

/* Takes an answer, if there is one. */
static bool take_answer(coordination *c) {
  int there = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &there, &status);
  if (!there) return false;
  MPI_Get_count(&status, MPI_BYTE, &length);
  if (!lves_buffer_reserve(&c->input, (size_t)length)) {
    c->out_of_memory = true;
    return false;
  }
  MPI_Recv(c->input.data, length, MPI_BYTE, status.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  run_answer answer;
  if (run_answer_read(c->input.data, (size_t)length, &answer) == 0) return false;
  run_queue_pop(&c->queues[status.MPI_SOURCE]);
  run_pace_note(&c->pace, answer.seconds);
  c->out_of_memory = c->out_of_memory || !run_phase_take(c->phase, &answer);
  return true;
}

static run_outcome loop(coordination *c, run_journal_status *status) {
  for (int idle = 0;;) {
    const bool stopped = run_signal_pending() != 0;
    bool news = false;
    while (take_answer(c)) news = true;
    const bool working = feed(c, !stopped);
    *status = run_phase_commit(c->phase);
    if (*status != RUN_JOURNAL_OK) return RUN_PHASE_UNWRITTEN;
    run_progress_show(&c->phase->progress, c->phase->done);
    if (stopped) return RUN_PHASE_INTERRUPTED;
    if (c->out_of_memory) return RUN_PHASE_NO_WORKER;
    if (!working) return RUN_PHASE_DONE;
    if (news)
      idle = 0;
    else
      doze(&idle);
  }
}

static run_outcome coordinate(run_phase *phase, run_journal_status *status) {
  coordination c = {.phase = phase, .pace = {.workers = size - 1}};
  c.queues = calloc((size_t)size, sizeof *c.queues);
  const run_outcome outcome = c.queues != NULL ? loop(&c, status) : RUN_PHASE_NO_WORKER;
  run_progress_end(&phase->progress, phase->done);
  free(c.queues);
  lves_buffer_free(&c.input);
  return outcome;
}

/* ---- the others ---- */

static void work(const run_phase_spec *spec, run_compute compute, void *context, bool *stop,
                 int *code) {
  const hello mine = make_hello(spec);
  uint64_t message[2];
  send_bytes(&mine, sizeof mine, 0, TAG_HELLO);
  for (;;) {
    MPI_Status status;
    const size_t length = await_message(0, &status);
    MPI_Recv(message, (int)length, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == TAG_DISMISS) break;
    const lves_buffer *answer = compute(context, message[0]);
    send_bytes(answer->data, answer->length, 0, TAG_ANSWER);
  }
  *stop = message[0] != 0;
  *code = (int)message[1];
}

static const run_mpi_calls calls = {meet, coordinate, dismiss, work, broadcast};
const run_mpi_calls *const run_mpi = &calls;

#else

const run_mpi_calls *const run_mpi = NULL;
int run_mpi_rank(void) { return 0; }
int run_mpi_size(void) { return 1; }
void run_mpi_agreed(void) {}
void run_mpi_leave(int code) { (void)code; }
void run_mpi_prepare(void) {}
const char *const *run_mpi_directories(void) {
  static const char *const none[] = {NULL};
  return none;
}
void run_mpi_tidy(void) {}

int run_mpi_start(void) {
  if (launched_size() <= 1) return RUN_DONE;
  fprintf(stderr,
          "vesicle: started by mpirun, but built without MPI: build it with 'make MPI=1'\n");
  return RUN_USAGE;
}

#endif
