// SPDX-License-Identifier: Apache-2.0
// Ids of instructions, values and blocks are never reused, so tables by id grow with every id ever allotted.
// Where most entities are gone, the rest is renumbered compactly.
#include <utility>

#include "ir/function.h"

namespace kc {
namespace {

constexpr uint32_t kGone = 0xffffffffu;

// By old id: the new one. Marked entries (0) keep their order.
struct NewIds {
  explicit NewIds(size_t count) : of(count, kGone) {}
  void keep(uint32_t id) { of[id] = 0; }
  // Numbers the marked entries, and calls move(to, from) for entries whose position changes.
  template <typename Move>
  size_t settle(Move move) {
    uint32_t next = 0;
    for (uint32_t id = 0; id < of.size(); ++id) {
      if (of[id] == kGone) continue;
      of[id] = next;
      if (next != id) move(next, id);
      ++next;
    }
    return next;
  }
  template <typename Id>
  void renumber(Id& id) const {
    id = Id(of[id.index]);
  }
  template <typename List>
  void renumber_all(List& list) const {
    for (auto& id : list) renumber(id);
  }
  std::vector<uint32_t> of;
};

}  // namespace

void Function::compact_ids() {
  NewIds blocks(blocks_.size()), insts(insts_.size()), values(values_.size());
  auto keep_all = [&](const auto& list) {
    for (ValueId v : list) values.keep(v.index);
  };
  for (BlockId b : layout) {
    blocks.keep(b.index);
    const Block& from = block(b);
    keep_all(from.params);
    if (from.mask.valid()) values.keep(from.mask.index);
    for (InstId i : from.insts) {
      insts.keep(i.index);
      const Inst& kept = inst(i);
      keep_all(kept.operands);
      keep_all(kept.results);
      for (const Target& t : kept.targets) keep_all(t.args);
    }
  }
  blocks_.resize(blocks.settle([&](uint32_t to, uint32_t from) { blocks_[to] = std::move(blocks_[from]); }));
  insts_.truncate(insts.settle([&](uint32_t to, uint32_t from) { insts_[to] = std::move(insts_[from]); }));
  values_.resize(values.settle([&](uint32_t to, uint32_t from) { values_[to] = values_[from]; }));

  blocks.renumber_all(layout);
  for (Block& b : blocks_) {
    values.renumber_all(b.params);
    if (b.mask.valid()) values.renumber(b.mask);
    insts.renumber_all(b.insts);
  }
  for (size_t i = 0; i < insts_.size(); ++i) {
    Inst& kept = insts_[i];
    blocks.renumber(kept.block);
    values.renumber_all(kept.operands);
    values.renumber_all(kept.results);
    for (Target& t : kept.targets) {
      blocks.renumber(t.block);
      values.renumber_all(t.args);
    }
  }
  interned_.clear();
  interned_count_ = 0;
  for (uint32_t v = 0; v < values_.size(); ++v) {
    Value& value = values_[v];
    if (value.kind == ValueKind::Param)
      value.owner = blocks.of[value.owner];
    else if (value.kind == ValueKind::Result)
      value.owner = insts.of[value.owner];
    else
      *place_to_intern(value) = ValueId(v);
  }
}

}  // namespace kc
