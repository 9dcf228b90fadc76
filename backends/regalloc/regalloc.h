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

/// Registers and inserted instructions of a machine. Class positions match MachineInfo::clobbers.
struct RegTarget {
  Dialect dialect = Dialect::X64;
  std::vector<RegClass> classes;
  /// Alignment in units of a tuple of `regs` units of the class.
  uint32_t (*tuple_alignment)(Type type) = [](Type) { return 1u; };
  // Rows `any -> any` (copy), `any ->` with attribute slot (spill), `-> any` with attribute slot (reload).
  Op copy = Op::Count_, spill = Op::Count_, reload = Op::Count_;
};

struct Allocation {
  uint32_t frame_bytes = 0;  // of all spill slots
  uint32_t frame_alignment = 1;
  std::vector<uint32_t> slot_offset;    // byte offset of each slot
  std::vector<std::vector<bool>> used;  // per class, per unit
  uint32_t spills = 0, reloads = 0, copies = 0;
};

/// Allocates in place. Fails only when an instruction's own operands do not fit the classes.
std::expected<Allocation, std::string> allocate_registers(Function& f, const RegTarget& target);

/// Follows values through registers, slots and copies of `after`, compares with `before` instruction by
/// instruction, and gives one message for each violation.
std::vector<std::string> check_allocation(const Function& before, const Function& after,
                                          const RegTarget& target);

}  // namespace kc
