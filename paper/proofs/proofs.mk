# Theorems checked by Coq. Nothing else needs it: `make record` commits what was checked, and everybody else compares the sources with
# that record.
needs_proofs = proofs
proof_src   := $(sort $(wildcard paper/proofs/*.v)) paper/proofs/labels paper/proofs/check.sh

.PHONY: proofs
proofs: $(BUILD)/proofs.tsv
$(BUILD)/proofs.tsv: $(proof_src) | $(deps_first)
	@mkdir -p $(@D)
	$(call say,PROOFS,$@)
	$(Q)bash paper/proofs/check.sh '$(BUILD)'
