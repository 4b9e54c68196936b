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

mapfile -t core < <(find csrc/core -name '*.[ch]' | sort)
mapfile -t bindings < <(find csrc/lua -name '*.[ch]' | sort)
lua_headers='#[[:space:]]*include[[:space:]]*[<"](lua|lualib|lauxlib|luaconf)\.h'

absent 'the core sees no Lua' "$lua_headers" "${core[@]}" tests/test_*.c
absent 'the core knows neither bindings nor host' '#[[:space:]]*include[[:space:]]*"(lves|run)_' "${core[@]}"
absent 'the core does no input or output' '#[[:space:]]*include[[:space:]]*<(stdio|unistd|fcntl|sqlite3|sha2|mpi)\.h>' "${core[@]}"
absent 'the bindings know nothing of the host' '#[[:space:]]*include[[:space:]]*("run_|<sqlite3|<sha2|<mpi)' "${bindings[@]}"

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
absent 'the library knows no experiment' 'require[ (]*["'\'']experiments' lua/vesicle/*.lua lua/vesicle/*/*.lua
exit "$status"
