// SPDX-License-Identifier: Apache-2.0
// Results of arithmetic are always quiet. A value that forwards others is quiet if they all are: optimistic
// iteration starts with all values quiet and sweeps over the function until nothing changes.
#include "backends/x64/snan_analysis.h"

#include <algorithm>

namespace kc::x64 {

bool SnanAnalysis::quiet(ValueId v) {
  if (loud_.empty()) run();
  return is_quiet(v);
}

bool SnanAnalysis::is_quiet(ValueId v) const {
  if (f.is_undef(v)) return false;
  if (!f.is_const(v)) return !loud_[v.index];
  const bool wide = f.type(v).bits() == 64;
  const uint64_t bits = f.value(v).bits;
  const uint64_t exponent = wide ? 0x7ff0000000000000u : 0x7f800000u,
                 quiet = wide ? uint64_t{1} << 51 : 1u << 22;
  const uint64_t fraction = bits & ((quiet << 1) - 1);
  return (bits & exponent) != exponent || fraction == 0 || (bits & quiet) != 0;
}

bool SnanAnalysis::makes_quiet(const Inst& inst) const {
  switch (inst.op) {
    case Op::fadd:
    case Op::fsub:
    case Op::fmul:
    case Op::fdiv:
    case Op::ffma:
    case Op::fsqrt:
    case Op::ffloor:
    case Op::fceil:
    case Op::ftrunc:
    case Op::frint:
    case Op::sitofp:
    case Op::uitofp:
    case Op::fpext:
    case Op::fptrunc:
      return true;
    case Op::fneg:
    case Op::fabs:
    case Op::splat:
      return is_quiet(inst.operands[0]);
    case Op::fmin:
    case Op::fmax:
      return (ranges_ && f.type(inst.results[0]).lane) ||
             (is_quiet(inst.operands[0]) && is_quiet(inst.operands[1]));
    case Op::select:
    case Op::blend:
      return is_quiet(inst.operands[1]) && is_quiet(inst.operands[2]);
    default:
      return false;
  }
}

void SnanAnalysis::run() {
  loud_.assign(f.value_count(), false);
  auto mark = [&](ValueId v) {
    bool fresh = !loud_[v.index];
    loud_[v.index] = true;
    return fresh;
  };
  for (ValueId p : f.block(f.entry()).params) mark(p);
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (!makes_quiet(inst))
          for (ValueId r : inst.results) changed |= mark(r);
        for (const Target& t : inst.targets)
          for (size_t k = 0; k < t.args.size(); ++k)
            if (!is_quiet(t.args[k])) changed |= mark(f.block(t.block).params[k]);
      }
  }
}

}  // namespace kc::x64
