#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# Ranks: the same bytes for any number of them, a journal that survives them, evidence summed over them.
# suite: long, 36 s
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null; then
  echo 'ok ranks # skip no mpicc or no mpirun here (Debian: libopenmpi-dev openmpi-bin)'
  exit 0
fi
ranks_program=$(dirname "$vesicle")/vesicle-mpi
shared_make "$BUILD/vesicle" "$BUILD/vesicle-mpi" >log 2>&1
[ -x "$ranks_program" ]
verdict 'the program with MPI builds' $?

several_ranks
# ranks N OUT ARGUMENTS...
ranks() {
  local n=$1
  out=$2
  shift 2
  timeout 120 mpirun -n "$n" "$ranks_program" run chore.lua --quiet --out "$out" "$@" >log 2>&1 </dev/null
}

# ---- layouts ----
run local && clear
for n in 1 2 3 5; do
  ranks "$n" "ranks$n" && same local "ranks$n" && computed 24
  verdict "$n ranks, the same bytes" $?
done
ranks 3 local && computed 0
verdict 'ranks reuse what a local run has finished' $?
run ranks3 && computed 0
verdict 'a local run reuses what ranks have finished' $?
ranks 3 ranks3 --set replicates=40 && computed 16
verdict 'more replicates compute only the new ones' $?
"$ranks_program" run chore.lua --quiet --out alone >log 2>&1 && same local alone && computed 24 alone
verdict 'without mpirun the program runs locally' $?
timeout 60 mpirun -n 2 "$vesicle" run chore.lua --out none >log 2>&1
grep -q "built without MPI: build it with 'make MPI=1'" log || cmp -s "$vesicle" "$ranks_program"
verdict 'a program without MPI says so' $?

# ---- failures ----
ranks 3 error --set fault=error --seed 5
[ $? -eq 1 ] && grep -q '1 of 24 replicates of `main` in chore failed; the other 23 are kept' log &&
  grep -q 'replicate 7 (seed 5): .*broken on purpose' log && computed 24
verdict 'a failing replicate fails alone' $?
ranks 3 loop --set fault=loop --replicate-timeout 1
[ $? -eq 1 ] && grep -q 'replicate 7 .*: took longer than 1 s' log
verdict 'a replicate that takes too long fails alone' $?
# dies: the last rank is killed while replicate 20 waits.
dies() {
  touch hold.20
  ranks 3 dead &
  local pid=$! rank
  await [ -e dead/held.20 ]
  rank=$(workers "$pid" | tail -n 1)
  kill -KILL "$rank"
  wait "$pid"
  local status=$?
  rm -f hold.20 dead/held.20
  return "$status"
}
! dies && [ ! -e dead/chore ] && "$vesicle" journal verify dead >>log 2>&1
verdict 'a rank that dies ends the job, and the journal is whole' $?
before=$(sort -u dead/count | wc -l)
clear dead
dies
again=$(sort -u dead/count | wc -l)
[ "$before" -gt 10 ] && [ "$again" -lt $((24 - before + 6)) ]
verdict 'the restart begins where it was' $?
echo 'error("everywhere")' >broken.lua
timeout 60 mpirun -n 3 "$ranks_program" run broken.lua >log 2>&1
[ $? -eq 1 ] && [ "$(grep -c 'everywhere' log)" -eq 1 ]
verdict 'an error of the script is told once' $?
echo 'local E = require("vesicle.experiment").new { name = "disagree", params = {} }
E:replicate { name = tostring(require("vesicle.base.host").rank) .. "x", n = 3, run = function(i) return i end }' >disagree.lua
timeout 60 mpirun -n 2 "$ranks_program" run disagree.lua --out disagree >log 2>&1
[ $? -eq 1 ] && grep -q 'the ranks disagree' log
verdict 'ranks that disagree are told so' $?

# ---- the sandbox ----
cat >fenced.lua <<'LUA'
print("done", pcall(io.popen, "id"), io.open("/etc/passwd"))
local E = require("vesicle.experiment").new { name = "fenced" }
local u = E:replicate { name = "main", n = 20, run = function(_, rng) return rng:uniform(2000) end }
E:table("u", { "u" }, { { u[20]:sum() } })
E:finish()
LUA
${CC:-cc} -shared -fPIC -o inside_fence.so "$here/tests/fence/inside_fence.c" -ldl
timeout 60 mpirun -n 2 env LD_PRELOAD="$PWD/inside_fence.so" INSIDE_FENCE=fenced.lua "$ranks_program" run fenced.lua --quiet --out fenced \
  >log 2>&1 </dev/null &&
  grep -q '^done.false' log && ! grep -q 'file (0x' log && ! grep -q ESCAPED log
verdict 'ranks are in the sandbox' $?
${CC:-cc} -o without_fence "$here/tests/fence/without_fence.c"
if ./without_fence; then
  [ "$(grep -c '^refused' log)" -eq 16 ] && [ "$(grep -c '^refused execute' log)" -eq 2 ] && [ "$(grep -c '^refused read' log)" -eq 2 ]
  verdict 'and behind the whole fence of the kernel' $?
else
  echo 'ok and behind the whole fence of the kernel # skip this kernel has no Landlock'
fi
export OMPI_MCA_btl_tcp_if_include=lo # which Open MPI leaves out unless told, and all there is where the network is cut
memory=sm # as Open MPI 5 calls it
case $(mpirun --version) in *' 4.'*) memory=vader ;; esac
for set in btl=tcp,self "btl=$memory,self"; do
  rm -rf fenced
  timeout 60 env "OMPI_MCA_${set%=*}=${set#*=}" mpirun -n 3 "$ranks_program" run fenced.lua --quiet --out fenced >log 2>&1 </dev/null && [ -s fenced/fenced/u.tsv ]
  verdict "whichever way their messages take: $set" $?
