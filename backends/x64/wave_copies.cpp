// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/wave_copies.h"

#include <utility>

#include "backends/x64/borders.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostInCopies = 320;  // instructions, of all waves

}  // namespace

bool constants_bound_ids(const Function& f, std::span<const BlockId> blocks) {
  for (BlockId b : blocks)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (class_of(inst.op) != OpClass::IntCompare) continue;
      for (size_t k : {0, 1})
        if (f.is_const(inst.operands[k]) && is_local_id(f, inst.operands[1 - k])) return true;
    }
  return false;
}

bool ids_decide(const Function& f, std::span<const BlockId> blocks, uint32_t waves) {
  size_t count = 0;
  for (BlockId b : blocks) count += f.block(b).insts.size();
  return count * waves <= kMostInCopies && constants_bound_ids(f, blocks);
}

std::vector<BlockId> copy_for_each_wave(Function& f, GroupRegions& g, std::span<const BlockId> blocks,
                                        BlockId front, BlockId end, uint32_t waves) {
  std::vector<ValueId> ids;
  for (BlockId b : blocks)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == Op::local_id) ids.push_back(f.result(i));
  std::vector<BlockId> made;
  Builder build(f);
  build.block = front;
  for (uint32_t w = 0; w < waves; ++w) {
    const BlockId head = g.new_block("wave");
    build.br(head);
    build.block = head;
    if (w != 0) build.emit(Op::move_wave, {f.constant(kI64, 1)});
    ValueMap known;
    for (ValueId v : ids)
      known[v.index] =
          is_local_id(f, v) ? ids_of_wave(build, f.type(v), uint64_t{w} * f.width) : f.constant(f.type(v), 0);
    std::vector<BlockId> copies;
    for (BlockId b : blocks) copies.push_back(f.add_block(f.block(b).hint));
    copy_inside(f, blocks, copies, {}, std::move(known));
    build.br(copies.front());
    made.push_back(head);
    made.insert(made.end(), copies.begin(), copies.end());
    if (w + 1 == waves) break;
    const BlockId next = g.new_block("next");
    for (BlockId b : copies)
      for (Target& t : f.inst(f.terminator(b)).targets)
        if (t.block == end) t = {next, {}};
    made.push_back(next);
    build.block = next;
  }
  return made;
}

ValueId ids_of_wave(Builder& build, Type type, uint64_t first) {
  const Type words = kI32.lanes();
  ValueId v = build.make(Op::lane_id, words, {});
  if (first != 0) v = build.make(Op::add, words, {v, build.f.constant(words, first)});
  return words == type ? v : build.make(Op::zext, type, {v});
}

void join_moves(Function& f) {
  auto is_move = [&](InstId i) { return f.inst(i).op == Op::move_wave && f.is_const(f.inst(i).operands[0]); };
  std::vector<BlockId> layout;
  for (BlockId b : f.layout) {
    layout.push_back(b);
    for (InstId i : std::exchange(f.block(b).insts, {})) {
      const auto& insts = f.block(layout.back()).insts;
      const InstId last = insts.empty() ? InstId() : insts.back();
      const bool moved = last && is_move(last);
      if (moved && is_move(i)) {
        Inst& sum = f.inst(last);
        const uint64_t by = f.value(sum.operands[0]).bits + f.value(f.inst(i).operands[0]).bits;
        f.erase(i);
        sum.operands[0] = f.constant(kI64, by);
        if (by == 0) f.erase(last);
        continue;
      }
      if (moved && !info(f.inst(i).op).has(Terminator)) {
        const BlockId next = f.add_block("wave");
        f.block(next).mask = f.block(b).mask;
        Builder build(f);
        build.block = layout.back();
        build.br(next);
        layout.push_back(next);
      }
      f.append(layout.back(), i);
    }
  }
  f.layout = std::move(layout);
}

}  // namespace kc::x64
