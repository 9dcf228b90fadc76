// SPDX-License-Identifier: Apache-2.0
// Finds the object or parameter that each local pointer is derived from, by following pointers through the
// function.
#pragma once

#include <map>
#include <vector>

#include "backends/spirv/code.h"
#include "ir/disjoint_sets.h"

namespace kc::spirv {

class LocalRoots {
 public:
  explicit LocalRoots(const Function& function);

  /// A local object, or the target of a local parameter.
  struct Root {
    int object = -1;   // index among the function's objects
    int param = -1;    // or among the parameters
    bool own = false;  // all pointers to it are known, and each points to nothing else
  };
  std::vector<Root> roots;
  /// The root with its own variable that the pointer is derived from, or roots.size().
  size_t root_of(ValueId pointer) const;
  /// The root whose object begins at this offset, or roots.size().
  size_t root_at(uint64_t offset) const;

 private:
  static constexpr uint32_t kNowhere = 0xffffffffu;
  uint32_t node_of(ValueId v) const;
  void unite(uint32_t a, uint32_t b);
  void unite(ValueId a, ValueId b) { unite(node_of(a), node_of(b)); }
  void follow(const Inst& inst);
  void decide();

  const Function& f;
  std::vector<uint32_t> offsets_;           // by root: offset of an object
  DisjointSets trees_{0};                   // of unknown memory, the roots, the values
  std::map<uint32_t, size_t> root_of_top_;  // of trees with one root that has its own variable
  bool from_anywhere_ = false;              // some pointer is converted from a number, or loaded
};

}  // namespace kc::spirv
