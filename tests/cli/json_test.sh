#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# IR as JSON by the command: the examples in every dialect, there and back; tests/run/json_stages_test.cpp has more.
. "$2/tests/cli/expect.sh"

# same NAME ARGS...: what the command prints as text is the same by way of JSON.
stages=0
same() {
  local name=$1
  shift
  "$kernelc" "$@" >stage.kir 2>err.txt || return 1
  "$kernelc" -x ir stage.kir --emit=ir --passes=none >text.kir 2>err.txt &&
    "$kernelc" stage.kir --emit=ir-json --passes=none -o stage.json 2>err.txt &&
    "$kernelc" stage.json --emit=ir --passes=none >again.kir 2>err.txt && cmp -s text.kir again.kir ||
    fail "$name differs by way of JSON: $(head -3 err.txt)"
  # With the numbers of machine functions, by which an answer about them names values.
  cmp -s stage.kir text.kir || fail "$name differs when it is read back: $(diff stage.kir text.kir | head -5)"
  stages=$((stages + 1))
}
for name in scanner ray_tracer queens exceptions photons pathfinding; do
  file=$source/examples/$name/$name.cl
  for more in "--passes=none" "-O0" "" "--stop-after=mem2reg"; do
    # shellcheck disable=SC2086
    same "$name $more" "$file" --emit=ir $more || fail "$name $more: $(head -3 err.txt)"
  done
  same "$name in waves" "$file" --emit=wave --width=16 || fail "$name: $(head -3 err.txt)"
  for target in avx2 avx512 gfx900; do
    same "$name for $target" "$file" --target=$target --emit=machine || fail "$name: $(head -3 err.txt)"
  done
  same "$name allocated" "$file" --target=gfx900 --stop-after=allocate_vectors || fail "$name: $(head -3 err.txt)"
  same "$name allocated" "$file" --target=avx512 --stop-after=allocate_registers || fail "$name: $(head -3 err.txt)"
done
[[ $stages -ge 60 ]] || fail "only $stages stages were compared"

cat >k.cl <<'KERNEL'
kernel void k(global const float* in, global float* out, int n) {
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++) s = s * in[i] + 1.0f;
    out[i] = s;
}
KERNEL
launch=(--global 64 --local 16,1 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=5 --print out)

# It is the stage of --emit=ir, or with --passes and --stop-after that which is left.
expect 0 '^\{"kernelc_ir": 1, "functions": \[$' k.cl --emit=ir-json
"$kernelc" k.cl --emit=ir -o k.kir && "$kernelc" k.cl --emit=ir-json | "$kernelc" - --emit=ir --passes=none | cmp -s - k.kir ||
  fail "--emit=ir-json is not the stage of --emit=ir"
expect 0 '"op": "var_set"' k.cl --emit=ir-json --passes=dce
expect 0 '"dialect": "wave"' k.cl --emit=ir-json --target=avx512 --stop-after=lower_to_wave
expect 0 '"dialect": "x64", "kernel": true, "width": [0-9]+,$' k.cl --emit=ir-json --target=avx512 --stop-after=machine_dce
expect 0 '"slot": |"reg": [0-9]+' k.cl --emit=ir-json --target=gfx900 --stop-after=allocate_vectors
expect 2 'what is left there is no IR' k.cl --emit=ir-json --target=avx512 --stop-after=expand_pseudos

# What is read from JSON runs and is compiled like text.
"$kernelc" run k.cl "${launch[@]}" --target=interp >want.txt
for stage in "--emit=ir-json" "--emit=ir-json --target=avx512 --stop-after=demanded_lanes" \
  "--emit=ir-json --target=gfx900 --stop-after=machine_dce"; do
  # shellcheck disable=SC2086
  "$kernelc" k.cl $stage -o k.json && "$kernelc" run k.json "${launch[@]}" 2>err.txt | cmp -s - want.txt ||
    fail "run of $stage: $(cat err.txt)"
done
"$kernelc" k.cl --target=gfx900 -S -o whole.s
"$kernelc" k.cl --emit=ir-json --target=gfx900 --stop-after=machine_dce | "$kernelc" - -S -o rest.s &&
  cmp -s whole.s rest.s || fail "machine IR as JSON is compiled to other code"

# Numbers that cannot be ids keep their order.
"$kernelc" k.cl --target=gfx900 --stop-after=machine_dce -o k.kir
sed -E 's/%([0-9]+)/%9\1\1\1\1/g' k.kir >far.kir
expect 0 '^gcn func' far.kir --emit=ir --passes=none
grep -q '%9[0-9]{7}' out.txt && fail 'a few values have ids of millions'
"$kernelc" far.kir -S | cmp -s - whole.s || fail 'other numbers make other code'

# Errors have places.
printf '{"kernelc_ir": 1, "functions": [\n {"name": "k", "dialect": "thread", "blocks": [\n  {"id": 0, "insts": [\n   {"op": "rat"}]}]}]}' >bad.json
expect 1 '^bad.json:4:[0-9]+: error: there is no such opcode in the thread dialect, at /functions/0/blocks/0/insts/0/op$' bad.json
sed 's/rat/br/' bad.json >br.json
expect 1 "br.json:4:[0-9]+: error: 'br' has 0 targets \(in @k\), at /functions/0/blocks/0/insts/0$" br.json
printf '{"kernelc_ir": 1,,' >bad.json
expect 1 '^bad.json:1:18: error: syntax error while parsing object key' bad.json
head -c 70000000 /dev/zero | tr '\0' ' ' >blank.json
printf '{}' >>blank.json
expect 1 'larger than 64 MiB' blank.json
exit $((failures != 0))
