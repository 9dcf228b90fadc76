#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line: exit statuses, messages with a location, results on stdout, and preserved output files.
. "$2/tests/cli/expect.sh"

cat >good.cl <<'KERNEL'
kernel void twice(global const int* in, global int* out, int add) {
    int i = get_global_id(0);
    if (in[i] < 0) throw in[i];
    out[i] = in[i] * 2 + add;
}
KERNEL
printf 'kernel void k(global int* out) {\n    out[0] = nmae;\n    out[1] = naem;\n}\n' >bad.cl
args=(--arg "in=i32[8]:iota" --arg "out=i32[8]" --arg add=1 --global 8)

expect 0 'Usage' --help
expect 0 'kernelc [0-9]' --version
expect 2 'kernelc run needs a FILE' run
expect 3 "cannot read 'missing.cl'" missing.cl
expect 3 'is a directory' .
expect 3 "'/dev/zero' is larger than 256 MiB" /dev/zero
expect 1 'bad.cl:2:14: error' bad.cl
expect 0 '' good.cl
printf '__attribute__((sparkling)) kernel void k(global int* out) { out[0] = 1; }\n' >warn.cl
expect 0 '\[-Wunknown-attributes\]$' warn.cl
expect 0 '^1 warning generated\.$' warn.cl
expect 1 '\[-Werror,-Wunknown-attributes\]$' warn.cl -Werror
expect 1 '\[-Werror,-Wunknown-attributes\]$' warn.cl -Werror=unknown-attributes
expect 0 'warning: unknown warning option .-Wal.; did you mean .-Wall' warn.cl -Wal
expect 0 '^\{"severity":"warning","file":"warn.cl"' warn.cl --diagnostics-format=json
for quiet in -w -Wno-unknown-attributes "-Werror -w"; do
  # shellcheck disable=SC2086
  expect 0 '' warn.cl $quiet
  if grep -q warning err.txt; then echo "FAILED: warnings in spite of $quiet"; failures=$((failures + 1)); fi
done
expect 2 'diagnostics-format' warn.cl --diagnostics-format=xml
expect 1 'too many errors' bad.cl -ferror-limit=1
# Consequences of one error are not reported.
printf '#include "none.h"\nkernel void k(global none_t* out) { out[0] = NONE(1); }\n' >once.cl
expect 1 '^1 error generated' once.cl
printf 'kernel void k(global int* out) { uint32_t a = 1; uint32_t b = a; out[0] = b; }\n' >once.cl
expect 1 '^1 error generated' once.cl
expect 0 '^thread func @twice' good.cl --emit=ir
expect 0 '^wave func @twice' good.cl --emit=wave
expect 0 'digraph' good.cl --emit=dot
expect 0 '^ *label="loop b[0-9]+";$' "$source/docs/collatz.cl" --emit=dot --target=vulkan
expect 0 '"kernels"' good.cl --emit=json
expect 0 '"sgprs": [1-9]' good.cl --emit=json --target=gfx900
expect 0 '"lanes": [1-9]' good.cl --emit=json --target=avx2
expect 2 'goes with --target=vulkan' good.cl --emit=spirv --target=avx2
expect 0 's_endpgm' good.cl --target=gfx900 -S
expect 0 'vzeroupper|ret' good.cl --target=avx2 -S
expect 0 'zmm' good.cl --target=avx512 -S

# -S with a launch shape writes the code that run compiles for that launch, whatever shape its waves get.
cat >forms.cl <<'KERNEL'
kernel void tiled(global const float* in, global float* out, int n) {
    local float tile[8][8];
    int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * n + get_global_id(0);
    tile[y][x] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int k = 0; k < 8; k++) s += x > y ? tile[k][x] : tile[y][k];
    out[i] = s;
}
KERNEL
form_args=(--arg "in=f32[4096]:iota" --arg "out=f32[4096]" --arg n=64)
for target in avx2 avx512 gfx900 gfx90a; do
  for shape in "64,64 --local 8,8" "64,8 --local 4,2" "64,8 --local 8,1 --width 32" "8,8 --local 1,8"; do
    [[ $target == gfx* && $shape == *--width* ]] && continue
    expect 0 '' forms.cl --target=$target -S -o shown.s --global $shape
    expect 0 '' run forms.cl --target=$target --global $shape "${form_args[@]}" --emit-forms forms
    if ! cmp -s shown.s forms/tiled.$target.s; then
      echo "FAILED: -S is not what runs: $target, --global $shape"
      failures=$((failures + 1))
    fi
  done
done
expect 0 '^# tiled: avx2, [0-9]+ lanes in rows of 4, buffers below 2 GiB, groups of 4 x 2 x 1$' forms.cl --target=avx2 -S --global 64,8 --local 4,2
expect 0 '^# tiled: avx2, [0-9]+ lanes along x, buffers of any size$' forms.cl --target=avx2 -S
expect 0 '^; tiled: gfx900, 64 lanes in linear order, groups of 8 x 8 x 1$' forms.cl --target=gfx900 -S --global 64,64 --local 8,8
expect 2 '--local says the shape of a launch only together with --global' forms.cl --target=avx2 -S --local 8
expect 2 'shows no code' run forms.cl --target=interp --global 8,8 --local 8,8 "${form_args[@]}" --emit-forms forms

expect 0 'join' "$source/docs/short_circuit.cl" --emit=ir --restructure=structurize --passes=mem2reg,instcombine,simplify_cfg,lower_traps,structurize
expect 2 "no restructuring 'tidy' \(there are: auto, " good.cl --restructure=tidy
expect 2 "'structurize' has no option 'x' \(there are: switch=native, " good.cl --restructure=structurize:whole,x
expect 2 "'reconverge' has no option 'order=x' \(there are: order=df, " good.cl --restructure=reconverge:order=x
expect 0 '^avx2 +pass' check "$source/docs/short_circuit.cl" --restructure=reconverge:order=df --global 64 --arg "in=i32[64]:iota" --arg "out=i32[64]"
cat >meet.cl <<'KERNEL'
kernel void k(global int* out) {
    int l = get_local_id(0);
    if (l & 1) out[l] = 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[l ^ 1] += l;
}
KERNEL
expect 0 'remark: work-items would not always reconverge' meet.cl --emit=ir -Rpass=reconverge --restructure=reconverge:order=df
expect 0 'guard' "$source/docs/short_circuit.cl" --emit=ir --passes=mem2reg,instcombine,simplify_cfg,lower_traps,linearize
expect 0 '^avx2 +pass' check good.cl "${args[@]/iota/fill(3)}" --restructure=linearize:merge,o1
expect 2 "no options after its colon" good.cl --restructure=auto:
expect 0 '^avx2 +pass' check good.cl "${args[@]/iota/fill(3)}" --restructure=structurize:whole
expect 0 'lower_to_wave' good.cl --emit=wave --print-after=lower_to_wave
# What was asked about passes is said once, however many engines compile the kernel.
for command in run 'run --target=avx2' 'run --target=gfx900' 'run --target=interp' check; do
  # shellcheck disable=SC2086
  "$kernelc" $command good.cl "${args[@]}" --print-after=meld >out.txt 2>err.txt
  [[ $(grep -c '^; after meld' err.txt) -eq 1 ]] && continue
  echo "FAILED: $command --print-after=meld prints $(grep -c '^; after meld' err.txt) functions"
  failures=$((failures + 1))
