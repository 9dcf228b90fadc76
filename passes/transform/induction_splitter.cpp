// SPDX-License-Identifier: Apache-2.0
#include "passes/transform/induction_splitter.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "ir/cfg.h"
#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostIncrements = 16;  // of an edge

}  // namespace

InductionSplitter::InductionSplitter(Function& function, AnalysisCache& analyses)
    : f(function),
      cfg_(analyses.cfg()),
      u_(analyse_uniformity(function, {.lane_y = true, .lane_z = true}, cfg_)) {}

void InductionSplitter::each_variable(uint32_t cycle, const std::function<void(const Loop&)>& visit) {
  if (!u_.cycles.cycles[cycle].reducible()) return;
  Loop loop{.cycle = cycle, .header = BlockId(u_.cycles.cycles[cycle].header)};
  const size_t count = f.block(loop.header).params.size();
  for (loop.param = 0; loop.param < count; ++loop.param) {
    const ValueId p = variable(loop);
    const Type t = f.type(p);
    if (!differs(p) || !(t == kI32 || t == kI64 || t.is_pointer())) continue;
    loop.edges = find_edges(cycle, loop.header, loop.param);
    if (!loop.edges.empty()) visit(loop);
  }
}

// The edge into the loop first. None if the parameter is something else, or has several starts.
std::vector<InductionSplitter::Edge> InductionSplitter::find_edges(uint32_t c, BlockId header,
                                                                   size_t k) const {
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

InductionSplitter::Sums InductionSplitter::sums(ValueId v, ValueId param) const {
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

ValueId InductionSplitter::add_sum(const Loop& loop, int64_t unit) {
  const ValueId p = variable(loop);
  const Type type = f.type(p).is_pointer() ? kI64 : f.type(p);
  const ValueId sum = f.add_param(loop.header, type);
  for (const Edge& e : loop.edges) {
    const ValueId before = &e == &loop.edges.front() ? f.constant(type, 0) : sum;
    const ValueId next = increased(before, e.passed, unit, f.terminator(e.from));
    f.inst(f.terminator(e.from)).targets[e.target].args.push_back(next);
  }
  doomed_.resize(f.value_count());
  doomed_[p.index] = true;
  return sum;
}

ValueId InductionSplitter::computed(const Counter& c, BlockId b, size_t place) {
  const Type type = f.type(c.start);
  const InstId i = f.create(type.is_pointer() ? Op::ptr_add : Op::add, {c.start, c.sum}, {});
  if (type.is_pointer()) f.inst(i).attrs = {c.unit, 0};
  f.insert(b, place, i);
  return f.add_result(i, type);
}
ValueId InductionSplitter::increased(ValueId sum, const Sums& by, int64_t unit, InstId before) {
  const BlockId b = f.inst(before).block;
  const Type type = f.type(sum);
  auto make = [&](Op op, Loc loc, ValueList operands) {
    const InstId i = f.create(op, std::move(operands), {}, loc);
    const auto& insts = f.block(b).insts;
    f.insert(b, static_cast<size_t>(std::ranges::find(insts, before) - insts.begin()), i);
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
        more = make(Op::add, loc, {make(Op::mul, loc, {more, number(scale / unit)}), number(offset / unit)});
      }
    }
    sum = make(Op::add, loc, {sum, more});
  }
  return sum;
}

bool InductionSplitter::finish() {
  if (doomed_.empty()) return false;
  doomed_.resize(f.value_count());
  remove_params(f, doomed_);
  return true;
}

}  // namespace kc
