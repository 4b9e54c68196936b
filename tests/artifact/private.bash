# Shared by the checks that need a machine of their own: one directory, and a mount namespace that nobody else sees. Both are
# gone at the end, however it comes.

# private NAME TOOL...: starts the calling script again in there, with the directory's name in PRIVATE_DIR; says what is
# missing where it cannot.
private() {
  local name=$1 tool lacking=
  shift
  for tool; do command -v "$tool" >/dev/null 2>&1 || lacking="$lacking $tool"; done
  if [ "$(id -u)" != 0 ] || [ ! -e /etc/debian_version ] || [ -n "$lacking" ]; then
    echo "check-$name needs root on a Debian-like system, with $*.${lacking:+ Missing here:$lacking}"
    exit 2
  fi
  [ -z "${PRIVATE_DIR:-}" ] || return 0
  PRIVATE_DIR=$(mktemp -d "/var/tmp/vesicle-$name.XXXXXX") || exit 1
  export PRIVATE_DIR
  trap 'rm -rf --one-file-system "$PRIVATE_DIR"' EXIT
  trap 'exit 1' INT TERM HUP
  unshare --mount --propagation private bash "$0"
  exit
}
