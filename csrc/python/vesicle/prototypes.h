/* What the Python package calls, as the headers of the core have it. library.py reads this file, and
 * tests/program/python.sh lets a C compiler compare it with vesicle.h. */
#ifndef VESICLE_PROTOTYPES_H
#define VESICLE_PROTOTYPES_H

const char *ves_version(void);
const char *ves_status_message(ves_status status);
const char *ves_simd_select(bool on);
const char *ves_simd_narrow(bool only);
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
ves_status ves_stream_permutation(uint64_t key, uint64_t draw, size_t n, double *out);

ves_status ves_code_alloc(ves_code *code, size_t n, double lo, double hi, double sigma,
                          ves_spacing spacing);
void ves_code_free(ves_code *code);
void ves_code_encode(const ves_code *code, double x, double *rate);
size_t ves_code_default_grid(const ves_code *code);
ves_status ves_code_mean(const ves_code *code, const double *y, double *mean);
ves_status ves_decoder_alloc(ves_decoder *d, const ves_code *code, double width, size_t grid);
void ves_decoder_free(ves_decoder *d);
ves_status ves_decoder_decode(ves_decoder *d, const double *y, double *z);

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
ves_status ves_learn_pooled(const ves_presentation *shown, size_t presentations,
                            const ves_learn_options *opt, uint64_t key, uint64_t first,
                            ves_learn_workspace *ws, double *q, size_t total);
ves_status ves_amplitude_pooled(const ves_presentation *shown, size_t presentations,
                                const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                                ves_learn_workspace *ws, double *q, size_t total);

ves_sampler *ves_sampler_alloc(const double *effective, const double *release,
                               const uint32_t *input, size_t k, size_t n);
void ves_sampler_free(ves_sampler *s);
uint32_t ves_sampler_draw(ves_sampler *s, uint64_t key, uint64_t draw, double *transmits,
                          double *y);
uint64_t ves_sampler_redraw_key(uint64_t key, uint32_t attempt);
ves_status ves_sampler_winners(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner);
ves_status ves_sampler_redraw(ves_sampler *s, uint64_t key, uint64_t first, size_t draws,
                              uint32_t *winner, uint64_t *attempts);

ves_sites *ves_sites_alloc(const double *effective, const double *phi, const double *release,
                           const uint32_t *input, size_t k, size_t n, size_t sites);
void ves_sites_free(ves_sites *s);
bool ves_sites_open(ves_sites *s, uint64_t key, uint64_t draw);
uint32_t ves_sites_draw(ves_sites *s, uint64_t key, uint64_t draw, double *y);
uint32_t ves_sites_draw_row(ves_sites *s, size_t a, uint64_t key, uint64_t draw, double *y);
ves_status ves_sites_components(const double *value, size_t bouts, size_t each, double *within,
                                double *between);
double ves_stages_strength(const double *w, const double *q, size_t n);
ves_stages *ves_stages_alloc(const double *strength, const double *first, const double *w,
                             const double *q, const uint32_t *input, size_t k, size_t n);
void ves_stages_free(ves_stages *s);
uint32_t ves_stages_draw(ves_stages *s, uint64_t key, uint64_t draw, double *y);
uint32_t ves_stages_input(ves_stages *s, uint64_t key, uint64_t draw);
ves_status ves_stages_learn(const double *w, const double *x, const uint32_t *input, size_t k,
                            size_t n, const ves_amplitude_options *opt, uint64_t key,
                            uint64_t first, size_t draws, ves_stages_state *state,
                            uint32_t *winner);

ves_status ves_multi_mixture(const double *w, const double *x, size_t k, size_t n, double *p);
ves_status ves_multi_two_stage_exact(const double *w, const double *x, size_t k, size_t n,
                                     double *p);
ves_status ves_two_stage_alloc(const double *w, const double *x, const uint32_t *input, size_t k,
                               size_t n, ves_two_stage **plan);
void ves_two_stage_free(ves_two_stage *plan);
ves_status ves_multi_two_stage(ves_two_stage *plan, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner, uint32_t *via);

ves_layer *ves_layer_alloc(const ves_evidence *ev, const double *release,
                           const ves_layer_options *opt);
void ves_layer_free(ves_layer *layer);
ves_status ves_layer_open(ves_layer *layer, const uint32_t *input, const double *x, size_t k);
ves_status ves_chain_draw(ves_layer *const *layer, size_t layers, ves_pass pass,
                          const uint64_t *key, uint64_t draw, double *const *y, uint32_t *winner,
                          uint64_t *attempts);
ves_status ves_layer_exact(ves_layer *layer, double *p);
ves_status ves_layer_exact_pass(ves_layer *layer, const double *from, double *to);

ves_spike_options ves_spike_defaults(void);
double ves_spike_gain(const double *effective, const double *release, size_t count,
                      double threshold);
ves_status ves_spike_alloc(const double *effective, const double *release, const uint32_t *input,
                           size_t k, size_t n, const ves_spike_options *opt, ves_spike **made);
void ves_spike_free(ves_spike *s);
ves_status ves_spike_draws(ves_spike *s, uint64_t key, uint64_t first, size_t draws, double *spikes,
                           ves_spike_result *result);

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
