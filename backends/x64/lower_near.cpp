// SPDX-License-Identifier: Apache-2.0
// Lanes that are likely near each other in memory, though without a stride that is known (neighbours.h). A
// test at run time decides: if the lanes of each vector are contiguous (a *run*), they are loaded or stored
// at once; if they lie within two vectors of memory (a *window*), these are loaded and the lanes selected by
// a permutation. Otherwise a gather or scatter is used.
//
//   data[id / w * pitch + id % w]   ->   one load for each vector, after a test
//   data[2 * id - (id & 7)]         ->   two loads and a vpermi2d for each vector, after a test
#include "backends/x64/elements.h"
#include "backends/x64/lower.h"

namespace kc::x64 {
namespace {

// Whether the address that an index is added to lies a uniform way from the start of a buffer.
bool is_on_a_way_from_buffer(const Function& w, const std::vector<Shape>& shapes, ValueId base) {
  for (InstId d = w.def(base); d && w.inst(d).op == Op::ptr_add; d = w.def(base)) {
    if (!shapes[base.index].uniform()) return false;
    base = w.inst(d).operands[0];
  }
  const Value& v = w.value(base);
  return v.kind == ValueKind::Param && v.owner == w.entry().index;
}

// The index of each vector's first lane. That of an idle one may lie before the block of local memory.
std::vector<ValueId> first_lanes(Emit& e, const Indexed& at) {
  std::vector<ValueId> first;
  for (ValueId part : at.index) first.push_back(e.gpr(Op::x64_movsx32, {e.to_gpr(part, 32)}));
  return first;
}

ValueId address_of(Emit& e, const Indexed& at, ValueId first) {
  return e.m.result(e.row(Op::x64_lea_index, {at.base, first}, {kGpr}, {8, 0, at.scale, at.disp}));
}

// Non-zero if a page ends within so many bytes from one of the addresses on.
ValueId crosses_page(Emit& e, const std::vector<ValueId>& addresses, int64_t bytes) {
  ValueId all;
  for (ValueId address : addresses) {
    const ValueId in_page = e.gpr(Op::x64_and_, {address, e.number(kPage - 1)}, 4);
    const ValueId last = e.gpr(Op::x64_add, {in_page, e.number(bytes - 1)}, 4);
    all = all ? e.gpr(Op::x64_or_, {all, last}, 4) : last;
  }
  return e.gpr(Op::x64_and_, {all, e.number(kPage)}, 4);
}

// Words by their distances from the first lanes, out of the two vectors from there on.
std::vector<ValueId> words_of_windows(Emit& e, const Indexed& at, const std::vector<ValueId>& first,
                                      const std::vector<ValueId>& distances, unsigned bytes) {
  std::vector<ValueId> r;
  for (size_t k = 0; k < first.size(); ++k) {
    auto load = [&](int64_t disp) {
      return e.m.result(
          e.row(Op::x64_vload_window, {at.base, first[k]}, {kVec}, {bytes, 0, at.scale, at.disp + disp}));
    };
    r.push_back(e.vec(Op::x64_vpermi2d, {distances[k], load(0), load(bytes)}, bytes));
  }
  return r;
}

}  // namespace

/// The 32-bit index by which lanes differ, in units of elements. Valid if active lanes differ by no more than
/// it can represent: local memory is small, and no lane is below the start of a buffer, or buffers are small.
/// Terms common to all lanes are left out, so that several accesses share the test.
ValueId X64Lowering::near_index(ValueId pointer, int64_t size) const {
  InstId def = w.def(pointer);
  if (!def || w.inst(def).op != Op::ptr_add) return {};
  const Inst& sum = w.inst(def);
  bool is_local = w.type(pointer).elem == Elem::PtrLocal;
  if (sum.attrs[0] != size || !shapes_[sum.operands[0].index].uniform()) return {};
  if (!is_local && !from_buffer(w, pointer) &&
      !(small_buffers_ && is_on_a_way_from_buffer(w, shapes_, sum.operands[0])))
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

/// Which test is worthwhile at the address, if any.
NearForm X64Lowering::near_form(ValueId pointer, Elem elem) const {
  const NeighbourGuess& g = guesses_[pointer.index];
  const auto size = int64_t{Type{elem}.bytes()};
  if (g.kind == NeighbourGuess::Far || !near_index(pointer, size)) return NearForm::None;
  // Two loads and a selection are no faster than a gather of AVX2.
  const bool has_windows = e.avx512 && size == 4;
  if (g.kind == NeighbourGuess::Near && (g.step ? *g.step == size : !has_windows)) return NearForm::Run;
  return has_windows && (!g.step || (*g.step >= 0 && *g.step <= 2 * size)) ? NearForm::Window
                                                                           : NearForm::None;
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

/// Non-zero if the comparison holds for a lane of the masks.
ValueId X64Lowering::any_lane(const std::vector<ValueId>& m, Predicate p, const std::vector<ValueId>& values,
                              ValueId limit) {
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
  const ValueId on = e.mask_bits(all_parts_and(mask), vec32()),
                off = e.gpr(Op::x64_and_, {e.gpr(Op::x64_not_, {on}, 4), e.number(1)}, 4);
  ValueId far = any_lane(parts(mask), NotLt, distances(index), e.constant(2 * lanes_per_part(), vec32()));
  return it->second = e.gpr(Op::x64_or_, {far, off}, 4);
}

/// Whether only vectors without idle lanes count as runs: indices that do not count from the start of a
/// buffer, as one of an idle first lane may wrap.
bool X64Lowering::runs_are_full(ValueId pointer) const {
  return w.type(pointer).elem != Elem::PtrLocal && !from_buffer(w, pointer);
}

/// Bytes and shorts on AVX2, which has no masks for them.
bool X64Lowering::lacks_masks(Elem elem) const { return !e.avx512 && Type{elem}.bytes() < 4; }

/// Zero if the active lanes of each vector are at consecutive elements from the first lane, whether that one
/// is active or not; and, with `all`, all are active.
ValueId X64Lowering::not_in_runs(ValueId mask, ValueId index, bool all) {
  auto [it, fresh] = not_in_runs_.try_emplace({mask, index, all, wave_block_});
  if (!fresh) return it->second;
  const ValueId far = any_lane(parts(mask), NotEq, distances(index), e.iota(0, 1, 4, bytes_));
  return it->second = all && !known_full(mask) ? or_idle(far, all_parts_and(mask)) : far;
}

/// Non-zero if `far` is, or a lane of the mask of one vector is idle.
ValueId X64Lowering::or_idle(ValueId far, ValueId lanes) {
  const ValueId on = e.mask_bits(lanes, vec32());
  return e.gpr(Op::x64_or_, {far, e.gpr(Op::x64_xor_, {on, e.number((1 << lanes_per_part()) - 1)}, 4)}, 4);
}

/// Where the run of each vector begins. Without masks, one without active lanes is read from somewhere else.
std::vector<ValueId> X64Lowering::starts_of_runs(ValueId mask, const Indexed& at, Elem elem) {
  std::vector<ValueId> r;
  const std::vector<ValueId> m = parts(mask), first = first_lanes(e, at);
  for (size_t k = 0; k < first.size(); ++k) {
    ValueId start = address_of(e, at, first[k]);
    if (lacks_masks(elem) && !known_full(mask) && (first.size() > 1 || !known_nonempty(mask)))
      start = e.gpr(Op::x64_safe_address, {e.mask_bits(m[k], vec32()), start});
    r.push_back(start);
  }
  return r;
}

NearChoice X64Lowering::branch_on_near(ValueId far) {
  BlockId here = e.block;
  NearChoice c{fresh_block("near"), fresh_block("far"), fresh_block("joined")};
  rare_.push_back(c.far);
  e.block = here;
  e.branch(Op::x64_jtest, {far, far}, 4, NotEqual, {c.far, {}}, {c.near, {}});
  return c;
}

/// Vectors that the test has found to be runs.
std::vector<ValueId> X64Lowering::load_runs(ValueId mask, const std::vector<ValueId>& starts, Elem elem) {
  const unsigned size = Type{elem}.bytes();
  const bool full = known_full(mask);
  const std::vector<ValueId> m = parts(mask);
  std::vector<ValueId> r;
  for (size_t k = 0; k < count_; ++k) {
    const ValueId address = starts[k];
    if (size < 8) {
      r.push_back(load_run(full ? ValueId() : m[k], address, 0, elem, vec32()));
      continue;
    }
    for (unsigned h = 0; h < 2; ++h)
      r.push_back(
          load_run(full ? ValueId() : e.mask_half(m[k], h, vec32()), address, h * bytes_, elem, vec64()));
  }
  return r;
}

/// Whether vectors can be gathered one by one: the common forms of words, bytes and shorts.
bool X64Lowering::gathers_parts(const Inst& load) const {
  const ValueId pointer = load.operands[1];
  const unsigned size = w.type(load.results[0]).bytes();
  return count_ > 1 && (size == 4 || (size < 4 && is_aligned(w, load) && gathers_words(pointer)));
}

/// Each vector by itself: at once if it is a run, else gathered. At borders the lanes of one vector are
/// apart, those of the others of its wave are not.
std::vector<ValueId> X64Lowering::runs_and_gathers(const Inst& load, const Indexed& at) {
  const ValueId mask = load.operands[0], pointer = load.operands[1];
  const Elem elem = w.type(load.results[0]).elem;
  const bool all = (runs_are_full(pointer) || lacks_masks(elem)) && !known_full(mask);
  const bool is_local = w.type(pointer).elem == Elem::PtrLocal;
  const std::vector<ValueId> m = parts(mask);
  const std::vector<ValueId> steps = distances(near_index(pointer, Type{elem}.bytes()));
  std::vector<ValueId> r;
  for (size_t k = 0; k < count_; ++k) {
    Indexed one{.base = at.base, .index = {at.index[k]}, .scale = at.scale, .disp = at.disp};
    const ValueId far = any_lane({m[k]}, NotEq, {steps[k]}, e.iota(0, 1, 4, bytes_));
    const NearChoice c = branch_on_near(all ? or_idle(far, m[k]) : far);
    rare_.insert(rare_.end(), {c.near, c.joined});
    const ValueId either = m_.add_param(c.joined, kVec);
    e.block = c.near;
    const ValueId address = address_of(e, one, first_lanes(e, one).front());
    e.jump(c.joined, {load_run(m[k], address, 0, elem, vec32())});
    e.block = c.far;
    e.jump(c.joined, Type{elem}.bytes() == 4 ? gather_indexed({m[k]}, one, elem)
                                             : gather_parts_of_words({m[k]}, one, is_local, elem));
    e.block = c.joined;
    r.push_back(either);
  }
  return r;
}

/// What a load gives whose form is not None; `far` does it anyhow.
std::vector<ValueId> X64Lowering::near_load(const Inst& load, const Access& far) {
  const ValueId mask = load.operands[0], pointer = load.operands[1];
  const Elem elem = w.type(load.results[0]).elem;
  const bool runs = near_form(pointer, elem) == NearForm::Run;
  const ValueId index = near_index(pointer, Type{elem}.bytes());
  Indexed at;
  if (!indexed_address(pointer, at)) return far();
  ValueId test;
  std::vector<ValueId> first, starts, apart;
  if (runs) {
    const bool full = runs_are_full(pointer);
    test = not_in_runs(mask, index, full);
    // What idle lanes have in the page of an active one can be read.
    if (lacks_masks(elem) && !full && !known_full(mask)) {
      const int64_t bytes = int64_t{lanes_per_part()} * Type{elem}.bytes();
      starts = starts_of_runs(mask, at, elem);
      test = e.gpr(Op::x64_or_, {test, crosses_page(e, starts, bytes)}, 4);
    }
  } else {
    test = outside_window(mask, index), first = first_lanes(e, at), apart = distances(index);
    // Local memory is followed by padding. Each first lane is active, so its page is mapped.
    if (w.type(pointer).elem != Elem::PtrLocal) {
      for (ValueId lane : first) starts.push_back(address_of(e, at, lane));
      test = e.gpr(Op::x64_or_, {test, crosses_page(e, starts, 2 * bytes_)}, 4);
    }
  }
  NearChoice c = branch_on_near(test);
  e.block = c.near;
  if (runs && starts.empty()) starts = starts_of_runs(mask, at, elem);
  e.jump(c.joined, runs ? load_runs(mask, starts, elem) : words_of_windows(e, at, first, apart, bytes_));
  e.block = c.far;
  const std::vector<ValueId> lanes = runs && gathers_parts(load) ? runs_and_gathers(load, at) : far();
  std::vector<ValueId> joined;
  for (size_t k = 0; k < lanes.size(); ++k) joined.push_back(m_.add_param(c.joined, kVec));
  e.jump(c.joined, lanes);
  e.block = c.joined;
  return joined;
}

/// False if a test is not worthwhile.
bool X64Lowering::near_store(ValueId mask, ValueId pointer, Elem elem, const std::vector<ValueId>& data) {
  const unsigned size = Type{elem}.bytes();
  const NeighbourGuess& g = guesses_[pointer.index];
  const ValueId index = near_index(pointer, size);
  Indexed at;
  if (g.kind != NeighbourGuess::Near || (g.step && *g.step != size) || !index ||
      !indexed_address(pointer, at))
    return false;
  NearChoice c = branch_on_near(not_in_runs(mask, index, runs_are_full(pointer) || lacks_masks(elem)));
  e.block = c.near;
  const bool full = known_full(mask);
  const std::vector<ValueId> m = parts(mask), first = first_lanes(e, at);
  for (size_t k = 0; k < count_; ++k) {
    const ValueId address = address_of(e, at, first[k]);
    if (size == 8) {
      for (unsigned h = 0; h < 2; ++h)
        store_run(full ? ValueId() : e.mask_half(m[k], h, vec32()), address, h * bytes_, elem,
                  data[2 * k + h], vec64());
    } else if (size < 4 && !e.avx512) {
      store_small(address, 0, elem, {data[k]});
    } else {
      store_run(full ? ValueId() : m[k], address, 0, elem, data[k], vec32());
    }
  }
  e.jump(c.joined, {});
  e.block = c.far;
  scatter(mask, pointer, elem, data);
  e.jump(c.joined, {});
  e.block = c.joined;
  return true;
}

}  // namespace kc::x64
