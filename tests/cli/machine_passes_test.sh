#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Passes on machine functions are watched as all others are: printed, stopped at, timed, written, resumed.
set -u
kernelc=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$source/tests/cli/expect.sh"

# in_order FILE PATTERN...: lines that match, one after the other.
in_order() {
  local file=$1 at=0 found
  shift
  for pattern; do
    found=$(tail -n "+$((at + 1))" "$file" | grep -nE -m 1 -- "$pattern" | cut -d: -f1)
    if [[ -z $found ]]; then
      fail "no '$pattern' after line $at of $file"
      return
    fi
    at=$((at + found))
  done
}

cat >k.cl <<'KERNEL'
kernel void k(global const float* in, global float* out, int n) {
    int i = get_global_id(0);
    float s = 0;
    for (int j = 0; j < n; j++) s = s * in[i] + 1.0f;
    out[i] = s;
}
KERNEL

declare -A dialect=([avx2]=x64 [avx512]=x64 [gfx900]=gcn)
declare -A allocation=([avx2]=allocate_registers [avx512]=allocate_registers [gfx900]=allocate_scalars)
declare -A last=([avx2]=encode [avx512]=encode [gfx900]=print_assembly)
declare -A comment=([avx2]='#' [avx512]='#' [gfx900]=';')
declare -A returns=([avx2]='ret' [avx512]='ret' [gfx900]='s_endpgm')
for target in avx2 avx512 gfx900; do
  # Thread, wave and machine passes in order, and no output but theirs.
  expect 0 '' k.cl --target=$target --print-after=all
  [[ -s out.txt ]] && fail "--print-after=all writes to stdout for $target"
  in_order err.txt '^; after mem2reg: @k' '^thread func @k' '^; after lower_to_wave: @k' '^wave func @k' \
    '^; after select_instructions: @k' "^${dialect[$target]} func @k" '^; after combine_instructions' \
    "^; after ${allocation[$target]}" '@r[0-9]' "^${comment[$target]} after expand_pseudos" \
    "^${comment[$target]} after ${last[$target]}" "${returns[$target]}"

  # A pass to stop after: the function goes to stdout or to a file.
  expect 0 "^${dialect[$target]} func @k" k.cl --target=$target --stop-after=combine_instructions
  expect 0 '' k.cl --target=$target --stop-after=combine_instructions -o combined.kir
  cmp -s out.txt combined.kir && fail "-o goes to stdout"
  "$kernelc" k.cl --target=$target --stop-after=combine_instructions | cmp - combined.kir || fail "-o differs"
  expect 0 "^${dialect[$target]} func @k.*" k.cl --target=$target --stop-after="${allocation[$target]}"
  grep -q '@r[0-9]' out.txt || fail "no registers after allocation for $target"
  expect 0 "${returns[$target]}" k.cl --target=$target --stop-after=expand_pseudos
  grep -q ' func @k' out.txt && fail "IR after expand_pseudos for $target"

  # Machine IR before register allocation.
  expect 0 "^${dialect[$target]} func @k" k.cl --target=$target --emit=machine

  # Times, also of an object.
  for more in "" "-o k.o" "-S -o k.s"; do
    # shellcheck disable=SC2086
    expect 0 '' k.cl --target=$target --time-passes $more
    in_order err.txt '^mem2reg ' '^lower_to_wave ' '^select_instructions ' "^${allocation[$target]} " \
      '^expand_pseudos ' "^${last[$target]} " '^total '
  done

  # The numbers of files go on.
  expect 0 '' k.cl --target=$target --dump-dir dump.$target
  ls dump.$target >files.txt
  sed -E 's/^k\.([0-9]+)-.*/\1/' files.txt >numbers.txt
  seq -f '%02.0f' "$(wc -l <files.txt)" | cmp -s - numbers.txt || fail "numbers of files for $target"
  in_order files.txt '^k.01-mem2reg.kir$' 'lower_to_wave.kir$' 'select_instructions.kir$' 'expand_pseudos.s$'
  expect 3 'cannot write' k.cl --target=$target --dump-dir /dev/null/nowhere
