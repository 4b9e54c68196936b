/* run_mpi: one run over the ranks of an MPI job.
 *
 * Rank 0 and the workers exchange four kinds of messages: a worker's hello (its key of the phase
 * and its n: whether all ranks do the same), tasks one way, answers the other, and a dismissal.
 * Waiting is done by probing and sleeping, so that a rank that waits leaves its core to one that
 * computes. */
#include "run_mpi.h"

#include "run_options.h"
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
#include <mpi.h>
#include <time.h>
#include <unistd.h>

enum { TAG_HELLO = 1, TAG_TASK, TAG_ANSWER, TAG_DISMISS };

#define MESSAGE_MAX  (1 << 30)
#define POST_BYTES   (1 << 18)
#define POST_SECONDS 0.002

static int rank = 0, size = 1;
static bool joined = false, agreed = false;

int run_mpi_rank(void) { return rank; }
int run_mpi_size(void) { return size; }
void run_mpi_agreed(void) { agreed = true; }

int run_mpi_start(void) {
  if (launched_size() <= 1 && getenv("PMIX_RANK") == NULL) return RUN_DONE;
  MPI_Init(NULL, NULL);
  joined = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
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
  run_queue *queues;     /* one per rank; that of rank 0 stays empty */
  lves_buffer *outgoing; /* tasks for each rank */
  run_pace pace;
  lves_buffer input;
  bool out_of_memory;
} coordination;

/* Hands out tasks, several in one message, round by round: everybody gets a first one first. */
static void feed(coordination *c) {
  const size_t wanted = run_pace_ahead(&c->pace, c->phase);
  for (int other = 1; other < size; other++) c->outgoing[other].length = 0;
  bool more = true;
  for (size_t held = 0; more && held < wanted; held++)
    for (int other = 1; more && other < size; other++) {
      uint64_t number;
      if (c->queues[other].count > held) continue;
      more = lves_buffer_reserve(&c->outgoing[other], sizeof number) &&
             run_phase_next(c->phase, &number);
      if (!more) continue;
      run_queue_push(&c->queues[other], number);
      lves_buffer_add(&c->outgoing[other], &number, sizeof number);
    }
  for (int other = 1; other < size; other++)
    if (c->outgoing[other].length > 0)
      send_bytes(c->outgoing[other].data, c->outgoing[other].length, other, TAG_TASK);
}

/* Takes a message of answers, if there is one. */
static bool take_answers(coordination *c) {
  int there = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &there, &status);
  if (!there) return false;
  MPI_Get_count(&status, MPI_BYTE, &length);
  c->input.length = 0;
  if (!lves_buffer_reserve(&c->input, (size_t)length)) {
    c->out_of_memory = true;
    return false;
  }
  MPI_Recv(c->input.data, length, MPI_BYTE, status.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  run_answer answer;
  for (size_t at = 0, part; at < (size_t)length; at += part) {
    part = run_answer_read(c->input.data + at, (size_t)length - at, &answer);
    if (part == 0) break;
    run_queue_pop(&c->queues[status.MPI_SOURCE]);
    run_pace_note(&c->pace, answer.seconds);
    c->out_of_memory = c->out_of_memory || !run_phase_take(c->phase, &answer);
  }
  return true;
}

static bool anyone_working(const coordination *c) {
  for (int other = 1; other < size; other++)
    if (c->queues[other].count > 0) return true;
  return false;
}

/* Whether a rank is so late that its own watch (run_signal) cannot have helped. */
static bool anyone_overdue(const coordination *c, double timeout) {
  if (timeout <= 0) return false;
  for (int other = 1; other < size; other++) {
    const run_queue *q = &c->queues[other];
    if (q->count > 0 && run_now() - q->started > 2 * timeout + 1) {
      const uint64_t number = q->tasks[q->first];
      fprintf(stderr,
              "vesicle: replicate %llu has been running on rank %d for more than %g s, in a call "
              "that cannot be interrupted\n",
              (unsigned long long)number, other, 2 * timeout + 1);
      return true;
    }
  }
  return false;
}

