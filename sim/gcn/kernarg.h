// SPDX-License-Identifier: Apache-2.0
// The kernarg segment of a code object's kernel, built from its metadata: explicit arguments, and the hidden
// ones that a runtime adds (LLVM's "User Guide for AMDGPU Backend", code objects of version 3 to 5).
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/launch.h"
#include "sim/gcn/object.h"

namespace kc {

/// Whether the runtime sets the argument, rather than the caller.
bool is_hidden(const GcnArg& arg);

/// A scalar within an argument: all of it, or a component of a vector or structure passed by value.
struct GcnPart {
  uint64_t offset = 0;
  Type type;  // I64 for pointers
  bool is_unsigned = false;
};
/// A scalar type by its OpenCL name.
struct GcnScalar {
  std::string_view name;
  Elem elem = Elem::Void;
  bool is_unsigned = false;
};
const GcnScalar* scalar_type(std::string_view name);

/// The scalars of an argument, from its size and type name; words or bytes if the name is unknown. Empty if
/// it is too large.
std::vector<GcnPart> parts_of(const GcnArg& arg);

/// The segment for a launch. `values` contains the bits of each part of each argument that is not hidden, in
/// order.
std::expected<std::vector<uint8_t>, std::string> fill_kernarg(const GcnKernel& kernel, const LaunchSpec& spec,
                                                              std::span<const uint64_t> values);

}  // namespace kc
