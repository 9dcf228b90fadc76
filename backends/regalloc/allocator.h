// SPDX-License-Identifier: Apache-2.0
// State shared by the phases of one allocation.
#pragma once

#include <optional>

#include "backends/regalloc/hints.h"
#include "backends/regalloc/liveness.h"
#include "backends/regalloc/moves.h"
#include "passes/analysis/phi_webs.h"

namespace kc::regalloc {

struct Placed {
  ValueId value;
  uint32_t unit = 0;
};

/// An operand or edge argument that must read the name its value has at this position of the block, before
/// moves inserted there rename it.
struct Pin {
  uint32_t position = 0;
  InstId inst;
  int32_t target = -1;  // -1: an operand
  uint32_t index = 0;
};

/// What the scan records for SSA repair.
struct BlockPlan {
  std::vector<Placed> entry;  // live-in values in registers, sorted by value
  std::vector<Placed> exit;   // values in registers before the edges of the terminator
  std::vector<Pin> pins;
  uint32_t edge_moves = kNone;  // position of the first move that belongs to the edge
};

/// A register requirement at an instruction.
struct Item {
  enum Kind : uint8_t { Assigned, Temp, Result } kind = Assigned;
  ValueId value;
  Shape shape;
  bool in_read = false, in_write = false;  // phases of the instruction that occupy the register
  uint32_t from = kNone;                   // current unit of the value; kNone: in its slot, or a result
  uint32_t fixed = kNone;                  // the only unit allowed
  uint32_t unit = kNone;                   // the unit assigned
  uint64_t operands = 0;                   // bit set of the operands that read a Temp
  int32_t result = -1;                     // index of the result that takes over this register
  bool optional = false;                   // not an operand: may be dropped from registers instead
  bool take_over = false;                  // a Temp that becomes the register of its value
  uint32_t prefer = kNone;
};

/// Whether operands or results are fixed to registers, or others are destroyed.
inline bool names_registers(const MachineInfo& m) {
  return m.fixed_operands[0].index >= 0 || m.fixed_results[0].index >= 0 ||
         (m.clobbers[0] | m.clobbers[1] | m.clobbers[2]) != 0;
}

class Scan {
 public:
  /// `webs` is null where too little is spilled to pay for it.
  Scan(Function& f, const RegTarget& target, const Cfg& cfg, const Loops& loops, const Liveness& live,
       const std::vector<Shape>& shapes, const PhiWebs* webs, Inserter& inserter);
  /// Assigns locations to all values, inserts moves and fills the plans. Returns an error message on failure.
  std::optional<std::string> run();

  std::vector<BlockPlan> plans;   // by block id
  std::vector<uint32_t> slot_of;  // by original value; kNone if it has no slot

 private:
  struct Use {
    ValueId value;
    bool plain = false;       // any register will do
    bool pinned = false;      // the assigned register is the fixed one
    bool taken_over = false;  // a temporary becomes the assigned register
    int32_t result = -1;      // result that takes over the assigned register
  };
  struct Constraints {  // one instruction and its constraints; reused for the next
    InstId id;
    const MachineInfo* machine = nullptr;
    bool named = false;  // it names registers: fixed or clobbered ones
    std::vector<Use> uses;
    std::vector<Item> items;
    std::vector<UnitSet> read_fixed, write_fixed, clobbered;  // by class: units named by constraints
    std::vector<UnitSet> base, read, write;  // by class: held by other values; occupied per phase
    std::vector<ValueId> dropped;            // values that lose their register before the instruction
    std::vector<ValueId> demoted;            // operands that lose theirs after it
    std::vector<uint32_t> old_name;          // operands that read the register their value leaves
    std::vector<char> repack;                // by class: operands need not stay where they are
    std::vector<size_t> order;               // items without a register, in the order in which they get one
  };

  // allocator.cpp: walk over the blocks
  void propose_hints();
  void propose_groups();
  uint32_t preferred(ValueId v, const UnitSet& taken);
  void propose(ValueId v, uint32_t unit);
  std::optional<std::string> check_contract() const;
  std::optional<std::string> block(BlockId b);
  void next_uses(BlockId b);
  void finish_block(BlockId b);
  void edge(BlockId p);
  // block_entry_state.cpp: register contents at the start of a block
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
  void find_passed_on();
  bool ends_in_memory(ValueId v) const;
  bool settle(std::vector<Candidate>& chosen, bool strict);
  uint32_t exit_unit(BlockId p, ValueId v) const;
  // constraints.cpp: requirements of one instruction
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
  // place.cpp: assignment of units to items
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
  /// The preferred unit, else the first free one in allocation order; units in `avoid` come last.
  uint32_t pick(Shape shape, const UnitSet& taken, const UnitSet& avoid, uint32_t prefer) const;
  Shape shape(ValueId v) const { return v.index < shapes_.size() ? shapes_[v.index] : Shape{}; }
  bool tracked(ValueId v) const { return shape(v).cls != kNoClass; }

  Function& f_;
  const RegTarget& target_;
  const Cfg& cfg_;
  const Loops& loops_;
  const Liveness& live_;
  const std::vector<Shape>& shapes_;
  const PhiWebs* webs_;
  std::vector<uint32_t> web_slot_;  // by web; kNone if no member has a slot
  std::vector<ValueId> passed_on_;  // by value: the parameter of its web that alone reads it in its loop
  Inserter& inserter_;
  Hints hints_;
  std::vector<UnitSet> allocatable_;         // by class
  std::vector<UnitSet> busy_;                // by class, current
  std::vector<UnitSet> reserved_;            // by class: for contiguous groups partly assigned in the block
  std::vector<std::vector<ValueId>> owner_;  // by class and unit, current; invalid if free
  // by value: current register (or kNone), distance of the next use
  std::vector<uint32_t> assigned_reg_, next_;
  std::vector<ValueId> held_;  // values that may have a register, for clearing
  // in block order: next use after each operand and each result
  std::vector<uint32_t> later_, result_next_;
  size_t operand_cursor_ = 0, result_cursor_ = 0;
  // instructions of the block with fixed registers or clobbers
  std::vector<std::pair<uint32_t, InstId>> constrained_;
  size_t constrained_cursor_ = 0;
  BlockId current_;
  uint32_t position_ = 0;
  Constraints d_;
  std::vector<InstId> rows_;  // the new instruction list of the block
};

/// Inserts a block on each edge whose moves fit neither in its source nor in its target.
void split_edges(Function& f, const RegTarget& target);
/// Rewrites uses to the reaching definitions, adds block parameters at iterated dominance frontiers, inserts
/// spills after definitions, and drops inserted instructions without uses.
void repair_ssa(Function& f, const Cfg& cfg, const DominatorTree& dom, const std::vector<Shape>& shapes,
                size_t original_insts, Scan& scan, Inserter& inserter);
/// Removes the blocks of split_edges that stayed empty; `first` is the first id it allocated.
void remove_empty_blocks(Function& f, const RegTarget& target, size_t first);
/// Slots whose lifetimes do not intersect share memory. Fills the frame layout.
void assign_slots(Function& f, const RegTarget& target, size_t original_insts, const Inserter& inserter,
                  Allocation& result);

}  // namespace kc::regalloc
