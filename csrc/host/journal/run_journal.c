/* run_journal: finished replicates in an SQLite file.
 *
 * Two tables: `phase` names the E:replicate calls seen so far (number, key, description), and
 * `replicate` holds one record (run_record) per finished replicate, at id = phase * 2^40 + index.
 * The rollback journal with full synchronisation costs about a millisecond per commit and survives
 * a killed process, a full disk and a power cut; unlike the write-ahead log it also works on
 * network file systems and has no second file whose loss would go unnoticed.
 *
 * A file beside it, <path>-lock, carries a kernel lock that dies with its process: shared by runs,
 * exclusive for repairs and pruning. Two runs may share a journal: what either finishes, both keep.
 *
 * Nothing is believed. Opening checks the header byte by byte, the schema text and the b-trees, and
 * every record is checked when it is read. Whatever fails, the file is set aside under another name
 * and every whole record in it moves to a fresh journal (run_salvage). */
#include "run_journal.h"

#include "run_salvage.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 0x76657369 /* "vesi" */
#define INDEX_BITS     40
#define BUSY_MS        60000

static const char schema_phase[] =
    "CREATE TABLE phase(phase INTEGER PRIMARY KEY, key BLOB NOT NULL, description TEXT NOT NULL)";
static const char schema_replicate[] =
    "CREATE TABLE replicate(id INTEGER PRIMARY KEY, record BLOB NOT NULL)";

struct run_journal {
  char path[PATH_MAX]; /* "" for a temporary one */
  char message[PATH_MAX + 512];
  run_journal_mode mode;
  sqlite3 *db;
  sqlite3_stmt *put, *has, *scan, *version;
  int lock;
  bool in_transaction;
  int64_t data_version;
  pid_t owner; /* a forked child must leave the database alone */
};

const char *run_journal_message(const run_journal *journal) { return journal->message; }
void run_journal_acknowledge(run_journal *journal) { journal->message[0] = '\0'; }
const char *run_journal_path(const run_journal *journal) { return journal->path; }

__attribute__((format(printf, 2, 3))) static void say(run_journal *journal, const char *format,
                                                      ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(journal->message, sizeof journal->message, format, arguments);
  va_end(arguments);
}

/* ---- what SQLite's codes mean here ---- */

/* SQLite says FULL only for ENOSPC; a quota or a limit on the size of files shows as a write that
 * failed, and the errno it remembers may be a later one. */
static run_journal_status status_of(run_journal *journal, int code) {
  const int failure = journal->db != NULL ? sqlite3_system_errno(journal->db) : 0;
  const bool no_room = failure == EFBIG || failure == ENOSPC || failure == EDQUOT ||
                       code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_TRUNCATE ||
                       code == SQLITE_IOERR_FSYNC;
  run_journal_status status = RUN_JOURNAL_FAILED;
  switch (code & 0xff) {
  case SQLITE_OK:
  case SQLITE_ROW:
  case SQLITE_DONE: return RUN_JOURNAL_OK;
  case SQLITE_FULL: status = RUN_JOURNAL_FULL; break;
  case SQLITE_IOERR:
    if (no_room) status = RUN_JOURNAL_FULL;
    if (code == SQLITE_IOERR_SHORT_READ) status = RUN_JOURNAL_DAMAGED;
    break;
  case SQLITE_CANTOPEN:
  case SQLITE_READONLY:
  case SQLITE_PERM: status = no_room ? RUN_JOURNAL_FULL : RUN_JOURNAL_DENIED; break;
  case SQLITE_BUSY:
  case SQLITE_LOCKED: status = RUN_JOURNAL_BUSY; break;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_FORMAT:
  case SQLITE_ERROR: status = RUN_JOURNAL_DAMAGED; break;
  default: break;
  }
  const char *name = journal->path[0] != '\0' ? journal->path : "(temporary)";
  const char *words = journal->db != NULL ? sqlite3_errmsg(journal->db) : sqlite3_errstr(code);
  if (status == RUN_JOURNAL_FULL)
    say(journal, "no room to write the journal %s (%s)", name,
        failure == EFBIG || failure == ENOSPC || failure == EDQUOT
            ? strerror(failure)
            : "a full disk, a quota or a limit on the size of files");
  else if (status == RUN_JOURNAL_DENIED)
    say(journal, "cannot write the journal %s: %s", name, failure != 0 ? strerror(failure) : words);
  else if (status == RUN_JOURNAL_BUSY)
    say(journal, "the journal %s has been held by another process for %d seconds", name,
        BUSY_MS / 1000);
  else if (status == RUN_JOURNAL_DAMAGED)
    say(journal, "the journal %s is damaged (%s)", name, words);
  else
    say(journal, "the journal %s: %s", name, words);
  return status;
}

