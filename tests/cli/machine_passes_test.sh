#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Passes on machine functions are watched as all others are: printed, stopped at, timed, written, resumed.
. "$2/tests/cli/expect.sh"

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
    "${returns[$target]}" "^${comment[$target]} after ${last[$target]}"
  grep -qE '^; after [a-z0-9_]+: @k is unchanged$' err.txt || fail "--print-after=all repeats what a pass left as it was"
  expect 0 '^[+]  ' k.cl --target=$target --print-changed=diff
  in_order err.txt '^; after mem2reg: @k$' '^thread func @k' '^; after [a-z0-9_]+: @k$' '^[-]  ' '^; after select_instructions'

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
expect 0 '' k.cl --target=gfx900 --stop-after=allocate_scalars -o k.kir
expect 2 'has registers already' k.kir --target=gfx900 -S
"$kernelc" k.cl --target=avx512 --emit=machine | sed 's/ after=[a-z_]*//' >k.kir
expect 2 'does not say' k.kir --target=avx512 -S
"$kernelc" k.cl --target=avx512 --emit=machine | sed 's/ row=64/ row=63/' >k.kir
expect 1 'no setting row=63' k.kir --target=avx512 -S
"$kernelc" k.cl --target=avx2 --emit=machine | sed 's/ width=[0-9]*/ width=9/' >k.kir
expect 1 'a wave of 9 lanes' k.kir --target=avx2 -S
expect 0 '^gcn func' k.cl --target=gfx900 --emit=machine -o -

# Text is run from where it is, with the results of the kernel itself.
launch=(--global 64 --local 16,1 --arg 'in=f32[64]:iota' --arg 'out=f32[64]' --arg n=5 --print out)
"$kernelc" run k.cl "${launch[@]}" --target=interp >want.txt || fail 'run k.cl'
for target in avx2 avx512 gfx900; do
  for stage in --emit=wave --emit=machine --stop-after=machine_dce; do
    "$kernelc" k.cl --target=$target $stage -o stage.kir || fail "$stage for $target"
    "$kernelc" run stage.kir "${launch[@]}" 2>err.txt | cmp -s - want.txt || fail "run of $stage for $target"
    "$kernelc" run stage.kir "${launch[@]}" --target=$target 2>err.txt | cmp -s - want.txt ||
      fail "run of $stage on $target"
  done
done
"$kernelc" k.cl --emit=wave --width=16 -o wave.kir
for target in wave16 avx2 avx512; do
  "$kernelc" run wave.kir "${launch[@]}" --target=$target 2>err.txt | cmp -s - want.txt || fail "run on $target"
done
expect 2 "the waves of 'k' have 16 lanes, and those of target wave8 have 8" run wave.kir "${launch[@]}" --target=wave8
expect 2 'and --width says 32' run wave.kir "${launch[@]}" --target=avx512 --width=32
expect 2 'which target interp does not run' run wave.kir "${launch[@]}" --target=interp
expect 2 'vulkan takes thread IR' run wave.kir "${launch[@]}" --target=vulkan
expect 2 'vulkan takes thread IR' wave.kir --target=vulkan -o k.spv
expect 2 'run takes any dialect' check wave.kir --global 64 --arg 'in=f32[64]' --arg 'out=f32[64]' --arg n=5
"$kernelc" k.cl --target=avx512 --emit=machine --global 4,16 --local 4,16 -o packed.kir
expect 2 "'k' is made for groups with rows of 4" run packed.kir "${launch[@]}"
"$kernelc" k.cl --target=gfx900 --emit=machine --global 64 --local 16 -o groups.kir
expect 0 '' run groups.kir "${launch[@]}"
expect 2 "'k' is made for groups of 16 x 1 x 1" run groups.kir --global 64 --local 32 "${launch[@]:4}"
expect 2 'gcn code for gfx900, and cannot be compiled for avx2' run groups.kir "${launch[@]}" --target=avx2
"$kernelc" k.cl --target=gfx900 --stop-after=allocate_scalars -o allocated.kir
expect 2 'has registers already' run allocated.kir "${launch[@]}"

