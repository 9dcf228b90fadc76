#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the programs for libFuzzer in build/fuzz and runs each: tests/fuzz/run.sh [SECONDS]
# Seeds are the kernels and the IR texts of the repository; the dictionary comes from the front end's own
# tables. Findings are in build/fuzz/found; the corpus is kept between runs in build/fuzz/corpus-*.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
here=build/fuzz
CXX=${CXX:-clang++-19}

if ! command -v "$CXX" >/dev/null ||
  ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
  "$CXX" -fsanitize=fuzzer -x c++ - -o /dev/null 2>/dev/null; then
  echo "SKIPPED: fuzzing (no $CXX with libFuzzer)"
  exit 0
fi
cmake -S . -B $here -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
  -DKC_FUZZ=ON -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
cmake --build $here -j "$(nproc)" --target fuzz_frontend fuzz_text

# One quoted token per line; backslashes and quotes in tokens are already escaped, or do not occur.
quoted() { grep -v '^$' | sort -u | sed 's/.*/"&"/'; }

rm -rf $here/seeds-frontend $here/seeds-text
mkdir -p $here/found $here/corpus-frontend $here/corpus-text $here/seeds-frontend $here/seeds-text
{
  grep -o 'row("[^"]*"' frontend/preprocess/keywords.cpp | cut -d'"' -f2
  grep -o '"[^"]*"' frontend/sema/operators.def | tr -d '"'
  grep -oE '^[A-Z_]+\(\w+' frontend/sema/builtins.def | cut -d'(' -f2
  for word in define undef include if ifdef ifndef elif else endif line pragma error warning; do echo "#$word "; done
  printf '%s\n' __VA_ARGS__ '##' defined __FILE__ __LINE__ __COUNTER__ '\"a.h\"' '\"self\"' '\"bad\"' '_Pragma(\"once\")' \
    'FP_CONTRACT ON' '->' '({' '})' '+=' '<<=' '...' '\\\x0A' '0x1p-3f' '1.5e3f' '18446744073709551615ul' \
    2147483648 "'\\\\n'" '/*' '*/' '//' '__attribute__((packed))' '__attribute__((aligned(8)))' \
    '__attribute__((reqd_work_group_size(8,1,1)))' try 'catch (int e)' 'catch (...)' 'throw ' '[2] = {' '.x = '
} | quoted >$here/frontend.dict
{
  grep -ohE '^[A-Z_]+\(\w+' ir/*.def backends/*/isa/*.def | cut -d'(' -f2 | sed 's/_$//'
  printf '%s\n' func kernel thread wave x64 gcn 'var $' 'site 0: ' object -\> ' mask ' undef: true: 0: i1 i8 i16 i32 i64 f32 f64 \
    'ptr<global>' 'ptr<private>' 'lane<i32>' scale= dim= align= flags= site= '!1:1' '%0' b0: 'br -> ' ret
} | quoted >$here/text.dict
find examples tests docs -name '*.cl' -size -24k -exec cp --parents -t $here/seeds-frontend {} +
find examples tests docs -name '*.kir' -size -24k -exec cp --parents -t $here/seeds-text {} +

status=0
for name in frontend text; do
  echo "== fuzz_$name, $seconds s"
  log=$here/$name.log
  $here/fuzz_$name $here/corpus-$name $here/seeds-$name -dict=$here/$name.dict -artifact_prefix=$here/found/$name- \
    -max_len=8192 -timeout=10 -rss_limit_mb=2048 -max_total_time="$seconds" -print_final_stats=1 >$log 2>&1 || status=1
  grep -E ' cov: ' $log | tail -1 || true
  grep -E 'stat::(number_of_executed_units|average_exec|slowest|peak)|SUMMARY|Test unit written' $log || tail -20 $log
done
exit $status