done
expect 0 '^lower_to_wave ' run good.cl "${args[@]}" --time-passes
expect 0 '' good.cl --emit=wave --stop-after=lower_to_wave -o lowered.kir
expect 0 'var_get' lowered.kir --emit=wave
expect 0 '^wave func @twice' lowered.kir --passes=mem2reg,dce --emit=wave
! grep -q 'var_get' out.txt || { echo "FAILED: --passes on wave IR"; failures=$((failures + 1)); }
expect 2 'needs' lowered.kir --passes=licm --emit=wave
expect 2 "no pass 'nosuch'" lowered.kir --stop-after=nosuch --emit=wave
cat >remarks.cl <<'KERNEL'
int near(int x) { return x + 1; }
__attribute__((shared_region)) int far(int x) { return x * 3; }
kernel void k(global const int* in, global int* out, int n) {
    int i = get_global_id(0);
    int v = in[i];
    int pair[2] = {v, 2}, table[4] = {1, 2, 3, 4};
    table[v & 3] = near(n);
    int sum = far(pair[0]) + far(pair[1]), rounds = 0;
    for (int q = 0; q < v; q++) sum += in[q], rounds++;
    if (n > 2) sum += 2;
    out[i * 2] = sum;
    out[sum & 7] = table[i & 3];
    if (rounds < 3) {
        if (in[0] > 4) goto other;
        out[0] = 1;
    }
    out[1] = 2;
other:
    out[2] = 3;
}
KERNEL
remarks=(remarks.cl --emit=wave -o remarks.kir)
expect 0 "^remarks.cl:7:20: remark: 'near' is inlined \[-Rpass=inline\]$" "${remarks[@]}" -Rpass
expect 0 "^remarks.cl:2:36: remark: 'far' becomes a shared region, as its attribute asks" "${remarks[@]}" -Rpass=inline
expect 0 "^remarks.cl:8:30: remark: 'far' is called as a shared region" "${remarks[@]}" -Rpass=inline
expect 0 "^remarks.cl:6:.*: remark: 'pair' becomes 2 variables" "${remarks[@]}" -Rpass=sroa
expect 0 "^remarks.cl:7:.*: remark: 'table' stays in memory: its index is not constant" "${remarks[@]}" -Rpass=sroa
expect 0 '^remarks.cl:9:23: remark: branch is divergent: depends on get_global_id at line 4 \[-Rpass=uniformity\]' "${remarks[@]}" -Rpass
expect 0 '^remarks.cl:5:13: note: loaded here from an address that differs' "${remarks[@]}" -Rpass=uniformity
expect 0 '^remarks.cl:9:23: note: work-items leave the loop in different iterations' "${remarks[@]}" -Rpass=uniformity
expect 0 '^remarks.cl:5:13: remark: load is contiguous \[-Rpass=shape\]' "${remarks[@]}" -Rpass
expect 0 '^remarks.cl:11:.*: remark: store is a scatter: its lanes are 8 bytes apart' "${remarks[@]}" -Rpass
expect 0 '^remarks.cl:12:.*: remark: store is a scatter: its addresses are in no known step' "${remarks[@]}" -Rpass=shape
expect 0 '^remarks.cl:13:.*: remark: work-items that diverge here reconverge' "${remarks[@]}" -Rpass=reconverge
expect 0 '^\{"severity":"remark","file":"remarks.cl","line":5,.*"flag":"-Rpass=shape"' "${remarks[@]}" -Rpass=shape --diagnostics-format=json
expect 0 '^remarks.cl:9:23: remark: branch is divergent' run remarks.cl --global 8 --arg 'in=i32[64]' --arg 'out=i32[64]' --arg n=1 --target wave16 -Rpass
cat >passes.cl <<'KERNEL'
kernel void k(global const int* restrict in, global int* restrict out, int n) {
    int i = get_global_id(0), sum = 0;
    for (int q = 0; q < 3; q++) sum += in[q];
    for (int q = 0; q < n; q++) {
        sum += q * (n * n + 7);
        if (in[i] > q) sum += 3;
    }
    out[i] = 1;
    out[i] = sum;
    if (out[i] > 5) out[i + n] = sum / 3;
    int steps = 0;
    while (steps < i && in[steps] != 0) steps++;
    size_t g = get_global_id(0);
    out[g % 63] = i >= 0 ? steps : 7;
    for (global const int *p = in + i * n, *end = p + n; p < end; p++) out[i] += *p;
}
KERNEL
passes=(passes.cl --emit=wave -o passes.kir -Rpass)
expect 0 '^passes.cl:3:23: remark: loop is unrolled: it has 3 iterations \[-Rpass=unroll\]' "${passes[@]}"
expect 0 '^passes.cl:4:23: remark: loop is not unrolled: it is not known to end' "${passes[@]}"
expect 0 '^passes.cl:4:23: remark: loop is rotated: it tests at its end' "${passes[@]}"
expect 0 '^passes.cl:5:23: remark: computation is hoisted out of the loop at line 4' "${passes[@]}"
expect 0 '^passes.cl:6:13: remark: load is hoisted out of the loop at line 4' "${passes[@]}"
expect 0 '^passes.cl:6:19: remark: branch becomes a selection' "${passes[@]}"
expect 0 '^passes.cl:8:12: remark: store is not needed: it is overwritten' "${passes[@]}"
expect 0 '^passes.cl:10:9: remark: load is not needed' "${passes[@]}"
expect 0 '^passes.cl:10:16: remark: branch stays: one of its arms reads or writes memory' "${passes[@]}"
expect 0 '^passes.cl:12:18: remark: branch is divergent: depends on get_global_id at line 2' "${passes[@]}"
expect 0 '^passes.cl:14:11: remark: 64-bit operation is done in 32 bits' "${passes[@]}"
expect 0 '^passes.cl:15:60: remark: loop ends at a count, not at a pointer \[-Rpass=count_pointers\]' "${passes[@]}"
expect 0 '^passes.cl:14:21: remark: condition is always true \[-Rpass=range_simplify\]' "${passes[@]}"
# The table is read through the pointer of a loop, which no instruction computes.
cat >table.cl <<'KERNEL'
kernel void table(global int* a, int n, int step) {
    int t[3], sum = 0, *p = t;
    t[0] = 3, t[1] = 1, t[2] = 4;
    for (int i = 0; i < n; i++, p += step) sum = sum * 31 + *p;
    a[get_global_id(0)] = sum;
}
KERNEL
expect 0 "^table.cl:4:.*: remark: 't' only holds constants: it moves to constant memory" table.cl -Rpass=constant_tables
cat >elements.cl <<'KERNEL'
kernel void elements(global const int* in, global int* out, int n) {
    int i = get_global_id(0), few[3] = {in[i], in[i + 1], in[i + 2]}, ahead[8], sum = 0;
    for (int k = 0; k < 8; k++) ahead[k] = in[i + k];
    for (int k = 0; k < n; k++) sum += few[in[i + k] & 1] + ahead[k & 7] * ahead[in[k] & 3];
    out[i] = sum + ahead[in[i] & 7];
}
KERNEL
expect 0 "^elements.cl:2:.*: remark: 'few' becomes 3 variables, among which its index selects" elements.cl -Rpass=sroa_indices
expect 0 "^elements.cl:3:.*: remark: 'ahead' stays in memory: .* to select among its elements would cost more" \
  elements.cl -Rpass=sroa_indices
# A divergent branch whose arms have met again decides nothing below: the reason is the first `if`, not the second.
cat >decides.cl <<'KERNEL'
kernel void decides(global const int* in, global int* out) {
    int i = get_global_id(0), way = 1;
    if (in[i] & 1)
        way = 2;
    if (in[i] > 5)
        out[i] += 4;
    while (in[0] > 8 && way < 5)
        way++;
    if (way > 4)
        out[i] += 8;
}
KERNEL
expect 0 '^decides.cl:9:13: remark: branch is divergent: depends on get_global_id at line 2' decides.cl -O0 -Rpass=uniformity
sed -n '/^decides.cl:9:/,$p' err.txt >last.txt
grep -q '^decides.cl:3:15: note: which value it has is decided by this divergent branch' last.txt &&
  ! grep -q '^decides.cl:5:' last.txt || fail "the reason is another branch: $(<last.txt)"
# Without --emit nothing is written, but the passes still emit remarks.
expect 0 '^passes.cl:3:23: remark: loop is unrolled: it has 3 iterations \[-Rpass=unroll\]' passes.cl -Rpass=unroll
[[ -s out.txt ]] && { echo "FAILED: -Rpass alone writes something"; failures=$((failures + 1)); }
expect 0 '^lower_to_wave ' passes.cl --time-passes
expect 0 '^lower_to_wave ' passes.cl --time-passes --target=gfx900
for target in avx2 gfx900; do
  expect 0 '^lower_to_wave ' --time-passes --target=$target passes.cl -o timed.o
done
expect 2 'name a file with -o' passes.cl --target=gfx900
expect 2 'Rpass=\(: not a regular expression' "${remarks[@]}" '-Rpass=('
"$kernelc" "${remarks[@]}" -w 2>err.txt
if [[ -s err.txt ]]; then echo "FAILED: remarks with -w"; failures=$((failures + 1)); fi
expect 2 'Rpass=nothing: no remark has such a name' "${remarks[@]}" -Rpass=nothing
expect 0 '' remarks.cl --emit=ir --stop-after=lower_memory -o remarks.kir
expect 0 '^<source>:9:23: remark: branch is divergent' remarks.kir --emit=wave -Rpass=uniformity -o /dev/null
expect 2 'unknown --emit' good.cl --emit=nothing
expect 2 "unknown target 'z80'" good.cl --target=z80 -S
expect 2 "unknown target 'z80'" run good.cl "${args[@]}" --target z80
expect 4 "code is made for gfx942, but nothing here runs it" run good.cl "${args[@]}" --target gfx942
expect 4 "code is made for gfx942, but nothing here runs it" check good.cl "${args[@]}" --routes gfx942
expect 2 "there is no pass 'nopass'" good.cl --passes=nopass
expect 2 'several kernels|has no kernel' run good.cl --kernel other "${args[@]}"
for target in interp wave16 avx2 gfx900; do
  expect 0 '^15$' run good.cl "${args[@]}" --target "$target" --print 'out[7]'
