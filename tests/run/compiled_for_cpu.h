// SPDX-License-Identifier: Apache-2.0
// A kernel of a test, compiled for CPUs.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "frontend/frontend.h"
#include "host/cpu_code.h"

namespace kc::test {

inline CpuCompiler cpu_compiler_of(const std::string& source, bool avx512, uint32_t width) {
  FrontendResult compiled = compile_source(source, {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  auto shared = KernelCompiler::start(*compiled.module->functions.back());
  REQUIRE(shared);
  auto compiler = CpuCompiler::create(std::move(*shared), *find_target(avx512 ? "avx512" : "avx2"), width);
  REQUIRE(compiler);
  return std::move(*compiler);
}

/// Of such a launch. `width`: lanes, 0 for as many as are best.
inline CpuForm form_of(const std::string& source, const LaunchSpec& spec, bool avx512 = true,
                       uint32_t width = 0) {
  return cpu_compiler_of(source, avx512, width).choice().form(spec);
}

/// Likewise.
inline std::string assembly_of(const std::string& source, bool avx512,
                               const LaunchSpec& spec = {.global = {4096, 1, 1}, .local = {64, 1, 1}},
                               uint32_t width = 32) {
  const CpuCompiler compiler = cpu_compiler_of(source, avx512, width);
  auto code = compiler.compile(compiler.choice().form(spec), true);
  REQUIRE(code);
  return code->machine.text;
}

}  // namespace kc::test
