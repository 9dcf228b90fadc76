// SPDX-License-Identifier: Apache-2.0
// Branch relaxation. A branch holds a signed 16-bit distance in words; a longer jump loads its target into a
// pair of scalar registers. A conditional branch skips such a jump on the opposite condition.
//
//   s_cbranch_scc1 far   ==>   s_cbranch_scc0 next
//                              s_getpc, s_add, s_addc, s_setpc: far
//                            next:
//
// The additions clobber scc, which is never live between pseudo instructions.
#include <algorithm>

#include "backends/gcn/machine.h"
#include "ir/check.h"

namespace kc::gcn {
namespace {

constexpr int64_t kReach = 4 * 32767;
constexpr int64_t kFarJumpBytes = 4 + 8 + 8 + 4;
constexpr int64_t kTablesBytes = 4 + 8 + 8;  // of the address of the constant tables

Op inverse_of(Op op) {
  switch (op) {
    case Op::gcn_s_cbranch_scc0:
      return Op::gcn_s_cbranch_scc1;
    case Op::gcn_s_cbranch_scc1:
      return Op::gcn_s_cbranch_scc0;
    case Op::gcn_s_cbranch_vccz:
      return Op::gcn_s_cbranch_vccnz;
    case Op::gcn_s_cbranch_vccnz:
      return Op::gcn_s_cbranch_vccz;
    default:
      return op;
  }
}
bool is_conditional(Op op) { return inverse_of(op) != op; }

/// An upper bound of the size in bytes. The assembler chooses the encoding.
int64_t bytes_of(const MachineInst& inst) {
  if (inst.op == Op::gcn_s_setpc_b64) return kFarJumpBytes;
  if (inst.op == Op::gcn_s_getpc_b64) return kTablesBytes;
  return info(inst.op).machine.form == Sopp ? 4 : 8;
}

class BranchRelaxer {
 public:
  explicit BranchRelaxer(std::vector<MachineBlock>& blocks) : blocks_(blocks) {
    for (const MachineBlock& b : blocks_) next_id_ = std::max(next_id_, b.id.index + 1);
  }

  // Longer jumps move other blocks apart. Each iteration lengthens at least one jump, or is the last.
  void run() {
    bool changed = true;
    while (changed) {
      changed = false;
      measure();
      for (size_t b = 0; b < blocks_.size(); ++b) changed |= block(b);
    }
  }

 private:
  void measure() {
    start_.assign(next_id_, 0);
    int64_t at = 0;
    for (const MachineBlock& b : blocks_) {
      start_[b.id.index] = at;
      for (const MachineInst& inst : b.insts) at += bytes_of(inst);
    }
  }

  // Lengthens the first branch of the block that is out of range. The other blocks keep the positions of this
  // iteration, and a new block has none: the next iteration checks both again.
  bool block(size_t index) {
    if (blocks_[index].id.index >= start_.size()) return false;
    int64_t at = start_[blocks_[index].id.index];
    auto& insts = blocks_[index].insts;
    for (size_t i = 0; i < insts.size(); ++i) {
      MachineInst& inst = insts[i];
      at += bytes_of(inst);
      if (!inst.target.valid() || inst.op == Op::gcn_s_setpc_b64) continue;
      if (inst.target.index >= start_.size()) continue;
      int64_t distance = start_[inst.target.index] - at;
      if (distance <= kReach && distance >= -kReach) continue;
      if (is_conditional(inst.op))
        skip(index, i);
      else
        inst.op = Op::gcn_s_setpc_b64;
      return true;
    }
    return false;
  }

  // The rest of the block after the branch becomes a block of its own, the target of the skip.
  void skip(size_t index, size_t branch) {
    MachineBlock rest{BlockId(next_id_++), {}, {}};
    auto& insts = blocks_[index].insts;
    rest.insts.assign(std::make_move_iterator(insts.begin() + static_cast<std::ptrdiff_t>(branch) + 1),
                      std::make_move_iterator(insts.end()));
    insts.resize(branch + 1);
    MachineInst jump = insts[branch];
    jump.op = Op::gcn_s_setpc_b64;
    MachineInst& inverse = insts[branch];
    inverse.op = inverse_of(inverse.op);
    inverse.target = rest.id;
    insts.push_back(std::move(jump));
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(rest));
  }

  std::vector<MachineBlock>& blocks_;
  std::vector<int64_t> start_;  // by block
  uint32_t next_id_ = 0;
};

}  // namespace

void relax_branches(std::vector<MachineBlock>& blocks) { BranchRelaxer(blocks).run(); }

}  // namespace kc::gcn
