# vesicle. `make help` lists what can be made.
#
# Here are the settings, the folders of the sources and the goals; the rules stand beside what they build:
#
#   csrc/build.mk               library, program, Lua module
#   figures/figures.mk          experiments, their data and figures, claims
#   paper/paper.mk              report, supplement, web pages, verification
#   csrc/web/web.mk             the playground: the program and gnuplot in the web pages
#   tests/tests.mk              test programs, test runs, lint
#   tests/bench/bench.mk        benchmarks
#   tests/mutants/mutants.mk    errors on purpose, and which suite notices
#   tests/peers/peers.mk        the same trials and data by programs of others
#   tests/artifact/artifact.mk  citation files, archives, checks on other machines
#   paper/proofs/proofs.mk      theorems checked by Coq
#
# Three rules keep them honest. Nothing asks for a compiler, pkg-config or a library while they are parsed: everything is
# found in recipes, so that `make deps test` works in one call on a machine that has neither. Every path is relative, so that
# the tree works wherever it is put, spaces and all. And a recipe stops at the first command that fails; what it makes has
# another name until it is whole, so that nothing half made is taken for made, whenever a run is killed.

# --- settings --------------------------------------------------------------------------------------------------------

# Each can be given on the command line, as in `make SCALE=quick paper`. A comment behind a value would become part of it.
#   BUILD      where everything goes that is made         V=1        shows the commands
#   SCALE      full, or quick: fewer replicates           PREFIX, DESTDIR   where `make install` puts things
#   OPT        how the compiler optimises                 PDFS_TO    a folder for a copy of the report
#   SAN        sanitizers, as address,undefined           NAME       the experiment of `make experiment` and `make watch`
#   MPI=1      a program for many machines, by MPICC      CHECKS     those that `make lint` runs, if not all
#   OWN=1      documents with experiments of your own     LOCK=1     packages in the versions of docs/packages.lock
BUILD   ?= build$(if $(SAN),-san)
SCALE   ?= full
OPT     ?= -O2
SAN     ?=
MPI     ?=
MPICC   ?= mpicc
V       ?=
PREFIX  ?= /usr/local
DESTDIR ?=
PDFS_TO ?=
NAME    ?=
CHECKS  ?=
OWN     ?=

VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(filter $(SCALE),full quick),)
$(error SCALE=$(SCALE): expected full or quick)
endif
ifneq ($(words $(BUILD))$(filter . ./ .. / csrc docs figures lua paper tests,$(BUILD)),1)
$(error BUILD="$(BUILD)": expected a directory of its own, without spaces in its name)
endif

