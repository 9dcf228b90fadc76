// SPDX-License-Identifier: Apache-2.0
// Ids of the launch record that a loop over the waves of a row changes, and the number of waves left, as
// values of the loop. In memory each of them would be loaded behind the stores of the wave before: on a Zen 4,
// code with masked stores takes a third longer then.
//
//   next:                                     entry: %1 = ctx_load x; br next(%1)
//     %2 = ctx_load x                         next(%2):
//     ...                                       ...
//   more:                              ==>    more:
//     %3 = ctx_load x                           %4 = add %2, 64
//     %4 = add %3, 64                           br next(%4)
//     ctx_store x, %4
//     br next
#include <algorithm>
#include <map>
#include <optional>

#include "backends/x64/cleanup.h"
#include "backends/x64/emit.h"
#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

int64_t field_of(const Inst& inst) { return inst.attrs[3]; }

// The only block that stores to fields, before a jump; none if there are several, or stores of other kinds.
std::optional<BlockId> storing_block(const Function& f) {
  BlockId found;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Op op = f.inst(i).op;
      if (op == Op::x64_barrier || op == Op::x64_ctx_move) return std::nullopt;
      if (op != Op::x64_ctx_store || b == found) continue;
      if (found) return std::nullopt;
      found = b;
    }
  if (!found || f.inst(f.terminator(found)).op != Op::x64_jmp) return std::nullopt;
  return found;
}

class RowFields {
 public:
  RowFields(Function& machine, BlockId more)
      : f(machine), more_(more), next_(f.inst(f.terminator(more)).targets[0].block), cfg_(f), tree_(f, cfg_) {}

  void run() {
    if (!tree_.dominates(next_, more_)) return;
    for (InstId i : f.block(more_).insts)
      if (f.inst(i).op == Op::x64_ctx_store) fields_[field_of(f.inst(i))].stored = f.inst(i).operands[0];
    find_wide();
    for (auto& [field, at] : fields_) {
      at.start = f.add_param(next_, kGpr);
      if (!at.wide) f.inst(f.def(at.stored)).attrs[0] = 4;
      const auto preds = cfg_.preds[next_.index];
      for (BlockId p : std::vector<BlockId>(preds.begin(), preds.end()))
        pass(p, p == more_ ? at.stored : load_at_end(p, field, at.wide));
    }
    Replacements replaced(f);
    for (BlockId b : f.layout)
      if (tree_.dominates(next_, b)) replace_loads(b, replaced);
    apply_replacements(f, replaced);
    sweep_erased(f);
  }

 private:
  struct Field {
    ValueId stored, start;  // behind a wave, and before it
    bool wide = false;      // not all that is read of it are the low 32 bits
  };

  void find_wide() {
    for (auto& [field, at] : fields_) {
      const InstId sum = f.def(at.stored);
      at.wide = !sum || f.inst(sum).op != Op::x64_add;
    }
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        if (b == more_ || f.inst(i).op != Op::x64_ctx_load) continue;
        if (const auto at = fields_.find(field_of(f.inst(i))); at != fields_.end()) at->second.wide = true;
      }
  }
  ValueId load_at_end(BlockId p, int64_t field, bool wide) {
    const InstId load = f.create(wide ? Op::x64_ctx_load : Op::x64_ctx_load32, {}, std::span(&kGpr, 1));
    f.inst(load).attrs = {8, 0, 1, field};
    f.insert(p, f.block(p).insts.size() - 1, load);
    return f.result(load);
  }
  void pass(BlockId p, ValueId value) {
    for (Target& t : f.inst(f.terminator(p)).targets)
      if (t.block == next_) t.args.push_back(value);
  }

  void replace_loads(BlockId b, Replacements& replaced) {
    for (InstId i : f.block(b).insts) {
      Inst& inst = f.inst(i);
      const bool half = inst.op == Op::x64_ctx_load32;
      if (inst.op == Op::x64_ctx_store) inst.erased = true;
      if (!half && inst.op != Op::x64_ctx_load) continue;
      const auto at = fields_.find(field_of(inst));
      if (at == fields_.end()) continue;
      if (half && at->second.wide) {
        inst.op = Op::x64_movzx32;
        inst.operands = {at->second.start};
        inst.attrs = {8};
      } else {
        replaced.set(f.result(i), at->second.start);
        inst.erased = true;
      }
    }
  }

  Function& f;
  const BlockId more_, next_;
  const Cfg cfg_;
  const DominatorTree tree_;
  std::map<int64_t, Field> fields_;
};

}  // namespace

void keep_row_in_registers(Function& machine) {
  if (const auto more = storing_block(machine)) RowFields(machine, *more).run();
}

}  // namespace kc::x64
