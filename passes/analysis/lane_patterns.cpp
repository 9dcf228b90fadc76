// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_patterns.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "ir/cfg.h"
#include "passes/analysis/integer_range_analysis.h"

namespace kc {
namespace {

using Pattern = std::optional<LanePattern>;

// More known bits are useless.
constexpr unsigned kMostKnown = 32;
// Larger groups are not tracked.
constexpr uint64_t kMostItems = 4096;
// Larger differences are not tracked.
constexpr int64_t kFar = 1 << 20;

class LanePatternAnalysis {
 public:
  LanePatternAnalysis(const Function& wave, const std::vector<Shape>& shapes, const LaneLayout& layout,
                      bool small_buffers, AnalysisCache& analyses)
      : f(wave),
        shapes_(shapes),
        layout_(layout),
        small_buffers_(small_buffers),
        cfg_(analyses.cfg()),
        known_(analyses.ranges()),
        patterns_(wave.value_count()) {}

  std::vector<Pattern> run() {
    for (BlockId b : cfg_.rpo) {
      for (ValueId p : f.block(b).params) patterns_[p.index] = by_shape(p);
      for (InstId i : f.block(b).insts)
        for (ValueId r : f.inst(i).results) {
          if (!counts(r)) continue;
          Pattern p = f.type(r).lane ? computed(f.inst(i), f.type(r)) : Pattern();
          patterns_[r.index] = p ? std::move(p) : by_shape(r);
        }
    }
    return std::move(patterns_);
  }

 private:
  bool counts(ValueId v) const {
    const Type type = f.type(v);
    return type.is_pointer() ? type.elem != Elem::PtrPrivate : type.is_int() && type.bits() >= 32;
  }

  // The pattern of strided and of uniform values.
  Pattern by_shape(ValueId v) const {
    const Shape& shape = shapes_[v.index];
    if (!counts(v) || (f.type(v).lane && shape.kind != Shape::Strided)) return {};
    LanePattern p{.steps = std::vector<int64_t>(f.width)};
    if (f.is_const(v)) {
      p.known = kMostKnown, p.low = f.value(v).bits & low_ones(kMostKnown);
    } else if (f.type(v).is_int() && !f.is_undef(v) && shape.stride == 0) {
      const KnownBits& known = known_.of(v);
      p.known =
          std::min<unsigned>(kMostKnown, static_cast<unsigned>(std::countr_one(known.zeros | known.ones)));
      p.low = known.ones & low_ones(p.known);
    }
    for (uint32_t k = 0; k < f.width; ++k) p.steps[k] = shape.stride * k;
    return p;
  }
  Pattern of(ValueId v) const { return f.is_inline(v) ? by_shape(v) : patterns_[v.index]; }

  Pattern computed(const Inst& inst, Type type) const {
    if (inst.op == Op::local_id) return local_id(inst);
    if (inst.op == Op::lane_id) return lane_id();
    std::vector<LanePattern> from;
    for (ValueId v : inst.operands) {
      Pattern p = counts(v) ? of(v) : Pattern();
      if (!p) return {};
      from.push_back(std::move(*p));
    }
    Pattern p = transfer(inst, type, from);
    if (p && std::ranges::any_of(p->steps, [](int64_t s) { return std::abs(s) >= kFar; })) return {};
    return p;
  }

  Pattern lane_id() const {
    LanePattern p{.known = kMostKnown};
    for (uint32_t k = 0; k < f.width; ++k) p.steps.push_back(k);
    return p;
  }

  Pattern local_id(const Inst& inst) const {
    const auto dim = static_cast<size_t>(inst.attrs[0]);
    if (layout_.packed && f.reqd_local[0] != 0) return local_id_of_group(dim);
    const size_t along = layout_.packed ? layout_.along : 0;
    if (!layout_.aligned || dim != along || layout_.row < f.width || !std::has_single_bit(f.width)) return {};
    LanePattern p{.known = static_cast<unsigned>(std::countr_zero(f.width))};
    for (uint32_t k = 0; k < f.width; ++k) p.steps.push_back(k);
    return p;
  }

