std = "lua54"
max_line_length = 120
exclude_files = { "build*/**", ".cache/**" }

-- luaunit finds test classes among the globals: those that a test file itself defines are wanted.
files["tests/lua"] = { allow_defined_top = true, globals = { "Test.*" } }
