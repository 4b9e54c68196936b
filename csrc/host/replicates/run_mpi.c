/* run_mpi: one run over the ranks of an MPI job.
 *
 * Rank 0 and the workers exchange four kinds of messages: a worker's hello (its key of the phase
 * and its n: whether all ranks do the same), tasks one way, frames the other, and a dismissal.
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

enum { TAG_HELLO = 1, TAG_TASK, TAG_FRAME, TAG_DISMISS, TAG_BLOCK };

#define HELLO_SIZE   (RUN_SHA256_SIZE + 8)
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

void run_mpi_broadcast(int root, void *bytes, size_t length) {
  uint8_t *at = bytes;
  while (size > 1 && length > 0) {
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

bool run_mpi_meet(const uint8_t key[RUN_SHA256_SIZE], uint64_t n) {
  uint8_t mine[HELLO_SIZE], theirs[HELLO_SIZE];
  memcpy(mine, key, RUN_SHA256_SIZE);
  run_put_u64(mine + RUN_SHA256_SIZE, n);
  bool same = true;
  for (int other = 1; other < size; other++) {
    MPI_Status status;
    await_message(other, &status);
    MPI_Recv(theirs, HELLO_SIZE, MPI_BYTE, other, TAG_HELLO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    same = same && memcmp(mine, theirs, HELLO_SIZE) == 0;
  }
  return same;
}

void run_mpi_dismiss(int code, bool stop) {
  const uint8_t message[2] = {(uint8_t)stop, (uint8_t)code};
  for (int other = 1; other < size; other++) send_bytes(message, 2, other, TAG_DISMISS);
}

typedef struct {
  run_phase *phase;
  run_queue *queues;   /* one per rank; that of rank 0 stays empty */
  run_bytes *outgoing; /* tasks for each rank */
  run_pace pace;
  run_bytes input;
  bool out_of_memory;
} coordination;

/* Hands out tasks, several in one message, round by round: everybody gets a first one first. */
static void feed(coordination *c) {
  const size_t wanted = run_pace_ahead(&c->pace, c->phase);
  for (int other = 1; other < size; other++) c->outgoing[other].length = 0;
  bool more = true;
  for (size_t held = 0; more && held < wanted; held++)
    for (int other = 1; more && other < size; other++) {
      uint64_t index;
      if (c->queues[other].count > held) continue;
      more = run_bytes_reserve(&c->outgoing[other], 8) && run_phase_next(c->phase, &index);
      if (!more) continue;
      run_queue_push(&c->queues[other], index);
      run_bytes_add_u64(&c->outgoing[other], index);
    }
  for (int other = 1; other < size; other++)
    if (c->outgoing[other].length > 0)
      send_bytes(c->outgoing[other].data, c->outgoing[other].length, other, TAG_TASK);
}

static void take_one(coordination *c, int from, const uint8_t *frame, size_t length) {
  const uint8_t *body = frame + RUN_FRAME_HEAD;
  run_queue_pop(&c->queues[from]);
  run_pace_note(&c->pace, 1e-9 * (double)run_get_u64(frame + 17));
  if (frame[0] == RUN_FRAME_RESULT)
    c->out_of_memory = c->out_of_memory || !run_phase_finish(c->phase, body, length);
  else
    run_phase_fail(c->phase, run_get_u64(frame + 1), (const char *)body, length);
}

/* Takes a message of frames, if there is one. */
static bool take_frames(coordination *c) {
  int there = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, TAG_FRAME, MPI_COMM_WORLD, &there, &status);
  if (!there) return false;
  MPI_Get_count(&status, MPI_BYTE, &length);
  c->input.length = 0;
  if (!run_bytes_reserve(&c->input, (size_t)length)) {
    c->out_of_memory = true;
    return false;
  }
  MPI_Recv(c->input.data, length, MPI_BYTE, status.MPI_SOURCE, TAG_FRAME, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  for (size_t at = 0; at < (size_t)length;) {
    const size_t body = (size_t)run_get_u64(c->input.data + at + 9);
    take_one(c, status.MPI_SOURCE, c->input.data + at, body);
    at += RUN_FRAME_HEAD + body;
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
      const uint64_t index = q->tasks[q->first];
      fprintf(stderr,
              "vesicle: replicate %llu has been running on rank %d for more than %g s, in a call "
              "that cannot be interrupted\n",
              (unsigned long long)index, other, 2 * timeout + 1);
      return true;
    }
  }
  return false;
}

