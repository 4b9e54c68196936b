#!/bin/sh
# Installs the Debian packages of the groups given as arguments (build, test, lint, figures, paper, mpi, archive, bench, playground, proofs), as far as they are missing.
# With nothing missing it does nothing and needs no network. On a system without apt it prints package names instead.
# LOCK=1 installs the versions of docs/packages.lock, of what they need too, and says which of them no archive has: a package
# that is here in another version then stays as it is; if one is not here at all, nothing is installed.
# LIST=1 prints the names of the packages and does nothing.
set -u
lock=docs/packages.lock

packages() { # SYSTEM GROUP
  case $1-$2 in
  apt-build) echo gcc libc6-dev pkg-config libgsl-dev liblua5.4-dev librandom123-dev libsqlite3-dev libedit-dev libmd-dev ;;
  apt-test) echo lua5.4 lua-unit clang chromium faketime groff-base locales poppler-utils procps sqlite3 zsh zstd libopenmpi-dev openmpi-bin \
    luarocks python3-numpy python3-pandas python3-pip python3-pytest python3-matplotlib python3-ipykernel jupyter-nbconvert \
    r-base-core r-cran-rsqlite r-cran-jsonlite ;;
  apt-archive) echo sqlite3 zstd ;;
  *-archive) echo sqlite zstd ;;
  apt-mpi) echo libopenmpi-dev openmpi-bin ;;
  apt-lint) echo clang clang-format clang-tidy cppcheck shellcheck lua-check ;;
  apt-figures) echo gnuplot-nox fonts-lmodern qpdf ;;
  apt-proofs | dnf-proofs | pacman-proofs | brew-proofs) echo coq ;;
  apt-playground) echo emscripten nodejs ;;
  *-playground) echo emscripten nodejs ;;
  apt-paper) echo pandoc lmodern latexmk texlive-latex-base texlive-latex-recommended \
    texlive-latex-extra texlive-fonts-recommended texlive-science ;;
  apt-bench) echo lua5.4 gnuplot-nox valgrind linux-perf time openmpi-bin libopenmpi-dev python3-numpy python3-numba python3-torch libopenblas0-pthread \
    r-base-core r-cran-rcpp ;;
  *-bench) echo gnuplot valgrind perf numpy numba torch openblas R Rcpp ;;
  dnf-build) echo gcc make pkgconf-pkg-config gsl-devel lua-devel Random123-devel sqlite-devel libedit-devel libmd-devel ;;
  dnf-mpi) echo openmpi-devel ;;
  dnf-test) echo lua luarocks clang procps-ng sqlite openmpi-devel python3-numpy python3-pandas python3-pip python3-pytest ;;
  dnf-lint) echo clang-tools-extra cppcheck ShellCheck luarocks ;;
  dnf-figures) echo gnuplot qpdf ;;
  dnf-paper) echo pandoc latexmk texlive-scheme-medium texlive-collection-mathscience ;;
  pacman-build) echo gcc make pkgconf gsl lua sqlite libedit libmd ;;
  pacman-mpi) echo openmpi ;;
  pacman-test) echo luarocks clang procps-ng openmpi python-numpy python-pandas python-pip python-pytest ;;
  pacman-lint) echo clang cppcheck shellcheck luacheck ;;
  pacman-figures) echo gnuplot qpdf ;;
  pacman-paper) echo pandoc texlive-binextra texlive-latexextra texlive-mathscience texlive-fontsrecommended ;;
  brew-build) echo gcc make pkgconf gsl lua@5.4 sqlite libedit libmd ;;
  brew-mpi) echo open-mpi ;;
  brew-test) echo luarocks llvm open-mpi ;;
  brew-lint) echo llvm clang-format cppcheck shellcheck luacheck ;;
  brew-figures) echo gnuplot qpdf ;;
  brew-paper) echo pandoc texlive ;;
  esac
}

if [ -n "${LIST:-}" ]; then
  for group in "$@"; do packages apt "$group"; done
  exit 0
fi

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
  echo 'No apt here. The same packages go by these names elsewhere:'
  for system in dnf pacman brew; do
    printf '  %-7s' "$system"
    for group in "$@"; do printf ' %s' "$(packages "$system" "$group")"; done
    printf '\n'
  done
  echo 'luaunit, and luacheck where no package has it: luarocks install luaunit, luarocks install luacheck'
  echo 'Random123, where no package has it, is headers only: https://github.com/DEShawResearch/random123'
  exit 0
fi

# locked GROUP...: package=version of the lines for these groups that are not installed so
locked() {
  dpkg-query -W -f '${db:Status-Status} ${Package}=${Version}\n' 2>/dev/null |
    awk -v groups="$*" 'BEGIN { n = split(groups, names, " "); for (i = 1; i <= n; i++) wanted[names[i]] = 1 }
      $1 !~ /=/ { if ($1 == "installed") have[$2] = 1; next }
      { for (i = 2; i <= NF; i++) if ($i in wanted && !($1 in have)) { print $1; next } }' - "$lock"
}

missing=
for group in "$@"; do
  [ -z "${LOCK:-}" ] || break
  for package in $(packages apt "$group"); do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    'install ok installed') ;;
    *) case " $missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac ;;
    esac
  done
done
if [ -n "${LOCK:-}" ]; then
  [ -e "$lock" ] || { echo "LOCK=1: there is no $lock; \`make lock\` writes it" >&2 && exit 1; }
  missing=$(locked "$@" | tr '\n' ' ')
  missing=${missing:+ ${missing% }}
fi
[ -n "$missing" ] || exit 0

echo "Installing:$missing"
as_root=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "Not root and no sudo here. As root, run: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi
$as_root apt-get -q update || echo 'apt-get update failed; trying with the package lists at hand' >&2
if [ -n "${LOCK:-}" ]; then
  # shellcheck disable=SC2046,SC2086 # lists of words
  offered=$(apt-cache madison $(printf '%s\n' $missing | sed 's/=.*//') 2>/dev/null | sed -n 's/^ *\([^ ]*\) | *\([^ ]*\) |.* Packages$/\1=\2/p')
  gone='' stays='' exact=''
  for package in $missing; do
    here=$(dpkg-query -W -f '${db:Status-Status} ${Package}=${Version}\n' "${package%%=*}" 2>/dev/null | sed -n 's/^installed //p')
    if printf '%s\n' "$offered" | grep -qxF -- "$package"; then
      exact="$exact $package"
    elif [ -n "$here" ]; then
      stays="$stays $package"
    else
      gone="$gone $package"
    fi
  done
  if [ -n "$stays" ]; then
    printf 'No configured archive has these, which stay in the versions that are here:\n' >&2
    # shellcheck disable=SC2086
    printf '  %s\n' $stays >&2
  fi
  if [ -n "$gone" ]; then
    printf 'Nothing is installed: the configured archives have not\n' >&2
    # shellcheck disable=SC2086
    printf '  %s\n' $gone >&2
    printf 'An archive of an earlier date has them: docs/twenty-years.md\n' >&2
    exit 1
  fi
  missing=$exact
  [ -n "$missing" ] || exit 0
fi
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends ${LOCK:+--allow-downgrades} $missing
