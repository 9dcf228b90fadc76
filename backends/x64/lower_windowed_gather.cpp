// SPDX-License-Identifier: Apache-2.0
// Windowed gathers: accesses with likely local addresses but without a constant step
// (likely_local_addresses). A run-time test decides: if the lanes of each vector lie within two vectors of
// memory, those are loaded and the lanes selected by a permutation; if they are contiguous, they are stored
// at once. Otherwise a gather or scatter is used.
//
//   data[2 * id - (id & 7)]   ->   two loads and a vpermi2d for each vector, after a test
#include "backends/x64/lower.h"

namespace kc::x64 {
namespace {
constexpr int64_t kPage = 4096;
}  // namespace

/// The 32-bit index by which lanes differ, in units of 4 bytes. Valid if active lanes differ by no more than
/// it can represent: local memory is small, and no lane is below the start of a buffer. Terms common to all
/// lanes are left out, so that several accesses share the test.
ValueId X64Lowering::near_index(ValueId pointer) const {
  InstId def = w.def(pointer);
  if (!likely_local_[pointer.index] || !def || w.inst(def).op != Op::ptr_add) return {};
  const Inst& sum = w.inst(def);
  bool is_local = w.type(pointer).elem == Elem::PtrLocal;
  if (sum.attrs[0] != 4 || !shapes_[sum.operands[0].index].uniform() ||
      (!is_local && !from_buffer(w, pointer)))
    return {};
  ValueId index = sum.operands[1];
  if (InstId d = w.def(index); d && w.inst(d).op == Op::sext) index = w.inst(d).operands[0];
  if (w.type(index) != Type{Elem::I32, true}) return {};
  for (InstId d = w.def(index); d; d = w.def(index)) {
    const Inst& inst = w.inst(d);
    bool adds = inst.op == Op::add;
    if ((adds || inst.op == Op::sub) && shapes_[inst.operands[1].index].uniform())
      index = inst.operands[0];
    else if (adds && shapes_[inst.operands[0].index].uniform())
      index = inst.operands[1];
    else
      break;
  }
  return index;
}

/// The distance of each lane from the first one of its vector.
std::vector<ValueId> X64Lowering::distances(ValueId index) {
  auto& [from, steps] = distances_[index];
  if (steps.empty() || !tree_.dominates(from, wave_block_)) {
    from = wave_block_;
    steps.clear();
    for (ValueId part : parts(index)) steps.push_back(e.sub(part, e.splat_vec(part, vec32()), vec32()));
  }
  return steps;
}

/// Non-zero if the comparison holds for a lane of the mask.
ValueId X64Lowering::any_lane(ValueId mask, Predicate p, const std::vector<ValueId>& values, ValueId limit) {
  std::vector<ValueId> m = parts(mask);
  ValueId all;
  for (size_t k = 0; k < values.size(); ++k) {
    ValueId one = e.mask_and(m[k], e.compare(false, p, values[k], limit, vec32()), vec32());
    all = all ? e.mask_or(all, one, vec32()) : one;
  }
  return e.mask_bits(all, vec32());
}

/// Zero if the first lane of each vector is active, and all active lanes are within two vectors from it.
ValueId X64Lowering::outside_window(ValueId mask, ValueId index) {
  auto [it, fresh] = outside_.try_emplace({mask, index, wave_block_});
  if (!fresh) return it->second;
  std::vector<ValueId> m = parts(mask);
  ValueId on = m[0];
  for (size_t k = 1; k < m.size(); ++k) on = e.mask_and(on, m[k], vec32());
  ValueId off = e.gpr(Op::x64_and_, {e.gpr(Op::x64_not_, {e.mask_bits(on, vec32())}, 4), e.number(1)}, 4);
  ValueId far = any_lane(mask, NotLt, distances(index), e.constant(2 * lanes_per_part(), vec32()));
  return it->second = e.gpr(Op::x64_or_, {far, off}, 4);
}

/// Non-zero if a window crosses the end of the page of its first lane. That page is mapped if the lane is
/// active.
ValueId X64Lowering::leaves_page(const Indexed& at, const std::vector<ValueId>& first) {
  ValueId all;
  for (ValueId index : first) {
    ValueId address =
        m_.result(e.row(Op::x64_lea_index, {at.base, index}, {kGpr}, {8, 0, at.scale, at.disp}));
    ValueId in_page = e.gpr(Op::x64_and_, {address, e.number(kPage - 1)}, 4);
    ValueId last = e.gpr(Op::x64_add, {in_page, e.number(2 * bytes_ - 1)}, 4);
    all = all ? e.gpr(Op::x64_or_, {all, last}, 4) : last;
  }
  return e.gpr(Op::x64_and_, {all, e.number(kPage)}, 4);
}

NearChoice X64Lowering::branch_on_near(ValueId far) {
  BlockId here = e.block;
  NearChoice c{fresh_block("near"), fresh_block("far"), fresh_block("joined")};
  rare_.push_back(c.far);
  e.block = here;
  e.branch(Op::x64_jtest, {far, far}, 4, NotEqual, {c.far, {}}, {c.near, {}});
  return c;
}

/// Empty, like near_store false, if the run-time test is not worthwhile.
std::vector<ValueId> X64Lowering::near_load(ValueId mask, ValueId pointer) {
  ValueId index = near_index(pointer);
  Indexed at;
  // AVX2 gathers are at least as fast as two loads and a selection.
  if (!e.avx512 || !index || !indexed_address(pointer, at)) return {};
  bool is_local = w.type(pointer).elem == Elem::PtrLocal;
  std::vector<ValueId> steps = distances(index), first, picked, joined;
  ValueId far = outside_window(mask, index);
  for (ValueId part : at.index) {
    ValueId one = e.to_gpr(part, 32);
    // For an active lane an offset into local memory is non-negative.
    first.push_back(is_local ? one : e.gpr(Op::x64_movsx32, {one}));
  }
  // Local memory is followed by padding.
  if (!is_local) far = e.gpr(Op::x64_or_, {far, leaves_page(at, first)}, 4);
  NearChoice c = branch_on_near(far);
  e.block = c.near;
  for (size_t k = 0; k < count_; ++k) {
    auto load = [&](int64_t disp) {
      return m_.result(
          e.row(Op::x64_vload_window, {at.base, first[k]}, {kVec}, {bytes_, 0, at.scale, at.disp + disp}));
    };
    picked.push_back(e.vec(Op::x64_vpermi2d, {steps[k], load(0), load(bytes_)}, bytes_));
  }
  e.jump(c.joined, picked);
  e.block = c.far;
  e.jump(c.joined, gather_indexed(mask, at, Elem::I32));
  for (size_t k = 0; k < count_; ++k) joined.push_back(m_.add_param(c.joined, kVec));
  e.block = c.joined;
  return joined;
}

bool X64Lowering::near_store(ValueId mask, ValueId pointer, const std::vector<ValueId>& data) {
  ValueId index = near_index(pointer);
  Indexed at;
  if (!index || !indexed_address(pointer, at)) return false;
  NearChoice c = branch_on_near(any_lane(mask, NotEq, distances(index), e.iota(0, 1, 4, bytes_)));
  // Active lanes are at consecutive words from the first lane, whether that one is active or not.
  e.block = c.near;
  std::vector<ValueId> m = parts(mask);
  for (size_t k = 0; k < count_; ++k) {
    ValueId first = e.gpr(Op::x64_movsx32, {e.to_gpr(at.index[k], 32)});
    ValueId address =
        m_.result(e.row(Op::x64_lea_index, {at.base, first}, {kGpr}, {8, 0, at.scale, at.disp}));
    store_run(m[k], address, 0, Elem::I32, data[k], vec32());
  }
  e.jump(c.joined, {});
  e.block = c.far;
  scatter(mask, pointer, Elem::I32, data);
  e.jump(c.joined, {});
  e.block = c.joined;
  return true;
}

}  // namespace kc::x64
