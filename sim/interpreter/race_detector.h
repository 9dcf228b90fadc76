// SPDX-License-Identifier: Apache-2.0
// Tells whether the outcome of a launch depends on the order in which work-items run. Remembers for each byte
// the last writer, the last readers and their barrier epoch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "ir/launch.h"

namespace kc {

/// Two accesses of different work-items to one byte that no barrier orders.
struct OrderDependence {
  enum Kind : uint8_t {
    Race,         // one of them writes, and not both are atomic
    AtomicOrder,  // both are atomic, and what one of them gets or leaves depends on which is first
  } kind = Race;
  Loc first, second;
};

class RaceDetector {
 public:
  /// One access. `item` and `group` are linear ids, `epoch` counts the group's barriers.
  struct Access {
    uint64_t address = 0;
    uint32_t bytes = 0;
    bool writes = false, atomic = false;
    bool local = false;        // the address is an offset in the group's memory
    bool order_shows = false;  // atomic: its result is used, or it does not commute with itself
    Op op = Op::Count_;
    uint64_t item = 0, group = 0;
    uint32_t epoch = 0;
    Loc loc;
  };
  void note(const Access& access);
  /// Says nothing about this memory: the messages of printf, which are put in order afterwards.
  void ignore(const MemoryRange& memory) { ignored_ = memory; }
  /// The work-item has ended without coming to the barrier behind this epoch: no barrier orders what it did
  /// in the epoch with what others of its group do later.
  void ended(uint64_t item, uint32_t epoch) { ended_[item] = epoch; }
  /// Local memory is another one from here on.
  void next_group() { local_.clear(), ended_.clear(); }
  /// The first that was found.
  const std::optional<OrderDependence>& found() const { return found_; }

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
  void conflict(const Past& past, const Access& now);

  Pages global_, local_;
  std::unordered_map<uint64_t, uint32_t> ended_;  // of the group: the epochs in which its work-items ended
  std::optional<OrderDependence> found_;
  MemoryRange ignored_;
};

}  // namespace kc
