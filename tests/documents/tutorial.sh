#!/usr/bin/env bash
# Runs every block of docs/tutorial.md, docs/data.md and docs/exercises.md in a copy of the tree and compares what a block
# prints with the block of text that follows it.
#
#   ```sh            a shell                        ```lua file=PATH, ```gnuplot file=PATH    the file is written
#   ```lua           typed at the prompt            ```lua error      the same, and an error is what is wanted
#   ```python, ```r  where it is installed          ```text           what the block before it prints
#   ```sql file=PATH in the sqlite3 shell           ```r PACKAGE...   where these are installed too
#   ```text plot     a plot: gnuplot's versions differ, so it is not compared
#
# UPDATE=1 writes what blocks print into the pages instead of comparing it.
# suite: long, 15 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
export LC_ALL=C.UTF-8 PYTHONPATH=csrc/python PYTHONDONTWRITEBYTECODE=1

# interpreter_of LANGUAGE BODY PACKAGES: one that has what the block needs, if there is any.
interpreter_of() {
  local python package
  if [ "$1" = python ]; then
    for python in python3 /usr/bin/python3; do
      if (cd "$tmp/tree" && "$python" -c "$(grep '^import ' "$2" | sed 's/^import vesicle.*/&, pandas/')") 2>/dev/null; then
        echo "$python"
        return
      fi
    done
  elif command -v Rscript >/dev/null; then
    for package in $3; do Rscript -e "library($package)" >/dev/null 2>&1 || return; done
    echo Rscript
  fi
}

# Splits a page into blocks: NNN.head holds the line of the page and what stands behind the fence, NNN.body the lines.
split() { # PAGE
  rm -rf "$tmp/blocks" && mkdir "$tmp/blocks"
  awk -v dir="$tmp/blocks" '
    /^```/ && !inside { inside = 1; n++; stem = sprintf("%s/%03d", dir, n); print FNR, substr($0, 4) > (stem ".head"); printf "" > (stem ".body"); next }
    /^```$/ && inside { inside = 0; close(stem ".body"); close(stem ".head"); next }
    inside { print > (stem ".body") }' "$1"
}

# The prompt blocks so far, typed again from the beginning, so that the last one finds what the others left; what the
# last one prints goes to $tmp/said.
prompt() { # BODY
  printf '%s\n' 'do io.stdout:write("\1\n") end' >>"$tmp/session"
  cat "$1" >>"$tmp/session"
  (cd "$tmp/tree" && build/vesicle repl <"$tmp/session") >"$tmp/all" 2>"$tmp/log"
  local status=$?
  awk '/^\001$/ { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }' "$tmp/all" >"$tmp/said"
  cat "$tmp/said" >>"$tmp/log"
  return "$status"
}

page() { # PAGE
  local page=$1 head line words language kind target stem before='' skipped='' status interpreter
  local erred=0 # whether an error was wanted before: it counts in the status of the whole session
  split "$page"
  : >"$tmp/session"
  cp "$page" "$tmp/new"
  for head in "$tmp"/blocks/*.head; do
    stem=${head%.head}
    read -r line words <"$head"
    language=${words%% *} kind=${words#"$language"} kind=${kind# } target=${kind#file=}
    case $language/$kind in
    lua/file=* | gnuplot/file=*)
      cp "$stem.body" "$tmp/tree/$target"
      verdict "$page:$line: $target is written" $?
      before=
      ;;
    sh/*)
      (cd "$tmp/tree" && bash -e "$stem.body") >"$tmp/said" 2>"$tmp/log"
      status=$?
      cat "$tmp/said" >>"$tmp/log"
      verdict "$page:$line: $(head -n 1 "$stem.body")" "$status"
      before=$line
      ;;
    lua/after=*)
      if [ "$skipped" = "${kind#after=}" ]; then
        echo "ok $page:$line # skip no $skipped"
        before=
        continue
      fi
      prompt "$stem.body"
      status=$?
      verdict "$page:$line: back at the prompt" $((status - erred))
      before=$line
      ;;
    lua/*)
      [ "$kind" = error ] && erred=1
      prompt "$stem.body"
      status=$?
      verdict "$page:$line: $(head -n 1 "$stem.body")" $((status - erred))
      before=$line
      ;;
    sql/*)
      before=
      if ! command -v sqlite3 >/dev/null; then
        echo "ok $page:$line: sql # skip no sqlite3"
        continue
      fi
      (cd "$tmp/tree" && sqlite3 -readonly "${kind#file=}" <"$stem.body") >"$tmp/said" 2>"$tmp/log"
      verdict "$page:$line: $(head -n 1 "$stem.body")" $?
      before=$line
      ;;
    python/* | r/*)
      before=
      skipped=
      interpreter=$(interpreter_of "$language" "$stem.body" "$kind")
      if [ -z "$interpreter" ]; then
        skipped=$language
        echo "ok $page:$line: $language # skip not installed"
        continue
      fi
      (cd "$tmp/tree" && "$interpreter" "$stem.body") >"$tmp/said" 2>"$tmp/log"
      status=$?
      cat "$tmp/said" >>"$tmp/log"
      verdict "$page:$line: $language" "$status"
      before=$line
      ;;
    text/*)
      [ -n "$before" ] || continue
      sed -i 's/[[:blank:]]*$//' "$tmp/said"
      if [ -n "${UPDATE:-}" ]; then
        cp "$tmp/said" "$stem.body"
      elif [ "$kind" = plot ]; then
        [ "$(wc -l <"$tmp/said")" -ge 15 ] || grep -q 'gnuplot is not installed' "$tmp/said"
        verdict "$page:$line: a plot" $?
      else
        diff "$stem.body" "$tmp/said" >"$tmp/log"
        verdict "$page:$line: what it prints" $?
      fi
      before=
      ;;
    *)
      echo "unknown kind of block: $words" >"$tmp/log"
      verdict "$page:$line: $words" 1
      ;;
    esac
  done
  [ -z "${UPDATE:-}" ] || rebuild "$page"
}

# UPDATE: the page with the bodies of its blocks as they are now.
rebuild() { # PAGE
  awk -v dir="$tmp/blocks" '
    /^```/ && !inside { inside = 1; n++; print; body = sprintf("%s/%03d.body", dir, n); while ((getline text < body) > 0) print text; close(body); next }
    /^```$/ && inside { inside = 0; print; next }
    !inside { print }' "$1" >"$tmp/new" && cp "$tmp/new" "$1"
}

copy_tree "$tmp/tree" Makefile csrc lua figures tests paper
export BUILD=build
for name in docs/tutorial.md docs/data.md docs/exercises.md; do page "$name"; done
