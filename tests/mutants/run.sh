#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Mutants of the compiler: makes them, and runs tests against each until one fails.
#   tests/mutants/run.sh [SECONDS [NUMBER...]]   for that long (an hour), going on where the last run ended; with numbers,
#                                                only these mutants
#   tests/mutants/run.sh show NUMBER...          what these mutants change
# One line for each mutant in tests/campaigns/log; tests/campaigns/run.sh runs this, too. Settings, from the environment:
#   KC_PART=2/3     this machine takes every third mutant from the second on, and has a log of its own
#   KC_BUILD=DIR    the folder of the build (build/release)
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${KC_BUILD:-build/release}
list=$build/tests/mutants/src/mutants.tsv
if [[ ${1:-} = show ]]; then
  shift
  for number in "$@"; do awk -F'\t' -v n="$number" '$1 == n' "$list"; done
  exit
fi
seconds=${1:-3600}
case $seconds in '' | *[!0-9]*) echo "usage: tests/mutants/run.sh [SECONDS [NUMBER...] | show NUMBER...]" >&2 && exit 2 ;; esac
shift || true
part=${KC_PART:-1/1}
[[ $part =~ ^[1-9][0-9]*/[1-9][0-9]*$ && ${part%/*} -le ${part#*/} ]] || { echo "error: KC_PART=$part, but it is like 2/3" >&2; exit 2; }
log=tests/campaigns/log/mutants-${part%/*}-of-${part#*/}.log
folder=build/campaigns/mutants

targets=$(cmake --build "$build" --target help)
if ! grep -q '^mutants:' <<<"$targets"; then
  echo "SKIPPED: mutants (no clang++-19, or no libclang-19-dev, libclang-cpp19-dev and llvm-19-dev)"
  exit 0
fi
nice cmake --build "$build" --target mutants

# What the sources with mutants were made from: a list of numbers means one thing for one state of the sources.
commit=${KC_COMMIT:-$(git rev-parse --short=7 HEAD)}
if [[ -z ${KC_COMMIT:-} && -n $(git status --porcelain -- passes backends ir tests/mutants) ]]; then commit=$commit+; fi

# Stages, one line each. Those that take least run first.
mkdir -p "$folder"
{
  # Chapters of tests/run on every engine, and all of them in other ways.
  for chapter in tests/run/*.cl; do
    chapter=$(basename "$chapter" .cl)
    echo "run-$chapter mutated_test_run $chapter"
  done
  engines="--engine passes --engine wave16 --engine avx2"
  echo "run-all mutated_test_run"
  echo "run-shared mutated_test_run -finline-budget=0"
  echo "run-O0 mutated_test_run -O0 --engine passes --engine wave32 --engine avx2 --engine gfx900"
  echo "run-gfx90a mutated_test_run --engine gfx90a --engine gfx906"
  echo "run-melded mutated_test_run --meld --engine passes --engine wave16 --engine avx512"
  echo "run-emulated mutated_test_run --emulate --engine avx2 --engine avx512 asserts atomics local_memory arrays"
  for scheme in structurize linearize node-split reconverge:order=df reconverge:order=bf frontier; do
    echo "run-${scheme/:order=/-} mutated_test_run --restructure=$scheme $engines"
  done
  # 1,000 random programs on CPUs and gfx900; a third of them is restructured.
  for ((k = 0; k < 25; ++k)); do
    scheme=
    case $((k % 6)) in 2) scheme=--restructure=structurize ;; 5) scheme=--restructure=node-split ;; esac
    echo "random-$((k + 1)) mutated_random_programs $((k * 40 + 1)) 40 passes,wave16,avx512,avx2,gfx900 $scheme"
  done
  # Vulkan's drivers take long.
  for ((k = 0; k < 10; ++k)); do echo "random-vulkan-$((k + 1)) mutated_random_programs $((k * 20 + 1)) 20 vulkan"; done
  for test in test_programs test_spirv_programs test_pass_pairs test_pipeline test_regalloc test_x64 test_gcn \
    test_instcombine test_expand_ops test_mem2reg test_meld test_meld_patterns test_uniformity test_shape test_phi_webs \
    test_frontiers test_integer_range_analysis test_linearize test_structurize test_node_split test_reconverge spirv_test \
    test_analysis_cache test_property test_backends test_warp; do
    echo "$test mutated_$test"
  done
} >"$folder/stages"

export KERNELC_CHECKS=1 KERNELC_VULKAN_CACHE=off MESA_SHADER_CACHE_DISABLE=true LP_NATIVE_VECTOR_WIDTH=128
root=$PWD
case $build in /*) programs=$build/tests/mutants ;; *) programs=$root/$build/tests/mutants ;; esac
campaign=("$programs/mutant_campaign" "$programs/src/mutants.tsv" "$root/$folder/stages" "$root/$folder" "$root/$log" "$commit"
  "$part" "$seconds" "$@")
# Programs of tests/run name their include folders relative to it.
cd tests/run
exec nice "${campaign[@]}"
