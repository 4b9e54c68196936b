#!/usr/bin/env bash
# Completion in bash and zsh, and the manual page: what they offer is what the program takes. Lines "ok NAME", "not ok NAME".
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
dir=$tmp tree=$here
mkdir "$dir/bin" "$dir/work" && ln -s "$vesicle" "$dir/bin/vesicle" && cd "$dir/work" || exit 1
export PATH="$dir/bin:$PATH"
mkdir results && touch results/try.sqlite notes.txt
cat >try.lua <<'LUA'
require("vesicle.experiment").new { name = "try", params = { psi = 2, points = 4, rule = "raw" } }
LUA

# ---- one list of options: the program's ----

commands=$(vesicle --help | sed -nE 's/^  vesicle ([a-z]+) .*/\1/p')
options_of() { vesicle help "$1" | sed -n '1,/^$/p' | grep -oE -- '--[a-z-]+' | sort -u; }
explained_in_help() { vesicle help "$1" | grep -oE '^  --[a-z-]+' | tr -d ' ' | sort -u; }
for command in $commands; do
  diff <(options_of "$command") <(explained_in_help "$command") >"$dir/log"
  verdict "help $command explains each option of its usage" $?
done

# ---- bash ----

# shellcheck source=docs/completion/vesicle.bash
source "$tree/docs/completion/vesicle.bash"
completes() { # WORD...: what the last word, which may be empty, could become
  COMP_WORDS=(vesicle "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _vesicle
  printf '%s\n' "${COMPREPLY[@]}" | sort
}
offers() { # NAME EXPECTED WORD...
  local name=$1 expected=$2
  shift 2
  diff <(tr ' ' '\n' <<<"$expected" | sort) <(completes "$@") >"$dir/log" 2>&1
  verdict "bash: $name" $?
}
offers commands "$commands --help --version" ''
  offers 'a command begun' 'params' pa
  for command in $commands; do
    [ "$command" = help ] || offers "options of $command" "$(options_of "$command") --help" "$command" --
  done
  offers 'help on commands' "$commands" help ''
  offers 'scales' 'full quick' run try.lua --scale ''
  offers 'formats' 'text tsv latex markdown' claims --format ''
  offers 'actions' 'prune show verify' journal ''
  offers 'journals' 'results' journal verify res
  offers 'scripts, not other files' 'try.lua results' run ''
  offers 'parameters' 'psi= points= rule=' run try.lua --set ''
  offers 'parameters begun' 'psi= points=' sweep try.lua --over p
  offers 'directories' 'results' run try.lua --out re
  offers 'nothing for a number' '' run try.lua --seed ''
  offers 'nothing after an unknown command' '' rum ''
COMP_WORDS=(vesicle run try.lua --scale "=" q) COMP_CWORD=5
_vesicle
[ "${COMPREPLY[*]}" = quick ]
verdict 'bash: a value after =' $?
complete -p vesicle >"$dir/log" 2>&1
verdict 'bash: it is registered' $?

# ---- zsh ----

if command -v zsh >/dev/null; then
  zsh -n "$tree/docs/completion/_vesicle" 2>"$dir/log"
  verdict 'zsh: the syntax' $?
  for command in $commands; do
    [ "$command" = help ] && continue
    for option in $(options_of "$command"); do
      grep -qe "\*\?$option\[" "$tree/docs/completion/_vesicle" || echo "$command $option"
    done
  done >"$dir/log"
  [ ! -s "$dir/log" ]
  verdict 'zsh: every option is there' $?
  # A shell at a terminal of its own, asked for completions by the tabulator.
  cat >"$dir/ask.zsh" <<'ZSH'
zmodload zsh/zpty
zpty -b shell zsh -f -i
type() { zpty -w -n shell "$1" }
# Reads until a pattern is there, or for as long as it takes to be sure that it is not.
await() {
  local seen='' part i
  for i in {1..100}; do
    while zpty -r -t shell part; do seen+=$part; done
    [[ $seen == *$~1* ]] && break
    sleep 0.05
  done
  print -r -- "$seen"
}
type "PS1='> '; fpath=($1 \$fpath); autoload -U compinit; compinit -D -u; LISTMAX=1000; echo rea''dy"$'\n'
await ready >/dev/null
type "$2"$'\t\t'
await "$3"
zpty -d shell
ZSH
  asks() { # NAME LINE PATTERN
    TERM=dumb timeout 60 zsh -f "$dir/ask.zsh" "$tree/docs/completion" "$2" "*$3*" >"$dir/log" 2>&1
    grep -qE -- "$3" "$dir/log"
    verdict "zsh: $1" $?
  }
  asks 'a command' 'vesicle swe' 'sweep'
  asks 'an option' 'vesicle sweep try.lua --ov' '\-\-over'
  asks 'a scale' 'vesicle run try.lua --scale qu' 'quick'
  asks 'a parameter' 'vesicle run try.lua --set ru' 'rule='
  asks 'an action' 'vesicle journal ver' 'verify'
else
  echo 'ok zsh # skip no zsh here'
fi

# ---- the manual page ----

page=$tree/docs/vesicle.1
plain=$(sed 's/\\-/-/g; s/\\~//g' "$page")
for command in $commands; do
  grep -q "^\.SS vesicle $command" "$page" || echo "command $command"
  for option in $(options_of "$command"); do
    grep -qE "^\.BI? ?R? ?$option|^\.BR $option" <<<"$plain" || echo "$command $option"
  done
done >"$dir/log"
[ ! -s "$dir/log" ]
verdict 'man: every command and every option' $?
grep -oE '^\.(B|BI|BR) --[a-z-]+' <<<"$plain" | grep -oE -- '--[a-z-]+' | sort -u >"$dir/explained"
{ for command in $commands; do options_of "$command"; done; printf '%s\n' --help --version; } | sort -u | diff - "$dir/explained" >"$dir/log"
verdict 'man: no other' $?
for code in 0 1 2 3 4; do
  sed -n '/^\.SH EXIT STATUS/,/^\.SH ENV/p' "$page" | grep -qx ".B $code" || echo "$code"
done >"$dir/log"
[ ! -s "$dir/log" ]
verdict 'man: every exit code' $?
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww -z "$page" >"$dir/log" 2>&1 && [ ! -s "$dir/log" ]
  verdict 'man: groff has nothing to say' $?
else
  echo 'ok man: groff # skip no groff here'
fi