static run_outcome coordinate(coordination *c, double timeout, run_journal_status *status) {
  for (int idle = 0;;) {
    const bool stopped = run_signal_pending() != 0;
    bool news = false;
    while (take_frames(c)) news = true;
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

run_outcome run_mpi_coordinate(run_phase *phase, double timeout, run_journal_status *status) {
  coordination c = {.phase = phase, .pace = {.workers = size - 1}};
  c.queues = calloc((size_t)size, sizeof *c.queues);
  c.outgoing = calloc((size_t)size, sizeof *c.outgoing);
  const bool ready = c.queues != NULL && c.outgoing != NULL;
  const run_outcome outcome = ready ? coordinate(&c, timeout, status) : RUN_PHASE_NO_WORKER;
  run_progress_end(&phase->progress, phase->done);
  for (int other = 0; ready && other < size; other++) run_bytes_free(&c.outgoing[other]);
  free(c.queues);
  free(c.outgoing);
  run_bytes_free(&c.input);
  return outcome;
}

void run_mpi_send_block(const uint8_t *bytes, size_t length) {
  uint64_t announced = length;
  run_mpi_broadcast(0, &announced, sizeof announced);
  run_mpi_broadcast(0, (void *)bytes, length);
}

/* ---- the others ---- */

/* Frames on their way to rank 0: short replicates share a message. */
typedef struct {
  run_bytes bytes;
  double since; /* the last one was sent */
} outbox;

static _Noreturn void give_up(const char *why) {
  fprintf(stderr, "vesicle: rank %d: %s\n", rank, why);
  MPI_Abort(MPI_COMM_WORLD, RUN_SCRIPT_ERROR);
  abort(); /* MPI_Abort does not return */
}

static void post(outbox *box) {
  if (box->bytes.length > 0) send_bytes(box->bytes.data, box->bytes.length, 0, TAG_FRAME);
  box->bytes.length = 0;
  box->since = run_now();
}

static void add_frame(outbox *box, const run_bytes *frame) {
  if (frame->length > MESSAGE_MAX) give_up("a result is larger than a message can be");
  if (box->bytes.length + frame->length > MESSAGE_MAX) post(box);
  if (!run_bytes_add(&box->bytes, frame->data, frame->length)) give_up("not enough memory");
  if (box->bytes.length > POST_BYTES || run_now() - box->since > POST_SECONDS) post(box);
}

void run_mpi_work(const uint8_t key[RUN_SHA256_SIZE], uint64_t n, run_compute compute,
                  void *context, bool *stop, int *code) {
  uint8_t hello[HELLO_SIZE], tasks[8 * RUN_AHEAD_MAX];
  memcpy(hello, key, RUN_SHA256_SIZE);
  run_put_u64(hello + RUN_SHA256_SIZE, n);
  send_bytes(hello, sizeof hello, 0, TAG_HELLO);
  outbox box = {.since = run_now()};
  for (;;) {
    MPI_Status status;
    const size_t length = await_message(0, &status);
    MPI_Recv(tasks, (int)length, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (status.MPI_TAG == TAG_DISMISS) break;
    for (size_t at = 0; at < length; at += 8)
      add_frame(&box, compute(context, run_get_u64(tasks + at)));
    post(&box);
  }
  *stop = tasks[0] != 0;
  *code = tasks[1];
  run_bytes_free(&box.bytes);
}

bool run_mpi_take_block(run_bytes *bytes) {
  uint64_t announced = 0;
  run_mpi_broadcast(0, &announced, sizeof announced);
  bytes->length = 0;
  if (announced == 0) return false;
  if (!run_bytes_reserve(bytes, (size_t)announced)) {
    run_bytes_free(bytes);
    return false;
  }
  run_mpi_broadcast(0, bytes->data, (size_t)announced);
  bytes->length = (size_t)announced;
  return true;
}

#else

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

bool run_mpi_meet(const uint8_t key[RUN_SHA256_SIZE], uint64_t n) {
  (void)key;
  (void)n;
  return true;
}

run_outcome run_mpi_coordinate(run_phase *phase, double timeout, run_journal_status *status) {
  (void)phase;
  (void)timeout;
  *status = RUN_JOURNAL_OK;
  return RUN_PHASE_NO_WORKER;
}

void run_mpi_dismiss(int code, bool stop) {
  (void)code;
  (void)stop;
}

void run_mpi_send_block(const uint8_t *bytes, size_t length) {
  (void)bytes;
  (void)length;
}

void run_mpi_work(const uint8_t key[RUN_SHA256_SIZE], uint64_t n, run_compute compute,
                  void *context, bool *stop, int *code) {
  (void)key;
  (void)n;
  (void)compute;
  (void)context;
  *stop = true;
  *code = RUN_SCRIPT_ERROR;
}

bool run_mpi_take_block(run_bytes *bytes) {
  (void)bytes;
  return false;
}

void run_mpi_broadcast(int root, void *bytes, size_t length) {
  (void)root;
  (void)bytes;
  (void)length;
}

#endif