done
expect 0 '"launch_ms"' run good.cl "${args[@]}" --target interp --json
printf 'struct S {}; struct T { struct S none[2]; int n; };\nkernel void k(global int* out) { int i = get_global_id(0); struct S s; struct T t; t.n = 21; if (i == 1) throw s; if (i == 0) throw t; }\n' >throws_structs.cl
expect 5 'uncaught throw of struct T 0x15 .*work-item .0, 0, 0.' run throws_structs.cl --arg 'out=i32[2]' --global 2 --target interp
expect 5 'uncaught throw of struct S 0x0 ' run throws_structs.cl --arg 'out=i32[2]' --global 2 --offset 1 --target interp
expect 5 'uncaught throw of int -1' run good.cl --arg 'in=i32[8]:fill(-1)' --arg 'out=i32[8]' --arg add=1 --global 8 --target interp
expect 5 'pass' check good.cl --arg 'in=i32[8]:fill(-1)' --arg 'out=i32[8]' --arg add=1 --global 8 --routes passes,wave8,gfx900
expect 0 'pass' check good.cl "${args[@]}" --routes passes,wave64
expect 2 "unknown route 'nowhere'" check good.cl "${args[@]}" --routes nowhere
# Proofs need no launch, and run nothing.
expect 0 '^twice reconverge +reconverge +proved +[0-9]+ states$' check good.cl --prove
expect 0 ' proved, 0 failed, ' check good.cl --prove "${args[@]}"
expect 0 '^twice avx2 +lower_to_wave +not covered +checked by the strict wave interpreter$' check good.cl --prove
expect 0 '^ +"result": "proved",$' check good.cl --prove --json
expect 0 '^1 proved, 0 failed, 0 not covered, 0 gave up$' check remarks.kir --prove --passes=structurize
expect 1 'bad.cl:2:14: error' check bad.cl --prove
expect 2 "there is no kernel 'other'|has no kernel" check good.cl --prove --kernel other
expect 2 "there is no pass 'nopass'" check good.cl --prove --passes=nopass
expect 2 'takes a kernel, not a script' check good.cl --prove --script none.script
expect 0 '' good.cl --emit=wave -o good_wave.kir
expect 2 "'twice' is in the wave dialect" check good_wave.kir --prove
expect 2 'no parameter' run good.cl "${args[@]}" --arg more=1
expect 2 "parameters 'out' and 'add' of kernel 'twice' have no --arg" run good.cl --arg 'in=i32[8]' --global 8
expect 2 'is not a value' run good.cl --arg 'in=i32[8]' --arg 'out=i32[8]' --arg add=one --global 8
expect 2 'elements are 4 bytes' run good.cl --arg 'in=i64[8]' --arg 'out=i32[8]' --arg add=1 --global 8
cat >parts.cl <<'KERNEL'
struct pair { uchar a; float2 b; };
kernel void parts(short3 v, global float* out, struct pair p) {
    int i = get_global_id(0);
    out[i] = (i == 0 ? v.x : i == 1 ? v.y : v.z) + p.a * p.b.y;
}
KERNEL
launch=(parts.cl --global 3 --arg 'out=f32[3]' --print out)
expect 0 '^4.5$' run "${launch[@]}" --arg 'v=(1,2,-3)' --arg 'p=(7,0,0.5)' --target interp
"$kernelc" parts.cl --emit=ir -o parts.kir
expect 0 '^4.5$' run parts.kir "${launch[@]:1}" --arg 'v=(1,2,-3)' --arg 'p=(7, 0, 0.5)'
printf '\x05\x00\x06\x00\x07\x00\x00\x00' >vector.bin
expect 0 '^8.5$' run "${launch[@]}" --arg v=@vector.bin --arg 'p=(7,0,0.5)'
expect 3 'has 8 bytes, expected 16' run "${launch[@]}" --arg v=@vector.bin --arg p=@vector.bin
expect 2 "argument 'v' has 3 numbers, not 2" run "${launch[@]}" --arg 'v=(1,2)' --arg 'p=(7,0,0.5)'
expect 2 "argument 'v' has 3 numbers, not 4" run "${launch[@]}" --arg 'v=(1,2,3,4)' --arg 'p=(7,0,0.5)'
expect 2 "'x' is not a value of type short" run "${launch[@]}" --arg 'v=(1,x,3)' --arg 'p=(7,0,0.5)'
expect 2 'needs .NUMBER,\.\.\.. or @FILE' run "${launch[@]}" --arg v=1 --arg 'p=(7,0,0.5)'
expect 0 '"offset": 12' parts.cl --emit=json
cat >barrier.cl <<'KERNEL'
kernel void turn(global int* out, local int* tile, local int* more) {
    int i = get_local_id(0);
    tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[get_local_size(0) - 1 - i];
}
KERNEL
turn=(--global 4 --local 2 --arg "out=i32[4]" --arg "tile=i32[2]")
expect 0 '^1$' run barrier.cl "${turn[@]}" --arg more=8 --target interp --print 'out[0:1]'
expect 0 'pass' check barrier.cl "${turn[@]}" --arg more=8 --routes wave8,wave64
expect 0 'jmp rax' barrier.cl --target avx2 -S
expect 0 's_barrier' barrier.cl --target gfx900 -S
expect 0 '^1$' run barrier.cl "${turn[@]}" --arg more=8 --target gfx900 --print 'out[0:1]'
expect 1 '70256 bytes of local memory .gfx9 has 65536.' run barrier.cl "${turn[@]}" --arg more=70000 --target gfx900
expect 0 '^1$' run barrier.cl "${turn[@]}" --arg more=8 --target avx2 --print 'out[0:1]'
expect 0 'pass' check barrier.cl "${turn[@]}" --arg more=8 --routes avx2
cat >apart.cl <<'KERNEL'
kernel void apart(global int* out) {
    int i = get_global_id(0);
    if (i == 21) barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = -i;
}
KERNEL
# The output of printf goes to the standard output; with --json, into the object.
cat >say.cl <<'KERNEL'
kernel void say(global int* out) {
    int i = get_global_id(0);
    printf("%d of \"%s\"\n", i, "say");
    if (i == 3) throw i;
    out[0] = atomic_add(out + 1, 1);
}
KERNEL
for target in interp cpu gfx900; do
  expect 5 '^3 of "say"$' run say.cl --target=$target --global 5 --arg "out=i32[2]"
  expect 5 '^  "printf": "0 of ..say...n1 of' run say.cl --target=$target --global 5 --arg "out=i32[2]" --json
done
expect 5 'warning: 4 messages of printf had no room in a buffer of 64 bytes' run say.cl --global 6 --printf-buffer 64 \
  --arg "out=i32[2]"
expect 2 'printf-buffer' run say.cl --global 6 --printf-buffer 8 --arg "out=i32[2]"
# The order of messages is unspecified and cannot affect a kernel; the order of the additions can.
expect 0 'passes +pass' check say.cl --global 3 --arg "out=i32[2]" --routes passes
expect 1 "kernel 'say' calls printf: an object has nowhere to put messages" say.cl --target=avx2 -o say.o
"$kernelc" say.cl --emit=ir >say.kir && expect 5 '^2 of "say"$' run say.kir --global 5 --arg "out=i32[2]"

# Whole applications by script: the examples, on the CPU and in the interpreter.
for target in cpu interp; do
  expect 0 '^9405$' run "$source/examples/bfs/bfs.cl" --script "$source/examples/bfs/bfs.script" --target=$target
  expect 0 '^550$' run "$source/examples/hotspot/hotspot.cl" --script "$source/examples/hotspot/hotspot.script" --target=$target
done
# scripted STATUS PATTERN: runs the script on standard input.
scripted() {
  cat >s.script
  expect "$1" "$2" run say.cl --script s.script "${@:3}"
}
scripted 5 '^s.script:2:1: note: launched here' <<<$'buffer b = i32[2]\nlaunch say global 5 (b)\nprint b'
scripted 0 '^1 of "say"$' <<<$'buffer b = i32[2]; launch say global 2 (out = b)'
scripted 0 '"launches": 3' --json <<<$'buffer b = i32[2]; repeat 3 { launch say global 2 (b) }'
scripted 0 '^7$' <<<$'let a = 3 # three\nif a < 2 { print 1 } else if a == 3 { print (a + 4)\n}'
scripted 2 '^s.script:1:9: error: expected an expression, the line ends' <<<'let a = '
scripted 2 "s.script:2:3: error: unknown statement 'lunch'; did you mean 'launch'" <<<$'# x\n  lunch say'
scripted 2 "s.script:1:7: error: there is no 'a'" <<<'print a + 1'
scripted 2 'element 2 of a buffer with 2' <<<$'buffer b = i32[2]\nprint b[2]'
scripted 2 "has no kernel 'none'" <<<$'buffer b = i32[2]\nlaunch none global 1 (b)'
scripted 2 "parameter 'out' of kernel 'say' has no --arg" <<<'launch say global 1 ()'
scripted 2 "elements are 4 bytes, f64 has 8" <<<$'buffer b = f64[2]\nlaunch say global 1 (b)'
scripted 2 'need buffers' <<<'launch say global 1 (i32[4])'
scripted 2 'goes on for more than 50000000 steps' <<<'while 1 { }'
scripted 2 'division by zero' <<<'print 1 / (2 - 2)'
scripted 3 "cannot read 'none.bin'" <<<'buffer b = i32[2]@none.bin'
expect 2 '--script and --global exclude each other' run say.cl --script s.script --global 5
expect 3 "cannot read 'none.script'" run say.cl --script none.script
expect 2 '--global is required' run say.cl

# The launches of a script on several engines, each starting from the interpreter's buffers.
cat >checked.cl <<'KERNEL'
kernel void fine(global ulong* a) { a[get_global_id(0)] += 1; }
kernel void address(global ulong* a) { size_t i = get_global_id(0); if (i == 3) a[i] = (ulong)a >> 4; }
kernel void race(global ulong* a) { ulong last = a[0]; a[0] = last + get_global_id(0); }
kernel void threes(global ulong* a) { if (a[get_global_id(0)] == 3) throw 7; }
KERNEL
# checked STATUS PATTERN: runs check on the script on standard input.
checked() {
  cat >s.script
  expect "$1" "$2" check checked.cl --script s.script --routes passes,wave8 "${@:3}"
}
checked 0 '^wave8 +pass +4 ' <<<$'buffer b = u64[8]; repeat 4 { launch fine global 8 (b) }; print b'
checked 0 '"different": 0' --json <<<$'buffer b = u64[8]; launch fine global 8 (b)'
checked 6 '^wave8 +FAIL +3 .* launch 3 \(address at s.script:2\): b\[3\] is [0-9]+, expected' \
  <<<$'buffer b = u64[8]; repeat 2 { launch fine global 8 (b) }\nlaunch address global 8 (b)'
checked 6 '"different": 2' --json <<<$'buffer b = u64[8]; repeat 2 { launch address global 8 (b) }'
checked 0 '^wave8 +order-dependent +1 .* lines 3 and 3 race' <<<$'buffer b = u64[8]; launch race global 8 (b)'
checked 5 '^s.script:1:65: note: launched here' <<<$'buffer b = u64[8]:fill(2); repeat 9 { launch fine global 8 (b); launch threes global 8 (b) }'
checked 2 'expected NAME.a:b. within 0:8' <<<$'buffer b = u64[8]; launch fine global 8 (b); print b[5:9]'
expect 0 '^gfx900 +pass +16 ' check "$source/examples/bfs/bfs.cl" --script "$source/examples/bfs/bfs.script" --routes gfx900,avx2
expect 2 '--global is required' check say.cl
expect 2 "unknown route 'none'" check checked.cl --script s.script --routes none
expect 4 'gfx942' check checked.cl --script s.script --routes gfx942