  // Packed waves follow the linear local ids from a multiple of the width on.
  Pattern local_id_of_group(size_t dim) const {
    const auto& size = f.reqd_local;
    uint64_t items = 1, below = 1;  // `below`: between neighbours along this dimension
    for (size_t d = 0; d < 3; ++d) {
      if (d == dim) below = items;
      items *= size[d];
      if (items > kMostItems) return {};
    }
    auto id = [&](uint64_t item) { return dim == 2 ? item / below : item / below % size[dim]; };
    LanePattern p{.known = kMostKnown};
    for (uint64_t first = 0; first < items; first += f.width) {
      std::vector<int64_t> steps;
      for (uint32_t k = 0; k < f.width; ++k)
        steps.push_back(static_cast<int64_t>(id(first + k)) - static_cast<int64_t>(id(first)));
      if (first == 0) p.steps = steps, p.low = id(0);
      if (steps != p.steps) return {};
      p.known = std::min(p.known, static_cast<unsigned>(std::countr_zero(id(first) ^ p.low)));
    }
    p.low &= low_ones(p.known);
    return p;
  }

  Pattern transfer(const Inst& inst, Type type, std::vector<LanePattern>& from) const {
    switch (inst.op) {
      case Op::splat:
        return from[0];
      case Op::add:
        return sum(from[0], from[1], 1);
      case Op::sub:
        return sum(from[0], from[1], -1);
      case Op::mul:
        for (size_t k : {1, 0})
          if (f.is_const(inst.operands[k]))
            return times(from[1 - k], as_signed(type.bits(), f.value(inst.operands[k]).bits));
        return {};
      case Op::shl:
        if (auto n = shift(inst, type)) return times(from[0], int64_t{1} << *n);
        return {};
      case Op::lshr:
        if (auto n = shift(inst, type)) return shifted_down(from[0], *n);
        return {};
      case Op::and_:
      case Op::or_:
      case Op::xor_:
        return bits(inst.op, from[0], from[1]);
      case Op::trunc:
        return from[0];
      case Op::sext:
      case Op::zext:
        return does_not_wrap(inst.operands[0], inst.op == Op::sext) ? Pattern(from[0]) : Pattern();
      case Op::ptr_add:
        return address(inst, from[0], from[1]);
      default:
        return {};
    }
  }

  std::optional<unsigned> shift(const Inst& inst, Type type) const {
    if (!f.is_const(inst.operands[1])) return {};
    uint64_t n = f.value(inst.operands[1]).bits;
    return n < std::min(20u, type.bits()) ? std::optional(static_cast<unsigned>(n)) : std::nullopt;
  }

  static Pattern sum(const LanePattern& a, const LanePattern& b, int64_t sign) {
    LanePattern p{.known = std::min(a.known, b.known)};
    p.low = (a.low + static_cast<uint64_t>(sign) * b.low) & low_ones(p.known);
    for (size_t k = 0; k < a.steps.size(); ++k) p.steps.push_back(a.steps[k] + sign * b.steps[k]);
    return p;
  }

  static Pattern times(const LanePattern& a, int64_t factor) {
    if (factor <= -kFar || factor >= kFar || factor == 0) return {};
    LanePattern p{.known = std::min(kMostKnown, a.known + static_cast<unsigned>(std::countr_zero(
                                                              static_cast<uint64_t>(factor))))};
    p.low = (a.low * static_cast<uint64_t>(factor)) & low_ones(p.known);
    for (int64_t s : a.steps) p.steps.push_back(s * factor);
    return p;
  }

