// SPDX-License-Identifier: Apache-2.0
// split_inductions: variables of loops with barriers that all work-items increase by the same amounts.
//
// A group runs such a loop part by part, each part for one wave after the other. A variable that differs from
// work-item to work-item is in memory between two parts, one vector for each wave, and addresses made of it
// are no longer known to be next to each other. What it starts with is computed again where it is needed, or
// at least does not change; what has been added to it is the same for all.
//
//     br -> b1(%start)                      br -> b1(0)
//   b1(%1: i32):                          b1(%3: i32):
//     %2: i32 = add %1, %stride    ==>      %1: i32 = add %start, %3
//     barrier                               %4: i32 = add %3, %stride
//     br_if %c -> b1(%2), b2                barrier
//                                           br_if %c -> b1(%4), b2
//
// count_pointers: the same of pointers that a loop compares with another one, from the same start.
//
//     br -> b1(%row)                        br -> b1(0)
//   b1(%1: ptr):                          b1(%3: i64):
//     %2: i1 = ult %1, %end        ==>      %1: ptr = ptr_add %row, %3 scale=4
//     br_if %2 -> b2, b3                    %2: i1 = slt %3, %n              %end is ptr_add %row, %n scale=4
//
// Pointers that are compared are in one object, so that they do not wrap.
#include "passes/transform/split_inductions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostIncrements = 16;  // of an edge

class Splitter {
 public:
  Splitter(Function& function, AnalysisCache& analyses, Remarks* remarks = nullptr)
      : f(function),
        cfg_(analyses.cfg()),
        u_(analyse_uniformity(function, {.lane_y = true, .lane_z = true}, cfg_)),
        replaced_(function),
        remarks_(remarks) {}

  bool split_across_barriers() {
    for (uint32_t c = 0; c < u_.cycles.cycles.size(); ++c)
      if (u_.cycles.cycles[c].reducible() && has_barrier(c)) each_parameter(c, &Splitter::split_any);
    return finish();
  }
  bool count_pointers() {
    for (uint32_t c = 0; c < u_.cycles.cycles.size(); ++c)
      if (u_.cycles.cycles[c].reducible()) each_parameter(c, &Splitter::split_compared);
    return finish();
  }

 private:
  struct Increment {
    InstId sum;
    size_t by = 1;  // its operand
  };
  // A value as something that differs between work-items and what is added to that.
  struct Sums {
    ValueId from;
    std::vector<Increment> increments;  // the first one last
  };
  struct Edge {
    BlockId from;
    size_t target = 0;
    Sums passed;
  };

  bool has_barrier(uint32_t c) const {
    return std::ranges::any_of(u_.cycles.nodes(c), [&](uint32_t n) {
      return std::ranges::any_of(f.block(BlockId(n)).insts,
                                 [&](InstId i) { return f.inst(i).op == Op::barrier; });
    });
  }

  struct Loop {
    uint32_t cycle = 0;
    BlockId header;
    size_t param = 0;
    std::vector<Edge> edges;  // into the header, that from outside first
  };
  void each_parameter(uint32_t c, void (Splitter::*visit)(const Loop&)) {
    Loop loop{.cycle = c, .header = BlockId(u_.cycles.cycles[c].header)};
    const size_t count = f.block(loop.header).params.size();
    for (loop.param = 0; loop.param < count; ++loop.param) {
      const ValueId p = f.block(loop.header).params[loop.param];
      const Type t = f.type(p);
      if (!differs(p) || !(t == kI32 || t == kI64 || t.is_pointer())) continue;
      loop.edges = find_edges(c, loop.header, loop.param);
      if (!loop.edges.empty()) (this->*visit)(loop);
    }
  }
  void split_any(const Loop& loop) {
    const ValueId p = f.block(loop.header).params[loop.param];
    const ValueId sum = split(loop, 1);
    replaced_.set(p, computed({loop.edges.front().passed.from, sum}, loop.header, 0));
  }

  // Between work-items; or new.
  bool differs(ValueId v) const {
    return !f.is_inline(v) && (v.index >= u_.divergent.size() || u_.divergent[v.index]);
  }

