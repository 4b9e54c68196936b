/* run_inspect: looking at, checking and tidying journals, in SQL.
 *
 * A phase's description is the JSON object that was hashed into its key (vesicle.experiment). Its
 * `code` stands for the program, the script and all it had loaded: a phase whose code differs from
 * that of the newest phase of the same name was made by what no longer exists and can never be used
 * again. */
#include "run_inspect.h"

#include "run_journal.h"
#include "run_options.h"
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A phase in one line. */
#define HEADING                                                                                    \
  "SELECT printf('  %s of %s, seed %d, scale %s, code %.12s: %d replicates, %d bytes', p.name, "   \
  "json_extract(p.description, '$.experiment'), json_extract(p.description, '$.seed'), "           \
  "json_extract(p.description, '$.scale'), json_extract(p.description, '$.code'), "                \
  "(SELECT count(*) FROM replicate r WHERE r.phase = p.phase), "                                   \
  "(SELECT coalesce(sum(length(result)), 0) FROM replicate r WHERE r.phase = p.phase))"

#define STALE                                                                                      \
  " FROM phase p WHERE json_extract(p.description, '$.code') <> "                                  \
  "(SELECT json_extract(q.description, '$.code') FROM phase q WHERE q.name = p.name "              \
  "ORDER BY q.phase DESC LIMIT 1) "

static const char show[] = HEADING
    " || coalesce((SELECT group_concat(char(10) || '    ' || e.key || ' = ' || iif(e.type = "
    "'object', (SELECT group_concat(v.value) FROM json_each(e.value) v), e.value), '') "
    "FROM json_each(p.description, '$.parameters') e), '') FROM phase p ORDER BY p.phase";
static const char list_stale[] = HEADING STALE "ORDER BY p.phase";
static const char remove_stale[] =
    "BEGIN IMMEDIATE; DELETE FROM replicate WHERE phase IN (SELECT p.phase" STALE ");"
    "DELETE FROM phase WHERE phase IN (SELECT p.phase" STALE "); COMMIT; VACUUM";

/* Prints the lines that a query gives, the first after a title; *lines is their number. */
static run_journal_status print_lines(run_journal *journal, const char *sql, const char *title,
                                      size_t *lines) {
  sqlite3_stmt *statement = NULL;
  sqlite3 *db = run_journal_database(journal);
  int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    printf("%s%s\n", (*lines)++ == 0 ? title : "", (const char *)sqlite3_column_text(statement, 0));
    code = SQLITE_OK;
  }
  const run_journal_status status = run_journal_status_of(journal, code);
  sqlite3_finalize(statement);
  return status;
}

typedef struct {
  size_t rows, bad;
} tally;

static bool count_row(void *context, const run_row *row, bool good) {
  tally *t = context;
  (void)row;
  t->rows++;
  t->bad += !good;
  return true;
}

/* Every row has its checksum, and every phase the key of its description. */
static run_journal_status verify(run_journal *journal, tally *t) {
  sqlite3_stmt *statement = NULL;
  sqlite3 *db = run_journal_database(journal);
  size_t phases = 0;
  run_journal_status status = RUN_JOURNAL_OK;
  int code =
      sqlite3_prepare_v2(db, "SELECT phase, key, description FROM phase", -1, &statement, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
    char hex[RUN_KEY_SIZE];
    const char *key = (const char *)sqlite3_column_text(statement, 1);
    const char *description = (const char *)sqlite3_column_text(statement, 2);
    run_sha256_of(description, (size_t)sqlite3_column_bytes(statement, 2), hex);
    phases++;
    t->bad += strcmp(hex, key) != 0;
    status = run_journal_scan(journal, sqlite3_column_int64(statement, 0), hex, 0, INT64_MAX,
                              count_row, t);
    code = status == RUN_JOURNAL_OK ? SQLITE_OK : SQLITE_ABORT;
  }
  if (status == RUN_JOURNAL_OK) status = run_journal_status_of(journal, code);
  sqlite3_finalize(statement);
  if (status == RUN_JOURNAL_OK && t->bad == 0)
    printf("  %zu records in %zu phases, all good\n", t->rows, phases);
  return status;
}

static run_journal_status prune(run_journal *journal, bool dry_run) {
  size_t lines = 0;
  run_journal_status status =
      print_lines(journal, list_stale, dry_run ? "  would remove:\n" : "  removed:\n", &lines);
  if (status == RUN_JOURNAL_OK && lines == 0) printf("  nothing to remove\n");
  if (status != RUN_JOURNAL_OK || lines == 0 || dry_run) return status;
  return run_journal_status_of(
      journal, sqlite3_exec(run_journal_database(journal), remove_stale, NULL, NULL, NULL));
}

static int inspect_file(const char *action, const char *path, bool dry_run) {
  const bool pruning = strcmp(action, "prune") == 0;
  run_journal *journal = NULL;
  tally t = {0, 0};
  size_t lines = 0;
  printf("%s\n", path);
  run_journal_status status =
      run_journal_open(path, pruning && !dry_run ? RUN_JOURNAL_OWN : RUN_JOURNAL_INSPECT, &journal);
  if (status == RUN_JOURNAL_OK && pruning)
    status = prune(journal, dry_run);
  else if (status == RUN_JOURNAL_OK && strcmp(action, "verify") == 0)
    status = verify(journal, &t);
  else if (status == RUN_JOURNAL_OK)
    status = print_lines(journal, show, "", &lines);
  int code = RUN_DONE;
  fflush(stdout);
  if (status == RUN_JOURNAL_ABSENT) {
    printf("  nothing: a run was stopped before its first replicate was finished\n");
  } else if (status != RUN_JOURNAL_OK) {
    fprintf(stderr, "vesicle: %s%s\n", journal != NULL ? run_journal_message(journal) : "no memory",
            status == RUN_JOURNAL_DAMAGED
                ? "; the next run of its experiment sets it aside and computes everything again"
                : "");
    code = status == RUN_JOURNAL_DAMAGED ? RUN_UNVERIFIED : RUN_SCRIPT_ERROR;
  } else if (t.bad > 0) {
    fprintf(stderr,
            "vesicle: the journal %s is damaged (%zu records fail their checksum); the next run "
            "of its experiment computes them again\n",
            path, t.bad);
    code = RUN_UNVERIFIED;
  }
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
