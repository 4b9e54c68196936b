# The playground: the pages of `make site-pages` with the program and gnuplot in them, compiled to WebAssembly.
#
# `make deps-playground` installs what this needs and nothing else does: emscripten and node. $(play) then has vesicle (the
# core and the bindings with Lua and GSL, once plain and once with vector instructions), gnuplot, the worker that answers
# the page, and the Lua files, figures and published data as JSON. Nothing in it asks another machine for anything.
.PHONY: play playground check-playground check-playground-page deps-playground
web  := $(BUILD)/web
play := $(site)/play

# Debian's emscripten with a newer node: a fetch of its own confuses the glue, and the modules are found by their path.
emscripten := NODE_OPTIONS=--no-experimental-fetch NODE_PATH=/usr/share/nodejs
EMCC       := $(emscripten) emcc

# --- libraries -------------------------------------------------------------------------------------------------------

web_packages := lua5.4 gsl zlib libpng1.6 gnuplot
$(web_packages:%=$(web)/%/unpacked): $(web)/%/unpacked: docs/sources.tsv csrc/web/sources.tsv csrc/web/sources.sh
	$(call say,SRC ,$*)
	$(Q)sh csrc/web/sources.sh '$*' '$(@D)'
	$(Q)touch $@
web_libs := $(foreach name,lua5.4 gsl zlib libpng1.6,$(web)/$(name)/$(name).a)
$(web_libs): $(web)/%.a: csrc/web/libraries.sh
	$(call say,EMCC,$@)
	$(Q)$(emscripten) sh csrc/web/libraries.sh '$(notdir $*)' '$(@D)'
$(foreach name,lua5.4 gsl zlib libpng1.6,$(eval $(web)/$(name)/$(name).a: $(web)/$(name)/unpacked))
$(web)/libpng1.6/libpng1.6.a: $(web)/zlib/unpacked
$(web)/gnuplot/objects.a: $(web)/gnuplot/unpacked csrc/web/gnuplot.sh csrc/web/cairo/cairo.h
	$(call say,EMCC,$@)
	$(Q)$(emscripten) sh csrc/web/gnuplot.sh '$(@D)' csrc/web/cairo

# --- programs --------------------------------------------------------------------------------------------------------

# A page that has run out of memory gets an error, not the machine: 1 GB at most.
web_src   := $(core_src) $(bind_src) csrc/web/web_page.c
web_link  := -O3 -sMODULARIZE=1 -sENVIRONMENT=worker -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=33554432 \
             -sMAXIMUM_MEMORY=1073741824 -sABORTING_MALLOC=0 -sINVOKE_RUN=0
# Random123 refuses processors on which it was not tested; its C code is the same on all of them.
web_flags := -std=gnu11 -O3 -ffp-contract=off -D__riscv $(call includes,core lua) -I$(BUILD) -isystem $(web)/include
web_build := scalar simd
web_objects = $(web_src:csrc/%.c=$(web)/$(1)/%.o)

$(web)/include/ready: $(web)/lua5.4/lua5.4.a $(web)/gsl/gsl.a
	$(Q)rm -rf $(@D); mkdir -p $(@D)
	$(Q)cp -RL $(web)/gsl/gsl $(@D)/gsl
	$(Q)cp $(web)/lua5.4/src/lua.h $(web)/lua5.4/src/luaconf.h $(web)/lua5.4/src/lualib.h $(web)/lua5.4/src/lauxlib.h $(@D)
	$(Q)$(CC) -E -M -x c -include Random123/philox.h /dev/null | tr ' ' '\n' | sed -n 's/^\(.*\/Random123\)\/philox.h$$/\1/p' | \
	  { read -r found; cp -R "$$found" $(@D)/Random123; }
	$(Q)touch $@

$(foreach b,$(web_build),$(call web_objects,$(b))): $(web)/include/ready | $(BUILD)/ves_version.h
$(call web_objects,simd): vector := -msimd128 -Icsrc/web/simd
$(call web_objects,scalar): $(web)/scalar/%.o: csrc/%.c
	$(web_compile)
$(call web_objects,simd): $(web)/simd/%.o: csrc/%.c
	$(web_compile)
