// SPDX-License-Identifier: Apache-2.0
// The last form before text: a sequence of real instructions with physical registers.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/gcn/gcn.h"
#include "backends/gcn/isa/table.h"
#include "backends/gcn/selector.h"
#include "passes/analysis/cycles.h"

namespace kc::gcn {

struct Register {
  enum Kind : uint8_t { Scalar, Vector, Immediate } kind = Immediate;
  uint32_t first = 0, count = 1;  // units; special scalar registers are given by their encoding
  int64_t imm = 0;
  bool overlaps(const Register& o) const {
    return kind != Immediate && kind == o.kind && first < o.first + o.count && o.first < first + count;
  }
  bool operator==(const Register&) const = default;
};
inline Register sreg(uint32_t first, uint32_t count = 1) { return {Register::Scalar, first, count, 0}; }
inline Register vreg(uint32_t first, uint32_t count = 1) { return {Register::Vector, first, count, 0}; }
/// exec, vcc or another mask that begins there.
inline Register mask_at(const MachineModel& model, uint32_t first) {
  return sreg(first, lane_mask(model).regs);
}
inline Register immediate(int64_t v) { return {Register::Immediate, 0, 1, v}; }

inline bool touches(const std::vector<Register>& registers, const Register& r) {
  return std::ranges::any_of(registers, [&](const Register& o) { return o.overlaps(r); });
}

struct MachineInst {
  Op op = Op::Count_;
  std::vector<Register> results, operands;
  std::array<int64_t, kMaxAttrs> attrs{};
  BlockId target;  // of a branch; s_setpc_b64 with a target denotes the far-jump sequence
  Loc loc;
  std::string comment;
};
struct MachineBlock {
  BlockId id;
  std::string comment;
  std::vector<MachineInst> insts;
};

/// Memory layout of the scratch of a lane: private memory, spilled scalars, spilled vector registers.
struct Frame {
  uint32_t spill_registers = 0;  // starting at kSgprSpill: their lanes hold spilled scalars
  uint32_t private_bytes = 0;
  // of scalars beyond these lanes; they are moved through one more vector register
  uint32_t scalar_bytes = 0;
};

/// Expands the pseudo instructions of an allocated function; blocks in layout order, fall-through jumps
/// dropped.
std::vector<MachineBlock> expand(const Function& allocated, const Allocation& scalars,
                                 const Allocation& vectors, const Frame& frame, const MachineModel& model);

/// Block layout with loop rotation: loops that test in their header test after their last block instead.
std::vector<BlockId> layout_blocks(const Function& allocated);

/// By block: exec is the mask of all lanes that the launch gave the wave, so no other lane ever becomes
/// active.
std::vector<bool> find_full_exec(const Function& allocated);
/// Whether a mask is the launch mask.
bool is_full_exec(const Function& allocated, ValueId mask);

/// By value: the values of its halves, if every reader of the pair can read them in place; the pair is then
/// never assembled.
std::vector<std::optional<std::pair<ValueId, ValueId>>> find_split_pairs(
    const Function& allocated, const std::vector<std::optional<uint32_t>>& aliases);

/// By value: another register that holds it until its last use; such a value needs no copy.
std::vector<std::optional<uint32_t>> find_aliases(const Function& allocated);

/// Adds aliases of values whose only purpose is to be merged into another register.
void coalesce_merges(const Function& allocated, std::vector<std::optional<uint32_t>>& aliases);

/// Merges adjacent memory accesses. Runs before wait insertion.
void merge_accesses(std::vector<MachineBlock>& blocks, bool even_tuples);

/// By position: the positions of the successor blocks, once per edge.
SuccessorLists successors_of(const std::vector<MachineBlock>& blocks);

/// Instructions that compute masks write exec or vcc directly if the mask has no other use.
void optimise_exec(std::vector<MachineBlock>& blocks);
/// Removes instructions that set scc or exec to their current contents. Runs before wait insertion.
void remove_redundant_scc_exec(std::vector<MachineBlock>& blocks);

/// Inserts s_waitcnt so that no register with a pending load is read or overwritten.
void insert_waitcnt(std::vector<MachineBlock>& blocks);
/// Inserts s_nop for hazards that the hardware does not interlock.
void insert_hazard_nops(std::vector<MachineBlock>& blocks, const MachineModel& model);
/// Replaces branches out of range by far jumps. Runs last, because sizes must not change afterwards.
void relax_branches(std::vector<MachineBlock>& blocks);

/// Prints in the syntax of LLVM's assembler.
std::string print_instruction(const MachineInst& inst, const MachineModel& model);

}  // namespace kc::gcn