# Options that hosts pass to OpenCL.
cat >host.cl <<'KERNEL'
#ifndef __FAST_RELAXED_MATH__
#error not relaxed
#endif
kernel __attribute__((vec_type_hint(float4))) void k(global float* p) { p[0] = p[1] * p[2] + p[3]; }
KERNEL
expect 0 'ffma' host.cl -cl-std=CL1.2 -cl-mad-enable -cl-fast-relaxed-math -cl-denorms-are-zero -w -Werror --emit=ir
expect 1 'not relaxed' host.cl -cl-unsafe-math-optimizations
expect 2 '-cl-std=CL2.0: the language is OpenCL C 1.2' host.cl -cl-std=CL2.0
cat >version.cl <<'KERNEL'
kernel void k(global int* p) {
    p[0] = __OPENCL_C_VERSION__;
#ifdef __opencl_c_int64
    p[0]++;
#endif
}
KERNEL
expect 0 '^301$' run version.cl --global 1 --arg p=i32[1] --print p -cl-std=CL3.0
expect 0 '^110$' run version.cl --global 1 --arg p=i32[1] --print p -cl-std=CL1.1
expect 0 '^100$' run version.cl --global 1 --arg p=i32[1] --print p --opencl-version 100
expect 2 "value of --opencl-version '7'; there are: 100, 110, 120, 300" version.cl --opencl-version 7
# A carriage return alone ends a line; blanks behind a backslash do not keep lines apart.
printf '// comment\r#define N 3\rkernel void k(global int* p) { // comment\r  p[0] = N + q; }\r' >returns.cl
expect 1 "^returns.cl:4:14: error: use of undeclared identifier 'q'" returns.cl
printf '#define SUM(a, \\ \t\n    b) (a) + (b)\nkernel void k(global int* p) { p[0] = SUM(5, 7); }\n' >blanks.cl
expect 0 '^blanks.cl:1:16: warning: .*Wbackslash-newline-escape' blanks.cl -Wall
# No remarks are shown where an error leaves no module with the names of included files.
{
  echo 'float g(float x) { return x + 1; }'
  echo 'float f0(float x, float y) { barrier(CLK_LOCAL_MEM_FENCE); return g(x) * y; }'
  for n in 1 2 3 4 5 6 7 8; do
    m=$((n - 1))
    echo "float f$n(float x, float y) { x += f$m(x, y); y -= f$m(y, x); x *= f$m(x, x); return f$m(y, x) + f$m(x, y); }"
  done
} >large.h
printf '#include "large.h"\nkernel void k(global float* p) { p[0] = f8(p[1], p[2]); }\n' >large.cl
expect 1 'instructions once the functions it calls are inlined' large.cl -Rpass=inline
echo 'kernel void k(global float* p) { p[0] = p[1] * 0.1; p[1] = sizeof 1.0; }' >literal.cl
expect 0 'f64' literal.cl --emit=ir
if "$kernelc" literal.cl --emit=ir -cl-single-precision-constant | grep -q f64; then
  echo "FAILED: -cl-single-precision-constant leaves doubles"
  failures=$((failures + 1))
fi
cat >fast.cl <<'KERNEL'
kernel void k(global float* p) { p[0] = p[1] / 3.0f; p[2] = pow(p[3], p[4]); p[5] = length(vload3(2, p)); }
KERNEL
expect 0 'fdiv' fast.cl --emit=ir
exact=$("$kernelc" fast.cl --emit=ir | wc -l)
for option in -ffast-math -cl-fast-relaxed-math -cl-unsafe-math-optimizations; do
  "$kernelc" fast.cl --emit=ir $option >fast.kir
  if grep -q fdiv fast.kir || (($(wc -l <fast.kir) * 2 > exact)); then
    echo "FAILED: $option leaves a division, or an exact pow or length"
    failures=$((failures + 1))
  fi
done
expect 2 'unknown option -cl-nonsense' host.cl -cl-nonsense

# On a terminal, a status line is shown during long work and removed afterwards.
echo 'kernel void forever(global int* p) { while (p[0] == 0) p[1]++; }' >forever.cl
if command -v script >/dev/null; then
  TERM=dumb script -qec "'$kernelc' run forever.cl --target=interp --global 1 --arg p=i32[2] --timeout 1.5" typescript \
    >/dev/null </dev/null
  grep -q $'\rforever on interp, 1 s\r\x1b\[K' typescript || { echo "FAILED: no line of progress"; failures=$((failures + 1)); }
fi
expect 5 'did not end' run forever.cl --target=interp --global 1 --arg "p=i32[2]" --timeout 1.2
grep -q 'forever on' err.txt && { echo "FAILED: a line of progress without a terminal"; failures=$((failures + 1)); }

# Objects and headers for programs; tests/ahead links and runs them.
expect 2 'binary: name a file with -o' good.cl --target=avx2
expect 2 'for CPU objects only' good.cl --target=avx2,gfx900 -o both.o
expect 2 'needs a --target for CPUs' good.cl --emit=header --target=gfx900
expect 2 "goes with an object for CPU targets" good.cl --emit=wave --header good.h
expect 0 'static inline int twice\(const kernelc_range\* range, const int32_t\* in, int32_t\* out, int32_t add,' good.cl --target=cpu --emit=header
# Waves that diverge at a barrier execute one arm first: only the trap is comparable.
cat >uneven.cl <<'KERNEL'
kernel void uneven(global uint* out) {
    uint i = get_global_id(0);
    if (i % 10 < 7) barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = i;
    if (i % 10 >= 7) barrier(CLK_GLOBAL_MEM_FENCE);
}
KERNEL
expect 5 '^wave8 +trap only .* both report a divergent barrier' check uneven.cl -w --global 20 --local 10 --arg 'out=u32[20]' --routes wave8
for target in interp wave16 avx2; do
  expect 5 'apart.cl:5: .*divergent barrier.* at line 5 by work-item \(16, 0, 0\); 16 work-items' \
    run apart.cl -w --global 64 --local 16 --arg 'out=i32[64]' --target "$target"
done
expect 0 'lane_barrier %' barrier.cl --emit=wave
expect 2 "argument 'more': more than 256 MiB of local memory" run barrier.cl "${turn[@]}" --arg more=268435456
expect 2 "'3' has 3 bytes, which is not a multiple of the 4 bytes of an element" run barrier.cl "${turn[@]}" --arg more=3
expect 2 'a local pointer needs TYPE' run barrier.cl "${turn[@]}" --arg more=4294967297
expect 2 'not a multiple' run good.cl "${args[@]}" --local 3
expect 2 'is not X' run good.cl --arg 'in=i32[8]' --arg 'out=i32[8]' --arg add=1 --global 8x
expect 2 'given twice' run good.cl "${args[@]}" --arg add=2
expect 2 'expected NAME\[a:b\]' run good.cl "${args[@]}" --print 'out[0:99]'
expect 3 'cannot read' run good.cl --arg 'in=@none.bin' --arg 'out=i32[8]' --arg add=1 --global 8
expect 2 "argument 'in': work-item \\(7, 0, 0\\) reads in\\[7\\] at line 3, .* needs at least i32\\[8\\]" run good.cl --arg 'in=i32[2]' --arg 'out=i32[2]' --arg add=1 --global 8
printf 'kernel void at(global const int* in, global int* out) { out[in[0]] = 1; }\n' >at.cl
expect 5 'out of bounds: store of 4 bytes to out.2. at line 1' run at.cl --arg 'in=i32[1]:fill(2)' --arg 'out=i32[2]' --global 1 --target interp
expect 3 'cannot write' good.cl --emit=ir -o none/such.kir
expect 3 'response file' @none.rsp

# Another compiler's result for the same source, if one is installed.
printf '#ifndef BASE\n#error no BASE\n#endif\nkernel void k(global int* out, float x) { out[get_global_id(0)] = BASE + x; }\n' >plain.cl
plain=(--global 4 --arg 'out=i32[4]' --arg x=0.5f)
"$kernelc" run plain.cl -DBASE=7 "${plain[@]}" --target opencl --print 'out[3]' >out.txt 2>err.txt
case $? in
  0)
    [[ $(cat out.txt) == 7 ]] || { echo "FAILED: run --target opencl"; cat out.txt err.txt; failures=$((failures + 1)); }
    expect 0 '^opencl +pass' check plain.cl -DBASE=7 "${plain[@]}" --routes passes,opencl --threads 1
    printf 'kernel void k(global int* out, int z) { out[get_global_id(0)] = 5 / z; }\n' >zero.cl
    expect 5 'the kernel divides by zero' run zero.cl --global 4 --arg 'out=i32[4]' --arg z=0 --target opencl
    expect 1 'OpenCL compiler refused the kernel' run good.cl "${args[@]}" --target opencl
    expect 0 '^opencl +unsupported' check good.cl "${args[@]}" --routes opencl
    "$kernelc" plain.cl -DBASE=7 --emit=ir -o plain.kir && expect 1 'takes kernel source' run plain.kir "${plain[@]}" --target opencl
    ;;
  4) echo "skipped: --target opencl: $(cat err.txt)" ;;
  *) echo "FAILED: run --target opencl"; cat err.txt; failures=$((failures + 1)) ;;
esac

