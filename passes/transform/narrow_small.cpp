// SPDX-License-Identifier: Apache-2.0
// narrow_small: computes 32-bit arithmetic of work-items in 16 bits, and 16-bit arithmetic in 8
// (narrow_bits.h): C computes with int, and vectors have more lanes of shorts and bytes. Needs ThreadForm,
// Ssa; kills Reconverging, Structured.
//
//   %1: i32 = zext %a                          %1: i16 = zext %a
//   %2: i32 = zext %b                          %2: i16 = zext %b
//   %3: i32 = mul %1, 3:i32             ==>    %3: i16 = mul %1, 3:i16
//   %4: i32 = add %3, %2                       %4: i16 = add %3, %2
//   %5: i32 = lshr %4, 2:i32                   %5: i16 = lshr %4, 2:i16
//   %6: i8 = trunc %5                          %6: i8 = trunc %5
//
//   %1: i32 = zext %a                          switch %a, 48:i8, 49:i8 -> b1, b2, b2
//   switch %1, 48:i32, 49:i32 -> b1, b2, b2
#include "passes/transform/narrow_small.h"

#include <array>

#include "ir/known_bits.h"
#include "passes/ir_util.h"
#include "passes/transform/narrow_bits.h"

namespace kc {
namespace {

constexpr Widths kShorts{kI32, kI16}, kBytes{kI16, kI8};

// A switch over an extended value is one over the value: each case becomes a comparison. Cases that the value
// cannot have are gone where ranges were looked at; else the switch stays.
bool narrow_switch(Function& f, Inst& end) {
  const InstId def = end.op == Op::switch_ ? f.def(end.operands[0]) : InstId();
  if (!def || (f.inst(def).op != Op::zext && f.inst(def).op != Op::sext)) return false;
  ValueList operands{f.inst(def).operands[0]};
  const Type type = f.type(operands[0]);
  if (type != kI8 && type != kI16) return false;
  for (size_t k = 1; k < end.operands.size(); ++k) {
    const uint64_t bits = f.value(end.operands[k]).bits, low = bits & low_ones(type.bits());
    if (evaluated(f, f.inst(def), std::array{low}) != bits) return false;
    operands.push_back(f.constant(type, low));
  }
  end.operands = std::move(operands);
  return true;
}

// The bytes are found among the shorts.
bool narrowed(Function& f, AnalysisCache& analyses, Remarks* remarks, RewriteCounts* counts) {
  bool changed = narrow_bits(f, kShorts, analyses, remarks, counts);
  if (changed) {
    AnalysisCache now(f, analyses.ids());
    narrow_bits(f, kBytes, now, remarks, counts);
  } else {
    changed = narrow_bits(f, kBytes, analyses, remarks, counts);
  }
  for (BlockId b : f.layout) changed |= narrow_switch(f, f.inst(f.terminator(b)));
  return changed;
}

}  // namespace

bool narrow_small(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return narrowed(f, analyses, remarks, nullptr);
}
bool narrow_small(Function& f, AnalysisCache& analyses, RewriteCounts& counts) {
  return narrowed(f, analyses, nullptr, &counts);
}

std::vector<std::string> narrow_small_rules() {
  std::vector<std::string> names;
  for (Op op : {Op::add, Op::sub, Op::mul, Op::and_, Op::or_, Op::xor_, Op::select, Op::shl, Op::lshr,
                Op::ashr, Op::umin, Op::umax, Op::smin, Op::smax})
    names.push_back(rule_name(op, "narrow"));
  for (Op op : {Op::trunc, Op::eq, Op::ne, Op::slt, Op::sle, Op::ult, Op::ule})
    names.push_back(rule_name(op, "reads_low"));
  return names;
}

}  // namespace kc
