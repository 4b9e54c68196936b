/* ves_learn_private: what all learning rules share, and the scalar code with its vector kernels:
 * the memory of rows that learn, and who transmits in a draw. */
#ifndef VES_LEARN_PRIVATE_H
#define VES_LEARN_PRIVATE_H

#include "ves_learn.h"
#include "ves_rng.h"

/* ---- vectors side by side ---- */

/* Rows that learn side by side in a vector kernel at most, how many synapses they have together if
 * there is more than one, and iterations whose random bytes are made at once. */
#define VES_LEARN_LANES  20
#define VES_LEARN_BESIDE 2560
#define VES_LEARN_BATCH  16

/* With AVX-512 there are so many times as many, and it is used for masks of so many words: what waits
 * for a pass to end takes longer than what fewer words save. */
#define VES_LEARN_WIDE   5
#define VES_LEARN_ENOUGH 16

/* And if there are so many words, rows are dealt to columns (ves_columns_avx512.h), each with so many
 * members at most; a line more than that is room to write into, and no two columns begin at the same
 * place of a page. */
#define VES_LEARN_DEAL    40
#define VES_LEARN_COLUMNS 8
#define VES_LEARN_LISTED  4096
#define VES_LEARN_COLUMN  (VES_LEARN_LISTED + 64)

/* Their state. The synapse of rank r in lane l stands at VES_LEARN_GUARD + l * stride + r; what is
 * past the n of a lane has weight and threshold 0. In front of all lanes and behind them is room
 * that the kernel may touch. */
#define VES_LEARN_GUARD 64
typedef struct {
  size_t room;   /* synapses, of all lanes together */
  size_t stride; /* 64 times the words of a mask */
  size_t *order; /* rank -> index */
  struct {       /* where there are orders of earlier weights */
    size_t n, stride, lanes;
  } sorted;
  double *weight;  /* by rank */
  double *state;   /* by rank: what is learned, a release or an amplitude */
  size_t apart;    /* how far apart those of two ranks are: 1, or 2 where both stand side by side */
  double *updates; /* by rank: how many there have been, where a rule asks for it */
  uint8_t *coarse; /* releases as thresholds: their coarse bytes */
  uint8_t *bytes;  /* random bytes of a batch, lane by lane */
  struct {         /* what they are of; no lanes: of nothing */
    uint64_t key, draw;
    uint32_t row;
    size_t n, stride, lanes;
  } made;
  uint64_t *mask;        /* who transmits in an iteration, lane by lane */
  uint64_t *tie;         /* whose bytes tie in it: rank in the upper half, lane in the lower */
  uint64_t *tied;        /* with AVX-512: the same as masks, and below */
  uint64_t *tie_word;    /* which words of masks the ties in the queue are of */
  uint16_t *column;      /* where the members of the rows of each column stand */
  uint8_t *row_end;      /* column by column, where in it rows end: 1 past the last member of one */
  size_t *end;           /* where the members of each lane end in the list */
  uint32_t *member;      /* where the members of all lanes' subsets stand */
  double *member_amount; /* what they transmit: their weights, or their amplitudes */
  double *member_weaker; /* what the weaker members of their lane transmit together */
  double *member_size;   /* how many they are with this one, where a rule asks for it */
  double *member_rest;   /* how many synapses there are from this one down, likewise */
  double *weaker;        /* by rank: sum of the states of all weaker synapses, likewise */
} ves_learn_lanes;

/* How many of `rows` rows of n synapses learn side by side. */
size_t ves_learn_lanes_of(size_t rows, size_t n);

/* Room for `lanes` rows of n, kept for the next call, and the stride for them; false when out of
 * memory. */
bool ves_learn_lanes_reserve(ves_learn_lanes *s, size_t lanes, size_t n);

/* Whether weights and states will stand side by side, as the AVX-512 kernels read them, or each have an
 * array of their own. Said before anything is put there. */
void ves_learn_lanes_pair(ves_learn_lanes *s, bool paired);

