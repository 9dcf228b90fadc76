// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/execution_counts.h"

#include <algorithm>

namespace kc {
namespace {

constexpr uint64_t kSegment = 128;

}  // namespace

void AccessCounter::lane(size_t range, uint64_t offset, uint32_t bytes) {
  for (uint64_t s = offset / kSegment; s <= (offset + bytes - 1) / kSegment; ++s)
    if (segments_.empty() || segments_.back() != std::pair(range, s)) segments_.emplace_back(range, s);
  bool goes_on = before_ == std::pair(range, offset) || before_ == std::pair(range, offset - bytes);
  if (lanes_++ == 0 || !goes_on) ++runs_;
  before_ = {range, offset};
}

void AccessCounter::finish(ExecutionCounts& counts) {
  if (lanes_ == 0) return;
  std::sort(segments_.begin(), segments_.end());
  auto end = std::unique(segments_.begin(), segments_.end());
  ++counts.memory_instructions;
  counts.memory_transactions += static_cast<uint64_t>(end - segments_.begin());
  counts.address_runs += runs_;
  segments_.clear();
  lanes_ = runs_ = 0;
}

}  // namespace kc
