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

# debian_tree SUITE DIRECTORY [OPTION]: a minimal Debian there. A release that this debootstrap does not know yet is made as the
# unstable one is, from the archive that apt uses here.
debian_tree() {
  local suite=$1 root=$2 archive
  shift 2
  if [ -e "/usr/share/debootstrap/scripts/$suite" ]; then
    debootstrap --variant=minbase "$@" "$suite" "$root"
  else
    # shellcheck disable=SC2016 # apt's own names
    archive=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sort -u | head -n 1)
    debootstrap --variant=minbase "$@" "$suite" "$root" "$archive" /usr/share/debootstrap/scripts/sid
  fi
}
