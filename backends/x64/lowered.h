// SPDX-License-Identifier: Apache-2.0
// What selection keeps of wave values, and the forms of addresses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "backends/x64/conditions.h"
#include "backends/x64/small_lanes.h"
#include "ir/function.h"

namespace kc::x64 {

struct Lowered {
  std::vector<ValueId> parts;    // vectors or masks
  ValueId scalar;                // a uniform value, or the value of lane 0
  ValueId whole{};               // all lanes: a mask, or bytes (lower_bytes.cpp)
  std::vector<ValueId> small{};  // vectors of bytes or shorts (lower_small.cpp)
};

/// What lower_small.cpp knows.
struct SmallState {
  SmallLanes lanes;
  ByteMasks byte_masks;
  // By value and machine block: bytes or shorts made of words, and words (with signs or zeros) of these.
  std::map<std::pair<ValueId, BlockId>, std::vector<ValueId>> packed{};
  std::map<std::tuple<ValueId, bool, BlockId>, std::vector<ValueId>> words{};
  // Masks for elements of so many bytes: made of those for words, by block; and what comparisons give.
  std::map<std::tuple<ValueId, unsigned, BlockId>, std::vector<ValueId>> masks{};
  std::map<std::pair<ValueId, unsigned>, std::vector<ValueId>> compared{};
};

/// A constant table that fits into a few registers, and the place in it that each lane accesses: `index` of
/// 32 bits times `scale`, plus `offset` bytes among the kernel's constants. The registers begin at `begin`.
struct ConstantTable {
  ValueId index;
  int64_t scale, offset, begin, registers;
};

/// An index of the wave function, with 64 bits in a register of the machine, and a constant that is added.
struct WideIndex {
  ValueId of, index;
  int64_t added = 0;
};

/// base + index * scale + disp, of one access.
struct ScalarPlace {
  ValueId base, index{};  // index: of 64 bits
  int64_t scale = 1, disp = 0;
};

/// base + index * scale + disp in each lane.
struct Indexed {
  ValueId base;
  std::vector<ValueId> index;  // 32-bit signed
  int64_t scale = 1, disp = 0;
};

/// A private offset: index * scale + constant.
struct PrivateSum {
  ValueId index;  // or none
  uint32_t scale = 1;
  int64_t constant = 0;
};
/// Where lane 0 accesses memory, and neighbours behind it.
struct RunStart {
  ValueId base;
  int64_t disp = 0;
};

/// Vectors of memory with lanes at known places.
struct Window {
  int64_t at;                   // its start, in bytes from lane 0
  std::vector<uint8_t> places;  // word positions of the lanes
  unsigned vectors = 1;
  bool in_row = false;
  /// Whether the lanes span the whole vector, or use its last word.
  bool reaches_end_of(unsigned vector) const {
    return std::ranges::max(places) >= (vector + 1) * places.size() - 1;
  }
};

/// A comparison of scalars.
struct ScalarTest {
  ValueId a, b;
  unsigned size;  // in bytes
  Condition cc;
};

/// What a run-time test of lanes that are likely near asks for: consecutive elements, or two vectors of
/// memory.
enum class NearForm : uint8_t { None, Run, Window };

/// The blocks of such a test.
struct NearChoice {
  BlockId near, far, joined;
};

/// Pages of memory are mapped as a whole.
inline constexpr int64_t kPage = 4096;

/// Bytes in memory from `base + disp` on.
struct ByteRange {
  ValueId base;
  int64_t disp = 0, bytes = 0;
};

/// Whether an address is a buffer plus an index and a small constant: its offset then fits in 32 bits.
bool from_buffer(const Function& wave, ValueId pointer);
/// Whether the elements that the load reads cross no multiple of their size.
bool is_aligned(const Function& wave, const Inst& load);
/// The operand of a negated condition, or none.
ValueId negated(const Function& wave, ValueId condition);

}  // namespace kc::x64
