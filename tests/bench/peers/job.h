/* The reference job, as far as all C programs do it alike: its sizes, the clock, what is printed.
 *
 * A program does the job again and again for BENCH_SECONDS of processor time (a second unless
 * told), at least twice. It prints `phase<TAB>seconds` for each phase of each round, then
 * `check<TAB>name<TAB>value` for what must agree with the other programs. */
#ifndef PEER_JOB_H
#define PEER_JOB_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 100, ROWS = 4000, ITERATIONS = 5000, DRAWS = 1000, INPUTS = 5 };
static const double LO = -6, HI = 6, SIGMA = 0.05, RATE = 0.01, FLOOR = 1e-4, ACTIVE = 1e-3;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints what passed since the last call, under a name unless that is NULL. */
static void timed(const char *phase) {
  static double last;
  if (phase != NULL) printf("%s\t%.9f\n", phase, now() - last);
  last = now();
}

static double value_of(int input) { return -4 + 2 * input; }
static inline double center_of(int j) { return LO + (HI - LO) * j / (N - 1); }

static inline double sd_of(const double *v, int n) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; i++) sum += v[i];
  for (int i = 0; i < n; i++) squares += (v[i] - sum / n) * (v[i] - sum / n);
  return sqrt(squares / (n - 1));
}

/* Means of matrices: `strongest` is that of the learned release of each row's strongest synapse,
 * `repaired` that of what the amplitude rule learned. */
static inline void print_checks(double evidence, double analytic, double learned, double strongest,
                                double repaired, const double *sd) {
  printf("check\tevidence\t%.17g\ncheck\tanalytic\t%.17g\n", evidence, analytic);
  printf("check\tlearned\t%.17g\ncheck\tstrongest\t%.17g\n", learned, strongest);
  printf("check\tamplitude\t%.17g\n", repaired);
  for (int i = 0; i < 2 * INPUTS; i++) printf("check\tsd%d\t%.17g\n", i + 1, sd[i]);
}

static unsigned long long seed_of(int argc, char **argv) {
  return argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
}

/* Does the job until the time is over. */
static void repeat(void (*job)(uint64_t round)) {
  const char *text = getenv("BENCH_SECONDS");
  const double seconds = text != NULL ? strtod(text, NULL) : 1.0, start = now();
  for (uint64_t round = 0; round < 2 || now() - start < seconds; round++) job(round);
}

#endif
