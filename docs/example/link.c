/* link: a C program on the installed core.
 *
 * A synapse that releases with the probabilities of [eq:mapping] wins the competition of one input
 * in proportion to its weight. The program computes those probabilities, the exact distribution of
 * the winner, and samples it; then it compares.
 *
 *     cc link.c $(pkg-config --cflags --libs vesicle) -o link && ./link
 */
#include <stdio.h>
#include <stdlib.h>
#include <vesicle.h>

enum { N = 5, DRAWS = 200000 };

int main(void) {
  const double w[N] = {0.05, 0.4, 0.25, 0.1, 0.2}; /* sums to 1 */
  double q[N], p[N], nothing, worst = 0;
  size_t order[N];
  ves_release_analytic(w, N, order, q);
  const ves_status status = ves_winner_single(w, q, N, p, &nothing);
  if (status != VES_OK) {
    fprintf(stderr, "link: %s\n", ves_status_message(status));
    return 1;
  }

  const uint32_t input[1] = {0};
  ves_sampler *sampler = ves_sampler_alloc(w, q, input, 1, N);
  uint32_t *winner = malloc(DRAWS * sizeof *winner);
  if (sampler == NULL || winner == NULL) return 1;
  ves_sampler_winners(sampler, ves_key_root(20211118), 0, DRAWS, winner);
  size_t count[N + 1] = {0};
  for (size_t d = 0; d < DRAWS; d++) count[winner[d]]++;

  printf("weight  release  winner  sampled\n");
  for (size_t i = 0; i < N; i++) {
    const double sampled = (double)count[i + 1] / DRAWS;
    const double error = sampled > w[i] ? sampled - w[i] : w[i] - sampled;
    if (error > worst) worst = error;
    printf("%6.4f  %7.4f  %6.4f  %7.4f\n", w[i], q[i], p[i], sampled);
  }
  printf("nothing transmitted: %.4f, sampled %.4f\n", nothing, (double)count[0] / DRAWS);
  ves_sampler_free(sampler);
  free(winner);
  return worst < 0.006 ? 0 : 1; /* five standard errors */
}
