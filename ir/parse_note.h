// SPDX-License-Identifier: Apache-2.0
// The parts of the text form that say what a kernel is given and what it is made for.
#pragma once

#include <functional>
#include <span>

#include "ir/function.h"
#include "ir/text_reader.h"

namespace kc {

/// What follows the type of a parameter. `before` are the parameters before it.
ParamInfo read_parameter(TextReader& in, Type type, std::span<const TargetNote::Argument> before);

/// What follows the word `target`. `operand` reads value number i of `same_in_lanes`.
TargetNote read_target_note(TextReader& in, const std::function<ValueId(uint32_t i)>& operand);

}  // namespace kc
