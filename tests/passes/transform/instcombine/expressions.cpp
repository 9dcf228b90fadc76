// SPDX-License-Identifier: Apache-2.0
#include "tests/passes/transform/instcombine/expressions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fuzz/random.h"
#include "ir/parameters.h"

namespace kc::test {
namespace {

using fuzz::Random;

constexpr uint32_t kItems = 64;

uint64_t interesting(Random& random, Elem e) {
  const double floats[] = {0.0, -0.0, 1.0, -1.0, 2.0, 0.25, 1e-40, 3.0, INFINITY, NAN};
  if (e == Elem::F32) return std::bit_cast<uint32_t>(static_cast<float>(floats[random.below(10)]));
  if (e == Elem::F64) return std::bit_cast<uint64_t>(floats[random.below(10)]);
  unsigned width = Type{e}.bits();
  switch (random.below(6)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return ~uint64_t{0};
    case 3:
      return uint64_t{1} << (width - 1);
    case 4:
      return uint64_t{1} << random.below(width);
    default:
      return random.below(2 * width);
  }
}

class Generator {
 public:
  Generator(Function& function, uint64_t seed) : f(function), b(function), random_(seed) {}

  void run(uint32_t width) {
    f.name = "expressions";
    f.dialect = width ? Dialect::Wave : Dialect::Thread;
    f.width = width;
    b.block = f.add_block();
    ValueId in = f.add_param(b.block, kPtrGlobal);
    out_ = f.add_param(b.block, kPtrGlobal);
    f.params = {{.name = "in", .pointee = Elem::I64}, {.name = "out", .pointee = Elem::I64}};
    if (width) {
      mask_ = f.add_param(b.block, kMask);
      f.params.push_back(hidden_parameter(ParamRole::EntryMask));
      f.block(b.block).mask = mask_;
      masks_ = {mask_, f.constant(kMask, 0), f.constant(kMask, (uint64_t{1} << (width - 1) << 1) - 1)};
    }
    for (auto& pool : pool_) pool.clear();
    id_ = b.make(Op::global_id, shaped(kI64), {}, {0});
    inputs(in);
    for (uint32_t k = 0; k < kExpressions;) k += step(k);
    b.ret();
  }

 private:
  bool wave() const { return mask_.valid(); }
  Type shaped(Type t) const { return wave() ? t.lanes() : t; }
  std::vector<ValueId>& pool(Elem e) { return pool_[static_cast<size_t>(e)]; }

  void inputs(ValueId in) {
    const Elem elems[] = {Elem::I8,  Elem::I16, Elem::I32, Elem::I32,
                          Elem::I64, Elem::I64, Elem::F32, Elem::F64};
    ValueId base = b.make(Op::ptr_add, shaped(kPtrGlobal), {in, id_}, {64, 0});
    for (int64_t k = 0; k < 8; ++k) {
      Elem e = elems[k];
      ValueId p = b.make(Op::ptr_add, shaped(kPtrGlobal), {base, b.i64(k)}, {8, 0});
      pool(e).push_back(wave() ? b.make(Op::lane_load, shaped(Type{e}), {mask_, p})
                               : b.make(Op::load, Type{e}, {p}));
      // The uniform counterparts.
      ValueId q = b.make(Op::ptr_add, kPtrGlobal, {in, b.i64(k + 8)}, {8, 0});
      if (wave()) pool(e).push_back(b.make(Op::uniform_load, Type{e}, {q}));
    }
    // The buffers' own addresses are excluded, since they differ from run to run.
    pool(Elem::PtrGlobal).push_back(b.make(Op::bitcast, shaped(kPtrGlobal), {pool(Elem::I64)[0]}));
    pool(Elem::PtrLocal).push_back(b.make(Op::bitcast, shaped(kPtrLocal), {pool(Elem::I32)[0]}));
    pool(Elem::I1).push_back(b.make(Op::slt, shaped(kI1), {pool(Elem::I32)[0], b.i32(5)}));
  }

