#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the programs for libFuzzer in build/fuzz and runs each entry point: tests/fuzz/run.sh [SECONDS [ENTRY...]]
# Inputs to begin with are tests/fuzz/corpus and the kernels and IR texts of the repository; the dictionaries come from the
# compiler's own tables. Findings are in build/fuzz/found; the corpus is kept between runs in build/fuzz/corpus-*.
# The last line of an entry is "ENTRY: N inputs, M findings, S s". Exit status 1 if there are findings.
# KC_FUZZ_BUILT=1: the programs are built already.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
here=build/fuzz
CXX=${CXX:-clang++-19}

declare -A program=([source]=source [text]=readers [json]=readers [trace]=readers [object]=readers [assembly]=readers
  [script]=driver [command]=driver [spirv]=driver [pipelines]=driver [code]=driver)
entries=("$@")
[[ $# -gt 0 ]] || entries=(source text json trace object assembly script command spirv pipelines code)
targets=()
for entry in "${entries[@]}"; do
  [[ -n ${program[$entry]:-} ]] || { echo "error: no entry '$entry'; there are ${!program[*]}" >&2; exit 2; }
  targets+=("fuzz_${program[$entry]}")
done

if [[ -z ${KC_FUZZ_BUILT:-} ]]; then
  if ! command -v "$CXX" >/dev/null ||
    ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
    "$CXX" -fsanitize=fuzzer -x c++ - -o /dev/null 2>/dev/null; then
    echo "SKIPPED: fuzzing (no $CXX with libFuzzer)"
    exit 0
  fi
  cmake -S . -B $here -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
    -DKC_FUZZ=ON -DCMAKE_CXX_COMPILER="$CXX" >/dev/null
  cmake --build $here -j "$(nproc)" --target "${targets[@]}"
fi

# One quoted token per line; backslashes and quotes in tokens are already escaped, or do not occur.
quoted() { grep -v '^$' | sort -u | sed 's/.*/"&"/'; }

mkdir -p $here/found
{
  grep -o 'row("[^"]*"' frontend/preprocess/keywords.cpp | cut -d'"' -f2
  grep -o '"[^"]*"' frontend/sema/operators.def | tr -d '"'
  grep -oE '^[A-Z_]+\(\w+' frontend/sema/builtins.def | cut -d'(' -f2
  for word in define undef include if ifdef ifndef elif else endif line pragma error warning; do echo "#$word "; done
  printf '%s\n' __VA_ARGS__ '##' defined __FILE__ __LINE__ __COUNTER__ '\"a.h\"' '\"self\"' '\"bad\"' '_Pragma(\"once\")' \
    'FP_CONTRACT ON' '->' '({' '})' '+=' '<<=' '...' '\\\x0A' '0x1p-3f' '1.5e3f' '18446744073709551615ul' \
    2147483648 "'\\\\n'" '/*' '*/' '//' '__attribute__((packed))' '__attribute__((aligned(8)))' \
    '__attribute__((reqd_work_group_size(8,1,1)))' try 'catch (int e)' 'catch (...)' 'throw ' '[2] = {' '.x = '
} | quoted >$here/source.dict
{
  grep -ohE '^[A-Z_]+\(\w+' ir/*.def backends/*/isa/*.def | cut -d'(' -f2 | sed 's/_$//'
  printf '%s\n' func kernel thread wave x64 gcn 'var $' 'site 0: ' object -\> ' mask ' undef: true: 0: i1 i8 i16 i32 i64 f32 f64 \
    'ptr<global>' 'ptr<private>' 'lane<i32>' scale= dim= align= flags= site= '!1:1' '%0' b0: 'br -> ' ret
} | quoted >$here/text.dict
{
  cat $here/text.dict | tr -d '"'
  grep -ohE '\{?"[a-z_]+"' ir/json/*.cpp | tr -d '"{'
} | quoted >$here/json.dict
{
  grep -ohE '^[A-Z_]+\(\w+' backends/gcn/isa/*.def | cut -d'(' -f2 | sed 's/_$//'
  grep -ohE '"\.[a-z_]+"' sim/gcn/*.cpp | tr -d '"'
  printf '%s\n' vcc exec scc m0 'v[0:1]' 's[0:1]' v0 s0 0x 'vmcnt(0)' 'lgkmcnt(0)' offset: glc sext -v0 '|v0|'
} | quoted >$here/assembly.dict
grep -ohE '"--?[a-z][a-z-]*' driver/options.cpp | tr -d '"' | quoted >$here/command.dict
printf '%s\n' let buffer set fill swap launch print dump image while repeat if else global local offset ':iota' ':fill(' ':rand(' \
  '&&' '||' '<<' 'i32[' | quoted >$here/script.dict

status=0
for entry in "${entries[@]}"; do
  seeds=$here/seeds-$entry log=$here/$entry.log
  rm -rf "$seeds"
  mkdir -p "$seeds" $here/corpus-"$entry"
  if [[ -d tests/fuzz/corpus/$entry ]]; then cp -r tests/fuzz/corpus/"$entry" "$seeds"; fi
  case $entry in
    source) find examples tests docs -name '*.cl' -size -24k -exec cp --parents -t "$seeds" {} + ;;
    text) find examples tests docs -name '*.kir' -size -24k -exec cp --parents -t "$seeds" {} + ;;
  esac
  dictionary=()
  [[ ! -f $here/$entry.dict ]] || dictionary=(-dict="$here/$entry.dict")
  before=$(find $here/found -name "$entry-*" | wc -l)
  start=$SECONDS
  KC_ENTRY=$entry $here/fuzz_"${program[$entry]}" $here/corpus-"$entry" "$seeds" "${dictionary[@]}" -artifact_prefix=$here/found/"$entry"- \
    -max_len=8192 -timeout=10 -rss_limit_mb=1024 -max_total_time="$seconds" -print_final_stats=1 >"$log" 2>&1 || status=1
  grep -E ' cov: ' "$log" | tail -1 || true
  grep -E 'SUMMARY|Test unit written' "$log" || true
  inputs=$(sed -n 's/stat::number_of_executed_units: //p' "$log" | tail -1)
  echo "$entry: ${inputs:-0} inputs, $(($(find $here/found -name "$entry-*" | wc -l) - before)) findings, $((SECONDS - start)) s"
done
exit $status
