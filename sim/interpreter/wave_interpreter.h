// SPDX-License-Identifier: Apache-2.0
// Runs a wave function, one wave after another. Strict mode also checks the rules of the wave dialect: every
// lane has a bit for "content is specified". Unspecified content may be used in computations but must not
// reach memory, an address, a mask or a branch.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/interpreter/execution_counts.h"
#include "sim/interpreter/run_result.h"

namespace kc {

namespace wave {
struct Program;
}

enum class WaveCategory : uint8_t {
  Uniform,
  Lane,
  Mask,
  Merge,
  Move,
  UniformAccess,
  LaneLoad,
  LaneStore,
  Control,
  Count_
};
std::string_view to_string(WaveCategory category);

/// Issue counts of a launch; Move counts values passed along edges and through variables.
struct WaveStatistics : ExecutionCounts {
  uint64_t waves = 0;
  std::array<uint64_t, static_cast<size_t>(WaveCategory::Count_)> issued{};
  uint64_t lane_issues = 0;   // instructions on lanes (lane arithmetic, loads, stores)
  uint64_t active_lanes = 0;  // active lanes of these
  uint64_t of(WaveCategory c) const { return issued[static_cast<size_t>(c)]; }
};

struct WaveRunResult : RunResult {
  WaveStatistics statistics;
};

struct WaveRunOptions {
  std::span<const MemoryRange> memory;     // every access must lie in one of these
  uint64_t max_steps = uint64_t{1} << 32;  // of the whole launch
  const StopFlag* stop = nullptr;          // ends the launch as the limit does
  /// Stop if unspecified content has an effect. Otherwise such lanes hold arbitrary bits.
  bool strict = true;
  /// In strict mode, the mask of the returning block must contain every lane of the wave.
  bool all_return = true;
  /// Waves cover consecutive linear local ids of a group; otherwise each covers part of one row along x.
  bool packed = false;
  /// Called at the end of each block, where its mask is known; waves are numbered in start order.
  std::function<void(uint64_t wave, BlockId block, uint64_t mask)> on_block;
};

/// A function decoded once, to be run any number of times. The function must outlive it. Its last parameter
/// is the mask of the lanes with work-items. Widths from 1 to 64 are supported.
class WaveInterpreter {
 public:
  explicit WaveInterpreter(const Function& f);
  ~WaveInterpreter();
  WaveInterpreter(WaveInterpreter&&) noexcept;

  /// `arguments` are the raw bits of all parameters except the last.
  WaveRunResult run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                    const WaveRunOptions& options) const;

 private:
  std::unique_ptr<wave::Program> program_;
};

/// Decodes and runs once.
WaveRunResult run_waves(const Function& f, const LaunchSpec& launch, std::span<const uint64_t> arguments,
                        const WaveRunOptions& options);

}  // namespace kc