# Random kernels: the same seeds give the same bytes, and no file is left if all engines agree.
expect 0 '^wave16 +[0-9]+ +[0-9]+ +0( |$)' fuzz --seed 3 --count 6 --routes passes,wave16 --jobs 2
cp out.txt first.txt
expect 0 '^6 programs, seeds 3 to 8$' fuzz --seed 3 --count 6 --routes passes,wave16 --jobs 1
cmp -s first.txt out.txt || { echo "FAILED: fuzz depends on --jobs"; failures=$((failures + 1)); }
ls fuzz-*.cl >/dev/null 2>&1 && { echo "FAILED: fuzz wrote a program that does not differ"; failures=$((failures + 1)); }
expect 0 '^gfx900 +3 +0 +0$' fuzz --count 3 --routes gfx900 --assemble
expect 0 '"different": 0' fuzz --count 2 --routes wave8 --json
expect 0 '^avx2 +3 +0 +0$' fuzz --count 3 --routes avx2 --width 32
expect 2 'width must be 1, 8' fuzz --count 1 --width 5
expect 0 '^passes +0 +3 +0  3: more than 1 instructions$' fuzz --count 3 --routes passes --largest 1
expect 0 '^passes +3 +0 +0$' fuzz --count 3 --routes passes --largest 100000
printf 'kernel void one(global int* out) { out[0] = 1; }\n' >one_block.cl
expect 0 'ret' one_block.cl --restructure=linearize:whole --emit=ir
expect 0 '^avx2 +4 +0 +0$' fuzz --rows --count 4 --routes avx2
expect 2 'rows' fuzz --rows --structured --count 1
expect 0 '^avx2 +4 +0 +0$' fuzz --strides --count 4 --routes avx2
expect 2 'strides' fuzz --rows --strides --count 1
expect 0 '^wave16 +4 +0 +0( |$)' fuzz --structured --count 4 --routes wave16 --restructure=structurize
cat >votes.cl <<'KERNEL'
__attribute__((reqd_sub_group_size(16))) kernel void votes(global ulong* out) {
    if (get_global_id(0) % 3 == 0) out[get_global_id(0)] = sub_group_ballot64(1);
}
KERNEL
expect 0 '^wave16 +pass' check votes.cl --global 16 --arg "out=u64[16]" --routes wave16,wave32
expect 0 '^wave32 +unsupported .*needs sub-groups of 16' check votes.cl --global 16 --arg "out=u64[16]" --routes wave16,wave32
expect 0 '^37449$' run votes.cl --global 16 --arg "out=u64[16]" --print out[0] --target wave16
timeout -s INT 1 "$kernelc" fuzz --count 1000000 --routes wave8 >out.txt 2>err.txt
grep -q 'interrupted$' out.txt && grep -q 'interrupted in seed' err.txt || { echo "FAILED: fuzz loses what Ctrl-C interrupts"; cat out.txt err.txt; failures=$((failures + 1)); }
expect 2 "unknown route 'nowhere'" fuzz --routes nowhere
expect 0 '^avx512  (yes|no ) ' devices
expect 0 '^vulkan  (yes|no ) ' devices
expect 0 '"target": "opencl"' devices --json
expect 0 '^gfx900  (yes|no )  ?emulator of kernelc' devices
# Reads of memory that nobody has written, and what depends on the order of work-items, are told apart from faults.
cat >unwritten.cl <<'KERNEL'
kernel void k(global int* out) { local int t[64]; int i = get_local_id(0); if (i == 0) t[0] = 5; barrier(1); out[i] = t[i]; }
KERNEL
expect 6 '^wave8 +FAIL .* the kernel reads memory before it is written, as the warning says' check unwritten.cl --global 64 --arg 'out=i32[64]' --routes wave8
expect 6 "^unwritten.cl:1:[0-9]+: warning: reads bytes of 't' that no work-item has written" check unwritten.cl --global 64 --arg 'out=i32[64]' --routes wave8
# Numbers are numbers; what JSON has no numbers for is a string.
printf 'kernel void k(global float* out) { out[0] = 0.5f; out[1] = 1.0f / 0.0f; out[2] = 3; }\n' >numbers.cl
"$kernelc" run numbers.cl --global 1 --arg 'out=f32[3]' --print out --json >out.txt
python3 -c 'import json; assert json.load(open("out.txt"))["print"]["out"] == [0.5, "inf", 3]' || { echo "FAILED: numbers in JSON"; cat out.txt; failures=$((failures + 1)); }
# A graph has the parameters and masks of blocks, and is that of the pass to stop after.
expect 0 'label="b[0-9.a-z]+\(%' "$source/docs/collatz.cl" --emit=dot
expect 0 'label="b[0-9.a-z]+.* mask ' "$source/docs/collatz.cl" --emit=dot --target=avx2
# Reports need no file; text that names its target needs no --target.
for target in avx2 gfx900 vulkan; do expect 0 '^twice: [0-9]+ ' good.cl --resource-usage --target=$target; done
"$kernelc" good.cl --target=avx2 --emit=machine -o named.kir && expect 0 '\bret\b' named.kir -S
KERNELC_VULKAN_DEVICE='no such device' expect 4 "(no Vulkan device has 'no such device' in its name|Vulkan loader|no Vulkan device)" run good.cl "${args[@]}" --target vulkan

# IR that is read again keeps its private memory, although addresses are numbers in it.
echo 'kernel void k(global int* out, global const short* in) { int i = get_global_id(0); short a[40]; for (int n = 0; n < 40; n++) a[n] = in[n]; out[i] = a[i % 37]; }' >private.cl
expect 0 '' private.cl --emit=ir -o private.kir
for target in cpu interp gfx900; do
  [ $target = gfx900 ] && ! command -v llvm-mc-19 >/dev/null && continue
  expect 0 '^36$' run private.kir --target $target --global 64 --local 64 --arg 'in=i16[64]:iota' --arg 'out=i32[64]' --print 'out[36:37]'
done

# stats: a row for each scheme, the contract's keys, and the limits of schemes.
collatz=("$source/docs/collatz.cl" --global 64 --arg 'in=u32[64]:rand(1,1,99)' --arg 'out=u32[64]')
for row in ipdom tf-stack tf-sandy reconverge reconverge+masks meld meld+masks branch-fusion tail-merging+masks; do
  expect 0 "^${row//+/\\+} +[0-9]+ " stats "${collatz[@]}" --warp 8
done
for warp in 4 16 64 inf; do expect 0 '^reconverge.masks +[0-9]+ ' stats "${collatz[@]}" --warp $warp; done
expect 2 'warp' stats "${collatz[@]}" --warp 7
echo 'kernel void k(global int* out) { int i = get_global_id(0); out[i / 2] = i; if (i % 3 == 0) out[i / 2] = -i; }' >race.cl
expect 0 'note: order-dependent: the result depends on which work-item comes first' check race.cl --global 64 --arg 'out=i32[64]' --routes wave8,passes,sim-ipdom
# One race hides no other difference: what does not depend on it is compared.
cat >settled.cl <<'KERNEL'
kernel void k(volatile global int* flag, global int* next, global ulong* a, global ulong* b, int wrong) {
    int i = get_global_id(0);
    *flag = i;
    if (*flag == 3) b[i] = 1 + atomic_inc(next);
    a[i] = i == 7 && wrong ? (ulong)a : i;
}
KERNEL
settled=(--global 64 --arg 'flag=i32[1]' --arg 'next=i32[1]' --arg 'a=u64[64]' --arg 'b=u64[64]' --routes passes,wave8)
expect 0 '^wave8 +order-dependent ' check settled.cl "${settled[@]}" --arg wrong=0
expect 6 '^wave8 +FAIL .* a\[7\] is [0-9]+, expected [0-9]+; this does not come from the order of work-items, though lines 3 and 3 race' \
  check settled.cl "${settled[@]}" --arg wrong=1
echo 'buffer f = i32[1]; buffer n = i32[1]; buffer a = u64[64]; buffer b = u64[64]; launch k global 64 (f, n, a, b, 1)' >settled.script
expect 6 '^passes +FAIL +1 .* a\[7\] is [0-9]+, expected [0-9]+; in any order of work-items, though lines 3 and 3 race' \
  check settled.cl --script settled.script --routes passes
expect 0 'note: memory is not what the reference leaves after ipdom, tf-stack, ' stats race.cl --global 64 --arg 'out=i32[64]'
echo 'kernel void k(global int* out) { int i = get_global_id(0), s = 0; for (int n = 0; n < (i & 7); n++) s += sub_group_reduce_add(n + i); out[i] = s; }' >together.cl
expect 0 '^reconverge.masks +[0-9]+ ' stats together.cl --global 64 --local 32 --arg 'out=i32[64]' --warp 16
if [ -s err.txt ]; then echo "FAILED: stats of sub-groups"; cat err.txt; failures=$((failures + 1)); fi
expect 0 '^structurize:whole.masks +[0-9]+ ' stats "${collatz[@]}" --restructure structurize:whole
if grep -qE '^(reconverge|meld)' out.txt; then echo "FAILED: rows that were not asked for"; failures=$((failures + 1)); fi
expect 2 'no restructuring' stats "${collatz[@]}" --restructure none
"$kernelc" stats "${collatz[@]}" --json >out.txt 2>err.txt
python3 - out.txt <<'PYTHON' || { echo "FAILED: keys of stats --json"; cat out.txt; failures=$((failures + 1)); }
import json, sys
o = json.load(open(sys.argv[1]))
keys = ["dynamic_instructions", "block_executions", "redundant_block_executions", "activity_factor",
        "memory_transactions", "memory_efficiency", "max_stack", "static_instructions", "static_blocks"]
