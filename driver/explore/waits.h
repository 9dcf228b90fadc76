// SPDX-License-Identifier: Apache-2.0
// Where lanes wait in a launch: for each block, the idle slots of lanes that wait there, and which blocks
// other lanes execute meanwhile.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "ir/function.h"
#include "sim/warp/warp_scheduler.h"

namespace kc {

class WaitCounts {
 public:
  explicit WaitCounts(const Function& f) : f_(f) {}

  /// `executing` has been issued once for `active` of the `width` lanes of a warp, and others wait.
  void add(BlockId executing, size_t active, uint32_t width, const std::vector<WarpExit>& waiting);

  /// Idle slots while the block executes: where lanes wait, the most slots first, and the rest, of lanes that
  /// have ended, with an invalid block.
  struct Idle {
    BlockId block;
    uint64_t slots = 0;
  };
  std::vector<Idle> during(BlockId executing) const;

  /// The keys `waits` and `ended` of a trace (docs/record.md). `number`: of blocks, by their id.
  void write(nlohmann::ordered_json& trace, const std::vector<size_t>& number) const;

 private:
  const Function& f_;
  std::unordered_map<uint64_t, uint64_t> slots_;  // by the block where lanes wait << 32 | the executing block
  std::unordered_map<uint32_t, uint64_t> ended_;  // by the executing block
};

}  // namespace kc
