// SPDX-License-Identifier: Apache-2.0
// Compiles kernels and runs them in the reference interpreter.
#pragma once
#include <numeric>

#include "helpers.h"
#include "sim/interpreter/thread_interpreter.h"

template <class T>
kc::MemoryRange range(std::vector<T>& v) {
  return {reinterpret_cast<uint64_t>(v.data()), v.size() * sizeof(T)};
}
template <class T>
uint64_t address(std::vector<T>& v) {
  return reinterpret_cast<uint64_t>(v.data());
}
inline uint64_t bits(float f) { return std::bit_cast<uint32_t>(f); }

inline kc::ThreadRunResult run(const std::string& source, const std::string& name,
                               std::array<uint64_t, 3> items, std::vector<uint64_t> arguments,
                               std::vector<kc::MemoryRange> memory, bool contract = false) {
  kc::FrontendOptions options;
  options.contract = contract;
  kc::FrontendResult compiled = kc::compile_source(source, options);
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  kc::Function* f = compiled.module->find(name);
  REQUIRE(f);
  kc::LaunchSpec launch;
  launch.dims = 3;
  launch.global = items;
  if (f->reqd_local[0]) std::copy_n(f->reqd_local.begin(), 3, launch.local.begin());
  kc::ThreadRunOptions run_options;
  run_options.memory = memory;
  run_options.max_steps = 50'000'000;
  return kc::run_threads(*f, launch, arguments, run_options);
}

// Runs kernel statements over `int* p` of 16 elements initialized to 0, 1, 2, ...
inline std::vector<int> ints(const std::string& statements, const std::string& before = "") {
  std::vector<int> p(16);
  std::iota(p.begin(), p.end(), 0);
  kc::ThreadRunResult r = run(before + "kernel void k(global int* p) {" + statements + "}", "k", {1, 1, 1},
                              {address(p)}, {range(p)});
  INFO(statements);
  INFO(r.message);
  REQUIRE(r.ok());
  CHECK_FALSE(r.unwritten);  // the result depends only on memory that the program wrote
  return p;
}
