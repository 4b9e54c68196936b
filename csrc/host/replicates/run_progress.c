/* run_progress: how far a phase has come, on stderr. The rate counts what this run computed, not
 * what it found in the journal. A phase that is over before anybody could wonder says nothing. */
#include "run_progress.h"

#include <stdio.h>
#include <stdlib.h>
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

/* ", 3.1/s, 58 s left", at the end the time it took, or "" before anything is known. */
static void format_rate(const run_progress *p, uint64_t done, char *text, size_t size) {
  const double elapsed = run_now() - p->start, rate = (double)(done - p->before) / elapsed;
  char time[48];
  text[0] = '\0';
  if (!(rate > 0)) return;
  const bool over = done == p->total;
  format_duration(over ? elapsed : (double)(p->total - done) / rate, time, sizeof time);
  snprintf(text, size, ", %.*f/s, %s%s",
           rate >= 100 ? 0
           : rate >= 1 ? 1
                       : 3,
           rate, time, over ? "" : " left");
}

void run_progress_begin(run_progress *progress, const char *label, uint64_t total, uint64_t before,
                        bool quiet) {
  /* A line that is drawn over and over needs the terminal for itself: make may run several of us. */
  const bool alone = isatty(STDERR_FILENO) == 1 && getenv("MAKELEVEL") == NULL;
  *progress = (run_progress){.label = label,
                             .total = total,
                             .before = before,
                             .told = before,
                             .quiet = quiet || total == 0,
                             .terminal = alone,
                             .start = run_now()};
  if (!progress->quiet && before > 0 && before < total)
    fprintf(stderr, "%s: %llu of %llu were in the journal\n", label, (unsigned long long)before,
            (unsigned long long)total);
}

static void tell(run_progress *p, uint64_t done, const char *begin, const char *end) {
  char rate[96], line[320];
  format_rate(p, done, rate, sizeof rate);
  snprintf(line, sizeof line, "%s: %llu of %llu (%d%%)%s", p->label, (unsigned long long)done,
           (unsigned long long)p->total, (int)(100 * done / p->total), rate);
  fprintf(stderr, "%s%.*s%s", begin, p->terminal ? 79 : 319, line, end);
  p->told = done;
  p->shown = run_now();
}

void run_progress_show(run_progress *p, uint64_t done) {
  const double now = run_now();
  if (p->quiet || now - p->start < PATIENCE) return;
  if (p->terminal && now - p->shown >= 0.1)
    tell(p, done, "\r", "\033[K");
  else if (!p->terminal && 10 * done / p->total > 10 * p->told / p->total)
    tell(p, done, "", "\n");
}

void run_progress_end(run_progress *p, uint64_t done) {
  if (p->quiet || done == p->before || run_now() - p->start < PATIENCE) return;
  if (p->terminal)
    tell(p, done, "\r", "\033[K\n");
  else if (done != p->told) /* some failed, or it was interrupted between two tenths */
    tell(p, done, "", "\n");
}
