#!/usr/bin/env bash
# luacheck on every Lua file: no accidental global, nothing unused, nothing shadowed.
need luacheck lua-check
sources '*.lua' | xargs -0 -r luacheck --no-color --quiet
