// SPDX-License-Identifier: Apache-2.0
// One kernel through two compilers, each result run by the same emulator.
#pragma once

#include <expected>
#include <string>

#include "driver/session.h"
#include "sim/gcn/estimate.h"

namespace kc::bench {

/// What an object costs, and what it leaves in the buffers.
struct Side {
  GcnCounters counters;
  uint32_t vgprs = 0, sgprs = 0;
  GcnOccupancy occupancy;
  double cycles = 0;  // estimated
  KernelArguments after;
  std::string listing;  // each instruction behind how often it was issued
};

/// Why there is nothing to compare.
struct NoSide {
  bool absent = false;      // the compiler is not on this machine
  bool not_opencl = false;  // the kernel uses our extensions of the language
  std::string message;
};

/// Our code object for the launch of the session, executed.
std::expected<Side, NoSide> run_ours(const Session& session, bool strict);

/// clang-19's from the same file. `options` come on top of those that name target and language. The emulator
/// is not strict: that code reads registers that nobody wrote where it knows that the bits do not matter.
std::expected<Side, NoSide> run_clang(const Session& session, const std::string& file,
                                      const std::vector<std::string>& options, bool strict);

}  // namespace kc::bench
