#!/usr/bin/env bash
# Builds and measures: our CPU code, the machine's OpenCL implementation, ISPC and serial code of clang on the same
# kernels in one run. A peer that is not installed is reported as skipped. Before that, what wave IR does in each
# iteration of loops. Takes the options of bench_cpu (--only NAME, --rounds N, --brief); draws build/bench/cpu.svg.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${KC_BENCH_BUILD:-build/bench}
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF >/dev/null
cmake --build "$build" --target kernelc bench_cpu wave_operations
root=$PWD
cd "$build"
./wave_operations ./kernelc "$root"/examples/{mandelbrot/mandelbrot,scanner/scanner}.cl "$root"/bench/wave_operations/*.cl
echo
exec ./bench_cpu ./kernelc "$root" --svg cpu.svg "$@"
