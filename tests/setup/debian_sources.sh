# shellcheck shell=sh
# Sourced by what asks Debian for sources. `debian_sources DIRECTORY` prepares one; `apt_sources ARGUMENT...` is then apt-get.
#
# apt with its own lists and cache, reading a copy of the configured sources in which every "deb" is a "deb-src".
# Keys, proxies and mirrors stay as configured; nothing of the system is changed, and no privilege is needed.
debian_sources() {
  command -v apt-get >/dev/null 2>&1 || return 1
  apt_dir=$(cd "$1" && pwd) apt_n=0 # apt wants absolute names
  mkdir -p "$apt_dir/parts" "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial" || return 1
  for apt_file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$apt_file" ] || continue
    apt_n=$((apt_n + 1))
    sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$apt_file" >"$apt_dir/parts/$apt_n.list"
  done
  for apt_file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$apt_file" ] || continue
    apt_n=$((apt_n + 1))
    sed 's/^[Tt]ypes:.*/Types: deb-src/' "$apt_file" >"$apt_dir/parts/$apt_n.sources"
  done
}
apt_sources() {
  apt-get -q -o APT::Sandbox::User=root -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt_dir/parts" \
    -o "Dir::State::Lists=$apt_dir/lists" -o "Dir::Cache=$apt_dir/cache" -o Acquire::Languages=none "$@"
}