# --passes: just these of the machine; code is right without each of the optional ones.
for target in avx512 gfx900; do
  "$kernelc" k.cl --target=$target --emit=wave -o wave.kir
  "$kernelc" wave.kir --target=$target -S -o whole.s
  "$kernelc" passes | sed -n "/^${dialect[$target]}:/,/^$/p" | awk '/^ /{print $1}' >passes.txt
  "$kernelc" wave.kir --target=$target --passes="$(paste -sd, passes.txt)" -S -o all.s && cmp -s whole.s all.s ||
    fail "all passes by name for $target"
  left_out=0
  while read -r pass; do
    some=$(grep -vx "$pass" passes.txt | paste -sd,)
    "$kernelc" run wave.kir --target=$target "${launch[@]}" --passes="$some" >out.txt 2>err.txt </dev/null
    case $? in
      0)
        cmp -s out.txt want.txt || fail "without $pass for $target"
        left_out=$((left_out + 1))
        ;;
      2) grep -qE "needs $pass before it|the last pass is $pass" err.txt || fail "without $pass: $(cat err.txt)" ;;
      *) fail "without $pass: $(cat err.txt)" ;;
    esac
  done <passes.txt
  [[ $left_out -ge 5 ]] || fail "only $left_out passes can be left out for $target"
done
expect 0 '^x64 func @k' k.cl --target=avx512 --emit=machine -o -
"$kernelc" k.cl --target=avx512 --emit=wave -o wave.kir
expect 0 '^x64 func @k' wave.kir --target=avx512 --passes=select_instructions,machine_dce
expect 0 'after=machine_dce' wave.kir --target=avx512 --passes=dce,select_instructions,machine_dce
expect 2 'pass machine_dce needs select_instructions before it' wave.kir --target=avx512 --passes=machine_dce
expect 2 'dce runs before select_instructions' wave.kir --target=avx512 --passes=select_instructions,dce
expect 2 'needs a --target' wave.kir --passes=select_instructions
expect 2 'takes it for wave and machine text' k.cl --target=avx512 --passes=mem2reg,encode
expect 2 'leaves nothing to run: the last pass is encode' run wave.kir "${launch[@]}" --passes=select_instructions

# Text of rows along y runs launches as the source has them, whatever lies along x in it.
cat >transposed.cl <<'END'
kernel void k(global const int* a, global int* out, int w) {
    int x = get_global_id(0), y = get_global_id(1);
    local int t[32];
    t[get_local_id(0) * get_local_size(1) + get_local_id(1)] = a[x * w + y];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x * w + y] = t[0] + 1000 * (int)get_local_size(0);
}
END
rows=(--arg a=i32[256]:iota --arg out=i32[256] --arg w=32)
for stage in wave machine; do
  expect 0 '' transposed.cl --target=avx512 --emit=$stage --global 4,32 --local 2,16 -o transposed.kir
  grep -q ' rows_along=1' transposed.kir || fail "rows of $stage text lie along x"
  expect 0 '^avx512 +pass' check --against transposed.cl transposed.kir --global 8,32 --local 2,16 "${rows[@]}" --routes avx512
  expect 2 'requires a local size of 2,16,1' run transposed.kir --target=avx512 --global 16,16 --local 16,2 "${rows[@]}"
done
"$kernelc" transposed.cl --target=avx512 --emit=wave --global 4,32 --local 2,16 --width 64 -o transposed.kir
expect 2 'made for rows along y on a CPU' run transposed.kir --target=wave64 --global 8,32 "${rows[@]}"
for rows_along in 100000000 3 -1; do
  sed "s/ rows_along=1/ rows_along=$rows_along/" transposed.kir >wrong.kir
  expect 1 "has no setting rows_along=$rows_along" run wrong.kir --target=wave64 --global 16,16 "${rows[@]}"
  expect 1 "has no setting rows_along=$rows_along" run wrong.kir --target=avx512 --global 16,16 "${rows[@]}"
done

# The passes that prepare a kernel for SPIR-V are watched like all others.
expect 0 '' k.cl --target=vulkan --print-after=all
in_order err.txt '^; after mem2reg' '^; after licm' '^; after fix_irreducible' '^; after unify_loop_exits' '^; after dce'
expect 0 '^thread func @k' k.cl --target=vulkan --stop-after=fix_irreducible
expect 0 '^unify_loop_exits ' k.cl --target=vulkan --time-passes
expect 0 '^thread func @k' k.cl --target=vulkan --emit=ir

# Spills and their reloads.
expect 0 'remark: value in [a-z]+ register [0-9]+ is spilled to slot [0-9]+' "$source/examples/ray_tracer/ray_tracer.cl" --target=avx2 -Rpass=regalloc
expect 0 'reloaded here' "$source/examples/ray_tracer/ray_tracer.cl" --target=avx2 -Rpass=regalloc

exit $((failures != 0))
