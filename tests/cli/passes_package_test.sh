#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# passes_package_test.sh KERNELC CMAKE BUILD SOURCE: a pass in C++ that uses only the installed library of passes.
. "$4/tests/cli/expect.sh"
cmake=$2 build=$3
[[ -e $build/packaging/passes/libkernelc_passes.a ]] || { echo 'SKIPPED: the library of passes is not built'; exit 77; }
"$cmake" --install "$build" --component passes --prefix "$work/prefix" >install.txt || fail "install: $(cat install.txt)"
mkdir course && cp -r "$source"/course/{cpp,labs} course
"$cmake" -S course/cpp -B made -DCMAKE_PREFIX_PATH="$work/prefix" >configure.txt 2>&1 || fail "configure: $(cat configure.txt)"
"$cmake" --build made >build.txt 2>&1 || fail "build: $(tail -20 build.txt)"
file=$source/examples/scanner/scanner.cl
"$kernelc" "$file" --emit=ir --passes=mem2reg,dce >want.kir
expect 0 '^thread func' "$file" --emit=ir --passes=mem2reg,exec:made/dead_code
cmp -s want.kir out.txt || fail "dead_code differs: $(diff want.kir out.txt | head -5)"
expect 0 '^total +30/90$' grade course/labs/05-divergence/lab.toml made/lab_divergent
# A lab that was copied out of the installed course: its starter is built with the course's own CMakeLists.txt.
"$cmake" --install "$build" --component course --prefix "$work/prefix" >install.txt || fail "install: $(cat install.txt)"
data=$work/prefix/share/kernelc/course
mkdir home && cp -r "$data/labs/05-divergence" home
echo 'int main() { return 7; }' >home/05-divergence/divergent.cpp
"$cmake" -S "$data/cpp" -B mine -DLABS=home -DCMAKE_PREFIX_PATH="$work/prefix" >configure.txt 2>&1 || fail "configure: $(cat configure.txt)"
"$cmake" --build mine >build.txt 2>&1 || fail "build: $(tail -20 build.txt)"
mine/lab_divergent
[[ $? -eq 7 && ! -e mine/lab_promote ]] || fail "what was copied is not what is built"
"$cmake" -S "$data/cpp" -B none -DLABS=made -DCMAKE_PREFIX_PATH="$work/prefix" >configure.txt 2>&1 && fail 'no lab, and no error'
grep -q 'no lab with a starter in C++ lies in' configure.txt || fail "without a lab: $(cat configure.txt)"
exit $((failures != 0))
