// SPDX-License-Identifier: Apache-2.0
// Accesses whose lanes interleave in memory: the members of structures, or components of vectors, of which
// lane k has number k. Those of one array together are vectors of memory, whose elements are put in order.
//
//   %4 = ptr_add %p, %id, scale=8              one access of two vectors at %p + 8 * id(lane 0)
//   %5 = lane_load %m, %4              ==>     %5: their even words
//   %6 = ptr_add %p, %id, scale=8, offset=4    %7: their odd words
//   %7 = lane_load %m, %6
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

struct Interleaved {
  struct Member {
    InstId inst;
    int64_t at;  // bytes from the first word that the group touches
  };
  bool store = false;
  ValueId mask;
  Type type;                    // of the elements
  int64_t stride = 0;           // bytes from lane to lane
  std::vector<Member> members;  // in the order of memory
  InstId place;                 // where all of it is done: at the first load, or the last store
  ValueId pointer;              // an address ...
  int64_t first = 0;            // ... and how many bytes behind it the first word lies
  /// The words of one stride that members are in; in each of them all bytes.
  std::vector<bool> words;
};

class InterleavedAccesses {
 public:
  /// Finds groups that are cheaper together. Nothing that could touch the same memory stands between their
  /// members.
  InterleavedAccesses(const Function& wave, const std::vector<Shape>& shapes);
  /// The group that the instruction belongs to, or null.
  const Interleaved* of(InstId i) const {
    return group_of_[i.index] == kNone ? nullptr : &groups_[group_of_[i.index]];
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<Interleaved> groups_;
  std::vector<uint32_t> group_of_;  // by instruction
};

}  // namespace kc::x64
