#!/usr/bin/env bash
# docs/cluster/vesicle.sbatch on a real Slurm: munged, slurmctld and slurmd of Debian's packages on the loopback of this
# machine, with keys, ports and state of their own. The batch file is submitted, one of its tasks is killed, the job is put
# into the queue again and goes on where it was; the bytes are those of a run without Slurm. Needs root, and installs what is
# missing; what it starts ends with it.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo 'check-slurm needs root on a Debian-like system'
  exit 2
fi
tree=$(pwd)
dir=$(mktemp -d /var/tmp/vesicle-slurm.XXXXXX) || exit 1
chmod 755 "$dir"
started=()
cleanup() {
  [ -z "${job:-}" ] || scancel "$job" 2>/dev/null
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
  sleep 1
  for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null; done
  rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP
fail() {
  echo "not ok $*"
  tail -n 15 "$dir"/*.log 2>/dev/null
  exit 1
}
until_true() { # SECONDS COMMAND...
  local try tries=$((10 * $1))
  shift
  for ((try = 0; try < tries; try++)); do
    "$@" && return
    sleep 0.1
  done
  return 1
}

if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null || ! command -v munged >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge >"$dir/apt.log" 2>&1 ||
    fail 'Slurm can be installed'
fi
make -s build/vesicle build/vesicle-mpi >"$dir/make.log" 2>&1 || fail 'the program with MPI builds'

# ---- a cluster of one ----

dd if=/dev/urandom of="$dir/key" bs=1024 count=1 2>/dev/null && chmod 400 "$dir/key"
munged --foreground --force --socket="$dir/socket" --key-file="$dir/key" --log-file="$dir/munged.log" --pid-file="$dir/munged.pid" \
  --seed-file="$dir/seed" >"$dir/munge.log" 2>&1 &
started+=($!)
until_true 10 [ -S "$dir/socket" ] || fail 'munged starts'
mkdir "$dir/state" "$dir/spool"
cat >"$dir/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=17817
SlurmdPort=17818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
KillWait=5
MpiDefault=none
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=4 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$dir/slurm.conf
slurmctld -D -i -f "$SLURM_CONF" >"$dir/slurmctld.log" 2>&1 &
started+=($!)
slurmd -D -f "$SLURM_CONF" >"$dir/slurmd.log" 2>&1 &
started+=($!)
idle() { sinfo -h -o %T 2>/dev/null | grep -q '^idle'; }
until_true 30 idle || fail 'a cluster of one node starts'
echo "ok a cluster of one node: $(sinfo --version)"

# ---- a job ----

cat >"$dir/chore.lua" <<'LUA'
local E = require("vesicle.experiment").new { name = "chore", params = { replicates = 200 } }
local out = E:replicate { name = "main", n = E.params.replicates, run = function(_, rng)
  local start = os.clock()
  while os.clock() - start < 0.1 do end
  return rng:uniform()
end }
local rows = {}
for i = 1, #out do rows[i] = { out[i] } end
E:table("draws", { "u" }, rows)
E:finish()
LUA
build/vesicle run "$dir/chore.lua" --quiet --out "$dir/plain" >"$dir/plain.log" 2>&1 || fail 'a run without Slurm'
state() { scontrol show job "$job" 2>/dev/null | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p'; }
is() { [ "$(state)" = "$1" ]; }
finished() { build/vesicle journal show "$dir/out" 2>/dev/null | sed -n 's/.*: \([0-9]*\) replicates.*/\1/p'; }
some() { [ "$(finished)" -ge 10 ] 2>/dev/null; }
cd "$dir" || exit 1
ln -s "$tree/build" build
job=$(sbatch --parsable --ntasks=3 --mem-per-cpu=100M --time=10 --chdir="$dir" \
  --export="ALL,SCRIPT=$dir/chore.lua,OUT=$dir/out,VESICLE=$tree/build/vesicle-mpi" \
  "$tree/docs/cluster/vesicle.sbatch" --quiet) || fail 'the batch file is submitted'
until_true 60 some || { cat "$dir"/vesicle-*.log; fail 'the job computes'; }
echo "ok the batch file runs: job $job"
victim=$(scontrol listpids "$job.0" | awk 'NR > 1 && $4 > 0 && $4 != "-" { pid = $1 } END { print pid }')
if [ -z "$victim" ] || ! kill -KILL "$victim"; then fail 'one of its tasks is killed'; fi
ended() { case $(state) in RUNNING | COMPLETING | PENDING) false ;; esac }
until_true 60 ended
kept=$(finished)
if [ "$(state)" = COMPLETED ] || [ "$kept" -ge 200 ]; then fail "the job ends with its task ($(state), $kept kept)"; fi
echo "ok a task is killed, and the job ends with it: $kept of 200 replicates are kept"
"$tree/build/vesicle" journal verify "$dir/out" >"$dir/verify.log" 2>&1 || fail 'the journal is whole'
scontrol requeue "$job" || fail 'the job is put into the queue again'
scontrol update JobId="$job" StartTime=now 2>/dev/null
until_true 90 is COMPLETED || { cat "$dir"/vesicle-*.log; fail "the job goes on to its end ($(state))"; }
diff <(grep -v '^#' "$dir/plain/chore/draws.tsv") <(grep -v '^#' "$dir/out/chore/draws.tsv") >"$dir/diff.log" || fail 'the same bytes'
echo 'ok put into the queue again it goes on, to the bytes of a run without Slurm'
job=
