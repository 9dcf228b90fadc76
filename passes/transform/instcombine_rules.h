// SPDX-License-Identifier: Apache-2.0
// The interface of the rules of `instcombine` to the instruction they rewrite.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Whether mask a is a subset of mask b, as far as their definitions show.
bool is_subset(const Function& f, ValueId a, ValueId b);

/// A rule reads the instruction's operands and either sets a value that replaces its result, or turns it into
/// another instruction, and returns true; a rule that does not apply returns false and changes nothing.
class RuleContext {
 public:
  RuleContext(Function& function, InstId inst) : f(function), id_(inst) {}
  Function& f;

  const Inst& inst() const { return f.inst(id_); }
  /// Whether this is `eq`, of the two comparisons that test for equality.
  bool is_equality() const { return inst().op == Op::eq; }
  ValueId operand(size_t i) const { return inst().operands[i]; }
  Type type() const { return f.type(inst().results[0]); }
  Type type(ValueId v) const { return f.type(v); }
  /// Bits of a constant.
  std::optional<uint64_t> bits(ValueId v) const {
    return f.is_const(v) ? std::optional(f.value(v).bits) : std::nullopt;
  }
  bool is(ValueId v, uint64_t constant) const { return bits(v) == constant; }
  bool is_ones(ValueId v) const { return bits(v) == ones(type(v)); }
  bool is_float(ValueId v, double constant) const;
  /// The instruction that defines v if it is an `op`, else null.
  const Inst* defined_by(ValueId v, Op op) const;
  static uint64_t ones(Type type);
  /// Whether using inner's operand 0 here in place of inner would keep the old value of a variable live
  /// together with the new one: the operand is a parameter, and the result of `inner` is used in other
  /// blocks, too.
  bool outlives_its_update(const Inst& inner) const;

  bool value(ValueId v);
  bool constant(uint64_t bits) { return value(f.constant(type(), bits)); }
  bool become(Op op, std::initializer_list<ValueId> operands, std::initializer_list<int64_t> attrs = {});
  /// A constant of v's element type, valid beside v as an operand.
  ValueId like(ValueId v, uint64_t bits) { return f.constant(type(v).scalar(), bits); }

  /// The result of a new elementwise instruction, placed before this one. A rule that makes any must return
  /// true.
  ValueId make(Op op, Elem elem, std::initializer_list<ValueId> operands);

  /// The value that replaces the result, if a rule set one.
  ValueId replacement;
  std::vector<InstId> made;
  /// The name of the rule that applied.
  const char* applied = nullptr;

 private:
  InstId id_;
};

/// Replaces the result by the value of a flag, or its negation.
bool flag(RuleContext& r, ValueId v, bool positive);
/// Booleans converted to numbers (instcombine_flags.cpp).
bool compare_flag(RuleContext& r);
bool compare_flags(RuleContext& r);
bool compare_chosen(RuleContext& r);
bool flags_together(RuleContext& r);
bool negated_flag(RuleContext& r);
bool sign_of_flag(RuleContext& r);

/// low <= x and x <= high with constants: one unsigned comparison of x - low; the same for the negation.
bool compare_range(RuleContext& r);

/// Masks of conditions that the number of the lane decides, such as lane_id % 8 < 4 (instcombine_lanes.cpp).
bool condition_of_lanes(RuleContext& r);

/// Division and remainder by powers of two, divisibility, and masks of shift counts
/// (instcombine_division.cpp).
bool udiv_power(RuleContext& r);
bool urem_power(RuleContext& r);
bool udiv_shifted_one(RuleContext& r);
bool urem_shifted_one(RuleContext& r);
bool sdiv_power(RuleContext& r);
bool srem_power(RuleContext& r);
bool divisible(RuleContext& r);
bool shift_count_masked(RuleContext& r);

/// Applies the first rule that matches. Returns whether one did.
bool apply_rules(RuleContext& r);
/// The names of the rules of the table, each with its opcode.
std::vector<std::string> table_of_rules();

}  // namespace kc
