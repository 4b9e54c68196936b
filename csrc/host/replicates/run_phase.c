/* run_phase: what is done, what is next, what failed.
 *
 * A row of the journal counts as done only if it has its checksum and every file it read while it
 * ran (its inputs) still has the same content. */
#include "run_phase.h"

#include "run_noted.h"
#include "run_sandbox.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_settled(const run_phase *p, uint64_t number) {
  return (p->settled[number / 8] >> (number % 8) & 1) != 0;
}

static void set_settled(run_phase *p, uint64_t number, bool settled) {
  const unsigned bit = 1U << (number % 8), byte = p->settled[number / 8];
  p->settled[number / 8] = (uint8_t)(settled ? byte | bit : byte & ~bit);
}

/* ---- inputs ---- */

/* One line of a list of inputs: "sha256  path", "absent path", "beside directory", "variable sha256
 * NAME" or "parameter NAME = VALUE". */
static bool input_holds(const run_phase *p, const char *line) {
  enum { HEX = RUN_KEY_SIZE - 1 };
  if (strncmp(line, "parameter ", 10) == 0) return strcmp(line, p->spec->count) == 0;
  if (strncmp(line, "beside ", 7) == 0) return run_noted_is_beside(line + 7);
  uint8_t digest[RUN_SHA256_SIZE];
  char hex[RUN_KEY_SIZE] = "";
  if (strncmp(line, "absent ", 7) == 0)
    return !run_sandbox_allows(line + 7, RUN_MODULE) || access(line + 7, F_OK) != 0;
  if (strncmp(line, "variable ", 9) == 0 && strlen(line) > 9 + HEX + 1) {
    const char *value = getenv(line + 9 + HEX + 1);
    run_sha256_of(value != NULL ? value : "", value != NULL ? strlen(value) : 0, hex);
    return memcmp(hex, line + 9, HEX) == 0;
  }
  if (strlen(line) < HEX + 3) return false;
  const char *path = line + HEX + 2;
  if (run_sandbox_allows(path, RUN_MODULE) && run_sha256_file(path, digest))
    run_sha256_hex(digest, hex);
  return memcmp(hex, line, HEX) == 0;
}

/* Whether the inputs of a row are what they were. Most rows have the same list, or none: the last
 * good one is remembered. */
static bool inputs_hold(run_phase *p, const char *inputs) {
  if (inputs[0] == '\0' || (p->inputs_good != NULL && strcmp(p->inputs_good, inputs) == 0))
    return true;
  char *copy = strdup(inputs), *rest = NULL;
  bool good = copy != NULL;
  for (char *line = good ? strtok_r(copy, "\n", &rest) : NULL; good && line != NULL;
       line = strtok_r(NULL, "\n", &rest))
    good = input_holds(p, line);
  free(copy);
  if (good) {
    free(p->inputs_good);
    p->inputs_good = strdup(inputs);
  }
  return good;
}

/* ---- opening ---- */

static bool note_done(void *context, const run_row *row, bool good) {
  run_phase *p = context;
  if (!good && p->bad++ == 0) p->first_bad = row->number;
  if (good && !is_settled(p, row->number) && inputs_hold(p, row->inputs)) {
    set_settled(p, row->number, true);
    p->done++;
  }
  return true;
}

run_journal_status run_phase_open(run_phase *phase, run_journal *journal,
                                  const run_phase_spec *spec, const char *label) {
  *phase = (run_phase){.journal = journal, .spec = spec, .cursor = 1, .commit_seconds = 0.001};
  phase->settled = calloc((size_t)(spec->n / 8 + 1), 1);
  if (phase->settled == NULL) return RUN_JOURNAL_FAILED;
  run_journal_status status =
      run_journal_phase(journal, spec->key, spec->name, spec->description, &phase->id);
  if (status == RUN_JOURNAL_OK)
    status = run_journal_scan(journal, phase->id, spec->key, 1, spec->n, note_done, phase);
  if (status != RUN_JOURNAL_OK) return status;
  if (phase->bad > 0)
    fprintf(stderr,
            "vesicle: the journal %s is damaged: %llu row%s of `%s` (replicate %llu%s) fail%s the "
            "checksum and will be computed again\n",
            run_journal_path(journal), (unsigned long long)phase->bad, phase->bad > 1 ? "s" : "",
            spec->name, (unsigned long long)phase->first_bad, phase->bad > 1 ? " the first" : "",
            phase->bad > 1 ? "" : "s");
  run_progress_begin(&phase->progress, label, spec->n, phase->done, spec->quiet);
  return status;
}

