/* What the Python package calls, as the headers of the core have it. library.py reads this file, and
 * tests/program/python.sh lets a C compiler compare it with vesicle.h. */
#ifndef VESICLE_PROTOTYPES_H
#define VESICLE_PROTOTYPES_H

const char *ves_version(void);
const char *ves_status_message(ves_status status);
const char *ves_simd_select(bool on);
void ves_stop(bool stop);

uint64_t ves_key_root(uint64_t seed);
uint64_t ves_key_integer(uint64_t key, int64_t value);
uint64_t ves_key_real(uint64_t key, double value);
uint64_t ves_key_string(uint64_t key, const char *bytes, size_t length);
ves_status ves_stream_uniform(uint64_t key, uint64_t first, size_t n, double *out);
ves_status ves_stream_normal(uint64_t key, uint64_t first, double mu, double sd, size_t n,
                             double *out);
ves_status ves_stream_beta(uint64_t key, uint64_t first, double a, double b, size_t n, double *out);
ves_status ves_stream_bernoulli(uint64_t key, uint64_t first, double p, size_t n, double *out);
ves_status ves_stream_integer(uint64_t key, uint64_t first, uint64_t most, size_t n, double *out);
void ves_stream_permutation(uint64_t key, uint64_t draw, size_t n, double *out);

ves_status ves_code_alloc(ves_code *code, size_t n, double lo, double hi, double sigma,
                          ves_spacing spacing);
void ves_code_free(ves_code *code);
void ves_code_encode(const ves_code *code, double x, double *rate);
size_t ves_code_default_grid(const ves_code *code);
ves_status ves_code_mean(const ves_code *code, const double *y, double *mean);
ves_status ves_decoder_alloc(ves_decoder *d, const ves_code *code, size_t grid);
void ves_decoder_free(ves_decoder *d);
ves_status ves_decoder_decode(const ves_decoder *d, const double *y, double *z);

ves_status ves_evidence_alloc(ves_evidence *ev, size_t m, size_t n, double rate);
void ves_evidence_free(ves_evidence *ev);
ves_status ves_evidence_priors(ves_evidence *ev, double a_lo, double a_hi, double b_lo, double b_hi,
                               uint64_t key);
ves_status ves_evidence_observe(ves_evidence *ev, const ves_code *input, const ves_code *output,
                                const double *xs, const double *ys, const double *salience,
                                size_t rows);
void ves_evidence_cells(const ves_evidence *ev, size_t first, size_t count, double *a, double *b);
void ves_beta_mean(const double *a, const double *b, size_t count, double *mean);
void ves_beta_variance(const double *a, const double *b, size_t count, double *variance);

void ves_release_analytic(const double *w, size_t n, size_t *order, double *q);
void ves_release_epistemic(double a, double b, ves_phi_root root, double *phi, double *complement);
void ves_release_epistemic_sites(double a, double b, size_t sites, double *phi, double *complement);
void ves_release_combine(const double *phi, const double *q, size_t count, double *qbar);
double ves_release_divisor(const double *x, size_t m, ves_normaliser kind, double active);

ves_learn_options ves_learn_defaults(void);
ves_amplitude_options ves_amplitude_defaults(void);
ves_learn_workspace *ves_learn_workspace_alloc(size_t n);
void ves_learn_workspace_free(ves_learn_workspace *ws);
ves_status ves_learn_start(double mean, double sd, double floor, double ceiling, uint64_t key,
                           uint64_t draw, uint32_t row, size_t n, double *q);
ves_status ves_learn_row(const double *w, size_t n, const ves_learn_options *opt, uint64_t key,
                         uint64_t first, uint32_t row, ves_learn_workspace *ws, double *q,
                         double *trace);
ves_status ves_learn_rows(const double *w, size_t rows, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                          double *q);
ves_status ves_amplitude_row(const double *w, size_t n, const ves_amplitude_options *opt,
                             uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                             double *q, double *trace);
ves_status ves_amplitude_rows(const double *w, size_t rows, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                              uint32_t row, ves_learn_workspace *ws, double *q);

ves_sampler *ves_sampler_alloc(const double *effective, const double *release,
                               const uint32_t *input, size_t k, size_t n);
void ves_sampler_free(ves_sampler *s);
ves_status ves_sampler_winners(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner);
ves_status ves_sampler_redraw(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner, uint64_t *attempts);

ves_status ves_winner_single(const double *w, const double *q, size_t n, double *p,
                             double *nothing);
ves_winner_workspace *ves_winner_workspace_alloc(size_t k, size_t n);
void ves_winner_workspace_free(ves_winner_workspace *work);
ves_status ves_winner_multi(const double *e, const double *q, size_t k, size_t n, double *p,
                            double *nothing, ves_winner_workspace *work);

ves_status ves_score_crps(const double *sample, size_t n, double y, double *scratch, double *crps);
ves_status ves_score_pit(const double *sample, size_t n, double y, double *pit);
ves_status ves_score_coverage(const double *sample, size_t n, double y, double level,
                              double *scratch, int *covered, double *lower, double *upper);
ves_status ves_score_total_variation(const double *p, const double *q, size_t n, double *tv);
ves_status ves_score_kl(const double *p, const double *q, size_t n, double *kl);

#endif
