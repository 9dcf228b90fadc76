#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exec:COMMAND in --passes: programs that read and write IR, what they may use, and what is said of wrong ones.
dead_code=$2
. "$3/tests/cli/expect.sh"

cat >k.cl <<'KERNEL'
kernel void k(global const float* in, global float* out, int n) {
    int i = get_global_id(0);
    float s = 0, unused = n * 3.0f;
    for (int j = 0; j < n; j++) {
        s = s * in[i] + 1.0f;
        unused = unused * 2.0f;
    }
    out[i] = s;
}
KERNEL
launch=(--global 64 --local 16 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=5)
passes() { expect "$1" "$2" k.cl --emit=ir --passes="$3" "${@:4}"; }

# A program that changes nothing leaves the function as it was, wherever it is.
"$kernelc" k.cl --emit=ir --passes=mem2reg,instcombine,dce >want.kir
for list in exec:cat,mem2reg,instcombine,dce mem2reg,exec:cat,instcombine,dce mem2reg,instcombine,dce,exec:cat \
  mem2reg,exec:cat,exec:cat,instcombine,dce; do
  passes 0 '^thread func' "$list"
  cmp -s out.txt want.kir || fail "$list differs"
done
# Words of the command, with quotes and with commas in them.
passes 0 '^thread func' "mem2reg,exec:sed 's/zzz/a,b/' -,exec:sh -c \"cat\""
passes 2 "--passes: exec:sed 's: ' is not closed" "mem2reg,exec:sed 's"
passes 2 'exec:: no program is named' 'mem2reg,exec:'

# Every command that has --passes.
expect 0 '^passes +pass ' check k.cl "${launch[@]}" --passes=mem2reg,exec:cat --routes passes,wave16
expect 0 '^reconverge ' stats k.cl "${launch[@]}" --passes=mem2reg,lower_traps,lower_memory,expand_ops,exec:cat
expect 0 '' run k.cl "${launch[@]}" --passes=mem2reg,exec:cat --target=sim
expect 0 '' run k.cl "${launch[@]}" --passes=mem2reg,exec:cat --target=avx2
expect 0 '' explore k.cl "${launch[@]}" --passes=mem2reg,lower_traps,lower_memory,expand_ops,exec:cat -o page.json
expect 0 '^exec ' k.cl --emit=ir --passes=mem2reg,exec:cat --time-passes
expect 0 '^; after exec: @k$' k.cl --emit=ir --passes=mem2reg,exec:cat --print-after=exec
expect 0 '^thread func' k.cl --emit=ir --passes=mem2reg,exec:cat,dce --stop-after=exec
expect 0 '^exec:COMMAND: a program' passes
expect 2 'it takes no --routes' check k.cl --prove --routes avx2
expect 0 '^k shared +exec +proved' check k.cl --prove --passes=mem2reg,exec:cat

# A program that turns a branch round keeps the IR well formed. The proof shows the way to what differs.
cat >turned.py <<'PROGRAM'
import json, sys
module = json.load(sys.stdin)
branch = next(b['insts'][-1] for b in module['functions'][0]['blocks'] if len(b['insts'][-1].get('targets', [])) == 2)
branch['targets'].reverse()
json.dump(module, sys.stdout)
PROGRAM
if command -v python3 >/dev/null; then
  expect 6 '^k shared +exec +FAILED' check k.cl --prove --passes='mem2reg,exec:python3 turned.py'
  expect 6 'path .block before, block after.: .b1.for, b1.for.' check k.cl --prove --passes='mem2reg,exec:python3 turned.py'
else
  echo 'SKIPPED: a pass in Python (no python3)'
fi

# What programs may get wrong.
cat >wrong.sh <<'PROGRAM'
#!/bin/sh
case $1 in
  nothing) ;;
  status) echo 'I give up' >&2; exit 3 ;;
  signal) kill -SEGV $$ ;;
  text) echo 'hello'; ;;
  opcode) sed 's/"op": "fmul"/"op": "fmull"/' ;;
  use) sed 's/"op": "fmul", "operands": \[[0-9]*/"op": "fmul", "operands": [99/' ;;
  type) sed 's/"op": "fmul"/"op": "mul"/' ;;
  name) sed 's/"name": "k"/"name": "kk"/' ;;
  param) sed 's/"name": "out", "of": "f32"/"name": "out", "of": "i32"/' ;;
  dialect) sed 's/"dialect": "thread"/"dialect": "gcn"/' ;;
  variable) sed 's/^  "blocks"/  "vars": [{"name": "x", "type": "i32"}],\n  "blocks"/' ;;
  slow) while :; do :; done ;;
  child) while :; do :; done & cat ;;
  late) sleep 0.5; cat ;;
  asleep) sleep 60 & cat ;;
  left) sleep 61 >/dev/null 2>&1 & cat ;;
  much) yes ;;
  memory) exec python3 -c 'x = bytearray(300 << 20); print(len(x))' ;;
  lines) for i in $(seq 100); do echo "line $i" >&2; done; cat ;;
