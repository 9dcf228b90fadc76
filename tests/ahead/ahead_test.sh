#!/usr/bin/env bash
# ahead_test.sh KERNELC ROOT: objects and headers of kernels, linked into programs and compared with the interpreter.
set -euo pipefail
kernelc=$1 root=$2
here=$root/tests/ahead
grep -q ' avx2 ' /proc/cpuinfo || { echo "skipped: this processor has no AVX2"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "ahead_test.sh: $*" >&2; exit 1; }

run() { "$kernelc" run "$here/kernels.cl" -w --target interp "$@"; }
run --kernel constants --global 1000 --arg 'out=u32[1000]' --arg scale=2.5 --arg small=200 --dump out=constants.want
run --kernel arrays --global 4096 --arg 'in=u32[4096]:iota' --arg 'out=u64[4096]' --dump out=arrays.want
run --kernel reverse --global 16,8,4 --arg 'data=u32[512]:iota' --dump data=reverse.want
run --kernel weighted --global 1000 --arg 's=(-1,0.5,1.5,2.5,3.5)' --arg 'step=(10,1000)' --arg 'out=f32[1000]' --dump out=weighted.want

warnings=(-Wall -Wextra -Wpedantic -Werror -I.)
for targets in cpu avx2 avx512,avx2; do
  "$kernelc" "$here/kernels.cl" -w --target=$targets -o kernels.o --header kernels.h
  "$kernelc" "$here/kernels.cl" -w --target=$targets -o again.o
  cmp kernels.o again.o || fail "$targets: the same input gives different objects"
  for compiler in "gcc -std=c99" "gcc -std=c11 -O2" "g++ -std=c++11 -x c++"; do
    $compiler "${warnings[@]}" -c "$here/program.c" -o program.o
    g++ program.o kernels.o -o program
    ./program || fail "$targets, $compiler: exit status $?"
    for name in constants arrays reverse weighted; do
      cmp $name.want $name.bin || fail "$targets, $compiler: $name differs from the interpreter"
    done
  done
done

# The example, as its first lines say.
"$kernelc" "$root/examples/ahead/histogram.cl" --target=cpu -o histogram.o --header histogram.h
gcc "${warnings[@]}" "$root/examples/ahead/main.c" histogram.o -o main
./main >main.txt
grep -q '^3614 of 4096 values counted$' main.txt || fail "the example counts wrong: $(cat main.txt)"
grep -q '^uncaught throw of uint 16 at line 11, work-item 4, and 481 more$' main.txt || fail "the example's trap"
"$kernelc" "$root/examples/ahead/histogram.cl" --target=avx2 --emit=header >one.h
grep -q 'kernelc_histogram_avx2, ' one.h || fail "a header for AVX2 does not name its code"
! grep -q kernelc_histogram_avx512 one.h || fail "a header for AVX2 names code for AVX-512"
echo "objects and headers: all as the interpreter says"
