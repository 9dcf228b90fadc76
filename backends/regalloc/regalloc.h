// SPDX-License-Identifier: Apache-2.0
// SSA-based register allocation shared by the machine dialects. Before: values of register classes.
// After: still SSA, every value carries a Location, edge arguments sit where the parameters do, and the
// target's copy, spill and reload rows have been inserted. A last emit step prints or encodes in order.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "ir/function.h"

namespace kc {

struct RegClass {
  std::string_view name;
  Elem elem = Elem::Void;       // the type element that names the class
  std::vector<uint32_t> order;  // allocatable units, preferred first
  uint32_t slot_bytes = 8;      // size and alignment of a spill slot for one unit
};

/// A value and its place in a row, in units.
struct GroupPart {
  ValueId value;
  uint32_t at = 0;
};
using ContiguousGroup = std::vector<GroupPart>;

/// Registers and inserted instructions of a machine. Class positions match MachineInfo::clobbers.
struct RegTarget {
  Dialect dialect = Dialect::X64;
  std::vector<RegClass> classes;
  /// Alignment in units of a tuple of `regs` units of the class.
  uint32_t (*tuple_alignment)(Type type) = [](Type) { return 1u; };
  // Rows `any -> any` (copy), `any ->` with attribute slot (spill), `-> any` with attribute slot (reload).
  Op copy = Op::Count_, spill = Op::Count_, reload = Op::Count_;
  /// Row without operands and with one target, which ends the blocks added on critical edges.
  Op jump = Op::Count_;
  /// Constraints of an instruction: those of its row, unless they depend on the instance.
  const MachineInfo& (*constraints)(const Function& f, const Inst& inst) =
      [](const Function&, const Inst& inst) -> const MachineInfo& { return info(inst.op).machine; };
  /// Rows of values that gain when their registers lie at these distances from one another: a wish.
  std::vector<ContiguousGroup> (*rows)(const Function& f) = [](const Function&) {
    return std::vector<ContiguousGroup>();
  };
  /// Number of the first slot handed out, for machines that allocate one class after the other.
  uint32_t first_slot = 0;
};

struct Allocation {
  uint32_t frame_bytes = 0;  // of all spill slots
  uint32_t frame_alignment = 1;
  std::vector<uint32_t> slot_offset;    // byte offset of each slot, counted from first_slot
  std::vector<std::vector<bool>> used;  // per class, per unit
  uint32_t spills = 0, reloads = 0, copies = 0;
};

/// Allocates in place. Fails only when an instruction's own operands do not fit the classes, or when the
/// function breaks the contract:
/// - Constants and undef are immediates. They get no location and are no edge arguments.
/// - A parameter of the entry block that has a register already keeps it; the others are given registers.
/// - Values of elements that `classes` does not list are left alone.
/// - Within an instruction operands are read, then clobbered registers are destroyed, then results are
///   written; with early_clobber operands that are not tied outlive both. Fixed registers and registers
///   in `clobbers` need not be in `order`.
/// Gives: every value has a Location. Names of parameters in slots are read by reloads only; the edges into
/// their block write the slot. Source and destination of a tuple's copy never overlap in part.
/// Unreachable blocks are erased, blocks may be added on edges.
std::expected<Allocation, std::string> allocate_registers(Function& f, const RegTarget& target);

/// Follows values through registers, slots and copies of `after`, compares with `before` instruction by
/// instruction, and gives one message for each violation.
std::vector<std::string> check_allocation(const Function& before, const Function& after,
                                          const RegTarget& target);

}  // namespace kc