void run_phase_free(run_phase *phase) {
  for (size_t i = 0; i < phase->n_failures; i++) free(phase->failures[i].message);
  free(phase->failures);
  free(phase->settled);
  free(phase->inputs_good);
  lves_buffer_free(&phase->again);
  lves_buffer_free(&phase->pending);
  *phase = (run_phase){0};
}

/* ---- handing out ---- */

bool run_phase_next(run_phase *phase, uint64_t *number) {
  for (;;) {
    if (phase->again.length > 0) {
      phase->again.length -= sizeof *number;
      memcpy(number, phase->again.data + phase->again.length, sizeof *number);
    } else {
      while (phase->cursor <= phase->spec->n && is_settled(phase, phase->cursor)) phase->cursor++;
      if (phase->cursor > phase->spec->n) return false;
      *number = phase->cursor++;
    }
    if (is_settled(phase, *number)) continue;
    set_settled(phase, *number, true);
    return true;
  }
}

void run_phase_return(run_phase *phase, uint64_t number) {
  set_settled(phase, number, false);
  if (!lves_buffer_add(&phase->again, &number, sizeof number))
    run_phase_fail(phase, number, "not enough memory");
}

uint64_t run_phase_waiting(const run_phase *phase) {
  return phase->spec->n - phase->cursor + 1 + phase->again.length / sizeof phase->cursor;
}

/* ---- taking back ---- */

bool run_phase_take(run_phase *phase, const run_answer *answer) {
  if (answer->kind != RUN_ANSWER_RESULT) {
    run_phase_fail(phase, answer->row.number, answer->row.result);
    return true;
  }
  if (!run_answer_add(answer, &phase->pending)) return false;
  phase->done++;
  phase->n_pending++;
  return true;
}

void run_phase_fail(run_phase *phase, uint64_t number, const char *message) {
  set_settled(phase, number, true);
  if (phase->n_failures == phase->failures_capacity) {
    const size_t capacity = 2 * phase->failures_capacity + 8;
    run_failure *failures = realloc(phase->failures, capacity * sizeof *failures);
    if (failures == NULL) return;
    phase->failures = failures;
    phase->failures_capacity = capacity;
  }
  phase->failures[phase->n_failures++] = (run_failure){number, strdup(message)};
}

run_journal_status run_phase_write(run_journal *journal, int64_t id, const char *key,
                                   const char *answers, size_t length) {
  run_journal_status status = run_journal_begin(journal);
  run_answer answer;
  for (size_t at = 0, size; status == RUN_JOURNAL_OK && at < length; at += size) {
    size = run_answer_read(answers + at, length - at, &answer);
    if (size == 0) break;
    status = run_journal_put(journal, id, key, &answer.row);
  }
  return status == RUN_JOURNAL_OK ? run_journal_commit(journal) : status;
}

run_journal_status run_phase_commit(run_phase *phase) {
  if (phase->pending.length == 0) return RUN_JOURNAL_OK;
  const double start = run_now();
  const run_journal_status status = run_phase_write(phase->journal, phase->id, phase->spec->key,
                                                    phase->pending.data, phase->pending.length);
  if (status == RUN_JOURNAL_OK) phase->pending.length = phase->n_pending = 0;
  phase->commit_seconds = 0.8 * phase->commit_seconds + 0.2 * (run_now() - start);
  return status;
}
