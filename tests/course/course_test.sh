#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# course_test.sh KERNELC PROGRAMS ROOT: the rows of course/teacher/expected.txt, without a seed in any output; then the
# forms of results, and lab files that are wrong. PROGRAMS has the starters in C++, which rows name as cpp/NAME.
# Rows that begin with ~ take part only with COURSE_TABLE=FILE, which also writes a table of all rows.
[[ -x $1 && -d $2 && -d $3/course ]] || { echo "usage: course_test.sh KERNELC PROGRAMS ROOT" >&2; exit 2; }
. "$3/tests/cli/expect.sh"
programs=$2
course=$source/course
# Version managers put a script before the interpreter, which takes longer than most submissions.
real=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && PATH=$(dirname "$real"):$PATH
seed=$(<"$course/teacher/seed.txt")

trim() {
  local text=$1
  text=${text#"${text%%[! ]*}"}
  printf '%s' "${text%"${text##*[! ]}"}"
}

rows=0 table=${COURSE_TABLE:-}
# The tests of the modules need no compiler.
if command -v node >/dev/null; then
  node "$course/js/test_kir.js" >out.txt 2>&1 || fail "kir.js: $(<out.txt)"
else
  echo 'SKIPPED: submissions in JavaScript (no node)'
fi
while IFS='|' read -r lab submission status points pattern; do
  [[ $lab == '#'* || ($lab == '~'* && -z $table) ]] && continue
  lab=$(trim "${lab#'~'}") submission=$(trim "$submission") status=$(trim "$status") points=$(trim "$points")
  [[ $submission == *.js ]] && ! command -v node >/dev/null && continue
  file=$course/$submission
  [[ $submission == cpp/* ]] && file=$programs/${submission#cpp/}
  expect "$status" "${pattern# }" grade "$course/labs/$lab/lab.toml" "$file" \
    --hidden "$course/teacher/seed.txt"
  if [[ -n $table ]]; then
    reason=$(cat out.txt err.txt | grep -oE -- "${pattern# }" | head -1)
    size=$(grep -oE 'to fail, [0-9]+ blocks?$' out.txt | head -1)
    printf '| %s | `%s` | %s | %s | %s | %s |\n' "$lab" "$submission" "$status" "$points" "${reason//|/\\|}" \
      "${size//[!0-9]/}" >>table.txt
  fi
  grep -qE "^total +$points\$" out.txt || fail "$submission: $(grep '^total' out.txt), expected $points"
  cat out.txt err.txt | grep -q "$seed" && fail "$submission: the output has the seed"
  rows=$((rows + 1))
done <"$course/teacher/expected.txt"
[[ $rows -ge 15 ]] || fail "only $rows rows in expected.txt"
if [[ -n $table ]]; then
  {
    sed '/^| lab /,$d' "$source/docs/course.md"
    printf '| lab | submission | status | points | reason | blocks |\n|---|---|---|---|---|---|\n'
    cat table.txt
  } >course.md
  cp course.md "$table"
fi
for lab in "$course"/labs/*/; do
  grep -q "^$(basename "$lab") .*solution" "$course/teacher/expected.txt" || fail "no row for the solution of $lab"
done

# The forms of results. They have no times and no paths, so they are the same in every folder.
lab=$course/labs/11-assembly
for folder in one two; do
  mkdir $folder
  cp "$lab/starter.s" $folder
  "$kernelc" grade "$lab/lab.toml" $folder/starter.s --json --junit $folder.xml >$folder.json 2>err.txt
done
cmp one.json two.json && cmp one.xml two.xml || fail "the folder of a submission changes its result"
python3 - one.json one.xml <<'PYTHON' || fail "the forms of a result: see above"
import json, sys
import xml.etree.ElementTree as xml
result = json.load(open(sys.argv[1]))
assert (result["points"], result["of"]) == (0, 80), result
assert [t["result"] for t in result["tests"]] == ["fail", "fail"], result
assert "s_waitcnt" in result["tests"][0]["note"] and "--global 64" in result["tests"][1]["counterexample"]
assert result["quality"][0]["baseline"] == 320, result
suite = xml.parse(sys.argv[2]).getroot()
assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "2", "2")
assert "s_waitcnt" in suite.find("testcase/failure").get("message")
PYTHON
"$kernelc" grade "$lab/lab.toml" "$lab/baseline.s" --json >best.json
[[ $("$course/marks.py" one.json best.json | cut -d, -f1,3 | tr '\n' ' ') == 'submission,points baseline.s,50 starter.s,0 ' ]] ||
  fail "marks.py: $("$course/marks.py" one.json best.json)"
"$course/marks.py" "$lab/lab.toml" 2>err.txt && fail "marks.py takes what is no result"
grep -q 'is no result of kernelc grade' err.txt || fail "marks.py: $(<err.txt)"

# What a submission in JavaScript says when it fails, and where.
if command -v node >/dev/null; then
  dominators=$course/labs/02-dominators/lab.toml
  printf 'const kir = require("kir");\n\nkir.run((func) => {\n  console.log("not the IR");\n  func.nothing();\n});\n' >throws.js
  expect 6 'a loop .* it ended with status 1: TypeError: func.nothing is not a function \(line 5\)' grade "$dominators" throws.js
  printf 'const kir = require("kir");\nkir.run((func) => {\n' >syntax.js
  expect 6 'a loop .* it ended with status 1: SyntaxError: ' grade "$dominators" syntax.js
  printf 'import { createRequire } from "node:module";\nconst kir = createRequire(import.meta.url)("kir");\nkir.answer(() => ({ idom: {} }));\n' >module.mjs
  expect 6 'a loop .*FAIL  block 1 has no immediate dominator' grade "$dominators" module.mjs
  printf 'require("kir");\nrequire("fs").writeSync(1, "{]");\n' >json.js
  expect 6 'a loop .* what it wrote is not one JSON object' grade "$dominators" json.js
fi

# Messages about memory have no addresses of this process, which differ from run to run.
sed 's/v1, s\[16:17\]/& offset:256/' "$course/teacher/11-assembly/solution.s" >past.s
expect 6 'one group .* load of 4 bytes at byte 256 of a buffer of 256 bytes in lane 0 is outside every buffer' \
  grade "$lab/lab.toml" past.s
sed 's/kernarg_size 56/kernarg_size 8/' "$course/teacher/11-assembly/solution.s" >args.s
expect 6 'one group .* scalar load of 32 bytes at byte 0 of the arguments of 8 bytes is outside every buffer' \
  grade "$lab/lab.toml" args.s
sed 's/v1, s8, 6, v0/v1, s8, 70, v0/' "$course/teacher/11-assembly/solution.s" >literal.s
expect 1 'literal.s: error: line 8: a constant that is not from -16 to 64 fits only into the first operand of a short form' \
  grade "$lab/lab.toml" literal.s

# Wrong lab files: the message has the place and says what is wrong.
answers=$course/labs/01-divergence
printf '#include "secret"\n' >include.cl
printf 'kernel void steps(global uint* in) {}\n' >other.cl
printf 'kernel void steps(global const uint* in, global uint* out, uint each) { local int big[100000]; big[0] = 1; for (;;) big[1]++; }\n' >endless.cl
beat=$course/labs/12-beat-the-compiler
expect 6 'does not|step|end within|limit' grade "$beat/lab.toml" endless.cl
expect 1 "other.cl: error: the kernel 'steps' has the parameters .in., and the reference has .in, out, each." \
  grade "$beat/lab.toml" other.cl
expect 1 "one group +0/10  FAIL  other.cl: error: the kernel 'steps' has" grade "$beat/lab.toml" other.cl
grep -q 'smallest launch' out.txt && fail "a wrong interface is no matter of a launch: $(<out.txt)"
printf 'kernel void steps(global const int* in, global uchar* out, uint each) {}\n' >types.cl
expect 1 "the parameter 'out' has another type in the reference" grade "$beat/lab.toml" types.cl
printf 'kernel void other(global uint* in) {}\n' >name.cl
expect 1 "'name.cl' has no kernel 'steps'" grade "$beat/lab.toml" name.cl
{ cat "$beat/starter.cl"; printf '// %4000s\n' ''; } >long.cl
expect 1 'one each .*FAIL  long.cl: error: it has 4[0-9]* bytes, and 4000 is the limit' grade "$beat/lab.toml" long.cl
printf 'kernel void steps(\n' >syntax.cl
expect 1 'random +0/20  FAIL  syntax.cl:[0-9]+:[0-9]+: error: ' grade "$beat/lab.toml" syntax.cl
sed 's/v_add_u32/v_add_u33/' "$course/labs/11-assembly/baseline.s" >unknown.s
expect 1 "one group +0/20  FAIL  unknown.s: error: line [0-9]+: unknown mnemonic 'v_add_u33'; these begin alike: v_add3_u32, " \
  grade "$course/labs/11-assembly/lab.toml" unknown.s
# Where it is wrong and how to look, but not why: neither the source of the divergence nor what lanes do.
printf 'programs/groups.cl:11 uniform\nprograms/joins.cl:%s\n' '11 divergent' >answers.txt
expect 6 'programs/groups.cl:11 is wrong: what is each operand computed from\?' grade "$answers/lab.toml" answers.txt
grep -q 'programs/joins.cl:11 is wrong: follow each operand back; is there a lane in which it differs?' out.txt ||
  fail "an answer that is wrong: $(<out.txt)"
grep -qE 'get_global_id|line [0-9]|lanes part|same way' out.txt && fail "the grader gives answers: $(<out.txt)"
printf 'programs/loops.cl:5 divergant\n' >misspelt.txt
expect 1 "loops +0/30  FAIL  misspelt.txt:1: error: unknown answer 'divergant'; did you mean 'divergent'" \
  grade "$answers/lab.toml" misspelt.txt
expect 3 "cannot read 'none.cl'" grade "$beat/lab.toml" none.cl
expect 3 "cannot read 'none.toml'" grade none.toml other.cl
printf 'secret words\n' >seed.bad
expect 2 'seed.bad: expected one whole number' grade "$beat/lab.toml" other.cl --hidden seed.bad
grep -q 'secret' err.txt && fail "the message repeats what the file of the seed holds"
wrong() {  # PATTERN TEXT: a lab file with this text
  printf '%b' "$2" >lab.toml
  cp "$beat/reference.cl" .
  expect 2 "$1" grade lab.toml other.cl
}
head='title = "t"\nkind = "kernel"\nreference = "reference.cl"\n'
test='[[test]]\nname = "a"\npoints = 1\nlaunch = "--global 1 --arg in=u32[1]:fill(1) --arg out=u32[1] --arg each=1"\n'
wrong 'lab.toml:1:.*' 'title = \n'
wrong "lab.toml:1:1: 'title' is missing" 'kind = "kernel"\n'
wrong "lab.toml:2:8: unknown kind 'kernal'; did you mean 'kernel'" 'title = "t"\nkind = "kernal"\n'
wrong 'there is no \[\[test\]\]' "$head"
wrong "lab.toml:8:9: unknown key 'point'; did you mean 'points'" "$head${test}point = 3\n"
wrong "'count' must be a whole number from 1 to 10000" "$head${test}count = 0\n"
wrong "the seed of a hidden test lies in another file" "$head${test}hidden = true\nseed = 3\n"
wrong "'n' of the launch is not a number that 'draw' names" "$head[[test]]\nname = \"a\"\npoints = 1\nlaunch = \"--global {n}\"\n"
wrong "neither .NAME. nor .NAME\*FACTOR." "$head[[test]]\nname = \"a\"\npoints = 1\nlaunch = \"--global {n*}\"\n"
wrong "'draw' must be" "$head${test}draw = { n = [3, 1] }\n"
wrong "'a': .*--global is required" "$head[[test]]\nname = \"a\"\npoints = 1\nlaunch = \"--arg in=u32[1]\"\n"
printf '%b' "$head$test" >lab.toml
expect 0 '^total +1/1$' grade lab.toml reference.cl
printf '%b' "$head[limits]\nseconds = 0.5\nsteps = 1000000000000\n$test" >lab.toml
expect 6 'FAIL  takes more than 0.5 s of processor time$' grade lab.toml endless.cl
printf '%b' "${head/reference.cl/gone.cl}$test" >lab.toml
expect 3 "cannot read 'gone.cl'" grade lab.toml reference.cl

# Submissions that are programs. What cannot be tested gives no points: it is an error of the lab.
program='title = "t"\nkind = "dominators"\nbefore = ["mem2reg"]\n'
random='[[test]]\nname = "a"\npoints = 1\ncount = 2\nseed = 1\n'
printf 'import json, sys\njson.load(sys.stdin)\nprint("{\\"idom\\": {}}")\n' >none.py
printf 'print("{\\"idom\\": {\\"1\\": " + "[" * 1000000 + "]" * 1000000 + "}}")\n' >deep.py
printf '#!/bin/sh\ncat\n' >noexec
if command -v python3 >/dev/null; then
  printf '%b' "$program${test/launch/program = \"reference.cl\"\\nlaunch}" >lab.toml
  expect 6 'block 1 has no immediate dominator' grade lab.toml none.py
  expect 6 'it says a value of the type array' grade lab.toml deep.py
  expect 4 'cannot run ./noexec: Permission denied: a submission ends with .py, .js or .mjs, or can be executed' \
    grade lab.toml noexec
  printf '%b' "${program}options = [\"--nope\"]\n$random" >lab.toml
  expect 2 "none of its 2 random programs can be used: .*unknown option '--nope'" grade lab.toml none.py
  # What counts is the time of the processor, whoever uses it; a program that waits for the processor loses nothing.
  printf '%b' "${program}[limits]\nseconds = 0.5\n${test/launch/program = \"reference.cl\"\\nlaunch}" >lab.toml
  printf 'import time\ntime.sleep(1)\nprint("{\\"idom\\": {}}")\n' >late.py
  printf 'import subprocess, sys\nsubprocess.run([sys.executable, "-c", "while True: pass"])\n' >spins.py
  expect 6 'block 1 has no immediate dominator' grade lab.toml late.py
  expect 6 'FAIL  it takes more than 0.5 s of processor time and was ended$' grade lab.toml spins.py
  # What a submission in Python prints goes to standard error, and a failure has its line.
  number=$course/labs/04-value-numbering
  printf 'import kir\nkir.run(lambda function: print("not the IR"))\n' >prints.py
  expect 0 'steps 2952, baseline 2952' grade "$number/lab.toml" prints.py
  printf 'import kir\n\ndef work(function):\n    return 1 // 0\n\nkir.run(work)\n' >raises.py
  expect 6 'twice .* it ended with status 1: ZeroDivisionError: .* \(line 4\)$' grade "$number/lab.toml" raises.py
  # Of many errors the first, with the line of the IR; then how to see what it wrote, and why nothing is made smaller.
  cat >retypes.py <<'PYTHON'
import kir


def work(function):
    for inst in function.insts():
        if inst.op in ("mul", "add"):
            inst.result.type = "f32"


kir.run(work)
PYTHON
  expect 6 'twice .*FAIL  the IR that it wrote is not well formed: its output:[0-9]+:[0-9]+: error: (operand|result) [0-9]: expected i[0-9]+, the type of .*, got f32 .in @twice., at .*: %[0-9]+: .* \(and [0-9]+ more\)$' \
    grade "$number/lab.toml" retypes.py
  [[ $(grep -c 'error:' out.txt) -le 4 ]] || fail "a test takes more than one line: $(<out.txt)"
  grep -q 'random programs .* (the program is not made smaller and shown: mend the tests above first)$' out.txt ||
    fail "the result does not say that nothing was reduced: $(<out.txt)"
  grep -qx '  kernelc programs/twice.cl --emit=ir-json --passes=mem2reg | PYTHONPATH=../../python python3 retypes.py' out.txt ||
    fail "no command that shows what it wrote: $(<out.txt)"
  "$kernelc" "$number/programs/twice.cl" --emit=ir-json --passes=mem2reg |
    PYTHONPATH=$course/python python3 retypes.py | grep -q '"type": "f32"' || fail "the command shows no output"

  # Random programs that leave something to do; how small one is that fails; what is asked of the numbers.
  pass='title = "t"\nkind = "pass"\nbefore = ["mem2reg"]\nrequire = ["Structured"]\n'
  printf '#!/bin/sh\ncat\n' >same && chmod +x same
  printf '%b' "$pass${random}lacking = [\"Structured\"]\n" >lab.toml
  expect 6 'a: the smallest program that was found to fail, ([0-9]|1[0-2]) blocks$' grade lab.toml ./same
  "$kernelc" grade lab.toml ./same --json >out.json
  python3 -c 'import json; t = json.load(open("out.json"))["tests"][0]; assert 2 < t["blocks"] <= 12 and "kernel" in t["program"]' ||
    fail "the result does not say how many blocks: $(<out.json)"
  # It takes few runs, comes to the same again, and fails for the reason for which the program failed.
  printf '#!/bin/sh\necho run >>runs.txt\ncat\n' >counted && chmod +x counted
  for name in once twice; do
    rm -f runs.txt
    "$kernelc" grade lab.toml ./counted >$name.txt
    [[ $(wc -l <runs.txt) -le 65 ]] || fail "the reduction takes $(wc -l <runs.txt) runs"
  done
  cmp -s once.txt twice.txt || fail "a reduction comes to two results: $(diff once.txt twice.txt)"
  printf 'import json, sys\nn = len(json.load(sys.stdin)["functions"][0]["blocks"])\nsys.exit("large" if n >= 10 else "small")\n' >sizes.py
  expect 6 '^a: the smallest program that was found to fail, 1[0-2] blocks$' grade lab.toml sizes.py
  grep -q 'it ended with status 1: large' out.txt || fail "the reason has changed: $(<out.txt)"
  # What takes too long is made smaller, too, with a part of its time for each attempt.
  printf 'import json, sys\nn = len(json.load(sys.stdin)["functions"][0]["blocks"])\nwhile n >= 10: pass\nsys.exit("small")\n' >late.py
  printf '%b' "$pass[limits]\nseconds = 2\n${random}lacking = [\"Structured\"]\n" >lab.toml
  expect 6 'a +0/1 +FAIL  it takes more than 2 s of processor time and was ended$' grade lab.toml late.py
  grep -qE '^a: the smallest program that was found to fail, 1[0-2] blocks$' out.txt || fail "not made smaller: $(<out.txt)"
  printf '%b' "$pass${random}lacking = [\"Ssa\"]\n" >lab.toml
  expect 2 'none of its 128 random programs can be used: it has Ssa already' grade lab.toml ./same
  printf '%b' "$pass${random}lacking = [\"Sssa\"]\n" >lab.toml
  expect 2 "unknown property 'Sssa'; did you mean 'Ssa'" grade lab.toml ./same
  printf '%b' "$program${random}lacking = [\"Ssa\"]\n" >lab.toml
  expect 2 "unknown key 'lacking'" grade lab.toml none.py
  measured='[[quality]]\nname = "q"\npoints = 10\nprogram = "measured.cl"\nlaunch = "--global 64 --arg o=i32[64]"\nfull = 1.0\nnone = 2.0\n'
  printf 'kernel void k(global int* o) { int i = get_global_id(0); for (int j = 0; j < i; j++) o[i] += j; }\n' >measured.cl
  # Two warps go 31 and 63 times round: 96 and 192 blocks.
  for metric in block_parameters:1 block_executions:288 dynamic_instructions:'[0-9]+' static_blocks:5; do
    scheme=
    [[ $metric == block_e* || $metric == dynamic* ]] && scheme='scheme = "ipdom"\n'
    printf '%b' "${pass/Structured/Ssa}$random${measured}metric = \"${metric%:*}\"\n${scheme}baseline = []\n" >lab.toml
    expect 0 "^q +10/10 +${metric%:*} ${metric#*:}, baseline" grade lab.toml ./same
  done
  printf '%b' "${pass/Structured/Ssa}$random${measured}metric = \"divergent_branches\"\nbaseline = []\n" >lab.toml
  expect 2 "'q': unknown metric 'divergent_branches'" grade lab.toml ./same
  printf 'import json, sys\nblocks = json.load(sys.stdin)["functions"][0]["blocks"]\njson.dump({"divergent": [b["id"] for b in blocks]}, sys.stdout)\n' >all.py
  printf '%b' "${program/dominators/divergence}$random${measured}metric = \"divergent_branches\"\n" >lab.toml
  expect 0 '^q +10/10 +divergent_branches 1, baseline 1' grade lab.toml all.py
  printf '%b' "${program/dominators/divergence}$random${measured}metric = \"steps\"\n" >lab.toml
  expect 2 "'q': unknown metric 'steps'" grade lab.toml all.py
  printf 'kernel void k(global int* o) { int i = get_global_id(0); if (i > 3) throw i; o[i] = i; }\n' >throws.cl
  printf '%b' "${program/dominators/divergence}[[test]]\nname = \"a\"\npoints = 1\nprogram = \"throws.cl\"\nlaunch = \"--global 8 --arg o=i32[8]\"\n" >lab.toml
  expect 2 "'a': the program traps" grade lab.toml none.py

  # Waves: what is no matter of masks is no question, and what comes back must be the lab's waves.
  printf '#!/usr/bin/env python3\nimport kir\nkir.run(lambda f: None)\n' >same.py
  sed 's/LANES = 16/LANES = 8/' "$course/labs/08-masks/masks.py" >eight.py
  wave="title = \"t\"\nkind = \"wave\"\nbefore = [\"mem2reg\", \"reconverge\"]\npython_path = \"$course/python\"\n"
  one='[[test]]\nname = "a"\npoints = 1\nprogram = "one.cl"\nlaunch = "--global 64 --local 64 --arg o=i32[64]"\n'
  printf 'kernel void k(global int* o) { o[get_global_id(0)] = get_global_id(0) * 3; }\n' >one.cl
  ln -sfn "$course" course
  wave=${wave/$course\/python/course/python}
  printf '%b' "$wave$one" >lab.toml
  expect 6 'leaves a function of the thread dialect, and the lab asks for wave IR' grade lab.toml same.py
  expect 6 'its waves have 8 lanes, and those of the lab have 16' grade lab.toml eight.py
  printf '%b' "${wave}width = 8\n$one" >lab.toml
  expect 0 '^total +1/1$' grade lab.toml eight.py
  printf '%b' "${wave}width = 65\n$one" >lab.toml
  expect 2 "lab.toml:5:9: 'width' must be a whole number from 2 to 64" grade lab.toml eight.py
  printf 'kernel void k(global int* o) { local int s[2]; s[0] = 1; o[get_global_id(0)] = s[0]; }\n' >local.cl
  printf '%b' "$wave${one/one.cl/local.cl}" >lab.toml
  expect 2 "'a': it has memory besides its buffers" grade lab.toml eight.py

  # Issue slots of warps.
  slots='[[quality]]\nname = "q"\npoints = 4\nprogram = "one.cl"\nlaunch = "--global 64 --arg o=i32[64]"\nbaseline = []\nfull = 1.0\nnone = 2.0\n'
  pass="title = \"t\"\nkind = \"pass\"\nbefore = [\"mem2reg\"]\npython_path = \"course/python\"\n$one$slots"
  printf '%b' "${pass}metric = \"dynamic_instructions\"\nscheme = \"ipdom\"\n" >lab.toml
  expect 0 '^total +5/5$' grade lab.toml same.py
  printf '%b' "${pass}metric = \"dynamic_instructions\"\n" >lab.toml
  expect 2 "'scheme' is missing: 'dynamic_instructions' is counted in warps" grade lab.toml same.py
  printf '%b' "${pass}metric = \"steps\"\nscheme = \"ipdom\"\n" >lab.toml
  expect 2 "'steps' has no scheme" grade lab.toml same.py
  printf '%b' "${pass}metric = \"block_executions\"\nscheme = \"ipdum\"\n" >lab.toml
  expect 2 "unknown scheme 'ipdum'; did you mean 'ipdom'" grade lab.toml same.py

  # Registers: each kind of wrong answer has its sentence.
  printf '%b' "title = \"t\"\nkind = \"registers\"\npython_path = \"course/python\"\n$one" >lab.toml
  expect 2 "'registers' is missing" grade lab.toml same.py
  printf '%b' "title = \"t\"\nkind = \"registers\"\npython_path = \"course/python\"\n${one}registers = 6\n" >lab.toml
  # The command of the result gives the submission what it got, with the numbers that messages name.
  printf 'import sys\ntext = sys.stdin.read()\nopen("got.json", "w").write(text)\nprint("{}")\n' >keeps.py
  printf '%b' "title = \"t\"\nkind = \"registers\"\n${one/global 64 --local 64/global 64,2 --local 16,2}registers = 6\n" |
    sed 's/o=i32\[64\]/o=i32[128]/; s/one.cl/two.cl/' >keeps.toml
  printf 'kernel void k(global int* o) { o[get_global_id(0) + 64 * get_local_id(1)] = get_local_id(0) * 3; }\n' >two.cl
  expect 6 '^  kernelc two.cl .* --global 64,2 --local 16,2 \| .*keeps.py 3 8$' grade keeps.toml keeps.py
  line=$(sed -n 's/^  kernelc \(.*\) | .*keeps.py 3 8$/\1/p' out.txt)
  # shellcheck disable=SC2086
  "$kernelc" $line | cmp - got.json || fail "the command of a registers lab gives something else: $line"
  answer() {  # PATTERN EDIT: the starter's answer, changed by these statements
    printf 'import json, subprocess, sys\nout = subprocess.run(["python3", "%s"] + sys.argv[1:], stdin=sys.stdin, capture_output=True).stdout\na = json.loads(out)\nv = min(a["assign"], key=int)\n%b\nprint(json.dumps(a))\n' \
      "$course/labs/10-registers/allocate.py" "$2" >answer.py
    expect 6 "$1" grade lab.toml answer.py
  }
  answer 'it wrote no .*"assign"' 'a = [1]'
  answer 'value [0-9]+ has no register and is not spilled' 'del a["assign"][v]'
  answer 'value [0-9]+ has a register and is spilled' 'a["spill"].append(int(v))'
  answer 'value 9999 is not one that needs a vector register' 'a["assign"]["9999"] = 3'
  answer "'assign' has 'x', which is not the number of a value" 'a["assign"]["x"] = 3'
  answer "'spill' has a value of the type string" 'a["spill"].append("x")'
  answer 'value [0-9]+ is in register 99.*, and v3 to v8 may be used' 'a["assign"][v] = 99'
  answer 'the register of value [0-9]+ is 3.5, and not a number' 'a["assign"][v] = 3.5'
else
  echo 'SKIPPED: submissions that are programs (no python3)'
fi

# A number of the submission may be 0; one of the baseline may not.
quality='[[quality]]\nname = "q"\npoints = 10\nmetric = "redundant_block_executions"\nscheme = "ipdom"\nfull = 0.5\nnone = 1.0\n'
quality+='launch = "--global 64 --arg in=u32[64]:fill(1) --arg out=u32[64] --arg each=1"\n'
printf '%b' "$head$test${quality}baseline = \"reference.cl\"\n" >lab.toml
expect 2 "'q': redundant_block_executions of the baseline is 0" grade lab.toml reference.cl

# The example of the page.
awk '/^```toml/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/grade.md" >lab.toml
printf 'kernel void twice(global int* data) { data[get_global_id(0)] *= 2; }\n' >double.cl
expect 0 '^total +20/30$' grade lab.toml double.cl

[[ $failures -eq 0 ]] && echo "$rows submissions get the points that they must"
exit $((failures != 0))
