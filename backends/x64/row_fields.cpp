// SPDX-License-Identifier: Apache-2.0
// Ids of the launch record that a loop over the waves of a row changes, and the number of waves left, as
// values of the loop. In memory each of them would be loaded behind the stores of the wave before: on a Zen
// 4, code with masked stores takes a third longer then.
//
//   next:                                     entry: %1 = ctx_load x; br next(%1)
//     %2 = ctx_load x                         next(%2):
//     ...                                       ...
//   more:                              ==>    more:
//     %3 = ctx_load x                           %4 = add %2, 64
//     %4 = add %3, 64                           br next(%4)
//     ctx_store x, %4
//     br next
#include <map>
#include <span>

#include "backends/x64/cleanup.h"
#include "backends/x64/emit.h"
#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

int64_t field_of(const Inst& inst) { return inst.attrs[3]; }

// Whether the record changes only as from wave to wave of a row.
bool goes_along_rows(const Function& f) {
  bool stores = false;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Op op = f.inst(i).op;
      if (op == Op::x64_barrier || op == Op::x64_ctx_move) return false;
      stores |= op == Op::x64_ctx_store;
    }
  return stores;
}

class RowFields {
 public:
  explicit RowFields(Function& machine) : f(machine), cfg_(f), replaced_(f) {}

  void run() {
    find_fields();
    for (const auto& [field, wide] : wide_) promote(field, wide);
    apply_replacements(f, replaced_);
    sweep_erased(f);
    remove_trivial_params(f);
  }

 private:
  // Those that are stored. A sum is a load, an addition and a store in one block.
  void find_fields() {
    std::vector<bool> is_sum(f.value_count());
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        if (f.inst(i).op != Op::x64_ctx_store) continue;
        bool& wide = wide_[field_of(f.inst(i))];
        const InstId sum = f.def(f.inst(i).operands[0]);
        const InstId load = sum && f.inst(sum).op == Op::x64_add ? f.def(f.inst(sum).operands[0]) : InstId();
        if (load && f.inst(load).op == Op::x64_ctx_load)
          is_sum[f.inst(sum).operands[0].index] = true;
        else
          wide = true;
      }
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        if (f.inst(i).op != Op::x64_ctx_load || is_sum[f.result(i).index]) continue;
        if (const auto at = wide_.find(field_of(f.inst(i))); at != wide_.end()) at->second = true;
      }
  }

  // Every join gets a parameter; those of no use go at the end.
  void promote(int64_t field, bool wide) {
    std::vector<ValueId> at_end(f.block_count());
    at_end[f.entry().index] = loaded_in_entry(field, wide);
    for (BlockId b : cfg_.rpo) {
      if (b == f.entry()) continue;
      ValueId value = is_join(b) ? f.add_param(b, kGpr) : at_end[cfg_.preds[b.index][0].index];
      for (InstId i : f.block(b).insts) value = step(i, field, wide, value);
      at_end[b.index] = value;
    }
    for (BlockId b : cfg_.rpo)
      for (Target& t : f.inst(f.terminator(b)).targets)
        if (is_join(t.block)) t.args.push_back(at_end[b.index]);
  }
  bool is_join(BlockId b) const { return cfg_.preds[b.index].size() > 1; }

  ValueId loaded_in_entry(int64_t field, bool wide) {
    const InstId load = f.create(wide ? Op::x64_ctx_load : Op::x64_ctx_load32, {}, std::span(&kGpr, 1));
    f.inst(load).attrs = {8, 0, 1, field};
    f.insert(f.entry(), f.block(f.entry()).insts.size() - 1, load);
    return f.result(load);
  }

  // What the field is behind an instruction.
  ValueId step(InstId i, int64_t field, bool wide, ValueId value) {
    Inst& inst = f.inst(i);
    const bool store = inst.op == Op::x64_ctx_store, half = inst.op == Op::x64_ctx_load32;
    if ((!store && !half && inst.op != Op::x64_ctx_load) || field_of(inst) != field) return value;
    if (half && wide) {
      inst.op = Op::x64_movzx32;
      inst.operands = {value};
      inst.attrs = {8};
      return value;
    }
    inst.erased = true;
    if (!store) replaced_.set(f.result(i), value);
    if (store && !wide) f.inst(f.def(inst.operands[0])).attrs[0] = 4;
    return store ? inst.operands[0] : value;
  }

  Function& f;
  const Cfg cfg_;
  Replacements replaced_;
  // By field that is stored: whether all 64 bits are read, but for the sums that are stored.
  std::map<int64_t, bool> wide_;
};

}  // namespace

void keep_row_in_registers(Function& machine) {
  if (goes_along_rows(machine)) RowFields(machine).run();
}

}  // namespace kc::x64