define web_compile
	@mkdir -p $(@D)
	$(call say,EMCC,$@)
	$(Q)$(EMCC) $(web_flags) $(vector) $(warnings) -MMD -MP -MT $@ -MF $(@:.o=.d) -c $< -o $@
endef
$(web_build:%=$(web)/%/web/web_page.o): $(BUILD)/ves_version.h
$(web_build:%=$(web)/%/web/web_page.o): warnings := $(filter-out -Wpedantic -Wmissing-prototypes,$(WARNINGS)) -Werror

web_exports := -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8 -sEXPORTED_FUNCTIONS=_malloc,_free
define web_program
$(web)/$(1).js: $(call web_objects,$(2)) $(web)/lua5.4/lua5.4.a $(web)/gsl/gsl.a
	$$(call say,EMLD,$$@)
	$$(Q)$$(EMCC) $(web_link) $(web_exports) -sEXPORT_NAME=vesicleModule --no-entry $$^ -o $$@
endef
$(eval $(call web_program,vesicle,scalar))
$(eval $(call web_program,vesicle-simd,simd))

$(web)/cairo_png.o: csrc/web/cairo/cairo_png.c csrc/web/cairo/cairo.h $(web)/libpng1.6/libpng1.6.a
	$(call say,EMCC,$@)
	$(Q)$(EMCC) -std=c11 -O2 $(WARNINGS) -Werror -Icsrc/web/cairo -isystem $(web)/libpng1.6 -isystem $(web)/zlib -c $< -o $@
$(web)/gnuplot.js: $(web)/gnuplot/objects.a $(web)/cairo_png.o $(web)/libpng1.6/libpng1.6.a $(web)/zlib/zlib.a
	$(call say,EMLD,$@)
	$(Q)$(EMCC) $(web_link) -sEXIT_RUNTIME=1 -sEXPORTED_RUNTIME_METHODS=FS,callMain -sEXPORT_NAME=gnuplotModule $^ -o $@

# --- the pages -------------------------------------------------------------------------------------------------------

web_text := $(filter-out lua/vesicle/publish/% lua/vesicle/template/%,$(lua_src)) $(published:%=lua/experiments/%.lua) \
            $(sort $(wildcard lua/experiments/data/*.tsv)) $(sort $(wildcard figures/*.gp)) csrc/web/page.lua
$(play)/files.json: $(web_text) csrc/web/files.mjs
	@mkdir -p $(@D)
	$(Q)node csrc/web/files.mjs '' $(web_text) > $@.part; mv $@.part $@
$(play)/data/%.json: $(data)/%/claims.tsv csrc/web/files.mjs
	@mkdir -p $(@D)
	$(Q)node csrc/web/files.mjs '$(data)/' $(data)/$*/*.tsv > $@.part; mv $@.part $@
$(play)/%.js: $(web)/%.js
	@mkdir -p $(@D)
	$(Q)cp $(web)/$*.js $(web)/$*.wasm $(@D)
$(play)/worker.js: csrc/web/worker.js
	@mkdir -p $(@D)
	$(Q)cp $< $@

## Documents
play: $(play)/vesicle.js $(play)/vesicle-simd.js $(play)/gnuplot.js $(play)/worker.js $(play)/files.json $(published:%=$(play)/data/%.json)
playground: site-pages play
	$(Q)sh paper/tools/site_list.sh '$(site)'
deps-playground: ## install what only the playground needs: emscripten, node
	$(Q)sh tests/setup/deps.sh playground
check-playground: ## every experiment at quick scale and every figure under node, compared with the program's
	$(Q)$(MAKE) --no-print-directory SCALE=quick figures play
	$(Q)node tests/web/runtime.mjs '$(BUILD)/quick' '$(BUILD)/vesicle'
check-playground-page: ## the pages in headless Chromium, as a visitor uses them; npm fetches what drives it
	$(Q)$(MAKE) --no-print-directory SCALE=quick playground
	$(Q)npm install --silent --no-save --prefix .cache/web playwright-core@1.65.1 axe-core@4.14.0
	$(Q)node tests/web/page.mjs '$(BUILD)/quick/site' .cache/web '$(BUILD)/vesicle' $(SHOTS)

-include $(foreach b,$(web_build),$(patsubst %.o,%.d,$(call web_objects,$(b))))
