#!/bin/sh
# When and on what a benchmark was run, as comment lines of its table.
printf '# measured %s on %s, %s cores\n' "$(date -u +%Y-%m-%d)" \
  "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)"
