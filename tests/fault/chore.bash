# Shared by the fault suites: they work in the scratch directory, with an experiment whose work can be counted, inside the
# sandbox as users do.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
dir=$tmp
cd "$dir" || exit 1

# Every kind of result, and a line in the file OUT/count for each replicate computed. Replicate i waits as long as there is
# a file ./hold.i, and tells so by a file OUT/held.i.
cat >chore.lua <<'LUA'
local ex = require "vesicle.experiment"
local ves = require "vesicle"
local E = ex.new {
  name = "chore", params = { replicates = 24, milliseconds = 0, large = 0, fault = "none", at = 7 },
}
local P = E.params

local function busy(seconds)
  local start = os.clock()
  while os.clock() - start < seconds do end
end

local function exists(path)
  local file = io.open(path)
  return file and file:close()
end

local function wait_while_held(i)
  if not exists("hold." .. i) then return end
  assert(io.open(E.out .. "/held." .. i, "w")):close()
  while exists("hold." .. i) do end
end

local faults = {}
function faults.none() end
function faults.error() error("broken on purpose") end
function faults.exit() os.exit(7) end
function faults.memory() local t = {} while true do t[#t + 1] = ("x"):rep(1000000) .. #t end end
function faults.loop() while true do end end
function faults.pattern() return (("a"):rep(40)):find(("a-"):rep(40) .. "b") end

local out = E:replicate { name = "main", n = P.replicates, run = function(i, rng)
  local file = assert(io.open(E.out .. "/count", "a"))
  file:write(i, "\n")
  file:close()
  wait_while_held(i)
  busy(P.milliseconds / 1000)
  if i == P.at then faults[P.fault]() end
  return {
    u = rng:uniform(), i = i, word = "r" .. i, even = i % 2 == 0, v = rng:normal(0, 1, 3),
    nested = { m = ves.matrix { { i, 2 }, { 3, rng:uniform() } }, [1] = -0.0, [25] = 1 / 3 },
    random = math.random(1 << 40), large = ("x"):rep(P.large),
  }
end }

local rows = {}
for i = 1, #out do
  local r = out[i]
  rows[i] = { i, r.u, r.i, r.word, r.even, r.v[3], r.nested.m[2][2], 1 / r.nested[1], r.nested[25],
              r.random, #r.large }
end
E:table("results", { "i", "u", "j", "word", "even", "v", "m", "z", "third", "random", "large" }, rows)
local u = out:column("u")
E:number("Mean", u:mean(), u:sd() / math.sqrt(#u))
E:number("Median", u:quantile(0.5))
E:finish()
LUA

# run OUT ARGUMENTS...: one run, all it says in ./log.
out=
run() {
  out=$1
  shift
  "$vesicle" run chore.lua --quiet --out "$out" "$@" >log 2>&1 </dev/null
}
# workers PID: the processes below a run that have none below them.
workers() {
  local child children
  children=$(pgrep -P "$1")
  if [ -z "$children" ]; then echo "$1"; fi
  for child in $children; do workers "$child"; done
}
# has_lines FILE N: at least so many.
has_lines() { [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; }
# same A B: the two output directories hold the same bytes, but for the version that wrote them.
same() { diff -r -I '^# vesicle: ' "$1/chore" "$2/chore" >>log 2>&1; }
# counted [OUT]: how many replicates were computed there, in the last run unless told, since the counter was cleared.
counted() {
  local file=${1:-$out}/count
  if [ -e "$file" ]; then wc -l <"$file"; else echo 0; fi
}
# clear [OUT]: clears it.
clear() { rm -f "${1:-$out}/count"; }
# computed N [OUT]: so many, and clears it.
computed() {
  local lines
  lines=$(counted "${2-}")
  echo "computed $lines" >>log
  clear "${2-}"
  [ "$lines" -eq "$1" ]
}