done

# Names: unknown ones, and those of another machine.
expect 2 "there is no pass 'insert_waitcnts'; did you mean 'insert_waitcnt'\?" k.cl --target=gfx900 --stop-after=insert_waitcnts
expect 2 "there is no pass 'mem2rek'; did you mean 'mem2reg'" k.cl --target=avx2 --print-after=mem2rek
expect 2 "there is no pass 'licn'; did you mean 'licm'" k.cl --passes=mem2reg,licn
expect 2 'pass insert_waitcnt does not run for avx2' k.cl --target=avx2 --stop-after=insert_waitcnt
expect 2 'pass encode needs a --target' k.cl --stop-after=encode
expect 2 'leaves no object' k.cl --target=avx2 --emit=obj -o k.o --stop-after=encode
expect 2 '--emit=machine needs a --target' k.cl --emit=machine
expect 2 'no --emit=machine' k.cl --emit=machine --target=vulkan
expect 0 '^x64:$' passes
in_order out.txt '^thread:$' '  licm ' '^wave:$' '^x64:$' '  encode ' '^gcn:$' '  insert_waitcnt '

# Text of waves and of machine functions is compiled further, to the same code as the kernel itself.
resumes() {
  local file=$1 target=$2 name=$3
  shift 3
  "$kernelc" "$file" --kernel="$name" --target="$target" -S -o whole.s || fail "$file for $target"
  for stage; do
    "$kernelc" "$file" --kernel="$name" --target="$target" "$stage" -o stage.kir &&
      "$kernelc" stage.kir --target="$target" -S -o rest.s && cmp -s whole.s rest.s ||
      fail "$file for $target is not the same from $stage on"
  done
}
for kernel in scanner ray_tracer pathfinding queens; do
  file=$source/examples/$kernel/$kernel.cl
  resumes "$file" gfx900 $kernel --emit=wave --emit=machine --stop-after=select_instructions --stop-after=machine_dce
  resumes "$file" avx512 $kernel --emit=wave --emit=machine --stop-after=select_instructions --stop-after=machine_dce
  resumes "$file" avx2 $kernel --emit=machine
done
expect 0 '' k.cl --target=gfx900 --emit=machine -o k.kir
expect 2 "'k' is gcn code for gfx900, and cannot be compiled for avx2" k.kir --target=avx2 -S
expect 2 "'k' is gcn code for gfx900, and cannot be compiled for gfx90a" k.kir --target=gfx90a -S
expect 2 'made for its launches already' k.kir --target=gfx900 -S --global 64
expect 2 'only thread IR can be run' run k.kir --target=gfx900 --global 64 --arg n=2
expect 0 '' k.cl --target=gfx900 --stop-after=allocate_scalars -o k.kir
expect 2 'has registers already' k.kir --target=gfx900 -S
"$kernelc" k.cl --target=avx512 --emit=machine | sed 's/ after=[a-z_]*//' >k.kir
expect 2 'does not say' k.kir --target=avx512 -S
"$kernelc" k.cl --target=avx512 --emit=machine | sed 's/ row=64/ row=63/' >k.kir
expect 1 'no setting row=63' k.kir --target=avx512 -S
"$kernelc" k.cl --target=avx2 --emit=machine | sed 's/ width=[0-9]*/ width=9/' >k.kir
expect 1 'a wave of 9 lanes' k.kir --target=avx2 -S
expect 0 '^gcn func' k.cl --target=gfx900 --emit=machine -o -

# Spills and their reloads.
expect 0 'remark: value in [a-z]+ register [0-9]+ is spilled to slot [0-9]+' "$source/examples/ray_tracer/ray_tracer.cl" --target=avx2 -Rpass=regalloc
expect 0 'reloaded here' "$source/examples/ray_tracer/ray_tracer.cl" --target=avx2 -Rpass=regalloc

exit $((failures != 0))