static run_journal_status damaged(run_journal *journal, const char *how) {
  say(journal, "the journal %s is damaged (%s)", journal->path, how);
  return RUN_JOURNAL_DAMAGED;
}

static run_journal_status execute(run_journal *journal, const char *sql) {
  return status_of(journal, sqlite3_exec(journal->db, sql, NULL, NULL, NULL));
}

/* ---- the file ---- */

/* The bytes of SQLite's header that never change in our files: a flip there can mislead SQLite
 * without being noticed by it. */
static bool header_is_ours(const uint8_t h[100]) {
  static const uint8_t expected[] = {'S',
                                     'Q',
                                     'L',
                                     'i',
                                     't',
                                     'e',
                                     ' ',
                                     'f',
                                     'o',
                                     'r',
                                     'm',
                                     'a',
                                     't',
                                     ' ',
                                     '3',
                                     0,
                                     RUN_JOURNAL_PAGE >> 8,
                                     RUN_JOURNAL_PAGE & 255,
                                     1,
                                     1,
                                     0,
                                     64,
                                     32,
                                     32};
  static const uint8_t format[] = {0, 0, 0, 4};
  static const uint8_t encoding[] = {0, 0, 0, 1};
  static const uint8_t application[] = {0x76, 0x65, 0x73, 0x69};
  return memcmp(h, expected, sizeof expected) == 0 && memcmp(h + 44, format, 4) == 0 &&
         memcmp(h + 56, encoding, 4) == 0 && memcmp(h + 68, application, 4) == 0;
}

static bool exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

/* ABSENT if there is no file or an empty one. */
static run_journal_status check_header(run_journal *journal) {
  const int fd = open(journal->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT) return RUN_JOURNAL_ABSENT;
    say(journal, "cannot read the journal %s: %s", journal->path, strerror(errno));
    return RUN_JOURNAL_DENIED;
  }
  uint8_t header[100];
  struct stat status;
  const ssize_t n = read(fd, header, sizeof header);
  const bool sized = fstat(fd, &status) == 0;
  close(fd);
  if (n == 0) return RUN_JOURNAL_ABSENT;
  char hot[PATH_MAX + 16];
  snprintf(hot, sizeof hot, "%s-journal", journal->path);
  if (exists(hot)) return RUN_JOURNAL_OK; /* a commit was cut short: SQLite first undoes it */
  if (n != (ssize_t)sizeof header) return damaged(journal, "it ends within its header");
  if (!header_is_ours(header)) return damaged(journal, "its header is not a journal's");
  const uint64_t pages = (uint64_t)header[28] << 24 | (uint64_t)header[29] << 16 |
                         (uint64_t)header[30] << 8 | header[31];
  if (sized && (uint64_t)status.st_size < pages * RUN_JOURNAL_PAGE)
    return damaged(journal, "it is shorter than its header says");
  return RUN_JOURNAL_OK;
}

static void close_database(run_journal *journal) {
  if (journal->db == NULL) return;
  sqlite3_finalize(journal->put);
  sqlite3_finalize(journal->has);
  sqlite3_finalize(journal->scan);
  sqlite3_finalize(journal->version);
  sqlite3_close_v2(journal->db);
  journal->db = NULL;
  journal->put = journal->has = journal->scan = journal->version = NULL;
  journal->in_transaction = false;
}

