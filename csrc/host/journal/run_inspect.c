/* run_inspect: looking at, checking and tidying journals.
 *
 * A phase's description is the text that was hashed into its key (vesicle.experiment): lines such
 * as "replicate main", "seed 1", "parameter n = 3", "build ...", "source ...". Pruning compares the
 * lines of build and sources with those of the newest phase of the same name: what differs was made
 * by a program or a script that no longer exists, and can never be used again. */
#include "run_inspect.h"

#include "run_journal.h"
#include "run_options.h"
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- descriptions ---- */

/* The rest of the first line that starts with `word`, copied; "?" if there is none. */
static void find_line(const char *text, const char *word, char *rest, size_t size) {
  const size_t length = strlen(word);
  snprintf(rest, size, "?");
  for (const char *line = text; line != NULL && *line != '\0';) {
    const char *end = strchr(line, '\n');
    const size_t line_length = end != NULL ? (size_t)(end - line) : strlen(line);
    if (line_length > length && strncmp(line, word, length) == 0 && line[length] == ' ') {
      snprintf(rest, size, "%.*s", (int)(line_length - length - 1), line + length + 1);
      return;
    }
    line = end != NULL ? end + 1 : NULL;
  }
}

static bool starts(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* The digest of the lines of build and sources: the code that made a phase. */
static void digest_code(const char *text, uint8_t digest[RUN_SHA256_SIZE]) {
  SHA2_CTX hash;
  SHA256Init(&hash);
  for (const char *line = text; line != NULL && *line != '\0';) {
    const char *end = strchr(line, '\n');
    const size_t length = end != NULL ? (size_t)(end - line) + 1 : strlen(line);
    if (starts(line, "build ") || starts(line, "source "))
      SHA256Update(&hash, (const uint8_t *)line, length);
    line = end != NULL ? end + 1 : NULL;
  }
  SHA256Final(digest, &hash);
}

static void print_parameters(const char *text) {
  for (const char *line = text; line != NULL && *line != '\0';) {
    const char *end = strchr(line, '\n');
    const size_t length = end != NULL ? (size_t)(end - line) : strlen(line);
    if (starts(line, "parameter ")) printf("    %.*s\n", (int)length - 10, line + 10);
    line = end != NULL ? end + 1 : NULL;
  }
}

/* ---- the phases of one journal ---- */

typedef struct {
  int64_t number;
  uint8_t key[RUN_SHA256_SIZE];
  char *description;
} phase_item;

typedef struct {
  phase_item *items;
  size_t count, capacity;
} phase_list;

static bool collect(void *context, int64_t phase, const uint8_t key[RUN_SHA256_SIZE],
                    const char *description) {
  phase_list *list = context;
  if (list->count == list->capacity) {
    const size_t capacity = 2 * list->capacity + 8;
    phase_item *items = realloc(list->items, capacity * sizeof *items);
    if (items == NULL) return false;
    list->items = items;
    list->capacity = capacity;
  }
  phase_item *item = &list->items[list->count++];
  *item = (phase_item){.number = phase, .description = strdup(description)};
  memcpy(item->key, key, RUN_SHA256_SIZE);
  return item->description != NULL;
}

static void free_list(phase_list *list) {
  for (size_t i = 0; i < list->count; i++) free(list->items[i].description);
  free(list->items);
}

typedef struct {
  const uint8_t *key;
  uint64_t rows, bytes;
} tally;

static bool count_row(void *context, const run_record *record) {
  tally *t = context;
  t->rows++;
  t->bytes += record->value_length;
  return t->key == NULL || memcmp(t->key, record->key, RUN_SHA256_SIZE) == 0;
}

static run_journal_status count_rows(run_journal *journal, const phase_item *item, tally *t) {
  *t = (tally){.key = item->key};
  return run_journal_scan(journal, item->number, 1, (UINT64_C(1) << 40) - 1, count_row, t);
}

/* ---- the actions ---- */

static void print_heading(const phase_item *item, const tally *t) {
  char name[128], experiment[128], seed[32], scale[32], code[2 * RUN_SHA256_SIZE + 1];
  uint8_t digest[RUN_SHA256_SIZE];
  find_line(item->description, "replicate", name, sizeof name);
  find_line(item->description, "experiment", experiment, sizeof experiment);
  find_line(item->description, "seed", seed, sizeof seed);
  find_line(item->description, "scale", scale, sizeof scale);
  digest_code(item->description, digest);
  run_sha256_hex(digest, code);
  printf("  %s of %s, seed %s, scale %s, code %.12s: %llu replicates, %llu bytes\n", name,
         experiment, seed, scale, code, (unsigned long long)t->rows, (unsigned long long)t->bytes);
}

static run_journal_status show(run_journal *journal, const phase_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    tally t;
    const run_journal_status status = count_rows(journal, &list->items[i], &t);
    if (status != RUN_JOURNAL_OK) return status;
    print_heading(&list->items[i], &t);
    print_parameters(list->items[i].description);
  }
  if (list->count == 0) printf("  nothing\n");
  return RUN_JOURNAL_OK;
}

