// SPDX-License-Identifier: Apache-2.0
// A launch before any engine sees it: its sizes checked and completed, its arguments as raw bits.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/printf_decode.h"
#include "ir/launch.h"
#include "ir/printf.h"

namespace kc {

/// All local arguments of a launch together are at most this large: offsets have 32 bits.
inline constexpr uint64_t kMaxLocalBytes = uint64_t{1} << 28;

/// Fills in the local size where local[0] is 0, with what the kernel requires or a default; then says what is
/// wrong with the sizes, if anything.
std::expected<void, std::string> complete_launch(const Function& kernel, LaunchSpec& spec);

/// What a launch gives one visible parameter: a scalar's bits, a buffer, or how much local memory a pointer
/// gets.
struct ArgumentValue {
  uint64_t bits = 0;  // of local memory: bytes
  bool is_local = false;
  int buffer = -1;  // index among the buffers
};

/// Why a launch gave no results.
struct LaunchError {
  enum Kind : uint8_t {
    Unsupported,  // the target has no room for launches of these sizes, or no way to do them
    Stopped,      // an emulator found an error, or reached a limit
    OutOfBounds,  // an emulator found an access outside the buffers
    CutOff,       // a driver ended the kernel early
    Absent,       // there is no device
    OutOfMemory,  // of the device or of this process
    Lost,         // the device is lost and must be opened again
    Failed,       // a call of the device's library failed
  } kind = Failed;
  std::string message;
};

/// Whether a buffer of this size is one that 32 bits address.
bool is_small_buffer(uint64_t bytes);
/// Whether a byte is in both.
bool overlap(const MemoryRange& a, const MemoryRange& b);
/// Whether the hidden buffers of a launch are.
bool has_small_hidden_buffers(const LaunchSpec& spec);
/// Whether so many bytes are more than the last-level cache of this machine holds.
bool exceeds_caches(uint64_t bytes);

/// The arguments of one launch as raw bits: buffers as addresses in this process, local pointers as offsets
/// in the group's memory, and after them the hidden buffers that lowering adds: trap slots, constants,
/// messages of printf.
class BoundArguments {
 public:
  /// For launches of this kernel, which must outlive the object.
  explicit BoundArguments(const Function& kernel);
  /// Takes the place of the launch before and uses its memory again. Sets spec.local_bytes to what a group
  /// needs.
  void bind(std::span<const ArgumentValue> values, std::span<const MemoryRange> buffers, LaunchSpec& spec);
  /// The trap of the lowest global id among those that lowered code noted.
  std::optional<TrapReport> trap() const;
  /// Where an address is from the nearest visible buffer: "4 bytes after the end of 'a', which has 32 bytes".
  std::string describe_address(uint64_t address) const;
  /// What the work-items printed.
  PrintedText printed() const;

  std::vector<uint64_t> bits;
  std::vector<int> range_of;               // by parameter: which of the ranges it points to, or -1
  std::vector<MemoryRange> ranges;         // of the buffers, then of the hidden ones
  std::vector<TrapSlot> slots;             // empty when the kernel has no such buffer
  std::vector<uint64_t> messages;          // likewise
  uint64_t printf_bytes = kPrintfBytes;    // what `bind` gives a kernel that prints
  Addresses addresses = Addresses::Shown;  // of printed pointers

 private:
  void bind_hidden(const ParamInfo& p, std::span<const ArgumentValue> values, const LaunchSpec& spec);
  void bind_buffer(const void* data, size_t size);
  const Function& kernel_;
  LaunchSpec spec_;
  uint64_t own_local_bytes_ = 0;
  struct alignas(128) Line {  // the largest alignment of a type
    uint8_t bytes[128];
  };
  std::vector<Line> constants_;
  size_t constant_bytes_ = 0;
};

}  // namespace kc
