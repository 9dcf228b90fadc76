#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs random sequences of calls of the OpenCL driver: tests/opencl_calls/run.sh [SECONDS] [PROGRAM]
# SECONDS of processor time are added to what has been run on this commit; it goes on with the next seed. PROGRAM is
# build/release/test_opencl_calls if it is not given. The row of the commit in docs/opencl.md is rewritten after each part
# of 20 s; failures are kept in build/opencl_calls/.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
program=${2:-build/release/test_opencl_calls}
calls=200
case $seconds in '' | *[!0-9]*) echo "usage: tests/opencl_calls/run.sh [SECONDS] [PROGRAM]" >&2 && exit 2 ;; esac
[ -x "$program" ] || { echo "error: $program is not built" >&2 && exit 3; }
kind=$(basename "$program")
commit=$(git rev-parse --short=7 HEAD)
[ -z "$(git status --porcelain -- opencl api host frontend passes backends runtime ir)" ] || commit=$commit+
mkdir -p build/opencl_calls
state=build/opencl_calls/$commit-$kind

# The next seed, sequences, processor time in tenths of a second, failures.
next=1000000 sequences=0 tenths=0 failures=0
if [ -f "$state" ]; then read -r next sequences tenths failures <"$state"; fi
end=$((tenths + seconds * 10))
while [ "$tenths" -lt "$end" ]; do
  log=$state-$next.log
  nice -n 10 "$program" --seed "$next" --count 100000 --calls $calls --cpu 20 >"$log" 2>&1 || true
  last=$(tail -1 "$log")
  if ! [[ $last =~ ^([0-9]+)\ sequences\ .*,\ ([0-9]+)\.([0-9])\ s\ .*,\ ([0-9]+)\ failures$ ]]; then
    echo "error: the program ended without a result: $log" >&2
    exit 1
  fi
  next=$((next + BASH_REMATCH[1])) sequences=$((sequences + BASH_REMATCH[1]))
  tenths=$((tenths + BASH_REMATCH[2] * 10 + BASH_REMATCH[3])) failures=$((failures + BASH_REMATCH[4]))
  if [ "${BASH_REMATCH[4]}" = 0 ]; then rm "$log"; else cat "$log"; fi
  echo "$next $sequences $tenths $failures" >"$state"
  row="| \`$commit\` | \`$kind\` | $sequences | $((sequences * calls)) | $((tenths / 10)) | $failures |"
  awk -v row="$row" -v key="| \`$commit\` | \`$kind\` |" '
    index($0, key) == 1 { print row; done = 1; next }
    in_table && !/^\|/ { if (!done) print row; done = 1; in_table = 0 }
    /^\| commit \| program \|/ { in_table = 1 }
    { print }' docs/opencl.md >build/opencl_calls/page
  cat build/opencl_calls/page >docs/opencl.md
done
echo "$row"
[ "$failures" = 0 ]
