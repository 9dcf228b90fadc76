// SPDX-License-Identifier: Apache-2.0
// Built-in functions on whole vectors, reinterpretation, and access to vectors in memory.
#include <limits>

#include "frontend/lower/lower.h"
#include "frontend/lower/real_constant.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

namespace {

// The range in which squares neither overflow nor vanish, and the scale factors into it. All are powers of
// two.
struct SafeRange {
  double low, high, up, down;
};
constexpr SafeRange SafeFloats{0x1p-40, 0x1p60, 0x1p100, 0x1p-70};
constexpr SafeRange SafeDoubles{0x1p-450, 0x1p500, 0x1p600, 0x1p-600};

// Functions of whole vectors.
struct Vectors {
  Builder& b;

  ValueId constant(kc::Type type, double x) { return real_constant(b.f, type, x); }

  // The first product, with the others accumulated by fma.
  ValueId dot(const Value& x, const Value& y) {
    kc::Type type = b.f.type(x.part(0));
    ValueId sum = b.make(Op::fmul, type, {x.part(0), y.part(0)});
    for (unsigned i = 1; i < x.count(); ++i) sum = b.make(Op::ffma, type, {x.part(i), y.part(i), sum});
    return sum;
  }

  // How large the largest component of a vector is, which decides by what the vector is scaled.
  struct Magnitude {
    ValueId small, large;
  };
  Magnitude magnitude(const Value& v) {
    kc::Type type = b.f.type(v.part(0));
    ValueId largest = b.make(Op::fabs, type, {v.part(0)});
    for (unsigned i = 1; i < v.count(); ++i)
      largest = b.make(Op::fmax, type, {largest, b.make(Op::fabs, type, {v.part(i)})});
    return {b.make(Op::flt, kI1, {largest, constant(type, range(type).low)}),
            b.make(Op::flt, kI1, {constant(type, range(type).high), largest})};
  }
  static SafeRange range(kc::Type type) { return type == kF64 ? SafeDoubles : SafeFloats; }
  ValueId pick(kc::Type type, const Magnitude& m, double if_small, double if_large) {
    ValueId rest = b.make(Op::select, type, {m.large, constant(type, if_large), constant(type, 1)});
    return b.make(Op::select, type, {m.small, constant(type, if_small), rest});
  }
  Value times(const Value& v, ValueId factor) {
    Value result;
    for (unsigned i = 0; i < v.count(); ++i)
      result.add(b.make(Op::fmul, b.f.type(factor), {v.part(i), factor}));
    return result;
  }
  // The length of the vector times `up` or `down`, whose square is in range.
  ValueId scaled_length(const Value& v, const Magnitude& m) {
    kc::Type type = b.f.type(v.part(0));
    Value s = times(v, pick(type, m, range(type).up, range(type).down));
    return b.make(Op::fsqrt, type, {dot(s, s)});
  }

  ValueId length(const Value& v, bool fast) {
    kc::Type type = b.f.type(v.part(0));
    if (v.count() == 1) return b.make(Op::fabs, type, {v.part(0)});
    if (fast) return b.make(Op::fsqrt, type, {dot(v, v)});
    Magnitude m = magnitude(v);
    ValueId back = pick(type, m, 1 / range(type).up, 1 / range(type).down);
    return b.make(Op::fmul, type, {scaled_length(v, m), back});
  }