# One goal is made with as many recipes at a time as there are cores; several are made one after the other, unless -j says
# how many at a time. A make below another takes part in its turns.
goals := $(filter-out deps,$(MAKECMDGOALS))
dry   := $(findstring n,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
MAKEFLAGS += --no-builtin-rules
ifeq ($(MAKELEVEL)$(word 2,$(goals)),0)
MAKEFLAGS += -j$(or $(shell getconf _NPROCESSORS_ONLN 2>/dev/null),1)
endif

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SHELLFLAGS := -ec
.PHONY: FORCE
# What is made anew each time, and replaced only if it changed. `make -n` cannot tell whether it will, and takes it as it is:
# after a whole build it has nothing to say.
always  := $(if $(dry),,FORCE)
comma   := ,
results := $(BUILD)$(if $(filter quick,$(SCALE)),/quick)
Q       := $(if $(V),,@)
say      = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $(1)  $(2)")

# --- sources ---------------------------------------------------------------------------------------------------------

# A folder is a layer. Each sees the headers of its own folders and of those below it, so that an arrow that points up
# does not compile.
sources  = $(sort $(wildcard csrc/$(1)/*.$(2) csrc/$(1)/*/*.$(2)))
includes = $(patsubst %/,-I%,$(foreach layer,$(1),csrc/$(layer)/ $(sort $(wildcard csrc/$(layer)/*/))))
core_src := $(call sources,core,c)
bind_src := $(call sources,lua,c)
host_src := $(call sources,host,c)
lua_src  := $(sort $(wildcard lua/vesicle/*.lua lua/vesicle/*/*.lua lua/vesicle/*/*/*.lua))

# Whatever needs an installed dependency is ordered after $(deps_first), so that `deps` finishes before anything else
# starts, also under -j.
deps_first := $(filter deps,$(MAKECMDGOALS))

# What `make bootstrap` compiled, if it did.
bootstrapped := $(patsubst %/done,%,$(wildcard build/prefix/done))

rules := csrc/build.mk figures/figures.mk paper/paper.mk csrc/web/web.mk tests/tests.mk tests/bench/bench.mk tests/mutants/mutants.mk \
         tests/peers/peers.mk tests/artifact/artifact.mk paper/proofs/proofs.mk
include $(rules)

# --- goals -----------------------------------------------------------------------------------------------------------

# `make help` shows the lines with two hashes, here and in the files of rules, below the headings.
.PHONY: all deps lock install uninstall help clean distclean

## Build
all: ## the program, the library and the Lua module (default)
lib: ## only the C library
install: all ## program, Lua files, C library, headers, manual page, completions below PREFIX=/usr/local
	$(Q)$(install_sh)
uninstall: ## remove them again
	$(Q)UNINSTALL=1 $(install_sh)
install_sh = DESTDIR='$(DESTDIR)' OWN='$(OWN)' sh tests/setup/install.sh '$(BUILD)' '$(PREFIX)' '$(VERSION)'

# $(needs_GROUP), stated beside the rules, are the goals that need a group of packages.
groups = build $(if $(MPI),mpi) $(foreach group,archive test lint figures paper proofs,$(if $(filter $(needs_$(group)),$(goals)),$(group)))
lock: ## record the versions of all packages that `make deps` brought, in docs/packages.lock
	$(Q)sh tests/setup/lock.sh docs/packages.lock
deps: ## install what is missing: everything, or what the other goals of the same call need; LOCK=1: in the versions recorded
	$(Q)LOCK='$(LOCK)' sh tests/setup/deps.sh $(strip $(if $(goals),$(groups),build test lint figures paper))
	$(Q)$(if $(goals),$(if $(filter $(needs_test),$(goals)),$(greatest)),$(greatest))

## Results
data: ## run every experiment; SCALE=quick for a reduced one
figures: ## run every experiment and draw every figure
claims: ## print the ledger of statements, and write it as TSV and LaTeX
experiment: ## write a new, working experiment and its figure: make experiment NAME=my_idea
watch: ## run an experiment at quick scale whenever it is saved: make watch NAME=my_idea

## Documents
paper: ## the report and its supplement, from nothing
supplement: ## only the supplement
site-pages: ## the same content as web pages
playground: ## the web pages with the program in them, to change and run; first make deps-playground
verify: ## compare data, numbers and documents with tests/expected
proofs: ## check the theorems by Coq; deps proofs installs it
archive: ## sources and results as a BagIt bag, the same file whenever it is made
arxiv: ## the report's LaTeX as one tarball

## Check
test: ## build and run every test, also under the sanitizers; ends with "N passed, N failed"
lint: ## formatting, static analysis, layers, words; CHECKS='tidy words' runs only those
bench: ## one replicate by vesicle and by the best programs of other kinds, side by side; TURNS=3

## Housekeeping
help: ## list the goals
	@awk -F ':.*## ' '/^## / { heading = substr($$0, 4) } \
	  /^[a-zA-Z%-]+:.*## / { if (!(heading in lines)) order[++n] = heading; \
	    line = sprintf("  %-15s", $$1); words = split($$2, word, " "); text = ""; \
	    for (k = 1; k <= words; k++) { \
	      if (length(line " " word[k]) > 80) { text = text line "\n"; line = sprintf("%17s", "") } \
	      line = line " " word[k] } \
	    lines[heading] = lines[heading] text line "\n" } \
	  END { for (i = 1; i <= n; i++) print order[i] "\n" lines[order[i]] }' Makefile $(rules)
clean: ## remove what was built
	rm -rf '$(BUILD)'
distclean: clean ## also remove what was downloaded
	rm -rf .cache
