// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/workgroup_memory_roots.h"

#include <algorithm>

#include "ir/launch.h"

namespace kc::spirv {

LocalRoots::LocalRoots(const Function& function) : f(function) {
  const MemoryLayout layout = lay_out_objects(f, kPtrLocal);
  for (size_t i = 0; i < f.objects.size(); ++i) {
    if (f.objects[i].type != kPtrLocal) continue;
    roots.push_back({.object = static_cast<int>(i)});
    offsets_.push_back(layout.offsets[i]);
  }
  const auto& params = f.block(f.entry()).params;
  for (size_t i = 0; i < params.size(); ++i)
    if (f.type(params[i]) == kPtrLocal) roots.push_back({.param = static_cast<int>(i)});
  trees_ = DisjointSets(1 + roots.size() + f.value_count());
  for (size_t r = 0; r < roots.size(); ++r)
    if (roots[r].param >= 0)
      unite(static_cast<uint32_t>(1 + r), node_of(params[static_cast<size_t>(roots[r].param)]));
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) follow(f.inst(i));
  decide();
}

// Null and undefined pointers have no root. A constant points to the start of its object, since no pass folds
// pointer arithmetic on it.
uint32_t LocalRoots::node_of(ValueId v) const {
  if (f.type(v) != kPtrLocal || f.is_undef(v)) return kNowhere;
  if (!f.is_const(v)) return static_cast<uint32_t>(1 + roots.size() + v.index);
  if (f.value(v).bits == 0) return kNowhere;
  size_t root = root_at(f.value(v).bits);
  return root < roots.size() ? static_cast<uint32_t>(1 + root) : 0;
}

size_t LocalRoots::root_at(uint64_t offset) const {
  auto at = std::ranges::find(offsets_, offset);
  return at == offsets_.end() ? roots.size() : static_cast<size_t>(at - offsets_.begin());
}

void LocalRoots::unite(uint32_t a, uint32_t b) {
  if (a != kNowhere && b != kNowhere) trees_.join(b, a);
}

void LocalRoots::follow(const Inst& inst) {
  for (const Target& t : inst.targets)
    for (size_t i = 0; i < t.args.size(); ++i) unite(f.block(t.block).params[i], t.args[i]);
  const bool result_is_local = !inst.results.empty() && f.type(inst.results[0]) == kPtrLocal;
  switch (inst.op) {
    case Op::ptr_add:
      return unite(inst.results[0], inst.operands[0]);
    case Op::select:
      unite(inst.operands[1], inst.operands[2]);
      for (size_t k : {1, 2}) unite(inst.results[0], inst.operands[k]);
      return;
    case Op::eq:
    case Op::ne:
    case Op::ult:
    case Op::ule:
      return unite(inst.operands[0], inst.operands[1]);
    case Op::store:
    case Op::volatile_store:
      return unite(0, node_of(inst.operands[1]));
    case Op::bitcast:
      unite(0, node_of(inst.operands[0]));
      [[fallthrough]];
    default:
      from_anywhere_ |= result_is_local;
  }
}

// A pointer of unknown origin may point to any object, even to one whose address is apparently not taken: a
// pointer computed from it may have been folded to a constant.
void LocalRoots::decide() {
  auto look = [&](ValueId v) { from_anywhere_ |= node_of(v) == 0; };
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      std::ranges::for_each(f.inst(i).operands, look);
      for (const Target& t : f.inst(i).targets) std::ranges::for_each(t.args, look);
    }
  std::vector<uint32_t> members(trees_.size());
  for (size_t r = 0; r < roots.size(); ++r) ++members[trees_.root(static_cast<uint32_t>(1 + r))];
  for (size_t r = 0; r < roots.size(); ++r) {
    const uint32_t top = trees_.root(static_cast<uint32_t>(1 + r));
    roots[r].own = !from_anywhere_ && top != trees_.root(0) && members[top] == 1;
    if (roots[r].own) root_of_top_[top] = r;
  }
}

size_t LocalRoots::root_of(ValueId pointer) const {
  const uint32_t node = node_of(pointer);
  if (node == kNowhere) return roots.size();
  auto root = root_of_top_.find(trees_.root(node));
  return root == root_of_top_.end() ? roots.size() : root->second;
}

}  // namespace kc::spirv