  // Infinite components count as 1 and all others beside them as 0; a zero vector is returned unchanged.
  Value normalized(const Value& v, bool fast) {
    kc::Type type = b.f.type(v.part(0));
    if (fast) return divided(v, b.make(Op::fsqrt, type, {dot(v, v)}));
    ValueId infinity = constant(type, std::numeric_limits<double>::infinity()), any;
    Value units;
    for (unsigned i = 0; i < v.count(); ++i) {
      ValueId infinite = b.make(Op::feq, kI1, {b.make(Op::fabs, type, {v.part(i)}), infinity});
      any = i == 0 ? infinite : b.make(Op::or_, kI1, {any, infinite});
      ValueId sign = b.make(
          Op::select, type,
          {b.make(Op::flt, kI1, {v.part(i), constant(type, 0)}), constant(type, -1), constant(type, 1)});
      units.add(
          b.make(Op::select, type, {infinite, sign, b.make(Op::fmul, type, {v.part(i), constant(type, 0)})}));
    }
    // Components and length are divided at a scale where the length is in range and no component that matters
    // loses bits: a small one beside a large one may be subnormal at the scale of the squares.
    constexpr double quarter = 0.25;
    Magnitude m = magnitude(v);
    Value finite = times(v, pick(type, m, range(type).up, quarter));
    ValueId size =
        b.make(Op::fmul, type, {scaled_length(v, m), pick(type, m, 1, quarter / range(type).down)});
    Value direction;
    for (unsigned i = 0; i < v.count(); ++i)
      direction.add(b.make(Op::select, type, {any, units.part(i), finite.part(i)}));
    ValueId of_units = b.make(Op::fsqrt, type, {dot(units, units)});
    return divided(direction, b.make(Op::select, type, {any, of_units, size}));
  }
  Value divided(const Value& v, ValueId size) {
    kc::Type type = b.f.type(size);
    ValueId zero = b.make(Op::feq, kI1, {size, constant(type, 0)});
    ValueId divisor = b.make(Op::select, type, {zero, constant(type, 1), size});
    Value result;
    for (unsigned i = 0; i < v.count(); ++i) result.add(b.make(Op::fdiv, type, {v.part(i), divisor}));
    return result;
  }

  Value cross(const Value& x, const Value& y) {
    kc::Type type = b.f.type(x.part(0));
    Value result;
    for (unsigned i = 0; i < 3; ++i) {
      unsigned j = (i + 1) % 3, k = (i + 2) % 3;
      ValueId left = b.make(Op::fmul, type, {x.part(j), y.part(k)});
      result.add(b.make(Op::fsub, type, {left, b.make(Op::fmul, type, {x.part(k), y.part(j)})}));
    }
    if (x.count() == 4) result.add(b.f.constant(type, 0));
    return result;
  }

  Value shuffled(std::span<const ValueId> from, const Value& indices) {
    kc::Type type = b.f.type(from[0]), index_type = b.f.type(indices.part(0));
    Value result;
    for (unsigned i = 0; i < indices.count(); ++i) {
      ValueId index = indices.part(i), chosen = from[0];
      if (b.f.is_const(index)) {
        result.add(from[b.f.value(index).bits & (from.size() - 1)]);
        continue;
      }
      index = b.make(Op::and_, index_type, {index, b.f.constant(index_type, from.size() - 1)});
      for (unsigned k = 1; k < from.size(); ++k) {
        ValueId here = b.make(Op::eq, kI1, {index, b.f.constant(index_type, k)});
        chosen = b.make(Op::select, type, {here, from[k], chosen});
      }
      result.add(chosen);
    }
    return result;
  }

  // any and all test the highest bits.
  ValueId quantified(const Value& v, bool all) {
    kc::Type type = b.f.type(v.part(0));
    ValueId bits = v.part(0);
    for (unsigned i = 1; i < v.count(); ++i) bits = b.make(all ? Op::and_ : Op::or_, type, {bits, v.part(i)});
    return b.make(Op::zext, kI32, {b.make(Op::slt, kI1, {bits, b.f.constant(type, 0)})});
  }
};

}  // namespace

