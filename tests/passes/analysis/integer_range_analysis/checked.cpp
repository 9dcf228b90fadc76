// SPDX-License-Identifier: Apache-2.0
#include "tests/passes/analysis/integer_range_analysis/checked.h"

#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "sim/interpreter/thread_interpreter.h"

namespace kc::test {
namespace {

class Checker {
 public:
  Checker(const Function& original, const IntegerRanges& known, const Planted* planted)
      : f(original), known_(known), planted_(planted), r(original), b(r) {}

  Function run() {
    log_ = r.add_param(r.entry(), kPtrGlobal);
    r.params.push_back({.name = "log", .pointee = Elem::I32});
    const std::vector<BlockId> layout = f.layout;
    Cfg cfg(f);
    for (BlockId block : layout) {
      if (!cfg.reachable(block)) continue;
      r.block(block).insts.clear();
      b.block = block;
      for (ValueId p : f.block(block).params) defined(p);
      for (InstId i : f.block(block).insts) instruction(i);
    }
    return std::move(r);
  }

 private:
  void instruction(InstId i) {
    const Inst& inst = f.inst(i);
    for (size_t k = 0; k < inst.operands.size(); ++k) {
      ValueId guard = inst.op == Op::select && k > 0 ? inst.operands[0] : ValueId();
      read(inst.operands[k], known_.operand(i, k), guard, k == 2);
    }
    for (size_t t = 0; t < inst.targets.size(); ++t) edge(i, t);
    r.append(b.block, i);
    for (ValueId v : inst.results) defined(v);
  }

  // Splits the edge if a claim holds only on it.
  void edge(InstId i, size_t t) {
    const Target target = f.inst(i).targets[t];
    bool special = false;
    for (size_t k = 0; k < target.args.size(); ++k)
      special |= !f.is_inline(target.args[k]) && known_.argument(i, t, k) != known_.of(target.args[k]);
    if (!special) return;
    BlockId back = b.block;
    b.block = r.add_block();
    for (size_t k = 0; k < target.args.size(); ++k) read(target.args[k], known_.argument(i, t, k), {}, false);
    r.inst(i).targets[t] = {b.block, {}};
    b.br(target.block, target.args);
    b.block = back;
  }

  void defined(ValueId v) {
    bool planted = planted_ && planted_->v == v;
    claim(v, planted ? planted_->known : known_.of(v), {}, false);
  }
  void read(ValueId v, const KnownBits& known, ValueId guard, bool unless) {
    if (!f.is_inline(v) && known != known_.of(v)) claim(v, known, guard, unless);
  }

  // Stores unless v is in the set; with a guard, only if that is true (or, for `unless`, false).
  void claim(ValueId v, const KnownBits& known, ValueId guard, bool unless) {
    Type type = f.type(v);
    if (!type.is_int() && type.elem != Elem::I1) return;
    if (type.elem == Elem::I1) v = b.make(Op::zext, kI64, {v});
    if (type.elem != Elem::I1 && type.bits() < 64) v = b.make(Op::zext, kI64, {v});
    ValueId bad = known.nothing ? r.constant(kI1, 1) : outside(v, known);
    if (!bad.valid()) return;
    if (guard.valid()) {
      if (unless) guard = b.make(Op::xor_, kI1, {guard, r.constant(kI1, 1)});
      bad = b.make(Op::and_, kI1, {bad, guard});
    }
    ValueId index = b.make(Op::select, kI64, {bad, b.i64(int64_t{id_of(v)} + 1), b.i64(0)});
    ValueId slot = b.make(Op::ptr_add, kPtrGlobal, {log_, index}, {4, 0});
    b.emit(Op::store, {slot, b.i32(1)});
  }
  uint32_t id_of(ValueId v) const {
    InstId def = r.def(v);
    bool widened = v.index >= f.value_count() && def.valid();
    return widened ? r.inst(def).operands[0].index : v.index;
  }

  ValueId outside(ValueId v, const KnownBits& known) {
    ValueId bad;
    auto also = [&](ValueId c) { bad = bad.valid() ? b.make(Op::or_, kI1, {bad, c}) : c; };
    auto number = [&](uint64_t n) { return r.constant(kI64, n); };
    const KnownBits all = KnownBits::anything(known.width);
    if (known.umin != all.umin) also(b.make(Op::ult, kI1, {v, number(known.umin)}));
    if (known.umax != all.umax) also(b.make(Op::ult, kI1, {number(known.umax), v}));
    if (uint64_t fixed = known.zeros | known.ones) {
      ValueId bits = b.make(Op::and_, kI64, {v, number(fixed)});
      also(b.make(Op::ne, kI1, {bits, number(known.ones)}));
    }
    if (known.smin == all.smin && known.smax == all.smax) return bad;
    ValueId up = b.make(Op::shl, kI64, {v, number(64 - known.width)});
    ValueId s = b.make(Op::ashr, kI64, {up, number(64 - known.width)});
    also(b.make(Op::slt, kI1, {s, number(static_cast<uint64_t>(known.smin))}));
    also(b.make(Op::slt, kI1, {number(static_cast<uint64_t>(known.smax)), s}));
    return bad;
  }

  const Function& f;
  const IntegerRanges& known_;
  const Planted* planted_;
  Function r;
  Builder b;
  ValueId log_;
};

}  // namespace

Function checked(const Function& f, const IntegerRanges& known, const Planted* planted) {
  Function r = Checker(f, known, planted).run();
  auto errors = verify(r);
  if (!errors.empty()) FAIL(render(r, errors) + print(f));
  return r;
}

std::vector<uint32_t> wrong_values(const Function& f, const Function& checked, RunData data) {
  Buffer log{.name = "log", .elem = Elem::I32, .bytes = (f.value_count() + 1) * 4};
  log.storage.assign(f.value_count() / 2 + 1, 0);
  data.args.push_back({.buffer = static_cast<int>(data.buffers.size())});
  data.buffers.push_back(std::move(log));
  auto arguments = data.arguments();
  auto memory = data.memory();
  auto result = run_threads(checked, data.launch, arguments, {.memory = memory, .max_steps = 200'000'000});
  if (result.status != RunStatus::Ok && result.status != RunStatus::Trapped) FAIL(result.message);
  std::vector<uint32_t> wrong;
  const auto& words = data.buffers.back().storage;
  for (uint32_t v = 0; v < f.value_count(); ++v)
    if (words[(v + 1) / 2] >> ((v + 1) % 2 * 32) & 1) wrong.push_back(v);
  return wrong;
}

}  // namespace kc::test
