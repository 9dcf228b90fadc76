// SPDX-License-Identifier: Apache-2.0
// SSA-based register allocation, shared by the machine dialects.
// Before: SSA over values of register classes.
// After: still SSA. Every value has a Location, edge arguments are in the locations of their parameters, and
// the target's copy, spill and reload instructions are inserted. An emitter can print or encode in order.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "ir/function.h"

namespace kc {

struct RegClass {
  std::string_view name;
  Elem elem = Elem::Void;       // the type element that denotes the class
  std::vector<uint32_t> order;  // allocatable units, preferred first
  uint32_t slot_bytes = 8;      // size and alignment of a spill slot for one unit
};

/// A value and its offset in a contiguous group, in units.
struct GroupPart {
  ValueId value;
  uint32_t at = 0;
};
using ContiguousGroup = std::vector<GroupPart>;

/// Registers of a machine and its inserted instructions. Class indices match MachineInfo::clobbers.
struct RegTarget {
  Dialect dialect = Dialect::X64;
  std::vector<RegClass> classes;
  /// Alignment in units of a tuple of `regs` units of the class.
  uint32_t (*tuple_alignment)(Type type) = [](Type) { return 1u; };
  // Opcodes `any -> any` (copy), `any ->` with attribute slot (spill), `-> any` with attribute slot (reload).
  Op copy = Op::Count_, spill = Op::Count_, reload = Op::Count_;
  /// Opcode without operands and with one target; it terminates the blocks added on critical edges.
  Op jump = Op::Count_;
  /// Constraints of an instruction. By default those of its opcode; some depend on the instance.
  const MachineInfo& (*constraints)(const Function& f, const Inst& inst) =
      [](const Function&, const Inst& inst) -> const MachineInfo& { return info(inst.op).machine; };
  /// Groups of values that profit from contiguous registers at these offsets. A hint, not a constraint.
  std::vector<ContiguousGroup> (*contiguous_groups)(const Function& f) = [](const Function&) {
    return std::vector<ContiguousGroup>();
  };
  /// Number of the first slot assigned, for machines that allocate one class after another.
  uint32_t first_slot = 0;
};

struct Allocation {
  uint32_t frame_bytes = 0;  // total size of the spill slots
  uint32_t frame_alignment = 1;
  std::vector<uint32_t> slot_offset;    // byte offset of each slot, starting with first_slot
  std::vector<std::vector<bool>> used;  // per class, per unit
  uint32_t spills = 0, reloads = 0, copies = 0;
};

/// Allocates in place. Fails only if the operands of one instruction do not fit the classes, or if the
/// function violates the contract:
/// - Constants and undef are immediates. They get no location and are not edge arguments.
/// - A parameter of the entry block that already has a register keeps it. The others are assigned one.
/// - Values of elements that `classes` does not list are ignored.
/// - An instruction reads its operands, then its clobbered registers are destroyed, then its results are
///   written. With early_clobber, operands that are not tied stay intact until the end. Fixed registers and
///   registers in `clobbers` may be outside `order`.
/// Result: every value has a Location. A parameter in a slot is read by reloads only; the edges into its
/// block write the slot. Source and destination of a tuple copy never overlap partially. Unreachable blocks
/// are erased, and blocks may be added on edges.
std::expected<Allocation, std::string> allocate_registers(Function& f, const RegTarget& target);

/// Tracks values through registers, slots and copies of `after`, compares with `before` instruction by
/// instruction, and returns one message per violation.
std::vector<std::string> check_allocation(const Function& before, const Function& after,
                                          const RegTarget& target);

}  // namespace kc
