#!/bin/sh
# provenance.sh BUILD RESULTS: which machine, which programs, which commit, how long, what came out. Nothing that is
# checksummed reads this.
build=$1 results=$2
version() { # NAME COMMAND...: the first line it prints
  name=$1
  shift
  command -v "$1" >/dev/null 2>&1 && printf '%-12s %s\n' "$name" "$("$@" 2>&1 | head -n 1)"
}
echo '# vesicle'
"$build/vesicle" --version
printf '\n# machine\n'
uname -srm
if [ -r /etc/os-release ]; then sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release; fi
if [ -r /proc/cpuinfo ]; then sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | sort | uniq -c | sed 's/^ */cores: /'; fi
date -u '+%Y-%m-%d %H:%M UTC'
printf '\n# programs\n'
version compiler cc --version
version make make --version
version gnuplot gnuplot --version
version pandoc pandoc --version
version pdflatex pdflatex --version
printf '\n# installed packages\n'
if command -v dpkg-query >/dev/null 2>&1; then dpkg-query -W; elif command -v rpm >/dev/null 2>&1; then rpm -qa | sort; fi
printf '\n# seconds by job\n'
(cd "$results/timings" && awk '{ printf "%8s  %s\n", $0, FILENAME }' ./* | sed 's|\./||')
printf '\n# documents\n'
sh paper/tools/checksums.sh "$results" documents
printf '\n# data\n'
cat "$results/checksums.tsv"
