// SPDX-License-Identifier: Apache-2.0
// The kernarg segment of a code object's kernel, from its metadata: explicit arguments, and the hidden ones
// that a runtime adds (LLVM's "User Guide for AMDGPU Backend", code objects of version 3 to 5).
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "ir/launch.h"
#include "sim/gcn_object.h"

namespace kc {

/// Whether the runtime gives the argument its value, not the caller.
bool is_hidden(const GcnArg& arg);

/// The segment for a launch; `values` has the bits of each argument that is not hidden, in order.
std::expected<std::vector<uint8_t>, std::string> fill_kernarg(const GcnKernel& kernel, const LaunchSpec& spec,
                                                              std::span<const uint64_t> values);

}  // namespace kc
