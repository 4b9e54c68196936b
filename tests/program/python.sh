#!/usr/bin/env bash
# The Python package: it sees the core as the compiler does, gives Lua's numbers to the bit, refuses wrong arguments, reads
# tables and journals, and is installed by pip without a network.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
export PYTHONPATH=csrc/python PYTHONDONTWRITEBYTECODE=1
VESICLE_LIBRARY=$(realpath "$BUILD/libvesicle.so")
export VESICLE_LIBRARY

for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || "$python" -c 'import numpy, pandas, pytest' 2>/dev/null && break
done
if [ -z "$python" ]; then
  echo 'ok the Python package # skip no Python with numpy, pandas and pytest (Debian: python3-numpy python3-pandas python3-pytest)'
  exit 0
fi

"$python" tests/python/layout.py >"$tmp/layout.c"
includes=$(find csrc/core -type d | sed 's/^/-I/')
# shellcheck disable=SC2086,SC2046 # lists of words
check 'prototypes and structures are those of the headers' ${CC:-gcc} -std=c11 -Wall -Wextra -Werror -fsyntax-only \
  $includes -Icsrc/python/vesicle $(cat "$BUILD/config/gsl.cflags") "$tmp/layout.c"

"$vesicle" run --trust tests/python/results.lua >"$tmp/results" 2>"$log"
verdict 'Lua computes what is to be compared' $?
"$vesicle" run tests/python/frames.lua --out "$tmp/out" --quiet >"$log" 2>&1
verdict 'an experiment for the readers' $?
export LUA_RESULTS=$tmp/results EXPERIMENT_OUT=$tmp/out
pytest() { "$python" -m pytest -q -p no:cacheprovider "$@"; }
check 'the same numbers as Lua, to the bit' pytest tests/python/test_numbers.py
VES_SIMD=off check 'and without vector instructions' pytest tests/python/test_numbers.py
check 'wrong arguments are refused by name, Control-C is heard' pytest tests/python/test_arguments.py
check 'tables and journals as data frames' pytest tests/python/test_tables.py

# Where the library is looked for.
missing() { ! VESICLE_LIBRARY=$tmp/none "$python" -c 'import vesicle' 2>"$log" && grep -q 'expected one beside the package' "$log"; }
missing
verdict 'without a library it says where one is expected' $?
if "$python" -m pip --version >"$log" 2>&1; then
  check 'pip installs it, without a network' "$python" -m pip install --quiet --no-index --no-deps --disable-pip-version-check \
    --root-user-action=ignore --no-cache-dir --target "$tmp/site" ./csrc/python
  cd "$tmp" || exit 1
  unset VESICLE_LIBRARY
  PYTHONPATH=$tmp/site "$python" -c 'import vesicle, vesicle.library as l; print(l.core._name, vesicle.__version__)
vesicle.release.analytic([1, 2])' >"$log" 2>&1 && grep -q "^$tmp/site/vesicle/libvesicle.so $("$vesicle" --version | sed -n 's/^vesicle //p')\$" "$log"
  verdict 'and it brings its library along' $?
else
  echo 'ok pip installs it # skip no pip'
fi
