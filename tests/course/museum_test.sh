#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# museum_test.sh KERNELC ROOT: each exhibit of course/museum is right on the command of its plaque, and wrong, for the
# reason that it must be, on the program of the teacher; where a proof covers it, the proof fails, too.
. "$2/tests/cli/expect.sh"
command -v python3 >/dev/null || {
  echo 'SKIPPED: the exhibits are programs in Python'
  exit 77
}
museum=$source/course/museum
teacher=$source/course/teacher/museum
ln -s "$source/course" course

trim() {
  local text=$1
  text=${text#"${text%%[! ]*}"}
  printf '%s' "${text%"${text##*[! ]}"}"
}

# proof EXPECTED ARGS...: what kernelc check --prove says of the pass that is a program.
proof() {
  local expected=$1
  shift
  case $expected in
    proved) expect 0 ' exec +proved' check --prove "$@" ;;
    FAILED) expect 6 ' exec +FAILED +unequal events' check --prove "$@" ;;
  esac
}

exhibits=0
while IFS='|' read -r name launch pattern plain shown; do
  [[ $name == '#'* ]] && continue
  name=$(trim "$name") pattern=$(trim "$pattern") plain=$(trim "$plain") shown=$(trim "$shown")
  command=$(sed -e ':join' -e '/\\$/{N;s/\\\n *//;b join' -e '}' "$museum/README.md" |
    grep -E "^    kernelc check course/museum/$name.cl ")
  [[ $(grep -c . <<<"$command") -eq 1 ]] || { fail "$name has no command on its plaque"; continue; }
  eval "words=(${command#    kernelc })"  # the page is ours
  expect 0 '(passes|wave16) +pass ' "${words[@]}"
  grep -qE 'FAIL|unsupported' out.txt && fail "$name: $(<out.txt)"
  route=${words[-2]} passes=${words[-1]}  # words end with: --routes ROUTE --passes=...
  proof "$plain" "${words[1]}" "$passes"
  read -ra launch <<<"$launch"
  expect 0 '(passes|wave16) +(pass|unsupported) ' check "$teacher/$name.cl" "${launch[@]}" --routes "$route"
  expect 6 "FAIL .*$pattern" check "$teacher/$name.cl" "${launch[@]}" --routes "$route" "$passes"
  proof "$shown" "$teacher/$name.cl" "$passes"
  exhibits=$((exhibits + 1))
done <"$teacher/expected.txt"
[[ $exhibits -eq 12 ]] || fail "$exhibits exhibits"
[[ $exhibits -eq $(grep -c '^## [0-9]' "$museum/README.md") ]] || fail 'a plaque has no row in expected.txt'
for file in "$museum"/[0-9]*.py; do
  grep -q "^$(basename "$file" .py) " "$teacher/expected.txt" || fail "no row for $file"
done
[[ $failures -eq 0 ]] && echo "$exhibits exhibits are wrong as they must be"
exit $((failures != 0))
