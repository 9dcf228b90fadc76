#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check --against: the reference is another program, and what is checked may be IR of any dialect.
. "$2/tests/cli/expect.sh"

cat >ref.cl <<'KERNEL'
kernel void k(global const float* in, global float* out, int n) {
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++) s = s * in[i] + 1.0f;
    if (n > 100 && i == 3) throw n;
    out[i] = s;
}
KERNEL
# Equal in what it computes, not in its lines.
cat >same.cl <<'KERNEL'


kernel void k(global const float* in, global float* out, int n) {
    int i = get_global_id(0);
    float s = 0;
    int j = 0;
again:
    if (j < n) { s = s * in[i] + 1.0f; j++; goto again; }
    if (n > 100 && i == 3)
        throw n;
    out[i] = s;
}
KERNEL
sed 's/1.0f/1.5f/' same.cl >other.cl
launch=(--global 64 --local 16,1 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=5)
against() { expect "$1" "$2" check --against ref.cl "$3" "${launch[@]}" "${@:4}"; }

against 0 '^against +reference ' same.cl
grep -qE '^interp +pass ' out.txt && grep -qE '^avx2 +pass |^avx2 +skipped ' out.txt || fail 'routes of --against'
against 6 "^interp +FAIL .* out\[0\] is 1.5, expected 1$" other.cl --routes interp
against 6 '"result": "FAIL"' other.cl --routes interp --json
against 0 '"route": "against"' same.cl --routes interp,passes --json
# Traps: lines may differ, values may not.
expect 5 '^interp +pass' check --against ref.cl same.cl --global 64 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=200 --routes interp,passes,sim-ipdom
sed 's/throw n/throw n + 1/' same.cl >trap.cl
expect 6 'reports another trap' check --against ref.cl trap.cl --global 64 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=200 --routes interp
launch=(--global 64 --local 16,1 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=5)

# Bytes of a float parameter are compared as floats: NaNs are equal whatever their signs, other bits are not.
echo 'kernel void k(global float* out, uint bits) { out[0] = as_float(bits ^ 0x80000000u); }' >negated.cl
echo 'kernel void k(global float* out, uint bits) { out[0] = as_float(bits); }' >plain.cl
expect 0 '^interp +pass' check --against plain.cl negated.cl --global 1 --arg 'out=u8[4]' --arg bits=0x7fc00000 --routes interp
expect 6 'out\[0\] is -1, expected 1$' check --against plain.cl negated.cl --global 1 --arg 'out=u8[4]' --arg bits=0x3f800000 --routes interp

# Every dialect, as text and as JSON; with a route that runs it, or none.
same_ir() {
  local route=$1
  shift
  for form in kir json; do
    "$kernelc" same.cl "$@" -o same.kir && "$kernelc" other.cl "$@" -o other.kir || fail "$*"
    if [[ $form == json ]]; then
      "$kernelc" same.kir --emit=ir-json --passes=none -o same.json && "$kernelc" other.kir --emit=ir-json --passes=none -o other.json
    fi
    against 0 "^$route +pass " same.$form
    against 6 "^$route +FAIL " other.$form
  done
}
same_ir interp --emit=ir --passes=mem2reg
same_ir wave16 --emit=wave --width=16
same_ir avx512 --emit=machine --target=avx512
same_ir gfx900 --emit=machine --target=gfx900
"$kernelc" same.cl --emit=wave --width=16 -o wave.kir
against 0 '^wave8 +unsupported ' wave.kir
against 0 '^interp +unsupported ' wave.kir
against 4 'no route of this machine runs' wave.kir --routes interp
"$kernelc" same.cl --target=gfx900 --stop-after=allocate_vectors -o allocated.kir
against 4 'no route of this machine runs' allocated.kir

# The passes of the command are those of FILE.
against 6 '^passes +FAIL' same.cl --routes passes --passes="mem2reg,exec:sed s/0x1p+0/0x1.8p+0/"
against 0 '^passes +pass' same.cl --routes passes --passes=mem2reg,exec:cat

# Kernels and parameters that do not go together.
sed 's/, int n/, int m/; s/n; j/m; j/; s/n > 100/m > 100/; s/throw n/throw m/' ref.cl >named.cl
expect 2 "parameter 3 of 'k' in named.cl is 'm', and in ref.cl it is 'n'" check --against ref.cl named.cl --global 64 --arg 'f32[64]' --arg 'f32[64]' --arg 5
sed 's/, int n/, int n, int m/' ref.cl >more.cl
expect 2 "has 4 parameters" check --against ref.cl more.cl "${launch[@]}" --arg m=1
expect 3 'cannot read' check --against none.cl same.cl "${launch[@]}"
expect 1 'error' check --against <(echo 'kernel void k( {') same.cl "${launch[@]}"
expect 2 "not with --script" check --against ref.cl same.cl --script s.txt
cat ref.cl >two.cl
echo 'kernel void other(global int* out) { out[0] = 1; }' >>two.cl
expect 0 '^interp +pass' check --against two.cl same.cl "${launch[@]}" --routes interp

# Sub-groups: the simulator runs the reference with the shape of each route.
cat >sub.cl <<'KERNEL'
kernel void s(global int* out) {
    int i = get_global_id(0);
    out[i] = sub_group_reduce_add(i);
}
KERNEL
sed 's/reduce_add(i)/reduce_add(i + 1)/' sub.cl >sub2.cl
expect 0 '^wave16 +pass' check --against sub.cl sub.cl --global 64 --arg 'out=i32[64]' --routes wave16,wave32
expect 6 '^wave16 +FAIL' check --against sub.cl sub2.cl --global 64 --arg 'out=i32[64]' --routes wave16
exit $((failures != 0))
