#!/usr/bin/env bash
# lesson_test.sh KERNELC ROOT PAGE LEAST: the output shown in the page, of LEAST commands at least, is the actual
# output. A line "..." stands for any lines, "..." at the end of a line for the rest of it.
set -euo pipefail
kernelc=$(realpath "$1") root=$(realpath "$2") page=$3 least=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernelc() { "$kernelc" "$@"; }
cd "$work"
ln -s "$root/docs" "$root/course" .
failures=0 commands=0

matches() {
  if [[ $2 == *" ..." ]]; then [[ $1 == "${2% ...}"* ]]; else [[ $1 == "$2" ]]; fi
}

# Compares the lines of the arrays `printed` and `expected`.
compare() {
  local at=0 any=0 line
  for line in "${expected[@]}"; do
    if [[ $line == ... ]]; then
      any=1
      continue
    fi
    while [[ $any == 1 && $at -lt ${#printed[@]} ]] && ! matches "${printed[at]}" "$line"; do at=$((at + 1)); done
    if [[ $at -ge ${#printed[@]} ]] || ! matches "${printed[at]}" "$line"; then
      printf 'FAILED: %s\n  not printed: %s\n  there is:    %s\n' "$command" "$line" "${printed[at]-}"
      failures=$((failures + 1))
      return
    fi
    at=$((at + 1)) any=0
  done
  [[ $any == 1 || $at == ${#printed[@]} ]] && return
  printf 'FAILED: %s\n  more is printed: %s\n' "$command" "${printed[at]}"
  failures=$((failures + 1))
}

run() {
  mapfile -t printed < <(eval "$command" 2>&1)
  compare
  commands=$((commands + 1))
}

command='' inside=0
while IFS= read -r line; do
  case $line in
    '```console') inside=1 ;;
    '```') if [[ -n $command ]]; then run; fi; command='' inside=0 ;;
    '$ '*) if [[ $inside == 1 ]]; then
        if [[ -n $command ]]; then run; fi
        command=${line#'$ '} expected=()
      fi ;;
    *) if [[ $inside == 1 ]]; then expected+=("$line"); fi ;;
  esac
done <"$root/$page"
[[ $commands -ge $least ]] || { echo "only $commands commands were found"; exit 1; }
[[ $failures == 0 ]] && echo "$commands commands print what $page says"
