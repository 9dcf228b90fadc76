#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Wrong commands: each ends with the right status, and its message names the mend.
. "$2/tests/cli/expect.sh"

cat >ok.cl <<'KERNEL'
kernel void scale(global const int* in, global float* out, uint add, float by, char small) {
    int i = get_global_id(0);
    out[i] = in[i] * by + add + small;
}
KERNEL
cat >pair.cl <<'KERNEL'
struct pair { int a; float b; };
kernel void first(global struct pair* p, float2 v, local int* tile) { p[get_global_id(0)].b = v.x; }
kernel void second(global int* p) { p[0] = 1; }
KERNEL
printf 'kernel void wrong(global int* p) { p[0] = nmae; }\n' >bad.cl
printf '12345' >five.bin
printf 'ok.cl --emit=ir "not closed' >open.rsp
head -c 5000000 /dev/zero | tr '\0' 'a' >big.rsp
printf 'prnit 1\n' >verb.script
printf 'buffer data = f32[2]\nprint dta\n' >name.script
printf 'kernel void k(global int* a) { a[get_global_id(0)] = 1; }\n' >small.cl
"$kernelc" small.cl --emit=wave -o wave.kir

# The mend stands in the message of each row: STATUS | PATTERN | ARGUMENTS.
launch="--global 8 --arg in=i32[8] --arg out=f32[8] --arg add=1 --arg by=2 --arg small=3"
rows=0
while IFS='|' read -r status pattern arguments; do
  [[ -z ${status// /} ]] && continue
  rows=$((rows + 1))
  pattern=${pattern# } pattern=${pattern% }
  read -ra words <<<"${arguments//LAUNCH/$launch}"
  expect "${status// /}" "$pattern" "${words[@]}"
  [[ -s out.txt ]] && fail "kernelc $arguments: something on standard output"
  grep -qE '(error|note): ' err.txt || fail "kernelc $arguments: no error is called one"
done <<'ROWS'
2 | a command or a file is missing: .*kernelc --help |
2 | unknown command 'rnu'; did you mean 'run' | rnu ok.cl
2 | unknown command 'chekc'; did you mean 'check' | help chekc
2 | -o FILE.html or FILE.json is missing | explore ok.cl LAUNCH
2 | --warp must be a number up to 64 | explain ok.cl LAUNCH --warp inf
2 | --warp must be a number up to 64 | explore ok.cl LAUNCH --warp inf -o x.json
2 | must be in a file | explain - LAUNCH
2 | --global is required | explain ok.cl
2 | --scheme | explain ok.cl LAUNCH --scheme ipdon
3 | cannot write | explore ok.cl LAUNCH -o nowhere/x.json
3 | cannot read 'gone.cl' | explain gone.cl LAUNCH
2 | --port: .*70000 | lab --port 70000
2 | kernelc grade needs LAB.toml and SUBMISSION; usage: kernelc grade .options. LAB.toml SUBMISSION | grade
2 | kernelc grade needs LAB.toml and SUBMISSION | grade lab.toml
2 | unexpected 'c': kernelc grade takes LAB.toml and SUBMISSION | grade a b c
3 | cannot read 'none.toml' | grade none.toml ok.cl
1 | nmae | explore bad.cl --global 8 --arg p=i32[8] -o x.json
2 | kernelc run needs a FILE, .* 'kernelc help run' | run
3 | cannot read 'none.cl': No such file | run none.cl
3 | cannot read 'none.cl': No such file | check none.cl --arg x=1
3 | '.' is a directory | .
2 | unknown option '--glboal'; did you mean '--global' | run ok.cl --glboal 8
2 | unknown option '--emti'; did you mean '--emit' | ok.cl --emti=ir
2 | --print is an option of kernelc run, not of kernelc check | check ok.cl --print out
2 | --stop-after is an option of kernelc compile | run ok.cl LAUNCH --stop-after=mem2reg
2 | --global needs a value, X\[,Y\[,Z\]\] | run ok.cl --global
2 | unexpected 'b.cl': kernelc run takes one FILE | run ok.cl b.cl
2 | --repeat is given more than once | run ok.cl LAUNCH --repeat 2 --repeat 3
2 | --json takes no value | run ok.cl LAUNCH --json=3
2 | '-1' is not a whole number | run ok.cl LAUNCH --max-steps -1
2 | 'x' is not a whole number | run ok.cl LAUNCH --repeat x
2 | '0' is not a whole number from 1 on | run ok.cl LAUNCH --repeat 0
2 | 'nan' is not a number of seconds from 0.001 | run ok.cl LAUNCH --timeout nan
2 | '-1' is not a whole number | ok.cl -finline-budget=-1
2 | --width must be 1, 8, 16, 32 or 64 | run ok.cl LAUNCH --width 7
2 | unknown value of --scheme 'ipdmo'; did you mean 'ipdom' | run ok.cl LAUNCH --scheme ipdmo
2 | not in range 0 to 3 | ok.cl -O7
2 | unknown shell 'basj'; did you mean 'bash' | completion basj
3 | the quote " in line 1 is not closed | @open.rsp
3 | more than 4 MiB of arguments | @big.rsp
3 | cannot read 'none.rsp' | @none.rsp
1 | bad.cl:1:.*undeclared identifier 'nmae' | bad.cl
2 | unknown target 'avx3'; did you mean 'avx2' | ok.cl --target=avx3 -S
2 | kernelc run --target=interp | ok.cl --target=interp -S
2 | unknown target 'gfx90'; did you mean 'gfx900' | run ok.cl LAUNCH --target=gfx90
2 | unknown route 'wave9'; did you mean 'wave1' | check ok.cl LAUNCH --routes wave9
2 | unknown --emit 'assm'; did you mean 'asm' | ok.cl --emit=assm
2 | there is no pass 'mem2rge'; did you mean 'mem2reg'\? 'kernelc passes' | ok.cl --passes=mem2rge
2 | no remark has such a name.* 'kernelc passes' | ok.cl -Rpass=nonesuch
2 | -S needs a --target \(cpu, | ok.cl -S
2 | --resource-usage needs a --target \(cpu, | ok.cl --resource-usage
2 | -o needs a --target \(cpu, .*--emit=KIND | ok.cl -o ok.o
2 | binary: name a file with -o | ok.cl --target=gfx900
0 | ok.cl without errors: 'scale'; --target, --emit or -o | ok.cl
3 | cannot write into the directory '/dev/null' | ok.cl --target=gfx900 --dump-dir /dev/null
2 | --global is required, the number of work-items | run ok.cl
2 | 'in', 'out', 'add', 'by' and 'small' of kernel 'scale' have no --arg; write --arg "in=i32\[N\]" | run ok.cl
2 | no parameter 'inn' \(it has: in, out, .*did you mean 'in' | run ok.cl LAUNCH --arg inn=1
2 | parameter 'add' is given twice | run ok.cl LAUNCH --arg add=2
2 | 'add': '8.5' is not a whole number, as uint needs | run ok.cl --global 8 --arg add=8.5
2 | 'add': '99999999999' is out of the range of uint: 0 to 4294967295 | run ok.cl --global 8 --arg add=99999999999
2 | 'small': '200' is out of the range of char: -128 to 127 | run ok.cl --global 8 --arg small=200
2 | 'by': 'two' is not a value of type float | run ok.cl --global 8 --arg by=two
2 | 'add': 'three' is not a value of type uint | run ok.cl --global 8 --arg add=three
2 | expected NAME=FILE.png:WxH | run small.cl --global 8 --arg a=i32[8] --image a=x.jpg:8x1
2 | 'by': '1e60' is too large for float | run ok.cl --global 8 --arg by=1e60
2 | 'in': elements are int, not float; write i32\[N\], or u8\[N\] for bytes | run ok.cl --global 8 --arg in=f32[8]
2 | 'out': elements are float, not int; write f32\[N\] | run ok.cl --global 8 --arg out=i32[8]
2 | 'in': elements are 4 bytes, i64 has 8; write i32\[N\] | run ok.cl --global 8 --arg in=i64[8]
2 | 'in': u8\[9\] has 9 bytes, which is not a multiple of the 4 bytes | run ok.cl --global 8 --arg in=u8[9]
3 | 'in': 'five.bin' has 5 bytes, which is not a multiple of the 4 | run ok.cl --global 8 --arg in=@five.bin --arg out=f32[8] --arg add=1 --arg by=2 --arg small=3
3 | 'in': 'five.bin' has 5 bytes, expected 32 | run ok.cl --global 8 --arg in=i32[8]@five.bin --arg out=f32[8] --arg add=1 --arg by=2 --arg small=3
2 | 'in': '8.5' is not a whole number, as int needs | run ok.cl --global 8 --arg in=i32[8]:fill(8.5)
2 | the fillers are :zero, :iota, :fill\(VALUE\) and :rand | run ok.cl --global 8 --arg in=i32[8]:ones
2 | 'int' is not an element type: these are i8 .* did you mean 'i32' | run ok.cl --global 8 --arg in=int[8]
2 | 'in': work-item \(8, 0, 0\) reads in\[8\] at line 3, .* at least i32\[9\] | run ok.cl --global 9 --arg in=i32[8] --arg out=f32[9] --arg add=1 --arg by=2 --arg small=3
2 | several kernels, choose one with --kernel: first, second | run pair.cl --global 1
2 | has no kernel 'thrid' \(it has: first, second\) | run pair.cl --kernel thrid --global 1
2 | 'v' has 2 numbers, not 1 | run pair.cl --kernel first --global 1 --arg v=(1)
2 | '&q' names no parameter | run pair.cl --kernel second --global 1 --arg p=&q
2 | 'p': i32\[3\] has 12 bytes, .* multiple of the 8 bytes of an element | run pair.cl --kernel first --global 1 --arg p=i32[3]
2 | expected NAME\[a:b\] within 0:8 | run ok.cl LAUNCH --print out[5:9]
2 | no parameter 'ouy' \(buffers: in, out\); did you mean 'out' | run ok.cl LAUNCH --print ouy
2 | --global: '8x8' is not X | run ok.cl --global 8x8
2 | --local: '0' is not X\[,Y\[,Z\]\] of positive numbers | run ok.cl LAUNCH --local 0
2 | global size 8 is not a multiple of local size 3 | run ok.cl LAUNCH --local 3
2 | unknown statement 'prnit'; did you mean 'print' | run ok.cl --script verb.script
2 | there is no 'dta', neither a buffer nor a number; did you mean 'data' | run ok.cl --script name.script
2 | kernelc stats takes kernel source or thread IR | stats wave.kir --global 8 --arg a=i32[8]
4 | code is made for gfx942, but nothing here runs it | run ok.cl LAUNCH --target gfx942
ROWS
[[ $rows -ge 60 ]] || fail "only $rows wrong commands"

# All that is wrong with a command is said at once.
expect 2 "'add': '-5000000000' is out of" run ok.cl --arg in=f32[8] --arg add=-5000000000
for pattern in '--global is required' "'in': elements are int" "'out', 'by' and 'small' .* have no --arg"; do
  grep -qE -- "$pattern" err.txt || fail "one message does not say: $pattern"
done

# Literals as in C: other bases, suffixes, and negative numbers for unsigned types.
printf 'kernel void k(global long* out, uint a, int b, uchar c, ulong d) { out[0] = a; out[1] = b; out[2] = c; out[3] = d; }\n' >literals.cl
expect 0 '^4294967295$' run literals.cl --global 1 --arg 'out=i64[4]' --arg a=-1 --arg b=0xfffffffe --arg c=010 --arg d=1e3 --print out
[[ $(tr '\n' ' ' <out.txt) == '4294967295 -2 8 1000 ' ]] || fail "literals: $(cat out.txt)"

# Output that cannot be written is an error; the status and a message say so.
for command in "run ok.cl $launch --print out" "run ok.cl $launch --json" "check ok.cl $launch --routes passes" \
  "stats ok.cl $launch" "devices" "--help" "passes" "man" "ok.cl --emit=ir" "help run"; do
  read -ra words <<<"$command"
  "$kernelc" "${words[@]}" 2>err.txt >/dev/full
  [[ $? -eq 3 ]] && grep -q 'cannot write .*standard output' err.txt || fail "a full device: $command"
  "$kernelc" "${words[@]}" 2>err.txt >&-
  [[ $? -eq 3 ]] && grep -q 'cannot write .*standard output' err.txt || fail "closed output: $command"
done
for closing in '2>/dev/full' '2>&-'; do
  eval '"$kernelc" none.cl' "$closing"
  [[ $? -eq 3 ]] || fail "an error that cannot be written: $closing"
done

# A signal leaves no temporary files; a tool that cannot do its work is absent, not a difference.
mkdir tools temporary
printf '#!/bin/sh\nexec sleep 60\n' >tools/llvm-mc-19
chmod +x tools/llvm-mc-19
PATH=$work/tools:$PATH TMPDIR=$work/temporary "$kernelc" ok.cl --target=gfx900 -o ok.hsaco &
pid=$!
for _ in $(seq 100); do
  [[ -n $(ls temporary) ]] && break
  sleep 0.05
done
[[ -n $(ls temporary) ]] || fail "no temporary files to be cleaned up"
kill -TERM $pid
wait $pid 2>/dev/null
[[ $? -eq 143 ]] || fail "SIGTERM does not end the command"
[[ -z $(ls temporary) && ! -e ok.hsaco ]] || fail "SIGTERM leaves files behind"
printf '#!/bin/sh\necho "LLVM ERROR: out of memory" >&2\nkill -ABRT $$\n' >tools/llvm-mc-19
PATH=$work/tools:$PATH expect 4 'llvm-mc-19 was killed by signal 6 .*out of memory' ok.cl --target=gfx900 -o ok.hsaco
PATH=$work/tools:$PATH expect 4 '^gfx900 +skipped .*llvm-mc-19 was killed' check ok.cl --global 8 --arg 'in=i32[8]' \
  --arg 'out=f32[8]' --arg add=1 --arg by=2 --arg small=3 --routes gfx900
TMPDIR=$work/none expect 0 '' ok.cl --emit=ir
printf '#!/bin/sh\necho "error: No space left on device" >&2\nexit 1\n' >tools/llvm-mc-19
PATH=$work/tools:$PATH expect 3 'No space left on device' ok.cl --target=gfx900 -o ok.hsaco

[[ $failures -eq 0 ]] && echo "$rows wrong commands name the mend"
exit $((failures != 0))