  // A comparison of the variable, or a sum of it, with a pointer from the same start.
  struct Test {
    InstId inst;
    size_t end = 0;  // its operand that is the latter
    Sums pointer, bound;
  };
  void split_compared(const Loop& loop) {
    const ValueId p = f.block(loop.header).params[loop.param];
    if (!f.type(p).is_pointer()) return;
    std::vector<Test> tests;
    int64_t unit = 0;
    for (InstId i : comparisons_of_pointers(loop.cycle))
      for (size_t k : {0, 1}) {
        const Inst& inst = f.inst(i);
        Test t{i, k, sums(inst.operands[1 - k], p), sums(inst.operands[k], ValueId())};
        if (t.pointer.from != p || t.bound.from != loop.edges.front().passed.from) continue;
        if (!are_small(t.pointer) || !are_small(t.bound)) return;
        for (const Sums* s : {&t.pointer, &t.bound}) unit = common_unit(unit, *s);
        tests.push_back(std::move(t));
        break;
      }
    if (tests.empty()) return;
    for (const Edge& e : loop.edges) {
      if (!are_small(e.passed)) return;
      unit = common_unit(unit, e.passed);
    }
    if (unit == 0) return;
    const ValueId sum = split(loop, unit);
    for (const Test& t : tests) {
      const BlockId b = f.inst(t.inst).block;
      auto before = [&] {
        const auto& insts = f.block(b).insts;
        return static_cast<size_t>(std::ranges::find(insts, t.inst) - insts.begin());
      };
      const ValueId counted = increased(sum, kI64, t.pointer, unit, b, before),
                    end = increased(f.constant(kI64, 0), kI64, t.bound, unit, b, before);
      Inst& inst = f.inst(t.inst);
      inst.op = *counted_as(inst.op);
      inst.operands[t.end] = end, inst.operands[1 - t.end] = counted;
    }
    if (remarks_)
      remarks_->add(
          {"count_pointers", f.inst(tests.front().inst).loc, "loop ends at a count, not at a pointer"});
    counters_[p] = {loop.edges.front().passed.from, sum, unit};
  }
  const std::vector<InstId>& comparisons_of_pointers(uint32_t c) {
    if (compared_in_ == c) return comparisons_;
    compared_in_ = c;
    comparisons_.clear();
    for (uint32_t n : u_.cycles.nodes(c))
      for (InstId i : f.block(BlockId(n)).insts)
        if (counted_as(f.inst(i).op) && f.type(f.inst(i).operands[0]).is_pointer()) comparisons_.push_back(i);
    return comparisons_;
  }
  // Then their products and sums are numbers of 64 bits.
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

  // The edge into the loop first. None if the parameter is something else, or has several starts.
  std::vector<Edge> find_edges(uint32_t c, BlockId header, size_t k) const {
    const ValueId p = f.block(header).params[k];
    std::vector<Edge> edges;
    bool grows = false, starts = false;
    const bool all = every_edge_into(f, cfg_, header, [&](BlockId from, const Target& t) {
      Edge e{from, static_cast<size_t>(&t - f.successors(from).data()), sums(t.args[k], p)};
      if (!u_.cycles.contains(c, from)) {
        edges.insert(edges.begin(), std::move(e));
        return !std::exchange(starts, true);
      }
      grows |= !e.passed.increments.empty();
      edges.push_back(std::move(e));
      return edges.back().passed.from == p;
    });
    return all && grows && starts ? edges : std::vector<Edge>();
  }

  // Down to the parameter, or as far as what is added is the same for all.
  Sums sums(ValueId v, ValueId param) const {
    Sums r{.from = v, .increments = {}};
    while (r.from != param && r.increments.size() < kMostIncrements) {
      const InstId d = f.def(r.from);
      if (!d) break;
      const Inst& inst = f.inst(d);
      if (inst.op != Op::add && inst.op != Op::ptr_add) break;
      const size_t by = inst.op == Op::add && !differs(inst.operands[0]) ? 0 : 1;
      if (differs(inst.operands[by])) break;
      r.increments.push_back({d, by});
      r.from = inst.operands[1 - by];
    }
    return r;
  }

