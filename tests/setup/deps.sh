#!/bin/sh
# Installs the Debian packages of the groups given as arguments (build, test, lint, figures, paper, mpi, archive), as far as they are missing.
# With nothing missing it does nothing and needs no network. On a system without apt it prints package names instead.
set -u

packages() { # SYSTEM GROUP
  case $1-$2 in
  apt-build) echo gcc libc6-dev pkg-config libgsl-dev liblua5.4-dev librandom123-dev libsqlite3-dev libedit-dev libmd-dev ;;
  apt-test) echo lua5.4 lua-unit clang chromium faketime groff-base poppler-utils procps sqlite3 zsh zstd libopenmpi-dev openmpi-bin \
    luarocks python3-numpy python3-pandas python3-pip python3-pytest python3-matplotlib python3-ipykernel jupyter-nbconvert \
    r-base-core r-cran-rsqlite r-cran-jsonlite ;;
  apt-archive) echo sqlite3 zstd ;;
  *-archive) echo sqlite zstd ;;
  apt-mpi) echo libopenmpi-dev openmpi-bin ;;
  apt-lint) echo clang clang-format clang-tidy cppcheck shellcheck lua-check ;;
  apt-figures) echo gnuplot-nox fonts-lmodern ;;
  apt-paper) echo pandoc latexmk lmodern texlive-latex-base texlive-latex-recommended \
    texlive-latex-extra texlive-fonts-recommended texlive-science ;;
  dnf-build) echo gcc make pkgconf-pkg-config gsl-devel lua-devel Random123-devel sqlite-devel libedit-devel libmd-devel ;;
  dnf-mpi) echo openmpi-devel ;;
  dnf-test) echo lua luarocks clang procps-ng sqlite openmpi-devel python3-numpy python3-pandas python3-pip python3-pytest ;;
  dnf-lint) echo clang-tools-extra cppcheck ShellCheck luarocks ;;
  dnf-figures) echo gnuplot ;;
  dnf-paper) echo pandoc latexmk texlive-scheme-medium texlive-collection-mathscience ;;
  pacman-build) echo gcc make pkgconf gsl lua sqlite libedit libmd ;;
  pacman-mpi) echo openmpi ;;
  pacman-test) echo luarocks clang procps-ng openmpi python-numpy python-pandas python-pip python-pytest ;;
  pacman-lint) echo clang cppcheck shellcheck luacheck ;;
  pacman-figures) echo gnuplot ;;
  pacman-paper) echo pandoc texlive-binextra texlive-latexextra texlive-mathscience texlive-fontsrecommended ;;
  brew-build) echo gcc make pkgconf gsl lua@5.4 sqlite libedit libmd ;;
  brew-mpi) echo open-mpi ;;
  brew-test) echo luarocks llvm open-mpi ;;
  brew-lint) echo llvm clang-format cppcheck shellcheck luacheck ;;
  brew-figures) echo gnuplot ;;
  brew-paper) echo pandoc texlive ;;
  esac
}

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

missing=
for group in "$@"; do
  for package in $(packages apt "$group"); do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    'install ok installed') ;;
    *) case " $missing " in *" $package "*) ;; *) missing="$missing $package" ;; esac ;;
    esac
  done
done
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
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing
