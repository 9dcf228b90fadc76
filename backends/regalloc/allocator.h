// SPDX-License-Identifier: Apache-2.0
// The state shared by the phases of one allocation.
#pragma once

#include <optional>

#include "backends/regalloc/hints.h"
#include "backends/regalloc/liveness.h"
#include "backends/regalloc/moves.h"

namespace kc::regalloc {

struct Placed {
  ValueId value;
  uint32_t unit = 0;
};

/// An operand or edge argument that means the name its value had at a position of the block's list, before
/// moves inserted there renamed it.
struct Pin {
  uint32_t position = 0;
  InstId inst;
  int32_t target = -1;  // -1: an operand
  uint32_t index = 0;
};

/// What the scan leaves for the repair of SSA form.
struct BlockPlan {
  std::vector<Placed> entry;  // live-in values in registers, in order of value
  std::vector<Placed> exit;   // in registers before the terminator's edges
  std::vector<Pin> pins;
  uint32_t edge_moves = kNone;  // position of the first row that belongs to the edge
};

/// One demand for a register at an instruction.
struct Item {
  enum Kind : uint8_t { Assigned, Temp, Result } kind = Assigned;
  ValueId value;
  Shape shape;
  bool in_read = false, in_write = false;  // the phases of the instruction during which it is occupied
  uint32_t from = kNone;                   // where the value is now; kNone: in its slot, or a result
  uint32_t fixed = kNone;                  // the only unit allowed
  uint32_t unit = kNone;                   // decided
  uint64_t operands = 0;                   // that read a Temp, as bits
  int32_t result = -1;                     // result that takes over this register
  bool optional = false;                   // not an operand: may be dropped instead
  bool take_over = false;                  // a Temp that becomes its value's register
  uint32_t prefer = kNone;
};

class Scan {
 public:
  Scan(Function& f, const RegTarget& target, const Cfg& cfg, const Loops& loops, const Liveness& live,
       const std::vector<Shape>& shapes, Inserter& inserter);
  /// Gives every value a location, inserts moves, and fills the plans. Empty when all went well.
  std::optional<std::string> run();

  std::vector<BlockPlan> plans;   // by block id
  std::vector<uint32_t> slot_of;  // by original value; kNone when it is never read from memory

 private:
  struct Use {
    ValueId value;
    bool plain = false, pinned = false,
         taken_over = false;  // assigned read anywhere; assigned is the fixed register; a temporary becomes
                              // the assigned
    int32_t result = -1;      // result that takes over the assigned
  };
  struct Constraints {  // an instruction with its constraints; reused from one to the next
    InstId id;
    const MachineInfo* machine = nullptr;
    std::vector<Use> uses;
    std::vector<Item> items;
    std::vector<UnitSet> read_fixed, write_fixed, clobbered;  // by class: units the instruction names
    std::vector<UnitSet> base, read, write;  // by class: held by others; occupied in each phase
    std::vector<ValueId> dropped;            // values that lose their register before the instruction
    std::vector<ValueId> demoted;            // operands that lose it afterwards
    std::vector<uint32_t> old_name;          // operands that read the register their value leaves
    std::vector<char> repack;                // by class: positions of operands no longer matter
  };