Value KernelLowering::lower_of_vectors(const CallExpr* e) {
  if (e->builtin->shape < BuiltinShape::Geometric) return lower_ballot(e);
  std::vector<Value> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (failed_) return {};
  at(e->range);
  auto difference = [&] {
    Value d;
    kc::Type type = f_->type(v[0].part(0));
    for (unsigned i = 0; i < v[0].count(); ++i) d.add(b_.make(Op::fsub, type, {v[0].part(i), v[1].part(i)}));
    return d;
  };
  Vectors with{b_};
  switch (e->builtin->id) {
    case Builtin::dot:
      return with.dot(v[0], v[1]);
    case Builtin::cross:
      return with.cross(v[0], v[1]);
    case Builtin::length:
    case Builtin::fast_length:
      return with.length(v[0], fast_math() || e->builtin->id == Builtin::fast_length);
    case Builtin::distance:
    case Builtin::fast_distance:
      return with.length(difference(), fast_math() || e->builtin->id == Builtin::fast_distance);
    case Builtin::normalize:
    case Builtin::fast_normalize:
      return with.normalized(v[0], fast_math() || e->builtin->id == Builtin::fast_normalize);
    case Builtin::any:
    case Builtin::all:
      return with.quantified(v[0], e->builtin->id == Builtin::all);
    default: {
      std::vector<ValueId> from;
      for (size_t i = 0; i + 1 < v.size(); ++i)
        for (unsigned k = 0; k < v[i].count(); ++k) from.push_back(v[i].part(k));
      return with.shuffled(from, v.back());
    }
  }
}

// Reinterprets the bits of a value as another type; a missing fourth component is 0.
Value KernelLowering::reinterpret(const Value& v, const Type* from, const Type* to) {
  unsigned source = static_cast<unsigned>(from->component()->size());
  unsigned target = static_cast<unsigned>(to->component()->size());
  kc::Type source_word = integer_type(source), word = integer_type(target),
           result_type = ir_type(to->component());
  auto bits_of = [&](unsigned i) {
    if (i >= v.count()) return f_->constant(source_word, 0);
    return f_->type(v.part(i)).is_float() ? b_.make(Op::bitcast, source_word, {v.part(i)}) : v.part(i);
  };
  Value result;
  for (unsigned i = 0; i < to->components(); ++i) {
    ValueId bits;
    if (source >= target) {
      unsigned per = source / target;
      bits = bits_of(i / per);
      if (per > 1) {
        bits = b_.make(Op::lshr, source_word,
                       {bits, f_->constant(source_word, uint64_t{8} * target * (i % per))});
        bits = b_.make(Op::trunc, word, {bits});
      }
    } else {
      unsigned per = target / source;
      for (unsigned k = 0; k < per; ++k) {
        ValueId part = b_.make(Op::zext, word, {bits_of(i * per + k)});
        if (k > 0) part = b_.make(Op::shl, word, {part, f_->constant(word, uint64_t{8} * source * k)});
        bits = k == 0 ? part : b_.make(Op::or_, word, {bits, part});
      }
    }
    result.add(result_type == word ? bits : b_.make(Op::bitcast, result_type, {bits}));
  }
  return result;
}

Value KernelLowering::lower_access(const CallExpr* e) {
  const VectorAccess& access = *e->access;
  std::vector<Value> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (failed_) return {};
  at(e->range);
  const Type* pointer = e->arguments.back()->type;
  int64_t size = static_cast<int64_t>(pointer->element->size());
  int64_t step = access.length == 3 && access.padded ? 4 : access.length;
  ValueId address = b_.make(Op::ptr_add, ir_type(pointer), {v.back(), v[v.size() - 2]}, {step * size});
  kc::Type stored = ir_type(pointer->element);
  const bool is_volatile = is_observed(pointer->pointee_qualifiers, pointer->space);
  Value result;
  for (unsigned i = 0; i < access.length; ++i) {
    ValueId here = offset_by(address, i * static_cast<uint64_t>(size));
    if (access.store) {
      ValueId value = v[0].part(i);
      b_.emit(store_op(is_volatile), {here, access.half ? to_half(value, access.rounding) : value});
    } else {
      ValueId value = b_.make(load_op(is_volatile), stored, {here});
      result.add(access.half ? from_half(value) : value);
    }
  }
  return result;
}

}  // namespace kc::front