  // Returns the sum, of a pointer in units of so many bytes.
  ValueId split(const Loop& loop, int64_t unit) {
    const ValueId p = f.block(loop.header).params[loop.param];
    const Type type = f.type(p).is_pointer() ? kI64 : f.type(p);
    const ValueId sum = f.add_param(loop.header, type);
    for (const Edge& e : loop.edges) {
      const ValueId before = &e == &loop.edges.front() ? f.constant(type, 0) : sum;
      const ValueId next =
          increased(before, type, e.passed, unit, e.from, [&] { return f.block(e.from).insts.size() - 1; });
      f.inst(f.terminator(e.from)).targets[e.target].args.push_back(next);
    }
    doomed_.resize(f.value_count());
    doomed_[p.index] = true;
    return sum;
  }
  // A variable of a loop as what it starts with and a sum, of a pointer in units of so many bytes.
  struct Counter {
    ValueId start, sum;
    int64_t unit = 1;
  };
  ValueId computed(const Counter& c, BlockId b, size_t place) {
    const Type type = f.type(c.start);
    const InstId i = f.create(type.is_pointer() ? Op::ptr_add : Op::add, {c.start, c.sum}, {});
    if (type.is_pointer()) f.inst(i).attrs = {c.unit, 0};
    f.insert(b, place, i);
    return f.add_result(i, type);
  }
  // Computes pointers that are counted in each block that has uses of them: a test at the header, which may
  // move, does without.
  void compute_where_used() {
    if (counters_.empty()) return;
    std::map<ValueId, ValueId> here;
    auto place = [&](auto& self, ValueId p, BlockId b) -> ValueId {
      const auto counter = counters_.find(p);
      if (counter == counters_.end()) return p;
      if (const auto known = here.find(p); known != here.end()) return known->second;
      Counter c = counter->second;
      c.start = self(self, c.start, b);
      return here[p] = computed(c, b, here.size());
    };
    for (BlockId b : f.layout) {
      here.clear();
      for (InstId i : std::vector<InstId>(f.block(b).insts)) {
        for (size_t k = 0; k < f.inst(i).operands.size(); ++k) {
          const ValueId v = place(place, f.inst(i).operands[k], b);
          f.inst(i).operands[k] = v;
        }
        for (size_t t = 0; t < f.inst(i).targets.size(); ++t) {
          const std::vector<ValueId> passed(f.inst(i).targets[t].args.begin(),
                                            f.inst(i).targets[t].args.end());
          for (size_t k = 0; k < passed.size(); ++k) {
            if (doomed_[f.block(f.inst(i).targets[t].block).params[k].index]) continue;
            const ValueId v = place(place, passed[k], b);
            f.inst(i).targets[t].args[k] = v;
          }
        }
      }
    }
  }

  // A sum with these increments, at a place of a block.
  template <class Where>
  ValueId increased(ValueId sum, Type type, const Sums& by, int64_t unit, BlockId b, Where where) {
    auto make = [&](Op op, Loc loc, ValueList operands) {
      const InstId i = f.create(op, std::move(operands), {}, loc);
      f.insert(b, where(), i);
      return f.add_result(i, type);
    };
    auto number = [&](int64_t n) { return f.constant(kI64, static_cast<uint64_t>(n)); };
    for (const Increment& at : std::views::reverse(by.increments)) {
      const Inst& increment = f.inst(at.sum);
      ValueId more = increment.operands[at.by];
      const Loc loc = increment.loc;
      if (increment.op == Op::ptr_add) {
        const int64_t scale = increment.attrs[0], offset = increment.attrs[1];
        if (const auto known = signed_constant(f, more)) {
          more = number((*known * scale + offset) / unit);
        } else {
          if (f.type(more).bits() < 64) more = make(Op::sext, loc, {more});
          more =
              make(Op::add, loc, {make(Op::mul, loc, {more, number(scale / unit)}), number(offset / unit)});
        }
      }
      sum = make(Op::add, loc, {sum, more});
    }
    return sum;
  }
  bool finish() {
    if (doomed_.empty()) return false;
    doomed_.resize(f.value_count());
    compute_where_used();
    apply_replacements(f, replaced_);
    remove_params(f, doomed_);
    return true;
  }

  Function& f;
  const Cfg& cfg_;
  const Uniformity u_;  // of all work-items of a group
  Replacements replaced_;
  std::optional<uint32_t> compared_in_;  // the cycle of
  std::vector<InstId> comparisons_;
  std::map<ValueId, Counter> counters_;
  std::vector<bool> doomed_;  // by value: parameters
  Remarks* remarks_;
};

}  // namespace

bool split_inductions(Function& f, AnalysisCache& analyses) {
  return has_any(f, {Op::barrier}) && Splitter(f, analyses).split_across_barriers();
}
bool count_pointers(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return Splitter(f, analyses, remarks).count_pointers();
}

}  // namespace kc
