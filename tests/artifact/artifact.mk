# What goes out of the house: citation files, archives, and checks on machines that have never seen the project.
#
# docs/metadata.lua and the tables beside it are the source of CITATION.cff, codemeta.json, .zenodo.json, the RO-Crate,
# docs/claims.md, docs/figures.md, ARTIFACT.md and parts of README.md and ARCHITECTURE.md; tests/lint/generated.sh compares.
bag := vesicle-$(VERSION)$(if $(filter quick,$(SCALE)),-quick)

needs_archive = archive check-archive
needs_paper  += archive check-archive arxiv check-arxiv check-kill

## Artifact
.PHONY: metadata record check-metadata archive sources bootstrap check-bootstrap check-archive arxiv check-arxiv check-fresh check-container check-arm check-libm check-kill check-slurm coverage
metadata: | $(BUILD)/vesicle ## citation files, tables of claims and figures, ARTIFACT.md, parts of README.md, from docs/
	$(Q)$(publish) --quiet --out . --set task=generate
record: figures ## make the ledger, the timings and the pictures built here those of docs/ and the pages
	$(Q)sed 's/[[:blank:]]*$$//' '$(results)/figures/02_sampling_diagram.svg' > docs/answer.svg
	$(Q)sed 's/[[:blank:]]*$$//' '$(results)/figures/27_silences.svg' > docs/silences.svg
	$(Q)if [ -e '$(BUILD)/proofs.tsv' ]; then cp '$(BUILD)/proofs.tsv' docs/proofs.tsv; fi
	$(Q)$(publish) --quiet --out . --set task=record
	$(Q)$(MAKE) --no-print-directory metadata
check-metadata: ## validate the citation files against published schemas, which npm brings
	$(Q)sh tests/artifact/schemas.sh install
	$(Q)sh tests/artifact/schemas.sh check

# With the web pages; where emscripten is, those at full scale can run.
archive: paper figures site-pages
	$(Q)if [ '$(SCALE)' = full ] && command -v emcc >/dev/null 2>&1; then $(MAKE) --no-print-directory playground; fi
	$(Q)sh paper/tools/bag.sh $(BUILD)/vesicle '$(results)' '$(bag)'
sources: ## the sources of the libraries and of gnuplot, pinned by docs/sources.tsv, as a second bag; RENEW=1 pins anew
	@mkdir -p '$(BUILD)'
	$(Q)RENEW='$(RENEW)' sh tests/setup/sources.sh '$(BUILD)' 'vesicle-$(VERSION)-sources'
# The rules look for build/prefix when they are read, so it must be there before.
bootstrap: ## compile them below build/prefix, for the build to use, without network or root: make bootstrap SOURCES=bag
	$(Q)$(if $(filter-out bootstrap,$(goals)),echo 'bootstrap needs a call of its own; then: make $(filter-out bootstrap,$(goals))' >&2; exit 2)
	$(Q)CC='$(CC)' MAKE='$(MAKE_COMMAND)' sh tests/setup/bootstrap.sh '$(SOURCES)' build/prefix
	$(Q)GREATEST_H=build/prefix/include/greatest.h sh tests/setup/greatest.sh '$(BUILD)/third_party/greatest.h'
check-bootstrap: sources ## that, in a minimal Debian with gcc and make, its network cut; data, figures and C suites there (root)
	$(Q)bash tests/artifact/bootstrap.sh '$(BUILD)/vesicle-$(VERSION)-sources.tar'
check-archive: archive ## unpack the archive elsewhere, verify it, rebuild the paper from it without git
	$(Q)VESICLE='$(BUILD)/vesicle' bash tests/artifact/archive.sh '$(results)' '$(results)/$(bag).tar.zst'
arxiv: paper
	$(Q)sh paper/tools/arxiv.sh '$(results)' '$(bag)-arxiv'
check-arxiv: arxiv ## compile that tarball with plain pdflatex and bibtex
	$(Q)bash tests/artifact/arxiv.sh '$(results)/$(bag)-arxiv.tar.gz'

check-fresh: ## the README's two commands on a minimal Debian that has never seen the project: SUITE=bookworm, trixie, forky (root)
	$(Q)SCALE='$(SCALE)' SUITE='$(SUITE)' bash tests/artifact/fresh.sh
check-container: ## build the Dockerfile with buildah and run its default command at quick scale; SUITE=bookworm (root)
	$(Q)SUITE='$(SUITE)' bash tests/artifact/container.sh
check-arm: $(BUILD)/third_party/greatest.h ## cross-compile for 64-bit ARM, run the tests and the experiments under qemu, compare (root)
	$(Q)bash tests/artifact/arm.sh
check-libm: ## the experiments with a mathematical library that rounds another way: the results are equivalent
	$(Q)$(MAKE) -s --no-print-directory SCALE='$(SCALE)' data > $(BUILD)/data.log 2>&1 || { cat $(BUILD)/data.log; exit 1; }
	$(Q)BUILD='$(BUILD)' SCALE='$(SCALE)' CC='$(CC)' bash tests/artifact/libm.sh
check-kill: ## seven SIGKILLs at random moments of `make SCALE=quick paper`, then the same bytes
	$(Q)$(MAKE) --no-print-directory SCALE=quick paper
	$(Q)bash tests/artifact/kill.sh '$(BUILD)/quick'
check-slurm: ## docs/cluster/vesicle.sbatch on a Slurm of this one machine: a task killed, requeued, the same bytes (root)
	$(Q)bash tests/artifact/slurm.sh

coverage: ## lines and branches of the core that the C and Lua suites reach
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/cov OPT=-O0 CFLAGS=--coverage tests
	$(Q)sh tests/artifact/coverage.sh '$(BUILD)/cov'
