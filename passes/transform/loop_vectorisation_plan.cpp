// SPDX-License-Identifier: Apache-2.0
#include "passes/transform/loop_vectorisation_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ir/known_bits.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/lane_steps.h"
#include "passes/ir_util.h"
#include "passes/pass_runner.h"

namespace kc {
namespace {

constexpr int64_t kMostLoopStep = 1 << 20;  // of a counter; a wave's iterations do not wrap around
constexpr int kDeepestAddress = 12;         // of the expressions of addresses
constexpr size_t kMostLoopAccesses = 64;    // of a loop: each store is compared with all
constexpr uint32_t kMostLoopLanes = 64;

// base + step * iteration, the base as a constant and multiples of values that are the same in all
// iterations.
struct Affine {
  int64_t constant = 0, step = 0;
  std::map<ValueId, int64_t> terms;

  void add(const Affine& other, int64_t times) {
    constant += other.constant * times, step += other.step * times;
    for (auto [v, n] : other.terms)
      if ((terms[v] += n * times) == 0) terms.erase(v);
  }
};

struct MemoryAccess {
  InstId inst;
  ValueId buffer;
  uint32_t bytes = 0;
  std::optional<Affine> at;
};

// The fold of a chain of these operations; what is subtracted is added with its sign changed.
std::optional<Fold> fold_of(Op op, Type type) {
  if (op == Op::sub) op = Op::add;
  for (int64_t fold = 0; fold < static_cast<int64_t>(Fold::Count_); ++fold)
    if (is_fold(fold, type) && fold_op(fold, type) == op) return static_cast<Fold>(fold);
  return std::nullopt;
}

class VectorisableLoopFinder {
 public:
  VectorisableLoopFinder(const Function& function, AnalysisCache& analyses)
      : f(function),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        uniformity_(analyses.uniformity()),
        users_(users_of(f, cfg_.rpo)),
        steps_(f, cfg_, uniformity_) {}

  std::vector<CountedLoop> find(VectorisableLoops& found) {
    std::vector<CountedLoop> loops;
    for (uint32_t c = 0; c < cycles_.cycles.size(); ++c) {
      if (std::ranges::any_of(cycles_.nodes(c), [&](uint32_t n) { return cycles_.innermost[n] != c; }))
        continue;
      auto loop = counted(c);
      if (!loop || !independent(c, *loop)) {
        ++found.others;
        continue;
      }
      ++found.loops;
      found.bytes = std::max(found.bytes, loop->bytes);
      found.all_scatter &= loop->scattered != 0;
      found.scattered += loop->scattered;
      for (BlockId b : loop->blocks) found.inside += f.block(b).insts.size();
      loops.push_back(std::move(*loop));
    }
    found.all_scatter &= found.loops > 0;
    found.outside = instruction_count(f) - found.inside;
    return loops;
  }

 private:
  bool inside(uint32_t c, ValueId v) const {
    const BlockId b = block_of(f, v);
    return b.valid() && cycles_.contains(c, b);
  }

  // A loop with one test, at its start, and one way back.
  std::optional<CountedLoop> counted(uint32_t c) const {
    const Cycle& cycle = cycles_.cycles[c];
    CountedLoop loop{.header = BlockId(cycle.header)};
    if (!cycle.reducible() || loop.header == f.entry()) return std::nullopt;
    for (BlockId p : cfg_.preds[cycle.header])
      if (cycles_.contains(c, p)) {
        if (loop.latch) return std::nullopt;
        loop.latch = p;
      }
    const Inst& test = f.inst(f.terminator(loop.header));
    if (test.op != Op::br_if || loop.latch == loop.header || f.inst(f.terminator(loop.latch)).op != Op::br)
      return std::nullopt;
    for (uint32_t n : cycles_.nodes(c)) {
      if (n == cycle.header) continue;
      loop.blocks.push_back(BlockId(n));
      for (const Target& t : f.successors(BlockId(n)))
        if (!cycles_.contains(c, t.block)) return std::nullopt;
    }
    const bool first_stays = cycles_.contains(c, test.targets[0].block);
    if (!first_stays || cycles_.contains(c, test.targets[1].block)) return std::nullopt;
    loop.body = test.targets[0].block;
    for (InstId i : f.block(loop.header).insts)
      if (i != f.terminator(loop.header) && info(f.inst(i).op).effects != Effects::None) return std::nullopt;
    if (!carried(c, loop) || !bounded(c, loop) || leaks(c, loop)) return std::nullopt;
    return loop;
  }