  // allocator.cpp: blocks
  void propose_hints();
  void propose_groups();
  uint32_t preferred(ValueId v, const UnitSet& taken);
  void propose(ValueId v, uint32_t unit);
  std::optional<std::string> check_contract() const;
  std::optional<std::string> block(BlockId b);
  void next_uses(BlockId b);
  void finish_block(BlockId b);
  void edge(BlockId p);
  // entry.cpp: what is in registers when a block starts
  struct Candidate {
    ValueId value;
    uint32_t distance = 0, prefer = kNone;
    bool param = false, available = false, everywhere = false;
  };
  std::optional<std::string> enter(BlockId b);
  std::optional<std::string> enter_function(BlockId b);
  void inherit(BlockId b, BlockId p);
  void join(BlockId b);
  std::vector<Candidate> candidates(BlockId b) const;
  std::vector<Candidate> choose(BlockId b, std::vector<Candidate> all) const;
  bool settle(std::vector<Candidate>& chosen, bool strict);
  uint32_t exit_unit(BlockId p, ValueId v) const;
  // demand.cpp: what one instruction needs
  std::optional<std::string> instruction(InstId i);
  void begin(InstId i);
  std::optional<std::string> collect_fixed();
  void collect_items();
  uint32_t fixed_unit(uint32_t k) const;
  void operand_item(uint32_t k);
  void assigned_item(Use& use);
  void result_item(uint32_t j);
  bool make_room(const Item& failing);
  void commit();
  void emit_moves();
  Use& use_of(ValueId v);
  bool lives_on(const Use& use) const;
  bool is_operand(ValueId v) const;
  // place.cpp: where it all goes
  const Item* attempt();
  void start_phases();
  bool place(Item& item);
  bool compact(Item& item);
  bool compact_into(Item& item, uint32_t window);
  bool repack(uint32_t cls);
  bool repack_from(std::vector<Item*>& items, size_t next, uint32_t& budget);
  void occupy(const Item& item);
  void vacate(const Item& item);
  UnitSet taken(const Item& item) const;
  UnitSet avoided(const Item& item) const;

  void take(ValueId v, uint32_t unit);
  void release(ValueId v);
  uint32_t slot(ValueId v);
  /// The preferred unit, else the first free one of the class, those in `avoid` last.
  uint32_t pick(Shape shape, const UnitSet& taken, const UnitSet& avoid, uint32_t prefer) const;
  Shape shape(ValueId v) const { return v.index < shapes_.size() ? shapes_[v.index] : Shape{}; }
  bool tracked(ValueId v) const { return shape(v).cls != kNoClass; }

  Function& f_;
  const RegTarget& target_;
  const Cfg& cfg_;
  const Loops& loops_;
  const Liveness& live_;
  const std::vector<Shape>& shapes_;
  Inserter& inserter_;
  Hints hints_;
  std::vector<UnitSet> allocatable_;           // by class
  std::vector<UnitSet> busy_;                  // by class, now
  std::vector<UnitSet> reserved_;              // by class: for rows that have begun in the block
  std::vector<std::vector<ValueId>> owner_;    // by class and unit, now; invalid when free
  std::vector<uint32_t> assigned_reg_, next_;  // by value: register now (or kNone), distance of the next use
  std::vector<ValueId> held_;                  // values that may have a assigned, for clearing
  std::vector<uint32_t> later_,
      result_next_;  // next use after each operand and result of the block, in order
  size_t operand_cursor_ = 0, result_cursor_ = 0;
  std::vector<std::pair<uint32_t, InstId>> constrained_;  // instructions of the block with fixed registers
  size_t constrained_cursor_ = 0;
  BlockId current_;
  uint32_t position_ = 0;
  Constraints d_;
  std::vector<InstId> rows_;  // the block's new list
};

/// Gives edges that need moves a block of their own where neither end can hold them.
void split_edges(Function& f, const RegTarget& target);
/// Rewrites uses to the reaching names, adds block parameters where names meet, inserts spills after
/// definitions, and drops inserted rows that nobody reads.
void repair_ssa(Function& f, const Cfg& cfg, const DominatorTree& dom, const std::vector<Shape>& shapes,
                size_t original_insts, Scan& scan, Inserter& inserter);
/// Removes blocks that split_edges added and that stayed empty; `first` is the first id it handed out.
void remove_empty_blocks(Function& f, const RegTarget& target, size_t first);
/// Numbers slots so that values which are never in memory together share one; fills the frame's layout.
void assign_slots(Function& f, const RegTarget& target, size_t original_insts, const Inserter& inserter,
                  Allocation& result);

}  // namespace kc::regalloc
