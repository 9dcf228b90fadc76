#!/usr/bin/env bash
# install_test.sh CMAKE BUILD ROOT: installs the build into a folder, and builds and runs programs that use
# only that folder: the example in C and C++, the header as strict C99, and the static library.
set -euo pipefail
cmake=$1 build=$2 root=$3
grep -q ' avx2 ' /proc/cpuinfo || { echo "skipped: this processor has no AVX2"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() { echo "install_test.sh: $*" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$prefix" >"$work/install.txt"
for file in bin/kernelc include/kernelc/kernelc.h include/kernelc/kernelc.hpp lib/libkernelc.so lib/libkernelc.a \
            lib/cmake/kernelc/kernelcConfig.cmake share/man/man1/kernelc.1 \
            share/bash-completion/completions/kernelc share/zsh/site-functions/_kernelc \
            share/fish/vendor_completions.d/kernelc.fish; do
  [[ -e $prefix/$file ]] || fail "$file is not installed"
done

"$prefix/bin/kernelc" man | cmp - "$prefix/share/man/man1/kernelc.1" || fail "the manual page is an old one"

# The file that names the OpenCL driver to its loader holds the place of the installation.
if [[ -e $build/opencl/libkernelc_opencl.so ]]; then
  driver=$(cat "$prefix/share/kernelc/kernelc.icd")
  [[ $driver == "$prefix"/lib/kernelc/libkernelc_opencl.so && -e $driver ]] || fail "the OpenCL driver is in '$driver'"
fi

# The library exports its interface only; the command contains its own copy and nothing large.
shown=$(nm -D --defined-only "$prefix/lib/libkernelc.so" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }')
declared=$(grep -o '\bkc_[a-z_]*(' "$root/api/include/kernelc/kernelc.h" | tr -d '(' | sort -u)
inline=$(grep -o 'static inline [a-z_ ]*\bkc_[a-z_0-9]*(' "$root/api/include/kernelc/kernelc.h" | grep -o 'kc_[a-z_0-9]*($' |
         tr -d '(' | sort -u)
for name in $shown; do grep -qx "$name" <<<"$declared" || fail "the library shows $name"; done
for name in $declared; do
  grep -qx "$name" <<<"$inline" || grep -qx "$name" <<<"$shown" || fail "the library lacks $name"
done
ldd "$prefix/bin/kernelc" | grep -E 'libkernelc|libLLVM|libvulkan|SPIRV' && fail "the command links a large library"
readelf -d "$prefix/lib/libkernelc.so" | grep TEXTREL && fail "the library is not position-independent"

# The example, which finds the package.
"$cmake" -S "$root/examples/embed" -B "$work/embed" -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.txt"
"$cmake" --build "$work/embed" >"$work/build.txt"
"$work/embed/sums" | grep -qx '16 groups of 256 add up to 8386560' || fail "sums"
"$work/embed/collatz" "$root/examples/embed/collatz.cl" | grep -qx '77031 takes 350 steps' || fail "collatz"
status=0
"$work/embed/collatz" "$root/examples/embed/collatz.cl" 1000000u >"$work/out.txt" 2>"$work/err.txt" || status=$?
[[ $status -eq 1 ]] || fail "collatz with a limit ends with $status"
grep -qx '7903 numbers were given up, the first is 1819, at 425645' "$work/out.txt" || fail "the example's trap"
grep -q "uncaught throw of uint 425645 at line 8 by work-item (1818, 0, 0); 7903 work-items" "$work/err.txt" ||
  fail "the example's message"

# The installed library by itself reaches the emulator, and says what is wrong with other targets.
cat >"$work/target.cpp" <<'C'
#include <cstdio>
#include <kernelc/kernelc.hpp>
int main(int, char** words) {
  auto program = kernelc::program::from_text("kernel void k(global int* p) { p[get_global_id(0)] += 40; }");
  kernelc::kernel_options options;
  options.target = words[1];
  auto kernel = program->kernel(options);
  if (!kernel) return std::puts(kernel.error().message().data()), kernel.error().status();
  std::vector<int> p{1, 2};
  auto done = kernel->launch(kernelc::range(p.size()), p);
  return done ? std::printf("%s %d %d\n", kernel->info().target, p[0], p[1]), 0 : done.error().status();
}
C
g++ -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" "$work/target.cpp" -o "$work/target" -L"$prefix/lib" -lkernelc \
  -Wl,-rpath,"$prefix/lib"
# Without the tools of LLVM, too.
PATH=$work "$work/target" gfx90a | grep -qx 'gfx90a 41 42' || fail "the library on gfx90a"
status=0
KERNELC_HIP_LIBRARY=$work/none.so "$work/target" hip >"$work/out.txt" || status=$?
[[ $status -eq 4 ]] && grep -q 'none.so cannot be opened' "$work/out.txt" || fail "hip without a library: $status"
readelf -d "$prefix/lib/libkernelc.so" | grep -E 'NEEDED.*(vulkan|amdhip|SPIRV|LLVM|elf)' && fail "the library links a loader"

# Applications of several kernels: the programs print the same as the scripts.
for example in bfs hotspot; do
  g++ -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" "$root/examples/$example/$example.cpp" -o "$work/$example" \
    -L"$prefix/lib" -lkernelc -Wl,-rpath,"$prefix/lib"
  "$work/$example" "$root/examples/$example/$example.cl" >"$work/program.txt" || fail "$example"
  "$prefix/bin/kernelc" run "$root/examples/$example/$example.cl" --script "$root/examples/$example/$example.script" |
    head -2 | cmp -s - "$work/program.txt" || fail "$example: the script and the program differ"
done

# Strict compilers, both headers of kernelc in one program, and the static library.
cd "$work"
"$prefix/bin/kernelc" "$root/examples/ahead/histogram.cl" --target=cpu -o histogram.o --header histogram.h
cat >both.c <<'C'
#include <kernelc/kernelc.h>
#include "histogram.h"
int main(void) {
  kernelc_range none = {1, {0, 0, 0}, {256, 0, 0}, {0, 0, 0}, 0, 0};
  return kc_version()[0] == 0 || histogram(&none, NULL, 16, 64, NULL, NULL) != KERNELC_OK;
}
C
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
gcc -std=c99 "${warnings[@]}" -I"$prefix/include" -I. -Wno-conversion both.c histogram.o -o both \
  -L"$prefix/lib" -lkernelc -Wl,-rpath,"$prefix/lib"
./both || fail "both headers in one program"
echo '#include <kernelc/kernelc.h>' >header.c
gcc -std=c99 "${warnings[@]}" -I"$prefix/include" -c header.c
for standard in 17 20 23; do
  echo '#include <kernelc/kernelc.hpp>' >header.cpp
  g++ -std=c++$standard "${warnings[@]}" -fno-exceptions -I"$prefix/include" -c header.cpp ||
    fail "kernelc.hpp as C++$standard"
done
mkdir static
cat >static/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.16)
project(static LANGUAGES C CXX)
find_package(kernelc 0.1 REQUIRED)
add_executable(sums sums.c)
target_link_libraries(sums PRIVATE kernelc::kernelc_static)
C
cp "$root/examples/embed/sums.c" static
"$cmake" -S static -B static/build -DCMAKE_PREFIX_PATH="$prefix" >configure.txt
"$cmake" --build static/build >build.txt
./static/build/sums >out.txt || fail "sums with the static library"
ldd static/build/sums | grep libkernelc && fail "the static library is shared"
echo "installed, found, compiled, run"
