# The tests and the checks of the sources.

test_src := $(sort $(wildcard tests/test_*.c))
test_bin := $(patsubst tests/%.c,$(BUILD)/tests/%,$(test_src))
needs_test   = test% lint
needs_lint   = lint
needs_paper += test%

greatest = GREATEST_H='$(GREATEST_H)' sh tests/setup/greatest.sh '$(BUILD)/third_party/greatest.h'
$(BUILD)/third_party/greatest.h: | $(deps_first)
	$(Q)$(greatest)

## Check
.PHONY: test test-c test-lua test-shell test-sanitize check-fault-sanitize tests sanitized documents
tests: all $(test_bin) ## build the test programs without running them

$(BUILD)/tests/%: uses := gsl
$(BUILD)/tests/%: layers := core
$(BUILD)/tests/%: tests/%.c $(BUILD)/libvesicle.a $(BUILD)/third_party/greatest.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(compile) $(test_flags) -MT $@ -MF $@.d -o $@ $< $(BUILD)/libvesicle.a $(LDFLAGS) $(call response,gsl,libs) -lm

run_tests = BUILD='$(BUILD)' bash tests/run_tests.sh

# What the suites share is made before them: the same tests sanitized, and the documents at quick scale. Where those cannot
# be made, tests/documents/paper.sh says why. The sanitized ones are compiled with less optimisation, in half the time; their
# lines and functions are still known by name.
sanitized: | $(BUILD)/third_party/greatest.h
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=address,undefined OPT=-O1 CFLAGS='$(strip $(CFLAGS) -g1)' tests
documents: tests
	$(Q)for tool in gnuplot pandoc pdflatex bibtex; do command -v $$tool >/dev/null || exit 0; done; \
	  $(MAKE) -s --no-print-directory SCALE=quick paper site-pages figures > $(BUILD)/documents.log 2>&1 || true

test: tests sanitized documents
	$(Q)$(run_tests) shell san-fault san-lua san-c lua c
test-c: $(test_bin) ## only the C suites
	$(Q)$(run_tests) c
test-lua: tests ## only the Lua suites
	$(Q)$(run_tests) lua
test-shell: tests documents ## only the shell suites
	$(Q)$(run_tests) shell
test-sanitize: sanitized ## only the C and Lua suites, and some of faults, under the address and undefined-behaviour sanitizers
	$(Q)$(run_tests) san-fault san-c san-lua
check-fault-sanitize: sanitized ## all suites of faults under the sanitizers
	$(Q)$(run_tests) san-fault-all

.PHONY: lint format
lint: all $(BUILD)/third_party/greatest.h
	$(Q)BUILD='$(BUILD)' WARNINGS='$(WARNINGS)' HOST_FLAGS='$(host_flags)' TEST_FLAGS='$(test_flags)' \
	  bash tests/lint/run.sh $(CHECKS)
format: ## reformat the C sources in place
	clang-format -i $(foreach layer,core lua host,$(call sources,$(layer),c) $(call sources,$(layer),h)) $(wildcard tests/*.[ch])

-include $(test_bin:=.d)
