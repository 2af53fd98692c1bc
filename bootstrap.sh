#!/usr/bin/env bash
# From a fresh machine to a result: installs what is missing, builds, and runs.
#
#   ./bootstrap.sh build             build/libethio.so, build/bench and build/ethio
#   ./bootstrap.sh check [DIR ...]   build, then: ethio check DIR ... (DIR: the folder whose storage is measured;
#                                    default: the current one; options of `ethio check` may follow)
#   ./bootstrap.sh test              build everything and run all tests
#
# For Debian 12 and Ubuntu 22.04 or newer, as root or with sudo. It may be called again at any time: what is there
# is left alone. Elsewhere see CONTRIBUTING.md for what to install by hand.
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"

build_packages=(
  g++ make cmake ninja-build pkg-config
  fio dpkg-dev libaio-dev zlib1g-dev ca-certificates curl
  liburing-dev nlohmann-json3-dev libfmt-dev libcli11-dev libbenchmark-dev
)
test_packages=(libgtest-dev libgmock-dev libcrypto++-dev libvalijson-dev)
optional_test_packages=(libbenchmark-tools python3-scipy) # a test skips without them, and says so

say() { echo "ethio: $*" >&2; }
fail() {
  say "$@"
  exit 1
}

usage() {
  sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

# Says which distribution is here where it is not one that this script knows.
require_known_distribution() {
  local ID="unknown" ID_LIKE="" VERSION_ID="0" PRETTY_NAME="an unknown system" oldest
  # shellcheck source=/dev/null
  [[ ! -r /etc/os-release ]] || . /etc/os-release
  case "$ID" in
    debian) oldest=12 ;;
    ubuntu) oldest=22.04 ;;
    *) oldest=0 ;;
  esac
  if [[ "$oldest" == 0 && ! "$ID_LIKE" =~ debian|ubuntu ]] || ! command -v apt-get >/dev/null; then
    fail "this is $PRETTY_NAME, but setting up is known only for Debian 12 and Ubuntu 22.04 or newer;" \
      "install by hand what CONTRIBUTING.md lists, then use cmake"
  fi
  # Testing releases have no VERSION_ID.
  if [[ -n "$VERSION_ID" && "$VERSION_ID" != 0 ]] &&
    [[ "$(printf '%s\n' "$oldest" "$VERSION_ID" | sort -V | head -n 1)" != "$oldest" ]]; then
    fail "this is $PRETTY_NAME, which is too old: Debian 12 or Ubuntu 22.04 is needed"
  fi
}

missing_packages() {
  local package
  for package in "$@"; do
    # shellcheck disable=SC2016  # dpkg-query's own syntax
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || echo "$package"
  done
}

as_root() {
  if [[ "$(id -u)" == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "packages are missing ($missing) and neither root nor sudo is available to install them"
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"
}

install_packages() {
  local unknown="" package
  missing="$(missing_packages "$@" | xargs)"
  [[ -n "$missing" ]] || return 0
  say "installing $missing"
  apt update >&2 || say "apt-get update reported errors; going on with the package lists that there are"
  for package in $missing; do
    apt-cache show "$package" >/dev/null 2>&1 || unknown+=" $package"
  done
  [[ -z "$unknown" ]] ||
    fail "apt does not know:$unknown; check the network and /etc/apt (on Ubuntu: sudo add-apt-repository universe)"
  # shellcheck disable=SC2086  # a list of words
  apt install -y --no-install-recommends $missing >&2 ||
    fail "apt-get could not install: $missing; its own message stands above"
}

# Those of the packages that the distribution has.
available_packages() {
  local package
  for package in "$@"; do
    apt-cache show "$package" >/dev/null 2>&1 && echo "$package"
  done || true
}

# A compiler process takes up to 1 GiB.
jobs() {
  local cores memory
  cores="$(nproc)"
  memory="$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo)"
  ((memory >= 1)) || memory=1
  echo $((cores < memory ? cores : memory))
}

# Configures when the settings have changed; ninja itself notices changed files.
configure() {
  local tests="$1" headers stamp="$root/build/bootstrap-settings"
  headers="$("$root/cmake/fio_headers.sh")"
  if grep -qs '^ETHIO_BUILD_TESTS:BOOL=ON' "$root/build/CMakeCache.txt"; then tests=ON; fi
  # A warning of a compiler that we have not seen must not stop a user; it stops CI.
  local settings=("-DETHIO_FIO_SOURCE_DIR=$headers" "-DETHIO_BUILD_TESTS=$tests" "-DETHIO_WERROR=${CI:+ON}")
  if [[ ! -e "$root/build/build.ninja" || "$(cat "$stamp" 2>/dev/null)" != "${settings[*]}" ]]; then
    (cd "$root" && cmake --preset release "${settings[@]}") >&2
    echo "${settings[*]}" >"$stamp"
  fi
}

# The given targets, without the tests.
build() {
  require_known_distribution
  install_packages "${build_packages[@]}"
  configure OFF
  cmake --build "$root/build" -j "$(jobs)" --target "$@" >&2
}

run_tests() {
  local report="$root/build/ctest.xml" status=0 counts
  require_known_distribution
  local optional
  install_packages "${build_packages[@]}" "${test_packages[@]}"
  mapfile -t optional < <(available_packages "${optional_test_packages[@]}")
  install_packages "${optional[@]}"
  configure ON
  cmake --build "$root/build" -j "$(jobs)" >&2
  rm -f "$report"
  ctest --test-dir "$root/build" -j "$(jobs)" --output-on-failure --no-tests=error --output-junit "$report" || status=$?
  [[ -r "$report" ]] || fail "ctest wrote no report"
  counts="$(grep -m 1 -oE '<testsuite[^>]*>' "$report" || tr '\n' ' ' <"$report" | grep -oE '<testsuite[^>]*>')"
  count() { sed -nE "s/.*[[:space:]]$1=\"([0-9]+)\".*/\1/p" <<<"$counts"; }
  local failed skipped
  failed="$(count failures)"
  skipped=$(($(count skipped) + $(count disabled)))
  echo "$(($(count tests) - failed - skipped)) passed, $failed failed, $skipped skipped"
  return "$status"
}

case "${1:-}" in
  build) build ethio_engine bench ethio_cli ;;
  check)
    shift
    build ethio_engine ethio_cli # all that it needs: a first result comes sooner
    [[ $# -gt 0 ]] || set -- .
    exec "$root/build/ethio" check "$@"
    ;;
  test) run_tests ;;
  -h | --help) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
