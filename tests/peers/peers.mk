# Peers: programs nobody here wrote, given the same trials and the same data.
#
# Brian 2 (Debian: python3-brian) repeats trials of the model in time with the releases they had. Kernel densities, quantile
# regression, Gaussian processes and mixtures, and Monte-Carlo dropout predict held-out rows of the sets in datasets.tsv, as
# this project does. What came of it is committed, with versions and machine; nothing of the report needs it to be made again.
peer_folder := lua/experiments/data
peer_out    := $(BUILD)/peers
peer_python := /usr/bin/python3 -W ignore
peer_lua    := LUA_CPATH='$(BUILD)/?.so' lua5.4
peer_runs   := $(addprefix $(peer_out)/,vesicle.done python.done r.done)
peer_needs   = $(peer_python) -c 'import $(1)' 2>/dev/null || { echo 'make $@: needs $(2)' >&2; exit 1; }

## Peers
.PHONY: peers peers-spikes peers-densities
peers: peers-spikes peers-densities ## the same trials with Brian 2, the same data with other methods; record both (20 minutes)
peers-spikes: $(BUILD)/vesicle.so
	$(Q)$(call peer_needs,brian2,Brian 2 (Debian: python3-brian))
	@mkdir -p $(peer_out)
	$(Q)$(peer_lua) tests/peers/spikes.lua '$(peer_out)'
	$(Q){ sh tests/bench/machine.sh; $(peer_python) tests/peers/spikes_brian.py '$(peer_out)'; } > $(peer_out)/spikes_table.tsv
	$(Q)cp $(peer_out)/spikes_table.tsv $(peer_folder)/peer_spikes.tsv
	$(Q)cat $(peer_folder)/peer_spikes.tsv

peers-densities: $(peer_runs)
	$(Q){ sh tests/bench/machine.sh; sh tests/peers/versions.sh; $(peer_python) tests/peers/score.py '$(peer_out)'; } > $(peer_out)/densities_table.tsv
	$(Q)cp $(peer_out)/densities_table.tsv $(peer_folder)/peers_densities.tsv
# Data and parts of them first; then each program predicts on its own, so that `make -j3` runs them side by side.
$(peer_out)/data.done: tests/peers/datasets.tsv tests/peers/export.R tests/peers/export.py tests/peers/folds.lua | $(BUILD)/vesicle.so
	$(Q)$(call peer_needs,sklearn.mixture as a; import torch; import statsmodels,python3-sklearn python3-torch python3-statsmodels r-cran-quantreg r-cran-ggplot2 r-cran-cardata)
	@mkdir -p $(@D)
	$(Q)Rscript tests/peers/export.R $(peer_folder) '$(@D)'
	$(Q)$(peer_python) tests/peers/export.py $(peer_folder)
	$(Q)$(peer_lua) tests/peers/folds.lua '$(@D)' && touch $@
$(peer_out)/vesicle.done: tests/peers/densities.lua lua/vesicle/crossval.lua $(BUILD)/vesicle.so $(peer_out)/data.done
	$(Q)$(peer_lua) $< '$(@D)' && touch $@
$(peer_out)/python.done: tests/peers/densities.py $(peer_out)/data.done
	$(Q)$(peer_python) $< '$(@D)' && touch $@
$(peer_out)/r.done: tests/peers/quantiles.R $(peer_out)/data.done
	$(Q)Rscript $< '$(@D)' && touch $@
