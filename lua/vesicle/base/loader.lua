-- loader: io.lines, io.tmpfile, loadfile, dofile and what `require` needs, as a script has them.
--
-- The program runs this file first in every state (csrc/host/sandbox/run_sandbox_libraries.c) and hands
-- it the functions that know which files there are for a script,
--   read_code(path)   the content of a file, or nil and a message
--   is_code(path)     whether there is one
--   missed(path)      says that one was looked for in vain
-- the directory of this library, and the script, if there is one.

local read_code, is_code, missed, library, script = ...

local load, open, input, error, package = load, io.open, io.input, error, package
local gsub, gmatch, format, concat, sub = string.gsub, string.gmatch, string.format, table.concat, string.sub

function io.lines(path, ...) -- luacheck: ignore
  if path == nil then return input():lines(...) end
  local file, why = open(path)
  if not file then error(why, 2) end
  return file:lines(...), nil, nil, file -- which a `for` closes at its end
end

--- A file that has no name any more.
local tmpname, remove = os.tmpname, os.remove
function io.tmpfile() -- luacheck: ignore
  local name = tmpname()
  local file, why, code = open(name, "w+")
  remove(name)
  return file, why, code
end

--- As Lua does, a mark of byte order and a first line that begins with # are passed over.
local function load_text(text, name, ...)
  text = gsub(text, "^\xEF\xBB\xBF", "")
  return load((gsub(text, "^#[^\n]*", "")), name, ...)
end

local function load_code(path, ...)
  if path == nil then return load_text(input():read("a"), "=stdin", ...) end
  local text, why = read_code(path)
  if not text then return nil, why end
  return load_text(text, "@" .. path, ...)
end

loadfile = load_code -- luacheck: ignore

function dofile(path) -- luacheck: ignore
  local chunk, why = load_code(path)
  if not chunk then error(why, 0) end
  return chunk()
end

--- A text as a pattern, or as a replacement, in which no character is special.
local function as_pattern(text) return (gsub(text, "%W", "%%%0")) end
local function as_replacement(text) return (gsub(text, "%%", "%%%%")) end

local function searchpath(name, path, separator, replacement)
  separator = separator or "."
  if separator ~= "" then name = gsub(name, as_pattern(separator), as_replacement(replacement or "/")) end
  local files, missing = {}, {}
  for template in gmatch(path, "[^;]+") do
    local file = gsub(template, "%?", as_replacement(name))
    if is_code(file) then return file end
    files[#files + 1], missing[#missing + 1] = file, format("no file '%s'", file)
  end
  for i = 1, #files do                   -- one that comes into being would be found; this library has what it has
    if sub(files[i], 1, #library) ~= library then missed(files[i]) end
  end
  return nil, concat(missing, "\n\t")
end

package.searchpath = searchpath -- luacheck: ignore

-- Modules: this library, beside the script, installed on the system; not in the working directory, and none in C.
local path = library .. "/?.lua;" .. (script and script:match("^(.*)/") or ".") .. "/?.lua"
for template in gmatch(";" .. package.path, ";(/[^;]*)") do path = path .. ";" .. template end
package.path, package.cpath = path, ""

package.searchers[2] = function(name)
  if type(package.path) ~= "string" then error("'package.path' must be a string", 0) end
  local file, missing = searchpath(name, package.path)
  if not file then return missing end
  local chunk, why = load_code(file)
  if not chunk then error(format("error loading module '%s' from file '%s':\n\t%s", name, file, why), 0) end
  return chunk, file
end
