/* run_phase: what is done, what is next, what failed.
 *
 * A row of the journal counts as done only if its record passes its check, carries this key, and
 * every file it read while it ran (its inputs) still has the same content. */
#include "run_phase.h"

#include "run_sandbox.h"
#include <stdlib.h>
#include <string.h>

static bool is_settled(const run_phase *p, uint64_t index) {
  return (p->settled[index / 8] >> (index % 8) & 1) != 0;
}

static void set_settled(run_phase *p, uint64_t index, bool settled) {
  const uint8_t bit = (uint8_t)(1U << (index % 8));
  if (settled)
    p->settled[index / 8] |= bit;
  else
    p->settled[index / 8] &= (uint8_t)~bit;
}

/* ---- inputs ---- */

/* One line of a list of inputs: "sha256  path", or "parameter NAME = VALUE". */
static bool input_holds(const run_phase *p, const char *line, size_t length) {
  if (length > 10 && memcmp(line, "parameter ", 10) == 0)
    return strlen(p->count) == length && memcmp(p->count, line, length) == 0;
  const size_t hex_size = 2 * RUN_SHA256_SIZE;
  if (length < hex_size + 3) return false;
  char *path = strndup(line + hex_size + 2, length - hex_size - 2);
  uint8_t digest[RUN_SHA256_SIZE];
  char hex[2 * RUN_SHA256_SIZE + 1] = "";
  if (path != NULL && run_sandbox_allows(path, RUN_MODULE) && run_sha256_file(path, digest))
    run_sha256_hex(digest, hex);
  free(path);
  return memcmp(hex, line, hex_size) == 0;
}

static bool same_text(const char *text, const char *bytes, size_t length) {
  return text != NULL && strlen(text) == length && memcmp(text, bytes, length) == 0;
}

/* Whether the inputs of a row are what they were. Most rows have the same list, or none: the last
 * answers are remembered. */
static bool inputs_hold(run_phase *p, const run_record *record) {
  const char *list = record->inputs;
  const size_t length = record->inputs_length;
  if (length == 0 || same_text(p->inputs_good, list, length)) return true;
  if (same_text(p->inputs_bad, list, length)) return false;
  bool good = true;
  for (size_t at = 0; good && at < length;) {
    const char *end = memchr(list + at, '\n', length - at);
    const size_t line = end != NULL ? (size_t)(end - list) - at : length - at;
    good = line == 0 || input_holds(p, list + at, line);
    at += line + 1;
  }
  char **memory = good ? &p->inputs_good : &p->inputs_bad;
  free(*memory);
  *memory = strndup(list, length);
  return good;
}

/* ---- opening ---- */

static bool note_done(void *context, const run_record *record) {
  run_phase *p = context;
  const bool usable = memcmp(record->key, p->key, RUN_SHA256_SIZE) == 0 && record->index >= 1 &&
                      record->index <= p->n && inputs_hold(p, record);
  if (usable && !is_settled(p, record->index)) {
    set_settled(p, record->index, true);
    p->done++;
  }
  return true;
}

run_journal_status run_phase_open(run_phase *phase, run_journal *journal,
                                  const uint8_t key[RUN_SHA256_SIZE], const char *description,
                                  const char *count, uint64_t n, const char *label, bool quiet) {
  *phase =
      (run_phase){.journal = journal, .n = n, .count = count, .cursor = 1, .commit_seconds = 0.001};
  memcpy(phase->key, key, RUN_SHA256_SIZE);
  const size_t size = (size_t)(n / 8 + 1);
  phase->settled = calloc(size, 1);
  if (phase->settled == NULL) return RUN_JOURNAL_FAILED;
  run_journal_status status = RUN_JOURNAL_OK;
  for (int attempt = 0; attempt < 2; attempt++) {
    status = run_journal_phase(journal, key, description, true, &phase->number);
    if (status == RUN_JOURNAL_OK)
      status = run_journal_scan(journal, phase->number, 1, n, note_done, phase);
    if (status != RUN_JOURNAL_DAMAGED || attempt > 0) break;
    status = run_journal_repair(journal);
    if (status != RUN_JOURNAL_OK) break;
    memset(phase->settled, 0, size);
    phase->done = 0;
  }
  run_journal_changed(journal);
  if (status == RUN_JOURNAL_OK) run_progress_begin(&phase->progress, label, n, phase->done, quiet);
  return status;
}