assert list(o) == ["kernel", "warp", "schemes"] and o["warp"] == 32 and o["kernel"] == "steps"
assert {"ipdom", "tf-stack", "tf-sandy", "reconverge", "reconverge+masks", "meld", "tail-merging"} <= set(o["schemes"])
assert all(list(row) == keys for row in o["schemes"].values())
PYTHON
sed -n '/^kernel void k(global int\* out, int bad)/,/^}/p' "$source/docs/simulator.md" >deadlock.cl
meet=(deadlock.cl --global 64 --local 64 --arg 'out=i32[64]' --arg bad=100)
expect 0 '^ipdom +deadlock: work-items of one warp come to the barrier at line 11 ' stats "${meet[@]}"
expect 0 '^tf-stack +50 ' stats "${meet[@]}"
expect 1 'target sim: deadlock: .* line 11 ' run "${meet[@]}" --target sim
expect 0 '^62$' run "${meet[@]}" --target sim --scheme tf-sandy --print 'out[1:2]' --warp 16
expect 0 '"block_executions": ' run "${meet[@]}" --target sim --scheme tf-stack --json
expect 0 '^sim-ipdom +unsupported' check "${meet[@]}"
meet[8]=bad=4
expect 0 '' run "${meet[@]}" --target sim --scheme tf-stack --warp 16 --trace stack.trace
expect 0 '^k, tf-stack, 16 lanes$' trace stack.trace
sed -n '/^k, tf-stack, 16 lanes/,/^```/p' "$source/docs/simulator.md" | sed '$d' >wanted.txt
head -"$(wc -l <wanted.txt)" out.txt | cmp -s - wanted.txt || { echo "FAILED: the trace in the documents"; cat out.txt; failures=$((failures + 1)); }
expect 0 '' run "${meet[@]}" --target wave32 --trace wave.trace
expect 0 '^b[0-9]+.caught +15  ....##[.]+ 2/32$' trace wave.trace
expect 1 'deadlock' run "${meet[@]}" --target sim --trace deadlock.trace
expect 0 ' 16/32$' trace deadlock.trace
"$kernelc" trace wave.trace --json >out.txt
python3 -c 'import json; o = json.load(open("out.txt")); assert o["width"] == 32 and o["events"][0]["lanes"] == list(range(32))' || { echo "FAILED: a trace as JSON"; head -5 out.txt; failures=$((failures + 1)); }
expect 2 'trace needs' run "${meet[@]}" --target interp --trace t.trace
expect 2 'one launch' run "${meet[@]}" --target sim --repeat 2 --trace t.trace
expect 3 "cannot write 'none/t.trace'" run "${meet[@]}" --target sim --trace none/t.trace
expect 3 "'good.cl': it is no trace" trace good.cl
head -c 40 stack.trace >cut.trace
expect 3 "'cut.trace': .* at byte" trace cut.trace
expect 2 'scheme' run "${meet[@]}" --target sim --scheme random
expect 5 'uncaught throw of int' stats good.cl --arg 'in=i32[8]:fill(-1)' --arg 'out=i32[8]' --arg add=1 --global 8
expect 2 'count' fuzz --count 0
expect 3 'cannot make the folder' fuzz --count 1 --routes passes --output-dir good.cl/below

# The preprocessor's options.
mkdir -p inc/deep
printf '#include "deep/two.h"\n#define ADD(x) ((x) + TWO)\n' >inc/one.h
printf '#pragma once\n#define TWO 2\n' >inc/deep/two.h
printf '#include <one.h>\nkernel void k(global int* out) {\n    out[0] = ADD(N);\n}\n' >pp.cl
expect 1 "pp.cl:1:10: error: 'one.h' file not found" pp.cl
expect 0 'out\[0\] = \(\(40\) \+ 2\);' pp.cl -I inc -D N=40 -E
expect 0 '^#line 2 "pp.cl"$' pp.cl -Iinc -DN=40 -E
expect 0 '^42$' run pp.cl -Iinc '-DF(x)=(x)*20' '-DN=F(2)' --target interp --global 1 --arg 'out=i32[1]' --print 'out[0]'
expect 0 '\(\(1\) \+ 2\)' pp.cl -I inc -DN -E
expect 1 "undeclared identifier 'N'" pp.cl -I inc -DN -UN
expect 1 'pp.cl:3:18: error: use of undeclared' pp.cl -I inc
expect 0 '\(\(7\) \+ 2\)' pp.cl -include inc/one.h -I inc -D N=7 -E
expect 1 "in file included from <command line>:1" pp.cl -include pp.cl -I inc
expect 1 "cannot read 'inc': it is a directory" pp.cl -include inc
expect 1 "'none.h' file not found" pp.cl -include none.h -I inc
expect 1 '<command line>:1:9: error: macro name must be an identifier' pp.cl -D 3=4 -I inc
"$kernelc" pp.cl -Iinc -DN=1 -E -o pp.i && expect 0 '' -x cl pp.i
"$kernelc" - -Iinc -E >out.txt 2>err.txt < <(printf '#include "inc/one.h"\nADD(5)\n')
grep -q '((5) + 2)' out.txt || { echo "FAILED: #include from standard input"; failures=$((failures + 1)); }

# Locations in included files, and in those that #line names.
for name in checked other; do
  printf 'int %s(int x) {\n    if (x %s)\n        throw x;\n    return x;\n}\n' $name "$([[ $name = other ]] && echo '< 0' || echo '> 5')" >inc/$name.h
done
cat >places.cl <<'KERNEL'
#include <checked.h>
#include <other.h>
kernel void k(global int* p) {
    int i = get_global_id(0);
    p[i] = checked(p[i]) + other(p[i]);
}
KERNEL
places=(-I inc --global 8 --kernel k)
from_checked="^inc/checked.h:3: error: kernel 'k': uncaught throw of int 6 at line 3 of inc/checked.h by work-item \(6, 0, 0\)"
for target in interp wave16 cpu; do
  expect 5 "$from_checked" run places.cl "${places[@]}" --arg 'p=i32[8]:iota' --target $target
  expect 5 '^inc/other.h:3: error: .* at line 3 of inc/other.h by' run places.cl "${places[@]}" --arg 'p=i32[8]:fill(-1)' --target $target
done
expect 5 '"file": "inc/other.h"' run places.cl "${places[@]}" --arg 'p=i32[8]:fill(-1)' --json
expect 5 '^inc/checked.h:3: note: all agreeing routes report' check places.cl "${places[@]}" --arg 'p=i32[8]:iota'
expect 0 '"file": "inc/checked.h"' places.cl -I inc --emit=json
expect 0 '^inc/checked.h:2:11: remark: branch is divergent: depends on get_global_id at line 4 ' places.cl -I inc --emit=wave -Rpass=uniformity
expect 0 '^places.cl:5:20: note: loaded here' places.cl -I inc --emit=wave -Rpass=uniformity
expect 0 '^    if \(x > 5\)$' places.cl -I inc --emit=wave -Rpass=uniformity
expect 0 '^  file 2: "inc/other.h"$' places.cl -I inc --emit=ir -o -
expect 0 ' !3:9:2$' places.cl -I inc --emit=ir -o -
"$kernelc" places.cl -I inc --emit=ir -o places.kir
expect 5 "$from_checked" run places.kir --global 8 --arg 'p=i32[8]:iota' --target interp
expect 0 '^inc/checked.h:2:11: remark: branch is divergent' places.kir --emit=wave -Rpass=uniformity
sed '/file 2/d' places.kir >missing.kir
expect 1 'missing.kir:.*: error: there is no file 2' missing.kir
printf 'kernel void k(global int* p) {\n#line 40 "made.y"\n    throw p[get_global_id(0)];\n}\n' >made.cl
expect 5 '^made.y:40: error: .* at line 40 of made.y' run made.cl --global 1 --arg 'p=i32[1]'
expect 0 '^made.y:40:11: remark: load is contiguous' made.cl -Rpass=shape
! grep -q store err.txt || { echo "FAILED: what a trap leaves for the host is called a store"; failures=$((failures + 1)); }
printf 'kernel void k(global int* p) { if (p[get_global_id(0)] > 3) printf("%%d", p[0]); }\n' >told.cl
expect 0 ': remark: load is contiguous' told.cl -Rpass=shape
! grep -q store err.txt || { echo "FAILED: a message for the host is called a store"; failures=$((failures + 1)); }
expect 0 '^{"severity":"remark","file":"made.y","line":40,' made.cl -Rpass=shape --diagnostics-format=json
expect 0 'OpLine ' places.cl -I inc --target=vulkan -S
grep -q 'OpString "inc/other.h"' out.txt || { echo "FAILED: SPIR-V does not name an included file"; failures=$((failures + 1)); }
printf 'int many(int x);\n#line 5 "declared.h"\nint many(int x)\n#line 9 "body.h"\n{ int s = 0; for (int i = 0; i < x; ++i) s += i * x; if (s == 77) throw s; return s; }\n' >region.cl
printf '#line 20 "region.cl"\nkernel void k(global int* p) { p[0] = many(p[1]) + many(p[2]); }\n' >>region.cl
"$kernelc" region.cl -finline-budget=0 --emit=ir -o region.kir && expect 0 'call' region.kir --emit=ir
expect 0 'file 2: "body.h"' region.kir --emit=ir
expect 0 '' run region.cl --global 8 --arg 'p=i32[3]' --target wave8 --trace region.trace
expect 0 '^b[0-9]+[.a-z]* +body.h:9  [#.]{8} [0-9]/8$' trace region.trace
expect 0 '^block +line  lanes$' trace region.trace
printf '#define PUT p[0] = get_global_id(0)\n#include "races.h"\n' >races.cl
printf 'kernel void k(global int* p) {\n    PUT;\n    p[1] += 1;\n}\n' >races.h
expect 0 'order-dependent .*line 2 of races.h and line 2 of races.h race' check races.cl -I . --global 64 --arg 'p=i32[2]'

# Accesses outside the buffers are traps, on every target.
for target in interp passes wave8 sim avx2 cpu gfx900; do
  expect 5 "good.cl:[0-9]+: error: kernel 'twice': out of bounds: load of 4 bytes from in.5. at line [0-9]+ by work-item .5, 0, 0.; 3 work" \
    run good.cl --arg 'in=i32[5]' --arg 'out=i32[8]' --arg add=1 --global 8 --check-bounds --target $target
