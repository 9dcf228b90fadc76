// SPDX-License-Identifier: Apache-2.0
// Whether each cycle of the walk moves both functions: else one could run for ever while the other has an
// effect to come.
#pragma once

#include <cstdint>
#include <vector>

namespace kc::proof {

/// Which of the functions took a step between two states.
struct Moved {
  bool old_function = true, new_function = true;
};

class Progress {
 public:
  void add(uint32_t from, uint32_t to, Moved moved) {
    if (!moved.new_function) new_waits_.emplace_back(Edge{from, to});
    if (!moved.old_function) old_waits_.emplace_back(Edge{from, to});
  }
  /// A state on a cycle during which the new function, or the old one, does not move; kNone if there is none.
  uint32_t waits_for_ever(size_t states, bool new_function) const;

 private:
  struct Edge {
    uint32_t from, to;
  };
  std::vector<Edge> old_waits_, new_waits_;
};

}  // namespace kc::proof
