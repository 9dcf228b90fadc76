// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/few_lanes.h"

#include <algorithm>
#include <map>
#include <vector>

#include "passes/analysis/phi_webs.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostForFirstLanes = 24;  // instructions, of which there are several copies

}  // namespace

std::set<ValueId> masks_of(const Function& f, ValueId condition, const Lists<InstId>& users) {
  std::set<ValueId> masks, seen{condition};
  std::vector<ValueId> pending{condition};
  while (!pending.empty()) {
    const ValueId at = pending.back();
    pending.pop_back();
    for (InstId i : users[at.index]) {
      const Inst& inst = f.inst(i);
      if (inst.op == Op::mask_cond) masks.insert(inst.results[0]);
      if (inst.op == Op::and_ && seen.insert(inst.results[0]).second) pending.push_back(inst.results[0]);
    }
  }
  return masks;
}

void copy_for_few_lanes(Function& f, std::span<const BlockId> blocks, std::span<const BlockId> copies,
                        ValueId condition, const Lists<InstId>& users, uint64_t bits) {
  const ValueMap copied = copy_inside(f, blocks, copies, {});
  const ValueId lanes = f.constant(kMask, bits);
  std::map<ValueId, InstId> narrowed;  // what takes the place of a mask
  for (ValueId m : masks_of(f, condition, users)) {
    const ValueId all = copied.at(m.index);
    const InstId i = f.create(Op::mask_and, {all, lanes}, {});
    f.add_result(i, kMask);
    narrowed[all] = i;
  }
  auto narrow = [&](ValueId& v) {
    if (const auto at = narrowed.find(v); at != narrowed.end()) v = f.result(at->second);
  };
  for (BlockId b : copies) {
    if (f.block(b).mask.valid()) narrow(f.block(b).mask);
    for (InstId i : f.block(b).insts) {
      Inst& inst = f.inst(i);
      for (ValueId& v : inst.operands) narrow(v);
      for (Target& t : inst.targets) std::ranges::for_each(t.args, narrow);
    }
  }
  for (const auto& [all, i] : narrowed) {
    const BlockId b = f.inst(i).block = block_of(f, all);
    auto& insts = f.block(b).insts;
    insts.insert(std::ranges::find(insts, f.def(all)) + 1, i);
  }
}

std::optional<FirstLanes> find_first_lanes(const Function& f, const Border& border,
                                           std::span<const BlockId> blocks, const Lists<InstId>& users,
                                           ValueId all) {
  const Inst& test = f.inst(border.inst);
  if (test.op != Op::ult && test.op != Op::slt) return std::nullopt;
  const ValueId id = test.operands[0], bound = test.operands[1];
  if (f.type(bound).lane) return std::nullopt;
  if (!is_local_id(f, id)) return std::nullopt;
  const std::set<ValueId> masks = masks_of(f, f.result(border.inst), users);
  if (masks.size() != 1) return std::nullopt;
  const Inst& mask = f.inst(f.def(*masks.begin()));
  if (mask.operands[0] != all || mask.operands[1] != f.result(border.inst)) return std::nullopt;
  size_t count = 0;
  bool loads = false, stores = false;
  for (BlockId b : blocks)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      ++count;
      if (inst.op != Op::lane_load && inst.op != Op::lane_store) continue;
      const bool local = f.type(inst.operands[1]).elem == Elem::PtrLocal;
      (inst.op == Op::lane_load ? loads : stores) |= local;
    }
  if (count > kMostForFirstLanes || !loads || !stores) return std::nullopt;
  return FirstLanes{*masks.begin(), id, bound};
}

ValueId are_first(Builder& build, ValueId id, ValueId bound, unsigned n) {
  Function& f = build.f;
  const Type word{f.type(id).elem};
  const ValueId all = f.constant(kMask, ~uint64_t{0} >> (64 - f.width)),
                first = build.make(Op::first_lane, word, {all, id}),
                last = build.make(Op::add, word, {first, f.constant(word, n)});
  return build.make(Op::eq, kI1, {last, bound});
}

}  // namespace kc::x64
