/* run_failures: failed replicates, told by what went wrong. A mistake in a script fails every
 * replicate in the same way: what went wrong is then worth telling once, and with it whom. */
#include "run_failures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 5, LIST = 240 }; /* messages; bytes of a list of numbers */

static int by_number(const void *a, const void *b) {
  const run_failure *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

static const char *message_of(const run_failure *failure) {
  return failure->message != NULL ? failure->message : "not enough memory";
}

/* Moves those that share the message of the first to the front, the order otherwise kept; returns
 * how many they are. */
static size_t gather(run_failure *failures, size_t n, run_failure *scratch) {
  size_t alike = 0, others = 0;
  for (size_t i = 0; i < n; i++)
    if (strcmp(message_of(&failures[i]), message_of(failures)) == 0) scratch[alike++] = failures[i];
  for (size_t i = 0; i < n; i++)
    if (strcmp(message_of(&failures[i]), message_of(failures)) != 0)
      scratch[alike + others++] = failures[i];
  memcpy(failures, scratch, n * sizeof *failures);
  return alike;
}

/* Their numbers, which rise, as "1-4, 7, 9"; ends in ", ..." where they are too many. */
static void list_numbers(FILE *text, const run_failure *failures, size_t n) {
  int used = 0;
  for (size_t k = 0; k < n;) {
    const unsigned long long from = failures[k].number;
    unsigned long long to = from;
    while (++k < n && failures[k].number == to + 1) to++;
    const char *comma = used > 0 ? ", " : "";
    if (used > LIST) {
      fprintf(text, "%s...", comma);
      return;
    }
    used += to > from ? fprintf(text, "%s%llu-%llu", comma, from, to)
                      : fprintf(text, "%s%llu", comma, from);
  }
}

static void write_text(FILE *text, run_phase *phase, run_failure *scratch, const char *line) {
  const run_phase_spec *spec = phase->spec;
  run_failure *failures = phase->failures;
  const size_t n = phase->n_failures;
  fprintf(text,
          "%zu of %llu replicates of `%s` in %s failed; the other %llu are kept in the journal", n,
          (unsigned long long)spec->n, spec->name, spec->experiment,
          (unsigned long long)phase->done);
  qsort(failures, n, sizeof *failures, by_number);
  size_t told = 0;
  for (int kinds = 0; told < n && kinds < SHOWN; kinds++) {
    const run_failure *f = failures + told;
    const size_t alike = gather(failures + told, n - told, scratch);
    fprintf(text, "\n\nreplicate%s ", alike > 1 ? "s" : "");
    list_numbers(text, f, alike);
    fprintf(text, " (seed %lld): %s\nto run just %s: %s --replicate %s%s%llu",
            (long long)spec->seed, message_of(f), alike > 1 ? "the first" : "this one", line,
            spec->first ? "" : spec->name, spec->first ? "" : ":", (unsigned long long)f->number);
    told += alike;
  }
  if (told < n) {
    fputs("\n\nalso failed: ", text);
    list_numbers(text, failures + told, n - told);
  }
}

char *run_failures_text(run_phase *phase, const char *line) {
  char *bytes = NULL;
  size_t size = 0;
  run_failure *scratch = calloc(phase->n_failures + 1, sizeof *scratch);
  FILE *text = scratch != NULL ? open_memstream(&bytes, &size) : NULL;
  if (text != NULL) {
    write_text(text, phase, scratch, line);
    if (fclose(text) != 0) {
      free(bytes);
      bytes = NULL;
    }
  }
  free(scratch);
  return bytes;
}
