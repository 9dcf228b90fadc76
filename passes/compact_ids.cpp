// SPDX-License-Identifier: Apache-2.0
#include "passes/compact_ids.h"

#include <utility>

#include "passes/rewrite.h"

namespace kc {
namespace {

class Compactor {
 public:
  explicit Compactor(Function& function)
      : old(function), blocks_(old.block_count()), insts_(old.inst_count()), values_(old.value_count()) {}

  Function run() {
    f.name = std::move(old.name), f.dialect = old.dialect, f.is_kernel = old.is_kernel, f.width = old.width;
    f.reqd_local = old.reqd_local, f.reqd_sub_group = old.reqd_sub_group, f.params = std::move(old.params);
    f.vars = std::move(old.vars), f.objects = std::move(old.objects), f.traps = std::move(old.traps);
    f.files = std::move(old.files);
    make_blocks();
    make_instructions();
    make_values();
    for (BlockId b : old.layout) fill(b);
    return std::move(f);
  }

 private:
  void make_blocks() {
    std::vector<bool> kept(old.block_count());
    for (BlockId b : old.layout) kept[b.index] = true;
    for (uint32_t b = 0; b < kept.size(); ++b)
      if (kept[b]) blocks_[b] = f.add_block(std::move(old.block(BlockId(b)).hint));
    f.layout.clear();
    for (BlockId b : old.layout) f.layout.push_back(blocks_[b.index]);
  }

  void make_instructions() {
    std::vector<bool> kept(old.inst_count());
    for (BlockId b : old.layout)
      for (InstId i : old.block(b).insts) kept[i.index] = true;
    for (uint32_t i = 0; i < kept.size(); ++i) {
      if (!kept[i]) continue;
      const Inst& from = old.inst(InstId(i));
      insts_[i] = f.create(from.op, {}, {}, from.loc);
      f.inst(insts_[i]).attrs = from.attrs;
    }
  }

  void make_values() {
    std::vector<bool> kept(old.value_count());
    for (BlockId b : old.layout) {
      for (ValueId p : old.block(b).params) kept[p.index] = true;
      for (InstId i : old.block(b).insts)
        for (ValueId r : old.inst(i).results) kept[r.index] = true;
    }
    for_each_use(old, [&](ValueId v) { kept[v.index] = true; });
    for (uint32_t v = 0; v < kept.size(); ++v)
      if (kept[v]) {
        values_[v] = make(old.value(ValueId(v)));
        f.value(values_[v]).location = old.value(ValueId(v)).location;
      }
  }
  ValueId make(const Value& from) {
    switch (from.kind) {
      case ValueKind::Const:
        return f.constant(from.type, from.bits);
      case ValueKind::Undef:
        return f.undef(from.type);
      case ValueKind::Param:
        return f.add_param(blocks_[from.owner], from.type);
      case ValueKind::Result:
        return f.add_result(insts_[from.owner], from.type);
    }
    return {};
  }

  // Parameters and results stand where they stood, whatever the order of their ids.
  void fill(BlockId b) {
    Block &from = old.block(b), &to = f.block(blocks_[b.index]);
    to.params = renumbered(std::move(from.params));
    for (uint32_t k = 0; k < to.params.size(); ++k) f.value(to.params[k]).index = k;
    if (from.mask.valid()) to.mask = values_[from.mask.index];
    to.insts = std::move(from.insts);
    for (InstId& i : to.insts) {
      Inst& inst = old.inst(i);
      i = insts_[i.index];
      Inst& made = f.inst(i);
      made.block = blocks_[b.index];
      made.operands = renumbered(std::move(inst.operands));
      made.results = renumbered(std::move(inst.results));
      for (uint32_t k = 0; k < made.results.size(); ++k) f.value(made.results[k]).index = k;
      made.targets = std::move(inst.targets);
      for (Target& t : made.targets) {
        t.block = blocks_[t.block.index];
        t.args = renumbered(std::move(t.args));
      }
    }
  }
  template <typename List>
  List renumbered(List list) const {
    for (ValueId& v : list) v = values_[v.index];
    return list;
  }

  Function& old;
  Function f;
  std::vector<BlockId> blocks_;  // by old id
  std::vector<InstId> insts_;
  std::vector<ValueId> values_;
};

}  // namespace

void compact_ids(Function& f) { f = Compactor(f).run(); }

}  // namespace kc
