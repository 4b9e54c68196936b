/* run_progress: how far a phase has come, on stderr. The rate counts what this run computed, not
 * what it found in the journal. A phase that is over before anybody could wonder says nothing. */
#include "run_progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 2.0 /* seconds before the first word */

double run_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void format_duration(double seconds, char *text, size_t size) {
  const long long s = (long long)(seconds + 0.5);
  if (s < 60)
    snprintf(text, size, "%lld s", s);
  else if (s < 3600)
    snprintf(text, size, "%lld min %02lld s", s / 60, s % 60);
  else
    snprintf(text, size, "%lld h %02lld min", s / 3600, s / 60 % 60);
}

/* "3.1/s, 58 s left", or "" before anything is known. */
static void format_rate(const run_progress *p, uint64_t done, char *text, size_t size) {
  const double elapsed = run_now() - p->start;
  const uint64_t fresh = done - p->before;
  text[0] = '\0';
  if (fresh == 0 || elapsed <= 0) return;
  const double rate = (double)fresh / elapsed;
  char rest[48];
  format_duration((double)(p->total - done) / rate, rest, sizeof rest);
  const int digits = rate >= 100 ? 0 : rate >= 1 ? 1 : 3;
  if (done < p->total)
    snprintf(text, size, ", %.*f/s, %s left", digits, rate, rest);
  else {
    format_duration(elapsed, rest, sizeof rest);
    snprintf(text, size, ", %.*f/s, %s", digits, rate, rest);
  }
}

/* A bar is drawn over and over in one line, so whoever draws it must be alone on the terminal: make
 * may run several of us at once. */
static bool has_the_terminal(void) {
  return isatty(STDERR_FILENO) == 1 && getenv("MAKELEVEL") == NULL;
}

void run_progress_begin(run_progress *progress, const char *label, uint64_t total, uint64_t before,
                        bool quiet) {
  *progress = (run_progress){.label = label,
                             .total = total,
                             .before = before,
                             .quiet = quiet,
                             .terminal = has_the_terminal(),
                             .start = run_now()};
  if (quiet || total == 0) return;
  progress->tenths = (int)(10 * before / total);
  progress->told = before;
  if (before > 0 && before < total)
    fprintf(stderr, "%s: %llu of %llu were in the journal\n", label, (unsigned long long)before,
            (unsigned long long)total);
}

static void show_bar(run_progress *p, uint64_t done) {
  char rate[96], line[320];
  format_rate(p, done, rate, sizeof rate);
  struct winsize window = {0};
  const int columns =
      ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= 40 ? window.ws_col : 80;
  char text[256];
  snprintf(text, sizeof text, " %llu/%llu%s", (unsigned long long)done,
           (unsigned long long)p->total, rate);
  int width = columns - (int)strlen(text) - (int)strlen(p->label) - 4;
  width = width > 40 ? 40 : width;
  char bar[64] = "";
  if (width >= 5) {
    const int full = (int)((double)width * (double)done / (double)p->total);
    memset(bar, ' ', sizeof bar);
    memset(bar + 1, '#', (size_t)full);
    bar[0] = '[';
    bar[width + 1] = ']';
    bar[width + 2] = '\0';
  }
  snprintf(line, sizeof line, "%s %s%s", p->label, bar, text);
  fprintf(stderr, "\r%.*s\033[K", columns - 1, line);
  fflush(stderr);
}

static void show_line(run_progress *p, uint64_t done) {
  char rate[96];
  format_rate(p, done, rate, sizeof rate);
  fprintf(stderr, "%s: %llu of %llu (%d%%)%s\n", p->label, (unsigned long long)done,
          (unsigned long long)p->total, (int)(100 * done / p->total), rate);
  p->told = done;
}

void run_progress_show(run_progress *p, uint64_t done) {
  const double now = run_now();
  if (p->quiet || p->total == 0 || now - p->start < PATIENCE) return;
  if (p->terminal) {
    if (done < p->total && now - p->shown < 0.1) return;
    p->shown = now;
    show_bar(p, done);
    return;
  }
  const int tenths = (int)(10 * done / p->total);
  if (tenths <= p->tenths) return;
  p->tenths = tenths;
  show_line(p, done);
}

void run_progress_end(run_progress *p, uint64_t done) {
  if (p->quiet || p->total == 0 || done == p->before || run_now() - p->start < PATIENCE) return;
  if (p->terminal) {
    show_bar(p, done);
    fputc('\n', stderr);
  } else if (done != p->told) { /* some failed, or it was interrupted between two tenths */
    show_line(p, done);
  }
}
