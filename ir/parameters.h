// SPDX-License-Identifier: Apache-2.0
// A kernel parameter that is a vector or a structure is passed as its scalars, each a parameter of the
// function: `v.0 of 16`, `v.4 of 16` and so on, with the byte offset and the size of the whole.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// One parameter in the source.
struct SourceParameter {
  std::string_view name;
  size_t first = 0;   // index in the function's parameters
  size_t count = 1;   // number of them
  uint64_t size = 0;  // in bytes, if it is passed in parts; otherwise 0

  bool has_parts() const { return size > 0; }
};

/// The source parameter whose first part is this parameter of the function.
SourceParameter source_parameter(const Function& kernel, size_t first);
/// All visible parameters in source order; hidden parameters come last in the function.
std::vector<SourceParameter> source_parameters(const Function& kernel);

/// The name of a part.
std::string part_name(std::string_view whole, uint64_t offset);
/// The byte offset of a part.
uint64_t part_offset(const ParamInfo& part);

}  // namespace kc
