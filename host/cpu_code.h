// SPDX-License-Identifier: Apache-2.0
// A kernel as machine code of CPUs, and a launch of it.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "backends/x64/x64.h"
#include "host/launches.h"
#include "runtime/cpu/cpu.h"

namespace kc {

/// What code is compiled for. It runs every launch whose buffers are as small as it believes; where rows of
/// groups are shorter than a wave, lanes stay idle.
struct CpuForm {
  bool avx512 = false;
  uint32_t width = 8;
  bool small_buffers = true;
};

struct CpuCode {
  std::unique_ptr<Function> wave;
  X64Code machine;
  uint64_t private_bytes = 0;  // of a work-item
};

struct CpuCodeError {
  bool unsupported = false;  // the kernel uses what CPUs do not do; else something went wrong
  std::string message;
};

/// `thread` has been through the thread passes.
std::expected<CpuCode, CpuCodeError> compile_for_cpu(const Function& thread, const CpuForm& form);

/// Runs once. `kernel` was loaded from the code and `bound` made for its wave function.
std::expected<std::optional<TrapReport>, std::string> launch_on_cpu(const CpuCode& code,
                                                                    const CpuKernel& kernel,
                                                                    const BoundArguments& bound,
                                                                    const LaunchSpec& spec, unsigned threads);

}  // namespace kc
