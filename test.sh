#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests: an optimised build with internal checks, then the
# same tests on a reduced random set under AddressSanitizer and UndefinedBehaviorSanitizer.
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

cmake --preset asan >/dev/null
cmake --build --preset asan -j "$jobs"
KC_RANDOM_SCALE=10 ASAN_OPTIONS=detect_leaks=1 ctest --test-dir build/asan --output-on-failure -j "$jobs"
