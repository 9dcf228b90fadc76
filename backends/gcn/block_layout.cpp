// SPDX-License-Identifier: Apache-2.0
// Block layout, successors, and the blocks in which exec is the launch mask.
#include <algorithm>
#include <map>

#include "backends/gcn/machine.h"
#include "ir/cfg.h"

namespace kc::gcn {

// Loop rotation: a loop header that can leave its loop is placed after the last block with a back edge to it.
// Entering the loop costs one jump; each iteration saves one.
//
//   head: if !c goto out; body; goto head; out:   ==>   goto head; body: ...; head: if c goto body; out:
std::vector<BlockId> layout_blocks(const Function& f) {
  std::vector<BlockId> order = f.layout;
  std::vector<size_t> position(f.block_count());
  auto number = [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) position[order[i].index] = i;
  };
  number(0, order.size());
  for (BlockId last : f.layout) {
    const Inst& jump = f.inst(f.terminator(last));
    if (jump.op != Op::gcn_p_br) continue;
    BlockId head = jump.targets[0].block;
    const size_t from = position[head.index], to = position[last.index];
    if (head == f.entry() || head == last || from >= to) continue;
    const Inst& test = f.inst(f.terminator(head));
    // The body directly follows the header, and the exit is after the last block.
    if (test.op != Op::gcn_p_br_cmp || from + 1 >= order.size()) continue;
    BlockId body = order[from + 1];
    bool first = test.targets[0].block == body, second = test.targets[1].block == body;
    if (first == second || position[test.targets[first].block.index] <= to) continue;
    std::rotate(order.begin() + static_cast<std::ptrdiff_t>(from),
                order.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                order.begin() + static_cast<std::ptrdiff_t>(to) + 1);
    number(from, to + 1);
  }
  return order;
}

SuccessorLists successors_of(const std::vector<MachineBlock>& blocks) {
  std::map<uint32_t, uint32_t> position;
  for (uint32_t i = 0; i < blocks.size(); ++i) position[blocks[i].id.index] = i;
  SuccessorLists successors(blocks.size());
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    bool falls = true;
    for (const MachineInst& inst : blocks[b].insts) {
      if (inst.target.valid()) successors[b].push_back(position.at(inst.target.index));
      if (inst.op == Op::gcn_s_branch || inst.op == Op::gcn_s_endpgm) falls = false;
    }
    if (falls && b + 1 < blocks.size()) successors[b].push_back(b + 1);
  }
  return successors;
}

// Whether the instruction is in the entry block before any write of exec.
static bool is_before_changes(const Function& f, InstId wanted) {
  for (InstId i : f.block(f.entry()).insts) {
    if (i == wanted) return true;
    if (f.inst(i).op == Op::gcn_p_set_exec) return false;
  }
  return false;
}

bool is_full_exec(const Function& f, ValueId mask) {
  for (InstId def = f.def(mask); def; def = f.def(mask)) {
    const Inst& inst = f.inst(def);
    if (inst.op == Op::gcn_p_get_exec) return is_before_changes(f, def);
    if (inst.op != Op::gcn_copy) return false;
    mask = inst.operands[0];
  }
  return false;
}

std::vector<bool> find_full_exec(const Function& f) {
  // All blocks, until a path with another exec is found.
  std::vector<bool> full(f.block_count(), true);
  std::vector<BlockId> work(f.layout.rbegin(), f.layout.rend());
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    bool now = full[b.index];
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == Op::gcn_p_set_exec) now = is_full_exec(f, f.inst(i).operands[0]);
    if (now) continue;
    for (const Target& t : f.successors(b))
      if (full[t.block.index]) full[t.block.index] = false, work.push_back(t.block);
  }
  return full;
}

}  // namespace kc::gcn
