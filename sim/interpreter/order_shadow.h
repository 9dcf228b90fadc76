// SPDX-License-Identifier: Apache-2.0
// Follows through a launch what depends on the order of work-items. The race detector gives the bytes that
// unordered accesses touch; a shadow of each register and byte says what comes from them:
//
// - A load of such a byte depends, and so does every value computed from it, and memory that holds such a
// value.
// - A store through an address that depends could have gone elsewhere: all of its object depends. So does all
//   that a pointer may point to if even its object is open.
// - A branch on such a value could have gone the other way: until its arms meet, all that is computed or
// stored
//   on either depends, and each object that a store there may write.
//
// All other bytes are the same in every order, so that engines must agree on them. (A store that depends may
// race with loads that came before it. So a launch that finds objects to be open is followed by another one,
// to which they are open from the start.)
#pragma once

#include <memory>
#include <span>

#include "ir/cfg.h"
#include "sim/interpreter/order_dependence.h"
#include "sim/interpreter/thread_machine.h"

namespace kc::threads {

class OrderShadow {
 public:
  OrderShadow(const Machine& machine, std::span<const uint64_t> arguments, ShadowedLaunch& launch);

  void allocate(const ItemStore& store);
  void begin_group();
  void begin(const Item& item);
  /// Before an instruction that is neither barrier nor terminator.
  void step(const Code& c, const Item& item);
  /// Before the terminator of a block.
  void leave_block(const Code& c, const Item& item);
  /// Beside Machine::pass.
  void pass(const Edge& e, const Item& item);

 private:
  // Of a register. A pointer is Inside if it stays in its object wherever it points to.
  enum Shadow : uint8_t { Settled, Inside, Open };
  // What may happen between a branch and the block where its arms meet again.
  struct Region {
    BlockId end;  // invalid if they meet at the end of the function only
    std::vector<uint32_t> registers;
    std::vector<InstId> writes;
    bool barrier = false, trap = false;
  };
  struct State {
    std::vector<uint8_t> registers, own;
    bool controlled = false;  // until the block
    BlockId until;
  };
  // Where the bytes of an access have their shadows; empty if the memory never changes.
  struct Place {
    std::span<uint8_t> bytes;
    bool open = false;       // all of the object
    bool unordered = false;  // a load of it is
  };

  const Region& region(BlockId from);
  void add_block(Region& r, BlockId b) const;
  void open_range(size_t range);
  void open_all(Space space, State& s);
  void open_target(InstId write, State& s);
  int root(ValueId pointer, unsigned depth) const;
  Place place(const Code& c, uint64_t pointer, State& s);
  void load(const Code& c, const Item& item, State& s);
  void write(const Code& c, const Item& item, State& s);

  const Machine& m;
  const Program& p;
  const Function& f;
  MemoryMap map_;
  ShadowedLaunch& launch_;
  std::vector<std::vector<uint8_t>> unordered_;  // by range and byte
  std::vector<int> range_of_;                    // by value: of a parameter, the range that it points to
  std::vector<std::vector<ValueId>> sets_;       // what each variable is set to
  std::vector<uint8_t> local_;
  std::vector<State> items_;
  Cfg cfg_;
  PostDominatorTree tree_;
  std::vector<std::unique_ptr<Region>> regions_;  // by block
};

}  // namespace kc::threads
