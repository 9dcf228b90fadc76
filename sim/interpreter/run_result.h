// SPDX-License-Identifier: Apache-2.0
// Inputs of the interpreters besides the launch, and their results. Failures of the executed program are
// results, never exceptions or crashes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "ir/launch.h"
#include "sim/stop_flag.h"

namespace kc {

static_assert(std::endian::native == std::endian::little, "memory is read and written as little-endian");

enum class RunStatus : uint8_t {
  Ok,
  Trapped,      // all work-items ended; some of them by a trap
  OutOfBounds,  // an access outside every memory range; it stopped the launch
  StepLimit,    // the launch was stopped after max_steps, or from outside
  Error,        // the function or its arguments are invalid (in wave IR also detected at run time)
};
std::string_view to_string(RunStatus status);

struct RunResult {
  RunStatus status = RunStatus::Ok;
  std::optional<TrapReport> trap;  // if Trapped
  std::string message;             // if not Ok
  uint64_t address = 0;            // if OutOfBounds, and not in private or local memory
  Loc stopped_at;                  // if StepLimit
  uint64_t steps = 0;              // instructions executed

  bool ok() const { return status == RunStatus::Ok; }
};

/// The addresses of this process that a launch may access.
class MemoryMap {
 public:
  explicit MemoryMap(std::span<const MemoryRange> ranges) : ranges_(ranges) {}
  /// Whether all of [address, address + bytes) lies in one range.
  bool contains(uint64_t address, uint64_t bytes) {
    if (last_ < ranges_.size() && inside(ranges_[last_], address, bytes)) [[likely]]
      return true;
    return search(address, bytes);
  }
  /// The range of the last access for which `contains` returned true.
  size_t last() const { return last_; }

 private:
  static bool inside(const MemoryRange& r, uint64_t address, uint64_t bytes) {
    return bytes <= r.size && address - r.base <= r.size - bytes;
  }
  bool search(uint64_t address, uint64_t bytes);

  std::span<const MemoryRange> ranges_;
  size_t last_ = 0;  // consecutive accesses are often to one buffer
};

/// The low `bytes` bytes at the address (1, 2, 4 or 8), zero-extended. The caller has checked the address.
inline uint64_t load_bits(uint64_t address, unsigned bytes) {
  const void* p = reinterpret_cast<const void*>(address);
  uint64_t bits = 0;
  if (bytes == 4)
    std::memcpy(&bits, p, 4);
  else if (bytes == 8)
    std::memcpy(&bits, p, 8);
  else
    std::memcpy(&bits, p, bytes);
  return bits;
}
inline void store_bits(uint64_t address, unsigned bytes, uint64_t bits) {
  void* p = reinterpret_cast<void*>(address);
  if (bytes == 4)
    std::memcpy(p, &bits, 4);
  else if (bytes == 8)
    std::memcpy(p, &bits, 8);
  else
    std::memcpy(p, &bits, bytes);
}

/// "%3: i32 = load %2 !4:7" with the function's name: the form of an instruction in messages.
std::string describe(const Function& f, InstId inst);

/// Why this launch cannot run, or empty: local sizes must divide global sizes, arguments must match
/// parameters.
std::string check_launch(const Function& f, const LaunchSpec& launch, size_t arguments, size_t parameters);

/// pointer + sext(index) * scale + offset, in the width of the pointer.
inline uint64_t element_address(uint64_t pointer, uint64_t index, bool index64, bool pointer64, int64_t scale,
                                int64_t offset) {
  uint64_t wide = index64 ? index : static_cast<uint64_t>(int64_t{static_cast<int32_t>(index)});
  uint64_t sum = pointer + wide * static_cast<uint64_t>(scale) + static_cast<uint64_t>(offset);
  return pointer64 ? sum : sum & 0xffffffffu;
}

}  // namespace kc
