// SPDX-License-Identifier: Apache-2.0
// One instruction under the eyes of the rules of `instcombine`.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Whether every lane of mask a is in mask b, as far as the definitions of the two show.
bool is_subset(const Function& f, ValueId a, ValueId b);

/// Rules read the instruction's operands and either give a value that replaces its result, or turn it into
/// another instruction. Both answer true; a refused rewrite answers false and changes nothing.
class Rewriter {
 public:
  Rewriter(Function& function, InstId inst) : f(function), id_(inst) {}
  Function& f;

  const Inst& inst() const { return f.inst(id_); }
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
  /// The instruction that defines v when it is an `op`, else null.
  const Inst* defined_by(ValueId v, Op op) const;
  static uint64_t ones(Type type);
  /// Whether to use inner's operand 0 here in place of inner would keep an old value of a variable alive
  /// beside the new one: it is a parameter, and what `inner` makes of it is used in other blocks too.
  bool outlives_its_update(const Inst& inner) const;

  bool value(ValueId v);
  bool constant(uint64_t bits) { return value(f.constant(type(), bits)); }
  bool become(Op op, std::initializer_list<ValueId> operands, std::initializer_list<int64_t> attrs = {});
  /// A constant of v's element, in a shape that may stand beside v.
  ValueId like(ValueId v, uint64_t bits) { return f.constant(type(v).scalar(), bits); }

  /// The result of a new elementwise instruction, which will stand in front of this one. A rule that makes
  /// any must answer true.
  ValueId make(Op op, Elem elem, std::initializer_list<ValueId> operands);

  /// What replaces the result, when a rule gave one.
  ValueId replacement;
  std::vector<InstId> made;

 private:
  InstId id_;
};

/// Becomes the value of a flag, or its negation.
bool flag(Rewriter& r, ValueId v, bool positive);
/// Numbers made of flags (instcombine_flags.cpp).
bool compare_flag(Rewriter& r);
bool compare_flags(Rewriter& r);
bool compare_chosen(Rewriter& r);
bool flags_together(Rewriter& r);
bool negated_flag(Rewriter& r);
bool sign_of_flag(Rewriter& r);

/// low <= x and x <= high with constants: one unsigned comparison of x - low; the same for the opposite.
bool compare_range(Rewriter& r);

/// Division and remainder by powers of two, and masks of counts of shifts (instcombine_division.cpp).
bool udiv_power(Rewriter& r);
bool urem_power(Rewriter& r);
bool sdiv_power(Rewriter& r);
bool srem_power(Rewriter& r);
bool shift_count_masked(Rewriter& r);

/// Applies the first rule that fits. Whether one did.
bool apply_rules(Rewriter& r);

}  // namespace kc
