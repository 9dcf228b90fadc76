#!/usr/bin/env bash
# constructs_test.sh KERNELC BENCH_PAPERS ROOT DATA: for each application of which a paper says what construct sends its
# lanes different ways, kernelc explain names that construct among the lines that cost most.
set -uo pipefail
kernelc=$1 papers=$2 root=$3 data=$4
launches=$("$papers" "$root" --launches --data "$data") || exit 1
failures=0 tried=0
while IFS=$'\t' read -r name construct file arguments; do
  read -ra words <<<"$arguments"
  said=$("$kernelc" explain "$root/$file" "${words[@]}") || { echo "FAILED: explain of $name"; failures=$((failures + 1)); }
  tried=$((tried + 1))
  # In what it says of the lines, not in the lines themselves.
  if ! grep -E 'of the lanes are idle|of them (wait|have)' <<<"$said" | grep -qF "$construct"; then
    echo "FAILED: $name: no word of '$construct'"
    echo "$said"
    failures=$((failures + 1))
  fi
done <<<"$launches"
echo "$tried applications, $failures failures"
[[ $tried -ge 13 && $failures -eq 0 ]]
