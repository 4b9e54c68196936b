# Completion of vesicle for bash: commands, options, their values, scripts, and the parameters of a script.

# _vesicle_parameters VESICLE SCRIPT: the names of its parameters, as it declares them in the sandbox.
_vesicle_parameters() {
  "$1" params "$2" --timeout 3 2>/dev/null | awk 'listing { print $1 } $1 == "parameter" && $2 == "type" { listing = 1 }'
}

_vesicle() {
  local current previous command='' script='' word i options
  local commands='run params sweep claims journal repl help'
  COMPREPLY=()
  current=${COMP_WORDS[COMP_CWORD]}
  previous=${COMP_WORDS[COMP_CWORD - 1]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [ -z "$command" ]; then
      command=$word
    elif [ -z "$script" ] && [[ $word == *.lua ]]; then
      script=$word
    fi
  done

  # "--set=" and "--set psi=" reach us in pieces, because "=" separates words.
  if [ "$current" = = ]; then current=; elif [ "$previous" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi

  case $command in
  '')
    mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$current")
    return
    ;;
  run)
    options='--execute --seed --set --out --scale --jobs --replicate --replicate-timeout --timeout --max-memory --max-disk --trust --quiet --help'
    ;;
  sweep)
    options='--over --seed --set --out --scale --jobs --replicate --replicate-timeout --timeout --max-memory --max-disk --trust --quiet
             --help'
    ;;
  params) options='--set --scale --timeout --max-memory --trust --help' ;;
  claims) options='--format --id --help' ;;
  journal) options='--dry-run --help' ;;
  repl) options='--seed --out --jobs --quiet --help' ;;
  help)
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
    return
    ;;
  *) return ;;
  esac

  case $previous in
  --scale) mapfile -t COMPREPLY < <(compgen -W 'full quick' -- "$current") ;;
  --format) mapfile -t COMPREPLY < <(compgen -W 'text tsv latex markdown' -- "$current") ;;
  --out) mapfile -t COMPREPLY < <(compgen -d -- "$current") && compopt -o filenames 2>/dev/null ;;
  --set | --over)
    if [ -n "$script" ]; then
      mapfile -t COMPREPLY < <(compgen -W "$(_vesicle_parameters "${COMP_WORDS[0]}" "$script")" -S = -- "$current")
      compopt -o nospace 2>/dev/null
    fi
    ;;
  --execute | --seed | --jobs | --replicate | --replicate-timeout | --timeout | --max-memory | --max-disk | --id) ;;
  *)
    if [[ $current == -* ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    elif [ "$command" = journal ] && [ "$COMP_CWORD" -eq 2 ]; then
      mapfile -t COMPREPLY < <(compgen -W 'show verify prune' -- "$current")
    elif [ "$command" = journal ]; then
      mapfile -t COMPREPLY < <(compgen -f -X '!*.sqlite' -- "$current"; compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
    elif [ "$command" = claims ]; then
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
    elif [ "$command" != repl ] && [ -z "$script" ]; then
      mapfile -t COMPREPLY < <(compgen -f -X '!*.lua' -- "$current"; compgen -d -- "$current")
      compopt -o filenames 2>/dev/null
    elif [ "$command" != repl ]; then
      mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    fi
    ;;
  esac
}

complete -F _vesicle vesicle