/* The order of lane `lane`, whose n weights w stand behind those of the lane before. Runs side by
 * side have the same weights: such a lane takes the order of the one before. The others begin with the
 * order that the lane had for the weights before: whoever learns in small steps has nearly the same. */
void ves_learn_lanes_sort(ves_learn_lanes *s, size_t lane, const double *w, size_t n);

/* ---- one vector, by the definition ---- */

struct ves_learn_workspace {
  size_t room;            /* synapses it was allocated for */
  size_t *order;          /* rank -> index */
  double *weight;         /* by rank */
  double *state;          /* by rank: what is learned, a release or an amplitude */
  double *weaker;         /* by rank: sum of q over all weaker synapses, where a rule asks for it */
  double *target_sum;     /* by rank: of the targets so far, where the caller asks for them */
  double *updates;        /* by rank: how many there have been, where anybody asks */
  ves_thresholds tries;   /* releases as thresholds, by rank */
  uint64_t *mask;         /* one bit per rank */
  size_t *member;         /* ranks of the subset, weakest first */
  double *member_sum;     /* sum of weights from the weakest member to this one */
  double *member_weaker;  /* sum of q, or of amplitudes, over the weaker members */
  ves_learn_lanes beside; /* empty until a kernel needs it */
};

/* Narrows the workspace to n synapses: thresholds past them must fail. */
void ves_learn_narrow(ves_learn_workspace *ws, size_t n);

/* Draws who of the n synapses in ws transmits, at (key, draw, row), and lists their ranks in
 * ws->member, the weakest first; returns how many they are. */
size_t ves_learn_subset(ves_learn_workspace *ws, size_t n, uint64_t key, uint64_t draw,
                        uint32_t row);

/* ---- the rules of the original ---- */

/* One iteration of the scalar code: draws a mask over the n synapses in ws, strongest first, and
 * updates the subset. ws->tries has probability 0 for weights of zero, so they are never members.
 * On return members [*from, *to) of ws->member have changed. */
ves_status ves_learn_iterate(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                             double rate, uint64_t key, uint64_t draw, uint32_t row, size_t *from,
                             size_t *to);

/* The part of it after the mask: the `size` members are there. */
ves_status ves_learn_update(ves_learn_workspace *ws, size_t n, size_t size,
                            const ves_learn_options *opt, double rate, size_t *from);

/* g^e, by squaring where e is a whole number up to VES_LEARN_SQUARED, otherwise by the logarithm; no
 * share above 1 is asked. */
#define VES_LEARN_SQUARED 1024
double ves_learn_power(double g, double e);

/* Whether a rule asks for the states of all synapses, not only of the members. */
bool ves_learn_needs_all(const ves_learn_options *opt);

/* The rate of iteration t. */
double ves_learn_rate(const ves_learn_options *opt, uint64_t t);

/* Whether the vector kernel is in use and knows the rule: not a power whose exponent is no whole
 * number, a mean over the subset, or a rule in Lua. */
bool ves_learn_avx2_knows(const ves_learn_options *opt);

/* Iterations t, ..., t + count - 1 on the first `lanes` lanes of n synapses, iteration t of lane l
 * drawing at (key, draw, row + l): same bits as the scalar code. */
void ves_learn_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count);

/* ---- the same with AVX-512, for ves_learn_lanes_avx2 to call ---- */

/* ves_learn_bytes_avx2 without its keys, of `rows` rows one behind the other, where no draw has another
 * high half. */
void ves_learn_bytes_avx512(uint64_t key, uint64_t draw, uint32_t row, size_t rows, size_t n,
                            size_t stride, uint8_t *bytes);

/* Whether AVX-512 is in use, its kernel knows the rule, and rows are many or long enough. */
bool ves_learn_avx512_knows(const ves_learn_options *opt, size_t lanes, size_t n);

/* Iterations t, ..., t + batch - 1, whose random bytes are those from number `at` of a batch on. */
void ves_learn_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                            size_t at, uint64_t batch, const ves_learn_options *opt, uint64_t draw,
                            uint32_t row, uint64_t t);

#endif
