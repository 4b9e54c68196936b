# Shared by the shell suites, which source it first: the build under test, a scratch directory, verdicts.
set -u
BUILD=${BUILD:-build}
here=$(pwd -P) # the tree
vesicle=$(realpath "${VESICLE:-$BUILD/vesicle}")
tmp=$(mktemp -d) || exit 1
log=$tmp/log # of the last case
failures=0   # so far
at_end=:     # what a suite has to do when it ends, however it ends
# A shell that was forked to start a program and is killed before it has done so runs the trap as well (bash 5.2): the folder
# is not its own to remove.
finish() {
  local status=$?
  [ "$BASHPID" -eq $$ ] || exit "$status"
  eval "$at_end"
  rm -rf "$tmp"
  [ "$failures" -eq 0 ] || status=1
  exit "$status"
}
trap finish EXIT

# A suite runs below a make, whose settings must not reach what it makes itself.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL SCALE
# alone COMMAND...: in the tree, with the build under test, in which other suites may want to make something too.
alone() { (cd "$here" && flock 9 && "$@") 9>>"$(dirname "$vesicle")/suites.lock"; }
shared_make() { alone make -s --no-print-directory BUILD="$BUILD" "$@"; }

# requires NAME TOOL...: ends the suite, as one case that is skipped, where a tool is not installed.
requires() {
  local name=$1 tool
  shift
  for tool; do
    command -v "$tool" >/dev/null 2>&1 && continue
    echo "ok $name # skip $tool is not installed"
    exit 0
  done
}

# several_ranks: mpirun may start more ranks than there are cores, and as root; Open MPI 4 and 5 know the former by other names.
several_ranks() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
}

# copy_tree DIRECTORY PART...: those parts of the tree, and as build/ the build with its objects, so that nothing is compiled
# again. Experiments without a number are a user's own, perhaps of the names that the tutorial proposes, and stay behind.
# copy_build DIRECTORY PART...: only those parts of the build.
copy_tree() {
  local to=$1
  shift
  mkdir -p "$to/build" && cp -Rp "$@" "$to" &&
    find "$to" \( -path "$to/lua/experiments/*.lua" -o -path "$to/figures/*.gp" \) ! -path "$to/*/*/*/*" \
      ! -name '[0-9][0-9]_*' ! -name style.gp -delete &&
    copy_build "$to" config obj flags sources module.map library.map libvesicle.a libvesicle.so vesicle vesicle.so ves_version.h ves_apidoc.h || exit 1
}
copy_build() {
  local to=$1
  shift
  alone cp -Rp "${@/#/$BUILD/}" "$to/build/"
}

# short_chapters FILE...: of chapters of the supplement only titles and the places that links lead to are left. Times stay.
short_chapters() {
  local chapter
  for chapter; do
    [ -e "$chapter" ] || continue
    grep -oE '^\\vesnumbered.*|\\(vesanchor|label)\{[^}]*\}|\\hypertarget\{[^}]*\}' "$chapter" | sed '/^\\hypertarget/s/$/{}/' >"$tmp/short"
    touch -r "$chapter" "$tmp/short" && mv "$tmp/short" "$chapter"
  done
}

# await COMMAND...: until the command succeeds; fails after half a minute. A suite waits for what it needs, never for a
# time in which that should have happened: the machine may be busy.
await() {
  local try
  for ((try = 0; try < 600; try++)); do
    "$@" && return
    sleep 0.05
  done
  return 1
}
# alive PID: a zombie that nobody has collected yet is dead.
alive() { grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null; }
dead() { ! alive "$1"; }
contains() { grep -q -- "$2" "$1" 2>/dev/null; } # FILE PATTERN

# verdict NAME STATUS: prints the line of one case, and what was logged last if it failed. What a sanitizer reports is a
# failure whatever else happened.
verdict() {
  if [ "$2" -eq 0 ] && ! grep -qsE 'ERROR: (Address|Leak)Sanitizer|: runtime error: ' "$log"; then
    echo "ok $1"
  else
    echo "not ok $1"
    [ ! -e "$log" ] || tail -n 40 "$log" | sed 's/^/#   /'
    failures=$((failures + 1))
  fi
}
# check NAME COMMAND...: the command succeeds.
check() {
  local name=$1
  shift
  "$@" >"$log" 2>&1
  verdict "$name" $?
}
# gives NAME CODE PATTERN ARGUMENTS...: the program exits with CODE and prints something matching PATTERN.
gives() {
  local name=$1 code=$2 pattern=$3 status
  shift 3
  "$vesicle" "$@" >"$log" 2>&1 </dev/null
  status=$?
  [ "$status" -eq "$code" ] && grep -qE -- "$pattern" "$log"
  verdict "$name" $?
}
