// SPDX-License-Identifier: Apache-2.0
// narrow: computes 64-bit arithmetic of work-items in 32 bits (narrow_bits.h). Addresses are in their final
// order by now. Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   %1: i64 = global_id dim=0                  %1: i32 = global_id dim=0
//   %2: i64 = zext %n                   ==>
//   %3: i1 = ult %1, %2                        %3: i1 = ult %1, %n
//   %4: ptr<global> = ptr_add %p, %1 ...       %4: ptr<global> = ptr_add %p, %1 ...
#include "passes/transform/narrow.h"

#include "passes/transform/narrow_bits.h"

namespace kc {
namespace {
constexpr Widths kWords{kI64, kI32};
}  // namespace

bool narrow(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return narrow_bits(f, kWords, analyses, remarks, nullptr);
}
bool narrow(Function& f, AnalysisCache& analyses, RewriteCounts& counts) {
  return narrow_bits(f, kWords, analyses, nullptr, &counts);
}

std::vector<std::string> narrow_rules() {
  std::vector<std::string> names;
  for (Op op : {Op::add, Op::sub, Op::mul, Op::and_, Op::or_, Op::xor_, Op::select, Op::shl, Op::lshr,
                Op::ashr, Op::umin, Op::umax, Op::udiv, Op::urem, Op::smin, Op::smax, Op::sdiv, Op::srem})
    names.push_back(rule_name(op, "narrow"));
  for (Op op : {Op::mul, Op::udiv, Op::urem, Op::sdiv, Op::srem})
    names.push_back(rule_name(op, "narrow_and_extend"));
  for (Op op :
       {Op::trunc, Op::ptr_add, Op::sitofp, Op::uitofp, Op::eq, Op::ne, Op::slt, Op::sle, Op::ult, Op::ule})
    names.push_back(rule_name(op, "reads_low"));
  return names;
}

}  // namespace kc