  ValueId pick(Elem e) {
    auto& values = pool(e);
    if (values.empty() || random_.chance(30)) {
      Type t{e};
      if (wave() && random_.chance(30)) t = t.lanes();
      return f.constant(t, interesting(random_, e));
    }
    // Prefers recent values, so that expressions nest.
    size_t n = values.size();
    return random_.chance(50) ? values[n - 1 - random_.below(static_cast<uint32_t>(std::min<size_t>(n, 3)))]
                              : values[random_.below(static_cast<uint32_t>(n))];
  }
  Elem pick_elem(TypeSet set) {
    for (;;) {
      auto e = static_cast<Elem>(random_.below(static_cast<uint32_t>(Elem::Count_)));
      if ((set & set_of(e)) && e != Elem::Mask && e != Elem::PtrConstant && e != Elem::PtrPrivate) return e;
    }
  }

  // Adds one value; returns 0 if the drawn opcode does not apply.
  uint32_t step(uint32_t k) {
    if (wave() && random_.chance(25)) return mask_step(k);
    if (random_.chance(8)) return range_step(k);
    auto op = static_cast<Op>(random_.below(static_cast<uint32_t>(kOpCount)));
    const OpInfo& row = info(op);
    if (!row.has(Elementwise) || !(row.dialects & (wave() ? InWave : InThread))) return 0;
    Elem t = row.T ? pick_elem(row.T) : Elem::Void, u = row.U ? pick_elem(row.U) : Elem::Void;
    unsigned from = Type{t}.bits(), to = Type{u}.bits();
    if ((row.relation == Relation::Widens && to <= from) ||
        (row.relation == Relation::Narrows && to >= from) ||
        (row.relation == Relation::SameBits && to != from))
      return 0;
    std::vector<ValueId> operands;
    bool lane = false;
    for (const SigItem& item : signature_of(op).operands) {
      Elem e = item.type_t ? t : item.type_u ? u : item.types[0].elem;
      operands.push_back(!operands.empty() && f.type(operands.back()).elem == e && random_.chance(15)
                             ? operands.back()
                             : pick(e));
      lane |= f.type(operands.back()).lane;
    }
    // The bits of a NaN are unspecified, so they must not become observable.
    if (op == Op::bitcast && Type{t}.is_float()) return 0;
    const SigItem& result = signature_of(op).results[0];
    Type type{result.type_t ? t : result.type_u ? u : result.types[0].elem, lane};
    InstId i = f.create(op, operands, std::span(&type, 1));
    if (op == Op::ptr_add) {
      f.inst(i).attrs[0] = random_.pick<int64_t>({1, 4, 8, 12});
      f.inst(i).attrs[1] = random_.pick<int64_t>({0, 0, 4, -16});
    }
    f.append(b.block, i);
    pool(type.elem).push_back(f.result(i));
    keep(f.result(i), k);
    return 1;
  }

  // A test whether a number is between two constants, which are near it or at the limits.
  uint32_t range_step(uint32_t k) {
    ValueId x = pool(Elem::I32)[random_.below(static_cast<uint32_t>(pool(Elem::I32).size()))];
    if (random_.chance(50)) {
      ValueId few = f.constant(kI32, 7);
      x = b.make(Op::and_, f.type(x), {x, few});
    }
    auto bound = [&] {
      Op op = random_.pick({Op::slt, Op::sle, Op::ult, Op::ule});
      ValueId c = f.constant(kI32, random_.chance(60) ? random_.below(9) : interesting(random_, Elem::I32));
      bool left = random_.chance(50);
      return b.make(op, {Elem::I1, f.type(x).lane}, {left ? c : x, left ? x : c});
    };
    ValueId first = bound(), second = bound();
    ValueId v = b.make(random_.pick({Op::and_, Op::or_}), f.type(first), {first, second});
    pool(Elem::I1).push_back(v);
    keep(v, k);
    return 1;
  }

