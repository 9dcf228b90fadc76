// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/shape.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "ir/cfg.h"
#include "passes/analysis/integer_range_analysis.h"

namespace kc {
namespace {

class ShapeAnalysis {
 public:
  ShapeAnalysis(const Function& wave, const LaneLayout& layout, AnalysisCache& analyses)
      : f(wave), layout_(layout), shapes_(f.value_count()), cfg_(analyses.cfg()), known_(analyses.ranges()) {}

  std::vector<Shape> run() {
    for (uint32_t i = 0; i < f.value_count(); ++i) {
      ValueId v(i);
      if (f.is_const(v) || (!f.is_undef(v) && !f.type(v).lane)) shapes_[i] = {Shape::Strided, 0};
    }
    do {
      for (bool changed = true; changed;) {
        changed = false;
        for (BlockId b : cfg_.rpo) changed |= block(b);
      }
    } while (choose_undefined());
    return std::move(shapes_);
  }

 private:
  /// A parameter with only undef arguments is uniform, as undef is; its users follow.
  bool choose_undefined() {
    bool any = false;
    for (BlockId b : cfg_.rpo)
      for (ValueId p : f.block(b).params)
        if (f.type(p).lane && shapes_[p.index].kind == Shape::Unknown) any |= update(p, {Shape::Strided, 0});
    return any;
  }

  bool update(ValueId v, Shape next) {
    Shape& old = shapes_[v.index];
    if (old.kind == Shape::Arbitrary || next.kind == Shape::Unknown) return false;
    if (old.kind != Shape::Unknown && next.kind != Shape::Arbitrary) {
      if (old.stride != next.stride)
        next = arbitrary();
      else
        next.kind = std::max(old.kind, next.kind);
    }
    if (next == old) return false;
    old = next;
    return true;
  }

  bool block(BlockId b) {
    bool changed = false;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      for (ValueId r : inst.results)
        if (f.type(r).lane) changed |= update(r, transfer(i, f.type(r)));
      for (const Target& t : inst.targets)
        for (size_t k = 0; k < t.args.size(); ++k) {
          ValueId p = f.block(t.block).params[k];
          if (f.type(p).lane) changed |= update(p, shape(t.args[k]));
        }
    }
    return changed;
  }

  static bool is_id(Op op) {
    return op == Op::global_id || op == Op::local_id || op == Op::group_id || op == Op::lane_id;
  }
  const Shape& shape(ValueId v) const { return shapes_[v.index]; }
  static Shape arbitrary() { return {Shape::Arbitrary, 0}; }
  static Shape steps(int64_t stride) {
    // Larger strides are not tracked.
    return stride > -(1 << 20) && stride < (1 << 20) ? Shape{Shape::Strided, stride} : arbitrary();
  }

  Shape id(const Inst& inst) const {
    if (inst.op == Op::lane_id) return steps(1);
    const auto dim = static_cast<size_t>(inst.attrs[0]);
    if (!layout_.packed) return steps(dim == 0 ? 1 : 0);
    if (!layout_.varies[dim]) return steps(0);
    const bool along = dim == layout_.along;
    if (layout_.row >= f.width) return along ? steps(1) : steps(0);
    return layout_.row == 1 ? arbitrary() : Shape{Shape::Rows, along ? 1 : 0};
  }