done
expect 5 '^passes +pass' check good.cl --arg 'in=i32[5]' --arg 'out=i32[8]' --arg add=1 --global 8 --check-bounds --routes passes,wave16,avx2
grep -q '^avx2 *\(pass\|skipped\)' out.txt || { echo "FAILED: check --check-bounds"; cat out.txt; failures=$((failures + 1)); }
# Without checks it is a fault, or what a simulator reports, and a second launch tells which access it was.
cat >gather.cl <<'KERNEL'
kernel void gather(global const int* in, global const int* at, global int* out) {
    int i = get_global_id(0);
    out[i] = 2 * i + 1;
    out[i] = in[at[i]];
}
KERNEL
outside=(gather.cl --arg 'in=i32[5]:iota' --arg 'at=i32[8]:iota' --arg 'out=i32[8]' --global 8)
for target in interp passes wave8 sim avx2 cpu gfx900; do
  expect 5 "gather.cl:4: error: kernel 'gather': out of bounds: load of 4 bytes from in.5. at line 4 by work-item .5, 0, 0.; 3 work" run "${outside[@]}" --target $target --print 'out[4:6]'
  grep -q "note: 'in' has 5 elements of 4 bytes" err.txt && [[ $(tr '\n' ' ' <out.txt) == '4 11 ' ]] || { echo "FAILED: a fault on $target"; cat err.txt out.txt; failures=$((failures + 1)); }
done
expect 5 '"kind": "out of bounds"' run "${outside[@]}" --json
# What idle lanes would read behind the end of a buffer, or in front of its start, is no access.
cat >idle.cl <<'KERNEL'
kernel void idle(global const uchar* in, global int* out, int n) {
    int i = get_global_id(0), sum = 0;
    if (i & 1) sum = in[i] + 1;
    if (i % 3 == 0) sum += in[n - 1 - i];
    if (i % 5 == 1) sum += in[min(i + 2, n - 1)];
    out[i] = sum;
}
KERNEL
for n in 4096 5000 8191; do
  idle=(run idle.cl --global $n --arg "in=u8[$n]:iota" --arg "out=i32[$n]" --arg n=$n --print out)
  expect 0 '^[0-9]+$' "${idle[@]}" --target interp
  mv out.txt idle.txt
  for width in 8 32; do
    expect 0 '^[0-9]+$' "${idle[@]}" --target avx2 --width $width
    cmp -s out.txt idle.txt || { echo "FAILED: idle lanes at $n of $width"; failures=$((failures + 1)); }
  done
done
# A store beside a buffer of a Vulkan device hits a margin of its own, and ends no process.
cat >beside.cl <<'KERNEL'
kernel void beside(global int* out, global const int* by) { out[by[0] + (int)get_global_id(0)] = 7; }
KERNEL
if "$kernelc" devices 2>/dev/null | grep -qE '^vulkan +yes'; then
  for by in -64 5 4000; do
    expect 5 "beside.cl:1: error: kernel 'beside': out of bounds: store of 4 bytes to out.$((by < 0 ? by : by < 8 ? 8 : by))." \
      run beside.cl --global 8 --arg 'out=i32[8]' --arg "by=i32[1]:fill($by)" --target vulkan
  done
  expect 0 '^7$' run beside.cl --global 8 --arg 'out=i32[8]' --arg 'by=i32[1]' --target vulkan --print out
fi

# Half-precision numbers: fillers convert, and so does --print; 16 bits as they are remain possible.
cat >half.cl <<'KERNEL'
kernel void half_of(global const half* in, global half* out) {
    int i = get_global_id(0);
    vstore_half(vload_half(i, in) * 0.5f, i, out);
}
KERNEL
halves() { expect 0 "$1" run half.cl --global 4 --arg "in=$2" --arg 'out=f16[4]' --print out; [[ $(tr '\n' ' ' <out.txt) == "$3 " ]] || { echo "FAILED: halves of $2"; cat out.txt; failures=$((failures + 1)); }; }
halves '^1.5$' 'f16[4]:iota' '0 0.5 1 1.5'
halves '^0.05$' 'f16[4]:fill(0.1)' '0.05 0.05 0.05 0.05'
halves '^inf$' 'f16[4]:fill(inf)' 'inf inf inf inf'
halves '^-6e-08$' 'u16[4]:fill(0x8002)' '-6e-08 -6e-08 -6e-08 -6e-08'
halves '^0.5$' 'i16[4]:fill(0x3c00)' '0.5 0.5 0.5 0.5'
expect 0 '^wave8 +pass' check half.cl --global 4 --arg 'in=f16[4]:rand(1,-2,2)' --arg 'out=f16[4]' --routes passes,wave8
expect 0 'ptr<global> in of i16 half const' half.cl --emit=ir
"$kernelc" half.cl --emit=ir -o half.kir && expect 0 '^1$' run half.kir --global 4 --arg 'in=f16[4]:iota' --arg 'out=f16[4]' --print 'out[2:3]'
expect 0 '"element": "f16"' half.cl --emit=json
expect 2 "'1e6' is too large for half" run half.cl --global 4 --arg 'in=f16[4]:fill(1e6)' --arg 'out=f16[4]'
expect 2 "elements are 2 bytes, f32 has 4; write f16.N." run half.cl --global 4 --arg 'in=f32[4]' --arg 'out=f16[4]'
# perf finds the names of kernels.
KERNELC_PERF_MAP=1 "$kernelc" run gather.cl --arg 'in=i32[8]' --arg 'at=i32[8]' --arg 'out=i32[8]' --global 8 &
wait $!
grep -qE '^[0-9a-f]+ [0-9a-f]+ gather$' /tmp/perf-$!.map || { echo "FAILED: no map for perf"; failures=$((failures + 1)); }
rm -f /tmp/perf-$!.map
expect 5 'out of bounds: load of 4 bytes from in.5.' check "${outside[@]}"
"$kernelc" gather.cl --emit=wave --target=avx2 --global 8 -o gather.kir
expect 5 'access out of bounds at line 4: at the end of .in., which has 20 bytes' run gather.kir "${outside[@]:1}" --target avx2
expect 5 'out of bounds: load of 4 bytes from in.-400000000.' run gather.cl --arg 'in=i32[5]' --arg 'at=i32[8]:fill(-400000000)' --arg 'out=i32[8]' --global 8
expect 2 'exclude each other' run good.cl "${args[@]}" --check-bounds --passes=mem2reg
expect 0 '' good.cl --passes=mem2reg,check_bounds --emit=ir -o sized.kir
grep -q 'hidden=size_0' sized.kir || { echo "FAILED: no sizes"; failures=$((failures + 1)); }
expect 1 'nothing tells an object how large' sized.kir --target=avx2 -o sized.o

# Launches that do not terminate.
cat >spin.cl <<'KERNEL'
kernel void spin(global volatile int* flag, global int* out) {
    int i = get_global_id(0);
    out[i] = i + 1;
    if (i == 5) while (flag[0] == 0) out[4] += 1;
}
KERNEL
spin=(spin.cl --global 16 --arg 'flag=i32[1]' --arg 'out=i32[16]' --timeout 0.2)
for target in interp wave16 sim avx2; do
  rm -f spin.bin
  expect 5 "kernel 'spin' did not end within 0.2 s on $target; a work-item was at line 4" run "${spin[@]}" --target $target --print 'out[2]' --dump out=spin.bin
  [[ $(cat out.txt) == 3 && $(stat -c %s spin.bin) == 64 ]] || { echo "FAILED: no buffers after a timeout"; failures=$((failures + 1)); }
done
expect 5 '"stopped": "did not end within 0.2 s"' run "${spin[@]}" --json --target avx2
expect 5 "did not end within 0.2 s on interp" check "${spin[@]}"
[[ -s out.txt ]] && { echo "FAILED: a table without a reference"; failures=$((failures + 1)); }
expect 0 '^6$' run spin.cl --global 16 --arg 'flag=i32[1]:fill(1)' --arg 'out=i32[16]' --timeout 20 --print 'out[5]' --repeat 2
# A work-item of the same wave never reaches the store that another one waits for.
cat >wait.cl <<'KERNEL'
kernel void k(global volatile int* flag, global int* out) {
    int i = get_global_id(0);
    if (i == 1) while (flag[0] == 0) out[1]++;
    if (i == 0) flag[0] = 1;
    out[i] = 3;
}
KERNEL
wait=(wait.cl --global 8 --local 8 --arg 'flag=i32[1]' --arg 'out=i32[8]' --timeout 0.3)
expect 5 '^wave8 +timed out .* did not end within 0.3 s; a work-item was at line 3$' check "${wait[@]}" --routes wave8,passes,avx2
grep -qE '^passes +pass' out.txt && grep -qE '^avx2 +(timed out|skipped)' out.txt || { echo "FAILED: a timeout stops other routes"; cat out.txt; failures=$((failures + 1)); }
# A cancelled launch is not a trap, even if a work-item trapped before.
cat >stopped.cl <<'KERNEL'
kernel void k(global int* out, int go) {
    int i = get_global_id(0);
    if (i == 0) throw i;
    while (go) out[i] += 1;
}
KERNEL
stopped=(stopped.cl --global 4 --arg 'out=i32[4]' --target interp --max-steps 1000)
expect 5 'more than 1000 steps' run "${stopped[@]}" --arg go=1
expect 5 'uncaught throw of int 0 at line 3' run "${stopped[@]}" --arg go=0
expect 2 "'avx2' counts no steps, but --timeout stops it" run "${wait[@]}" --target avx2 --max-steps 10
expect 0 'end a launch that takes longer .60.' check --help
expect 2 'trace goes with --max-steps' run "${wait[@]}" --target sim --trace t.trace
expect 2 'timeout' run "${wait[@]}" --timeout -1

