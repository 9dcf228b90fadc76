// SPDX-License-Identifier: Apache-2.0
// count_pointers: linear function test replacement for loops that end at a pointer.
//
// Work-items whose pointers differ leave a loop one by one, as far as the comparison shows, even if all their
// rows are equally long. Pointers that a loop compares with another one from the same start become that start
// and a uniform count.
//
//     br -> b1(%row)                        br -> b1(0)
//   b1(%1: ptr):                          b1(%3: i64):
//     %2: i1 = ult %1, %end        ==>      %1: ptr = ptr_add %row, %3 scale=4
//     br_if %2 -> b2, b3                    %2: i1 = slt %3, %n              %end is ptr_add %row, %n scale=4
//
// Pointers that are compared are in one object, so that they do not wrap.
#include "passes/transform/count_pointers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "passes/analysis/steps.h"
#include "passes/transform/induction_splitter.h"

namespace kc {
namespace {

class PointerCounter {
  using Increment = InductionSplitter::Increment;
  using Sums = InductionSplitter::Sums;
  using Loop = InductionSplitter::Loop;
  using Counter = InductionSplitter::Counter;

 public:
  PointerCounter(Function& function, AnalysisCache& analyses, Remarks* remarks)
      : f(function), s_(function, analyses), remarks_(remarks) {}

  bool run() {
    for (uint32_t c = 0; c < s_.cycles().cycles.size(); ++c)
      s_.each_variable(c, [&](const Loop& loop) { split(loop); });
    if (counters_.empty()) return false;
    compute_where_used();
    return s_.finish();
  }

 private:
  // A comparison of the variable, or a sum of it, with a pointer from the same start.
  struct Test {
    InstId inst;
    size_t end = 0;  // its operand that is the latter
    Sums pointer, bound;
  };
  void split(const Loop& loop) {
    const ValueId p = s_.variable(loop);
    if (!f.type(p).is_pointer()) return;
    std::vector<Test> tests;
    int64_t unit = 0;
    for (InstId i : comparisons_of_pointers(loop.cycle))
      for (size_t k : {0, 1}) {
        const Inst& inst = f.inst(i);
        Test t{i, k, s_.sums(inst.operands[1 - k], p), s_.sums(inst.operands[k], ValueId())};
        if (t.pointer.from != p || t.bound.from != loop.start()) continue;
        if (!are_small(t.pointer) || !are_small(t.bound)) return;
        for (const Sums* s : {&t.pointer, &t.bound}) unit = common_unit(unit, *s);
        tests.push_back(std::move(t));
        break;
      }
    if (tests.empty()) return;
    for (const InductionSplitter::Edge& e : loop.edges) {
      if (!are_small(e.passed)) return;
      unit = common_unit(unit, e.passed);
    }
    if (unit == 0) return;
    const ValueId sum = s_.add_sum(loop, unit);
    for (const Test& t : tests) {
      const ValueId counted = s_.increased(sum, t.pointer, unit, t.inst),
                    end = s_.increased(f.constant(kI64, 0), t.bound, unit, t.inst);
      Inst& inst = f.inst(t.inst);
      inst.op = *counted_as(inst.op);
      inst.operands[t.end] = end, inst.operands[1 - t.end] = counted;
    }
    if (remarks_)
      remarks_->add(
          {"count_pointers", f.inst(tests.front().inst).loc, "loop ends at a count, not at a pointer"});
    counters_[p] = {{loop.start(), sum, unit}, loop.edges.front().from};
  }
  const std::vector<InstId>& comparisons_of_pointers(uint32_t c) {
    if (compared_in_ == c) return comparisons_;
    compared_in_ = c;
    comparisons_.clear();
    for (uint32_t n : s_.cycles().nodes(c))
      for (InstId i : f.block(BlockId(n)).insts)
        if (counted_as(f.inst(i).op) && f.type(f.inst(i).operands[0]).is_pointer()) comparisons_.push_back(i);
    return comparisons_;
  }
  // Then their products and sums do not overflow 64 bits.
  bool are_small(const Sums& s) const {
    auto small = [](int64_t n) { return n == static_cast<int32_t>(n); };
    return std::ranges::all_of(s.increments, [&](const Increment& at) {
      const Inst& inst = f.inst(at.sum);
      const auto number = signed_constant(f, inst.operands[1]);
      return small(inst.attrs[0]) && small(inst.attrs[1]) && (!number || small(*number));
    });
  }
  static std::optional<Op> counted_as(Op pointers) {
    switch (pointers) {
      case Op::eq:
      case Op::ne:
        return pointers;
      case Op::ult:
        return Op::slt;
      case Op::ule:
        return Op::sle;
      default:
        return std::nullopt;
    }
  }
  // What all amounts in bytes are multiples of.
  int64_t common_unit(int64_t unit, const Sums& s) const {
    for (const Increment& at : s.increments) {
      const Inst& inst = f.inst(at.sum);
      unit = std::gcd(unit, inst.attrs[1]);
      if (const auto number = signed_constant(f, inst.operands[1])) {
        if (*number != 0) unit = std::gcd(unit, *number * inst.attrs[0]);
      } else {
        unit = std::gcd(unit, inst.attrs[0]);
      }
    }
    return unit;
  }

  struct Counted {
    Counter counter;
    BlockId entered_from;
    bool started = false;
  };
  // If the start is a pointer that is counted, too, computes it once, where the loop is entered.
  void find_start(Counted& first) {
    std::vector<Counted*> chain;
    for (Counted* c = &first; !c->started;) {
      chain.push_back(c);
      c->started = true;
      const auto next = counters_.find(c->counter.start);
      if (next == counters_.end()) break;
      c = &next->second;
    }
    for (; !chain.empty(); chain.pop_back()) {
      Counted& c = *chain.back();
      if (const auto from = counters_.find(c.counter.start); from != counters_.end())
        c.counter.start = s_.computed(from->second.counter, c.entered_from, 0);
    }
  }

  // Computes pointers that are counted in each block that has uses of them: a test at the header, which may
  // move, does without.
  void compute_where_used() {
    for (auto& [p, counted] : counters_) find_start(counted);
    std::map<ValueId, ValueId> here;
    auto place = [&](ValueId p, BlockId b) {
      const auto counted = counters_.find(p);
      if (counted == counters_.end()) return p;
      const auto [made, fresh] = here.try_emplace(p);
      if (fresh) made->second = s_.computed(counted->second.counter, b, here.size() - 1);
      return made->second;
    };
    for (BlockId b : f.layout) {
      here.clear();
      for (InstId i : std::vector<InstId>(f.block(b).insts)) {
        for (size_t k = 0; k < f.inst(i).operands.size(); ++k) {
          const ValueId v = place(f.inst(i).operands[k], b);
          f.inst(i).operands[k] = v;
        }
        for (size_t t = 0; t < f.inst(i).targets.size(); ++t) {
          const std::vector<ValueId> passed(f.inst(i).targets[t].args.begin(),
                                            f.inst(i).targets[t].args.end());
          for (size_t k = 0; k < passed.size(); ++k) {
            if (s_.is_removed(f.block(f.inst(i).targets[t].block).params[k])) continue;
            const ValueId v = place(passed[k], b);
            f.inst(i).targets[t].args[k] = v;
          }
        }
      }
    }
  }

  Function& f;
  InductionSplitter s_;
  Remarks* remarks_;
  std::optional<uint32_t> compared_in_;  // the cycle of
  std::vector<InstId> comparisons_;
  std::map<ValueId, Counted> counters_;
};

}  // namespace

bool count_pointers(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return PointerCounter(f, analyses, remarks).run();
}

}  // namespace kc
