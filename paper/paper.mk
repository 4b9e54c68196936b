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
chapters    := $(experiments) api trace provenance
pages       := index claims $(chapters)
markdown    := markdown-citations-implicit_figures
tagged      := $(core_src) $(bind_src) $(call sources,core,h) $(call sources,lua,h) \
               $(lua_src) $(sort $(wildcard tests/*.c tests/lua/*.lua lua/experiments/*.lua))

printed     := paper supplement site-pages verify expect
needs_paper += $(printed)
.PHONY: $(printed) trace

# PDFS_TO=FOLDER also gets a copy of the documents.
paper: $(results)/paper.pdf $(results)/supplement.pdf $(results)/provenance.txt
	$(Q)$(publish) --set task=summary
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
$(woven)/provenance.tex.md $(woven)/provenance.html.md &: $(results)/checksums.tsv $(publish_src)
	@mkdir -p $(@D)
	$(call say,WEAVE,provenance)
	$(Q)$(publish) --out '$(woven)' --set task=provenance
$(results)/checksums.tsv: $(all_data) paper/tools/checksums.sh
	$(Q)sh paper/tools/checksums.sh '$(results)' data > $@.part; mv $@.part $@

# LaTeX: the sources as they are, and beside them what is generated.
$(paper_tex): $(tex)/%: paper/%
	@mkdir -p $(@D)
	$(Q)cp $< $@.part; mv $@.part $@
$(chapters:%=$(tex)/%.tex): $(tex)/%.tex: $(woven)/%.tex.md | $(deps_first)
	@mkdir -p $(@D)
	$(Q)$(timed) weave '$*.tex' pandoc -f $(markdown)-auto_identifiers -t latex --columns=200 --top-level-division=chapter -o $@.part $<
	$(Q)mv $@.part $@
$(tex)/macros.tex $(tex)/claims-table.tex &: $(all_data) $(publish_src) CITATION.cff docs/central.tsv paper/versions.tsv | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(tex)' --set task=macros
$(tex)/chapters.tex: FORCE
	@mkdir -p $(@D)
	$(Q)printf '\\input{%s}\n' $(experiments) > $@.part; cmp -s $@.part $@ && rm $@.part || mv $@.part $@
$(tex)/checked: $(paper_src) paper/exceptions.tsv paper/labels.tsv $(tex)/macros.tex $(publish_src)
	$(call say,CHECK,paper/paper.tex)
	$(Q)$(publish) --out '$(tex)' --set task=check_paper
	$(Q)touch $@

$(results)/paper.pdf: $(tex)/checked
$(results)/supplement.pdf: $(chapters:%=$(tex)/%.tex) $(tex)/chapters.tex
$(results)/paper.pdf $(results)/supplement.pdf: $(results)/%.pdf: $(paper_tex) $(tex)/macros.tex $(tex)/claims-table.tex \
    $(drawings:%=$(results)/figures/%.pdf) paper/tools/typeset.sh | $(deps_first) $(BUILD)/vesicle
	$(call say,TEX,$@)
	$(Q)$(timed) typeset '$*' sh paper/tools/typeset.sh '$(tex)' '$*' $(BUILD)/vesicle
	$(Q)cp '$(tex)/$*.pdf' $@.part; mv $@.part $@
$(results)/provenance.txt: $(results)/paper.pdf $(results)/supplement.pdf $(results)/checksums.tsv paper/tools/provenance.sh
	$(Q)sh paper/tools/provenance.sh '$(BUILD)' '$(results)' > $@.part; mv $@.part $@

# The same content as web pages that need no network.
$(woven)/nav.html $(woven)/index.html.md $(woven)/claims.html.md &: $(all_data) $(publish_src) | $(BUILD)/vesicle
	@mkdir -p $(@D)
	$(Q)$(publish) --out '$(woven)' --set task=site
$(pages:%=$(site)/%.html): $(site)/%.html: $(woven)/%.html.md $(woven)/nav.html paper/site/page.html | $(deps_first)
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)$(timed) weave '$*.html' pandoc -f $(markdown) -t html5 --columns=200 --mathml --template paper/site/page.html \
	  --include-before-body '$(woven)/nav.html' $(if $(filter quick,$(SCALE)),--variable quick) -o $@.part $<
	$(Q)mv $@.part $@
$(site)/style.css: paper/site/style.css
$(site)/paper.pdf $(site)/supplement.pdf: $(site)/%: $(results)/%
$(drawings:%=$(site)/figures/%.svg): $(site)/%: $(results)/%
$(site)/style.css $(site)/paper.pdf $(site)/supplement.pdf $(drawings:%=$(site)/figures/%.svg):
	@mkdir -p $(@D)
	$(Q)cp $< $@.part; mv $@.part $@
site-pages: $(pages:%=$(site)/%.html) $(site)/style.css $(drawings:%=$(site)/figures/%.svg) $(site)/paper.pdf $(site)/supplement.pdf
	$(Q)echo "  $(site)/index.html and $(words $(chapters)) more pages"

## Documents
trace: | $(BUILD)/vesicle ## print the matrix label, function, experiment, test; fails on a hole
	$(Q)$(publish) --set task=trace --set form=print
verify: $(results)/provenance.txt
	$(Q)sh paper/tools/checksums.sh '$(results)' documents > '$(results)/documents.tsv'
	$(Q)$(publish) --set task=verify
expect: $(results)/provenance.txt ## make what was built here the expectation
	$(Q)sh paper/tools/checksums.sh '$(results)' documents > '$(results)/documents.tsv'
	$(Q)$(publish) --out tests/expected --set task=expect
