# Experiments, their data, figures and claims.
#
# lua/experiments/NAME.lua writes $(data)/NAME/; figures/NAME.gp and figures/NAME-PART.gp draw from it. Results of the two
# scales live apart. A new experiment needs no word here: it is found by its name, with OWN=1 also by the supplement.

# Names go into commands and targets, so they are checked once, here.
misnamed := $(shell find lua/experiments figures -maxdepth 1 \( -name '*.lua' -o -name '*.gp' \) | \
              LC_ALL=C grep -vxE 'lua/experiments/[A-Za-z0-9_]+\.lua|figures/[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*\.gp')
ifneq ($(misnamed),)
$(error $(misnamed): expected letters, digits and _ in the name of an experiment, and NAME.gp or NAME-PART.gp for a figure)
endif

data          := $(results)/data
# Published experiments have a number; others are a user's own, which documents, tally, verification and installation leave
# out unless OWN=1 is given.
scripts       := $(basename $(notdir $(sort $(wildcard lua/experiments/*.lua))))
published     := $(basename $(notdir $(sort $(wildcard lua/experiments/[0-9][0-9]_*.lua))))
experiments   := $(if $(OWN),$(scripts),$(published))
data_of        = $(data)/$(1)/claims.tsv
# Those that take longest are begun first, so that no core waits for one of them at the end.
by_length     := $(shell LC_ALL=C sort -t '	' -k 2,2nr docs/timings.tsv 2>/dev/null | cut -f 1)
longest_first  = $(filter $(1),$(by_length)) $(filter-out $(by_length),$(1))
all_data      := $(foreach e,$(call longest_first,$(experiments)),$(call data_of,$(e)))
experiment_of  = $(firstword $(subst -, ,$(1)))
figure_scripts := $(filter-out style,$(basename $(notdir $(sort $(wildcard figures/*.gp)))))
drawings      := $(foreach f,$(figure_scripts),$(if $(filter $(call experiment_of,$(f)),$(experiments)),$(f)))
timed          = bash paper/tools/timed.sh '$(results)/timings'
# The gnuplot of `make bootstrap` has no cairo: it draws SVG, and PDF is left to the system's, if there is one.
formats       := $(if $(bootstrapped),$(if $(shell command -v gnuplot),pdf),pdf) svg
drawing_of     = $(foreach f,$(filter $(1) $(1)-%,$(figure_scripts)),$(formats:%=$(results)/figures/$(f).%))

.PHONY: data figures claims experiment watch $(scripts)
needs_figures = figures record $(scripts) $(needs_paper)
data: $(foreach e,$(call longest_first,$(scripts)),$(call data_of,$(e)))
figures: data $(foreach e,$(scripts),$(call drawing_of,$(e)))
	$(if $(filter pdf,$(formats)),,@echo '  figures are SVG only: gnuplot has no cairo here, which PDF needs')

# Data depend on what computes them: the objects, not the program itself, whose version string changes with every commit; and
# on the files that the script read, modules and tables. A run leaves a list of these and of what it wrote in $(data)/NAME.d.
# Paths of that list are no names for make: it learns only which experiments are to run again.
computes := $(filter-out %/ves_version.o,$(core_obj)) $(bind_obj) $(filter-out %/run_version.o $(BUILD)/obj/host/prompt/%,$(host_obj))
$(data)/%/claims.tsv: lua/experiments/%.lua $(computes) | $(BUILD)/vesicle
	$(Q)$(timed) compute '$*' $(BUILD)/vesicle run '$<' --scale $(SCALE) --out '$(data)'
$(foreach e,$(filter $(scripts),$(shell bash paper/tools/stale.sh '$(data)' $(scripts))),$(eval $(call data_of,$(e)): FORCE))

# cairo writes the date into a PDF whatever the environment says, from version 1.18 on within compressed objects: qpdf writes
# these plainly, and a constant date of the same length keeps the bytes equal. Whose machine it is does not matter either: gnuplot and pandoc read neither ~/.gnuplot
# nor fonts and settings of one's own.
nobodys     = sh paper/tools/nobodys.sh
gnuplot_pdf := gnuplot
gnuplot_svg := $(if $(bootstrapped),$(bootstrapped)/bin/)gnuplot
define figure_rule
$(results)/figures/$(1).pdf $(results)/figures/$(1).svg: $(results)/figures/$(1).%: figures/$(1).gp figures/style.gp $(call data_of,$(call experiment_of,$(1)))
	@mkdir -p $$(@D)
	$$(call say,PLOT,$$@)
	$$(Q)$(timed) plot '$$(@F)' $(nobodys) $$(gnuplot_$$*) -d -e "data='$(data)/$(call experiment_of,$(1))'; out='$$@.part'; format='$$*'" $$<
	$$(Q)case $$* in pdf) qpdf --static-id --object-streams=disable --replace-input $$@.part; \
	  LC_ALL=C sed -i 's/CreationDate (D:[0-9]*Z)/CreationDate (D:20211118000000Z)/' $$@.part ;; esac
	$$(Q)mv $$@.part $$@
endef
$(foreach f,$(figure_scripts),$(eval $(call figure_rule,$(f))))

# `make 06_variance_components` runs one experiment, draws its figures, and says where they are and what came of it.
$(foreach e,$(scripts),$(eval $(e): $(call data_of,$(e)) $(call drawing_of,$(e))))
$(scripts):
	@printf '  %s\n' '$(data)/$@/' $(call drawing_of,$@)
	$(Q)$(BUILD)/vesicle claims '$(data)/$@'

experiment:
	$(Q)sh lua/vesicle/template/new.sh '$(NAME)' Makefile $(rules)
watch: $(BUILD)/vesicle
	$(Q)sh lua/vesicle/template/watch.sh '$(NAME)' $(MAKE) --no-print-directory SCALE=quick '$(NAME)'

claims: data
	$(Q)$(BUILD)/vesicle claims '$(data)' --format tsv   > $(results)/claims.tsv
	$(Q)$(BUILD)/vesicle claims '$(data)' --format latex > $(results)/claims.tex
	$(Q)$(BUILD)/vesicle claims '$(data)'
## Results
# Ids stand whole in the scripts (tests/lua/test_names.lua), so the scripts that measure a statement are found by a search.
claim-%: | $(BUILD)/vesicle ## run what one statement needs and print its row: make claim-mapping-exact
	$(Q)scripts=$$(grep -lE '(id|statement) = (reading\.pick\(("[^"]*", )?)?"$*"' lua/experiments/*.lua) || \
	  { echo 'there is no statement $*; `make claims` lists them' >&2; exit 2; }; \
	for script in $$scripts; do $(BUILD)/vesicle run "$$script" --scale $(SCALE) --out '$(data)'; done; \
	$(BUILD)/vesicle claims '$(data)' --id '$*'
