#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# KERNELC SOURCE: every program of tests/run and every example, its passes for every route and all schemes proved.
. "$2/tests/cli/expect.sh"

# A file holds several programs, each after a line with its name.
for file in "$source"/tests/run/*.cl; do
  awk -v base="$(basename "$file" .cl)" '/^\/\/---- / { out = base "." $2 ".cl"; next } out { print > out }' "$file"
done
cp "$source"/examples/*/*.cl "$source"/docs/{knots,short_circuit}.cl .
programs=0
for program in *.cl; do
  "$kernelc" check --prove -w "$program" >out.txt 2>err.txt
  status=$?
  # Some programs are errors on purpose; some need options of their own.
  [[ $status -eq 1 || $status -eq 2 ]] && continue
  programs=$((programs + 1))
  if [[ $status -ne 0 ]] || grep -q 'gave up  ' out.txt; then
    fail "$program: status $status"
    grep -A4 -E 'FAILED|gave up  ' out.txt | head -8
  fi
done
echo "$programs programs"
[[ $programs -gt 800 ]] || fail "only $programs programs were compiled"
exit $((failures > 0))
