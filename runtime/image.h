// SPDX-License-Identifier: Apache-2.0
// The data that a backend passes to a runtime. Neither includes the other.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace kc {

enum class ImageParamKind : uint8_t {
  Pointer,  // a 64-bit device address; the launcher binds a buffer
  Local,    // a 32-bit byte offset into the group's block; the launcher assigns it
  Scalar,   // bytes copied unchanged (scalars, vectors, structs)
};

// One parameter of a kernel; offset counts from the start of the user's parameters.
struct ImageParam {
  std::string name;
  ImageParamKind kind = ImageParamKind::Scalar;
  uint32_t size = 0;
  uint32_t offset = 0;
};

// The length of an array in local memory, as a specialisation constant.
struct VulkanLocalLength {
  uint32_t constant = 0;  // its number
  int param = -1;         // the parameter whose array this is, or -1 for memory without an array of its own
  uint32_t unit = 4;      // bytes of an element
};

// A compute shader. Its push constants are a VulkanPush. Its parameter block is a VulkanBlock followed by the
// parameters, each at VulkanBlock's size plus its offset.
struct VulkanImage {
  std::string kernel;       // the name in the source
  std::string entry_point;  // the name in the module
  std::vector<ImageParam> params;
  uint32_t params_size = 0;
  std::array<uint32_t, 3> local_size{1, 1, 1};
  std::vector<uint32_t> words;
  // Device features required beyond 64-bit integers and buffer addresses.
  bool needs_int8 = false, needs_int16 = false, needs_float64 = false, needs_int64_atomics = false;
  bool needs_local_int64_atomics = false, needs_memory_model = false, needs_sub_groups = false;
  bool sized_at_load = false;  // constants 0 to 2 are the local size
  uint32_t nesting = 0;        // nesting depth of its control flow
  uint32_t local_bytes = 0;    // memory of one group, without these arrays:
  std::vector<VulkanLocalLength> local_lengths;
};

struct VulkanPush {
  uint64_t block = 0;                    // address of the parameter block
  std::array<uint32_t, 3> group_base{};  // added to WorkgroupId: a large grid takes several dispatches
};

struct VulkanBlock {
  std::array<uint64_t, 3> global_offset{};
  std::array<uint64_t, 3> global_size{};
  uint32_t work_dim = 1;
  uint32_t cut = 0;  // set by work-items that the driver removed from a loop too early
  // always zero; in memory, because drivers fold push constants into the code, where that helps loops
  uint32_t zero = 0;
  uint32_t unused = 0;
};
static_assert(sizeof(VulkanPush) == 24 && sizeof(VulkanBlock) == 64);

// CPU code may read this many bytes after its local memory; it ignores the values.
constexpr uint64_t kSpareBytes = 128;

// What the code does where a wave stops at a barrier, or ends.
enum CpuFollowed : uint64_t {
  kReturns = 0,
  kGoesOn = 1,     // to the wave of the record behind this one
  kMeets = 2,      // likewise; all waves of the group are entered by one call (CpuImage::groups_meet)
  kLastToMeet = 3  // the last of these: where it stops, the first one goes on behind the barrier
};

// The input of one wave of CPU code. Lane k has x = global_id[0] + k; y and z are the same for all lanes. The
// lanes of packed waves follow the linear local ids, and `steps` gives their positions.
struct CpuWaveContext {
  const uint64_t* args = nullptr;                // one slot of 8 bytes for each parameter except the mask
  uint64_t global_id[3] = {}, local_id[3] = {};  // of lane 0
  uint64_t group_id[3] = {};
  uint64_t global_size[3] = {}, local_size[3] = {}, num_groups[3] = {}, global_offset[3] = {};
  uint64_t dims = 1;
  uint64_t mask = 0;                // bit k: lane k is active; never 0
  uint8_t* local_memory = nullptr;  // of the group, followed by kSpareBytes
  // Of the wave: word j of lane k is at 4 * (j * width + k).
  uint8_t* private_memory = nullptr;
  // For a wave of a kernel with barriers. At a barrier, the function stops the wave with `resume` set; the
  // next call continues after the barrier. `followed` waves go on with the record behind theirs, whose wave
  // must not have ended.
  uint8_t* frame = nullptr;  // values live across the barrier
  uint64_t resume = 0;       // the resume point; 0 before the start and after the end
  uint64_t arrived = 0;      // bit k: lane k is at the barrier
  uint64_t site = 0;         // of the barrier, in the function's numbering
  // Of a packed wave: the id of lane k in dimension d is that of lane 0 plus steps[d * width + k]. Inactive
  // lanes continue the sequence.
  const int32_t* steps = nullptr;
  // If not 0: all lanes are active, and code that takes rows (CpuImage::takes_rows) runs so many waves, one
  // after the other along x. It changes this number and the ids.
  uint64_t full_waves = 0;
  // Whether another wave of the group is entered after this one: one of CpuFollowed.
  uint64_t followed = 0;
  uint64_t zeros[8] = {};       // what inactive lanes load
  uint64_t sink[8] = {};        // where they store
  uint64_t addresses[16] = {};  // of lanes, on their way from vectors to general registers
};
using CpuEntry = void (*)(CpuWaveContext*);

// Machine code for a wave of `width` lanes. It is position-independent; the entry is the first byte.
struct CpuImage {
  std::string kernel;
  uint32_t width = 8;
  bool needs_avx512 = false;
  bool uses_groups = false;  // reads local or group ids or sizes: rows cannot be regrouped
  bool has_barriers = false;
  bool takes_rows = false;    // runs several full waves in one call
  bool groups_meet = false;   // all waves come to the same barriers: one call can run a group to its end
  bool whole_groups = false;  // a call for the first wave runs all, and no wave stops
  bool packed = false;        // lanes follow the linear local ids of a group
  uint32_t frame_bytes = 0;   // of a wave with barriers, a multiple of 64
  std::vector<ImageParam> params;
  std::vector<uint8_t> code;
};

}  // namespace kc
