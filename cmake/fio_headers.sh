#!/usr/bin/env bash
# Prints the folder of a configured source tree of the fio that is installed: what libethio.so is compiled
# against. No distribution ships fio's headers, and an engine built for another fio is refused or, worse, reads
# garbage, so the tree must be that very version. It comes from the distribution's source package, else from the
# upstream release with a pinned hash, and is kept in the user's cache; the second call only prints.
#
#   cmake/fio_headers.sh          make it if it is missing, print the folder
#   cmake/fio_headers.sh --find   print it if it is there, else fail without a word
#
# Needs: fio, cc, make and, to make the tree, dpkg-dev or curl, and libaio-dev (the layout of fio's structs
# depends on it). Progress goes to stderr.
set -euo pipefail

here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
hashes="$here/fio_hashes.txt"
cache="${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/ethio"
scratch=""

fail() {
  echo "ethio: $*" >&2
  exit 1
}

# "3.33" of "fio-3.33".
upstream_version() {
  local text
  text="$(fio --version 2>/dev/null)" || fail "fio is not installed: apt-get install fio"
  [[ "$text" =~ ^fio-([0-9]+\.[0-9]+(\.[0-9]+)?) ]] || fail "fio says it is '$text': not a version known here"
  echo "${BASH_REMATCH[1]}"
}

# "3.33-3" when the fio on the path is the distribution's, else nothing.
package_version() {
  local binary
  binary="$(readlink -f "$(command -v fio)")"
  command -v dpkg-query >/dev/null || return 0
  dpkg-query -S "$binary" 2>/dev/null | grep -q '^fio:' || return 0
  # shellcheck disable=SC2016  # dpkg-query's own syntax
  dpkg-query -W -f '${source:Version}' fio
}

# apt with lists and sources of its own: deb-src entries made from the system's deb entries, so that nothing of
# the system is changed and no privilege is needed.
private_apt() {
  apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$scratch/parts" \
    -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@"
}

write_source_entries() {
  local file name
  mkdir -p "$scratch/parts" "$scratch/lists/partial" "$scratch/cache/archives/partial"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -r "$file" ]] || continue
    name="$(basename "$file" .list)"
    sed -nE 's/^[[:space:]]*deb[[:space:]]+/deb-src /p' "$file" | grep -v ' cdrom:' >"$scratch/parts/$name.list" || true
  done
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -r "$file" ]] || continue
    sed -E 's/^[Tt]ypes:.*/Types: deb-src/' "$file" >"$scratch/parts/$(basename "$file")"
  done
}

# The distribution's source package, patches applied. Leaves it in $scratch/tree.
fetch_package_source() {
  local version="$1" folder
  command -v dpkg-source >/dev/null || return 1
  write_source_entries
  echo "ethio: fetching the source package of fio $version" >&2
  # A repository without source packages makes update complain; what counts is whether fio's can be had.
  private_apt update >&2 || true
  (cd "$scratch" && private_apt source "fio=$version" >"$scratch/apt.log" 2>&1) || {
    tail -n 2 "$scratch/apt.log" >&2
    return 1
  }
  folder="$(find "$scratch" -maxdepth 1 -type d -name 'fio-*' | head -n 1)"
  [[ -n "$folder" ]] && mv "$folder" "$scratch/tree"
}

# The upstream release. Leaves it in $scratch/tree.
fetch_release() {
  local version="$1" hash url="https://brick.kernel.dk/snaps/fio-$1.tar.gz"
  hash="$(sed -nE "s/^${version}[[:space:]]+([0-9a-f]{64})\$/\1/p" "$hashes")"
  [[ -n "$hash" ]] || fail "no source package of fio $version can be had and $hashes has no hash for $url:" \
    "check that file's signature, add its SHA-256 there, and try again"
  command -v curl >/dev/null || fail "curl is needed to fetch $url: apt-get install curl"
  echo "ethio: fetching $url" >&2
  curl -fsSL --retry 3 -o "$scratch/fio.tar.gz" "$url" || fail "$url cannot be fetched: check the network"
  echo "$hash  $scratch/fio.tar.gz" | sha256sum --check --status ||
    fail "$url does not have the pinned hash $hash: the download is damaged or was tampered with"
  mkdir "$scratch/tree"
  tar -xzf "$scratch/fio.tar.gz" -C "$scratch/tree" --strip-components=1
}

configure_tree() {
  local version="$1" log="$scratch/configure.log"
  echo "ethio: configuring the headers of fio $version" >&2
  (cd "$scratch/tree" && ./configure --disable-native >"$log" 2>&1) || {
    tail -n 5 "$log" >&2
    fail "fio's configure failed: its last lines stand above"
  }
  grep -q '^#define CONFIG_LIBAIO' "$scratch/tree/config-host.h" ||
    fail "libaio-dev is missing, without which fio's structs have another layout: apt-get install libaio-dev"
  grep -q "^DEF_VER=fio-$version\$" "$scratch/tree/FIO-VERSION-GEN" ||
    fail "the source tree is not of fio $version: $(grep '^DEF_VER' "$scratch/tree/FIO-VERSION-GEN")"
  echo "fio-$version" >"$scratch/tree/ethio-ready"
}

main() {
  local version package folder
  version="$(upstream_version)"
  package="$(package_version)"
  folder="$cache/fio-${package:-$version-upstream}"
  if [[ ! -e "$folder/ethio-ready" ]]; then
    [[ "${1:-}" != --find ]] || exit 1
    scratch="$(mktemp -d)"
    trap 'rm -rf "$scratch"' EXIT
    if [[ -z "$package" ]] || ! fetch_package_source "$package"; then fetch_release "$version"; fi
    configure_tree "$version"
    mkdir -p "$cache"
    rm -rf "$folder"
    mv "$scratch/tree" "$folder"
  fi
  echo "$folder"
}

main "$@"