static run_outcome loop(coordination *c, double timeout, run_journal_status *status) {
  for (int idle = 0;;) {
    const bool stopped = run_signal_pending() != 0;
    bool news = false;
    while (take_answers(c)) news = true;
    if (!stopped) feed(c);
    *status = run_phase_commit(c->phase);
    if (*status != RUN_JOURNAL_OK) return RUN_PHASE_UNWRITTEN;
    run_progress_show(&c->phase->progress, c->phase->done);
    if (stopped) return RUN_PHASE_INTERRUPTED;
    if (c->out_of_memory) return RUN_PHASE_NO_WORKER;
    if (!anyone_working(c)) return RUN_PHASE_DONE;
    if (anyone_overdue(c, timeout)) return RUN_PHASE_OVERDUE;
    if (news)
      idle = 0;
    else
      doze(&idle);
  }
}

static run_outcome coordinate(run_phase *phase, double timeout, run_journal_status *status) {
  coordination c = {.phase = phase, .pace = {.workers = size - 1}};
  c.queues = calloc((size_t)size, sizeof *c.queues);
  c.outgoing = calloc((size_t)size, sizeof *c.outgoing);
  const bool ready = c.queues != NULL && c.outgoing != NULL;
  const run_outcome outcome = ready ? loop(&c, timeout, status) : RUN_PHASE_NO_WORKER;
  run_progress_end(&phase->progress, phase->done);
  for (int other = 0; ready && other < size; other++) lves_buffer_free(&c.outgoing[other]);
  free(c.queues);
  free(c.outgoing);
  lves_buffer_free(&c.input);
  return outcome;
}

/* ---- the others ---- */

/* Answers on their way to rank 0: short replicates share a message. */
typedef struct {
  lves_buffer bytes;
  double since; /* the last one was sent */
} outbox;

static _Noreturn void give_up(const char *why) {
  fprintf(stderr, "vesicle: rank %d: %s\n", rank, why);
  MPI_Abort(MPI_COMM_WORLD, RUN_SCRIPT_ERROR);
  abort(); /* MPI_Abort does not return */
}

static void post(outbox *box) {
  if (box->bytes.length > 0) send_bytes(box->bytes.data, box->bytes.length, 0, TAG_ANSWER);
  box->bytes.length = 0;
  box->since = run_now();
}

static void add_answer(outbox *box, const lves_buffer *answer) {
  if (answer->length > MESSAGE_MAX) give_up("a result is larger than a message can be");
  if (box->bytes.length + answer->length > MESSAGE_MAX) post(box);
  if (!lves_buffer_add(&box->bytes, answer->data, answer->length)) give_up("not enough memory");
  if (box->bytes.length > POST_BYTES || run_now() - box->since > POST_SECONDS) post(box);
}

static void work(const run_phase_spec *spec, run_compute compute, void *context, bool *stop,
                 int *code) {
  const hello mine = make_hello(spec);
  uint64_t tasks[RUN_AHEAD_MAX];
  send_bytes(&mine, sizeof mine, 0, TAG_HELLO);
  outbox box = {.since = run_now()};
  for (;;) {
    MPI_Status status;
    const size_t length = await_message(0, &status);
    MPI_Recv(tasks, (int)length, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == TAG_DISMISS) break;
    for (size_t k = 0; k < length / sizeof *tasks; k++)
      add_answer(&box, compute(context, tasks[k]));
    post(&box);
  }
  *stop = tasks[0] != 0;
  *code = (int)tasks[1];
  lves_buffer_free(&box.bytes);
}

static const run_mpi_calls calls = {meet, coordinate, dismiss, work, broadcast};
const run_mpi_calls *const run_mpi = &calls;

#else

const run_mpi_calls *const run_mpi = NULL;
int run_mpi_rank(void) { return 0; }
int run_mpi_size(void) { return 1; }
void run_mpi_agreed(void) {}
void run_mpi_leave(int code) { (void)code; }

int run_mpi_start(void) {
  if (launched_size() <= 1) return RUN_DONE;
  fprintf(stderr,
          "vesicle: started by mpirun, but built without MPI: build it with 'make MPI=1'\n");
  return RUN_USAGE;
}

#endif
