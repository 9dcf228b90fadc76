// SPDX-License-Identifier: Apache-2.0
// Lanes at known distances that are not near each other, as in a column of a tile: each has an address of its
// own without any instruction, and is loaded or stored by itself.
//
//   tile[17 * id]   ->   vmovss x, [a];  vbroadcastss x{k1}, [a + 68];  vbroadcastss x{k2}, [a + 136] ...
//
// A gather or scatter takes no less: of 8 words a Zen 4 gathers in 2.3 ns and loads in 1.2; of 16 it scatters
// in 7 ns and stores in 5.4. A Golden Cove takes about as many cycles as there are lanes for either.
#include <algorithm>
#include <cstdlib>

#include "backends/x64/elements.h"
#include "backends/x64/lower.h"

namespace kc::x64 {
namespace {

constexpr int64_t kFar = 1 << 24;
constexpr unsigned kQuarter = 16;  // bytes

// A word of 4 or 8 bytes at a place of 16 bytes. Loaded into all places and blended, it costs no shuffle,
// which only one port of a Golden Cove does: 16 words take 3.0 ns with masks and 5.1 with vpinsrd.
ValueId insert_loaded(Emit& e, ValueId to, unsigned place, unsigned size, ValueId address, int64_t disp) {
  if (e.avx512)
    return e.m.result(e.row(size == 8 ? Op::x64_vbroadcast64_into : Op::x64_vbroadcast32_into,
                            {e.lane_mask(place), to, address}, {kVec}, {kQuarter, 0, 1, disp}));
  const ValueId all = e.m.result(e.row(size == 8 ? Op::x64_vbroadcast64 : Op::x64_vbroadcast32, {address},
                                       {kVec}, {kQuarter, 0, 1, disp}));
  return e.vec(size == 8 ? Op::x64_vblendpd : Op::x64_vblendps, {to, all}, kQuarter, 1u << place);
}

}  // namespace

/// Of lanes from lane 0. Empty if they are not known, or far.
std::vector<int64_t> X64Lowering::lane_distances(ValueId pointer) const {
  const Shape& shape = shapes_[pointer.index];
  std::vector<int64_t> r;
  if (const auto& pattern = patterns_[pointer.index])
    r = pattern->steps;
  else if (shape.kind == Shape::Strided && std::abs(shape.stride) < kFar)
    for (unsigned k = 0; k < w.width; ++k) r.push_back(k * shape.stride);
  const bool far = std::ranges::any_of(r, [](int64_t step) { return std::abs(step) >= kFar; });
  return far ? std::vector<int64_t>() : r;
}

/// For full waves. Empty if the distances are unknown, or something is far.
std::vector<ValueId> X64Lowering::load_one_by_one(ValueId pointer, Elem elem) {
  std::vector<int64_t> steps = lane_distances(pointer);
  if (steps.empty()) return {};
  int64_t disp = 0;
  const ValueId address = flat_address(pointer, &disp);
  if (std::abs(disp) >= kFar) return {};
  const unsigned size = Type{elem}.bytes(), in_quarter = kQuarter / size;
  const VecType t = size == 8 ? vec64() : vec32();
  steps.resize(std::max<size_t>(steps.size(), t.lanes()), steps.back());
  auto insert = [&](ValueId to, size_t lane, unsigned place) {
    const int64_t at = disp + steps[lane];
    if (size < 4)
      return m_.result(e.row(size == 1 ? Op::x64_vpinsrb_load : Op::x64_vpinsrw_load, {to, address}, {kVec},
                             {kQuarter, place, 1, at}));
    if (place == 0)
      return m_.result(e.row(size == 8 ? Op::x64_vmovsd_load : Op::x64_vmovss_load, {address}, {kVec},
                             {kQuarter, 0, 1, at}));
    return insert_loaded(e, to, place, size, address, at);
  };
  std::vector<ValueId> r;
  for (size_t lane = 0; lane < steps.size();) {
    ValueId all;
    for (unsigned quarter = 0; quarter * kQuarter < t.lanes() * size; ++quarter) {
      ValueId part = size < 4 ? e.zero() : ValueId();
      for (unsigned k = 0; k < std::min(in_quarter, t.lanes()); ++k) part = insert(part, lane++, k);
      all = e.insert_quarter(all, part, quarter, t);
    }
    if (size == 1) all = e.vec(Op::x64_vpmovzxbd, {all}, t.bytes);
    if (size == 2) all = e.vec(Op::x64_vpmovzxwd, {all}, t.bytes);
    r.push_back(all);
  }
  return r;
}

}  // namespace kc::x64
