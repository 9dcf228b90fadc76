#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests: the optimised build that demo.sh makes, too, then a
# selection on a reduced random set under AddressSanitizer and UndefinedBehaviorSanitizer, and the threads of launches
# on CPUs and of the OpenCL driver under ThreadSanitizer.
set -euo pipefail
cd "$(dirname "$0")"
./install.sh
jobs=$(nproc)

if command -v clang-format >/dev/null; then
  git ls-files '*.h' '*.cpp' 2>/dev/null | xargs -r clang-format --dry-run --Werror
else
  echo "SKIPPED: formatting (no clang-format)"
fi

cmake --preset release >/dev/null
cmake --build --preset release -j "$jobs"
ctest --test-dir build/release --output-on-failure -j "$jobs"

# What reads input, changes IR or makes machine code; the growth tests and the drivers of devices stay out.
sanitized=(test_ir test_frontend test_diag test_sim test_warp test_pass_pairs test_regalloc test_gcn_sim test_backends
  test_api)
cmake --preset asan >/dev/null
cmake --build --preset asan -j "$jobs" --target "${sanitized[@]}"
KC_RANDOM_SCALE=10 KC_MUTATIONS=500 ctest --test-dir build/asan --output-on-failure -j "$jobs" \
  -R "^($(IFS='|'; echo "${sanitized[*]}"))\$"

cmake --preset tsan >/dev/null
cmake --build --preset tsan -j "$jobs" --target test_cpu_tasks test_opencl_graph
ctest --test-dir build/tsan --output-on-failure -R '^test_(cpu_tasks|opencl_graph|planted_race_.*)$'