done
# A rank that is killed may leave an empty directory; the next job removes it.
left() { find /dev/shm /var/tmp "${TMPDIR:-/tmp}" -maxdepth 1 -name 'vesicle-rank-*' -newer chore.lua 2>/dev/null | grep .; }
tidied() { timeout 60 mpirun -n 2 "$ranks_program" run fenced.lua --quiet --out fenced >log 2>&1 </dev/null && ! left >>log; }
await tidied
verdict 'and they leave nothing behind' $?
"$vesicle" run fenced.lua --quiet --out fenced1 >log 2>&1 &&
  diff <(grep -v '^#' fenced/fenced/u.tsv) <(grep -v '^#' fenced1/fenced/u.tsv) >>log
verdict 'where they give the same bytes' $?

# ---- killed at random, then restarted ----
ranks 3 whole --set replicates=120
state=7 kills=0
while [ "$kills" -lt 5 ]; do
  state=$(((state * 1103515245 + 12345) % 2147483648))
  setsid mpirun -n 3 "$ranks_program" run chore.lua --quiet --out broken --set replicates=120 --set milliseconds=5 \
    >log 2>&1 </dev/null &
  pid=$!
  sleep "0.$((25 + state / 65536 % 30))"
  if [ $((kills % 2)) -eq 0 ]; then kill -KILL -- "-$pid" 2>/dev/null; else kill -TERM "$pid" 2>/dev/null; fi
  wait "$pid" 2>/dev/null
  kills=$((kills + 1))
  if [ -e broken/chore.sqlite-lock ]; then flock -w 20 broken/chore.sqlite-lock true; fi # until every rank is gone
done
ranks 2 broken --set replicates=120 --set milliseconds=5 &&
  diff <(grep -v '^#' whole/chore/results.tsv) <(grep -v '^#' broken/chore/results.tsv) >>log
verdict 'jobs killed five times end in the same bytes' $?

# ---- evidence over ranks ----
cat >evidence.lua <<'LUA'
local ves = require "vesicle"
local E = require("vesicle.experiment").new { name = "evidence", params = { file = "data.tsv", salience = false } }
local code = ves.code { n = 40, lo = -6, hi = 6, sigma = 0.3 }
local net = ves.network { input = code, output = code, rng = E.rng:stream("net") }
E:observe(net, E.params.file, { salience = E.params.salience and "w" or nil })
local rows = {}
for i = 1, 40 do for j = 1, 40 do rows[#rows + 1] = { i, j, net.A[i][j], net.B[i][j] } end end
E:table("evidence", { "i", "j", "a", "b" }, rows)
E:finish()
LUA
cat >make.lua <<'LUA'
local rng = require("vesicle").rng(1)
local function write(path, rows, separator, ending)
  local file = assert(io.open(path, "w"))
  file:write("# some data\n", table.concat({ "x", "w", "y" }, separator), ending)
  for i = 1, rows do
    local x = rng:normal(0, 2)
    file:write(string.format("%.17g", x), separator, string.format("%.17g", 0.5 + (i % 7) * 0.1), separator,
      string.format("%.17g", rng:normal(x / 2, 1)), ending)
  end
  file:close()
end
write("data.tsv", 100000, "\t", "\n")
write("small.csv", 50, ",", "\r\n")
LUA
"$vesicle" run make.lua --out . >log 2>&1 && [ "$(stat -c %s data.tsv)" -gt 4194304 ]
verdict 'data of more than one block' $?
cat >reference.lua <<'LUA'
local ves = require "vesicle"
local tsv = require "vesicle.table"
local code = ves.code { n = 40, lo = -6, hi = 6, sigma = 0.3 }
local net = ves.network { input = code, output = code,
                          rng = ves.rng(20211118):stream("evidence"):stream("net") }
local xs, ys = {}, {}
for i, row in ipairs(tsv.read("data.tsv")) do xs[i], ys[i] = row.x, row.y end
net:observe(xs, ys)
for i = 1, 40 do for j = 1, 40 do
  print(table.concat({ i, j, tsv.cell(net.A[i][j]), tsv.cell(net.B[i][j]) }, "\t"))
end end
LUA
"$vesicle" run reference.lua >reference.txt 2>log
for n in 1 2 3 5; do
  timeout 120 mpirun -n "$n" "$ranks_program" run evidence.lua --quiet --out "evidence$n" >log 2>&1 &&
    diff reference.txt <(grep -v '^[#i]' "evidence$n/evidence/evidence.tsv") >>log
  verdict "evidence of $n ranks has the bits of one call" $?
done
for n in 1 3; do
  timeout 60 mpirun -n "$n" "$ranks_program" run evidence.lua --quiet --out "salience$n" --set file=small.csv \
    --set salience=true >log 2>&1
  diff -r salience1 "salience$n" >>log
  verdict "evidence with salience, $n ranks" $?
done
printf 'x\ty\n1\t2\n3\tfour\n' >bad.tsv
timeout 60 mpirun -n 2 "$ranks_program" run evidence.lua --out bad --set file=bad.tsv >log 2>&1
grep -q "E:observe: in the .* bytes of 'bad.tsv' from byte 4 on: .*line 3, column 2 ('y'): 'four': expected a number" log
verdict 'a bad cell is named' $?
