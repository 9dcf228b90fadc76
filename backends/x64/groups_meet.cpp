// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/groups_meet.h"

#include <algorithm>
#include <utility>

#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostLoads = 16;  // which are looked at one by one

// Loads from local memory that no wave of the group changes while others load: waves that have come from the
// same barrier have nothing to store to it until the next one.
class SettledLoads {
 public:
  SettledLoads(const Function& wave, const Cfg& cfg, std::span<const BlockId> after_barriers)
      : f(wave), cfg_(cfg) {
    std::vector<bool> together(f.block_count());
    for (BlockId b : after_barriers) together[b.index] = true;
    first_.resize(f.block_count()), last_.resize(f.block_count());
    for (BlockId b : cfg_.rpo) {
      first_[b.index] = parts_.size();
      parts_.push_back({.block = b, .behind_barrier = b == f.entry() || together[b.index]});
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (inst.op == Op::lane_barrier) {
          parts_.push_back({.block = b, .behind_barrier = true});
        } else if (inst.op == Op::uniform_load && f.type(inst.operands[0]).elem == Elem::PtrLocal) {
          loads_.push_back({i, parts_.size() - 1});
        } else if (info(inst.op).effects == Effects::Write) {
          parts_.back().stores |=
              std::ranges::any_of(inst.operands, [&](ValueId v) { return f.type(v).elem == Elem::PtrLocal; });
        }
      }
      last_[b.index] = parts_.size() - 1;
    }
  }

  std::set<InstId> run() const {
    std::set<InstId> r;
    if (loads_.size() <= kMostLoads)
      for (const auto& [load, part] : loads_)
        if (is_settled(part)) r.insert(load);
    return r;
  }

 private:
  // Of a block, between two barriers.
  struct Part {
    BlockId block;
    bool behind_barrier = false, stores = false;
  };

  // Whether no part stores that follows one of the barriers before this one, up to the next.
  bool is_settled(size_t at) const {
    std::vector<bool> before(parts_.size()), after(parts_.size());
    std::vector<size_t> work{at}, starts;
    before[at] = true;
    while (!work.empty()) {
      const size_t n = work.back();
      work.pop_back();
      if (parts_[n].behind_barrier) {
        starts.push_back(n);
        continue;
      }
      for (BlockId p : cfg_.preds[parts_[n].block.index])
        if (const size_t m = last_[p.index]; !before[m]) before[m] = true, work.push_back(m);
    }
    for (size_t n : starts) after[n] = true;
    for (work = std::move(starts); !work.empty();) {
      const size_t n = work.back();
      work.pop_back();
      if (parts_[n].stores) return false;
      if (n != last_[parts_[n].block.index]) continue;
      for (const Target& t : f.successors(parts_[n].block)) {
        const size_t m = first_[t.block.index];
        if (!parts_[m].behind_barrier && !after[m]) after[m] = true, work.push_back(m);
      }
    }
    return true;
  }

  const Function& f;
  const Cfg& cfg_;
  std::vector<Part> parts_;
  std::vector<size_t> first_, last_;              // parts, by block
  std::vector<std::pair<InstId, size_t>> loads_;  // and their parts
};

}  // namespace

WaveDifferences::WaveDifferences(const Function& wave, std::span<const BlockId> after_barriers)
    : f(wave), cfg_(f), post_(f, cfg_), users_(users_of(f, cfg_.rpo)), differs_(f.value_count()) {
  apart_.resize(f.block_count());
  until_.resize(f.block_count());
  passed_.resize(f.value_count());
  for (ValueId p : f.block(f.entry()).params)
    if (f.type(p).is_mask()) differ(p);
  settled_ = SettledLoads(f, cfg_, after_barriers).run();
  for (BlockId b : cfg_.rpo)
    for (InstId i : f.block(b).insts)
      if (is_source(i)) results_differ(f.inst(i));
  while (!work_.empty()) {
    const ValueId v = work_.back();
    work_.pop_back();
    for (InstId i : users_[v.index]) use(f.inst(i), v);
  }
}

bool WaveDifferences::is_source(InstId i) const {
  const Inst& inst = f.inst(i);
  const OpInfo& row = info(inst.op);
  if (row.has(LaneSource) || row.effects == Effects::Write || row.effects == Effects::CrossLane) return true;
  if (row.effects == Effects::Read)
    return inst.operands.empty() ||
           (f.type(inst.operands[0]).elem != Elem::PtrConstant && !settled_.contains(i));
  return std::ranges::any_of(inst.results, [&](ValueId v) { return f.type(v).lane; });
}
void WaveDifferences::differ(ValueId v) {
  if (differs_[v.index] || f.is_inline(v)) return;
  differs_[v.index] = true;
  work_.push_back(v);
}
void WaveDifferences::results_differ(const Inst& inst) {
  for (ValueId v : inst.results) differ(v);
}

void WaveDifferences::use(const Inst& inst, ValueId v) {
  if (inst.targets.empty()) return results_differ(inst);
  for (const Target& t : inst.targets)
    for (size_t k = 0; k < t.args.size(); ++k)
      if (t.args[k] == v) differ(f.block(t.block).params[k]);
  if (std::ranges::find(inst.operands, v) != inst.operands.end()) part_at(inst.block);
}

// Waves leave the block by different edges. What lies before they meet again runs in some of them only, or
// not equally often.
void WaveDifferences::part_at(BlockId branch) {
  parting_.push_back(branch);
  while (!parting_.empty()) {
    const BlockId b = parting_.back();
    parting_.pop_back();
    edges_part(b);
    for (const Target& t : f.successors(b)) go_apart_until(post_.ipdom[b.index], t.block);
  }
}
// From x along the post-dominators. Paths that were walked before are jumped over.
void WaveDifferences::go_apart_until(BlockId meet, BlockId x) {
  while (x.valid() && x != meet) {
    BlockId& until = until_[x.index];
    if (!apart_[x.index]) {
      go_apart(x);
      until = post_.ipdom[x.index];
    } else if (!until.valid() || (meet.valid() && post_.post_dominates(until, meet))) {
      return;
    }
    x = std::exchange(until, meet);
  }
}
void WaveDifferences::go_apart(BlockId b) {
  apart_[b.index] = true;
  for (ValueId p : f.block(b).params) differ(p);
  for (InstId i : f.block(b).insts) results_differ(f.inst(i));
  edges_part(b);
  if (f.successors(b).size() > 1) parting_.push_back(b);
}
// Some waves take these edges while others take other ones to the same place. Where all of them pass the
// same value, it is one.
void WaveDifferences::edges_part(BlockId b) {
  for (const Target& t : f.successors(b))
    for (size_t k = 0; k < t.args.size(); ++k) {
      const ValueId param = f.block(t.block).params[k];
      ValueId& passed = passed_[param.index];
      if (!passed.valid()) passed = t.args[k];
      if (passed != t.args[k] || f.is_undef(passed)) differ(param);
    }
}

bool groups_meet(const Function& wave) {
  std::vector<const Inst*> barriers;
  for (BlockId b : wave.layout)
    for (InstId i : wave.block(b).insts)
      if (wave.inst(i).op == Op::lane_barrier) barriers.push_back(&wave.inst(i));
  if (barriers.empty()) return false;
  const auto& params = wave.block(wave.entry()).params;
  for (const Inst* barrier : barriers)
    if (std::ranges::find(params, barrier->operands[0]) == params.end()) return false;
  const WaveDifferences waves(wave);
  return std::ranges::all_of(barriers, [&](const Inst* barrier) { return waves.together(barrier->block); });
}

}  // namespace kc::x64
