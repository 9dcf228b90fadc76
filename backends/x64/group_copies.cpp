// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/group_copies.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "backends/x64/borders.h"
#include "backends/x64/wave_copies.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostInGroup = 1200;  // instructions of wave IR, of all waves

// What does not depend on the launch record, or is made from that of the first wave.
bool can_copy(const Function& f, const Inst& inst) {
  const auto is_private = [&](ValueId v) { return f.type(v).scalar() == kPtrPrivate; };
  const auto is_pointer = [&](ValueId v) { return f.type(v).is_pointer(); };
  if (std::ranges::any_of(inst.operands, is_private)) return false;
  const Effects effects = info(inst.op).effects;
  return (effects != Effects::Read && effects != Effects::Write) ||
         std::ranges::any_of(inst.operands, is_pointer);
}

// `id < n` where n is no constant: a loop over the waves ends after the first wave without such a lane, and
// has code for few lanes.
bool leaves_waves_idle(const Function& f, const Inst& inst) {
  const bool below = inst.op == Op::slt || inst.op == Op::sle || inst.op == Op::ult || inst.op == Op::ule;
  return below && is_local_id(f, inst.operands[0]) && !f.is_const(inst.operands[1]);
}

class GroupCopies {
 public:
  GroupCopies(Function& function, GroupRegions& regions, uint32_t waves)
      : f(function), g(regions), copies_(waves) {}

  void run() {
    make_fronts();
    std::vector<BlockId> layout{f.entry()};
    for (const Region& r : g.regions()) copy(r, layout);
    for (Target& t : f.inst(f.terminator(f.entry())).targets) t.block = fronts_.at(t.block);
    f.layout = std::move(layout);
  }

 private:
  // A block before the copies of each region, with the parameters of its start, those that differ once for
  // each wave.
  void make_fronts() {
    for (const Region& r : g.regions()) {
      const BlockId start = r.start(), front = fronts_[start] = g.new_block("waves");
      for (ValueId p : f.block(start).params) {
        const ValueId shared = g.differs(p) ? ValueId() : f.add_param(front, f.type(p));
        for (ValueMap& of : copies_) of[p.index] = shared.valid() ? shared : f.add_param(front, f.type(p));
      }
      params_[start] = std::exchange(f.block(start).params, {});
    }
  }

  void copy(const Region& r, std::vector<BlockId>& layout) {
    Builder build(f);
    build.block = fronts_.at(r.start());
    layout.push_back(build.block);
    std::vector<ValueList> passed;  // by wave: what its copy gives to the next region
    for (uint32_t w = 0; w < copies_.size(); ++w) {
      number_lanes(build, r, w);
      std::vector<BlockId> blocks;
      for (BlockId b : r.blocks) blocks.push_back(f.add_block(f.block(b).hint));
      copies_[w] = copy_inside(f, r.blocks, blocks, {}, std::move(copies_[w]));
      const BlockId next = g.new_block("next");
      ValueList& given = passed.emplace_back();
      if (r.exit.valid())
        for (ValueId p : params_.at(r.exit)) given.push_back(f.add_param(next, f.type(p)));
      for (size_t k = 0; k < blocks.size(); ++k) leave(r.blocks[k] == r.branch, blocks[k], next);
      build.br(blocks.front());
      layout.insert(layout.end(), blocks.begin(), blocks.end());
      layout.push_back(next);
      build.block = next;
    }
    if (r.exit.valid())
      build.br(fronts_.at(r.exit), arguments(r.exit, [&](size_t w, size_t k) { return passed[w][k]; }));
    else if (!r.branch.valid())
      build.ret();
    else
      branch(build, f.terminator(r.branch));
  }

  // The local ids of wave w are numbers; its global id along x is that of the first wave and so many more.
  void number_lanes(Builder& build, const Region& r, uint32_t w) {
    const uint64_t first = uint64_t{w} * f.width;
    for (BlockId b : r.blocks)
      for (InstId i : f.block(b).insts) {
        const Inst inst = f.inst(i);
        if (inst.op != Op::local_id && inst.op != Op::global_id) continue;
        const ValueId v = inst.results[0];
        const Type type = f.type(v);
        build.loc = inst.loc;
        ValueId& id = copies_[w][v.index];
        if (inst.op == Op::local_id)
          id = inst.attrs[0] == 0 ? ids_of_wave(build, type, first) : f.constant(type, 0);
        else if (inst.attrs[0] == 0 && first != 0)
          id = build.make(Op::add, type, {build.make(Op::global_id, type, {}, {0}), f.constant(type, first)});
        else
          copies_[w].erase(v.index);
      }
  }

  // Ways out of the copy of a region.
  void leave(bool by_branch, BlockId b, BlockId next) {
    const InstId last = f.terminator(b);
    if (by_branch || f.inst(last).targets.empty()) return make_jump(f.inst(last), {next, {}});
    for (Target& t : f.inst(last).targets)
      if (g.is_start(t.block)) t.block = next;
  }

  // What an edge passes to the start of a region, from what each wave passes.
  ValueList arguments(BlockId start, auto&& of_wave) {
    ValueList all;
    const auto& params = params_.at(start);
    for (size_t k = 0; k < params.size(); ++k)
      for (size_t w = 0; w < (g.differs(params[k]) ? copies_.size() : 1); ++w) all.push_back(of_wave(w, k));
    return all;
  }

  // The branch of the group.
  void branch(Builder& build, InstId original) {
    auto copy_of = [&](size_t w, ValueId v) {
      const auto at = copies_[w].find(v.index);
      return at == copies_[w].end() ? v : at->second;
    };
    const Inst from = f.inst(original);
    ValueList operands;
    for (ValueId v : from.operands) operands.push_back(copy_of(0, v));
    const InstId last = f.create(from.op, std::move(operands), {}, from.loc);
    f.inst(last).attrs = from.attrs, f.inst(last).targets = from.targets;
    for (Target& t : f.inst(last).targets) {
      const ValueList args = t.args;
      t.args = arguments(t.block, [&](size_t w, size_t k) { return copy_of(w, args[k]); });
      t.block = fronts_.at(t.block);
    }
    f.append(build.block, last);
  }

  Function& f;
  GroupRegions& g;
  std::vector<ValueMap> copies_;  // by wave
  std::map<BlockId, BlockId> fronts_;
  std::map<BlockId, std::vector<ValueId>> params_;  // of the starts of regions
};

}  // namespace

bool can_copy_group(const Function& f, const GroupRegions& g, uint32_t waves) {
  size_t count = 0;
  bool decide = false;
  for (const Region& r : g.regions()) {
    decide |= constants_bound_ids(f, r.blocks);
    for (BlockId b : r.blocks) {
      if (!std::ranges::all_of(f.block(b).insts, [&](InstId i) {
            return can_copy(f, f.inst(i)) && !leaves_waves_idle(f, f.inst(i));
          }))
        return false;
      count += f.block(b).insts.size();
    }
  }
  return decide && count * waves <= kMostInGroup;
}

void copy_group(Function& f, GroupRegions& g, uint32_t waves) { GroupCopies(f, g, waves).run(); }

}  // namespace kc::x64