  Shape transfer(InstId i, Type type) {
    const Inst& inst = f.inst(i);
    if (is_id(inst.op)) return id(inst);
    bool all_uniform = true, row_uniform = true, rows = false, unknown = false;
    for (ValueId v : inst.operands) {
      if (f.type(v).is_mask()) continue;
      if (shape(v).kind == Shape::Unknown && !f.is_undef(v)) unknown = true;
      if (shape(v).kind == Shape::Rows) rows = true;
      if (!shape(v).uniform()) all_uniform = false;
      if (shape(v).kind == Shape::Arbitrary || shape(v).stride != 0) row_uniform = false;
    }
    if (unknown) return {};
    auto at = [&](size_t k) {
      const Shape& s = shape(inst.operands[k]);
      return s.kind == Shape::Unknown ? steps(0) : s;
    };
    if (inst.op == Op::blend) return inst.operands[1] == inst.operands[2] ? at(1) : arbitrary();
    // Equal offsets into private memory are different addresses in each lane.
    if (inst.op == Op::lane_load && f.type(inst.operands[1]).elem == Elem::PtrPrivate) return arbitrary();
    if (all_uniform && (info(inst.op).has(Elementwise) || inst.op == Op::splat || inst.op == Op::lane_load))
      return steps(0);
    // A value loaded for a row's first lane is undefined if that lane is inactive.
    if (row_uniform && info(inst.op).has(Elementwise) && inst.op != Op::ptr_add) return {Shape::Rows, 0};
    auto in_rows = [&](Shape s) {
      if (rows && s.kind == Shape::Strided) s.kind = Shape::Rows;
      return s;
    };
    if (inst.op == Op::ptr_add) return in_rows(address(i));
    for (ValueId v : inst.operands)
      if (shape(v).kind == Shape::Arbitrary) return arbitrary();
    if (rows && !info(inst.op).has(Elementwise)) return arbitrary();
    return in_rows(strided(i, type, at));
  }

  // An id, or how far it is from the grid's offset, where both are known to be numbers below 2^31; or one of
  // these and a small number: as signed numbers, they do not wrap.
  bool is_position(ValueId v, bool is_signed) const {
    const InstId d = f.def(v);
    if (!d) return false;
    const Inst& inst = f.inst(d);
    if (inst.op == Op::add && is_signed && layout_.aligned && f.is_const(inst.operands[1])) {
      constexpr auto kNear = static_cast<int64_t>(LaneLayout::kNear / 2);
      const int64_t by = as_signed(f.type(v).bits(), f.value(inst.operands[1]).bits);
      return by >= -kNear && by <= kNear && f.def(inst.operands[0]) &&
             is_id(f.inst(f.def(inst.operands[0])).op);
    }
    auto is = [&](ValueId o, Op op) { return f.def(o) && f.inst(f.def(o)).op == op; };
    return is_id(inst.op) || (layout_.aligned && inst.op == Op::sub && is(inst.operands[0], Op::global_id) &&
                              is(inst.operands[1], Op::global_offset));
  }

  // Whether the value cannot overflow in any lane from 0 on, so that it is strided as a number, not only
  // modulo 2^n. The intervals hold for lane 0 even if it is inactive, since they do not depend on masks.
  bool holds(InstId i, size_t k, bool is_signed) const {
    const KnownBits& x = known_.operand(i, k);
    // No wave goes beyond the largest id.
    if (is_position(f.inst(i).operands[k], is_signed)) return true;
    uint64_t spread = static_cast<uint64_t>(std::abs(shape(f.inst(i).operands[k]).stride)) * (f.width - 1);
    if (x.nothing) return false;
    KnownBits all = KnownBits::anything(x.width);
    return is_signed ? static_cast<uint64_t>(all.smax) - static_cast<uint64_t>(x.smax) >= spread
                     : all.umax - x.umax >= spread;
  }

  template <typename At>
  Shape strided(InstId i, Type type, At& at) const {
    const Inst& inst = f.inst(i);
    auto constant = [&](size_t k) {
      ValueId c = inst.operands[k];
      return f.is_const(c) ? std::optional(as_signed(type.bits(), f.value(c).bits)) : std::nullopt;
    };
    switch (inst.op) {
      case Op::add:
        return steps(at(0).stride + at(1).stride);
      case Op::or_:
      case Op::xor_:
        return disjoint(i) ? steps(at(0).stride + at(1).stride) : arbitrary();
      case Op::sub:
        return steps(at(0).stride - at(1).stride);
      case Op::mul:
        for (size_t k = 0; k < 2; ++k)
          if (auto factor = constant(k); factor && *factor > -4096 && *factor < 4096)
            return steps(at(1 - k).stride * *factor);
        return arbitrary();
      case Op::shl:
        if (auto n = constant(1); n && *n >= 0 && *n < 12 && *n < type.bits())
          return steps(at(0).stride * (int64_t{1} << *n));
        return arbitrary();
      case Op::lshr:
        return shifted_down(i, constant(1).value_or(-1));
      case Op::sext:
        return holds(i, 0, true) ? at(0) : arbitrary();
      case Op::zext:
        return holds(i, 0, false) ? at(0) : arbitrary();
      case Op::trunc:
        return type.bits() < 32 ? arbitrary() : at(0);
      case Op::select:
        return at(0).stride == 0 && at(1).stride == at(2).stride ? at(1) : arbitrary();
      default:
        return arbitrary();
    }
  }

