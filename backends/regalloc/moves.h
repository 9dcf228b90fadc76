// SPDX-License-Identifier: Apache-2.0
// Parallel moves between registers and slots, put into an order with copy, spill and reload rows.
#pragma once

#include <vector>

#include "backends/regalloc/shape.h"

namespace kc::regalloc {

struct Move {
  ValueId value;  // original value whose content is moved
  Location from, to;
  bool renames = true;  // the value is known by the new name from here on
  ValueId name{};       // out: what the copy or reload defines; none when `to` is a slot
  uint32_t tag = 0;     // for the caller
};

/// Where a value sits while moves are being ordered; needed only to borrow its register.
struct Occupant {
  ValueId value;
  uint32_t unit = 0;
};

/// Creates the rows that registers, slots and moves need, and remembers what their results stand for.
class Inserter {
 public:
  Inserter(Function& f, const RegTarget& target, const std::vector<Shape>& shapes)
      : f_(f), target_(target), shapes_(shapes), originals_(f.value_count()) {}

  /// Orders the moves as if all happened at once. Units in `busy` (by class) must not be written except as
  /// destinations. `before` lists the registers' content at the start; only moves from slot to slot use it.
  /// Gives the number of rows that go from slot to slot; pins belong behind them.
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
  /// The value that an inserted name redefines, or none when the name is temporary.
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

/// First window of the class's order that is free of `taken`, or kNone. Units in `avoid` are a last resort.
uint32_t first_window(const RegClass& cls, const UnitSet& allocatable, Shape shape, const UnitSet& taken);

}  // namespace kc::regalloc
