# Benchmarks.
#
# Performance is measured, never tested by the clock: times as ratios in one run, and instruction counts against a budget.
TURNS ?= 5
$(BUILD)/bench/peer_c: tests/bench/peer_c.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O3 -march=native -o $@ $< $(call response,gsl,cflags) $(call response,gsl,libs) -lm
$(BUILD)/bench/guard $(BUILD)/bench/core: $(BUILD)/bench/%: tests/bench/%.c $(BUILD)/libvesicle.a
	@mkdir -p $(@D)
	$(Q)$(compile) $(test_flags) -MF $@.d -o $@ $< $(BUILD)/libvesicle.a $(LDFLAGS) $(call response,gsl,libs) -lm
$(BUILD)/bench/guard $(BUILD)/bench/core: uses := gsl
$(BUILD)/bench/guard $(BUILD)/bench/core: layers := core

## Benchmarks
.PHONY: bench bench-scaling bench-share bench-record bench-guard bench-budget
bench: $(BUILD)/vesicle $(BUILD)/bench/core $(BUILD)/bench/peer_c ## one replicate by vesicle and by C, NumPy and R programs, side by side; TURNS=5
	$(Q)lua5.4 tests/bench/bench.lua '$(BUILD)' $(TURNS)
bench-scaling: $(BUILD)/vesicle ## how the cost of each primitive grows with outputs, rows, active inputs, workers, replicates
	@mkdir -p $(BUILD)/bench
	$(Q)$(BUILD)/vesicle run --trust tests/bench/scaling.lua --out $(BUILD)/bench
	$(Q)sh tests/bench/workers.sh '$(BUILD)'
bench-share: $(BUILD)/vesicle ## how much of each experiment's time is Lua's, by perf
	@mkdir -p $(BUILD)/bench
	$(Q)sh tests/bench/share.sh '$(BUILD)'
bench-record: ## measure, and commit the tables the report's section on cost reads
	$(Q)for goal in bench bench-scaling bench-share; do $(MAKE) --no-print-directory $$goal; done
	$(Q)for t in reference layers scaling workers share; do test ! -f $(BUILD)/bench/$$t.tsv || \
	  { sh tests/bench/machine.sh; cat $(BUILD)/bench/$$t.tsv; } > lua/experiments/data/cost_$$t.tsv; done
bench-guard: $(BUILD)/bench/guard ## count instructions by phase; fails 5% past the committed budget
	$(Q)CC='$(CC)' sh tests/bench/guard.sh '$(BUILD)'
bench-budget: $(BUILD)/bench/guard ## write the present instruction counts as the budget
	$(Q)CC='$(CC)' sh tests/bench/guard.sh '$(BUILD)' update