static run_journal_status prepare(run_journal *journal, const char *sql, sqlite3_stmt **statement) {
  return status_of(journal, sqlite3_prepare_v3(journal->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                                               statement, NULL));
}

static run_journal_status prepare_all(run_journal *journal) {
  run_journal_status status = prepare(
      journal, "INSERT OR REPLACE INTO replicate(id, record) VALUES(?1, ?2)", &journal->put);
  if (status == RUN_JOURNAL_OK)
    status = prepare(journal, "SELECT 1 FROM replicate WHERE id = ?1", &journal->has);
  if (status == RUN_JOURNAL_OK)
    status = prepare(journal,
                     "SELECT id, record FROM replicate WHERE id BETWEEN ?1 AND ?2 ORDER BY id "
                     "LIMIT 1000",
                     &journal->scan);
  if (status == RUN_JOURNAL_OK) status = prepare(journal, "PRAGMA data_version", &journal->version);
  return status;
}

/* Runs a query whose first column of its first row must be `expected`. */
static run_journal_status expect_text(run_journal *journal, const char *sql, const char *expected,
                                      const char *how) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status = prepare(journal, sql, &statement);
  if (status != RUN_JOURNAL_OK) return status;
  const int code = sqlite3_step(statement);
  const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    status = status_of(journal, code);
  else if (text == NULL || strcmp(text, expected) != 0)
    status = damaged(journal, how);
  sqlite3_finalize(statement);
  return status;
}

static bool phase_described(void *context, const run_record *record) {
  const uint8_t *key = context;
  return memcmp(key, record->key, RUN_SHA256_SIZE) == 0 && record->index == 0;
}

/* Every phase has its description as the record of index 0, under the same key. */
static run_journal_status check_phases(run_journal *journal) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status =
      prepare(journal, "SELECT phase, key FROM phase ORDER BY phase", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    uint8_t key[RUN_SHA256_SIZE];
    if (sqlite3_column_bytes(statement, 1) != RUN_SHA256_SIZE) {
      status = damaged(journal, "a phase has no key");
      break;
    }
    memcpy(key, sqlite3_column_blob(statement, 1), sizeof key);
    const int64_t phase = sqlite3_column_int64(statement, 0);
    if (!run_journal_has(journal, phase, 0)) {
      status = damaged(journal, "a phase has no description");
      break;
    }
    status = run_journal_scan(journal, phase, 0, 0, phase_described, key);
    if (status != RUN_JOURNAL_OK) break;
  }
  if (status == RUN_JOURNAL_OK && code != SQLITE_DONE) status = status_of(journal, code);
  sqlite3_finalize(statement);
  return status;
}

static run_journal_status check_database(run_journal *journal) {
  run_journal_status status =
      expect_text(journal, "PRAGMA integrity_check(1)", "ok", "its structure is broken");
  if (status == RUN_JOURNAL_OK)
    status = expect_text(journal, "SELECT sql FROM sqlite_master WHERE name = 'phase'",
                         schema_phase, "its schema is not a journal's");
  if (status == RUN_JOURNAL_OK)
    status = expect_text(journal, "SELECT sql FROM sqlite_master WHERE name = 'replicate'",
                         schema_replicate, "its schema is not a journal's");
  if (status == RUN_JOURNAL_OK) status = prepare_all(journal);
  if (status == RUN_JOURNAL_OK) status = check_phases(journal);
  return status;
}