static run_journal_status verify(run_journal *journal, const phase_list *list) {
  uint64_t rows = 0;
  for (size_t i = 0; i < list->count; i++) {
    tally t;
    const run_journal_status status = count_rows(journal, &list->items[i], &t);
    if (status != RUN_JOURNAL_OK) return status;
    rows += t.rows;
  }
  printf("  %llu records in %zu phases, all good\n", (unsigned long long)rows, list->count);
  return RUN_JOURNAL_OK;
}

/* Whether phase i was made by other code than the newest phase of the same name. */
static bool is_stale(const phase_list *list, size_t i) {
  char name[128], other[128];
  uint8_t code[RUN_SHA256_SIZE], newest[RUN_SHA256_SIZE];
  find_line(list->items[i].description, "replicate", name, sizeof name);
  digest_code(list->items[i].description, code);
  memcpy(newest, code, sizeof newest);
  for (size_t k = i + 1; k < list->count; k++) {
    find_line(list->items[k].description, "replicate", other, sizeof other);
    if (strcmp(name, other) == 0) digest_code(list->items[k].description, newest);
  }
  return memcmp(code, newest, sizeof code) != 0;
}

static run_journal_status prune(run_journal *journal, const phase_list *list, bool dry_run) {
  size_t removed = 0;
  for (size_t i = 0; i < list->count; i++) {
    if (!is_stale(list, i)) continue;
    tally t;
    run_journal_status status = count_rows(journal, &list->items[i], &t);
    if (status != RUN_JOURNAL_OK) return status;
    if (removed++ == 0) printf("  %s:\n", dry_run ? "would remove" : "removed");
    if (!dry_run) status = run_journal_remove(journal, list->items[i].number);
    if (status != RUN_JOURNAL_OK) return status;
    print_heading(&list->items[i], &t);
  }
  if (removed == 0) printf("  nothing to remove\n");
  return dry_run || removed == 0 ? RUN_JOURNAL_OK : run_journal_compact(journal);
}

static int inspect_file(const char *action, const char *path, bool dry_run) {
  const bool pruning = strcmp(action, "prune") == 0;
  run_journal *journal = NULL;
  phase_list list = {0};
  printf("%s\n", path);
  run_journal_status status =
      run_journal_open(path, pruning && !dry_run ? RUN_JOURNAL_OWN : RUN_JOURNAL_INSPECT, &journal);
  if (status == RUN_JOURNAL_OK && run_journal_message(journal)[0] != '\0')
    fprintf(stderr, "vesicle: %s\n", run_journal_message(journal));
  if (status == RUN_JOURNAL_OK) status = run_journal_phases(journal, collect, &list);
  if (status == RUN_JOURNAL_OK && pruning)
    status = prune(journal, &list, dry_run);
  else if (status == RUN_JOURNAL_OK)
    status = strcmp(action, "verify") == 0 ? verify(journal, &list) : show(journal, &list);
  int code = RUN_DONE;
  if (status == RUN_JOURNAL_ABSENT) {
    printf("  nothing: a run was stopped before its first replicate was finished\n");
  } else if (status != RUN_JOURNAL_OK) {
    fflush(stdout);
    fprintf(stderr, "vesicle: %s%s\n", journal != NULL ? run_journal_message(journal) : "no memory",
            status == RUN_JOURNAL_DAMAGED
                ? "; the next run of its experiment repairs it and computes what is lost again"
                : "");
    code = status == RUN_JOURNAL_DAMAGED ? RUN_UNVERIFIED : RUN_SCRIPT_ERROR;
  }
  free_list(&list);
  run_journal_close(journal);
  return code;
}

static int is_journal(const struct dirent *entry) {
  const size_t length = strlen(entry->d_name);
  return length > 7 && strcmp(entry->d_name + length - 7, ".sqlite") == 0;
}

static int inspect_directory(const char *action, const char *path, bool dry_run) {
  struct dirent **entries = NULL;
  const int count = scandir(path, &entries, is_journal, alphasort);
  if (count < 0) {
    perror(path);
    return RUN_SCRIPT_ERROR;
  }
  if (count == 0) printf("no journals in %s\n", path);
  int worst = RUN_DONE;
  for (int i = 0; i < count; i++) {
    char file[PATH_MAX];
    const int length = snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
    if (length > 0 && (size_t)length < sizeof file) {
      const int code = inspect_file(action, file, dry_run);
      if (code > worst) worst = code;
    }
    free(entries[i]);
  }
  free(entries);
  return worst;
}

int run_inspect(const char *action, const char *path, bool dry_run) {
  struct stat status;
  if (stat(path, &status) != 0) {
    fprintf(stderr, "vesicle: ");
    perror(path);
    return RUN_SCRIPT_ERROR;
  }
  return S_ISDIR(status.st_mode) ? inspect_directory(action, path, dry_run)
                                 : inspect_file(action, path, dry_run);
}
