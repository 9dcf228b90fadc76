// SPDX-License-Identifier: Apache-2.0
// Detects whether the outcome of a launch depends on the execution order of work-items. Records for each byte
// the last writer, the last readers and their barrier epochs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/launch.h"

namespace kc {

/// Two accesses by different work-items to one byte that no barrier orders.
struct OrderDependence {
  enum Kind : uint8_t {
    Race,         // one of them writes, and at least one is not atomic
    AtomicOrder,  // both are atomic, and the result or the final value depends on their order
  } kind = Race;
  Loc first, second;
};

/// Bytes that unordered accesses touch, and what of them depends on the order: what a load gives, or also
/// what is left there in the end.
class UnorderedBytes {
 public:
  enum : uint8_t { Loads = 1, Contents = 2 };
  void add(uint64_t group, uint64_t address, uint8_t what) { bytes_[{group, address}] |= what; }
  /// Of local memory of a group; global memory counts as that of group 0.
  uint8_t at(uint64_t group, uint64_t address) const {
    auto found = bytes_.find({group, address});
    return found == bytes_.end() ? 0 : found->second;
  }
  bool empty() const { return bytes_.empty(); }
  template <typename Visit>
  void each(Visit visit) const {
    for (const auto& [where, what] : bytes_) visit(where.second, what);
  }

 private:
  using Where = std::pair<uint64_t, uint64_t>;
  struct Hash {
    size_t operator()(const Where& w) const {
      return (w.first * 0x9e3779b97f4a7c15 + w.second) * 0xff51afd7ed558ccd;
    }
  };
  std::unordered_map<Where, uint8_t, Hash> bytes_;
};

class RaceDetector {
 public:
  /// One access. `item` and `group` are linear ids; `epoch` counts the group's barriers.
  struct Access {
    uint64_t address = 0;
    uint32_t bytes = 0;
    bool writes = false, atomic = false;
    bool local = false;        // the address is an offset in the group's local memory
    bool order_shows = false;  // atomic: its result is used, or it does not commute with itself
    Op op = Op::Count_;
    uint64_t item = 0, group = 0;
    uint32_t epoch = 0;
    Loc loc;
  };
  void note(const Access& access);
  /// Excludes this memory: the printf buffer, whose messages are sorted afterwards.
  void ignore(const MemoryRange& memory) { ignored_ = memory; }
  /// The work-item ended without reaching the barrier after this epoch: no barrier orders its accesses of the
  /// epoch with later accesses of its group.
  void ended(uint64_t item, uint32_t epoch) { ended_[item] = epoch; }
  /// Starts a new local memory.
  void next_group() { local_.clear(), ended_.clear(); }
  /// The first one found.
  const std::optional<OrderDependence>& found() const { return found_; }
  /// All of them.
  const UnorderedBytes& global_bytes() const { return global_bytes_; }
  const UnorderedBytes& local_bytes() const { return local_bytes_; }

 private:
  struct Past {
    uint64_t item_plus_one = 0, group = 0;
    uint32_t epoch = 0;
    bool atomic = false, order_shows = false;
    Op op = Op::Count_;
    Loc loc;
  };
  struct Byte {
    Past writer, reader, other_reader;  // the readers are different work-items
  };
  static constexpr uint64_t kPage = 256;
  using Page = std::array<Byte, kPage>;
  using Pages = std::unordered_map<uint64_t, std::unique_ptr<Page>>;

  bool unordered(const Past& past, const Access& now) const {
    if (past.item_plus_one == 0 || past.item_plus_one == now.item + 1) return false;
    if (past.group != now.group || past.epoch == now.epoch) return true;
    auto end = ended_.find(past.item_plus_one - 1);
    return end != ended_.end() && end->second == past.epoch;
  }
  void conflict(const Past& past, bool past_writes, const Access& now, uint64_t address);

  Pages global_, local_;
  std::unordered_map<uint64_t, uint32_t> ended_;  // of the group: the epochs in which its work-items ended
  std::optional<OrderDependence> found_;
  UnorderedBytes global_bytes_, local_bytes_;
  MemoryRange ignored_;
};

}  // namespace kc
