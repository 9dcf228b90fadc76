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
#include "passes/transform/split_inductions.h"

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostIncrements = 16;  // of an edge

class Splitter {
 public:
  Splitter(Function& function, AnalysisCache& analyses)
      : f(function),
        cfg_(analyses.cfg()),
        u_(analyse_uniformity(function, {.lane_y = true, .lane_z = true}, cfg_)),
        replaced_(function) {}

  bool run() {
    for (uint32_t c = 0; c < u_.cycles.cycles.size(); ++c)
      if (u_.cycles.cycles[c].reducible() && has_barrier(c)) look_at(c);
    if (replaced_.empty()) return false;
    apply_replacements(f, replaced_);
    remove_params(f, doomed_);
    return true;
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

  void look_at(uint32_t c) {
    const BlockId header(u_.cycles.cycles[c].header);
    const size_t count = f.block(header).params.size();
    for (size_t k = 0; k < count; ++k) {
      const ValueId p = f.block(header).params[k];
      const Type t = f.type(p);
      if (!u_.divergent[p.index] || !(t == kI32 || t == kI64 || t.is_pointer())) continue;
      if (const std::vector<Edge> edges = find_edges(c, header, k); !edges.empty()) split(header, k, edges);
    }
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
      const size_t by = inst.op == Op::add && !u_.divergent[inst.operands[0].index] ? 0 : 1;
      if (u_.divergent[inst.operands[by].index]) break;
      r.increments.push_back({d, by});
      r.from = inst.operands[1 - by];
    }
    return r;
  }

  void split(BlockId header, size_t k, const std::vector<Edge>& edges) {
    const ValueId p = f.block(header).params[k];
    const bool pointer = f.type(p).is_pointer();
    const Type type = pointer ? kI64 : f.type(p);
    const ValueId sum = f.add_param(header, type);
    for (const Edge& e : edges) {
      const ValueId before = &e == &edges.front() ? f.constant(type, 0) : sum;
      const ValueId next = increased(before, type, e);
      f.inst(f.terminator(e.from)).targets[e.target].args.push_back(next);
    }
    const InstId i = f.create(pointer ? Op::ptr_add : Op::add, {edges.front().passed.from, sum}, {});
    if (pointer) f.inst(i).attrs = {1, 0};
    replaced_.set(p, f.add_result(i, f.type(p)));
    f.insert(header, 0, i);
    doomed_.resize(f.value_count());
    doomed_[p.index] = true;
  }

  // What is passed on for the sum, computed at the end of the block: bytes of a pointer.
  ValueId increased(ValueId sum, Type type, const Edge& e) {
    auto make = [&](Op op, Loc loc, ValueList operands) {
      const InstId i = f.create(op, std::move(operands), {}, loc);
      f.insert(e.from, f.block(e.from).insts.size() - 1, i);
      return f.add_result(i, type);
    };
    auto number = [&](int64_t n) { return f.constant(kI64, static_cast<uint64_t>(n)); };
    for (const Increment& at : std::views::reverse(e.passed.increments)) {
      const Inst& increment = f.inst(at.sum);
      ValueId by = increment.operands[at.by];
      const Loc loc = increment.loc;
      if (increment.op == Op::ptr_add) {
        const int64_t scale = increment.attrs[0], offset = increment.attrs[1];
        if (f.type(by).bits() < 64) by = make(Op::sext, loc, {by});
        by = make(Op::add, loc, {make(Op::mul, loc, {by, number(scale)}), number(offset)});
      }
      sum = make(Op::add, loc, {sum, by});
    }
    return sum;
  }

  Function& f;
  const Cfg& cfg_;
  const Uniformity u_;  // of all work-items of a group
  Replacements replaced_;
  std::vector<bool> doomed_;  // by value: parameters
};

}  // namespace

bool split_inductions(Function& f, AnalysisCache& analyses) {
  return has_any(f, {Op::barrier}) && Splitter(f, analyses).run();
}

}  // namespace kc
