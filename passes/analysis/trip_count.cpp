// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/trip_count.h"

#include <algorithm>

#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMaxExits = 4;  // exits tried

}  // namespace

RoundEvaluator::RoundEvaluator(const Function& function, const Cfg& cfg, const Cycles& cycles, uint32_t cycle)
    : f(function), cycles_(cycles), cycle_(cycle), header_(cycles.cycles[cycle].header) {
  params_.resize(f.block(header_).params.size());
  std::vector<const Target*> entries;
  BlockId last;
  for (BlockId p : cfg.preds[header_.index]) {
    if (p == last || !cfg.reachable(p)) continue;
    last = p;
    for (const Target& t : f.successors(p))
      if (t.block == header_) (cycles.contains(cycle, p) ? latches_ : entries).push_back(&t);
  }
  for (size_t k = 0; k < params_.size(); ++k)
    if (entries.size() == 1 && f.is_const(entries[0]->args[k]))
      params_[k] = f.value(entries[0]->args[k]).bits;
}

std::optional<uint64_t> RoundEvaluator::value(ValueId v, int depth) {
  if (f.is_const(v)) return f.value(v).bits;
  const Value& value_of_v = f.value(v);
  if (value_of_v.kind == ValueKind::Param)
    return BlockId(value_of_v.owner) == header_ ? params_[value_of_v.index] : std::nullopt;
  InstId d = f.def(v);
  if (!d.valid() || depth == 0 || !cycles_.contains(cycle_, f.inst(d).block)) return std::nullopt;
  const Inst& inst = f.inst(d);
  const OpInfo& row = info(inst.op);
  if (row.effects != Effects::None || !row.eval || inst.operands.empty() || inst.operands.size() > 3)
    return std::nullopt;
  if (auto it = known_.find(v.index); it != known_.end()) return it->second;
  uint64_t bits[3] = {};
  bool all = true;
  for (size_t k = 0; k < inst.operands.size() && all; ++k) {
    auto operand = value(inst.operands[k], depth - 1);
    all = operand.has_value();
    bits[k] = operand.value_or(0);
  }
  const std::optional<uint64_t> result = all ? evaluated(f, inst, bits) : std::nullopt;
  known_.emplace(v.index, result);
  return result;
}

void RoundEvaluator::next_round() {
  std::vector<std::optional<uint64_t>> next(params_.size());
  for (size_t k = 0; k < next.size(); ++k) {
    next[k] = value(latches_[0]->args[k]);
    for (const Target* t : latches_)
      if (value(t->args[k]) != next[k]) next[k].reset();
  }
  params_ = std::move(next);
  known_.clear();
}

std::optional<TripCount> find_trip_count(const Function& f, const Cfg& cfg, const DominatorTree& tree,
                                         const Cycles& cycles, uint32_t cycle, uint32_t most) {
  BlockId header(cycles.cycles[cycle].header);
  size_t tried = 0;
  for (uint32_t n : cycles.nodes(cycle)) {
    BlockId b(n);
    const Inst& end = f.inst(f.terminator(b));
    if (end.op != Op::br_if) continue;
    bool stays[2] = {cycles.contains(cycle, end.targets[0].block),
                     cycles.contains(cycle, end.targets[1].block)};
    bool every_round = std::ranges::all_of(cfg.preds[header.index], [&](BlockId p) {
      return !cycles.contains(cycle, p) || tree.dominates(b, p);
    });
    if (stays[0] == stays[1] || !every_round) continue;
    if (++tried > kMaxExits) break;
    RoundEvaluator run(f, cfg, cycles, cycle);
    for (uint32_t round = 0; round <= most; ++round, run.next_round()) {
      auto condition = run.value(end.operands[0]);
      if (!condition) break;
      size_t taken = *condition & 1 ? 0 : 1;
      if (!stays[taken]) return TripCount{b, taken, round};
    }
  }
  return std::nullopt;
}

}  // namespace kc
