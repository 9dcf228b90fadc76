#!/usr/bin/env bash
# Proves the rewrites of all expressions, which takes days: all.sh [SECONDS [LIMIT]] works for that long (an hour)
# and goes on where it ended; the solver has LIMIT seconds (60) for a question. One process for each processor.
# Writes the table at the end of docs/rewrites.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-3600} limit=${2:-60}
build=${KC_BUILD:-build/release}
results=$build/rewrites
# Slices that a killed run began.
[[ -d "$results" ]] && find "$results" -maxdepth 1 -name "*.begun" -exec rm -r {} +
cmake --build "$build" --target prove_rewrites
for ((n = $(nproc); n > 0; --n)); do
  nice -n 10 "$build/prove_rewrites" "$results" 8192 "$seconds" "$limit" &
done
failed=0
for job in $(jobs -p); do wait "$job" || failed=1; done
table=$("$build/prove_rewrites" "$results" table) || failed=1
sed -i '/^## Table$/q' docs/rewrites.md
printf '\n%s\n' "$table" >>docs/rewrites.md
exit $failed
