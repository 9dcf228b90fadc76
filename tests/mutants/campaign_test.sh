#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# campaign_test.sh MUTANT_CAMPAIGN: a campaign with a program that is no compiler. It comes to mutants 1 to 5, which differ
# but for 4, and fails with 2, hangs with 3, and ends by a signal with 5.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1" "$folder/campaign"
cat >"$folder/program" <<'END'
#!/bin/sh
if [ -n "$KC_MUTANTS_SEEN" ]; then printf '\000\003\003\003\001\003\000' >"$KC_MUTANTS_SEEN"; fi
case ${KC_MUTANT:-} in 2) exit 1 ;; 3) while :; do :; done ;; 5) kill -11 $$ ;; esac
END
chmod +x "$folder/program"
for number in 1 2 3 4 5 6; do printf '%s\tpasses/a.cpp\t%s0\tf\trelation\ta < b\n' $number $number; done >"$folder/list"
echo "stage program" >"$folder/stages"
campaign() { "$folder/campaign" "$folder/list" "$folder/stages" "$folder/kept" "$folder/log" abc 1/1 "$@"; }

expect() {
  if [[ $1 != "$2" ]]; then
    echo "FAILED: $3: expected"; echo "$2"; echo "and got"; echo "$1"
    exit 1
  fi
}
campaign 60 >/dev/null
expect "$(sort "$folder/log" | sed 's/ [0-9.]* \(killed\|survived\|same\|unreached\)/ \1/')" "\
mutant 1 passes/a.cpp:10 f relation abc survived
mutant 2 passes/a.cpp:20 f relation abc killed stage status-1
mutant 3 passes/a.cpp:30 f relation abc killed stage time
mutant 4 passes/a.cpp:40 f relation abc same
mutant 5 passes/a.cpp:50 f relation abc killed stage signal-11
mutant 6 passes/a.cpp:60 f relation abc unreached" "what becomes of each mutant"

# What the log has is not run again; with other sources, a number is another mutant.
campaign 60 >/dev/null
expect "$(wc -l <"$folder/log")" 6 "lines after a second run"
sed -i 's/\t20\t/\t21\t/' "$folder/list"
campaign 60 >/dev/null
expect "$(tail -n 1 "$folder/log" | cut -d' ' -f1-6,8-)" "mutant 2 passes/a.cpp:21 f relation abc killed stage status-1" "a moved mutant"
expect "$(wc -l <"$folder/log")" 7 "lines after a third run"

# A test that fails without a mutant judges nothing.
printf '#!/bin/sh\nexit 1\n' >"$folder/program"
touch -d '1 hour' "$folder/program"
sed -i 's/\t20\t/\t22\t/; s/\t21\t/\t22\t/' "$folder/list"
if campaign 60 >/dev/null 2>"$folder/error"; then echo "FAILED: a failing stage"; exit 1; fi
expect "$(cat "$folder/error")" "mutant_campaign: error: stage stage fails without a mutant: status-1" "a failing stage"
