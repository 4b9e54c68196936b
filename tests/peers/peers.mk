# Peers: programs nobody here wrote, given the same trials.
#
# Brian 2 (Debian: python3-brian) repeats trials of the model in time with the releases they had. What came of it is
# committed, with versions and machine; nothing of the report needs it to be made again.
peer_table := lua/experiments/data/peer_spikes.tsv

## Peers
.PHONY: peers
peers: $(BUILD)/vesicle.so ## repeat 1,000 trials with Brian 2, compare winners and first spikes, and record it
	$(Q)/usr/bin/python3 -W ignore -c 'import brian2' 2>/dev/null || { echo 'make peers: needs Brian 2 (Debian: python3-brian)' >&2; exit 1; }
	@mkdir -p $(BUILD)/peers
	$(Q)LUA_CPATH='$(BUILD)/?.so' lua5.4 tests/peers/spikes.lua '$(BUILD)/peers'
	$(Q){ sh tests/bench/machine.sh; /usr/bin/python3 -W ignore tests/peers/spikes_brian.py '$(BUILD)/peers'; } > $(BUILD)/peers/table.tsv
	$(Q)cp $(BUILD)/peers/table.tsv $(peer_table)
	$(Q)cat $(peer_table)
