// SPDX-License-Identifier: Apache-2.0
// A kernel parameter that is a vector or a structure is passed as its scalars, each a parameter of the
// function: `v.0 of 16`, `v.4 of 16` and so on, with the byte offset and the size of the whole.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
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

/// The parameter with this role, if the function has one. BufferSize belongs to several.
std::optional<size_t> param_with_role(const Function& f, ParamRole role);
/// `sized` is the index of the parameter whose size a BufferSize is.
ParamInfo hidden_parameter(ParamRole role, size_t sized = 0);
/// Adds it to the function, with the type that parameters of this role have.
ValueId add_hidden_parameter(Function& f, ParamRole role, size_t sized = 0);
kc::Type type_of_role(ParamRole role);
/// The words for roles in the text form: `traps`, `constants`, `printf`, `size_N` for parameter N, `mask`.
/// They also serve as names.
std::string role_word(const ParamInfo& hidden);
std::optional<ParamInfo> parse_role_word(std::string_view word);
/// Why a parameter of this type, after those `before`, cannot have the role; empty if it can.
std::string why_no_role(const ParamInfo& hidden, kc::Type type, std::span<const TargetNote::Argument> before);
/// In the metadata of a code object the type name of a hidden argument states its role.
std::string role_type_name(const ParamInfo& hidden);
bool is_role_type_name(std::string_view type_name);
std::optional<ParamInfo> parse_role_type_name(std::string_view type_name);

/// The name of a part.
std::string part_name(std::string_view whole, uint64_t offset);
/// The byte offset of a part.
uint64_t part_offset(const ParamInfo& part);

}  // namespace kc
