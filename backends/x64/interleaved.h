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
// Loads of neighbours at places that differ between lanes without a constant stride, such as the members of
// `nodes[index[id]]`, are *gathered* together: lane by lane all of them at once, which then are transposed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

struct Interleaved {
  struct Member {
    InstId inst;
    int64_t at;  // bytes from the first word of the group
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
  /// Lanes are anywhere: the stride says how long the members of a lane may be, and their type is one of
  /// integers.
  bool gathered = false;
  // The members are not shuffled: lanes hold them as they lie in memory (memory_order.h).
  bool in_memory_order = false;
  bool only_in_memory_order = false;  // else it is dearer than the members by themselves

  /// Whether the members are all that there is.
  bool is_whole() const { return !gathered && static_cast<int64_t>(type.bytes() * members.size()) == stride; }
};

struct GatherModel {
  /// Whether a load by itself from this address, which differs between lanes, would be a gather.
  std::function<bool(ValueId)> gathers;
  bool pieces = false;       // to load 16 bytes for each lane is faster than to gather pairs of words
  bool masks_bytes = false;  // vectors can be stored without some of their bytes
};

class InterleavedAccesses {
 public:
  /// Finds groups that are cheaper when merged. No conflicting access is between the members of a group.
  InterleavedAccesses(const Function& wave, const std::vector<Shape>& shapes, const GatherModel& gathers);
  /// Decides which groups are in memory order; those that are only cheaper then, and are not, are none.
  /// `full`: whether a mask is known to have all lanes.
  void order(const Function& wave, const std::vector<Shape>& shapes,
             const std::function<bool(ValueId)>& full);
  /// The group that the instruction belongs to, or null.
  const Interleaved* of(InstId i) const {
    return group_of_[i.index] == kNone ? nullptr : &groups_[group_of_[i.index]];
  }

 private:
  std::vector<Interleaved> groups_;
  std::vector<uint32_t> group_of_;  // by instruction
};

}  // namespace kc::x64
