#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# The sandbox: every script below tests/lua/escape tries to get out, to run on for ever or to take all memory; none may,
# with the kernel's fence (Landlock, seccomp) and without it. The fence itself is tried by code that gets past all else.
# Then: what is allowed works, the limits say what happened, the journal stays whole, --trust lifts all of it.
#
# tests/program/sandbox.sh NAME... runs only those escapes.
# suite: long, 60 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
tree=$here
escapes=$(realpath "$tmp")/escapes # all in one place, beside what they share
mkdir "$escapes" && cp "$tree"/tests/lua/escape/*.lua "$tree"/tests/lua/escape/*/*.lua "$escapes" || exit 1
enter() { # NAME: a place of its own below the scratch directory, for a scene, the last log and a mark to be known by
  dir=$(realpath "$tmp")/$1_$(basename "$tmp") log=$dir/log
  mark=escaped_$(basename "$dir" | tr -c '[:alnum:]\n' _)
  mkdir -p "$dir"
}
enter here
secret="SECRET-$RANDOM$RANDOM"
export SECRET_VARIABLE=$secret

# ---- the scene: a working directory, --out, and beside them what must stay as it is ----

scene() { # set up once, then copied
  rm -rf "${dir:?}/inside" "$dir/outside" "$dir/out"
  [ -d "$dir/set" ] || set_up || exit 1
  cp -a "$dir/set/." "$dir"
}
set_up() {
  mkdir -p "$dir/set/inside/sub/deep" "$dir/set/outside" "$dir/set/out/sub" "$dir/set/out/other"
  (
    cd "$dir/set" || exit 1
    echo "$secret" >outside/secret.txt
    echo "return '$secret'" >outside/evil.lua
    printf 'x\ty\n0.5\t0.5\n' >outside/data.tsv
    echo "$dir" >inside/where.txt
    cp ../bytecode inside/bytecode.luac
    ln -s ../outside/secret.txt inside/link
    ln -s "$dir/outside/secret.txt" inside/absolute
    ln -s ../outside inside/linkdir
    ln -s ../.. inside/sub/up
    ln -s link inside/chain
    ln -s / inside/rootlink
    ln -s /proc/self/fd inside/fdlink
    ln -s ../outside/evil.lua inside/evil.lua
    mkfifo inside/pipe out/pipe
    echo theirs | tee out/other/claims.tsv out/other/numbers.tex >out/other.d
    ln -s ../outside/secret.txt out/link
    ln -s ../outside out/linkdir
    ln -s ../outside/new out/dangling
    ln -s .. out/up
  )
}
# What may not change: names, links and contents of everything outside --out, and of another experiment's there.
picture() {
  (cd "$dir" && find . -path ./out -prune -o ! -name log ! -name before ! -name after -printf '%p %l %y\n' | sort &&
    sha256sum inside/where.txt inside/bytecode.luac outside/* && find out -name 'other' -o -name 'other[.-]*' -o -name 'new*' | sort &&
    cat out/other.d out/other/*)
  find "$tree/lua" "$escapes" -newer "$dir/bytecode" -name 'escaped*'
  ls -d "$tree/escaped" {,/tmp,/dev/shm}/"$mark"* 2>/dev/null
  true
}

echo 'io.open(arg[0] .. "c", "wb"):write(string.dump(function() return 1 end)):close()' >"$dir/dump.lua"
"$vesicle" run "$dir/dump.lua" --trust >"$dir/log" 2>&1 && mv "$dir/dump.luac" "$dir/bytecode"
verdict 'trusted, a script may write bytecode' $?

# ---- the escapes ----

run_escape() { # NAME: sets status and seconds
  local start=$SECONDS limits=()
  expect=$(sed -n '1s/^-- expect: //p' "$escapes/$1.lua")
  case $expect in
  timeout) limits=(--timeout 0.5) ;;
  memory) limits=(--max-memory 48M --timeout 60) ;;
  *) limits=(--timeout 60 --max-memory 1G) ;;
  esac
  (cd "$dir/inside" && exec "${around[@]}" "$program" run "$escapes/$1.lua" --out ../out "${limits[@]}" "${@:2}") >"$dir/log" 2>&1 </dev/null
  status=$?
  seconds=$((SECONDS - start))
}
ended() { # as the script's first line says
  case $expect in
  done) [ "$status" -eq 0 ] && grep -qx 'done' "$dir/log" ;;
  error) [ "$status" -eq 1 ] && grep -qx 'done' "$dir/log" && grep -q '^vesicle: ' "$dir/log" ;;
  memory) [ "$status" -eq 1 ] && grep -q '^vesicle: the script may use 48 MB in each process (--max-memory)' "$dir/log" ;;
  timeout) [ "$status" -eq 3 ] && grep -q '^vesicle: stopped after 0.5 s (--timeout)' "$dir/log" && [ "$seconds" -le 20 ] ;;
  *) false ;;
  esac
}
contained() {
  picture >"$dir/after"
  diff "$dir/before" "$dir/after" >>"$dir/log" && ! grep -q 'ESCAPED\|killed by signal' "$dir/log" &&
    ! grep -q "$secret" "$dir/log" &&
    ! grep -rqs --exclude-dir=linkdir --exclude-dir=up --exclude=link --exclude=pipe "$secret" "$dir/out"
}
whole() { ! ls "$dir"/out/*.sqlite >/dev/null 2>&1 || "$vesicle" journal verify "$dir/out" >>"$dir/log" 2>&1; }

# The same as ranks of an MPI job, where MPI's own files and connections must not be a way out. They wait most of the time, so
# two scenes of them run beside what follows; what they found is told at the end.
as_ranks() { # PART: every second script
  local scripts=("$escapes"/*.lua) i name bytecode=$dir/bytecode
  enter "ranks$1" && cp -p "$bytecode" "$dir/"
  around=(mpirun -n 2) program=$(dirname "$vesicle")/vesicle-mpi
  several_ranks
  scene
  picture >"$dir/before"
  for ((i = $1; i < ${#scripts[@]}; i += 2)); do
    grep -qE '^-- expect: ' "${scripts[i]}" || continue
    name=$(basename "${scripts[i]}" .lua)
    # When all ranks abort at once, mpirun may lose what they printed before: then once more. Nothing may get out of any run.
    for _ in 1 2 3; do
      run_escape "$name"
      if ended || ! contained; then break; fi
    done
    ended && contained && whole
    verdict "$name, as two ranks" $?
    scene
  done
}
ranks=()
if [ $# -eq 0 ] && command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
  shared_make "$BUILD/vesicle" "$BUILD/vesicle-mpi" >"$log" 2>&1
  at_end='[ "${#ranks[@]}" -eq 0 ] || kill "${ranks[@]}" 2>/dev/null'
  for part in 0 1; do
    as_ranks "$part" >"$tmp/ranks.$part" &
    ranks+=($!)
  done
fi

scene
picture >"$dir/before"
count=0 around=() program=$vesicle
for script in "$escapes"/*.lua; do
  name=$(basename "$script" .lua)
  [ "$name" = attempt ] && continue
  if [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac fi
  count=$((count + 1))
  run_escape "$name"
  ended && contained && whole
  verdict "$name ($expect)" $?
  scene
done
[ $# -eq 0 ] || exit 0
[ "$count" -ge 30 ]
verdict "at least 30 ways out were tried ($count)" $?
find /proc -maxdepth 2 -name cwd -lname "$dir/inside*" >"$dir/log" 2>/dev/null
[ ! -s "$dir/log" ]
verdict 'no process is left' $?

# ---- without the kernel's fence, and the fence alone ----

if ${CC:-cc} -o "$dir/without_fence" "$tree/tests/fence/without_fence.c" &&
  ${CC:-cc} -shared -fPIC -o "$dir/inside_fence.so" "$tree/tests/fence/inside_fence.c" -ldl; then
  picture >"$dir/before"
  around=("$dir/without_fence")
  for script in "$escapes"/*.lua; do
    name=$(basename "$script" .lua)
    grep -qE '^-- expect: (done|error)' "$script" || continue # time and memory are not the fence's business
    run_escape "$name"
    ended && contained && whole
    verdict "$name, without the fence" $?
    scene
  done
  around=()
  echo 'print("done")' >"$dir/inside/plain.lua"
  inside() { (cd "$dir/inside" && LD_PRELOAD=$dir/inside_fence.so INSIDE_FENCE=plain.lua "$@" run plain.lua --out ../out) >"$dir/log" 2>&1; }
  inside "$dir/without_fence" "$vesicle"
  [ "$(grep -c '^ESCAPED' "$dir/log")" -ge 7 ]
  verdict 'where there is no fence, code of its own gets out' $?
  rm -f "$dir"/{outside,inside,out}/escaped
  picture >"$dir/before"
  if "$dir/without_fence"; then
    inside "$vesicle"
    [ "$(grep -c '^refused' "$dir/log")" -eq 8 ] && contained
    verdict 'inside the fence it does not' $?
    PMIX_RANK=0 OMPI_COMM_WORLD_SIZE=1 inside "$vesicle"
    [ "$(grep -c '^refused' "$dir/log")" -eq 8 ] && contained
    verdict 'whatever the environment says of an MPI job' $?
  else
    echo 'ok inside the fence it does not # skip this kernel has no Landlock'
  fi
  scene
else
  echo 'ok without the fence # skip no C compiler here'
fi

# The attempts are real: where the sandbox is lifted, they succeed.
for name in execute popen debug_library string_dump load_bytecode read_absolute read_symlink write_symlink run_outside environment; do
  run_escape "$name" --trust
  grep -q ESCAPED "$dir/log"
  verdict "trusted, $name gets out" $?
  scene
done

# ---- what is allowed ----

cd "$dir/inside" || exit 1
cat >allowed.lua <<'LUA'
local out = require("vesicle.base.host").out
local function check(what, good) if not good then error(what, 2) end end
assert(io.open(out .. "/new.txt", "w")):write("one\ntwo\n3 4\n"):close()
local lines = {}
for line in io.lines(out .. "/new.txt") do lines[#lines + 1] = line end
check("lines", table.concat(lines, "|") == "one|two|3 4")
for word, number in io.lines(out .. "/new.txt", 3, "n") do check("formats", word == "one" and number == nil) break end
local file = assert(io.open(out .. "/new.txt", "r+"))
file:seek("end")
file:write("5\n")
file:close()
file = assert(io.open(out .. "/new.txt", "a"))
file:write("6\n")
file:close()
check("append", assert(io.open(out .. "/new.txt")):read("a") == "one\ntwo\n3 4\n5\n6\n")
io.input(out .. "/new.txt")
check("input", io.read("l") == "one" and io.read("L") == "two\n" and io.read("n", "n") == 3)
io.output(out .. "/written.txt"):write("x")
io.close()
io.output(io.stdout)
check("rename", os.rename(out .. "/written.txt", out .. "/sub/renamed.txt"))
check("renamed", assert(io.open(out .. "/sub/renamed.txt")):read("a") == "x")
check("remove", os.remove(out .. "/sub/renamed.txt") and os.remove(out .. "/new.txt"))
check("remove nothing", select(3, os.remove(out .. "/new.txt")) == 2)
check("a missing file", select(3, io.open("missing")) == 2)
check("read here", io.open("where.txt"):read("l"))
check("a directory", io.open("."))
check("read the project", io.open(package.path:match("^(.-)/%?") .. "/vesicle/base/check.lua"))
assert(io.open(out .. "/chunk.lua", "w")):write("#!first line\nreturn ..., x"):close()
check("loadfile", select(2, assert(loadfile(out .. "/chunk.lua", "t", { x = 5 }))(1)) == 5)
check("dofile", dofile(out .. "/chunk.lua") == nil)
check("load", load("return 1 + 1")() == 2 and load("return x", "=x", "t", { x = 3 })() == 3)
local pieces = { "return ", "7" }
check("load in pieces", load(function() return table.remove(pieces, 1) end)() == 7)
check("a syntax error", select(2, load("= =", "=here")):find("here:1:", 1, true))
package.path = out .. "/?.lua;" .. package.path
check("require", package.searchpath("chunk", package.path) == out .. "/chunk.lua" and require("chunk") == "chunk")
check("a module that is not there", select(2, pcall(require, "nowhere")):find("no file '" .. out .. "/nowhere.lua'", 1, true))
check("temporary", io.tmpfile():write("x"):seek("set") == 0)
local name = os.tmpname()
check("a temporary name", io.open(name) and os.remove(name))
check("time", os.time() > 0 and os.clock() >= 0 and os.date("!%Y", 0) == "1970")
os.remove(out .. "/chunk.lua")
print("allowed")
LUA
gives 'reading and writing where that is allowed' 0 '^allowed$' run allowed.lua --out ../out
gives 'the same, trusted' 0 '^allowed$' run allowed.lua --out ../out --trust
gives 'output in a directory that is made' 0 '^allowed$' run <(sed 's|/sub/|/|' allowed.lua) --out ../made/deep/er
mkdir ../scripts && echo 'return { word = "beside" }' >../scripts/helper.lua &&
  echo 'print(require("helper").word, io.open("../scripts/helper.lua"))' >../scripts/main.lua
gives 'a module beside the script is found, and cannot be read as data' 0 '^beside.nil' run ../scripts/main.lua --out ../out
ln -s ../scripts/main.lua elsewhere.lua
cp ../scripts/helper.lua .
gives 'a script by a link' 0 '^beside' run elsewhere.lua --out ../out
rm helper.lua
echo 'print(("y"):rep(3))' >plain
gives 'a script of any name' 0 '^yyy$' run plain --out ../new/er
[ ! -e ../new ]
verdict 'no directory is left behind that nobody used' $?
# The reason of a failure is the true one: where the file system says no, the sandbox is not blamed.
# shellcheck disable=SC2034 # named by the cases below
writes='print(io.open(require("vesicle.base.host").out .. "/x", "w"))'
# shellcheck disable=SC2034 # named by the cases below
keeps='local E = require("vesicle.experiment").new { name = "keeps" } E:replicate { name = "main", n = 1, run = function() return 1 end }'
# shellcheck disable=SC2034 # named by the cases below
publishes='local E = require("vesicle.experiment").new { name = "publishes" } E:finish()'
for script in writes keeps publishes; do echo "${!script}" >"../$script.lua"; done
gives 'a place that cannot be made: writing' 0 'writes only below --out, which cannot be made: Not a directory' run ../writes.lua --out plain/x
gives 'its journal' 1 'cannot make the directory plain/x: Not a directory' run ../keeps.lua --out plain/x
gives 'its results' 1 'cannot write plain/x: Not a directory' run ../publishes.lua --out plain/x
mkdir deleted && echo 'print(io.open("x"))' >"$dir/reads.lua"
(cd deleted && rmdir ../deleted && "$vesicle" run "$dir/reads.lua" --out "$dir/out") >"$dir/log" 2>&1 && grep -q "^nil.x: No such file" "$dir/log"
verdict "a deleted working directory" $?
if [ "$(id -u)" -ne 0 ]; then
  mkdir -m 555 ../readonly
  gives 'a place that is read-only' 0 '^nil.../readonly/x: Permission denied' run ../writes.lua --out ../readonly
else
  echo 'ok a place that is read-only # skip root may write everywhere'
fi
echo 'local files = {}
repeat
  local file = io.open("plain")
  files[#files + 1] = file
until not file
print(pcall(require, "beside"))' >many.lua
cp ../scripts/helper.lua beside.lua
(ulimit -n 64 && "$vesicle" run many.lua --out "$dir/out") >"$dir/log" 2>&1 && grep -q 'false.*cannot look for .*/beside.lua: Too many open files' "$dir/log"
verdict 'a module that cannot be looked for is not one that is missing' $?
rm beside.lua
echo 'xpcall(error, debug.traceback)' >traceback.lua
gives 'a script that needs more is told so' 1 "the sandbox has no debug library" run traceback.lua
mkdir -p ../home/.ssh ../home/office && echo "$secret" >../home/.ssh/key && cp ../home/.ssh/key ../home/notes.txt
cat >../nosy.lua <<'LUA'
for _, path in ipairs { ".ssh/key", "notes.txt", "proc/self/environ", "../.ssh/key", "../notes.txt", "etc/passwd", "sub/.hidden" } do
  local file = io.open(path)
  if file then print("ESCAPED", path, file:read("a")) end
end
print("done", require("vesicle.base.host").list("."))
LUA
mkdir -p ../home/office/sub && echo "$secret" >../home/office/sub/.hidden
for place in "$dir/home" "$dir/home/office" "$dir" /; do
  (cd "$place" && HOME=$dir/home "$vesicle" run "$dir/nosy.lua" --out "$dir/out") >"$dir/log" 2>&1 &&
    grep -q '^done' "$dir/log" && ! grep -q "ESCAPED\|$secret" "$dir/log"
  verdict "home directory, hidden files and processes are closed: in ${place/$dir/.}" $?
done
real_home=$(getent passwd "$(id -u)" | cut -d : -f 6)
if [ -d "$real_home" ] && [ "$real_home" != / ]; then
  echo 'print("listed", (require("vesicle.base.host").list(".")))' >"$dir/list.lua"
  (cd "$real_home" && env -u HOME "$vesicle" run "$dir/list.lua" --out "$dir/out") >"$dir/log" 2>&1 && grep -q '^listed.nil' "$dir/log"
  verdict 'also the home directory of which the environment says nothing' $?
else
  echo 'ok also the home directory of which the environment says nothing # skip no home directory'
fi
echo 'for _, name in ipairs { "environ", "cmdline", "maps", "kernel/hostname" } do print("read", io.open(name)) end' >"$dir/process.lua"
for place in /proc/self /proc/sys /sys; do
  (cd "$place" && "$vesicle" run "$dir/process.lua" --out "$dir/out") >"$dir/log" 2>&1 && [ "$(grep -c '^read.nil' "$dir/log")" -eq 4 ]
  verdict "started in $place, a script reads nothing of it" $?
done
cat >params.lua <<'LUA'
print(io.open("written", "w"), io.open("vesicle-data/x", "w"), pcall(os.execute, "touch executed"))
require("vesicle.experiment").new { name = "params", params = { n = 1 } }
LUA
gives 'parameters are asked for in the sandbox' 0 '^n +integer' params params.lua
[ ! -e written ] && [ ! -e executed ] && [ ! -e vesicle-data ]
verdict 'and nothing can be written meanwhile' $?
echo 'print("begun") io.stdout:flush()
while true do pcall(string.find, ("a"):rep(60), ("a-"):rep(60) .. "b") end' >forever.lua
gives 'parameters of a script that never ends' 3 'stopped after 0.3 s' params forever.lua --timeout 0.3

# ---- limits and the journal ----

cat >chore.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "chore", params = { replicates = 20, ms = 0, stuck = 0 } }
local out = E:replicate { name = "main", n = E.params.replicates, run = function(i, rng)
  local start = os.clock()
  while os.clock() - start < E.params.ms / 1000 do end
  while i == E.params.stuck do pcall(string.find, ("a"):rep(60), ("a-"):rep(60) .. "b") end
  return rng:uniform()
end }
local rows = {}
for i = 1, #out do rows[i] = { i, out[i] } end
E:table("draws", { "i", "u" }, rows)
E:finish()
LUA
"$vesicle" run chore.lua --quiet --out ../whole >"$dir/log" 2>&1
verdict 'a run' $?
# On a busy machine nothing may be finished in that time; then once more with more of it, and as much more to do.
for much in 1 4 16; do
  "$vesicle" run chore.lua --quiet --out ../timed --set ms=$((150 * much)) --jobs 1 --timeout "$((15 * much))e-1" >"$dir/log" 2>&1
  status=$?
  grep -q ' 0 of 20 replicates' "$dir/log" || break
done
[ "$status" -eq 3 ] && grep -qE '^vesicle: interrupted; [1-9][0-9]* of 20 replicates of `main` are kept' "$dir/log" &&
  grep -q '^to go on: .*vesicle run chore.lua' "$dir/log" && "$vesicle" journal verify ../timed >>"$dir/log"
verdict 'a run that takes too long says how far it came' $?
"$vesicle" run chore.lua --quiet --out ../timed --set ms=$((150 * much)) --timeout 600 >"$dir/log" 2>&1 &&
  diff <(grep -v '^#' ../whole/chore/draws.tsv) <(grep -v '^#' ../timed/chore/draws.tsv) >>"$dir/log"
verdict 'and goes on to the same bytes' $?
"$vesicle" run chore.lua --quiet --out ../stuck --set stuck=18 --jobs 1 --timeout 3 >"$dir/log" 2>&1
[ $? -eq 3 ] && grep -q '17 of 20 replicates of `main` are kept' "$dir/log" && "$vesicle" journal verify ../stuck >>"$dir/log"
verdict 'a worker that cannot be told to stop is stopped; what was finished is kept' $?

keeps() { "$vesicle" journal show "$1" 2>/dev/null | grep -qE ' replicates?, '; } # at least one
for how in INT TERM HUP group; do
  setsid "$vesicle" run chore.lua --quiet --out "../signal$how" --set ms=150 --jobs 1 >"$dir/log" 2>&1 </dev/null &
  pid=$!
  await keeps "../signal$how"
  if [ "$how" = group ]; then kill -INT -- "-$pid"; else kill "-$how" "$pid"; fi
  wait "$pid"
  [ $? -eq 3 ] && grep -q 'interrupted; .* of 20 replicates' "$dir/log" && "$vesicle" journal verify "../signal$how" >>"$dir/log"
  verdict "a signal ends a sandboxed run cleanly: $how" $?
done
rm -f "$dir/log" # or what the last run left there is taken for a sign of this one
"$vesicle" run forever.lua --out ../out >"$dir/log" 2>&1 </dev/null &
pid=$!
await contains "$dir/log" begun
kill -INT "$pid"
sleep 0.3 # a second one at once could be taken for the first
kill -INT "$pid"
wait "$pid"
[ $? -eq 3 ] && grep -q 'interrupted' "$dir/log"
verdict 'a second signal ends what does not want to end' $?
rm -f "$dir/log" # or what the last run left there is taken for a sign of this one
"$vesicle" run forever.lua --out ../out >"$dir/log" 2>&1 </dev/null &
pid=$!
await contains "$dir/log" begun
child=$(pgrep -P "$pid")
kill -KILL "$pid"
wait "$pid" 2>/dev/null
[ -n "$child" ] && await dead "$child"
verdict 'the script does not outlive its supervisor' $?

# ---- the command line ----

gives 'a time without sense' 2 "a time such as 90, 10m or 2h, got 'soon'" run plain --timeout soon
gives 'a time of nothing' 2 "got '0'" run plain --timeout 0
echo 'local out = require("vesicle.base.host").out
for i = 1, 1 << 40 do
  local file = assert(io.open(out .. "/" .. i, "w"))
  assert(file:write(("x"):rep(1 << 20)))
  assert(file:close())
end' >flood.lua
gives 'what a script may write is limited' 1 'stopped: the script may write 64 MB \(--max-disk\)' run flood.lua --out ../flood --max-disk 64M --timeout 60
rm -rf ../flood
echo 'local file = io.open(require("vesicle.base.host").out .. "/one", "w")
print(select(2, file:write(("x"):rep(1 << 22))))' >single.lua
gives 'also in one file' 0 'File too large' run single.lua --out ../flood --max-disk 1M
head -c 2000000 /dev/zero >../streams
# shellcheck disable=SC2028 # Lua reads the backslashes
echo 'print("said") io.stderr:write("warned\n") error("failed")' >speaks.lua
"$vesicle" run speaks.lua --out ../flood --max-disk 1M >>../streams 2>&1
[ "$(grep -aoE 'said|warned|1: failed' ../streams | wc -l)" -eq 3 ]
verdict 'a large file that standard output and error lead to is no reason to be silent' $?
# shellcheck disable=SC2028 # Lua reads the backslashes
echo 'for _ = 1, 3000 do io.write(("x"):rep(999), "\n") end error("failed")' >talks.lua
"$vesicle" run talks.lua --out ../flood --max-disk 1M >../streams 2>&1
grep -q 'talks.lua:1: failed' ../streams && grep -q '^vesicle: standard output: not all of it could be written' ../streams && [ "$(stat -c %s ../streams)" -lt 1100000 ]
verdict 'what the program has to say of a script that fills it is not cut' $?
rm -rf ../flood ../streams
gives 'a size without sense' 2 "a size such as 512M or 2G, at least 16M, got 'much'" run plain --max-memory much
gives 'a size too small' 2 "got '512'" run plain --max-memory 512
gives 'times and sizes with units' 0 '^yyy$' run plain --timeout 1.5m --max-memory 0.25G
gives 'limits hold when trusted' 3 'stopped after 0.3 s' run forever.lua --trust --timeout 0.3
gives 'the help speaks of the sandbox' 0 'runs in a sandbox' help run

# ---- what the ranks found ----

if [ "${#ranks[@]}" -gt 0 ]; then
  wait "${ranks[@]}"
  cat "$tmp"/ranks.?
  failures=$((failures + $(cat "$tmp"/ranks.? | grep -c '^not ok')))
  find /proc -maxdepth 2 -name cwd -lname "$(realpath "$tmp")/ranks*" >"$log" 2>/dev/null
  [ "$(cat "$tmp"/ranks.? | grep -c '^ok')" -ge 30 ] && [ ! -s "$log" ]
  verdict 'all of them ran, and no rank is left' $?
else
  echo 'ok as ranks of an MPI job # skip no mpicc or no mpirun here (Debian: libopenmpi-dev openmpi-bin)'
fi
