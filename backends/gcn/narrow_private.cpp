// SPDX-License-Identifier: Apache-2.0
// Byte and half accesses to private memory. passes/lower/lower_private.cpp makes word accesses of them, which
// suits machines without narrower ones: a byte is shifted out of its word, or inserted into it. The scratch
// instructions of gfx9 access bytes and halves, so this pass undoes that lowering:
//
//   %2 = and %1, -4; %3 = shl (and %1, 3), 3
//   %4 = lane_load %m, %2; %5: lane<i16> = trunc (lshr %4, %3)   ==>   %5: lane<i16> = lane_load %m, %1
//
//   lane_store %m, %2, or (shl %v, %3), (and (xor (shl 65535, %3), -1), (lane_load %m, %2))
//                                                        ==>   lane_store %m, %1, trunc %v
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"
#include "ir/launch.h"
#include "passes/ir_util.h"
#include "passes/transform/dce.h"

namespace kc::gcn {
namespace {

class PrivateNarrower {
 public:
  explicit PrivateNarrower(Function& function) : f(function), b_(function), replaced_(function) {}

  void run() {
    find_loads();
    for (BlockId block : f.layout) {
      std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      b_.block = block;
      for (InstId i : old) instruction(i);
    }
    sweep_erased(f);
    apply_replacements(f, replaced_);
    dce(f);
  }

 private:
  struct NarrowAccess {
    ValueId at;  // address of the byte or half, an i32
    Elem elem = Elem::I8;
  };

  const Inst* def(ValueId v, Op op) const {
    InstId d = f.def(v);
    return d && f.inst(d).op == op ? &f.inst(d) : nullptr;
  }
  bool is(ValueId v, uint32_t bits) const {
    return f.is_const(v) && static_cast<uint32_t>(f.value(v).bits) == bits;
  }
  // The other operand of a commutative operation with this constant.
  std::optional<ValueId> with_constant(ValueId v, Op op, uint32_t bits) const {
    const Inst* d = def(v, op);
    if (!d) return std::nullopt;
    for (size_t k : {0, 1})
      if (is(d->operands[k], bits)) return d->operands[1 - k];
    return std::nullopt;
  }

  // The address whose word the pointer denotes.
  std::optional<ValueId> place_of_word(ValueId pointer) const {
    if (const Inst* splat = def(pointer, Op::splat)) pointer = splat->operands[0];
    const Inst* cast = def(pointer, Op::bitcast);
    if (!cast || f.type(pointer).elem != Elem::PtrPrivate) return std::nullopt;
    return with_constant(cast->operands[0], Op::and_, ~3u);
  }
  // Whether `shift` is the bit position of the address within its word.
  bool is_shift(ValueId shift, ValueId place) const {
    const Inst* shl = def(shift, Op::shl);
    if (!shl || !is(shl->operands[1], 3)) return false;
    auto low = with_constant(shl->operands[0], Op::and_, 3);
    return low && *low == place;
  }

  // Whether the lowest bit is known to be 0. A byte at the top of its word also matches the pattern of a
  // half, but half accesses need even addresses.
  bool is_even(ValueId v, int depth = 0) const {
    if (f.is_const(v)) return (f.value(v).bits & 1) == 0;
    const InstId d = f.def(v);
    if (!d || depth > 8) return false;
    const Inst& inst = f.inst(d);
    auto even = [&](size_t k) { return is_even(inst.operands[k], depth + 1); };
    switch (inst.op) {
      case Op::splat:
      case Op::bitcast:
      case Op::sext:
      case Op::zext:
      case Op::trunc:
        return even(0);
      case Op::add:
      case Op::sub:
      case Op::or_:
      case Op::xor_:
        return even(0) && even(1);
      case Op::mul:
      case Op::and_:
        return even(0) || even(1);
      case Op::shl:
        return even(0) || (f.is_const(inst.operands[1]) && (f.value(inst.operands[1]).bits & 31) != 0);
      case Op::select:
        return even(1) && even(2);
      case Op::ptr_add:
        return even(0) && inst.attrs[1] % 2 == 0 && (inst.attrs[0] % 2 == 0 || even(1));
      default:
        return false;
    }
  }
  bool may_be(Elem elem, ValueId place) const { return elem == Elem::I8 || is_even(place); }

  void find_loads() {
    for (BlockId block : f.layout)
      for (InstId i : f.block(block).insts) {
        const Inst& trunc = f.inst(i);
        if (trunc.op != Op::trunc) continue;
        const Elem elem = f.type(trunc.results[0]).elem;
        if (elem != Elem::I8 && elem != Elem::I16) continue;
        const Inst* shift = def(trunc.operands[0], Op::lshr);
        const Inst* load = shift ? def(shift->operands[0], Op::lane_load) : nullptr;
        if (!load) continue;
        auto place = place_of_word(load->operands[1]);
        if (place && is_shift(shift->operands[1], *place) && may_be(elem, *place))
          parts_of_[f.def(shift->operands[0]).index].push_back({i, {*place, elem}});
      }
  }