void run_phase_free(run_phase *phase) {
  for (size_t i = 0; i < phase->n_failures; i++) free(phase->failures[i].message);
  free(phase->failures);
  free(phase->again);
  free(phase->settled);
  free(phase->inputs_good);
  free(phase->inputs_bad);
  run_bytes_free(&phase->pending);
  *phase = (run_phase){0};
}

/* ---- handing out ---- */

/* Whether another run has finished this one meanwhile. */
static bool done_elsewhere(run_phase *p, uint64_t index) {
  if (!p->shared || !run_journal_has(p->journal, p->number, index)) return false;
  const uint64_t before = p->done;
  if (run_journal_scan(p->journal, p->number, index, index, note_done, p) != RUN_JOURNAL_OK)
    return false;
  return p->done > before;
}

bool run_phase_next(run_phase *phase, uint64_t *index) {
  if (!phase->shared) phase->shared = run_journal_changed(phase->journal);
  for (;;) {
    if (phase->n_again > 0) {
      *index = phase->again[--phase->n_again];
    } else {
      while (phase->cursor <= phase->n && is_settled(phase, phase->cursor)) phase->cursor++;
      if (phase->cursor > phase->n) return false;
      *index = phase->cursor++;
    }
    if (is_settled(phase, *index) || done_elsewhere(phase, *index)) continue;
    set_settled(phase, *index, true);
    return true;
  }
}

void run_phase_return(run_phase *phase, uint64_t index) {
  set_settled(phase, index, false);
  if (phase->n_again == phase->again_capacity) {
    const size_t capacity = 2 * phase->again_capacity + 16;
    uint64_t *again = realloc(phase->again, capacity * sizeof *again);
    if (again == NULL) {
      run_phase_fail(phase, index, "not enough memory", 17);
      return;
    }
    phase->again = again;
    phase->again_capacity = capacity;
  }
  phase->again[phase->n_again++] = index;
}

uint64_t run_phase_waiting(const run_phase *phase) {
  return phase->n - phase->cursor + 1 + phase->n_again;
}

/* ---- taking back ---- */

bool run_phase_finish(run_phase *phase, const uint8_t *record, size_t length) {
  if (!run_bytes_reserve(&phase->pending, length + 8)) return false;
  run_bytes_add_u64(&phase->pending, length);
  run_bytes_add(&phase->pending, record, length);
  phase->done++;
  phase->n_pending++;
  return true;
}

void run_phase_fail(run_phase *phase, uint64_t index, const char *message, size_t length) {
  set_settled(phase, index, true);
  if (phase->n_failures == phase->failures_capacity) {
    const size_t capacity = 2 * phase->failures_capacity + 8;
    run_failure *failures = realloc(phase->failures, capacity * sizeof *failures);
    if (failures == NULL) return;
    phase->failures = failures;
    phase->failures_capacity = capacity;
  }
  phase->failures[phase->n_failures++] =
      (run_failure){.index = index, .message = strndup(message, length)};
}

run_journal_status run_phase_commit(run_phase *phase) {
  if (phase->pending.length == 0) return RUN_JOURNAL_OK;
  const double start = run_now();
  if (!phase->shared) phase->shared = run_journal_changed(phase->journal);
  run_journal_status status = run_journal_begin(phase->journal);
  for (size_t at = 0; status == RUN_JOURNAL_OK && at < phase->pending.length;) {
    const size_t length = (size_t)run_get_u64(phase->pending.data + at);
    const uint8_t *record = phase->pending.data + at + 8;
    status =
        run_journal_put(phase->journal, phase->number, run_get_u64(record + 48), record, length);
    at += 8 + length;
  }
  if (status == RUN_JOURNAL_OK) status = run_journal_commit(phase->journal);
  if (status == RUN_JOURNAL_OK) phase->pending.length = phase->n_pending = 0;
  phase->commit_seconds = 0.8 * phase->commit_seconds + 0.2 * (run_now() - start);
  return status;
}
