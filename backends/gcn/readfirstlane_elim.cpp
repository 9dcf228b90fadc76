// SPDX-License-Identifier: Apache-2.0
// Eliminates v_readfirstlane of uniform values that only vector instructions use.
//
//   ds_read_b32 %1, %a                           ds_read_b32 %1, %a
//   v_readfirstlane_b32 %2, %1          ==>      v_sub_f32 %3, %1, %b
//   v_sub_f32 %3, %2, %b
//
// Selection records which values are equal in all active lanes. Until exec is written, the set of active
// lanes stays the same or shrinks.
#include <vector>

#include "backends/gcn/isa/table.h"
#include "backends/gcn/rewrites.h"
#include "passes/ir_util.h"

namespace kc::gcn {
namespace {}  // namespace

bool takes_vector(const Inst& inst, size_t operand) {
  const MachineInfo& machine = info(inst.op).machine;
  if (inst.op == Op::gcn_p_merge_exec) return operand == 1;
  return is_valu(machine.form) && !(machine.extra & LaneSelect) && inst.op != Op::gcn_v_readfirstlane_b32 &&
         static_cast<int>(operand) != machine.tied;
}

void eliminate_readfirstlane(Function& f, const std::set<uint32_t>& same) {
  // By value: number of the code range with unchanged exec in which it was read.
  std::vector<uint32_t> read_in(f.value_count(), kNone);
  std::vector<bool> elsewhere(f.value_count(), false);  // some use needs the scalar register
  std::vector<InstId> reads;
  uint32_t stretch = 0;
  for (BlockId b : f.layout) {
    ++stretch;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      for (size_t k = 0; k < inst.operands.size(); ++k)
        if (ValueId v = inst.operands[k]; !takes_vector(inst, k) || read_in[v.index] != stretch)
          elsewhere[v.index] = true;
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) elsewhere[v.index] = true;
      if (inst.op == Op::gcn_p_set_exec) ++stretch;
      if (inst.op == Op::gcn_v_readfirstlane_b32 && same.contains(inst.operands[0].index))
        read_in[inst.results[0].index] = stretch, reads.push_back(i);
    }
  }
  Replacements replaced(f);
  for (InstId i : reads) {
    Inst& inst = f.inst(i);
    if (elsewhere[inst.results[0].index]) continue;
    replaced.set(inst.results[0], inst.operands[0]);
    inst.erased = true;
  }
  sweep_erased(f);
  apply_replacements(f, replaced);
}

}  // namespace kc::gcn
