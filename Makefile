# vesicle: one Makefile, read from top to bottom.
#
#   1 settings    2 sources    3 dependencies    4 configuration    5 library    6 program and module
#   7 tests       8 lint       9 experiments     10 paper    11 benchmarks    12 artifact    13 installation    14 housekeeping
#
# Two rules keep it honest. Nothing asks for a compiler, pkg-config or a library while this file is parsed: everything
# is found in recipes, so that `make deps test` works in one call on a machine that has neither. And every path is
# relative, so that the tree works wherever it is put, spaces and all.

# --- 1. settings -----------------------------------------------------------------------------------------------------

BUILD ?= build$(if $(SAN),-san)
SCALE ?= full
OPT   ?= -O2
SAN   ?=
V     ?=

ifeq ($(origin CC),default)
CC := gcc
endif
comma := ,

VERSION := 0.1.0

ifeq ($(filter $(SCALE),full quick),)
$(error SCALE=$(SCALE): expected full or quick)
endif

ifneq ($(words $(BUILD))$(filter . ./ .. / csrc docs figures lua paper tests,$(BUILD)),1)
$(error BUILD="$(BUILD)": expected a directory of its own, without spaces in its name)
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

# As many recipes at a time as there are cores, unless -j says otherwise: experiments keep the cores busy while figures
# are drawn and documents typeset. Only for goals that build: tests start makes of their own, and benchmarks want quiet.
in_parallel := all lib tests deps data figures claims paper supplement site-pages verify expect
ifeq ($(filter -j% --jobs% --jobserver%,$(MAKEFLAGS))$(filter-out $(in_parallel),$(MAKECMDGOALS)),)
MAKEFLAGS += -j$(or $(shell getconf _NPROCESSORS_ONLN 2>/dev/null),1)
endif
Q   := $(if $(V),,@)
say  = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $(1)  $(2)")

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wformat=2 -Wundef -Wvla \
            -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes \
            -Wold-style-definition -Wimplicit-fallthrough -Wnull-dereference -Wredundant-decls
CFLAGS   ?=
CPPFLAGS ?=
LDFLAGS  ?=

# -ffp-contract=off: a fused multiply-add rounds once where the definition rounds twice, and would change bits.
sanitize   := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
base_flags := -std=c11 $(OPT) -g -fPIC -ffp-contract=off $(sanitize) $(WARNINGS) $(CFLAGS)
# Loops over independent elements, which -O2 leaves scalar: vectors of them have the same bits.
elementwise := ves_evidence ves_beta ves_release lves_arg lves_arith lves_matrix lves_release lves_stats lves_elementwise
system     := $(shell uname -s)
host_flags := -D_XOPEN_SOURCE=700
# greatest's own macros, expanded in a test, convert and fall through.
test_flags := -Wno-conversion -Wno-sign-conversion -Wno-implicit-fallthrough -Itests -isystem $(BUILD)/third_party

# --- 2. sources ------------------------------------------------------------------------------------------------------

