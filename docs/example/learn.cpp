/* learn: a C++ program on the installed core.
 *
 * Releases are learned by the amplitude rule [eq:amplitude], from nothing but the draws themselves.
 * The program learns those of five weights and says how far the winner's exact distribution is from
 * the weights, before and after.
 *
 *     c++ learn.cpp $(pkg-config --cflags --libs vesicle) -o learn && ./learn
 */
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>
#include <vesicle.h>

namespace {

void check(ves_status status) {
  if (status != VES_OK) throw std::runtime_error(ves_status_message(status));
}

/* The total variation between the winner's distribution and the weights, which sum to 1. */
double distance(const std::vector<double> &w, const std::vector<double> &q) {
  std::vector<double> p(w.size());
  double tv = 0;
  check(ves_winner_single(w.data(), q.data(), w.size(), p.data(), nullptr));
  check(ves_score_total_variation(p.data(), w.data(), w.size(), &tv));
  return tv;
}

} // namespace

int main() {
  const std::vector<double> w{0.05, 0.4, 0.25, 0.1, 0.2};
  std::vector<double> q(w.size());
  const uint64_t key = ves_key_string(ves_key_root(20211118), "learn", 5);
  check(ves_learn_start(0.3, 0.1, 1e-4, 1, key, 0, 0, q.size(), q.data()));
  const double before = distance(w, q);

  const std::unique_ptr<ves_learn_workspace, decltype(&ves_learn_workspace_free)> work(
      ves_learn_workspace_alloc(w.size()), ves_learn_workspace_free);
  if (!work) return 1;
  ves_amplitude_options options = ves_amplitude_defaults();
  options.iterations = 50000;
  check(ves_amplitude_rows(w.data(), 1, w.size(), &options, key, 0, 0, work.get(), q.data()));
  const double after = distance(w, q);

  std::printf("vesicle %s: total variation %.4f before learning, %.4f after\n", ves_version(),
              before, after);
  return after < 0.01 && after < before ? 0 : 1;
}
