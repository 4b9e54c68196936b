// The kernels of best.h, for R: Rcpp makes functions of R of them.
#include <Rcpp.h>
#define restrict __restrict
#include "best.h"

static best_rng rng;

// [[Rcpp::export]]
void seed_best(double seed) { best_seed(&rng, static_cast<uint64_t>(seed)); }

// [[Rcpp::export]]
Rcpp::List evidence_best(const Rcpp::NumericVector &x, const Rcpp::NumericVector &y, double lo, double hi, double sigma, int n) {
  Rcpp::NumericMatrix given(n, n);
  Rcpp::NumericVector seen(n);
  std::vector<double> of_x(n), of_y(n);
  int from_x = 0, from_y, count_x = 0;
  for (R_xlen_t r = 0; r < x.size(); r++) {
    if (r == 0 || x[r] != x[r - 1]) count_x = best_encode(x[r], lo, hi, sigma, n, &from_x, of_x.data());
    const int count_y = best_encode(y[r], lo, hi, sigma, n, &from_y, of_y.data());
    for (int i = 0; i < count_x; i++) seen[from_x + i] += of_x[i];
    for (int j = 0; j < count_y; j++)
      for (int i = 0; i < count_x; i++) given(from_x + i, from_y + j) += of_x[i] * of_y[j];
  }
  return Rcpp::List::create(Rcpp::Named("given") = given, Rcpp::Named("seen") = seen);
}

// Columns are rows of the network, weakest first.
// [[Rcpp::export]]
Rcpp::NumericMatrix learn_best(const Rcpp::NumericMatrix &w, const Rcpp::NumericMatrix &start, int iterations, double rate,
                               double least) {
  const int n = w.nrow(), rows = w.ncol();
  if (n > BEST_MOST || start.nrow() != n || start.ncol() != rows) Rcpp::stop("learn_best: sizes");
  Rcpp::NumericMatrix q(n, rows);
  static float weight[BEST_BESIDE][BEST_MOST], release[BEST_BESIDE][BEST_MOST];
  for (int i = 0; i < rows; i += BEST_BESIDE) {
    const int beside = rows - i < BEST_BESIDE ? rows - i : BEST_BESIDE;
    for (int b = 0; b < beside; b++)
      for (int r = 0; r < n; r++) {
        weight[b][r] = static_cast<float>(w(r, i + b));
        release[b][r] = static_cast<float>(start(r, i + b));
      }
    best_learn(&rng, beside, n, weight, release, iterations, static_cast<float>(rate), static_cast<float>(least));
    for (int b = 0; b < beside; b++)
      for (int r = 0; r < n; r++) q(r, i + b) = release[b][r];
  }
  return q;
}

// [[Rcpp::export]]
Rcpp::IntegerVector sample_best(const Rcpp::NumericMatrix &effective, const Rcpp::NumericMatrix &p, int draws) {
  const int inputs = p.nrow(), n = p.ncol();
  static float amount[BEST_MOST][BEST_MOST];
  static uint16_t threshold[BEST_MOST][BEST_MOST];
  if (n > BEST_MOST || inputs > BEST_MOST) Rcpp::stop("sample_best: sizes");
  memset(threshold, 0, sizeof threshold);
  for (int i = 0; i < inputs; i++)
    for (int j = 0; j < n; j++) {
      amount[i][j] = static_cast<float>(effective(i, j));
      threshold[i][j] = best_threshold(static_cast<float>(p(i, j)));
    }
  Rcpp::IntegerVector winners(draws);
  for (int d = 0; d < draws;) {
    const int winner = best_draw(&rng, inputs, n, amount, threshold);
    if (winner >= 0) winners[d++] = winner + 1;
  }
  return winners;
}