static run_journal_status create_tables(run_journal *journal) {
  run_journal_status status = execute(journal, "BEGIN IMMEDIATE");
  if (status != RUN_JOURNAL_OK) return status;
  sqlite3_stmt *statement = NULL;
  status = prepare(journal, "SELECT count(*) FROM sqlite_master", &statement);
  const bool fresh = status == RUN_JOURNAL_OK && sqlite3_step(statement) == SQLITE_ROW &&
                     sqlite3_column_int(statement, 0) == 0;
  sqlite3_finalize(statement);
  if (fresh) {
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d", APPLICATION_ID);
    status = execute(journal, schema_phase);
    if (status == RUN_JOURNAL_OK) status = execute(journal, schema_replicate);
    if (status == RUN_JOURNAL_OK) status = execute(journal, sql);
  }
  if (status == RUN_JOURNAL_OK) status = execute(journal, "COMMIT");
  if (status != RUN_JOURNAL_OK) sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

static run_journal_status open_database(run_journal *journal, const char *path, bool create) {
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  char pragmas[160];
  const bool temporary = path[0] == '\0';
  const int code =
      sqlite3_open_v2(path, &journal->db, temporary ? flags | SQLITE_OPEN_CREATE : flags, NULL);
  if (code != SQLITE_OK) return status_of(journal, code);
  sqlite3_extended_result_codes(journal->db, 1);
  sqlite3_busy_timeout(journal->db, BUSY_MS);
  snprintf(pragmas, sizeof pragmas,
           "PRAGMA page_size = %d; PRAGMA journal_mode = %s; PRAGMA synchronous = %s",
           RUN_JOURNAL_PAGE, temporary ? "OFF" : "DELETE", temporary ? "OFF" : "FULL");
  run_journal_status status = execute(journal, pragmas);
  if (status == RUN_JOURNAL_OK) status = execute(journal, "SELECT count(*) FROM sqlite_master");
  return status;
}

/* ---- repair ---- */

typedef struct {
  run_journal *fresh;
  run_journal_status status;
  uint64_t rows;
} rescue;

static run_journal_status describe_phase(run_journal *journal, int64_t phase,
                                         const run_record *record) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status =
      prepare(journal, "UPDATE phase SET description = ?2 WHERE phase = ?1", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  sqlite3_bind_int64(statement, 1, phase);
  sqlite3_bind_text64(statement, 2, (const char *)record->value, record->value_length,
                      SQLITE_TRANSIENT, SQLITE_UTF8);
  status = status_of(journal, sqlite3_step(statement));
  sqlite3_finalize(statement);
  return status;
}

static bool keep_record(void *context, const run_record *record, const uint8_t *bytes,
                        size_t length) {
  rescue *r = context;
  int64_t phase = 0;
  const uint8_t *key = record->key;
  r->status = run_journal_phase(r->fresh, key, "(its description was lost)", true, &phase);
  if (r->status != RUN_JOURNAL_OK) return false;
  if (record->index > 0 && !run_journal_has(r->fresh, phase, record->index)) r->rows++;
  r->status = run_journal_put(r->fresh, phase, record->index, bytes, length);
  if (r->status == RUN_JOURNAL_OK && record->index == 0)
    r->status = describe_phase(r->fresh, phase, record);
  return r->status == RUN_JOURNAL_OK;
}

/* A name that is not taken for the damaged file. */
static bool name_damaged(const char *path, char *name, size_t size) {
  for (int k = 1; k < 1000; k++) {
    const int n = k == 1 ? snprintf(name, size, "%s.damaged", path)
                         : snprintf(name, size, "%s.damaged-%d", path, k);
    if (n < 0 || (size_t)n >= size) return false;
    if (!exists(name)) return true;
  }
  return false;
}

/* Puts the fresh journal in the place of the damaged one, which gets the name `aside`. At every
 * moment one of them stands at `path`. A rollback file that belonged to the damaged one must not
 * meet the fresh one. */
static bool set_aside(const char *path, const char *fresh, char *aside, size_t size) {
  char hot[PATH_MAX + 32];
  snprintf(hot, sizeof hot, "%s-journal", path);
  if (!name_damaged(path, aside, size) || link(path, aside) != 0) return false;
  if (unlink(hot) != 0 && errno != ENOENT) return false;
  return rename(fresh, path) == 0;
}

/* Writes every whole record of journal->path into a fresh journal at `fresh_path`. */
static run_journal_status rescue_into(run_journal *journal, const char *fresh_path, rescue *r) {
  r->fresh->db = NULL;
  unlink(fresh_path);
  r->status = open_database(r->fresh, fresh_path, true);
  if (r->status == RUN_JOURNAL_OK) r->status = create_tables(r->fresh);
  if (r->status == RUN_JOURNAL_OK) r->status = prepare_all(r->fresh);
  if (r->status == RUN_JOURNAL_OK) r->status = run_journal_begin(r->fresh);
  if (r->status == RUN_JOURNAL_OK && !run_salvage_scan(journal->path, keep_record, r) &&
      r->status == RUN_JOURNAL_OK) {
    say(r->fresh, "cannot read the damaged journal %s: %s", journal->path, strerror(errno));
    r->status = RUN_JOURNAL_FAILED;
  }
  if (r->status == RUN_JOURNAL_OK) r->status = run_journal_commit(r->fresh);
  close_database(r->fresh);
  if (r->status != RUN_JOURNAL_OK) unlink(fresh_path);
  return r->status;
}

/* Called with the exclusive lock and the reason in journal->message. */
static run_journal_status replace_damaged(run_journal *journal) {
  char reason[sizeof journal->message], aside[PATH_MAX + 32], fresh_path[PATH_MAX + 32];
  memcpy(reason, journal->message, sizeof reason);
  close_database(journal);
  snprintf(fresh_path, sizeof fresh_path, "%s.salvaged", journal->path);
  rescue r = {.fresh = calloc(1, sizeof *r.fresh)};
  if (r.fresh == NULL) return RUN_JOURNAL_FAILED;
  snprintf(r.fresh->path, sizeof r.fresh->path, "%s", journal->path);
  run_journal_status status = rescue_into(journal, fresh_path, &r);
  if (status != RUN_JOURNAL_OK) {
    say(journal, "%.900s, and could not be repaired: %.900s", reason, r.fresh->message);
  } else if (!set_aside(journal->path, fresh_path, aside, sizeof aside)) {
    say(journal, "%.900s, and could not be set aside: %s", reason, strerror(errno));
    status = RUN_JOURNAL_DENIED;
  } else {
    say(journal, "%.900s: %llu finished replicates were recovered from it; it is kept as %.900s",
        reason, (unsigned long long)r.rows, aside);
  }
  free(r.fresh);
  return status;
}

/* ---- opening ---- */

/* Takes the lock; *alone tells whether nobody else holds one. */
static run_journal_status take_lock(run_journal *journal, bool *alone) {
  char path[PATH_MAX + 8];
  snprintf(path, sizeof path, "%s-lock", journal->path);
  journal->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (journal->lock < 0) {
    *alone = false;
    if (journal->mode == RUN_JOURNAL_INSPECT) return RUN_JOURNAL_OK;
    say(journal, "cannot write the journal %s: %s", journal->path, strerror(errno));
    return errno == ENOSPC || errno == EDQUOT ? RUN_JOURNAL_FULL : RUN_JOURNAL_DENIED;
  }
  *alone = flock(journal->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (*alone) return RUN_JOURNAL_OK; /* or on a file system that knows no locks */
  if (journal->mode == RUN_JOURNAL_OWN) {
    say(journal, "the journal %s is in use by another run", journal->path);
    return RUN_JOURNAL_BUSY;
  }
  while (flock(journal->lock, LOCK_SH) != 0 && errno == EINTR) continue;
  return RUN_JOURNAL_OK;
}

static void share_lock(const run_journal *journal) {
  if (journal->lock >= 0 && journal->mode != RUN_JOURNAL_OWN)
    while (flock(journal->lock, LOCK_SH) != 0 && errno == EINTR) continue;
}

static run_journal_status open_and_check(run_journal *journal) {
  const bool creating = journal->mode == RUN_JOURNAL_SHARE, existed = exists(journal->path);
  run_journal_status status = check_header(journal);
  if (status != RUN_JOURNAL_OK && status != RUN_JOURNAL_ABSENT) return status;
  if (!existed && !creating) {
    say(journal, "there is no journal %s", journal->path);
    return RUN_JOURNAL_ABSENT;
  }
  status = open_database(journal, journal->path, creating);
  if (status != RUN_JOURNAL_OK) return status;
  /* Opening has undone a commit that was cut short, if there was one: now the header counts. */
  status = check_header(journal);
  if (status == RUN_JOURNAL_ABSENT) {
    if (!creating) return RUN_JOURNAL_ABSENT;
    status = create_tables(journal);
    if (status == RUN_JOURNAL_OK && existed)
      say(journal, "the journal %s was empty: nothing finished before is known", journal->path);
  }
  return status == RUN_JOURNAL_OK ? check_database(journal) : status;
}

static run_journal_status open_shared(run_journal *journal) {
  bool alone = false;
  run_journal_status status = take_lock(journal, &alone);
  if (status != RUN_JOURNAL_OK) return status;
  status = open_and_check(journal);
  if (status == RUN_JOURNAL_DAMAGED && journal->mode != RUN_JOURNAL_INSPECT) {
    if (!alone) {
      char reason[sizeof journal->message];
      memcpy(reason, journal->message, sizeof reason);
      say(journal, "%.900s and in use by another run: wait for that one to end, then run again",
          reason);
      return RUN_JOURNAL_BUSY;
    }
    status = replace_damaged(journal);
    if (status == RUN_JOURNAL_OK) {
      char notice[sizeof journal->message];
      memcpy(notice, journal->message, sizeof notice);
      status = open_and_check(journal);
      if (status == RUN_JOURNAL_OK) memcpy(journal->message, notice, sizeof notice);
    }
  } else if (status == RUN_JOURNAL_OK && !alone && journal->mode == RUN_JOURNAL_SHARE &&
             journal->message[0] == '\0') {
    say(journal, "another run is using the journal %s: what either finishes, both keep",
        journal->path);
  }
  share_lock(journal);
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
  if (path == NULL) {
    status = open_database(j, "", true);
    if (status == RUN_JOURNAL_OK) status = create_tables(j);
    if (status == RUN_JOURNAL_OK) status = prepare_all(j);
  } else if (strlen(path) >= sizeof j->path) {
    say(j, "the path of the journal is too long");
    status = RUN_JOURNAL_FAILED;
  } else {
    snprintf(j->path, sizeof j->path, "%s", path);
    if (mode == RUN_JOURNAL_READ) {
      status = open_database(j, path, false);
      if (status == RUN_JOURNAL_OK) status = prepare_all(j);
    } else {
      status = open_shared(j);
    }
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

run_journal_status run_journal_repair(run_journal *journal) {
  if (flock(journal->lock, LOCK_EX | LOCK_NB) != 0) {
    char reason[sizeof journal->message];
    memcpy(reason, journal->message, sizeof reason);
    say(journal, "%.900s and in use by another run: wait for that one to end, then run again",
        reason);
    return RUN_JOURNAL_BUSY;
  }
  run_journal_status status = replace_damaged(journal);
  if (status == RUN_JOURNAL_OK) {
    char notice[sizeof journal->message];
    memcpy(notice, journal->message, sizeof notice);
    status = open_and_check(journal);
    if (status == RUN_JOURNAL_OK) memcpy(journal->message, notice, sizeof notice);
  }
  share_lock(journal);
  return status;
}

/* ---- phases ---- */

static run_journal_status find_phase(run_journal *journal, const uint8_t *key, int64_t *phase) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status =
      prepare(journal, "SELECT phase FROM phase WHERE key = ?1", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  sqlite3_bind_blob(statement, 1, key, RUN_SHA256_SIZE, SQLITE_STATIC);
  const int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    *phase = sqlite3_column_int64(statement, 0);
  else
    status = code == SQLITE_DONE ? RUN_JOURNAL_ABSENT : status_of(journal, code);
  sqlite3_finalize(statement);
  return status;
}

static run_journal_status insert_phase(run_journal *journal, const uint8_t *key,
                                       const char *description, int64_t *phase) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status =
      prepare(journal, "INSERT INTO phase(key, description) VALUES(?1, ?2)", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  sqlite3_bind_blob(statement, 1, key, RUN_SHA256_SIZE, SQLITE_STATIC);
  sqlite3_bind_text(statement, 2, description, -1, SQLITE_STATIC);
  status = status_of(journal, sqlite3_step(statement));
  sqlite3_finalize(statement);
  if (status != RUN_JOURNAL_OK) return status;
  *phase = sqlite3_last_insert_rowid(journal->db);
  run_bytes bytes = {0};
  const run_record record = {.key = key,
                             .inputs = "",
                             .value = (const uint8_t *)description,
                             .value_length = strlen(description)};
  status = run_record_make(&record, &bytes)
               ? run_journal_put(journal, *phase, 0, bytes.data, bytes.length)
               : RUN_JOURNAL_FAILED;
  run_bytes_free(&bytes);
  return status;
}

run_journal_status run_journal_phase(run_journal *journal, const uint8_t key[RUN_SHA256_SIZE],
                                     const char *description, bool create, int64_t *phase) {
  run_journal_status status = find_phase(journal, key, phase);
  if (status != RUN_JOURNAL_ABSENT || !create) return status;
  const bool nested = journal->in_transaction;
  if (!nested) status = run_journal_begin(journal);
  if (nested || status == RUN_JOURNAL_OK) {
    status = find_phase(journal, key, phase); /* another run may have been faster */
    if (status == RUN_JOURNAL_ABSENT) status = insert_phase(journal, key, description, phase);
  }
  if (!nested && journal->in_transaction) {
    if (status == RUN_JOURNAL_OK) return run_journal_commit(journal);
    sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
    journal->in_transaction = false;
  }
  return status;
}

run_journal_status run_journal_phases(run_journal *journal, run_journal_visit_phase visit,
                                      void *context) {
  sqlite3_stmt *statement = NULL;
  run_journal_status status =
      prepare(journal, "SELECT phase, key, description FROM phase ORDER BY phase", &statement);
  if (status != RUN_JOURNAL_OK) return status;
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    uint8_t key[RUN_SHA256_SIZE];
    if (sqlite3_column_bytes(statement, 1) != RUN_SHA256_SIZE) continue;
    memcpy(key, sqlite3_column_blob(statement, 1), sizeof key);
    const char *text = (const char *)sqlite3_column_text(statement, 2);
    if (!visit(context, sqlite3_column_int64(statement, 0), key, text != NULL ? text : "")) break;
  }
  if (code != SQLITE_ROW && code != SQLITE_DONE) status = status_of(journal, code);
  sqlite3_finalize(statement);
  return status;
}

/* ---- rows ---- */

static int64_t row_id(int64_t phase, uint64_t index) {
  return (int64_t)((uint64_t)phase << INDEX_BITS | index);
}

static run_journal_status check_row(run_journal *journal, int64_t id, run_record *record) {
  const uint8_t *bytes = sqlite3_column_blob(journal->scan, 1);
  const int length = sqlite3_column_bytes(journal->scan, 1);
  const uint64_t index = (uint64_t)id & ((UINT64_C(1) << INDEX_BITS) - 1);
  if (bytes != NULL && run_record_parse(bytes, (size_t)length, record) && record->index == index)
    return RUN_JOURNAL_OK;
  char how[64];
  snprintf(how, sizeof how, "the row of replicate %llu fails its check", (unsigned long long)index);
  return damaged(journal, how);
}

run_journal_status run_journal_scan(run_journal *journal, int64_t phase, uint64_t first,
                                    uint64_t last, run_journal_visit visit, void *context) {
  int64_t next = row_id(phase, first);
  const int64_t end = row_id(phase, last);
  bool going = true;
  while (going && next <= end) {
    sqlite3_bind_int64(journal->scan, 1, next);
    sqlite3_bind_int64(journal->scan, 2, end);
    run_journal_status status = RUN_JOURNAL_OK;
    int code = SQLITE_DONE, rows = 0;
    while (going && status == RUN_JOURNAL_OK &&
           (code = sqlite3_step(journal->scan)) == SQLITE_ROW) {
      run_record record;
      const int64_t id = sqlite3_column_int64(journal->scan, 0);
      status = check_row(journal, id, &record);
      if (status == RUN_JOURNAL_OK) going = visit(context, &record);
      next = id + 1;
      rows++;
    }
    if (status == RUN_JOURNAL_OK) status = status_of(journal, code);
    sqlite3_reset(journal->scan);
    if (status != RUN_JOURNAL_OK) return status;
    if (rows == 0) break;
  }
  return RUN_JOURNAL_OK;
}

bool run_journal_has(run_journal *journal, int64_t phase, uint64_t index) {
  sqlite3_bind_int64(journal->has, 1, row_id(phase, index));
  const bool found = sqlite3_step(journal->has) == SQLITE_ROW;
  sqlite3_reset(journal->has);
  return found;
}

bool run_journal_changed(run_journal *journal) {
  int64_t version = journal->data_version;
  if (sqlite3_step(journal->version) == SQLITE_ROW)
    version = sqlite3_column_int64(journal->version, 0);
  sqlite3_reset(journal->version);
  const bool changed = journal->data_version != 0 && version != journal->data_version;
  journal->data_version = version;
  return changed;
}

static run_journal_status roll_back(run_journal *journal, run_journal_status status) {
  sqlite3_exec(journal->db, "ROLLBACK", NULL, NULL, NULL);
  journal->in_transaction = false;
  return status;
}

run_journal_status run_journal_begin(run_journal *journal) {
  const run_journal_status status = execute(journal, "BEGIN IMMEDIATE");
  journal->in_transaction = status == RUN_JOURNAL_OK;
  return status;
}

run_journal_status run_journal_put(run_journal *journal, int64_t phase, uint64_t index,
                                   const uint8_t *record, size_t length) {
  if (index >> INDEX_BITS != 0 || length > INT_MAX) {
    say(journal, "a result of %zu bytes is too large for the journal", length);
    return roll_back(journal, RUN_JOURNAL_FAILED);
  }
  sqlite3_bind_int64(journal->put, 1, row_id(phase, index));
  sqlite3_bind_blob64(journal->put, 2, record, length, SQLITE_STATIC);
  const run_journal_status status = status_of(journal, sqlite3_step(journal->put));
  sqlite3_reset(journal->put);
  sqlite3_clear_bindings(journal->put);
  return status == RUN_JOURNAL_OK ? status : roll_back(journal, status);
}

run_journal_status run_journal_commit(run_journal *journal) {
  const run_journal_status status = execute(journal, "COMMIT");
  if (status != RUN_JOURNAL_OK) return roll_back(journal, status);
  journal->in_transaction = false;
  return status;
}

run_journal_status run_journal_remove(run_journal *journal, int64_t phase) {
  char sql[256];
  snprintf(sql, sizeof sql,
           "BEGIN IMMEDIATE; DELETE FROM replicate WHERE id BETWEEN %lld AND %lld; "
           "DELETE FROM phase WHERE phase = %lld; COMMIT",
           (long long)row_id(phase, 0), (long long)row_id(phase, (UINT64_C(1) << INDEX_BITS) - 1),
           (long long)phase);
  const run_journal_status status = execute(journal, sql);
  return status == RUN_JOURNAL_OK ? status : roll_back(journal, status);
}

run_journal_status run_journal_compact(run_journal *journal) { return execute(journal, "VACUUM"); }
