// SPDX-License-Identifier: Apache-2.0
// Parallel moves between registers and slots, sequentialised into copies, spills and reloads.
#pragma once

#include <vector>

#include "backends/regalloc/shape.h"

namespace kc::regalloc {

struct Move {
  ValueId value;  // original value whose content moves
  Location from, to;
  bool renames = true;  // later uses of the value read the new name
  ValueId name{};       // out: the name defined by the copy or reload; invalid if `to` is a slot
  uint32_t tag = 0;     // for the caller
};

/// Register of a value while moves are sequentialised. Needed only to borrow that register.
struct Occupant {
  ValueId value;
  uint32_t unit = 0;
};

/// Creates copies, spills and reloads, and records which value each of their results stands for.
class Inserter {
 public:
  Inserter(Function& f, const RegTarget& target, const std::vector<Shape>& shapes)
      : f_(f), target_(target), shapes_(shapes), originals_(f.value_count()) {}

  /// Sequentialises parallel moves. Units in `busy` (by class) are written only as destinations. `before`
  /// lists the initial register contents; only slot-to-slot moves use it. Returns the number of instructions
  /// that implement slot-to-slot moves; pins must follow them.
  size_t emit(std::vector<Move>& moves, const std::vector<UnitSet>& busy, const std::vector<Occupant>& before,
              std::vector<InstId>& out);
  InstId spill(ValueId value, uint32_t slot);
  uint32_t new_slot(Shape shape);

  struct Slot {
    uint8_t cls, size;
  };
  std::vector<Slot> slots;
  size_t originals() const { return originals_; }
  bool original(ValueId v) const { return v.index < originals_; }
  /// The original value that an inserted name redefines. Invalid for a temporary.
  ValueId redefined(ValueId name) const {
    size_t i = name.index - originals_;
    return i < redefined_.size() ? redefined_[i] : ValueId();
  }

 private:
  ValueId copy(ValueId type_of, ValueId source, uint32_t unit, bool renames, std::vector<InstId>& out);
  ValueId reload(ValueId value, uint32_t slot, uint32_t unit, bool renames, std::vector<InstId>& out);
  ValueId define(Op op, ValueId value, ValueId operand, uint32_t unit, bool renames, int64_t slot,
                 std::vector<InstId>& out);
  void separate_slots(std::vector<Move>& moves, const std::vector<UnitSet>& busy,
                      const std::vector<Occupant>& before, std::vector<InstId>& out);
  void through_register(ValueId value, uint32_t from, uint32_t to, const std::vector<UnitSet>& busy,
                        const std::vector<Occupant>& before, std::vector<InstId>& out);
  void order_registers(std::vector<Move*>& pending, const std::vector<UnitSet>& busy,
                       std::vector<InstId>& out);
  uint32_t free_window(Shape shape, const UnitSet& taken) const;

  Function& f_;
  const RegTarget& target_;
  const std::vector<Shape>& shapes_;
  size_t originals_;
  std::vector<ValueId> redefined_;  // by value id minus originals_
};

/// First window in allocation order that does not intersect `taken`, or kNone.
uint32_t first_window(const RegClass& cls, const UnitSet& allocatable, Shape shape, const UnitSet& taken);

}  // namespace kc::regalloc
