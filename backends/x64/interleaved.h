// SPDX-License-Identifier: Apache-2.0
// Interleaved accesses: members of structures, or components of vectors, with lane k at element k. The
// accesses to one array are merged into vector accesses, whose elements are shuffled.
//
//   %4 = ptr_add %p, %id, scale=8              one access of two vectors at %p + 8 * id(lane 0)
//   %5 = lane_load %m, %4              ==>     %5: their even words
//   %6 = ptr_add %p, %id, scale=8, offset=4    %7: their odd words
//   %7 = lane_load %m, %6
//
// Bytes and shorts that leave parts of words, or are a number of bytes apart that no words fill, have this
// form in waves whose lanes are all active:
//
//   a load of 3 * id + 1    ==>    a load of 48 bytes for 16 lanes, of which every third one is taken
//
// Accesses to neighbours at places that differ between lanes without a constant stride, or with a long one,
// such as the members of `nodes[index[id]]`, are *apart*: the memory of each lane is loaded or stored by
// itself, all members at once, and transposed. Up to eight bytes are gathered as one element; of two or three
// bytes the word that holds them, where it is mapped.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

constexpr int64_t kLaneChunk = 16;  // bytes of a lane in each 128 bits of a vector, where lanes are apart

struct Interleaved {
  struct Member {
    InstId inst;
    int64_t at;     // bytes from the first word of the group
    uint32_t seen;  // orders members as they are executed
  };
  bool store = false;
  ValueId mask;
  Type type;                    // of the elements
  int64_t stride = 0;           // bytes from lane to lane
  std::vector<Member> members;  // in memory order
  InstId place;                 // position of the merged access: the first load, or the last store
  ValueId pointer;              // an address ...
  int64_t first = 0;            // ... and the offset of the first word from it in bytes
  /// The words of one stride that contain members; members cover all bytes of them. None: only where all
  /// lanes are active there is one access; members may leave bytes out if they are loads, or if stores can.
  std::vector<bool> words;
  int64_t length = 0;  // bytes from the first one of a lane's members to their end
  /// Lanes are anywhere, or a stride apart that is not 0. The type is one of integers. Members cover the
  /// bytes of a store; there may be others between those of a load.
  bool apart = false;
  bool can_be_apart = false;
  // The members are not shuffled: lanes hold them as they lie in memory (memory_order.h).
  bool in_memory_order = false;
  bool only_in_memory_order = false;  // else it is dearer than the members by themselves

  /// Whether the members are all that there is.
  bool is_whole() const { return !apart && static_cast<int64_t>(type.bytes() * members.size()) == stride; }
};

struct GatherModel {
  /// Whether an access by itself to this address, which differs between lanes, would be a gather or scatter.
  std::function<bool(ValueId pointer, Elem elem)> gathers;
  bool masks_bytes = false;  // vectors can be stored without some of their bytes, as fast as whole ones
  int64_t most_apart = 32;   // bytes of a lane's members that are accessed together, if lanes are apart
};

class InterleavedAccesses {
 public:
  /// Finds groups that are cheaper when merged. No conflicting access is between the members of a group.
  InterleavedAccesses(const Function& wave, const std::vector<Shape>& shapes, const GatherModel& gathers);
  /// Decides which groups are in memory order; lanes of those that are only cheaper then, and are not, are
  /// apart. `full`: whether a mask is known to have all lanes.
  void order(const Function& wave, const std::vector<Shape>& shapes,
             const std::function<bool(ValueId)>& full);
  /// The group that the instruction belongs to, or null.
  const Interleaved* of(InstId i) const {
    return group_of_[i.index] == kNone ? nullptr : &groups_[group_of_[i.index]];
  }

 private:
  void number_members();
  GatherModel model_;
  std::vector<Interleaved> groups_;
  std::vector<uint32_t> group_of_;  // by instruction
};

}  // namespace kc::x64
