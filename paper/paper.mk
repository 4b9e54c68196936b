# The report, its supplement, the web pages, and the comparison with what is expected.
#
# Scripts are woven to Markdown in $(results)/weave, which pandoc turns into chapters and web pages. Everything LaTeX reads
# is gathered in $(results)/tex, everything the pages need in $(results)/site. A new experiment needs no word here.
publish      = $(BUILD)/vesicle run --trust lua/vesicle/publish/main.lua --scale $(SCALE) --set results='$(results)' $(if $(OWN),--set own=1)
publish_src := $(filter lua/vesicle/publish/% lua/vesicle/experiment/% lua/vesicle/base/%,$(lua_src))
tex         := $(results)/tex
woven       := $(results)/weave
site        := $(results)/site
paper_src   := $(sort $(wildcard paper/*.tex paper/*.bib))
paper_tex   := $(patsubst paper/%,$(tex)/%,$(paper_src))
chapters    := $(experiments) api trace identifiers provenance
pages       := index claims own $(chapters)
markdown    := markdown-citations-implicit_figures
tagged      := $(core_src) $(bind_src) $(call sources,core,h) $(call sources,lua,h) \
               $(lua_src) $(sort $(wildcard tests/*.c tests/lua/*.lua tests/lua/api/*.lua lua/experiments/*.lua))

printed     := paper supplement site-pages verify expect
needs_paper += $(printed)
.PHONY: $(printed) trace diff

# PDFS_TO=FOLDER also gets a copy of the documents.
paper: $(results)/supplement.pdf $(results)/paper.pdf $(results)/provenance.txt
	$(if $(dry),,$(Q)$(publish) --set task=summary)
	$(Q)$(if $(PDFS_TO),cp $(results)/paper.pdf $(results)/supplement.pdf '$(PDFS_TO)')
supplement: $(results)/supplement.pdf

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
$(woven)/identifiers.tex.md $(woven)/identifiers.html.md &: $(tagged) $(publish_src) paper/labels.tsv | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(call say,WEAVE,identifiers)
	$(Q)$(publish) --out '$(woven)' --set task=identifiers --set form=page
$(woven)/provenance.tex.md $(woven)/provenance.html.md &: $(results)/checksums.tsv $(publish_src) $(tex)/chapters.tex
	@mkdir -p $(@D)
	$(call say,WEAVE,provenance)
	$(Q)$(publish) --out '$(woven)' --set task=provenance
$(results)/checksums.tsv: $(all_data) paper/tools/checksums.sh $(tex)/chapters.tex
	$(Q)sh paper/tools/checksums.sh '$(results)' data > $@.part; mv $@.part $@

# LaTeX: the sources as they are, and beside them what is generated.
$(paper_tex): $(tex)/%: paper/%
	@mkdir -p $(@D)
	$(Q)cp $< $@.part; mv $@.part $@
$(chapters:%=$(tex)/%.tex): $(tex)/%.tex: $(woven)/%.tex.md | $(deps_first)
	@mkdir -p $(@D)
	$(Q)$(timed) weave '$*.tex' $(nobodys) pandoc -f $(markdown)-auto_identifiers -t latex --columns=200 --top-level-division=chapter -o $@.part $<
	$(Q)mv $@.part $@
$(tex)/macros.tex $(tex)/claims-table.tex &: $(all_data) $(publish_src) $(tex)/chapters.tex CITATION.cff docs/central.tsv paper/versions.tsv | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(tex)' --set task=macros
# Which experiments there are: what lists them depends on it, since one that is gone or left out is no file that has changed.
$(tex)/chapters.tex: $(always)
	@mkdir -p $(@D)
	$(Q)printf '\\input{%s}\n' $(experiments) > $@.part; cmp -s $@.part $@ && rm $@.part || mv $@.part $@
$(tex)/checked: $(paper_src) paper/exceptions.tsv paper/labels.tsv $(tex)/macros.tex $(publish_src)
	$(call say,CHECK,paper/paper.tex)
	$(Q)$(publish) --out '$(tex)' --set task=check_paper
	$(Q)touch $@

$(results)/paper.pdf: $(tex)/checked
# The supplement takes longest and is begun first, and of its chapters those that do.
$(results)/supplement.pdf: $(tex)/chapters.tex $(tex)/api.tex $(tex)/provenance.tex $(chapters:%=$(tex)/%.tex)
$(results)/paper.pdf $(results)/supplement.pdf: $(results)/%.pdf: $(paper_tex) $(tex)/macros.tex $(tex)/claims-table.tex \
    $(drawings:%=$(results)/figures/%.pdf) paper/tools/typeset.sh | $(deps_first) $(BUILD)/vesicle
	$(call say,TEX,$@)
	$(Q)$(timed) typeset '$*' sh paper/tools/typeset.sh '$(tex)' '$*' $(BUILD)/vesicle
	$(Q)cp '$(tex)/$*.pdf' $@.part; mv $@.part $@
$(results)/provenance.txt: $(results)/paper.pdf $(results)/supplement.pdf $(results)/checksums.tsv paper/tools/provenance.sh
	$(Q)sh paper/tools/provenance.sh '$(BUILD)' '$(results)' > $@.part; mv $@.part $@

# The same content as web pages that need no network, with the data and the scripts they link to. `make playground` adds what
# it takes to run the experiments in them; what the pages do with it is in paper/site/. site.json lists what is there: for
# the pages whether they can run something, for offline.js what to keep.
# pandoc writes an empty link at each line of code and empty heads of tables, which say nothing to those who hear them.
accessible  = -e 's|<span id="[^"]*"><a href="\#[^"]*"|& aria-hidden="true" tabindex="-1"|g' -e 's|<th[^>]*></th>|<td></td>|g'
site_files := $(filter-out page.html,$(notdir $(sort $(wildcard paper/site/*))))
$(woven)/index.html.md $(woven)/claims.html.md $(woven)/own.html.md &: $(all_data) $(publish_src) \
    $(wildcard figures/*.gp) docs/tutorial.md $(tex)/chapters.tex | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(woven)' --set task=site
# The links on every page. They seldom change where data do: the pages are made again only if they did.
$(woven)/nav.html: $(if $(dry),|) $(woven)/index.html.md
	$(Q)cmp -s $@.new $@ || cp $@.new $@
$(pages:%=$(site)/%.html): $(site)/%.html: $(woven)/%.html.md $(woven)/nav.html paper/site/page.html | $(deps_first)
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)$(timed) weave '$*.html' $(nobodys) pandoc -f $(markdown) -t html5 --columns=200 --mathml --template paper/site/page.html \
	  --include-before-body '$(woven)/nav.html' $(if $(filter quick,$(SCALE)),--variable quick) -o $@.part $<
	$(Q)sed -e '/^<nav/,/^<\/nav>/s|<a href="$*.html">|<a aria-current="page" href="$*.html">|' $(accessible) $@.part > $@.new
	$(Q)mv $@.new $@; rm $@.part
$(site_files:%=$(site)/%): $(site)/%: paper/site/%
$(site)/paper.pdf $(site)/supplement.pdf: $(site)/%: $(results)/%
$(drawings:%=$(site)/figures/%.svg): $(site)/%: $(results)/%
$(drawings:%=$(site)/figures/%.gp): $(site)/%: %
$(experiments:%=$(site)/scripts/%.lua): $(site)/scripts/%: lua/experiments/%
site_copies := $(site_files) paper.pdf supplement.pdf $(drawings:%=figures/%.svg) $(drawings:%=figures/%.gp) $(experiments:%=scripts/%.lua)
$(site_copies:%=$(site)/%):
	@mkdir -p $(@D)
	$(Q)cp $< $@.part; mv $@.part $@
$(experiments:%=$(site)/data/%/claims.tsv): $(site)/%/claims.tsv: $(results)/%/claims.tsv
	@mkdir -p $(@D)
	$(Q)cp $(<D)/*.tsv $(@D)
site-pages: $(pages:%=$(site)/%.html) $(site_copies:%=$(site)/%) $(experiments:%=$(site)/data/%/claims.tsv)
	$(Q)sh paper/tools/site_list.sh '$(site)'
	$(Q)echo "  $(site)/index.html and $(words $(chapters)) more pages"

## Documents
trace: | $(BUILD)/vesicle ## print the matrix label, function, experiment, test; write the functions' Software Heritage identifiers
	$(Q)$(publish) --set task=trace --set form=print
	$(Q)$(publish) --out '$(BUILD)' --set task=identifiers --set form=table
# Where the programs that make the documents are missing, the data are compared alone.
verify: $(results)/checksums.tsv | $(BUILD)/vesicle
	$(Q)$(lacks_tools); [ -n "$$missing" ] || $(MAKE) --no-print-directory $(results)/provenance.txt
	$(Q)$(lacks_tools); if [ -z "$$missing" ]; then \
	  sh paper/tools/checksums.sh '$(results)' documents > '$(results)/documents.tsv'; \
	  $(publish) --set task=verify; \
	else \
	  printf 'file\tsha256\n' > '$(results)/documents.tsv'; \
	  $(publish) --set task=verify --set documents=no --set missing="$$missing"; \
	fi
lacks_tools = missing=; for tool in gnuplot pandoc latexmk pdflatex bibtex; do command -v $$tool >/dev/null || missing="$$missing $$tool"; done
# Quick unless SCALE is given. ONLY names experiments.
diff_scale = $(if $(filter file,$(origin SCALE)),quick,$(SCALE))
diff: | $(BUILD)/vesicle ## what moved since another commit, with figures side by side: make diff OLD=v1 ONLY='05_power_rules'
	$(Q)MAKE='$(MAKE_COMMAND)' sh paper/tools/diff.sh '$(BUILD)' '$(BUILD)$(if $(filter quick,$(diff_scale)),/quick)' '$(diff_scale)' '$(OLD)' $(ONLY)
expect: $(results)/provenance.txt ## make what was built here the expectation
	$(Q)sh paper/tools/checksums.sh '$(results)' documents > '$(results)/documents.tsv'
	$(Q)$(publish) --out tests/expected --set task=expect
