// SPDX-License-Identifier: Apache-2.0
#include "passes/shape.h"

#include "ir/cfg.h"

namespace kc {
namespace {

constexpr uint64_t kIdLimit = (uint64_t{1} << 31) - 1;

uint64_t mask_of(unsigned bits) { return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }
uint64_t add_limits(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }
uint64_t mul_limits(uint64_t a, uint64_t b) {
  uint64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

class Analysis {
 public:
  explicit Analysis(const Function& wave) : f(wave), shapes_(f.value_count()), cfg_(f) {}

  std::vector<Shape> run() {
    for (uint32_t i = 0; i < f.value_count(); ++i) {
      ValueId v(i);
      if (f.is_const(v))
        shapes_[i] = {Shape::Strided, 0, f.value(v).bits};
      else if (!f.is_undef(v) && !f.type(v).lane)
        shapes_[i] = {Shape::Strided, 0, mask_of(f.type(v).bits() ? f.type(v).bits() : 64)};
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
  /// A parameter that only receives undefined values is uniform, as those are; what is made of it follows.
  bool choose_undefined() {
    bool any = false;
    for (BlockId b : cfg_.rpo)
      for (ValueId p : f.block(b).params)
        if (f.type(p).lane && shapes_[p.index].kind == Shape::Unknown)
          any |= update(p, {Shape::Strided, 0, mask_of(f.type(p).bits())});
    return any;
  }

  bool update(ValueId v, Shape next) {
    Shape& old = shapes_[v.index];
    // Nothing is known of the numbers that come around a loop; that also keeps the iteration finite.
    if (next.kind == Shape::Strided && f.value(v).kind == ValueKind::Param)
      next.limit = next.stride ? UINT64_MAX : mask_of(f.type(v).bits());
    if (old.kind == Shape::Arbitrary) return false;
    if (old.kind == Shape::Strided && next.kind == Shape::Strided && old.stride != next.stride)
      next = {Shape::Arbitrary, 0, UINT64_MAX};
    if (next.kind == Shape::Unknown || next == old) return false;
    old = next;
    return true;
  }

  bool block(BlockId b) {
    bool changed = false;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      for (ValueId r : inst.results) {
        if (f.type(r).lane)
          changed |= update(r, transfer(b, inst, f.type(r)));
        else if (is_id(inst.op))
          shapes_[r.index].limit = kIdLimit;
      }
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
  static Shape arbitrary() { return {Shape::Arbitrary, 0, UINT64_MAX}; }

  Shape transfer(BlockId, const Inst& inst, Type type) {
    if (is_id(inst.op))
      return {Shape::Strided, inst.op != Op::lane_id && inst.attrs[0] != 0 ? 0 : 1, kIdLimit};
    bool all_uniform = true, unknown = false;
    for (ValueId v : inst.operands) {
      if (f.type(v).is_mask()) continue;
      if (shape(v).kind == Shape::Unknown && !f.is_undef(v)) unknown = true;
      if (!shape(v).uniform()) all_uniform = false;
    }
    if (unknown) return {};
    const Shape undef{Shape::Strided, 0, 0};
    auto at = [&](size_t i) -> const Shape& {
      const Shape& s = shape(inst.operands[i]);
      return s.kind == Shape::Unknown ? undef : s;
    };
    if (inst.op == Op::merge) return inst.operands[1] == inst.operands[2] ? at(1) : arbitrary();
    // Equal offsets into private memory are different places.
    if (inst.op == Op::lane_load && f.type(inst.operands[1]).elem == Elem::PtrPrivate) return arbitrary();
    if (all_uniform && (info(inst.op).has(Elementwise) || inst.op == Op::splat || inst.op == Op::lane_load))
      return uniform_result(inst, type, at);
    return strided(inst, type, at);
  }

  template <typename At>
  Shape uniform_result(const Inst& inst, Type type, At& at) {
    Shape s{Shape::Strided, 0, mask_of(type.bits() ? type.bits() : 64)};
    switch (inst.op) {
      case Op::splat:
      case Op::zext:
        s.limit = at(0).limit;
        break;
      case Op::add:
        s.limit = add_limits(at(0).limit, at(1).limit);
        break;
      case Op::mul:
        s.limit = mul_limits(at(0).limit, at(1).limit);
        break;
      default:
        break;
    }
    return s;
  }

  template <typename At>
  Shape strided(const Inst& inst, Type type, At& at) {
    for (ValueId v : inst.operands)
      if (shape(v).kind == Shape::Arbitrary) return arbitrary();
    auto steps = [](int64_t stride, uint64_t limit) { return Shape{Shape::Strided, stride, limit}; };
    // Steps are small, or not worth following.
    auto checked = [&](int64_t stride, uint64_t limit) {
      return stride > -(1 << 20) && stride < (1 << 20) ? steps(stride, limit) : arbitrary();
    };
    switch (inst.op) {
      case Op::add:
        return checked(at(0).stride + at(1).stride, add_limits(at(0).limit, at(1).limit));
      case Op::sub:
        return checked(at(0).stride - at(1).stride, UINT64_MAX);
      case Op::mul:
        for (size_t i = 0; i < 2; ++i)
          if (ValueId c = inst.operands[i]; f.is_const(c)) {
            unsigned shift = 64 - type.bits();
            int64_t factor = static_cast<int64_t>(f.value(c).bits << shift) >> shift;
            if (factor > -4096 && factor < 4096)
              return checked(at(1 - i).stride * factor,
                             factor < 0 ? UINT64_MAX : mul_limits(at(1 - i).limit, f.value(c).bits));
          }
        return arbitrary();
      case Op::shl:
        if (f.is_const(inst.operands[1]) && f.value(inst.operands[1]).bits < 12) {
          unsigned n = static_cast<unsigned>(f.value(inst.operands[1]).bits);
          return checked(at(0).stride << n, mul_limits(at(0).limit, uint64_t{1} << n));
        }
        return arbitrary();
      case Op::sext:
        // Below 32 bits wrapping is part of a conversion, not of an index that leaves its object.
        return f.type(inst.operands[0]).bits() < 32 ? arbitrary() : steps(at(0).stride, at(0).limit);
      case Op::zext:
        return at(0).limit <= mask_of(f.type(inst.operands[0]).bits()) ? at(0) : arbitrary();
      case Op::trunc:
        return type.bits() < 32 ? arbitrary() : steps(at(0).stride, at(0).limit);
      case Op::ptr_add:
        if (f.type(inst.operands[1]).bits() < 32) return arbitrary();
        return checked(at(0).stride + at(1).stride * inst.attrs[0], UINT64_MAX);
      case Op::select:
        if (at(0).uniform() && at(1).stride == at(2).stride) return steps(at(1).stride, UINT64_MAX);
        return arbitrary();
      default:
        return arbitrary();
    }
  }

  const Function& f;
  std::vector<Shape> shapes_;
  Cfg cfg_;
};

}  // namespace

std::vector<Shape> analyse_shapes(const Function& wave) { return Analysis(wave).run(); }

}  // namespace kc
