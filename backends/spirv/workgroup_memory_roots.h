// SPDX-License-Identifier: Apache-2.0
// From which object or parameter each local pointer comes, found by following the pointers through the
// function.
#pragma once

#include <map>
#include <vector>

#include "backends/spirv/code.h"

namespace kc::spirv {

class LocalRoots {
 public:
  explicit LocalRoots(const Function& function);

  /// A local object, or what a local parameter points to.
  struct Root {
    int object = -1;   // its index among the function's objects
    int param = -1;    // or among the parameters
    bool own = false;  // every pointer to it is known to be one, and to nothing else
  };
  std::vector<Root> roots;
  /// The root with memory of its own that the pointer comes from, or roots.size().
  size_t root_of(ValueId pointer) const;
  /// The root whose object begins at this offset, or roots.size().
  size_t root_at(uint64_t offset) const;

 private:
  static constexpr uint32_t kNowhere = 0xffffffffu;
  uint32_t node_of(ValueId v) const;
  uint32_t find(uint32_t node) const;
  void unite(uint32_t a, uint32_t b);
  void unite(ValueId a, ValueId b) { unite(node_of(a), node_of(b)); }
  void follow(const Inst& inst);
  void decide();

  const Function& f;
  std::vector<uint32_t> offsets_;           // by root: of an object
  mutable std::vector<uint32_t> up_;        // a forest: memory for all, the roots, the values
  std::map<uint32_t, size_t> root_of_top_;  // of trees with one root that has memory of its own
  bool from_anywhere_ = false;              // some pointer is made from a number, or loaded
};

}  // namespace kc::spirv
