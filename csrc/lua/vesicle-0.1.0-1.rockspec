-- For LuaRocks, from the top of the tree: luarocks --lua-version 5.4 make csrc/lua/vesicle-0.1.0-1.rockspec
rockspec_format = "3.0"
package = "vesicle"
version = "0.1.0-1"
source = { url = "." } -- this tree
description = {
  summary = "Synaptic failure as Bayesian inference",
  detailed = "The core of vesicle and its library of experiments, as modules for Lua 5.4.",
  license = "GPL-3.0-or-later",
}
dependencies = { "lua ~> 5.4" }
external_dependencies = { GSL = { header = "gsl/gsl_rng.h" }, RANDOM123 = { header = "Random123/philox.h" } }
build = {
  type = "make",
  build_target = "rock",
  install_target = "install-rock",
  build_variables = {},
  install_variables = { ROCK_LUA = "$(LUADIR)", ROCK_LIB = "$(LIBDIR)" },
}
