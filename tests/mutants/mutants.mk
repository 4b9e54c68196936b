# Errors on purpose: does a test notice? Neither is part of `make test`.
N      ?= 200
SEED   ?= 1
JOBS   ?= 2
LIST   ?=
SUITES ?= c lua san-c san-lua
ERRORS ?=

mutants     := $(BUILD)/mutants
mutant_san  := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Without line numbers, so that the same instructions are the same bytes.
mutant_core := $(CC) $(filter-out -g,$(base_flags)) $(if $(filter -O2,$(OPT)),-O3) $(CPPFLAGS) -w
mutant_test := $(CC) $(filter-out -g,$(base_flags)) $(CPPFLAGS) -w $(test_flags)
plain_tests := $(patsubst tests/%.c,$(mutants)/tests/%.o,$(test_src))
san_tests   := $(patsubst tests/%.c,$(mutants)/tests/san/%.o,$(test_src))
unmutated   := $(patsubst csrc/%.c,$(mutants)/unmutated/%.o,$(core_src))

$(plain_tests) $(san_tests): $(BUILD)/flags $(BUILD)/third_party/greatest.h
$(plain_tests): $(mutants)/tests/%.o: tests/%.c
	@mkdir -p $(@D)
	$(Q)$(mutant_test) $(call includes,core) $(call response,gsl,cflags) -MMD -MP -c $< -o $@
$(san_tests): $(mutants)/tests/san/%.o: tests/%.c
	@mkdir -p $(@D)
	$(Q)$(mutant_test) $(call includes,core) $(call response,gsl,cflags) $(mutant_san) -MMD -MP -c $< -o $@
$(filter %_avx2.o,$(unmutated)): uses := avx2
$(unmutated): $(mutants)/unmutated/%.o: csrc/%.c $(BUILD)/flags | $(BUILD)/ves_version.h
	@mkdir -p $(@D)
	$(Q)$(mutant_core) $(call includes,core) -I$(BUILD) $(call response,gsl $(uses),cflags) -MMD -MP -c $< -o $@

## Check
.PHONY: mutants errors
mutants: tests $(if $(filter san-%,$(SUITES)),sanitized $(san_tests)) $(plain_tests) $(unmutated) ## make small random errors in the core and see which suite notices; N=200 SEED=1 JOBS=2
	$(Q)BUILD='$(BUILD)' N='$(N)' SEED='$(SEED)' JOBS='$(JOBS)' LIST='$(LIST)' SUITES='$(SUITES)' COMPILE='$(mutant_core)' COMPILE_TEST='$(mutant_test)' SANITIZE='$(mutant_san)' \
	  CC='$(CC)' bash tests/mutants/mutants.sh
errors: all $(test_bin) ## make the scientific errors of tests/mutants/errors.lua and see whether suites or verify notice; ERRORS='name ...', JOBS=2
	$(Q)$(MAKE) -s --no-print-directory SCALE=quick data > $(BUILD)/data.log 2>&1 || { cat $(BUILD)/data.log; exit 1; }
	$(Q)BUILD='$(BUILD)' JOBS='$(JOBS)' ERRORS='$(ERRORS)' bash tests/mutants/errors.sh

-include $(plain_tests:.o=.d) $(san_tests:.o=.d) $(unmutated:.o=.d)
