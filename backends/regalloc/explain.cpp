// SPDX-License-Identifier: Apache-2.0
#include "backends/regalloc/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/text.h"

namespace kc {
namespace {

// The place of an instruction; of one without a place that of the nearest behind it in its block.
Loc place_of(const Function& f, BlockId b, size_t position) {
  const Block& block = f.block(b);
  for (size_t k = position; k < block.insts.size(); ++k)
    if (Loc loc = f.inst(block.insts[k]).loc; loc.line) return loc;
  return {};
}

std::string_view class_of_value(const RegTarget& target, Type type) {
  for (const RegClass& c : target.classes)
    if (c.elem == type.elem) return c.name;
  return "?";
}

}  // namespace

void explain_allocation(const Function& f, const RegTarget& target, const Allocation& allocation,
                        Remarks& remarks) {
  if (!remarks.wants("regalloc")) return;
  std::map<int64_t, std::vector<Loc>> reloads;  // by slot
  for (BlockId b : f.layout)
    for (size_t k = 0; k < f.block(b).insts.size(); ++k)
      if (const Inst& inst = f.inst(f.block(b).insts[k]); inst.op == target.reload)
        reloads[inst.attrs[0]].push_back(place_of(f, b, k));
  for (BlockId b : f.layout)
    for (size_t k = 0; k < f.block(b).insts.size(); ++k) {
      const Inst& inst = f.inst(f.block(b).insts[k]);
      // A machine that allocates one class after another has the spills of earlier ones, too.
      if (inst.op != target.spill || inst.attrs[0] < target.first_slot) continue;
      const ValueId v = inst.operands[0];
      const auto index = static_cast<size_t>(inst.attrs[0]) - target.first_slot;
      Loc loc = f.def(v) ? f.inst(f.def(v)).loc : Loc();
      if (!loc.line) loc = place_of(f, b, k);
      const auto& uses = reloads[inst.attrs[0]];
      Remark remark{
          .pass = "regalloc",
          .loc = loc,
          .text = fmt::format("value in {} register {} is spilled to slot {}, at byte {} of the frame, "
                              "and reloaded {} times: other values are needed sooner",
                              class_of_value(target, f.type(v)), f.value(v).location.index, inst.attrs[0],
                              allocation.slot_offset[index], uses.size())};
      for (Loc use : uses)
        if (use.line) remark.notes.push_back({use, "reloaded here"});
      remarks.add(std::move(remark));
    }
}

}  // namespace kc
