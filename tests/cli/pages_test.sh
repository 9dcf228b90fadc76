#!/usr/bin/env bash
# pages_test.sh KERNELC ROOT: help, the manual page and completion, which are all generated from the parser's
# table.
set -euo pipefail
kernelc=$(realpath "$1") root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "pages_test.sh: $*" >&2; exit 1; }

"$kernelc" run --help >"$work/run.txt"
for line in 'Usage: kernelc run \[options\] FILE' 'Launch:' '  --global X\[,Y\[,Z\]\]  *global size' 'Language:' \
            '  -D NAME\[=VALUE\]  ' '  -ffp-contract=on|off  ' '  -Rpass\[=REGEX\]  ' '  -include FILE  '; do
  grep -q -e "^$line" "$work/run.txt" || fail "run --help lacks '$line'"
done
[[ $(grep -n '^Launch:' "$work/run.txt" | cut -d: -f1) -lt $(grep -n '^Passes:' "$work/run.txt" | cut -d: -f1) ]] ||
  fail "run --help begins with passes"
awk 'length > 100 { bad = 1 } END { exit bad }' "$work/run.txt" || fail "run --help has a line of more than 100 columns"
"$kernelc" --help | grep -q '^  completion  ' || fail "--help lacks a command"

# Every option in the help is in the page and in every script.
"$kernelc" man >"$work/kernelc.1"
for shell in bash zsh fish; do "$kernelc" completion $shell >"$work/$shell"; done
options=0
for command in compile run check stats trace fuzz devices; do
  for option in $("$kernelc" $command --help | sed -n 's/^  \(--\?[A-Za-z-]*[A-Za-z]\).*/\1/p'); do
    grep -qF -e "${option//-/\\-}" "$work/kernelc.1" || fail "the manual page lacks $option"
    grep -q -e "^    $command) options=\".* $option\b" "$work/bash" || fail "bash: $command lacks $option"
    grep -qF -e "*$option" "$work/zsh" || fail "zsh lacks $option"
    name=${option##*-}
    grep -q -e "$name\b" "$work/fish" || fail "fish lacks $option"
    options=$((options + 1))
  done
done
[[ $options -gt 80 ]] || fail "only $options options are shown"

if command -v groff >/dev/null; then
  [[ -z $(groff -man -ww -Tutf8 "$work/kernelc.1" 2>&1 >/dev/null) ]] || fail "groff warns about the manual page"
else
  echo "SKIPPED: the manual page in groff"
fi
for shell in zsh fish; do
  if command -v $shell >/dev/null; then $shell -n "$work/$shell"; else echo "SKIPPED: the script in $shell"; fi
done

# Words as bash splits them; the last one is completed.
source "$work/bash"
cd "$root/examples/scanner"
completes() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _kernelc || true  # compgen says so when nothing fits
  [[ "${COMPREPLY[*]}" == "$expected" ]] || fail "'$*' completes to '${COMPREPLY[*]}'"
}
completes 'run' kernelc ru
completes '--target' kernelc run --targ
completes 'avx2 avx512' kernelc run --target av
completes 'avx2 avx512' kernelc run --target = av
completes 'on off' kernelc k.cl -ffp-contract =
completes 'gfx900 gfx906 gfx908 gfx90a gfx942' kernelc k.cl --target gf
completes 'scanner.cl' kernelc check sc
completes 'scanner.cl' kernelc run -Rpass sc
completes 'bash zsh fish' kernelc completion ''
completes '' kernelc run --global ''
status=0
"$kernelc" completion ksh 2>/dev/null || status=$?
[[ $status -eq 2 ]] || fail "an unknown shell ends with $status"
echo "help, manual page and completion agree"
