#!/usr/bin/env bash
# Every web page in headless Chromium, offline: no console message, no broken link, no image that does not load. Then the
# same on copies that were broken on purpose, each of which must be noticed.
# suite: long, 25 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
requires 'web pages' chromium pandoc latexmk pdflatex gnuplot
if ! shared_make SCALE=quick site-pages >"$tmp/log" 2>&1; then
  tail -n 20 "$tmp/log"
  echo 'not ok make site-pages'
  exit 1
fi
echo 'ok make site-pages'

browse() { # DIRECTORY: prints what is wrong with the pages in it; the last line says how many there were
  local dir=$1 pages
  rm -f "$dir/harness.html"
  pages=$(cd "$dir" && echo *.html)
  sed "s|PAGES|$pages|" tests/documents/pages.html >"$dir/harness.html"
  timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
    --disable-background-networking --disable-component-update --disable-dev-shm-usage \
    --host-resolver-rules='MAP * ~NOTFOUND' --allow-file-access-from-files --user-data-dir="$tmp/profile" \
    --enable-logging=stderr --v=0 --virtual-time-budget=600000 --dump-dom "file://$dir/harness.html" \
    >"$tmp/dom" 2>"$tmp/stderr"
  rm -rf "$tmp/profile" "$dir/harness.html"
  grep -E 'CONSOLE' "$tmp/stderr" | sed 's/^[^"]*/console: /'
  sed -n '/<pre id="report">/,/<\/pre>/p' "$tmp/dom" | sed 's/<[^>]*>//g; /^finished$/d; /^$/d' | grep -v '^pages '
  if ! grep -q '^finished' "$tmp/dom"; then echo 'the browser did not finish'; fi
  sed -n 's/.*\(pages [0-9]* links [0-9]*\).*/\1/p' "$tmp/dom"
}

site=$(cd "$BUILD/quick/site" && pwd)
rm -rf "$tmp/site" && cp -R "$site" "$tmp/site"
browse "$tmp/site" >"$tmp/report"
count=$(find "$site" -name '*.html' | wc -l)
if [ "$(sed -n 's/^pages \([0-9]*\) .*/\1/p' "$tmp/report")" = "$count" ] && [ "$(wc -l <"$tmp/report")" = 1 ]; then
  echo "ok $count pages: no console message, no broken link, no missing image ($(cat "$tmp/report"))"
else
  head -n 20 "$tmp/report"
  echo 'not ok the pages in a browser'
fi

broken() { # COMMAND...: what the browser says of a copy of three pages, after the commands
  local command
  rm -rf "$tmp/broken" && mkdir -p "$tmp/broken"/{data,figures,scripts}
  cp "$site"/{02_sampling_diagram,trace,provenance}.html "$site"/*.css "$site"/*.js "$tmp/broken"
  cp "$site"/figures/02_* "$tmp/broken/figures" && cp "$site"/scripts/02_* "$tmp/broken/scripts"
  cp -R "$site"/data/02_* "$tmp/broken/data"
  sed -i -e '/<nav /,/<\/nav>/d' "$tmp/broken"/*.html
  sed -i -E 's|href="[^"#]*[0-9]{2}_[a-z_]*\.html"|href="02_sampling_diagram.html"|g' "$tmp/broken"/*.html
  for command; do (cd "$tmp/broken" && eval "$command"); done
  browse "$tmp/broken" >"$log"
}
notices() { # NAME TEXT: it said so
  grep -qF -- "$2" "$log"
  verdict "$1 is noticed" $?
}
broken
[ "$(wc -l <"$log")" = 1 ]
verdict 'three pages alone have no fault' $?
# Faults whose reports are not taken for one another's share a start of the browser.
broken 'rm figures/*.svg' 'echo "<a href=nowhere.html>x</a>" >>trace.html' 'echo "console.error(1)" >>site.js' \
  'echo "<script>1</script>" >>provenance.html'
notices 'a missing image' 'did not load'
notices 'a broken link' 'nowhere.html is broken'
notices 'a console error' 'console: "1"'
notices 'a script inside a page' 'Content Security Policy'
broken 'echo "<a href=#nowhere>x</a>" >>trace.html' 'echo "throw 1" >>site.js' \
  'echo "<img src=http://example.org/a.png>" >>trace.html' 'echo "<p style=\"width: 3000px\">x</p>" >>provenance.html'
notices 'a link to a missing place' 'has no target'
notices 'a script that throws' 'Uncaught'
notices 'a call to the network' 'example.org'
notices 'a page that is too wide' 'px wider'