  // Sorts what goes from iteration to iteration.
  bool carried(uint32_t c, CountedLoop& loop) const {
    const auto& params = f.block(loop.header).params;
    const auto& back = f.successors(loop.latch)[0].args;
    for (size_t k = 0; k < params.size(); ++k) {
      if (auto step = step_of(params[k], back[k]))
        loop.counters.push_back({params[k], *step});
      else if (auto fold = reduced(c, loop, params[k], back[k]))
        loop.reductions.push_back({params[k], *fold});
      else
        return false;
    }
    return true;
  }

  // By what a counter grows with each iteration.
  std::optional<int64_t> step_of(ValueId param, ValueId next) const {
    const InstId def = f.def(next);
    if (!def.valid()) return std::nullopt;
    const Inst& inst = f.inst(def);
    if (inst.operands.size() != 2 || inst.operands[0] != param || !f.is_const(inst.operands[1]))
      return std::nullopt;
    const int64_t n = signed_value(inst.operands[1]);
    int64_t step = 0;
    if (inst.op == Op::add && f.type(param).bits() >= 32)
      step = n;
    else if (inst.op == Op::ptr_add && f.type(param).bits() == 64)
      step = n * inst.attrs[0] + inst.attrs[1];
    return step != 0 && std::abs(step) <= kMostLoopStep ? std::optional(step) : std::nullopt;
  }

  int64_t signed_value(ValueId constant) const {
    return as_signed(f.type(constant).bits(), f.value(constant).bits);
  }

  // The operation by which all iterations together make this value, which nothing else in the loop reads.
  std::optional<Fold> reduced(uint32_t c, const CountedLoop& loop, ValueId param, ValueId next) const {
    if (!f.type(param).is_int() || f.type(param).bits() < 32) return std::nullopt;
    std::vector<ValueId> work{next}, chain{param};
    std::optional<Fold> fold;
    auto in_chain = [&](ValueId v) { return std::ranges::find(chain, v) != chain.end(); };
    while (!work.empty()) {
      const ValueId v = work.back();
      work.pop_back();
      if (in_chain(v)) continue;
      if (!inside(c, v) || chain.size() > kMostLoopAccesses) return std::nullopt;
      chain.push_back(v);
      const InstId def = f.def(v);
      if (!def.valid()) {
        if (f.value(v).owner == loop.header.index) return std::nullopt;
        const uint32_t k = f.value(v).index;
        every_edge_into(f, cfg_, BlockId(f.value(v).owner), [&](BlockId, const Target& t) {
          work.push_back(t.args[k]);
          return true;
        });
        continue;
      }
      const Inst& inst = f.inst(def);
      if (inst.op == Op::select) {
        work.push_back(inst.operands[1]), work.push_back(inst.operands[2]);
        continue;
      }
      const auto found = fold_of(inst.op, f.type(param));
      if (!found || (fold && *fold != *found)) return std::nullopt;
      fold = found;
      // One operand is the value so far: the one that depends on it.
      const size_t so_far = inst.op == Op::sub || depends(c, inst.operands[0], param) ? 0 : 1;
      if (depends(c, inst.operands[1 - so_far], param)) return std::nullopt;
      work.push_back(inst.operands[so_far]);
    }
    if (!fold) return std::nullopt;
    for (ValueId v : chain)
      for (InstId u : users_[v.index]) {
        const Inst& user = f.inst(u);
        if (!cycles_.contains(c, user.block)) {
          if (v != param) return std::nullopt;
          continue;
        }
        const bool reads = std::ranges::find(user.operands, v) != user.operands.end();
        if (reads && (user.results.empty() || !in_chain(user.results[0]))) return std::nullopt;
        if (reads && user.op == Op::select && user.operands[0] == v) return std::nullopt;
        for (const Target& t : user.targets)
          for (size_t k = 0; k < t.args.size(); ++k)
            if (t.args[k] == v && cycles_.contains(c, t.block) && !in_chain(f.block(t.block).params[k]))
              return std::nullopt;
      }
    return fold;
  }

  bool depends(uint32_t c, ValueId v, ValueId on, int depth = 0) const {
    if (v == on || depth > kDeepestAddress) return true;
    if (!inside(c, v)) return false;
    const InstId def = f.def(v);
    if (!def.valid()) {
      const BlockId join(f.value(v).owner);
      if (join.index == cycles_.cycles[c].header) return false;
      const uint32_t k = f.value(v).index;
      return !every_edge_into(
          f, cfg_, join, [&](BlockId, const Target& t) { return !depends(c, t.args[k], on, depth + 1); });
    }
    return std::ranges::any_of(f.inst(def).operands, [&](ValueId o) { return depends(c, o, on, depth + 1); });
  }

