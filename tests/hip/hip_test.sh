#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Running through HIP: without a library, with one that has no device, and with the emulator behind HIP's
# entry points.
emulator=$2
. "$3/tests/cli/expect.sh"

cat >k.cl <<'KERNEL'
constant int table[4] = {10, 20, 30, 40};
kernel void k(global const int* in, global int* out, int add, local int* last) {
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    if (in[i] < 0) throw in[i];
    last[l] = in[i] + table[i & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = last[n - 1 - l] + add;
}
KERNEL
launch=(k.cl --global 128 --local 64 --arg 'out=i32[128]' --arg add=1000 --arg last=256)

export KERNELC_HIP_LIBRARY=$work/none.so
expect 4 'none.so cannot be opened' run "${launch[@]}" --arg 'in=i32[128]:iota' --target hip
expect 0 '^hip +no ' devices
export KERNELC_HIP_LIBRARY=$emulator KERNELC_HIP_EMULATES=none
expect 4 'no AMD device .hipInit gives 101' run "${launch[@]}" --arg 'in=i32[128]:iota' --target hip
if ! command -v llvm-mc-19 >/dev/null || ! command -v ld.lld-19 >/dev/null; then
  echo "skipped: LLVM's assembler and linker are not installed"
  exit $((failures != 0))
fi

for arch in gfx900 gfx906 gfx908 gfx90a; do
  export KERNELC_HIP_EMULATES=$arch
  expect 0 "^hip +yes +kernelc's emulator of $arch, no device" devices
  expect 0 "emulator of $arch, no device .$arch through HIP" run "${launch[@]}" --arg 'in=i32[128]:iota' --target hip \
    --print 'out[0:2]' --print 'out[127]' --dump out=hip.bin
  [[ $(tr '\n' ' ' <out.txt) == '1103 1092 1074 ' ]] || { echo "FAILED: results on $arch"; cat out.txt; failures=$((failures + 1)); }
  # The same device with its own name as the target; code of another architecture runs in the emulator
  # directly.
  expect 0 "$arch through HIP" run "${launch[@]}" --arg 'in=i32[128]:iota' --target $arch
  other=gfx900
  [[ $arch == gfx900 ]] && other=gfx906
  expect 0 'note: target [a-z0-9]+: emulated' run "${launch[@]}" --arg 'in=i32[128]:iota' --target $other
done
export KERNELC_HIP_EMULATES=gfx900
expect 5 "k.cl:4: error: .* uncaught throw of int -3 .*" run "${launch[@]}" --arg 'in=i32[128]:fill(-3)' --target hip
expect 1 'no global offset' run k.cl --global 64 --local 64 --offset 64 --arg 'out=i32[128]' --arg add=0 --arg last=256 --arg 'in=i32[128]' --target hip
expect 0 '^hip +pass' check "${launch[@]}" --arg 'in=i32[128]:iota' --routes passes,hip
expect 5 'outside every buffer' run k.cl --global 128 --local 64 --arg 'out=i32[8]' --arg add=0 --arg last=256 --arg 'in=i32[128]' --target hip
expect 0 '^hip +pass' check "$source/examples/mandelbrot/mandelbrot.cl" --global 64,16 --arg 'out=u32[1024]' --arg width=64 \
  --arg left=-2.25f --arg top=-1.152f --arg step=0.05f --arg limit=64 --routes hip

[[ $failures -eq 0 ]] && echo "all tests of HIP passed"
exit $((failures != 0))
