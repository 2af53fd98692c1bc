#!/usr/bin/env bash
# The steps of a storage gate in CI, one subcommand each. The GitHub workflow (.github/workflows/ethio-storage.yml) and
# the GitLab template (ci/gitlab/ethio-storage.yml) call nothing else, and tests/cli/ci_test.cpp runs these very steps.
#
#   storage.sh build      build ethio (or take the one in $ETHIO_BUILD_DIR)
#   storage.sh run        measure: results to $ETHIO_WORK/new
#   storage.sh compare    hold them against $ETHIO_WORK/baseline; exit 3 on a regression
#   storage.sh accept     make them the baseline
#   storage.sh noise      run the same twice and record by how much this runner differs from itself
#
# Settings, all from the environment:
#   ETHIO_WORK         folder of results, kept between runs by the CI's cache   (ethio-storage)
#   ETHIO_DIR          where the target file lies: the storage that is measured (the working directory)
#   ETHIO_FILTER       which benchmarks: a regular expression for bench         ((trie-read|flat-read|trie-commit)/uring)
#   ETHIO_SIZE         size of the target                                       (256m)
#   ETHIO_UNITS        units a repetition; a fixed number makes counters exact  (100)
#   ETHIO_REPETITIONS  samples a benchmark                                      (10)
#   ETHIO_THRESHOLD    smallest slow-down that fails                            (5%)
#   ETHIO_STRICT       1: inconclusive fails too                                (0)
#   ETHIO_COMMAND      measure with this instead of bench: a shell command that writes one result (fio's or Google
#                      Benchmark's JSON, or ethio's) to the path in $ETHIO_RESULT; called once a repetition
#   ETHIO_SUMMARY      file to append a Markdown table to                       ($GITHUB_STEP_SUMMARY)
set -euo pipefail

root="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
build="${ETHIO_BUILD_DIR:-$root/build}"
work="${ETHIO_WORK:-ethio-storage}"
dir="${ETHIO_DIR:-.}"
filter="${ETHIO_FILTER:-(trie-read|flat-read|trie-commit)/uring}"
size="${ETHIO_SIZE:-256m}"
units="${ETHIO_UNITS:-100}"
repetitions="${ETHIO_REPETITIONS:-10}"
threshold="${ETHIO_THRESHOLD:-5%}"
strict="${ETHIO_STRICT:-0}"
command="${ETHIO_COMMAND:-}"
summary="${ETHIO_SUMMARY:-${GITHUB_STEP_SUMMARY:-}}"

say() { echo "ethio: $*" >&2; }

usage() {
  sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

# measure FOLDER: fresh results in it.
measure() {
  local folder="$1" i
  rm -rf -- "$folder"
  mkdir -p -- "$folder"
  if [[ -z "$command" ]]; then
    "$build/bench" "--benchmark_filter=$filter" "--benchmark_repetitions=$repetitions" \
      "--benchmark_out=$folder/bench.json" --benchmark_out_format=json \
      "--ethio_dir=$dir" "--ethio_size=$size" "--ethio_units=$units"
    return
  fi
  for ((i = 1; i <= repetitions; ++i)); do
    ETHIO_RESULT="$folder/$(printf %03d "$i").json" bash -c "$command"
  done
}

step_build() {
  if [[ -n "${ETHIO_BUILD_DIR:-}" ]]; then
    say "taking the build in $build"
  else
    "$root/bootstrap.sh" build
  fi
  "$build/ethio" --version
}

step_run() { measure "$work/new"; }

step_compare() {
  if [[ ! -d "$work/baseline" ]]; then
    say "there is no baseline yet; the first accepted run becomes it"
    return 0
  fi
  local arguments=("$work/baseline" "$work/new" --threshold "$threshold"
    --json "$work/compare.json" --junit "$work/compare.xml" --markdown "$work/compare.md")
  [[ "$strict" != 1 ]] || arguments+=(--strict)
  [[ ! -f "$work/noise.json" ]] || arguments+=(--noise "$work/noise.json")
  local code=0
  rm -f -- "$work/compare.json" "$work/compare.xml" "$work/compare.md"
  "$build/ethio" compare "${arguments[@]}" || code=$?
  if [[ -n "$summary" && -f "$work/compare.md" ]]; then cat -- "$work/compare.md" >>"$summary"; fi
  return "$code"
}

step_accept() {
  [[ -d "$work/new" ]] || {
    say "there is nothing to accept; run first"
    return 1
  }
  rm -rf -- "$work/baseline"
  cp -r -- "$work/new" "$work/baseline"
}

step_noise() {
  measure "$work/noise-a"
  measure "$work/noise-b"
  "$build/ethio" compare "$work/noise-a" "$work/noise-b" --record-noise "$work/noise.json"
  rm -rf -- "$work/noise-a" "$work/noise-b"
}

case "${1:-}" in
  build | run | compare | accept | noise) "step_$1" ;;
  help | --help | -h) usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
