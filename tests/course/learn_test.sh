#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# learn_test.sh KERNELC ROOT: no exercise is done as it is given, each is with its solution, and hints come in order.
. "$2/tests/cli/expect.sh"
course=$source/course
expect 6 'The exercises are in kernelc-learn/' learn
expect 0 '^next +01-ids' learn list
expect 0 'kernelc learn hint 01 --level 2' learn hint 01
expect 0 'Multiply the id by itself' learn hint 01-ids --level 2
expect 2 '01-ids has 2 hints' learn hint 01-ids --level 3
expect 2 "unknown exercise '25'" learn check 25
expect 2 'kernelc learn hint needs the name of an exercise' learn hint
expect 2 'kernelc learn list takes no exercise' learn list 01
expect 2 "unknown action 'lst'; did you mean 'list'" learn lst
expect 3 'cannot write' learn --dir /dev/null
# What an exercise says of the file as it is given, where that is more than a wrong element.
says() {
  case $1 in
    02-guard) echo 'writes out\[15\] at line 5, outside the 40 bytes' ;;
    06-* | 07-* | 21-*) echo "write 'divergent' or 'uniform'" ;;
    08-*) echo 'line [0-9]+: .*[a-z]' ;;
    09-*) echo 'the activity factor is 0.[0-9]+' ;;
    12-*) echo "line 7: reads bytes of 'count' that no work-item has written" ;;
    13-*) echo "to take 'global int \*' the parameter needs the word 'global'" ;;
    17-*) echo 'uncaught throw of int 1 at line 4' ;;
    18-*) echo 'group 7: 7.000000' ;;
    19-*) echo 'barrier' ;;
    22-* | 23-*) echo 'the warps issue [0-9]+ instructions, and at most [0-9]+ are asked for' ;;
    24-*) echo 'the warps issue 64 memory transactions, and at most 16 are asked for' ;;
    04-* | 05-*) echo '^  .*[a-z]' ;;
    *) echo '\[[0-9]+\] is -?[0-9]+, expected -?[0-9]+$' ;;
  esac
}
exercises=0
for file in "$course"/learn/*.cl; do
  name=$(basename "$file" .cl)
  grep -q '^// NOT DONE$' "$file" || fail "$name has no mark"
  expect 6 "^next +$name" learn check "$name"
  cat out.txt err.txt | grep -qE "$(says "$name")" || fail "$name: $(cat out.txt err.txt)"
  grep -q 'it is right' out.txt && fail "$name is done as it is given"
  { echo '// NOT DONE'; cat "$course/teacher/learn/$name.cl"; } >"kernelc-learn/$name.cl"
  expect 6 'it is right: remove the line' learn check "$name"
  cp "$course/teacher/learn/$name.cl" kernelc-learn
  expect 0 "^done +$name" learn check "${name%%-*}"
  exercises=$((exercises + 1))
done
expect 0 "^All $exercises exercises are done" learn
expect 0 "^All $exercises exercises are done" learn watch
printf 'kernel void squares(global int* out) { out[0] = x; }\n' >kernelc-learn/01-ids.cl
expect 6 "undeclared identifier 'x'" learn check 01
printf 'kernel void squares(global int* out) { for (;;) out[0]++; }\n' >kernelc-learn/01-ids.cl
expect 6 'step|end within' learn check 01
[[ $exercises -ge 24 ]] || fail "only $exercises exercises"
hints=$(grep -c '^hints' "$course/learn/exercises.toml")
two=$(grep -cE '^hints = \["([^"\\]|\\.)*", "' "$course/learn/exercises.toml")
[[ $hints -eq $exercises && $two -eq $exercises ]] || fail "$hints exercises have hints, $two of them two or more"
[[ $failures -eq 0 ]] && echo "$exercises exercises"
exit $((failures != 0))
