// SPDX-License-Identifier: Apache-2.0
// A parameter of a kernel that is a vector or a structure arrives as its numbers, each of them a parameter of
// the function: `v.0 of 16`, `v.4 of 16` and so on, with the offset in bytes and the size of the whole.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// What the source declares as one parameter.
struct SourceParameter {
  std::string_view name;
  size_t first = 0;   // among the function's parameters
  size_t count = 1;   // of them
  uint64_t size = 0;  // in bytes, if it arrives in parts; otherwise 0

  bool has_parts() const { return size > 0; }
};

/// The one that begins with this parameter of the function.
SourceParameter source_parameter(const Function& kernel, size_t first);
/// All visible ones, in the order of the source; hidden parameters come last.
std::vector<SourceParameter> source_parameters(const Function& kernel);

/// The name of a part.
std::string part_name(std::string_view whole, uint64_t offset);
/// Where a part lies in its whole.
uint64_t part_offset(const ParamInfo& part);

}  // namespace kc
