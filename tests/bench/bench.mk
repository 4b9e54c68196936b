# Benchmarks.
#
# Performance is measured, never tested by the clock: times as ratios in one run, and instruction counts against a budget.
TURNS ?= 3
bench_out := $(BUILD)/bench
# Programs of others are compiled as their users would, for the machine at hand.
native := -std=gnu11 -O3 -march=native
$(bench_out)/literal: tests/bench/peers/literal.c tests/bench/peers/job.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(native) -o $@ $< $(call response,gsl,cflags) $(call response,gsl,libs) -lm
$(bench_out)/best $(bench_out)/best_philox: tests/bench/peers/best.c tests/bench/peers/best.h tests/bench/peers/job.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(native) $(if $(filter %_philox,$@),-DBEST_PHILOX) -o $@ $< -lm
# The bound has AVX2 as the kernels have, and their rounding.
bounds := $(addprefix $(bench_out)/,bound bound_float bound_ties)
$(bench_out)/bound_float: variant := -DSINGLE=1
$(bench_out)/bound_ties: variant := -DTIES=0
$(bounds): tests/bench/peers/bound.c tests/bench/peers/job.h $(BUILD)/libvesicle.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(native) -mno-avx512f -ffp-contract=off $(variant) $(call includes,core) -o $@ $< $(BUILD)/libvesicle.a $(call response,gsl,cflags) $(call response,gsl,libs) -lm
$(bench_out)/guard $(bench_out)/core: $(bench_out)/%: tests/bench/%.c $(BUILD)/libvesicle.a
	@mkdir -p $(@D)
	$(Q)$(compile) $(test_flags) -MF $@.d -o $@ $< $(BUILD)/libvesicle.a $(LDFLAGS) $(call response,gsl,libs) -lm
$(bench_out)/peer_amplitude: tests/bench/peer_amplitude.c $(BUILD)/libvesicle.a
	@mkdir -p $(@D)
	$(Q)$(compile) $(test_flags) -O3 -march=native -MF $@.d -o $@ $< $(BUILD)/libvesicle.a $(LDFLAGS) $(call response,gsl,libs) -lm
$(bench_out)/guard $(bench_out)/core $(bench_out)/peer_amplitude: uses := gsl
$(bench_out)/guard $(bench_out)/core $(bench_out)/peer_amplitude: layers := core
$(bench_out)/core: tests/bench/peers/job.h
bench_programs := $(addprefix $(bench_out)/,core literal best best_philox) $(bounds)

## Benchmarks
.PHONY: deps-bench bench bench-repair bench-growth bench-share bench-record bench-guard bench-budget
deps-bench: ## install what `make bench` compares with: NumPy, numba, torch, R with Rcpp, OpenBLAS; perf, valgrind
	$(Q)sh tests/setup/deps.sh bench
bench: $(BUILD)/vesicle $(bench_programs)
	$(Q)LUA_PATH='tests/bench/?.lua' lua5.4 tests/bench/bench.lua '$(BUILD)' $(TURNS)
bench-repair: $(bench_out)/peer_amplitude ## the amplitude rule and release sites by vesicle, by C without intrinsics and by hand, over sizes
	$(Q)$<
bench-growth: $(BUILD)/vesicle ## time and memory as synapses, inputs, rows, replicates, workers and ranks grow
	@mkdir -p $(bench_out)
	$(Q)! command -v $(MPICC) >/dev/null || $(MAKE) --no-print-directory $(BUILD)/vesicle-mpi
	$(Q)lua5.4 tests/bench/growth.lua '$(BUILD)'
bench-share: $(BUILD)/vesicle ## how much of each experiment's time is Lua's, by perf
	@mkdir -p $(bench_out)
	$(Q)sh tests/bench/share.sh '$(BUILD)'
bench-record: ## measure all of it, and commit the tables the report's chapter on cost reads (6 minutes on an idle machine)
	$(Q)for goal in bench bench-growth bench-share; do echo "bench-record: $$goal"; $(MAKE) --no-print-directory $$goal; done
	$(Q)for t in reference layers growth share; do test ! -f $(bench_out)/$$t.tsv || \
	  { sh tests/bench/machine.sh; cat $(bench_out)/$$t.tsv; } > lua/experiments/data/cost_$$t.tsv; done
bench-guard: $(bench_out)/guard ## count instructions by phase; fails 5% past the committed budget
	$(Q)CC='$(CC)' sh tests/bench/guard.sh '$(BUILD)'
bench-budget: $(bench_out)/guard ## write the present instruction counts as the budget
	$(Q)CC='$(CC)' sh tests/bench/guard.sh '$(BUILD)' update

# Races by spikes: a simulator of this network in good C, and a program that does this job alone.
$(BUILD)/bench/spikes_peer: tests/bench/spikes/peer.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O3 -march=native -o $@ $< -lm
.PHONY: bench-spikes
bench-spikes: $(BUILD)/vesicle $(BUILD)/bench/spikes_peer ## races by spikes, by vesicle and by C programs, 50 to 50,000 outputs; TURNS=5
	$(Q)lua5.4 tests/bench/spikes/bench.lua '$(BUILD)' $(TURNS)