  uint32_t mask_step(uint32_t k) {
    auto any_mask = [&] { return masks_[random_.below(static_cast<uint32_t>(masks_.size()))]; };
    auto lanes_of = [&](ValueId v) {
      Type t = f.type(v);
      return t.lane          ? v
             : f.is_const(v) ? f.constant(t.lanes(), f.value(v).bits)
                             : b.make(Op::splat, t.lanes(), {v});
    };
    auto some_mask = [&](ValueId m) {
      masks_.push_back(m);
      keep(b.make(Op::blend, kI64.lanes(), {m, f.constant(kI64.lanes(), 1), f.constant(kI64.lanes(), 0)}), k);
    };
    Elem e = pick_elem(AnyInt);
    switch (random_.below(7)) {
      case 0:
      case 1: {
        Op op = random_.pick({Op::mask_and, Op::mask_or, Op::mask_andnot});
        some_mask(b.make(op, kMask, {any_mask(), any_mask()}));
        break;
      }
      case 2:
        some_mask(b.make(Op::mask_cond, kMask, {any_mask(), lanes_of(pick(Elem::I1))}));
        break;
      case 3: {
        ValueId c = b.make(Op::any, kI1, {any_mask()});
        some_mask(b.make(Op::mask_if, kMask, {any_mask(), c}));
        break;
      }
      case 4: {
        // Values outside the entry's mask are unspecified, so `first_lane` uses that mask.
        ValueId v = b.make(Op::first_lane, Type{e}, {mask_, lanes_of(pick(e))});
        pool(e).push_back(v);
        keep(v, k);
        break;
      }
      case 5: {
        ValueId c = b.make(Op::any, kI1, {any_mask()});
        some_mask(b.make(Op::select, kMask, {c, any_mask(), any_mask()}));
        break;
      }
      default: {
        ValueId yes = lanes_of(pick(e)), no = lanes_of(pick(e));
        ValueId v = b.make(Op::blend, Type{e}.lanes(), {any_mask(), yes, no});
        pool(e).push_back(v);
        keep(v, k);
      }
    }
    return 1;
  }

  // out[kExpressions * id + k] = bits of v; all NaNs are stored alike.
  void keep(ValueId v, uint32_t k) {
    Type t = f.type(v);
    auto same = [&](Elem e) { return Type{e, t.lane}; };
    if (t.is_float()) {
      ValueId nan = b.make(Op::fne, same(Elem::I1), {v, v});
      v = b.make(Op::select, t, {nan, f.constant(t.scalar(), 7), v});
    }
    if (!t.is_int() && t.bits() > 1)
      v = b.make(Op::bitcast, same(t.bits() == 64 ? Elem::I64 : Elem::I32), {v});
    if (f.type(v).bits() < 64) v = b.make(Op::zext, same(Elem::I64), {v});
    ValueId slot = b.make(Op::ptr_add, shaped(kPtrGlobal), {out_, id_}, {8 * kExpressions, 8 * int64_t{k}});
    if (!wave())
      b.emit(Op::store, {slot, v});
    else
      b.emit(Op::lane_store, {mask_, slot, t.lane ? v : b.make(Op::splat, kI64.lanes(), {v})});
  }

  Function& f;
  Builder b;
  Random random_;
  ValueId out_, mask_, id_;
  std::vector<ValueId> pool_[static_cast<size_t>(Elem::Count_)];
  std::vector<ValueId> masks_;
};

}  // namespace

std::unique_ptr<Function> random_expressions(uint64_t seed, uint32_t width) {
  auto f = std::make_unique<Function>();
  Generator(*f, seed).run(width);
  return f;
}

RunData expression_data(uint64_t seed) {
  RunData data;
  data.launch = {.dims = 1, .global = {kItems, 1, 1}, .local = {kItems, 1, 1}};
  Random random(seed ^ 0x5555);
  const Elem elems[] = {Elem::I8,  Elem::I16, Elem::I32, Elem::I32,
                        Elem::I64, Elem::I64, Elem::F32, Elem::F64};
  Buffer in{.name = "in", .elem = Elem::I64, .bytes = kItems * 64};
  for (uint32_t k = 0; k < kItems * 8; ++k)
    in.storage.push_back(random.chance(60) ? interesting(random, elems[k % 8]) : random.bits());
  Buffer out{.name = "out", .elem = Elem::I64, .bytes = kItems * kExpressions * 8};
  out.storage.assign(kItems * kExpressions, 0);
  data.buffers = {std::move(in), std::move(out)};
  data.args = {{.buffer = 0}, {.buffer = 1}};
  return data;
}

}  // namespace kc::test
