#!/usr/bin/env bash
# Builds bench_papers and writes the papers' tables and figures for our kernels into bench/papers/results.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${KC_BENCH_BUILD:-build/bench}
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF >/dev/null
cmake --build "$build" --target bench_papers
exec "$build/bench_papers" . --out bench/papers/results --data "$build/papers_data" "$@"
