// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/zeros.h"

#include <algorithm>

namespace kc::spirv {
namespace {

bool is_arithmetic(Op op) {
  return op == Op::fadd || op == Op::fsub || op == Op::fmul || op == Op::fdiv || op == Op::ffma;
}

}  // namespace

void HiddenZeros::emit(const Function& f, Code& c, LaunchCode& launch) {
  Word zero32 = 0;
  bool has_private = std::any_of(f.objects.begin(), f.objects.end(),
                                 [](const MemoryObject& o) { return o.type == kPtrPrivate; });
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (!is_arithmetic(inst.op)) continue;
      // Drivers follow constants through private memory, too.
      if (!zero32 && has_private) c.hide_private(zero32 = launch.zero());
      for (ValueId operand : inst.operands) {
        Elem e = f.type(operand).elem;
        if (!f.is_const(operand) || zeros_.contains(operand)) continue;
        uint64_t sign = uint64_t{1} << (width(e) - 1), bits = f.value(operand).bits;
        if (bits != 0 && bits != sign) continue;
        if (!zero32) zero32 = launch.zero();
        Elem whole = integer_of(e);
        Word zero = whole == Elem::I32 ? zero32 : c.make(spv::Op::OpUConvert, whole, {zero32});
        if (bits) zero = c.make(spv::Op::OpBitwiseOr, whole, {zero, c.constant(whole, bits)});
        zeros_[operand] = c.make(spv::Op::OpBitcast, e, {zero});
      }
    }
}

void HiddenZeros::replace(const Inst& inst, Words& operands) const {
  if (!is_arithmetic(inst.op)) return;
  for (size_t k = 0; k < operands.size(); ++k)
    if (auto found = zeros_.find(inst.operands[k]); found != zeros_.end()) operands[k] = found->second;
}

}  // namespace kc::spirv