# A folder is a layer. Each sees the headers of its own folders and of those below it, so that an arrow that points up
# does not compile.
sources   = $(sort $(wildcard csrc/$(1)/*.$(2) csrc/$(1)/*/*.$(2)))
includes  = $(patsubst %/,-I%,$(foreach layer,$(1),csrc/$(layer)/ $(sort $(wildcard csrc/$(layer)/*/))))

core_src := $(call sources,core,c)
bind_src := $(call sources,lua,c)
host_src := $(call sources,host,c)
test_src := $(sort $(wildcard tests/test_*.c))

objects   = $(patsubst csrc/%.c,$(BUILD)/obj/%.o,$(1))
core_obj := $(call objects,$(core_src))
bind_obj := $(call objects,$(bind_src))
host_obj := $(call objects,$(host_src))
test_bin := $(patsubst tests/%.c,$(BUILD)/tests/%,$(test_src))

# --- 3. dependencies -------------------------------------------------------------------------------------------------

# `make deps` alone installs everything; with other goals, only what those goals need. Whatever needs a dependency is
# ordered after $(deps_first), so that `deps` finishes before anything else starts, also under -j.
goals      := $(filter-out deps,$(MAKECMDGOALS))
deps_first := $(filter deps,$(MAKECMDGOALS))
packed      := archive check-archive
printed     := paper supplement site-pages verify expect arxiv check-arxiv $(packed)
deps_groups := $(if $(MPI),mpi )$(if $(filter $(packed),$(goals)),archive )$(if $(goals),build $(if $(filter test%,$(goals)),test figures paper) $(if $(filter lint%,$(goals)),test lint) \
                 $(if $(filter figures $(printed),$(goals)),figures) $(if $(filter $(printed),$(goals)),paper),build test lint figures paper)

.PHONY: deps
deps: ## install what is missing: everything, or what the other targets of the same call need
	$(Q)sh tests/setup/deps.sh $(deps_groups)
	$(Q)if test -n '$(filter test,$(deps_groups))'; then \
	  GREATEST_H='$(GREATEST_H)' sh tests/setup/greatest.sh '$(BUILD)/third_party/greatest.h'; fi

$(BUILD)/third_party/greatest.h: | $(deps_first)
	$(Q)GREATEST_H='$(GREATEST_H)' sh tests/setup/greatest.sh '$@'

# --- 4. configuration ------------------------------------------------------------------------------------------------

.PHONY: FORCE
if_changed = cat > $@.new; if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Compiler and linker arguments of each library and of the vector kernels, as response files in $(BUILD)/config.
config := $(BUILD)/config/done
$(BUILD)/config/cc: FORCE | $(deps_first)
	@mkdir -p $(@D)
	$(Q)echo '$(CC)' | { $(if_changed); }
$(config): tests/setup/config.sh $(BUILD)/config/cc | $(deps_first)
	$(Q)CC='$(CC)' sh tests/setup/config.sh '$(BUILD)/config'
	$(Q)touch $@

# What every object depends on: a changed compiler or flag rebuilds.
$(BUILD)/flags: FORCE | $(config)
	$(Q){ echo '$(CC) $(base_flags) $(CPPFLAGS) $(host_flags) $(test_flags) $(elementwise)'; $(CC) --version; } | { $(if_changed); }

# What every link depends on: an added or removed source relinks.
$(BUILD)/sources: FORCE | $(config)
	$(Q)echo '$(core_src) $(bind_src) $(host_src) $(LDFLAGS)$(if $(MPI), $(MPICC))' | { $(if_changed); }

# The commit, from git or from the tarball that git wrote; where there is neither, "unknown".
# The build is what results depend on besides scripts: core, bindings, compiler, flags. Journals are keyed by it.
$(BUILD)/ves_version.h: FORCE $(BUILD)/flags | $(config)
	$(Q)if test -e .git; then commit=$$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null); \
	else commit=$$(grep -v Format .archive-commit 2>/dev/null | cut -c 1-12); fi; \
	build=$$(cat $(core_src) $(bind_src) $(call sources,core,h) $(call sources,lua,h) $(BUILD)/flags | \
	  { sha256sum || shasum -a 256 || cksum; } 2>/dev/null | cut -c 1-16); \
	{ echo '/* Generated by the Makefile. */'; \
	  echo '#define VES_VERSION "$(VERSION)"'; \
	  echo "#define VES_COMMIT \"$${commit:-unknown}\""; \
	  echo "#define VES_BUILD \"$$build\""; } | { $(if_changed); }

# The comments that document the Lua interface, as bytes: what help() shows.
documented := $(bind_src) $(filter-out lua/vesicle/publish/%,$(sort $(wildcard lua/vesicle/*.lua lua/vesicle/*/*.lua)))
$(BUILD)/ves_apidoc.h: $(documented) | $(config)
	$(Q){ echo '/* Generated by the Makefile. */'; echo 'static const unsigned char ves_apidoc[] = {'; \
	  awk '/^\/\*\*\* / || /^--\[\[\*\* / { on = 1 } on { print } /\*\// || /^\]\]/ { on = 0 }' $(documented) | \
	    od -An -v -t u1 | sed 's/[0-9][0-9]*/&,/g'; \
	  echo '};'; } | { $(if_changed); }

# --- 5. library ------------------------------------------------------------------------------------------------------

.PHONY: all lib
all: $(BUILD)/libvesicle.a $(BUILD)/vesicle $(BUILD)/vesicle.so ## build the program, the library and the Lua module (default)
lib: $(BUILD)/libvesicle.a ## build only the C core

response = $(foreach lib,$(1),@$(BUILD)/config/$(lib).$(2))
compile  = $(CC) $(base_flags) $(extra) $(CPPFLAGS) $(call includes,$(layers)) -I$(BUILD) $(call response,$(uses),cflags) -MMD -MP

$(core_obj): layers := core
$(bind_obj): layers := core lua
$(host_obj) $(BUILD)/obj/mpi/run_mpi.o: layers := core lua host
$(core_obj): uses := gsl
$(bind_obj): uses := gsl lua
$(host_obj): uses := gsl lua sqlite edit md
$(host_obj): extra := $(host_flags)
$(filter %_avx2.o,$(core_obj)): uses := gsl avx2
$(foreach name,$(elementwise),$(filter %/$(name).o,$(core_obj) $(bind_obj))): extra := $(if $(filter -O2,$(OPT)),-O3)

$(BUILD)/obj/host/prompt/run_docs.o: $(BUILD)/ves_apidoc.h
$(BUILD)/obj/%.o: csrc/%.c $(BUILD)/flags | $(BUILD)/ves_version.h $(BUILD)/ves_apidoc.h
	@mkdir -p $(@D)
	$(call say,CC  ,$<)
	$(Q)$(compile) -c $< -o $@

$(BUILD)/libvesicle.a: $(core_obj) $(BUILD)/sources
	$(call say,AR  ,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(core_obj)

# --- 6. program and module -------------------------------------------------------------------------------------------

link = $(CC) $(base_flags) $(LDFLAGS)

program_libs = $(bind_obj) $(BUILD)/libvesicle.a $(call response,sqlite lua edit md gsl,libs) -lm

# MPI=1: the same objects but one (csrc/host/replicates/run_mpi.c), so that a journal serves programs with and without MPI.
# $(BUILD)/vesicle-mpi is that program beside an ordinary one, for the tests.
MPI       ?=
MPICC     ?= mpicc
mpi_wrap  := OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
mpi_obj   := $(BUILD)/obj/mpi/run_mpi.o
ranks_obj := $(filter-out %/run_mpi.o,$(host_obj)) $(mpi_obj)

$(mpi_obj): extra := $(host_flags) -DVES_MPI
$(mpi_obj): csrc/host/replicates/run_mpi.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)command -v $(MPICC) >/dev/null || { echo 'MPI: $(MPICC) is missing (Debian: libopenmpi-dev openmpi-bin)'; exit 1; }
	$(call say,CC  ,$< (MPI))
	$(Q)$(mpi_wrap) $(base_flags) $(extra) $(CPPFLAGS) $(call includes,$(layers)) -I$(BUILD) $(call response,lua md,cflags) -MMD -MP -c $< -o $@
$(BUILD)/vesicle-mpi: $(ranks_obj) $(bind_obj) $(BUILD)/libvesicle.a $(BUILD)/sources
	$(call say,LD  ,$@)
	$(Q)$(mpi_wrap) $(base_flags) $(LDFLAGS) -o $@ $(ranks_obj) $(program_libs)

program_obj := $(if $(MPI),$(ranks_obj),$(host_obj))
$(BUILD)/vesicle: $(program_obj) $(bind_obj) $(BUILD)/libvesicle.a $(BUILD)/sources
	$(call say,LD  ,$@)
	$(Q)$(if $(MPI),$(mpi_wrap) $(base_flags) $(LDFLAGS),$(link)) -o $@ $(program_obj) $(program_libs)

# The module exports its one entry point; Lua itself comes from the interpreter that loads it.
module_flags := $(if $(filter Darwin,$(system)),-bundle -undefined dynamic_lookup -Wl$(comma)-exported_symbol$(comma)_luaopen_vesicle,\
                  -shared -Wl$(comma)--version-script=$(BUILD)/module.map)

$(BUILD)/module.map: | $(config)
	$(Q)echo '{ global: luaopen_vesicle; local: *; };' > $@

$(BUILD)/vesicle.so: $(bind_obj) $(BUILD)/libvesicle.a $(BUILD)/sources | $(BUILD)/module.map
	$(call say,LD  ,$@)
	$(Q)$(link) $(module_flags) -o $@ $(bind_obj) $(BUILD)/libvesicle.a $(call response,gsl,libs) -lm

# --- 7. tests --------------------------------------------------------------------------------------------------------

.PHONY: test test-c test-lua test-shell test-sanitize tests
tests: all $(test_bin) ## build the test programs without running them

$(BUILD)/tests/%: uses := gsl
$(BUILD)/tests/%: layers := core
$(BUILD)/tests/%: tests/%.c $(BUILD)/libvesicle.a $(BUILD)/third_party/greatest.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(compile) $(test_flags) -MT $@ -MF $@.d -o $@ $< $(BUILD)/libvesicle.a $(LDFLAGS) $(call response,gsl,libs) -lm

run_tests = BUILD='$(BUILD)' bash tests/run_tests.sh

test: tests ## build and run every test, also under the sanitizers; ends with "N passed, N failed"
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=address,undefined tests
	$(Q)$(run_tests) c lua shell san-c san-lua
test-c: $(test_bin) ## only the C suites
	$(Q)$(run_tests) c
test-lua: tests ## only the Lua suites
	$(Q)$(run_tests) lua
test-shell: tests ## only the shell suites
	$(Q)$(run_tests) shell
test-sanitize: ## only the C and Lua suites under the address and undefined-behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=address,undefined tests
	$(Q)$(run_tests) san-c san-lua

# --- 8. lint ---------------------------------------------------------------------------------------------------------

.PHONY: lint format
lint: all $(BUILD)/third_party/greatest.h ## formatting, static analysis, layers, words; CHECKS='tidy words' runs only those
	$(Q)BUILD='$(BUILD)' WARNINGS='$(WARNINGS)' HOST_FLAGS='$(host_flags)' TEST_FLAGS='$(test_flags)' \
	  bash tests/lint/run.sh $(CHECKS)
format: ## reformat the C sources in place
	clang-format -i $(foreach layer,core lua host,$(call sources,$(layer),c) $(call sources,$(layer),h)) $(wildcard tests/*.[ch])

# --- 9. experiments and figures --------------------------------------------------------------------------------------

# lua/experiments/NAME.lua writes $(results)/data/NAME/; figures/NAME.gp and figures/NAME-PART.gp draw from it. Results of
# the two scales live apart. Data depend on what computes them, the objects and the Lua sources, and not on the program
# itself, whose version string changes with every commit.
results       := $(BUILD)$(if $(filter quick,$(SCALE)),/quick)
experiments   := $(basename $(notdir $(sort $(wildcard lua/experiments/*.lua))))
drawings      := $(filter-out style,$(basename $(notdir $(sort $(wildcard figures/*.gp)))))
computes      := $(core_obj) $(bind_obj) $(filter-out %/run_version.o $(BUILD)/obj/host/prompt/%,$(host_obj)) \
                 $(sort $(wildcard lua/vesicle/*.lua $(foreach part,base experiment model,lua/vesicle/$(part)/*.lua)))
data_of        = $(results)/data/$(1)/claims.tsv
experiment_of  = $(firstword $(subst -, ,$(1)))
timed          = sh paper/tools/timed.sh '$(results)/timings'
drawing_of     = $(foreach f,$(filter $(1) $(1)-%,$(drawings)),$(results)/figures/$(f).pdf $(results)/figures/$(f).svg)

.PHONY: data figures claims $(experiments)
data: $(foreach e,$(experiments),$(call data_of,$(e))) ## run every experiment; SCALE=quick for a reduced one
figures: data $(foreach e,$(experiments),$(call drawing_of,$(e))) ## run every experiment and draw every figure

$(results)/data/%/claims.tsv: lua/experiments/%.lua $(computes) | $(BUILD)/vesicle
	$(Q)$(timed) compute '$*' $(BUILD)/vesicle run $< --scale $(SCALE) --out '$(results)/data'
	$(Q)cd '$(@D)' && ls -- *.tsv *.tex > .files 2>/dev/null; touch claims.tsv
$(call data_of,14_real_data): $(wildcard lua/experiments/data/[fm]*.tsv)
$(call data_of,16_cost): $(wildcard lua/experiments/data/cost_*.tsv)

# Data of which a file is gone are made again: each run leaves the list of its files.
incomplete := $(shell cd '$(results)/data' 2>/dev/null && for list in */.files; do test -e "$$list" || continue; \
                while read -r file; do test -e "$${list%/.files}/$$file" || { echo "$${list%/.files}"; break; }; done < "$$list"; done)
$(foreach e,$(filter $(incomplete),$(experiments)),$(eval $(call data_of,$(e)): FORCE))

# cairo writes the date into a PDF whatever the environment says, its length depending on the time zone; a constant one of
# the same length keeps the bytes equal.
define figure_rule
$(results)/figures/$(1).pdf $(results)/figures/$(1).svg: $(results)/figures/$(1).%: figures/$(1).gp figures/style.gp $(call data_of,$(call experiment_of,$(1)))
	@mkdir -p $$(@D)
	$$(call say,PLOT,$$@)
	$$(Q)TZ=UTC0 $(timed) plot '$$(@F)' gnuplot -e "data='$(results)/data/$(call experiment_of,$(1))'; out='$$@.part'; format='$$*'" $$<
	$$(Q)LC_ALL=C sed -i 's/CreationDate (D:[0-9]*Z)/CreationDate (D:20211118000000Z)/' $$@.part
	$$(Q)mv $$@.part $$@
endef
$(foreach f,$(drawings),$(eval $(call figure_rule,$(f))))

# `make 06_variance_components` runs one experiment, draws its figures and says where they are.
$(foreach e,$(experiments),$(eval $(e): $(call data_of,$(e)) $(call drawing_of,$(e))))
$(experiments):
	@printf '  %s\n' '$(results)/data/$@/' $(call drawing_of,$@)

# A new one needs no word here: it is found by its name, also by the supplement.
NAME ?=
.PHONY: experiment watch
experiment: ## write a new, working experiment and its figure: make experiment NAME=my_idea
	$(Q)sh lua/vesicle/template/new.sh '$(NAME)'
watch: $(BUILD)/vesicle ## run an experiment at quick scale whenever it is saved: make watch NAME=my_idea
	$(Q)sh lua/vesicle/template/watch.sh '$(NAME)' $(MAKE) --no-print-directory SCALE=quick '$(NAME)'

claims: data ## print the ledger of claims, and write it as TSV and LaTeX
	$(Q)$(BUILD)/vesicle claims '$(results)/data' --format tsv   > $(results)/claims.tsv
	$(Q)$(BUILD)/vesicle claims '$(results)/data' --format latex > $(results)/claims.tex
	$(Q)$(BUILD)/vesicle claims '$(results)/data'
# Some ids are put together while an experiment runs, so a script is found by the ledger it wrote, at quick scale if at none.
owner_of = grep -ls '^$*	' $(results)/data/*/claims.tsv $(BUILD)/quick/data/*/claims.tsv | sed -n '1s|.*/data/\(.*\)/claims.tsv|\1|p'
claim-%: | $(BUILD)/vesicle ## run what one claim needs and print its row
	$(Q)owner=$$($(owner_of)); \
	test -n "$$owner" || { $(MAKE) --no-print-directory -s SCALE=quick data >&2 && owner=$$($(owner_of)); }; \
	test -n "$$owner" || { echo 'there is no claim $*; `make claims` lists them' >&2; exit 2; }; \
	$(BUILD)/vesicle run "lua/experiments/$$owner.lua" --scale $(SCALE) --out '$(results)/data' && \
	$(BUILD)/vesicle claims '$(results)/data' --id '$*'

# --- 10. paper -------------------------------------------------------------------------------------------------------

# Scripts are woven to Markdown in $(results)/weave, which pandoc turns into chapters and web pages. Everything LaTeX reads
# is gathered in $(results)/tex, everything the pages need in $(results)/site. A new experiment needs no word here.
publish      = $(BUILD)/vesicle run --trust lua/vesicle/publish/main.lua --scale $(SCALE) --set results='$(results)'
publish_src := $(sort $(wildcard lua/vesicle/publish/*.lua))
tex         := $(results)/tex
woven       := $(results)/weave
site        := $(results)/site
paper_src   := $(sort $(wildcard paper/*.tex paper/*.bib))
paper_tex   := $(patsubst paper/%,$(tex)/%,$(paper_src))
all_data    := $(foreach e,$(experiments),$(call data_of,$(e)))
chapters    := $(experiments) api trace provenance
pages       := index claims $(chapters)
markdown    := markdown-citations-implicit_figures
tagged      := $(core_src) $(bind_src) $(call sources,core,h) $(call sources,lua,h) \
               $(sort $(wildcard lua/vesicle/*.lua lua/vesicle/*/*.lua tests/*.c tests/lua/*.lua lua/experiments/*.lua))

.PHONY: paper supplement site-pages trace verify expect
paper: $(results)/paper.pdf $(results)/supplement.pdf $(results)/provenance.txt ## the report and its supplement, from nothing
	$(Q)$(publish) --set task=report
supplement: $(results)/supplement.pdf ## only the supplement

$(woven)/%.tex.md $(woven)/%.html.md: lua/experiments/%.lua $(results)/data/%/claims.tsv $(publish_src) paper/labels.tsv $(wildcard figures/*.gp) | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(call say,WEAVE,$*)
	$(Q)$(timed) weave '$*' $(publish) --out '$(woven)' --set task=weave --set name='$*'
$(woven)/api.tex.md $(woven)/api.html.md &: $(documented) $(publish_src) paper/labels.tsv | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(call say,WEAVE,api)
	$(Q)$(publish) --out '$(woven)' --set task=api
$(woven)/trace.tex.md $(woven)/trace.html.md &: $(tagged) $(paper_src) $(publish_src) paper/labels.tsv | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(call say,WEAVE,trace)
	$(Q)$(publish) --out '$(woven)' --set task=trace --set form=page
$(woven)/provenance.tex.md $(woven)/provenance.html.md &: $(results)/checksums.tsv $(publish_src)
	@mkdir -p $(@D)
	$(call say,WEAVE,provenance)
	$(Q)$(publish) --out '$(woven)' --set task=provenance
$(results)/checksums.tsv: $(all_data) paper/tools/checksums.sh
	$(Q)sh paper/tools/checksums.sh '$(results)' > $@.part && mv $@.part $@

# LaTeX: the sources as they are, and beside them what is generated.
$(paper_tex): $(tex)/%: paper/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
$(chapters:%=$(tex)/%.tex): $(tex)/%.tex: $(woven)/%.tex.md | $(deps_first)
	@mkdir -p $(@D)
	$(Q)$(timed) weave '$*.tex' pandoc -f $(markdown)-auto_identifiers -t latex --columns=200 --top-level-division=chapter -o $@ $<
$(tex)/macros.tex $(tex)/claims-table.tex &: $(all_data) $(publish_src) CITATION.cff paper/versions.tsv | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(tex)' --set task=bundle
$(tex)/chapters.tex: $(experiments:%=lua/experiments/%.lua) $(publish_src) | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(tex)' --set task=chapters
$(tex)/checked: $(paper_src) paper/exceptions.tsv paper/labels.tsv $(tex)/macros.tex $(publish_src)
	$(call say,CHECK,paper/paper.tex)
	$(Q)$(publish) --out '$(tex)' --set task=checkpaper
	$(Q)touch $@

$(results)/paper.pdf: $(tex)/checked
$(results)/supplement.pdf: $(chapters:%=$(tex)/%.tex) $(tex)/chapters.tex
$(results)/paper.pdf $(results)/supplement.pdf: $(results)/%.pdf: $(paper_tex) $(tex)/macros.tex $(tex)/claims-table.tex \
    $(drawings:%=$(results)/figures/%.pdf) paper/tools/typeset.sh | $(deps_first) $(BUILD)/vesicle
	$(call say,TEX,$@)
	$(Q)$(timed) typeset '$*' sh paper/tools/typeset.sh '$(tex)' '$*' $(BUILD)/vesicle
	$(Q)cp '$(tex)/$*.pdf' $@
$(results)/provenance.txt: $(results)/paper.pdf $(results)/supplement.pdf $(results)/checksums.tsv paper/tools/provenance.sh
	$(Q)sh paper/tools/provenance.sh '$(BUILD)' '$(results)' > $@.part && mv $@.part $@

# The same content as web pages that need no network.
$(woven)/nav.html $(woven)/index.html.md $(woven)/claims.html.md &: $(all_data) $(publish_src) | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(woven)' --set task=site
$(pages:%=$(site)/%.html): $(site)/%.html: $(woven)/%.html.md $(woven)/nav.html paper/site/page.html | $(deps_first)
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)$(timed) weave '$*.html' pandoc -f $(markdown) -t html5 --columns=200 --mathml --template paper/site/page.html \
	  --include-before-body '$(woven)/nav.html' $(if $(filter quick,$(SCALE)),--variable quick) -o $@ $<
$(site)/style.css: paper/site/style.css
$(site)/paper.pdf $(site)/supplement.pdf: $(site)/%: $(results)/%
$(drawings:%=$(site)/figures/%.svg): $(site)/%: $(results)/%
$(site)/style.css $(site)/paper.pdf $(site)/supplement.pdf $(drawings:%=$(site)/figures/%.svg):
	@mkdir -p $(@D)
	$(Q)cp $< $@
site-pages: $(pages:%=$(site)/%.html) $(site)/style.css $(drawings:%=$(site)/figures/%.svg) $(site)/paper.pdf $(site)/supplement.pdf ## the same content as web pages
	$(Q)echo "  $(site)/index.html and $(words $(chapters)) more pages"

trace: | $(BUILD)/vesicle ## print the matrix label, function, experiment, test; fails on a hole
	$(Q)$(publish) --set task=trace --set form=print
verify: $(results)/provenance.txt ## compare data, numbers and documents with tests/expected
	$(Q)sh paper/tools/documents.sh '$(results)' > '$(results)/documents.tsv'
	$(Q)$(publish) --set task=verify
expect: $(results)/provenance.txt ## make what was built here the expectation
	$(Q)sh paper/tools/documents.sh '$(results)' > '$(results)/documents.tsv'
	$(Q)$(publish) --out tests/expected --set task=expect

# --- 11. benchmarks --------------------------------------------------------------------------------------------------

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
bench-record: bench bench-scaling bench-share ## measure, and commit the tables the report's section on cost reads
	$(Q)for t in reference layers scaling workers share; do test ! -f $(BUILD)/bench/$$t.tsv || \
	  { sh tests/bench/machine.sh; cat $(BUILD)/bench/$$t.tsv; } > lua/experiments/data/cost_$$t.tsv; done
bench-guard: $(BUILD)/bench/guard ## count instructions by phase; fails 5% past the committed budget
	$(Q)CC='$(CC)' sh tests/bench/guard.sh '$(BUILD)'
bench-budget: $(BUILD)/bench/guard ## write the present instruction counts as the budget
	$(Q)CC='$(CC)' sh tests/bench/guard.sh '$(BUILD)' update

# --- 12. artifact ----------------------------------------------------------------------------------------------------

# docs/metadata.lua and the tables beside it are the source of CITATION.cff, codemeta.json, .zenodo.json, the RO-Crate,
# ARTIFACT.md and the generated parts of README.md; tests/lint/generated.sh compares.
artifact = $(BUILD)/vesicle run lua/vesicle/artifact/main.lua --trust --quiet
bag     := vesicle-$(VERSION)$(if $(filter quick,$(SCALE)),-quick)

.PHONY: metadata record check-metadata archive check-archive arxiv check-arxiv check-fresh check-container check-arm coverage
metadata: | $(BUILD)/vesicle ## citation files, ARTIFACT.md and the tables of README.md, from docs/
	$(Q)$(artifact) --out . --set task=metadata
	$(Q)$(artifact) --out . --set task=pages
record: figures ## make the ledger, the timings and the picture built here those of docs/ and the pages
	$(Q)sed 's/[[:blank:]]*$$//' '$(results)/figures/02_sampling_diagram.svg' > docs/answer.svg
	$(Q)$(artifact) --out . --set task=record --set results='$(results)'
	$(Q)$(MAKE) --no-print-directory metadata
check-metadata: ## validate the citation files against published schemas, which npm brings
	$(Q)sh tests/artifact/schemas.sh install
	$(Q)sh tests/artifact/schemas.sh check

archive: paper figures ## sources and results as a BagIt bag, the same file whenever it is made
	$(Q)sh paper/tools/bag.sh $(BUILD)/vesicle '$(results)' '$(bag)'
check-archive: archive ## unpack the archive elsewhere, verify it, rebuild the paper from it without git
	$(Q)VESICLE='$(BUILD)/vesicle' bash tests/artifact/archive.sh '$(results)' '$(results)/$(bag).tar.zst'
arxiv: paper ## the report's LaTeX as one tarball
	$(Q)sh paper/tools/arxiv.sh '$(results)' '$(bag)-arxiv'
check-arxiv: arxiv ## compile that tarball with plain pdflatex and bibtex
	$(Q)bash tests/artifact/arxiv.sh '$(results)/$(bag)-arxiv.tar.gz'

check-fresh: ## the README's two commands on a minimal Debian that has never seen the project (root)
	$(Q)SCALE='$(SCALE)' bash tests/artifact/fresh.sh
check-container: ## build the Dockerfile with buildah and run its default command at quick scale (root)
	$(Q)bash tests/artifact/container.sh
check-arm: $(BUILD)/third_party/greatest.h ## cross-compile for 64-bit ARM, run the tests and the experiments under qemu, compare (root)
	$(Q)bash tests/artifact/arm.sh

coverage: ## lines and branches of the core that the C and Lua suites reach
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/cov OPT=-O0 CFLAGS=--coverage tests
	$(Q)sh tests/artifact/coverage.sh '$(BUILD)/cov'

# --- 13. installation ------------------------------------------------------------------------------------------------

PREFIX  ?= /usr/local
DESTDIR ?=
install_sh = DESTDIR='$(DESTDIR)' sh tests/setup/install.sh '$(BUILD)' '$(PREFIX)' '$(VERSION)'

.PHONY: install uninstall
install: all ## program, Lua files, C library, headers, pkg-config file, manual page, completions below PREFIX=/usr/local
	$(Q)$(install_sh)
uninstall: ## remove them again
	$(Q)UNINSTALL=1 $(install_sh)

# --- 14. housekeeping ------------------------------------------------------------------------------------------------

.PHONY: help clean distclean
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

clean: ## remove what was built
	rm -rf $(BUILD)
distclean: clean ## also remove what was downloaded
	rm -rf .cache

-include $(patsubst %.o,%.d,$(core_obj) $(bind_obj) $(host_obj) $(mpi_obj)) $(test_bin:=.d)
