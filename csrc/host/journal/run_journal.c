/* run_journal: finished replicates in an SQLite file.
 *
 * Two tables, to be read with plain SQL by anybody (docs/data.md): `phase` has a row for each
 * E:replicate call seen so far, `replicate` one for each finished replicate, its result a text in
 * JSON (lves_json). The key of a phase is the SHA-256 of its description; that of a row covers the
 * key of its phase, its number, its inputs and its result, so that a row is believed only in its
 * own place.
 *
 * SQLite is trusted with what it promises. The rollback journal with full synchronisation costs
 * about a millisecond per commit and survives a killed process, a full disk and a power cut; unlike
 * the write-ahead log it also works on network file systems and has no second file whose loss would
 * go unnoticed. A file that SQLite cannot read, or whose tables are not exactly ours, is set aside
 * under another name, and a new one begun. Nothing that stands in the file is ever run: its tables
 * are compared before anything is asked of them, and triggers and views are switched off.
 *
 * A file beside it, <path>-lock, carries a lock that dies with its process: shared by runs, alone
 * for setting aside and pruning. Two runs may share a journal: what either finishes, both keep. */
#include "run_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_MS    60000
#define PAGE_LEAST 512 /* bytes; SQLite takes a shorter file for an empty one */

static const char schema_phase[] = "CREATE TABLE phase(phase INTEGER PRIMARY KEY, "
                                   "name TEXT NOT NULL, key TEXT NOT NULL, "
                                   "description TEXT NOT NULL)";
static const char schema_replicate[] =
    "CREATE TABLE replicate(phase INTEGER NOT NULL, number INTEGER NOT NULL, "
    "result TEXT NOT NULL, inputs TEXT NOT NULL, sha256 TEXT NOT NULL, "
    "PRIMARY KEY(phase, number)) WITHOUT ROWID";

struct run_journal {
  char path[PATH_MAX]; /* "" for a temporary one */
  char message[2 * PATH_MAX + 512];
  run_journal_mode mode;
  sqlite3 *db;
  sqlite3_stmt *put, *scan;
  int lock;
  pid_t owner; /* a forked child must leave the database alone */
};

const char *run_journal_message(const run_journal *journal) { return journal->message; }
const char *run_journal_path(const run_journal *journal) { return journal->path; }
sqlite3 *run_journal_database(run_journal *journal) { return journal->db; }

/* Sets the message; returns the status, for callers that fail. */
__attribute__((format(printf, 3, 4))) static run_journal_status
say(run_journal *journal, run_journal_status status, const char *format, ...) {
  char text[sizeof journal->message]; /* the arguments may be the message */
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  memcpy(journal->message, text, sizeof text);
  return status;
}

/* ---- what SQLite's codes mean here ---- */

/* SQLite says FULL only for ENOSPC; a quota or a limit on the size of files shows as a write that
 * failed, and the errno it remembers may be a later one. */
run_journal_status run_journal_status_of(run_journal *journal, int code) {
  const char *name = journal->path[0] != '\0' ? journal->path : "(temporary)";
  const char *words = journal->db != NULL ? sqlite3_errmsg(journal->db) : sqlite3_errstr(code);
  const int failure = journal->db != NULL ? sqlite3_system_errno(journal->db) : 0;
  const bool known = failure == EFBIG || failure == ENOSPC || failure == EDQUOT;
  const bool no_room = known || code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_TRUNCATE ||
                       code == SQLITE_IOERR_FSYNC || code == SQLITE_FULL;
  switch (code & 0xff) {
  case SQLITE_OK:
  case SQLITE_ROW:
  case SQLITE_DONE: return RUN_JOURNAL_OK;
  case SQLITE_FULL:
  case SQLITE_IOERR:
  case SQLITE_CANTOPEN:
  case SQLITE_READONLY:
  case SQLITE_PERM:
    if (no_room)
      return say(journal, RUN_JOURNAL_FULL, "no room to write the journal %s (%s)", name,
                 known ? strerror(failure)
                       : "a full disk, a quota or a limit on the size of files");
    if ((code & 0xff) == SQLITE_IOERR && code != SQLITE_IOERR_SHORT_READ) break;
    if (code == SQLITE_IOERR_SHORT_READ || (failure == 0 && access(journal->path, W_OK) == 0))
      return say(journal, RUN_JOURNAL_DAMAGED, "the journal %s is damaged (%s)", name, words);
    return say(journal, RUN_JOURNAL_DENIED, "cannot write the journal %s: %s", name,
               failure != 0 ? strerror(failure) : words);
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return say(journal, RUN_JOURNAL_BUSY,
               "the journal %s has been held by another process for %d seconds", name,
               BUSY_MS / 1000);
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_FORMAT:
  case SQLITE_ERROR:
    return say(journal, RUN_JOURNAL_DAMAGED, "the journal %s is damaged (%s)", name, words);
  default: break;
  }
  return say(journal, RUN_JOURNAL_FAILED, "the journal %s: %s", name, words);
}

