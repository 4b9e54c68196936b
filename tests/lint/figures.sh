#!/usr/bin/env bash
# Every figure script says after its caption what is seen in the picture: `# alt: ...`, for those who do not see it. Web pages
# have it as the image's alternative text.
set -u
status=0
while IFS= read -r -d '' script; do
  [ "$(basename "$script")" = style.gp ] && continue
  alt=$(awk '!/^#/ { exit } /^# alt: / { seen = 1 } seen' "$script" | sed 's/^# *//; s/^alt: *//' | tr '\n' ' ')
  if [ "${#alt}" -lt 60 ]; then
    echo "$script: after the caption, \`# alt:\` should say what is seen in the figure"
    status=1
  fi
done < <(sources 'figures/*.gp' 'lua/vesicle/template/*.gp')
exit "$status"
