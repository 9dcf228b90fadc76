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
#include "passes/transform/narrow_small.h"

#include "passes/transform/narrow_bits.h"

namespace kc {
namespace {

constexpr Widths kShorts{kI32, kI16}, kBytes{kI16, kI8};

// The bytes are found among the shorts.
bool narrowed(Function& f, AnalysisCache& analyses, Remarks* remarks, RewriteCounts* counts) {
  const bool shorts = narrow_bits(f, kShorts, analyses, remarks, counts);
  if (!shorts) return narrow_bits(f, kBytes, analyses, remarks, counts);
  AnalysisCache now(f, analyses.ids());
  narrow_bits(f, kBytes, now, remarks, counts);
  return true;
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
