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
expect 2 "unknown exercise '11'" learn check 11
expect 2 'kernelc learn hint needs the name of an exercise' learn hint
expect 2 'kernelc learn list takes no exercise' learn list 01
expect 2 "unknown action 'lst'; did you mean 'list'" learn lst
expect 3 'cannot write' learn --dir /dev/null
exercises=0
for file in "$course"/learn/*.cl; do
  name=$(basename "$file" .cl)
  grep -q '^// NOT DONE$' "$file" || fail "$name has no mark"
  expect 6 "^next +$name" learn check "$name"
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
[[ $failures -eq 0 ]] && echo "$exercises exercises"
exit $((failures != 0))
