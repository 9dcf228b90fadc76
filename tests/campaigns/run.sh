#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs campaigns of random programs in slices of seeds, and goes on where an earlier run ended:
#   tests/campaigns/run.sh [SECONDS [CAMPAIGN...]]    for that long (an hour); without names, all of them in turn
#   tests/campaigns/run.sh list                       the campaigns, and how far each one is
#   tests/campaigns/run.sh table                      writes the tables of docs/assurance.md
# One process; each slice that ends is one line of a log in tests/campaigns/log. Settings, from the environment:
#   KC_PART=2/3      this machine takes every third slice from the second on, and has a log of its own
#   KC_KERNELC=FILE  the program (build/release/kernelc), KC_COMMIT=HASH what it was built from (what is checked out)
# Programs that differ are written to build/campaigns.
set -euo pipefail
cd "$(dirname "$0")/../.."
source tests/campaigns/campaigns.sh

case ${1:-} in
  list) list_campaigns; exit ;;
  table) write_tables; exit ;;
esac
seconds=${1:-3600}
case $seconds in '' | *[!0-9]*) echo "usage: tests/campaigns/run.sh [SECONDS [CAMPAIGN...] | list | table]" >&2 && exit 2 ;; esac
shift || true
chosen=("$@")
[[ ${#chosen[@]} -gt 0 ]] || chosen=("${names[@]}")
for name in "${chosen[@]}"; do
  [[ -n ${programs[$name]:-} ]] || { echo "error: no campaign '$name'; there are ${names[*]}" >&2; exit 2; }
done
[[ -x $kernelc ]] || { echo "error: $kernelc is not built" >&2; exit 3; }

mkdir -p build/campaigns "$logs"
trap 'rm -f "$printed"' EXIT
end=$((SECONDS + seconds))
failed=0
declare -A broken
while [[ $SECONDS -lt $end ]]; do
  worked=0
  for name in "${chosen[@]}"; do
    [[ $SECONDS -lt $end ]] || break
    first=$(next_slice "$name")
    # A slice that left no line in the log would do the same again.
    [[ -n $first && $first != "${broken[$name]:-}" ]] || continue
    worked=1
    run_slice "$name" "$first" || failed=1 broken[$name]=$first
  done
  [[ $worked = 1 ]] || break
done
exit $failed