  // Reads the condition: a counter and a bound that is the same in all iterations.
  bool bounded(uint32_t c, CountedLoop& loop) const {
    loop.condition = f.def(f.inst(f.terminator(loop.header)).operands[0]);
    if (!loop.condition.valid() || f.inst(loop.condition).block != loop.header) return false;
    const Inst& test = f.inst(loop.condition);
    const bool less = test.op == Op::slt || test.op == Op::ult;
    loop.inclusive = test.op == Op::sle || test.op == Op::ule, loop.not_equal = test.op == Op::ne;
    if (!less && !loop.inclusive && !loop.not_equal) return false;
    for (const Counter& counter : loop.counters)
      for (size_t k : {0, 1}) {
        if (test.operands[k] != counter.param || !known_at_test(c, loop, test.operands[1 - k])) continue;
        loop.counter = counter, loop.bound = test.operands[1 - k];
        loop.counts_down = loop.not_equal ? counter.step < 0 : k == 1;
        // Larger steps may jump over the bound, and wrap.
        return f.type(counter.param).is_int() && counter.step == (loop.counts_down ? -1 : 1);
      }
    return false;
  }

  // The bound is the same in all iterations, and is there where the header tests it.
  bool known_at_test(uint32_t c, const CountedLoop& loop, ValueId bound) const {
    return !inside(c, bound) || (invariant(c, bound) && block_of(f, bound) == loop.header);
  }

  // Whether a value of the loop other than a reduction is used behind it.
  bool leaks(uint32_t c, const CountedLoop& loop) const {
    auto is_reduction = [&](ValueId v) {
      return std::ranges::any_of(loop.reductions, [&](const Reduction& r) { return r.param == v; });
    };
    auto escapes = [&](ValueId v) {
      return !is_reduction(v) && std::ranges::any_of(users_[v.index], [&](InstId u) {
        const Inst& user = f.inst(u);
        if (!cycles_.contains(c, user.block)) return true;
        return std::ranges::any_of(user.targets, [&](const Target& t) {
          return !cycles_.contains(c, t.block) && std::ranges::find(t.args, v) != t.args.end();
        });
      });
    };
    for (uint32_t n : cycles_.nodes(c)) {
      if (std::ranges::any_of(f.block(BlockId(n)).params, escapes)) return true;
      for (InstId i : f.block(BlockId(n)).insts)
        if (std::ranges::any_of(f.inst(i).results, escapes)) return true;
    }
    return false;
  }

  // Whether the value is the same in all iterations.
  bool invariant(uint32_t c, ValueId v, int depth = 0) const {
    if (!inside(c, v)) return true;
    const InstId def = f.def(v);
    return def.valid() && depth < kDeepestAddress && info(f.inst(def).op).effects == Effects::None &&
           std::ranges::all_of(f.inst(def).operands, [&](ValueId o) { return invariant(c, o, depth + 1); });
  }

  std::optional<Affine> affine(uint32_t c, const CountedLoop& loop, ValueId v, int depth = 0) const {
    Affine r;
    if (f.is_const(v)) {
      r.constant = signed_value(v);
      return r;
    }
    for (const Counter& counter : loop.counters)
      if (counter.param == v) {
        r.step = counter.step, r.terms[v] = 1;
        return r;
      }
    if (invariant(c, v)) {
      r.terms[v] = 1;
      return r;
    }
    const InstId def = f.def(v);
    if (!def.valid() || depth > kDeepestAddress) return std::nullopt;
    const Inst& inst = f.inst(def);
    auto sum = [&](ValueId a, int64_t times_a, ValueId b, int64_t times_b) -> std::optional<Affine> {
      const auto left = affine(c, loop, a, depth + 1), right = affine(c, loop, b, depth + 1);
      if (!left || !right) return std::nullopt;
      r.add(*left, times_a), r.add(*right, times_b);
      return r;
    };
    auto scaled = [&](ValueId a, int64_t times) -> std::optional<Affine> {
      const auto of = affine(c, loop, a, depth + 1);
      if (!of || std::abs(times) > kMostLoopStep) return std::nullopt;
      r.add(*of, times);
      return r;
    };
    switch (inst.op) {
      case Op::add:
        return sum(inst.operands[0], 1, inst.operands[1], 1);
      case Op::sub:
        return sum(inst.operands[0], 1, inst.operands[1], -1);
      case Op::mul:
        if (f.is_const(inst.operands[1])) return scaled(inst.operands[0], signed_value(inst.operands[1]));
        return std::nullopt;
      case Op::shl:
        if (f.is_const(inst.operands[1]) && f.value(inst.operands[1]).bits < 20)
          return scaled(inst.operands[0], int64_t{1} << f.value(inst.operands[1]).bits);
        return std::nullopt;
      case Op::sext:
      case Op::zext:
        if (f.type(inst.operands[0]).bits() < 32) return std::nullopt;
        return affine(c, loop, inst.operands[0], depth + 1);
      case Op::ptr_add:
        if (std::abs(inst.attrs[0]) > kMostLoopStep) return std::nullopt;
        r.constant = inst.attrs[1];
        return sum(inst.operands[0], 1, inst.operands[1], inst.attrs[0]);
      default:
        return std::nullopt;
    }
  }