# Code objects as input: kernelc's own, and another compiler's.
cat >plain.cl <<'KERNEL'
kernel void plain(global const int* in, global float* out, int add, local int* last) {
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    last[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (float)(last[n - 1 - l] + add) + 0.5f;
}
KERNEL
plain=(--global 128 --offset 0 --arg 'out=f32[128]' --arg last=256 --print 'out[0:2]' --print 'out[127]')
if "$kernelc" plain.cl --target=gfx900 --emit=hsaco -o ours.hsaco 2>err.txt; then
  expect 0 'emulated' run ours.hsaco "${plain[@]}" --local 64 --arg 'in=i32[128]:iota' --arg add=3
  [[ $(tr '\n' ' ' <out.txt) == '66.5 65.5 67.5 ' ]] || { echo "FAILED: our object"; cat out.txt; failures=$((failures + 1)); }
  expect 2 "is a code object, which 'avx2' does not run" run ours.hsaco "${plain[@]}" --arg 'in=i32[128]' --arg add=3 --target avx2
  expect 2 'check needs source' check ours.hsaco --global 128 --arg 'out=f32[128]' --arg last=256 --arg 'in=i32[128]' --arg add=3
  expect 2 "has no kernel 'other'" run ours.hsaco "${plain[@]}" --kernel other
  "$kernelc" good.cl --target=gfx900 --emit=hsaco -o throws.hsaco
  expect 5 "uncaught throw" run throws.hsaco --arg 'in=i32[8]:fill(-1)' --arg 'out=i32[8]' --arg add=1 --global 8
  expect 0 '^5$' run throws.hsaco --arg 'in=i32[8]:iota' --arg 'out=i32[8]' --arg add=1 --global 8 --print 'out[2]'
  printf 'constant int t[2] = {3, 4};\nkernel void k(global int* x) { x[get_global_id(0)] = t[x[get_global_id(0)] & 1]; }\n' >table.cl
  "$kernelc" table.cl --target=gfx900 --emit=hsaco -o table.hsaco
  expect 0 '^4$' run table.hsaco --arg 'x=i32[8]:iota' --global 8 --print 'x[3]'
  expect 1 "kernel 'say' calls printf: an object has nowhere to put messages" say.cl --target=gfx900 -o say.hsaco
  cat >whole.cl <<'KERNEL'
struct mixed { char a; float b; int c[2]; };
kernel void k(global float* out, char before, float3 v, struct mixed m, int after) {
    out[get_global_id(0)] = v.z + m.a + m.b + m.c[1] + before + after;
}
KERNEL
  "$kernelc" whole.cl --target=gfx900 -o whole.hsaco
  expect 0 '^10111.5$' run whole.hsaco --global 1 --arg 'out=f32[1]' --arg before=1 --arg 'v=(7,8,10000)' --arg 'm=(10,0.5,7,100)' --arg after=0 --print out
  head -c 700 ours.hsaco >cut.hsaco
  expect 1 'cut.hsaco.: code object: ' run cut.hsaco "${plain[@]}"
fi
# Modules of kernelc are input, too; only Vulkan runs them. Their structure can be printed as text.
expect 0 '^return$' plain.cl --emit=regions
if "$kernelc" plain.cl --target=vulkan -o ours.spv 2>err.txt; then
  expect 2 "is a SPIR-V module, which 'avx2' does not run" run ours.spv "${plain[@]}" --arg 'in=i32[128]' --arg add=3 --target avx2
  expect 2 'check needs source' check ours.spv --global 128 --arg 'out=f32[128]' --arg last=256 --arg 'in=i32[128]' --arg add=3
  head -c 1600 ours.spv >cut.spv
  expect 1 'cut.spv.: the module was changed after kernelc made it|cut.spv.: .*(cut off|damaged)' run cut.spv "${plain[@]}"
  printf '\x03\x02\x23\x07\x00\x05\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00' >foreign.spv
  expect 1 'foreign.spv.: it is not a module that kernelc made' run foreign.spv "${plain[@]}"
  if "$kernelc" devices 2>/dev/null | grep -qE '^vulkan +yes'; then
    expect 0 '^66.5$' run ours.spv "${plain[@]}" --local 64 --arg 'in=i32[128]:iota' --arg add=3
    [[ $(tr '\n' ' ' <out.txt) == '66.5 65.5 67.5 ' ]] || { echo "FAILED: our module"; cat out.txt; failures=$((failures + 1)); }
    # Running out of device memory is not an error of the kernel. The driver's own memory use varies.
    short=0
    for kilobytes in 1100000 1300000 1500000 1700000 1900000; do
      (ulimit -v $kilobytes && exec "$kernelc" run good.cl --global 16 --arg 'in=i32[100000000]' --arg 'out=i32[16]' --arg add=1 --target vulkan) >out.txt 2>err.txt
      status=$?
      grep -q 'vkAllocateMemory of 400000000 bytes: out of device memory$' err.txt || continue
      short=1
      [[ $status == 4 ]] || { echo "FAILED: a device without memory: status $status"; cat err.txt; failures=$((failures + 1)); }
    done
    [[ $short == 1 ]] || echo "skipped: no limit lets the device open and the buffer not"
    # The environment selects where the pipeline cache is stored, or disables it; a missing folder is not an
    # error.
    for cache in "$work/kept" /dev/null/nowhere off; do
      for _ in 1 2; do
        XDG_CACHE_HOME="$work/unused" KERNELC_VULKAN_CACHE=$cache expect 0 '^66.5$' run ours.spv "${plain[@]}" --local 64 --arg 'in=i32[128]:iota' --arg add=3
      done
    done
    XDG_CACHE_HOME="$work/xdg" KERNELC_VULKAN_CACHE='' expect 0 '^66.5$' run ours.spv "${plain[@]}" --local 64 --arg 'in=i32[128]:iota' --arg add=3
    kept=$(find . -name 'pipelines-*' | sed 's/-.*//' | sort | tr '\n' ' ')
    [[ $kept == './kept/pipelines ./xdg/kernelc/pipelines ' && ! -e off ]] || { echo "FAILED: pipelines are kept in '$kept'"; failures=$((failures + 1)); }
  fi
fi
if command -v clang-19 >/dev/null && clang-19 -x cl -target amdgcn-amd-amdhsa -mcpu=gfx900 -cl-std=CL1.2 -O2 -cl-kernel-arg-info \
  -mcode-object-version=4 --rocm-device-lib-path=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode -Xclang -finclude-default-header \
  plain.cl -o theirs.hsaco 2>err.txt; then
  expect 0 'emulated' run theirs.hsaco "${plain[@]}" --local 64 --arg 'in=i32[128]:iota' --arg add=3
  [[ $(tr '\n' ' ' <out.txt) == '66.5 65.5 67.5 ' ]] || { echo "FAILED: clang's object"; cat out.txt; failures=$((failures + 1)); }
else
  echo "skipped: clang-19 makes no object for gfx900 here"
fi

# Several kernels in a file, for each machine of gfx9.
printf 'kernel void a(global int* x) { x[get_global_id(0)] += 1; }\nkernel void b(global int* x) { x[get_global_id(0)] *= 3; }\n' >two.cl
for cpu in gfx900 gfx906 gfx908 gfx90a; do
  expect 0 "amdgcn_target .amdgcn-amd-amdhsa--$cpu" two.cl --target=$cpu -S
  [[ $(grep -c 's_endpgm' out.txt) == 2 && $(grep -c '[[:space:]].amdgpu_metadata' out.txt) == 1 ]] || { echo "FAILED: two kernels in a text"; failures=$((failures + 1)); }
  if "$kernelc" two.cl --target=$cpu -o two.hsaco 2>err.txt; then
    expect 0 '^9$' run two.hsaco --kernel b --global 4 --arg 'x=i32[4]:iota' --print 'x[3]'
    expect 2 'several kernels, choose one' run two.hsaco --global 4 --arg 'x=i32[4]'
    other=gfx900
    [[ $cpu == gfx900 ]] && other=gfx90a
    expect 1 "the object is for $cpu" run two.hsaco --kernel b --global 4 --arg 'x=i32[4]' --target $other
  fi
done
expect 2 "unknown target 'gfx1100'" two.cl --target=gfx1100 -S

# Buffers are written even if work-items trapped.
"$kernelc" run good.cl --arg 'in=i32[4]:rand(1,-2,2)' --arg 'out=i32[4]:fill(9)' --arg add=0 --global 4 --target interp \
  --dump out=dump.bin >/dev/null 2>&1
[[ $(stat -c %s dump.bin 2>/dev/null) == 16 ]] || { echo "FAILED: no dump after a trap"; failures=$((failures + 1)); }

expect 2 'ids of dimension 0 reach 2\^31' run good.cl --arg 'in=i32[4]' --arg 'out=i32[4]' --arg add=0 --global 4 \
  --offset 2147483645 --target interp

# Printed output of every stage can be read back, and truncated text is an error with a location.
"$kernelc" good.cl --emit=ir -o stage.kir && expect 0 '^thread func @twice' stage.kir --emit=ir
for bytes in 10 60 150 300; do
  head -c $bytes stage.kir >cut.kir
  expect 1 '^cut.kir:[0-9]+:[0-9]+: error' cut.kir -x ir
  head -c $bytes "$source/examples/scanner/scanner.cl" >cut.cl
  "$kernelc" cut.cl >out.txt 2>&1
  [[ $? -le 1 ]] || { echo "FAILED: truncated source at $bytes bytes"; failures=$((failures + 1)); }
done

# The statement that sends lanes different ways is named, and the one that keeps them from reconverging.
papers=$2/bench/papers/kernels
expect 0 'another path in line 6 \(an if\), and come here later: the branch in line 8 \(a throw\) may go past' \
  explain "$papers/exception_cond.cl" --global 256 --local 64 --arg 'in=f32[256]:rand(1,0,100)' --arg 'out=f32[256]' \
  --arg rounds=100 --arg most=1000.0f
expect 0 'in line 12 \(an if under a short-circuit condition\), and come here later: another part of that condition' \
  explain "$papers/short_circuit.cl" --global 256 --local 64 --arg 'in=f32[256]:rand(1,0,1)' --arg 'out=i32[256]' \
  --arg rounds=32
expect 0 'another path in line 22 \(a switch\)$' explain "$papers/split_merge.cl" --global 256 --local 64 \
  --arg 'in=f32[256]:rand(1,0,1)' --arg 'out=f32[256]' --arg rounds=8

# The lab lies beside the command.
cp "$kernelc" alone
kernelc=./alone expect 4 "no lab: 'cmake --build .* --target lab' makes it" lab

[[ $failures -eq 0 ]] && echo "all of the command's tests passed"
exit $((failures != 0))
