// SPDX-License-Identifier: Apache-2.0
// The last form before text: a list of real instructions with physical registers, in order.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backends/gcn/gcn.h"
#include "backends/gcn/selector.h"
#include "ir/gcn_table.h"

namespace kc::gcn {

struct Register {
  enum Kind : uint8_t { Scalar, Vector, Immediate } kind = Immediate;
  uint32_t first = 0, count = 1;  // units; special scalar registers by their encoding
  int64_t imm = 0;
  bool overlaps(const Register& o) const {
    return kind != Immediate && kind == o.kind && first < o.first + o.count && o.first < first + count;
  }
};
inline Register sreg(uint32_t first, uint32_t count = 1) { return {Register::Scalar, first, count, 0}; }
inline Register vreg(uint32_t first, uint32_t count = 1) { return {Register::Vector, first, count, 0}; }
inline Register immediate(int64_t v) { return {Register::Immediate, 0, 1, v}; }

inline bool touches(const std::vector<Register>& registers, const Register& r) {
  return std::ranges::any_of(registers, [&](const Register& o) { return o.overlaps(r); });
}

struct MachineInst {
  Op op = Op::Count_;
  std::vector<Register> results, operands;
  std::array<int64_t, kMaxAttrs> attrs{};
  BlockId target;  // of a branch; s_setpc_b64 with a target stands for the sequence that jumps there
  Loc loc;
  std::string comment;
};
struct MachineBlock {
  BlockId id;
  std::string comment;
  std::vector<MachineInst> insts;
};

/// Where things are that have no register. Scratch of a lane: private memory, scalars, vector registers.
struct Frame {
  bool flat = false;             // the machine has flat scratch
  uint32_t spill_registers = 0;  // from kSgprSpill on: their lanes hold spilled scalars
  uint32_t private_bytes = 0;
  uint32_t scalar_bytes = 0;  // of scalars beyond these lanes; they pass through one more vector register
};

/// Expands pseudo rows of an allocated function; blocks in layout order, fall-through jumps dropped.
std::vector<MachineBlock> expand(const Function& allocated, const Allocation& scalars,
                                 const Allocation& vectors, const Frame& frame);

/// The order of blocks in the text: loops that test at their head test behind their last block instead.
std::vector<BlockId> place_blocks(const Function& allocated);

/// By block: exec is the mask of all lanes that the launch gave the wave, so that no other lane will ever
/// be on.
std::vector<bool> find_full_exec(const Function& allocated);
/// Whether a mask is that one.
bool is_full_exec(const Function& allocated, ValueId mask);

/// By value: the values of its halves, where they can be read in place of the pair by all that read it; then
/// the pair is never put together.
std::vector<std::optional<std::pair<ValueId, ValueId>>> find_split_pairs(
    const Function& allocated, const std::vector<std::optional<uint32_t>>& aliases);

/// By value: the register that holds it besides its own, until its last use; such a value needs no copy.
std::vector<std::optional<uint32_t>> find_aliases(const Function& allocated);

/// Adds those of values that are only computed to be merged into another register.
void alias_merges(const Function& allocated, std::vector<std::optional<uint32_t>>& aliases);

/// Makes one access of neighbouring ones; before waits.
void merge_accesses(std::vector<MachineBlock>& blocks, bool even_tuples);

/// By position: the positions of the blocks that control may go to, once for each way.
std::vector<std::vector<size_t>> successors_of(const std::vector<MachineBlock>& blocks);

/// Lets what computes masks write exec or vcc where nobody else needs them.
void shorten_masks(std::vector<MachineBlock>& blocks);
/// Removes instructions that set scc or exec to what they are; before waits.
void shorten(std::vector<MachineBlock>& blocks);

/// By position: a number that blocks share if control can come from each to the other.
std::vector<uint32_t> find_components(const std::vector<MachineBlock>& blocks);

/// Inserts s_waitcnt so that no register with a pending load is read or overwritten.
void insert_waits(std::vector<MachineBlock>& blocks);
/// Inserts s_nop where the hardware does not interlock.
void insert_hazard_nops(std::vector<MachineBlock>& blocks, const MachineModel& model);
/// Makes branches long that do not reach their targets; last, because sizes must not change any more.
void relax_branches(std::vector<MachineBlock>& blocks);

/// As LLVM's assembler reads it.
std::string print_instruction(const MachineInst& inst, const MachineModel& model);

}  // namespace kc::gcn