  // The parameter that the address is based on, also where a pointer counts the iterations.
  ValueId buffer(const CountedLoop& loop, ValueId address) const {
    const ValueId root = access_of(f, address, 1).root;
    if (f.value(root).kind != ValueKind::Param || BlockId(f.value(root).owner) != loop.header)
      return buffer_of(f, address);
    ValueId found;
    const uint32_t k = f.value(root).index;
    every_edge_into(f, cfg_, loop.header, [&](BlockId from, const Target& t) {
      if (from == loop.latch) return true;
      const ValueId one = buffer_of(f, t.args[k]);
      if (found && one != found) return found = {}, false;
      return found = one, found.valid();
    });
    return found;
  }

  // Whether so many iterations as a wave has lanes may run side by side, and how their accesses lie.
  bool independent(uint32_t c, CountedLoop& loop) {
    std::vector<MemoryAccess> accesses;
    size_t near = 0, far = 0;
    for (BlockId b : loop.blocks)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (inst.op != Op::load && inst.op != Op::store) continue;
        const Type data = f.type(inst.op == Op::load ? inst.results[0] : inst.operands[1]);
        MemoryAccess a{.inst = i, .buffer = buffer(loop, inst.operands[0]), .bytes = data.bytes(), .at = {}};
        a.at = affine(c, loop, inst.operands[0]);
        if (!a.buffer || accesses.size() == kMostLoopAccesses) return false;
        const bool varies = !a.at || a.at->step != 0;
        if (inst.op == Op::store && (!a.at || a.at->step != int64_t{a.bytes})) return false;
        if (varies) {
          loop.bytes = std::max(loop.bytes, a.bytes);
          (a.at && a.at->step == int64_t{a.bytes} ? near : far) += 1;
          const auto step = steps_.of(inst.operands[0]);
          loop.scattered +=
              uniformity_.divergent[inst.operands[0].index] && (!step || std::abs(*step) > int64_t{a.bytes});
        }
        const bool always = tree_.dominates(b, loop.latch);
        if (a.at && a.at->step != 0 && std::abs(a.at->step) <= kMostLoopStep && always)
          loop.strided.push_back({i, a.at->step});
        accesses.push_back(std::move(a));
      }
    if (near == 0 || far > near) return false;
    for (const MemoryAccess& s : accesses)
      if (f.inst(s.inst).op == Op::store)
        for (const MemoryAccess& other : accesses)
          if (s.buffer == other.buffer && !apart(s, other)) return false;
    return true;
  }

  // Whether what one iteration stores is nothing that another one of the same wave accesses.
  static bool apart(const MemoryAccess& store, const MemoryAccess& other) {
    if (!other.at || other.at->step != store.at->step || other.at->terms != store.at->terms) return false;
    // In numbers of 32 bits, whose sums wrap; buffers are smaller than they reach.
    const auto difference = static_cast<int32_t>(other.at->constant - store.at->constant);
    const int64_t distance = std::abs(int64_t{difference});
    const int64_t step = store.at->step;
    return distance == 0 ? store.bytes <= step && other.bytes <= step
                         : distance >= step * int64_t{kMostLoopLanes + 1};
  }

  const Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  const Uniformity& uniformity_;
  const Lists<InstId> users_;
  LaneSteps steps_;
};

}  // namespace

bool only_loads_and_stores(const Function& f, const Cfg& cfg) {
  if (f.dialect != Dialect::Thread || f.reqd_local[0] || f.reqd_sub_group) return false;
  auto of_work_items = [](const MemoryObject& o) { return o.type != kPtrConstant; };
  if (std::ranges::any_of(f.objects, of_work_items)) return false;
  for (BlockId b : cfg.rpo)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const OpInfo& row = info(inst.op);
      const bool access = inst.op == Op::load || inst.op == Op::store;
      if (row.effects != Effects::None && row.effects != Effects::Control && !access) return false;
      if (row.has(Convergent) || row.has(Atomic)) return false;
      if (row.has(LaneSource) && inst.op != Op::global_id) return false;
      if (access && f.type(inst.operands[0]).elem != Elem::PtrGlobal &&
          f.type(inst.operands[0]).elem != Elem::PtrConstant)
        return false;
    }
  return true;
}

std::vector<CountedLoop> find_counted_loops(const Function& f, AnalysisCache& analyses,
                                            VectorisableLoops& found) {
  return VectorisableLoopFinder(f, analyses).find(found);
}

}  // namespace kc
