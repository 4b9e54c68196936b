#!/usr/bin/env bash
# The layers of ARCHITECTURE.md, stated as absences. Arrows point down only: host, bindings, core.
set -u
status=0
absent() { # MESSAGE PATTERN FILE...
  local message=$1 pattern=$2 files=() file
  shift 2
  for file; do [ -e "$file" ] && files+=("$file"); done
  [ ${#files[@]} -gt 0 ] || return 0
  if grep -nE -H -- "$pattern" "${files[@]}"; then
    echo "^ $message"
    status=1
  fi
}

# A header is found by its name alone, in a folder of the file's own layer or below, or is generated.
for layer in core lua host; do
  mapfile -t folders < <(folders_below "csrc/$layer/")
  known=$(find "${folders[@]}" "$BUILD" -maxdepth 1 -name '*.h' | sed 's|.*/\(.*\)|"\1"|')
  if grep -rE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "csrc/$layer" --include='*.[ch]' | grep -vF "$known"; then
    echo "^ not a header of csrc/$layer or of a layer below"
    status=1
  fi
done

mapfile -t core < <(find csrc/core -name '*.[ch]' | sort)
mapfile -t bindings < <(find csrc/lua -name '*.[ch]' | sort)
include='#[[:space:]]*include[[:space:]]*[<"]'
absent 'the core sees no Lua' "$include(lua|lualib|lauxlib|luaconf)\.h" "${core[@]}" tests/test_*.c
absent 'the core does no input or output' "$include(stdio|unistd|fcntl|sqlite3|sha2|mpi)\.h" "${core[@]}"
absent 'the bindings know nothing of what the host uses' "$include(sqlite3|sha2|mpi|histedit)" "${bindings[@]}"

# What the compiled core calls is the proof: no printing, no files, no exit, no clock, no environment but the one switch.
if symbols=$(nm -A -u "$BUILD/libvesicle.a" 2>/dev/null); then
  forbidden='(__)?(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fputc|fwrite|fread|fopen|open|write|read|perror|'
  forbidden+='exit|_exit|_Exit|abort|__assert_fail|raise|system|rand|srand|random|time|clock|gettimeofday|clock_gettime|'
  forbidden+='getpid|lua_[a-z]*|luaL_[a-z]*|sqlite3_[a-z0-9_]*)(_chk)?'
  if grep -E " U $forbidden\$" <<<"$symbols"; then
    echo '^ the core prints, exits, reads a clock or calls upwards'
    status=1
  fi
else
  echo "no $BUILD/libvesicle.a to inspect" && status=1
fi

# No allocation inside a loop, and none at all in the files of what happens once per draw, but in functions whose name
# says that they allocate.
for file in csrc/core/*.c csrc/core/*/*.c; do
  awk -v per_draw="$([[ $file =~ ves_(rng|sample) ]] && echo 1)" '
    /^[A-Za-z_].*\(/ && !/;[[:space:]]*$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name); loops = 0 }
    /[^[:space:]]/ {
      match($0, /^[[:space:]]*/)
      while (loops > 0 && RLENGTH <= indent[loops]) loops--
      if ($0 ~ /^[[:space:]]*(for|while|do)[[:space:]({]/) indent[++loops] = RLENGTH
    }
    name ~ /alloc/ { next }
    /(^|[^A-Za-z0-9_])(malloc|calloc|realloc|aligned_alloc|strdup|gsl_[a-z0-9_]*_c?alloc|ves_[a-z0-9_]*_alloc)[[:space:]]*\(/ &&
      /^[[:space:]]+[^[:space:]*\/]/ {
      if (loops > 0) { printf "%s:%d: %s allocates inside a loop\n", FILENAME, FNR, name; bad = 1 }
      else if (per_draw) { printf "%s:%d: %s allocates at every draw\n", FILENAME, FNR, name; bad = 1 }
    }
    END { exit bad }' "$file" || status=1
done

absent 'a figure reads data files, and runs nothing' \
  '^[[:space:]]*(system|shell|!)|^[[:space:]]*[^#[:space:]].*([^A-Za-z_]system[[:space:]]*[("]|`|["'\''][[:space:]]*[<|][^=])' figures/*.gp
required='require[ (]*["'\'']'
absent 'the library knows no experiment' "${required}experiments" lua/vesicle/*.lua lua/vesicle/*/*.lua
absent 'what all stand on stands on nothing else' "${required}vesicle\.(experiment|model|prompt|publish)" lua/vesicle/base/*.lua
absent 'an experiment needs neither prompt nor publishing' "${required}vesicle\.(prompt|publish)" \
  lua/vesicle/*.lua lua/vesicle/{experiment,model}/*.lua lua/experiments/*.lua
exit "$status"
