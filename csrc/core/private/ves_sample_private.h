/* ves_sample_private: what the scalar sampler and its vector kernel share. */
#ifndef VES_SAMPLE_PRIVATE_H
#define VES_SAMPLE_PRIVATE_H

#include "ves_rng.h"
#include "ves_sample.h"

struct ves_sampler {
  size_t k, n, words;
  uint32_t *input;       /* k: which inputs these are */
  size_t *output;        /* n: the output at each position */
  double *bound;         /* n: its largest possible activity, descending */
  double *effective;     /* k x n, by position */
  ves_thresholds *tries; /* k: release probabilities, by position */
  uint64_t *mask;        /* k words: who transmits among 64 positions */
  /* For the vector kernel: */
  size_t majors;     /* inputs that are not minor: that contribute enough to decide often */
  size_t *major;     /* which of the k these are, ascending */
  double *strong;    /* n x majors: effective weights, by position */
  double *slack;     /* n: at least what the minor inputs can add at a position */
  double minor_most; /* the largest activity that minor inputs alone can give an output */
  uint64_t *ties;    /* majors: who is undecided by the coarse byte */
  uint64_t *ahead;   /* 2 majors: masks and ties of the next draw */
};

/* The winner of one draw, from the definition. */
uint32_t ves_sampler_winner(ves_sampler *s, uint64_t key, uint64_t draw);

/* The same, and its activity. */
uint32_t ves_sampler_strongest(ves_sampler *s, uint64_t key, uint64_t draw, double *y);

/* ves_sampler_winners by the vector kernel; false if there is none to use. */
bool ves_sampler_winners_avx2(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner);

#endif
