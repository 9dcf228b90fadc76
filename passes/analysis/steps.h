// SPDX-License-Identifier: Apache-2.0
// By how much a value grows when its operands grow: from one work-item to the next (lane_steps.h), or from
// one iteration of a loop to the next (loop_steps.h). Steps wrap, as the numbers do: those of numbers of 32
// bits are right but for multiples of 2^32.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/function.h"

namespace kc {

/// An integer constant as a signed number; nothing for other values.
inline std::optional<int64_t> signed_constant(const Function& f, ValueId v) {
  if (!f.is_const(v)) return std::nullopt;
  const unsigned bits = f.type(v).bits();
  return static_cast<int64_t>(f.value(v).bits << (64 - bits)) >> (64 - bits);
}

/// The step of the result of `inst`, from `of(operand)`, which gives the step of an operand. Nothing if that
/// is not known, or if the operation is not a sum, a product with a constant, or a conversion.
template <typename Of>
std::optional<int64_t> step_of_result(const Function& f, const Inst& inst, Of of) {
  const auto operand = [&](size_t k) -> std::optional<int64_t> { return of(inst.operands[k]); };
  const auto product = [](std::optional<int64_t> a, std::optional<int64_t> b) -> std::optional<int64_t> {
    if (!a || !b) return std::nullopt;
    return static_cast<int64_t>(static_cast<uint64_t>(*a) * static_cast<uint64_t>(*b));
  };
  const auto sum = [](std::optional<int64_t> a, std::optional<int64_t> b) -> std::optional<int64_t> {
    if (!a || !b) return std::nullopt;
    return static_cast<int64_t>(static_cast<uint64_t>(*a) + static_cast<uint64_t>(*b));
  };
  switch (inst.op) {
    case Op::sext:
    case Op::zext:
    case Op::trunc:
    case Op::bitcast:
      return operand(0);
    case Op::add:
      return sum(operand(0), operand(1));
    case Op::sub:
      return sum(operand(0), product(operand(1), -1));
    case Op::mul:
      return product(operand(0), signed_constant(f, inst.operands[1]));
    case Op::shl: {
      const auto by = signed_constant(f, inst.operands[1]);
      return by && *by >= 0 && *by < 32 ? product(operand(0), int64_t{1} << *by) : std::nullopt;
    }
    case Op::ptr_add:
      return sum(operand(0), product(operand(1), inst.attrs[0]));
    default:
      return std::nullopt;
  }
}

}  // namespace kc