static run_journal_status execute(run_journal *journal, const char *sql) {
  return run_journal_status_of(journal, sqlite3_exec(journal->db, sql, NULL, NULL, NULL));
}

static run_journal_status prepare(run_journal *journal, const char *sql, sqlite3_stmt **statement) {
  return run_journal_status_of(
      journal,
      sqlite3_prepare_v3(journal->db, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL));
}

static run_journal_status roll_back(run_journal *journal, run_journal_status status) {
  sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

/* ---- the file ---- */

static void close_database(run_journal *journal) {
  sqlite3_finalize(journal->put);
  sqlite3_finalize(journal->scan);
  sqlite3_close_v2(journal->db);
  journal->db = NULL;
  journal->put = journal->scan = NULL;
}

static run_journal_status prepare_all(run_journal *journal) {
  run_journal_status status = prepare(
      journal, "INSERT OR REPLACE INTO replicate VALUES(?1, ?2, ?3, ?4, ?5)", &journal->put);
  if (status == RUN_JOURNAL_OK)
    status = prepare(journal,
                     "SELECT number, result, inputs, sha256 FROM replicate WHERE phase = ?1 AND "
                     "number BETWEEN ?2 AND ?3 ORDER BY number LIMIT 1000",
                     &journal->scan);
  return status;
}

/* Opens it and refuses whatever in it could be more than rows. */
static run_journal_status open_database(run_journal *journal, bool create) {
  const bool temporary = journal->path[0] == '\0';
  const int flags = SQLITE_OPEN_READWRITE | (create || temporary ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(journal->path, &journal->db, flags, NULL);
  if (code != SQLITE_OK) return run_journal_status_of(journal, code);
  sqlite3_extended_result_codes(journal->db, 1);
  sqlite3_busy_timeout(journal->db, BUSY_MS);
  sqlite3_db_config(journal->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config(journal->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config(journal->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config(journal->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  /* Temporary files would lie outside the sandbox. */
  if (execute(journal, "PRAGMA temp_store = MEMORY") != RUN_JOURNAL_OK) return RUN_JOURNAL_FAILED;
  return execute(journal, temporary ? "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; "
                                      "PRAGMA synchronous = OFF"
                                    : "PRAGMA page_size = 16384; PRAGMA journal_mode = DELETE; "
                                      "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON");
}

/* Counts what the file defines, and how much of it is ours. */
static run_journal_status read_schema(run_journal *journal, int *all, int *ours) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status = prepare(
      journal, "SELECT count(*), count(nullif(sql IN (?1, ?2), 0)) FROM sqlite_master", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  sqlite3_bind_text(statement, 1, schema_phase, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, schema_replicate, -1, SQLITE_STATIC);
  status = run_journal_status_of(journal, sqlite3_step(statement));
  *all = sqlite3_column_int(statement, 0);
  *ours = sqlite3_column_int(statement, 1);
  sqlite3_finalize(statement);
  return status;
}

/* Makes the tables if there are none, and refuses any others. */
static run_journal_status check_schema(run_journal *journal, bool create) {
  int all = 0, ours = 0;
  run_journal_status status = read_schema(journal, &all, &ours);
  if (status == RUN_JOURNAL_OK && all == 0 && create) {
    status = execute(journal, "BEGIN IMMEDIATE");
    if (status == RUN_JOURNAL_OK) status = read_schema(journal, &all, &ours);
    if (status == RUN_JOURNAL_OK && all == 0) { /* no other run was faster */
      status = execute(journal, schema_phase);
      if (status == RUN_JOURNAL_OK) status = execute(journal, schema_replicate);
      all = ours = 2;
    }
    if (status == RUN_JOURNAL_OK) status = execute(journal, "COMMIT");
    if (status != RUN_JOURNAL_OK) return roll_back(journal, status);
  }
  if (status != RUN_JOURNAL_OK) return status;
  if (all == 0) return say(journal, RUN_JOURNAL_ABSENT, "the journal %s is empty", journal->path);
  if (all != 2 || ours != 2)
    return say(journal, RUN_JOURNAL_DAMAGED,
               "the journal %s is not one of this version of vesicle: its tables are others",
               journal->path);
  return RUN_JOURNAL_OK;
}

static run_journal_status check_pages(run_journal *journal) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status = prepare(journal, "PRAGMA quick_check(1)", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  status = run_journal_status_of(journal, sqlite3_step(statement));
  const char *text = (const char *)sqlite3_column_text(statement, 0);
  if (status == RUN_JOURNAL_OK && (text == NULL || strcmp(text, "ok") != 0))
    status = say(journal, RUN_JOURNAL_DAMAGED, "the journal %s is damaged (%s)", journal->path,
                 text != NULL ? text : "it cannot be checked");
  sqlite3_finalize(statement);
  return status;
}

static run_journal_status open_and_check(run_journal *journal) {
  const bool create = journal->mode == RUN_JOURNAL_SHARE;
  struct stat file;
  const bool existed = journal->path[0] != '\0' && stat(journal->path, &file) == 0;
  if (!existed && !create)
    return say(journal, RUN_JOURNAL_ABSENT, "there is no journal %s", journal->path);
  run_journal_status status = open_database(journal, create);
  if (status == RUN_JOURNAL_OK) status = check_schema(journal, create);
  if (status == RUN_JOURNAL_OK && existed) status = check_pages(journal);
  if (status == RUN_JOURNAL_OK) status = prepare_all(journal);
  if (status == RUN_JOURNAL_OK && existed && file.st_size < PAGE_LEAST && create)
    say(journal, status, "the journal %s was empty or cut short: nothing finished before is known",
        journal->path);
  return status;
}

/* ---- setting aside ---- */

/* Gives the file, and the rollback file that belongs to it, another name. */
static bool rename_aside(const char *path, char *aside, size_t size) {
  char hot[PATH_MAX + 16], hot_aside[PATH_MAX + 48];
  int k = 1;
  do {
    const int n = k == 1 ? snprintf(aside, size, "%s.aside", path)
                         : snprintf(aside, size, "%s.aside-%d", path, k);
    if (n < 0 || (size_t)n >= size) return false;
  } while (access(aside, F_OK) == 0 && ++k < 1000);
  snprintf(hot, sizeof hot, "%s-journal", path);
  snprintf(hot_aside, sizeof hot_aside, "%s-journal", aside);
  if (rename(hot, hot_aside) != 0 && errno != ENOENT) return false;
  return rename(path, aside) == 0;
}

/* With the reason in the message. */
static run_journal_status set_aside(run_journal *journal, bool alone) {
  char aside[PATH_MAX + 32];
  close_database(journal);
  if (!alone)
    return say(journal, RUN_JOURNAL_BUSY,
               "%.4000s, and in use by another run: wait for that one to end, then run again",
               journal->message);
  if (!rename_aside(journal->path, aside, sizeof aside))
    return say(journal, RUN_JOURNAL_DENIED, "%.4000s, and could not be set aside: %s",
               journal->message, strerror(errno));
  char notice[sizeof journal->message];
  snprintf(notice, sizeof notice, "%.4000s: it is kept as %s, and everything is computed again",
           journal->message, aside);
  journal->message[0] = '\0';
  const run_journal_status status = open_and_check(journal);
  return status == RUN_JOURNAL_OK ? say(journal, status, "%s", notice) : status;
}

/* ---- opening ---- */

/* Takes the lock; *alone tells whether nobody else holds one. */
static run_journal_status take_lock(run_journal *journal, bool *alone) {
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s-lock", journal->path);
  journal->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  *alone = false;
  if (journal->lock < 0 && journal->mode == RUN_JOURNAL_INSPECT) return RUN_JOURNAL_OK;
  if (journal->lock < 0)
    return say(journal, errno == ENOSPC || errno == EDQUOT ? RUN_JOURNAL_FULL : RUN_JOURNAL_DENIED,
               "cannot write the journal %s: %s", journal->path, strerror(errno));
  *alone = flock(journal->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (*alone) return RUN_JOURNAL_OK; /* or on a file system that knows no locks */
  if (journal->mode == RUN_JOURNAL_OWN)
    return say(journal, RUN_JOURNAL_BUSY, "the journal %s is in use by another run", journal->path);
  while (flock(journal->lock, LOCK_SH) != 0 && errno == EINTR) continue;
  return RUN_JOURNAL_OK;
}

static run_journal_status open_shared(run_journal *journal) {
  bool alone = false;
  run_journal_status status = take_lock(journal, &alone);
  if (status == RUN_JOURNAL_OK) status = open_and_check(journal);
  if (status == RUN_JOURNAL_DAMAGED && journal->mode == RUN_JOURNAL_SHARE)
    status = set_aside(journal, alone);
  else if (status == RUN_JOURNAL_OK && !alone && journal->mode == RUN_JOURNAL_SHARE &&
           journal->message[0] == '\0')
    say(journal, status, "another run is using the journal %s: what either finishes, both keep",
        journal->path);
  if (journal->lock >= 0 && journal->mode != RUN_JOURNAL_OWN)
    while (flock(journal->lock, LOCK_SH) != 0 && errno == EINTR) continue;
  return status;
}

run_journal_status run_journal_open(const char *path, run_journal_mode mode,
                                    run_journal **journal) {
  run_journal *j = calloc(1, sizeof *j);
  *journal = j;
  if (j == NULL) return RUN_JOURNAL_FAILED;
  j->lock = -1;
  j->mode = mode;
  j->owner = getpid();
  run_journal_status status;
  if (path != NULL && strlen(path) >= sizeof j->path)
    return say(j, RUN_JOURNAL_FAILED, "the path of the journal is too long");
  snprintf(j->path, sizeof j->path, "%s", path != NULL ? path : "");
  if (mode == RUN_JOURNAL_READ) {
    status = open_database(j, false);
    if (status == RUN_JOURNAL_OK) status = prepare_all(j);
  } else {
    status = path == NULL ? open_and_check(j) : open_shared(j);
  }
  if (status != RUN_JOURNAL_OK) close_database(j);
  return status;
}

void run_journal_close(run_journal *journal) {
  if (journal == NULL || journal->owner != getpid()) return;
  close_database(journal);
  if (journal->lock >= 0) close(journal->lock);
  free(journal);
}

/* ---- phases ---- */

/* Runs a statement about the phase with this key; ABSENT if it gives no number. */
static run_journal_status ask_phase(run_journal *journal, const char *sql, const char *key,
                                    const char *name, const char *description, int64_t *phase) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status = prepare(journal, sql, &statement);
  if (status != RUN_JOURNAL_OK) return status;
  sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
  sqlite3_bind_text(statement, 3, description, -1, SQLITE_STATIC);
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    *phase = sqlite3_column_int64(statement, 0);
  else
    status = code == SQLITE_DONE ? RUN_JOURNAL_ABSENT : run_journal_status_of(journal, code);
  sqlite3_finalize(statement);
  return status;
}

run_journal_status run_journal_phase(run_journal *journal, const char *key, const char *name,
                                     const char *description, int64_t *phase) {
  static const char find[] = "SELECT phase FROM phase WHERE key = ?1";
  static const char insert[] = "INSERT INTO phase(key, name, description) SELECT ?1, ?2, ?3 "
                               "WHERE NOT EXISTS (SELECT 1 FROM phase WHERE key = ?1)";
  run_journal_status status = ask_phase(journal, find, key, NULL, NULL, phase);
  if (status != RUN_JOURNAL_ABSENT || name == NULL) return status;
  status = ask_phase(journal, insert, key, name, description, phase);
  return status == RUN_JOURNAL_ABSENT ? ask_phase(journal, find, key, NULL, NULL, phase) : status;
}

/* ---- rows ---- */

/* The digest of a row in its place, in hexadecimal. */
static void digest_row(const char *key, const run_row *row, char digest[RUN_KEY_SIZE]) {
  uint8_t sum[RUN_SHA256_SIZE];
  char head[RUN_KEY_SIZE + 32];
  SHA2_CTX hash;
  SHA256Init(&hash);
  const int length = snprintf(head, sizeof head, "%s %llu\n", key, (unsigned long long)row->number);
  SHA256Update(&hash, (const uint8_t *)head, (size_t)length);
  SHA256Update(&hash, (const uint8_t *)row->inputs, row->inputs_length);
  SHA256Update(&hash, (const uint8_t *)"\n", 1);
  SHA256Update(&hash, (const uint8_t *)row->result, row->result_length);
  SHA256Final(sum, &hash);
  run_sha256_hex(sum, digest);
}

/* The row a statement is at, and whether its checksum is right. */
static bool read_row(sqlite3_stmt *scan, const char *key, run_row *row) {
  const char *sum = (const char *)sqlite3_column_text(scan, 3);
  row->number = (uint64_t)sqlite3_column_int64(scan, 0);
  row->result = (const char *)sqlite3_column_text(scan, 1);
  row->result_length = (size_t)sqlite3_column_bytes(scan, 1);
  row->inputs = (const char *)sqlite3_column_text(scan, 2);
  row->inputs_length = (size_t)sqlite3_column_bytes(scan, 2);
  if (row->result == NULL || row->inputs == NULL || sum == NULL) return false;
  if (key == NULL) return true;
  char digest[RUN_KEY_SIZE];
  digest_row(key, row, digest);
  return strcmp(digest, sum) == 0;
}

/* A thousand rows at a time: while a statement is under way nobody else can commit. */
run_journal_status run_journal_scan(run_journal *journal, int64_t phase, const char *key,
                                    uint64_t first, uint64_t last, run_journal_visit visit,
                                    void *context) {
  bool going = first <= last;
  while (going) {
    sqlite3_bind_int64(journal->scan, 1, phase);
    sqlite3_bind_int64(journal->scan, 2, (int64_t)first);
    sqlite3_bind_int64(journal->scan, 3, (int64_t)last);
    int code = SQLITE_DONE, rows = 0;
    while (going && (code = sqlite3_step(journal->scan)) == SQLITE_ROW) {
      run_row row;
      const bool good = read_row(journal->scan, key, &row);
      going = visit(context, &row, good);
      first = row.number + 1;
      rows++;
    }
    const run_journal_status status = run_journal_status_of(journal, code);
    sqlite3_reset(journal->scan);
    if (status != RUN_JOURNAL_OK) return status;
    going = going && rows > 0 && first <= last;
  }
  return RUN_JOURNAL_OK;
}

run_journal_status run_journal_begin(run_journal *journal) {
  return execute(journal, "BEGIN IMMEDIATE");
}

run_journal_status run_journal_put(run_journal *journal, int64_t phase, const char *key,
                                   const run_row *row) {
  char digest[RUN_KEY_SIZE];
  digest_row(key, row, digest);
  sqlite3_bind_int64(journal->put, 1, phase);
  sqlite3_bind_int64(journal->put, 2, (int64_t)row->number);
  sqlite3_bind_text64(journal->put, 3, row->result, row->result_length, SQLITE_STATIC, SQLITE_UTF8);
  sqlite3_bind_text64(journal->put, 4, row->inputs, row->inputs_length, SQLITE_STATIC, SQLITE_UTF8);
  sqlite3_bind_text(journal->put, 5, digest, -1, SQLITE_STATIC);
  const run_journal_status status = run_journal_status_of(journal, sqlite3_step(journal->put));
  sqlite3_reset(journal->put);
  sqlite3_clear_bindings(journal->put);
  return status == RUN_JOURNAL_OK ? status : roll_back(journal, status);
}

run_journal_status run_journal_commit(run_journal *journal) {
  const run_journal_status status = execute(journal, "COMMIT");
  return status == RUN_JOURNAL_OK ? status : roll_back(journal, status);
}
