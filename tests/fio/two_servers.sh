#!/usr/bin/env bash
# two_servers.sh PORT PORT: two fio servers on the loopback, in the folders one/ and two/, and a client that sends
# them one.fio and two.fio. The report goes to stdout.
serve() {
  (cd "$1" && exec fio --server=127.0.0.1,"$2") >"$1/log" 2>&1 &
  servers+=($!)
}

wait_for_listener() {
  local entry
  entry="$(printf ':%04X 00000000:0000 0A' "$1")"
  for _ in {1..200}; do
    grep -q "$entry" /proc/net/tcp && return
    sleep 0.05
  done
  return 1
}

trap 'kill -INT "${servers[@]}"; wait' EXIT
mkdir one two
serve one "$1"
serve two "$2"
wait_for_listener "$1" && wait_for_listener "$2" &&
  timeout 60 fio --output-format=json --client=127.0.0.1,"$1" one.fio --client=127.0.0.1,"$2" two.fio
