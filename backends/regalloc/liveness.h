// SPDX-License-Identifier: Apache-2.0
// Live-in values of each block with their next-use distances; loops and the register pressure inside them. A
// distance counts instructions; a loop exit costs kLoopExit.
#pragma once

#include <vector>

#include "backends/regalloc/shape.h"
#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc::regalloc {

inline constexpr uint32_t kDead = 0xffffffffu;
inline constexpr uint32_t kFarthest = 1u << 30;
inline constexpr uint32_t kLoopExit = 100'000;

inline uint32_t farther(uint32_t distance, uint32_t by) {
  return distance >= kFarthest - by ? kFarthest : distance + by;
}

struct LiveValue {
  ValueId value;
  uint32_t distance = kFarthest;  // from the block's start to the next use
};

/// The cycles with one entry, with what the values in them need. Others are left out: they have no block at
/// which to choose what their values keep in registers.
struct Loops : Cycles {
  Loops(const Function& f, const Cfg& cfg);
  std::vector<std::vector<uint32_t>>
      pressure;  // by cycle and class: maximal sum of live units over its blocks
  // By cycle and class: the maximum in its header, without values that are only used behind it.
  std::vector<std::vector<uint32_t>> header_pressure;
  uint32_t depth(BlockId b) const {
    return innermost[b.index] == kNone ? 0 : cycles[innermost[b.index]].depth;
  }
  bool is_header(BlockId b) const {
    return innermost[b.index] != kNone && cycles[innermost[b.index]].header == b.index;
  }
  /// Number of loops that the edge leaves.
  uint32_t exits(BlockId from, BlockId to) const {
    uint32_t n = 0;
    for (uint32_t c = innermost[from.index]; c != kNone && !contains(c, to); c = cycles[c].parent) ++n;
    return n;
  }
};

struct Liveness {
  Liveness(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg, Loops& loops, size_t classes);
  /// By block id, sorted by value. The block's own parameters are excluded.
  std::vector<std::vector<LiveValue>> in;
  const LiveValue* find(BlockId b, ValueId v) const;

 private:
  void collect(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg);
  void measure(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg, const Loops& loops);
  void pressures(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg, Loops& loops,
                 size_t classes) const;
};

}  // namespace kc::regalloc