  // pointer + sext(index) * scale + offset
  Shape address(InstId i) const {
    const Inst& inst = f.inst(i);
    const Shape base = shape(inst.operands[0]), index = shape(inst.operands[1]);
    auto moved = [&](const Shape& by) {
      if (base.kind == Shape::Arbitrary || by.kind == Shape::Arbitrary) return arbitrary();
      return steps(base.stride + by.stride * inst.attrs[0]);
    };
    // Address arithmetic of the index's own width wraps like the index.
    const bool same_width = f.type(inst.operands[1]).bits() >= f.type(inst.results[0]).bits();
    InstId d = f.def(inst.operands[1]);
    if (same_width && index.kind == Shape::Arbitrary && d && f.inst(d).op == Op::sext) {
      const Shape& from = shape(f.inst(d).operands[0]);
      return f.type(f.inst(d).operands[0]) == Type{Elem::I32, true} && near_buffer(inst, from) ? moved(from)
                                                                                               : arbitrary();
    }
    const bool in_steps = index.kind == Shape::Strided || index.kind == Shape::Rows;
    if (same_width || !in_steps || holds(i, 1, true)) return moved(index);
    return near_buffer(inst, index) ? moved(index) : arbitrary();
  }

  // Whether an active lane's index lies between the start of its buffer and 2^31, so that it does not wrap on
  // the way down to lane 0, wherever lane 0's own index would be; or on the way up, where buffers end some
  // way before 2^31 (is_small_buffer).
  bool near_buffer(const Inst& inst, const Shape& index) const {
    const Value& base = f.value(inst.operands[0]);
    if (index.kind != Shape::Strided && index.kind != Shape::Rows) return false;
    if (base.kind != ValueKind::Param || base.owner != f.entry().index) return false;
    if (index.stride >= 0) return std::abs(inst.attrs[1]) < kNearBuffer;
    const bool small = f.target && f.target->setting("small_buffers") != 0;
    return small && -index.stride * (f.width - 1) < kRoomBehindBuffer && inst.attrs[1] >= 0 &&
           inst.attrs[1] < kNearBuffer;
  }

  // No bit can be set in both operands: `or` equals the sum.
  bool disjoint(InstId i) const {
    const KnownBits &a = known_.operand(i, 0), &b = known_.operand(i, 1);
    return !a.nothing && !b.nothing && (a.zeros | b.zeros | ~low_ones(a.width)) == ~uint64_t{0};
  }

  // A division without remainder, in all lanes.
  Shape shifted_down(InstId i, int64_t n) const {
    const KnownBits& x = known_.operand(i, 0);
    const int64_t stride = shape(f.inst(i).operands[0]).stride;
    if (n < 0 || n >= 12 || !holds(i, 0, false) || stride % (int64_t{1} << n) != 0) return arbitrary();
    const uint64_t cut = low_ones(static_cast<unsigned>(n));
    return (x.zeros & cut) == cut ? steps(stride / (int64_t{1} << n)) : arbitrary();
  }

  const Function& f;
  const LaneLayout& layout_;
  std::vector<Shape> shapes_;
  const Cfg& cfg_;
  const IntegerRanges& known_;
};

}  // namespace

std::vector<Shape> analyse_shapes(const Function& wave, const LaneLayout& layout, AnalysisCache& analyses) {
  return ShapeAnalysis(wave, layout, analyses).run();
}

LaneLayout packed_layout(const std::array<uint64_t, 3>& local) {
  LaneLayout r{.packed = true, .aligned = true, .varies = {local[0] > 1, local[1] > 1, local[2] > 1}};
  while (r.along < 2 && !r.varies[r.along]) ++r.along;
  const bool line = std::ranges::count(r.varies, true) <= 1;
  if (!line) r.row = std::min(r.row, uint32_t{1} << std::countr_zero(local[r.along]));
  return r;
}

LaneLayout layout_of_copies(uint32_t lanes) {
  LaneLayout r = packed_layout({1, 1, lanes});
  r.copies = true;
  return r;
}

}  // namespace kc