esac
PROGRAM
chmod +x wrong.sh
# By the clock it has half a minute more at least; the others go on meanwhile.
"$kernelc" k.cl --emit=ir --passes='mem2reg,exec:./wrong.sh asleep' --exec-timeout 0.2 >asleep.out 2>asleep.err &
asleep=$!
passes 1 'pass exec:./wrong.sh nothing: it wrote nothing' 'mem2reg,exec:./wrong.sh nothing'
passes 1 'pass exec:./wrong.sh status: it ended with status 3' 'mem2reg,exec:./wrong.sh status'
grep -q '^I give up$' err.txt || fail 'what a pass writes to stderr is not shown'
passes 1 'pass exec:./wrong.sh signal: it was ended by signal 11' 'mem2reg,exec:./wrong.sh signal'
passes 1 'what it wrote is no IR: line 1, column 1: syntax error' 'mem2reg,exec:./wrong.sh text'
passes 1 'what it wrote is no IR: line [0-9]+, column [0-9]+: there is no such opcode in the thread dialect, at /functions/0/blocks/[0-9]+/insts/[0-9]+/op' 'mem2reg,exec:./wrong.sh opcode'
passes 1 'value 99 is not defined, at /functions/0/blocks/' 'mem2reg,exec:./wrong.sh use'
passes 1 'the IR that it wrote is not well formed: its output:[0-9]+:[0-9]+: error: operand 0: expected i8 or i16 or i32 or i64, got f32 \(in @k\), at /functions/0/blocks/' 'mem2reg,exec:./wrong.sh type'
passes 1 'it returns @kk instead of @k' 'mem2reg,exec:./wrong.sh name'
passes 1 'parameter 1 is not that of the function it was given' 'mem2reg,exec:./wrong.sh param'
passes 1 'there is no such opcode in the gcn dialect' 'mem2reg,exec:./wrong.sh dialect'
passes 1 "pass sccp \(number 3\) needs Ssa, which pass exec:./wrong.sh variable \(number 2\) did not leave: variable x is left" 'mem2reg,exec:./wrong.sh variable,sccp'
passes 0 '  var \$x.0: i32' 'mem2reg,exec:./wrong.sh variable,dce'
passes 1 'pass exec:./wrong.sh slow: it takes more than 0.2 s of processor time and was ended' 'mem2reg,exec:./wrong.sh slow' --exec-timeout 0.2
passes 1 'it takes more than 0.2 s of processor time and was ended' 'mem2reg,exec:./wrong.sh child' --exec-timeout 0.2
# A machine that is busy makes a program wait; so does sleep.
passes 0 '^thread func' 'mem2reg,exec:./wrong.sh late' --exec-timeout 0.2
passes 0 '^thread func' 'mem2reg,exec:./wrong.sh left'
for process in /proc/[0-9]*; do  # what a pass starts ends with it, even if nobody waits for it
  [[ $(tr '\0' ' ' <"$process/cmdline" 2>/dev/null) == 'sleep 61 ' ]] && fail 'what a pass has started runs on'
done
passes 2 "'nan' is not a number of seconds" mem2reg,exec:cat --exec-timeout nan
passes 1 'it prints more than 67108864 bytes and was ended' 'mem2reg,exec:./wrong.sh much'
passes 0 '^thread func' 'mem2reg,exec:./wrong.sh lines'
[[ $(wc -l <err.txt) -eq 20 ]] && grep -q '^line 100$' err.txt || fail "$(wc -l <err.txt) lines of a pass are shown"
passes 4 'pass exec:./missing: component absent: ./missing is not installed' 'mem2reg,exec:./missing'
passes 2 'needs Ssa, which does not hold there' 'sccp,exec:cat'
passes 2 '--exec-timeout' 'exec:cat' --exec-timeout 0

# A pass that leaves what a route cannot take is no internal error.
cat >t.cl <<'KERNEL'
kernel void t(global int* out, int n) {
    if (n == 3) throw 7;
    out[get_global_id(0)] = n;
}
KERNEL
expect 0 '^wave16 +unsupported .*needs NoTraps' check t.cl --global 8 --arg 'out=i32[8]' --arg n=5 --passes=mem2reg,exec:cat --routes passes,wave16