  // The low bits of each lane, if all lanes agree on the higher bits.
  static std::optional<std::vector<uint64_t>> low_bits(const LanePattern& a, unsigned known) {
    const auto low = static_cast<int64_t>(a.low & low_ones(known));
    std::vector<uint64_t> r;
    for (int64_t s : a.steps) {
      if (low + s < 0 || low + s > static_cast<int64_t>(low_ones(known))) return {};
      r.push_back(static_cast<uint64_t>(low + s));
    }
    return r;
  }

  static Pattern from_low(const std::vector<uint64_t>& low, unsigned known) {
    LanePattern p{.known = known, .low = low[0]};
    for (uint64_t x : low) p.steps.push_back(static_cast<int64_t>(x - low[0]));
    return p;
  }

  static Pattern bits(Op op, const LanePattern& a, const LanePattern& b) {
    const unsigned known = std::min(a.known, b.known);
    auto x = low_bits(a, known), y = low_bits(b, known);
    if (!x || !y) return {};
    for (size_t k = 0; k < x->size(); ++k) {
      uint64_t &to = (*x)[k], with = (*y)[k];
      to = op == Op::and_ ? to & with : op == Op::or_ ? to | with : to ^ with;
    }
    // A mask with constant zero high bits clears them.
    const bool none_above = op == Op::and_ && std::max(a.known, b.known) == kMostKnown &&
                            (a.known == kMostKnown ? a : b).low >> known == 0;
    return from_low(*x, none_above ? kMostKnown : known);
  }

  static Pattern shifted_down(const LanePattern& a, unsigned n) {
    if (a.known < n) return {};
    auto x = low_bits(a, a.known);
    if (!x) return {};
    for (uint64_t& bits : *x) bits >>= n;
    return from_low(*x, a.known - n);
  }

  // Whether the lanes' differences hold for numbers as for bits: all lie within half of the number range.
  bool does_not_wrap(ValueId v, bool is_signed) const {
    const KnownBits& x = known_.of(v);
    if (x.nothing || x.width > 32) return false;
    const uint64_t spread = is_signed ? static_cast<uint64_t>(x.smax - x.smin) : x.umax - x.umin;
    return spread < uint64_t{1} << 31;
  }

  // pointer + sext(index) * scale + offset
  Pattern address(const Inst& inst, const LanePattern& base, const LanePattern& index) const {
    const ValueId number = inst.operands[1];
    const bool same_width = f.type(number).bits() >= f.type(inst.results[0]).bits();
    if (!same_width && !does_not_wrap(number, true) && !near_buffer(inst, index)) return {};
    Pattern scaled = times(index, inst.attrs[0]);
    if (!scaled) return {};
    Pattern p = sum(base, *scaled, 1);
    p->known = 0, p->low = 0;
    return p;
  }

  // Indices of active lanes are not before the start of their buffer, so 32-bit indices do not wrap on the
  // way down to lane 0, nor on the way up: buffers end far below 2^31 elements.
  bool near_buffer(const Inst& inst, const LanePattern& index) const {
    const Value& base = f.value(inst.operands[0]);
    const bool below = small_buffers_ && inst.attrs[0] > 1;
    return f.type(inst.operands[1]).bits() == 32 && base.kind == ValueKind::Param &&
           base.owner == f.entry().index && std::abs(inst.attrs[1]) < kFar &&
           std::ranges::all_of(index.steps, [&](int64_t s) { return s >= 0 || below; });
  }

  const Function& f;
  const std::vector<Shape>& shapes_;
  const LaneLayout& layout_;
  const bool small_buffers_;
  const Cfg& cfg_;
  const IntegerRanges& known_;
  std::vector<Pattern> patterns_;
};

}  // namespace

std::vector<std::optional<LanePattern>> analyse_patterns(const Function& wave,
                                                         const std::vector<Shape>& shapes,
                                                         const LaneLayout& layout, bool small_buffers,
                                                         AnalysisCache& analyses) {
  return LanePatternAnalysis(wave, shapes, layout, small_buffers, analyses).run();
}

}  // namespace kc