  // The pointer to an address, as a lane value. Uses the pointer that the address was computed from if there
  // is one, since more is known about it.
  ValueId pointer_to(ValueId place) {
    const Inst* cast = def(place, Op::bitcast);
    ValueId p = cast && f.type(cast->operands[0]).elem == Elem::PtrPrivate ? cast->operands[0] : ValueId();
    if (!p) p = b_.make(Op::bitcast, f.type(place).lane ? kPtrPrivate.lanes() : kPtrPrivate, {place});
    return f.type(p).lane ? p : b_.make(Op::splat, kPtrPrivate.lanes(), {p});
  }

  void instruction(InstId i) {
    b_.loc = f.inst(i).loc;
    if (auto narrow = part_stored(i)) {
      const ValueId mask = f.inst(i).operands[0];
      ValueId pointer = pointer_to(narrow->first.at);
      ValueId value = narrowed(narrow->second, Type{narrow->first.elem});
      b_.emit(Op::lane_store, {mask, pointer, value}, {}, {0});
      f.inst(i).erased = true;
      return;
    }
    f.append(b_.block, i);
    auto parts = parts_of_.find(i.index);
    if (parts == parts_of_.end()) return;
    for (const auto& [trunc, part] : parts->second) {
      const ValueId mask = f.inst(i).operands[0];
      ValueId pointer = pointer_to(part.at);
      ValueId loaded = b_.make(Op::lane_load, Type{part.elem}.lanes(), {mask, pointer}, {0});
      replaced_.set(f.inst(trunc).results[0], loaded);
    }
  }

  ValueId narrowed(ValueId word, Type type) {
    ValueId v = f.is_const(word) ? f.constant(type.lanes(),
                                              f.value(word).bits & static_cast<uint64_t>(low_bits(type.elem)))
                                 : b_.make(Op::trunc, f.type(word).lane ? type.lanes() : type, {word});
    return f.type(v).lane ? v : b_.make(Op::splat, type.lanes(), {v});
  }

  // A store that inserts a byte or half into the current word: the part, and the value stored.
  std::optional<std::pair<NarrowAccess, ValueId>> part_stored(InstId i) {
    const Inst& store = f.inst(i);
    if (store.op != Op::lane_store || f.type(store.operands[1]).elem != Elem::PtrPrivate) return std::nullopt;
    auto place = place_of_word(store.operands[1]);
    if (!place) return std::nullopt;
    ValueId value = store.operands[2];
    if (auto elem = others_of_word(value, *place, store)) return {{{*place, *elem}, b_.i32(0)}};
    const Inst* both = def(value, Op::or_);
    for (size_t k : {0, 1}) {
      if (!both) break;
      const Inst* fresh = def(both->operands[k], Op::shl);
      auto elem = others_of_word(both->operands[1 - k], *place, store);
      if (!fresh || !elem || !is_shift(fresh->operands[1], *place)) continue;
      if (fits(fresh->operands[0], *elem)) return {{{*place, *elem}, fresh->operands[0]}};
    }
    return std::nullopt;
  }

  // Whether all bits above those of the element are zero.
  bool fits(ValueId word, Elem elem) const {
    if (f.is_const(word)) return (f.value(word).bits & 0xffffffffu) >> Type{elem}.bits() == 0;
    const Inst* zext = def(word, Op::zext);
    return zext && f.type(zext->operands[0]).elem == elem;
  }

  // The element that `value` leaves out of the word that the store loads under its own mask.
  std::optional<Elem> others_of_word(ValueId value, ValueId place, const Inst& store) const {
    const Inst* keep = def(value, Op::and_);
    for (size_t k : {0, 1}) {
      if (!keep) break;
      const Inst* load = def(keep->operands[k], Op::lane_load);
      auto hole = with_constant(keep->operands[1 - k], Op::xor_, ~0u);
      const Inst* ones = hole ? def(*hole, Op::shl) : nullptr;
      if (!load || !ones || load->operands[0] != store.operands[0] || load->operands[1] != store.operands[1])
        continue;
      if (load->block != store.block || !is_shift(ones->operands[1], place)) continue;
      for (Elem elem : {Elem::I8, Elem::I16})
        if (is(ones->operands[0], static_cast<uint32_t>(low_bits(elem))) && may_be(elem, place)) return elem;
    }
    return std::nullopt;
  }

  Function& f;
  Builder b_;
  Replacements replaced_;
  std::map<uint32_t, std::vector<std::pair<InstId, NarrowAccess>>> parts_of_;  // by load of a word
};

}  // namespace

std::unique_ptr<Function> narrow_private(const Function& wave) {
  if (lay_out_objects(wave, kPtrPrivate).size == 0) return nullptr;
  auto f = std::make_unique<Function>(wave);
  PrivateNarrower(*f).run();
  return f;
}

}  // namespace kc::gcn