# A pass may lower to waves; then routes for waves run it.
lower=mem2reg,lower_traps,lower_memory,expand_ops,lower_private,lower_sub_groups,reconverge,lower_to_wave,mem2reg
"$kernelc" k.cl --emit=ir-json --passes=$lower >lowered.json
grep -q '"dialect": "wave"' lowered.json || fail 'no waves'
cat >lower.sh <<'PROGRAM'
#!/bin/sh
cat >/dev/null
cat lowered.json
PROGRAM
chmod +x lower.sh
expect 0 '^wave16 +pass ' check k.cl "${launch[@]}" --passes=mem2reg,exec:./lower.sh --routes passes,wave8,wave16,sim-ipdom,avx2,gfx900
[[ $(grep -c ' unsupported ' out.txt) -eq 5 ]] || fail "routes for work-items after a pass that makes waves: $(cat out.txt)"
expect 0 '^wave func @k' k.cl --emit=ir --passes=mem2reg,exec:./lower.sh,dce
expect 1 'needs ThreadForm, which pass exec:./lower.sh \(number 2\) did not leave: the function is in the wave dialect' \
  k.cl --emit=ir --passes=mem2reg,exec:./lower.sh,reconverge
# Waves and machine functions take programs, too: these as files.
"$kernelc" k.cl --emit=wave --width=16 -o wave.kir
expect 0 '^wave func @k' wave.kir --emit=ir --passes=exec:cat,dce
"$kernelc" k.cl --target=gfx900 -S -o want.s
"$kernelc" k.cl --target=gfx900 --stop-after=machine_dce --emit=ir-json | cat | "$kernelc" - -S | cmp -s - want.s ||
  fail 'machine functions as JSON'
expect 2 'exec:cat is no pass on machine functions' wave.kir --target=avx512 --passes=select_instructions,exec:cat

# fuzz finds a pass that breaks programs, and makes what shows it small.
expect 0 '^passes +20 +0 +0$' fuzz --passes=mem2reg,exec:cat --routes passes --count 20
broken="mem2reg,exec:sed 's/\"op\": \"slt\"/\"op\": \"sle\"/'"
expect 6 '^fuzz-[0-9]+.cl$|/fuzz-[0-9]+.cl$' fuzz --passes="$broken" --routes passes --count 10 --output-dir found
file=$(ls found/fuzz-*.cl | head -1)
command=$(sed -n '2s|^//   ||p' "$file")
(cd found && PATH=$(dirname "$kernelc"):$PATH bash -c "$command" >../out.txt 2>../err.txt)
[[ $? -eq 6 ]] || fail "what fuzz wrote does not reproduce: $command: $(cat out.txt err.txt)"
[[ $(wc -l <"$file") -le 40 ]] || fail "a program of $(wc -l <"$file") lines is not small"
# So is one that ends, or writes what is wrong.
expect 6 'error: seed [0-9]+: the passes: pass exec:./wrong.sh type: the IR that it wrote is not well formed: its output:[0-9:]+ error: operand 0' fuzz --passes='mem2reg,exec:./wrong.sh type' --routes passes --count 20 --output-dir types
file=$(ls types/fuzz-*.cl | head -1)
[[ $(wc -l <"$file") -le 40 ]] || fail "a program of $(wc -l <"$file") lines is not small"
grep -q "check fuzz-[0-9]*.cl .* -O2 \"--passes=mem2reg,exec:./wrong.sh type\" -w --routes passes$" "$file" || fail "$(head -3 "$file")"
expect 2 "needs Ssa, which does not hold" fuzz --passes=reconverge --count 2
expect 4 'is not installed' fuzz --passes=exec:./missing --count 2
expect 2 "there is no pass 'mem2rek'" fuzz --passes=mem2rek --count 2

# Passes in Python and C++ against our own.
if command -v python3 >/dev/null; then
  passes 1 'it ended with status 1|it was ended by signal' 'mem2reg,exec:./wrong.sh memory' --exec-memory 100
  passes 0 '^thread func' "mem2reg,exec:$source/course/python/dead_code.py"
  cp out.txt python.kir
  for file in "$source"/examples/{scanner,queens,ray_tracer,exceptions,photons,pathfinding}/*.cl; do
    "$kernelc" "$file" -w --emit=ir --passes=mem2reg,dce >want.kir
    "$kernelc" "$file" -w --emit=ir --passes="mem2reg,exec:$source/course/python/dead_code.py" >got.kir 2>err.txt &&
      cmp -s want.kir got.kir || fail "dead_code.py on $file: $(diff want.kir got.kir | head -5; head -3 err.txt)"
  done
  python3 "$source/course/python/test_kir.py" >out.txt 2>&1 || fail "test_kir.py: $(cat out.txt)"
else
  echo 'SKIPPED: passes in Python, python3 is not installed'
fi
passes 0 '^thread func' "mem2reg,exec:$dead_code"
"$kernelc" k.cl --emit=ir --passes=mem2reg,dce | cmp -s - out.txt || fail 'dead_code in C++ differs'
wait $asleep
[[ $? -eq 1 ]] && grep -q 'asleep: it takes longer than 30.2 s of the clock and was ended' asleep.err ||
  fail "a pass that sleeps: $(<asleep.err)"
exit $((failures != 0))
