#!/usr/bin/env bash
# cache_test.sh PROGRAM END_IN_TRIAL: what one process compiles, the next one finds; a spoilt cache is as none.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KERNELC_LOG=$work/log

# run WORD COUNT: runs the program, which must have so many forms that are "compiled" or "read from the cache".
run() {
  rm -f "$work/log"
  "$program" >"$work/out"
  cmp "$work/out" "$work/expected" 2>/dev/null || [[ ! -e $work/expected ]] || { echo "other results"; exit 1; }
  cp "$work/out" "$work/expected"
  local forms
  forms=$(grep -c " in [0-9.]* ms" "$work/log") || { echo "the log has no forms"; exit 1; }
  [[ $(grep -c "; $1 in [0-9.]* ms" "$work/log") -eq $forms ]] ||
    { echo "not all forms were $1:"; cat "$work/log"; exit 1; }
}
program=$1
end_in_trial=$2
KERNELC_CACHE=off run compiled
[[ ! -e $work/cache ]]
export KERNELC_CACHE=$work/cache
run compiled
[[ -n $(ls "$work/cache/code") ]]
run "read from the cache"
# Files that others could have written are not read.
chmod g+w "$work"/cache/code/*
run compiled
run "read from the cache"
for file in "$work"/cache/code/*; do
  byte=$(od -An -tu1 -j 30 -N 1 "$file")
  printf "\\x$(printf %02x $((255 - byte)))" | dd of="$file" bs=1 seek=30 conv=notrunc status=none
done
run compiled
run "read from the cache"
for file in "$work"/cache/code/*; do truncate -s 40 "$file"; done
run compiled
# A folder that cannot be made, or is a file: nothing is kept, and nothing fails.
KERNELC_CACHE=/dev/null/none run compiled
touch "$work/file"
KERNELC_CACHE=$work/file run compiled
# The default, in the user's caches.
unset KERNELC_CACHE
XDG_CACHE_HOME=$work/user run compiled
XDG_CACHE_HOME=$work/user run "read from the cache"
[[ -n $(ls "$work/user/kernelc/code") ]]
# A program that ends while a thread compiles: all that it compiled before was in the cache.
for ((k = 0; k < 8; ++k)); do
  rm -rf "$work/cache"
  KERNELC_CACHE=$work/cache KERNELC_LOG=/dev/null "$end_in_trial" 1 >"$work/out"
  for launches in 2 3; do
    KERNELC_CACHE=$work/cache KERNELC_LOG=/dev/null "$end_in_trial" $launches >"$work/out" ||
      { echo "the program of $launches launches failed: status $?"; exit 1; }
  done
done
# Which form is fastest is measured once, by one of these processes, and known to those after it.
rm -rf "$work/cache"
known=
for ((k = 0; k < 10 && ! known; ++k)); do
  rm -f "$work/log"
  KERNELC_CACHE=$work/cache "$end_in_trial" 40 >"$work/out"
  grep -q "kernel 'k': known from an earlier process: " "$work/log" && known=1
done
[[ $known ]] || { echo "no process knows what an earlier one has measured:"; cat "$work/log"; exit 1; }
grep -q 'chosen while running' "$work/log" && { echo "what is known is measured again"; exit 1; }
# Files of others in the folder stay.
mkdir -p "$work/own/code"
touch -d yesterday "$work/own/code/a_text_of_the_user_with_a_very_long_name.txt"
KERNELC_CACHE=$work/own run compiled
[[ -e $work/own/code/a_text_of_the_user_with_a_very_long_name.txt ]]
