#!/usr/bin/env bash
# The notebook runs from its first cell to its last, its own checks included, and draws its figures.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || "$python" -c 'import ipykernel, matplotlib, nbconvert, numpy' 2>/dev/null && break
done
if [ -z "$python" ]; then
  echo 'ok the notebook # skip no Python with matplotlib, ipykernel and nbconvert (Debian: python3-matplotlib python3-ipykernel jupyter-nbconvert)'
  exit 0
fi
export PYTHONPATH=$here/csrc/python PYTHONDONTWRITEBYTECODE=1 HOME=$tmp PYDEVD_DISABLE_FILE_VALIDATION=1
VESICLE_LIBRARY=$(realpath "$BUILD/libvesicle.so")
export VESICLE_LIBRARY
check 'the committed notebook has no outputs' "$python" -c 'import json, sys
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
sys.exit(any(cell.get("outputs") or cell.get("execution_count") for cell in cells))' docs/notebook.ipynb
check 'every cell runs' "$python" -m nbconvert --to notebook --execute --ExecutePreprocessor.timeout=600 \
  --output-dir "$tmp" --output run.ipynb docs/notebook.ipynb
check 'and there are six figures' test "$(grep -c '"image/png"' "$tmp/run.ipynb")" -eq 6
