// SPDX-License-Identifier: Apache-2.0
// One launch of the wave interpreter: the sequence of waves, and their shared state.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "sim/interpreter/barrier_tracker.h"
#include "sim/interpreter/wave_program.h"

namespace kc::wave {

constexpr uint8_t kUnwritten = 0xa5;  // local and private memory are initially unspecified

class Runner {
 public:
  Runner(const Program& program, const LaunchSpec& launch, const WaveRunOptions& options)
      : p_(program), f_(*program.f), launch_(launch), options_(options), memory_(options.memory) {}

  WaveRunResult run(std::span<const uint64_t> arguments);

 private:
  // A wave that waits at a barrier while others of its group run.
  struct Waiting {
    std::vector<uint64_t> data;
    std::vector<Lanes> poison;
    std::vector<uint8_t> private_memory;
    std::array<std::array<uint64_t, kMaxWidth>, 3> global{}, local{};
    Lanes valid = 0;
    BarrierHistory history;
    BlockVisits visits;
    const BlockCode* block = nullptr;
    uint64_t number = 0;
    const Code* at = nullptr;
  };

  void start(std::span<const uint64_t> arguments);
  void cover_group(std::array<uint64_t, 3> group);
  void begin_wave(uint64_t first, uint64_t count);
  void exchange(Waiting& w);
  bool meet(std::vector<Waiting>& waves);
  /// Runs the wave from here, or from the start. Returns the barrier at which it arrives, or null at its end.
  const Code* wave(const Code* from);
  bool terminator(const Code& c, const Code*& next);
  bool operation(const Code& c);
  bool lane_operation(const Code& c);
  bool shuffle(const Code& c);
  bool elementwise(const Code& c);
  bool mask_operation(const Code& c);
  bool memory_operation(const Code& c);
  bool uniform_access(const Code& c);
  uint64_t place(const Code& c, uint64_t pointer, uint32_t lane, unsigned bytes);
  bool launch_id(const Code& c);
  void count_block(const Code& end);
  void count_lane(const Code& c, uint64_t address, unsigned bytes);
  void copy(const Ref& to, const Ref& from);
  bool take(uint32_t edge, const Code*& next);

  uint64_t& word(const Ref& r, uint32_t lane = 0) { return data_[r.at + (r.lane ? lane : 0)]; }
  size_t words(const Ref& r) const { return r.lane ? p_.width : 1; }
  Lanes& poison(const Ref& r) { return poison_[r.poison]; }
  bool poisoned(const Ref& r, uint32_t lane) { return (poison_[r.poison] >> lane) & 1; }
  /// Arbitrary bits for an unspecified lane; the sequence is deterministic.
  uint64_t garbage(unsigned bits) {
    garbage_ = garbage_ * 6364136223846793005u + 1442695040888963407u;
    return low_bits(garbage_ >> 17 ^ 0xdeadbeefdeadbeefu, bits);
  }
  bool stop(RunStatus status, std::string message) {
    result_.status = status;
    result_.message = std::move(message);
    return false;
  }
  std::string where(uint32_t lane) const {
    return fmt::format("lane {} (work-item ({}, {}, {}))", lane, global_[0][lane], global_[1][lane],
                       global_[2][lane]);
  }
  bool broken(const Code& c, std::string what) {
    return stop(RunStatus::Error,
                fmt::format("{} {}: {}, in the wave of work-item ({}, {}, {})", describe(f_, c.inst),
                            "breaks a law of wave IR", what, global_[0][0], global_[1][0], global_[2][0]));
  }
  /// In strict mode, stops if any of the lanes is poisoned.
  bool specified(const Code& c, const Ref& r, Lanes lanes, std::string_view what) {
    Lanes bad = poison(r) & lanes;
    if (!bad || !options_.strict) return true;
    return stop(RunStatus::Error,
                fmt::format("unspecified content of {} reaches the {} of {}",
                            where(static_cast<uint32_t>(std::countr_zero(bad))), what, describe(f_, c.inst)));
  }
  bool out_of_bounds(const Code& c, uint64_t address, uint32_t lane) {
    result_.address = address;
    return stop(RunStatus::OutOfBounds,
                fmt::format("{}: {} of {} bytes outside every buffer: {}", where(lane),
                            stores(c.op) || uniform_stores(c.op) ? "store" : "load", (c.bits + 7) / 8,
                            describe(f_, c.inst)));
  }

  const Program& p_;
  const Function& f_;
  const LaunchSpec& launch_;
  const WaveRunOptions& options_;
  MemoryMap memory_;
  WaveRunResult result_;
  AccessCounter access_;
  std::vector<uint64_t> data_, copied_;
  std::vector<Lanes> poison_;
  // Of the current group; of the current wave, interleaved.
  std::vector<uint8_t> local_memory_, private_memory_;
  BarrierTracker barriers_;  // of the group
  uint64_t garbage_ = 1;
  // The current wave.
  Lanes valid_ = 0, active_ = 0;
  const BlockCode* block_ = nullptr;
  uint64_t number_ = 0;
  BlockVisits visits_;
  std::array<std::array<uint64_t, kMaxWidth>, 3> global_{}, local_{};
  std::array<uint64_t, 3> group_{};
};

}  // namespace kc::wave
