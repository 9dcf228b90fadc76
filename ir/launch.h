// SPDX-License-Identifier: Apache-2.0
// The parameters of a launch, and what engines report back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Sizes in work-items. Global sizes are multiples of local sizes.
struct LaunchSpec {
  uint32_t dims = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  uint64_t local_bytes = 0;       // per group: its objects and what local pointer arguments point to
  bool small_buffers = true;      // all are smaller than 2 GiB: byte offsets fit in 32 bits
  bool disjoint_buffers = false;  // no byte belongs to two of its arguments
  bool beyond_caches = false;     // its buffers are larger together than the last-level cache of this machine
  uint64_t items() const { return global[0] * global[1] * global[2]; }
  uint64_t groups(size_t d) const { return global[d] / local[d]; }
};

/// The same launch with dimension `rows_along`, 0 to 2, in the place of x, and x in its place.
LaunchSpec transposed(LaunchSpec spec, size_t rows_along);
/// Asks for the ids and sizes of that dimension where x is asked for, and the other way round: what a kernel
/// does in a launch, it does then in the transposed launch.
void transpose(Function& f, size_t rows_along);
/// The setting of a target note with the dimension that a function was transposed by.
inline constexpr std::string_view kRowsAlong = "rows_along";
/// The groups that launches of the kernel must have, also if it was transposed; 0: any.
std::array<uint32_t, 3> required_groups(const Function& f);

/// Offsets of the objects of one space, by object number; objects of other spaces have 0.
struct MemoryLayout {
  std::vector<uint32_t> offsets;
  uint64_t size = 0;  // in bytes, a multiple of 16; 0 if the function has no object there
};
/// Lays out objects in their order from kFirstOffset on, each aligned. `space`: kPtrPrivate, kPtrLocal or
/// kPtrConstant.
MemoryLayout lay_out_objects(const Function& f, Type space);
/// Offset 0 is the null pointer of local and private memory; the bytes up to here belong to no object.
inline constexpr uint64_t kFirstOffset = 16;
/// The bytes of the hidden `constants` buffer that `lower_memory` adds to functions with constant objects.
std::vector<uint8_t> constant_bytes(const Function& f);
/// The byte offset for a local pointer argument of this size, after everything that the group has so far
/// (initially the function's local objects). Adds to launch.local_bytes.
uint32_t place_local_argument(uint64_t bytes, LaunchSpec& launch);

/// A buffer in this process; engines check accesses against these ranges where they can.
struct MemoryRange {
  uint64_t base = 0, size = 0;
};

/// The trap with the lowest global id of a launch.
struct TrapReport {
  TrapSite site;
  uint64_t value = 0;  // bits of the thrown value
  std::array<uint64_t, 3> global_id{};
  uint64_t count = 0;  // work-items that trapped
};

/// Merges trapped work-items into the launch's report: adds up the counts, and keeps the trap with the lowest
/// id.
void add_trap(std::optional<TrapReport>& all, const TrapReport& more);

/// One slot for each work-item, in order of linear global id, in the hidden `traps` buffer that `lower_traps`
/// adds to kernels with traps. Zeroed before the launch.
struct TrapSlot {
  uint32_t site_plus_one = 0;
  uint32_t padding = 0;
  uint64_t value = 0;
};

/// The trap of the lowest linear global id among the slots, if any work-item trapped.
std::optional<TrapReport> find_trap(std::span<const TrapSlot> slots, const LaunchSpec& spec,
                                    std::span<const TrapSite> sites);

}  // namespace kc
