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
/// groups are shorter than a wave, lanes stay idle. If waves are packed, it runs launches of groups of that
/// shape with ids below 2^31.
struct CpuForm {
  bool avx512 = false;
  uint32_t width = 8;
  bool small_buffers = true;
  LaneLayout layout{};
  /// Groups that stand for those of the launch, whose waves are tiles of the grid; 0: they are its own.
  std::array<uint64_t, 3> tile{};
  auto operator<=>(const CpuForm&) const = default;
};

/// Which form a launch of the kernel gets.
class CpuFormChooser {
 public:
  /// `thread` has been through the thread passes. `width`: lanes, or 0 for as many as are best.
  CpuFormChooser(const Function& thread, bool avx512, uint32_t width);
  CpuForm form(const LaunchSpec& spec) const;
  /// For launches of any shape and with buffers of any size.
  CpuForm any_form() const {
    return {.avx512 = avx512_, .width = width_, .small_buffers = false, .layout = {.aligned = true}};
  }

 private:
  uint32_t limited(uint64_t items) const;
  std::array<uint64_t, 3> tile(const LaunchSpec& spec) const;
  bool avx512_, fixed_width_, sees_groups_, sub_groups_, has_barriers_, tiles_;
  uint32_t width_;
};

struct CpuCode {
  std::unique_ptr<Function> wave;
  X64Code machine;
  std::array<uint64_t, 3> tile{};  // as in its form
  uint64_t private_bytes = 0;      // of a work-item
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
