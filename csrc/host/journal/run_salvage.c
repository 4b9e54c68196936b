/* run_salvage: records out of the raw bytes of a damaged journal.
 *
 * One flipped bit in the right place makes a whole database unreadable to SQLite, and yet every
 * record but one is still in the file. A record says what it is (run_record), so we look for the
 * mark and check the checksum; no page header, pointer or schema needs to be intact.
 *
 * A record longer than a page continues on overflow pages: after the part on the first page, of
 *
 *     K = M + (P - M) mod (U - 4)  bytes if that is at most X, M bytes otherwise,
 *     X = U - 35,  M = (U - 12) * 32 / 255 - 23,  P the payload, U the page size,
 *
 * stand four bytes with the number of the next page, which starts with the number of the one after
 * it (SQLite file format, sections 1.5 and 1.6). The payload is SQLite's header of the row (its
 * length, a NULL for the row's number, the blob's type), then the record. */
#include "run_salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const uint8_t *bytes;
  size_t length;
} image;

static size_t varint_size(uint64_t value) {
  size_t size = 1;
  while (value >>= 7) size++;
  return size;
}

/* Bytes of a record of this length that stand on its first page. */
static size_t local_part(uint64_t length) {
  const uint64_t usable = RUN_JOURNAL_PAGE;
  const uint64_t type = 2 * length + 12;
  const uint64_t header = 1 + 1 + varint_size(type); /* its own length, the NULL, the blob */
  const uint64_t payload = header + length;
  const uint64_t most = usable - 35, least = (usable - 12) * 32 / 255 - 23;
  if (payload <= most) return (size_t)length;
  const uint64_t kept = least + (payload - least) % (usable - 4);
  return (size_t)((kept <= most ? kept : least) - header);
}

/* Gathers the record at `at`; the bytes are in *whole (possibly just pointing into the image). */
static bool gather(const image *file, size_t at, uint64_t length, run_bytes *scratch,
                   const uint8_t **whole) {
  const size_t local = local_part(length);
  if (local > file->length - at) return false;
  *whole = file->bytes + at;
  if (local == length) return true;
  scratch->length = 0;
  if (!run_bytes_add(scratch, file->bytes + at, local)) return false;
  size_t next = at + local;
  while (scratch->length < length) {
    if (file->length - next < 4) return false;
    const uint8_t *p = file->bytes + next;
    const size_t page = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
    if (page < 2 || page > file->length / RUN_JOURNAL_PAGE) return false;
    next = (page - 1) * RUN_JOURNAL_PAGE;
    const uint64_t rest = length - scratch->length, room = RUN_JOURNAL_PAGE - 4;
    if (!run_bytes_add(scratch, file->bytes + next + 4, (size_t)(rest < room ? rest : room)))
      return false;
  }
  *whole = scratch->data;
  return true;
}

static bool scan(const image *file, run_salvage_found found, void *context) {
  run_bytes scratch = {0};
  bool going = true;
  for (size_t at = 0; going && at + RUN_RECORD_HEAD <= file->length;) {
    const uint8_t *mark =
        memchr(file->bytes + at, RUN_RECORD_MARK[0], file->length - RUN_RECORD_HEAD - at + 1);
    if (mark == NULL) break;
    at = (size_t)(mark - file->bytes);
    const uint64_t length = run_record_length(mark, file->length);
    const uint8_t *whole = NULL;
    run_record record;
    if (length > 0 && gather(file, at, length, &scratch, &whole) &&
        run_record_parse(whole, (size_t)length, &record))
      going = found(context, &record, whole, (size_t)length);
    at++;
  }
  run_bytes_free(&scratch);
  return going;
}

bool run_salvage_scan(const char *path, run_salvage_found found, void *context) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat status;
  bool good = fstat(fd, &status) == 0;
  if (good && status.st_size > 0) {
    const size_t length = (size_t)status.st_size;
    void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    good = bytes != MAP_FAILED;
    if (good) {
      const image file = {bytes, length};
      good = scan(&file, found, context);
      munmap(bytes, length);
    }
  }
  close(fd);
  return good;
}
