#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# class_test.sh KERNELC ROOT: what a teacher of a class relies on: marks for learning platforms, and a seed that a
# submission cannot find in the grader.
. "$2/tests/cli/expect.sh"
command -v python3 >/dev/null || {
  echo 'SKIPPED: marks.py and submissions that are programs need python3'
  exit 77
}
course=$source/course

# Marks.
result() {  # FILE SUBMISSION LAB POINTS
  printf '{"submission": "%s", "lab": "%s", "points": %s, "of": 80, "tests": [{"result": "pass"}, {"result": "fail"}]}' \
    "$2" "$3" "$4" >"$1"
}
result a.json lovelace.s 'Lab 11, assembly' 20.5
result b.json lovelace.s 'Lab 11, assembly' 40
result c.json turing.cl 'Lab 12' 80
printf 'name,Email address\nlovelace,ada@example.org\nturing,"alan, m. <a@example.org>"\n' >students.csv
same() {  # EXPECTED ARGS...: marks.py writes just that
  local expected=$1
  shift
  "$course/marks.py" "$@" >marks.csv 2>err.txt || fail "marks.py $*: $(<err.txt)"
  [[ $(<marks.csv) == "$expected" ]] || fail "marks.py $*: $(<marks.csv)"
}
refused() {  # PATTERN ARGS...
  local pattern=$1
  shift
  "$course/marks.py" "$@" >marks.csv 2>err.txt && fail "marks.py $* takes it"
  grep -qE "$pattern" err.txt || fail "marks.py $*: $(<err.txt)"
}
same $'Username,"Lab 11, assembly",Lab 12\nlovelace,40,\nturing,,80' --moodle a.json b.json c.json
same $'Email address,"Lab 11, assembly",Lab 12\nada@example.org,50,\n"alan, m. <a@example.org>",,100' \
  --moodle --percent --students students.csv a.json b.json c.json
same $'submission,lab,points,of,tests passed,tests\nlovelace.s,"Lab 11, assembly",40,80,1,2\nlovelace.s,"Lab 11, assembly",20.5,80,1,2' \
  a.json b.json
result d.json hopper.cl 'Lab 12' 1
refused "no student is named for the submission 'hopper.cl'" --moodle --students students.csv d.json
refused 'students and --percent belong to --moodle' --percent a.json
refused "cannot read 'none.csv'" --moodle --students none.csv a.json
printf 'a,b\nx,1\nx,2\n' >twice.csv
refused "twice.csv: 'x' stands there twice" --moodle --students twice.csv a.json
refused 'expected two columns' --moodle --students a.json a.json
refused 'the following arguments are required' --moodle

# The seed: as a user without rights, a submission reads the memory, the input and the arguments of the grader.
cat >spy.py <<'PYTHON'
import os, sys
found = []
for what in ("fd/0", "mem", "environ"):
    try:
        with open(f"/proc/{os.getppid()}/{what}", "rb") as file:
            found.append(what)
    except OSError:
        pass
print('{"idom": {"1": "' + ("found " + " ".join(found) if found else "nothing found") + '"}}')
PYTHON
printf 'title = "t"\nkind = "dominators"\nbefore = ["mem2reg"]\n[[test]]\nname = "a"\npoints = 1\nlaunch = "--global 1 --arg out=i32[1]"\nprogram = "two.cl"\n' >lab.toml
printf 'kernel void k(global int* out) { if (out[0]) out[0] = 1; }\n' >two.cl
echo 987654321 >seed.txt
chmod 755 .
chmod 600 seed.txt
as=()
[[ $(id -u) -eq 0 ]] && as=(setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs)
if "${as[@]}" "$kernelc" --version >/dev/null 2>&1; then
  "${as[@]}" "$kernelc" grade lab.toml spy.py --hidden - <seed.txt >out.txt 2>&1
  grep -q 'nothing found' out.txt || fail "a submission can look into the grader: $(<out.txt)"
else
  echo 'SKIPPED: a grader without rights (its user cannot run the command here)'
fi
[[ $failures -eq 0 ]] && echo 'marks and seeds are as they must be'
exit $((failures != 0))
