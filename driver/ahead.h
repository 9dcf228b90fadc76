// SPDX-License-Identifier: Apache-2.0
// Kernels compiled ahead of time for CPUs: an object, and a C header through which programs launch them.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driver/arguments.h"
#include "host/cpu_code.h"

namespace kc {

struct Ahead {
  std::string object, header;
};

/// `targets` are CPU targets; "cpu" stands for both instruction sets, between which the program chooses where
/// it runs. Kernels may be large: each is freed before the next one is compiled.
std::expected<Ahead, DriverError> compile_ahead(std::vector<std::unique_ptr<Function>> kernels,
                                                std::span<const std::string> targets, const Options& o);

/// The form that code gets for launches to come: of the shape that --global and --local say, of groups that
/// the kernel requires, or of any shape. Buffers may be of any size.
std::expected<CpuForm, DriverError> ahead_form(const Function& kernel, const CpuCompiler& compiler,
                                               const Options& o);

}  // namespace kc
