// SPDX-License-Identifier: Apache-2.0
// Coalesces results with the register they are merged into. A merge under exec keeps inactive lanes, and so
// does the instruction that computes the merged value: it may write the register of the merge itself, and the
// other uses read it there.
//
//   v_fma_f32 v8, v8, v8, v6                    v_fma_f32 v6, v8, v8, v6
//   v_mov_b32 v6, v8                      ==>   v_cmp_lt_f32 vcc, v1, v6
//   v_cmp_lt_f32 vcc, v1, v8
#include <algorithm>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

class MergeFinder {
 public:
  MergeFinder(const Function& function, std::vector<std::optional<uint32_t>>& aliases)
      : f(function), aliases_(aliases), uses_(f.value_count()) {}

  void run() {
    find_uses();
    for (BlockId b : f.layout) {
      const auto& insts = f.block(b).insts;
      for (size_t i = 0; i < insts.size(); ++i)
        if (f.inst(insts[i]).op == Op::gcn_p_merge_exec) consider(insts, i);
    }
  }

 private:
  struct Uses {
    BlockId block;
    size_t last = 0;
    bool elsewhere = false;  // or by an instruction that expands to several
  };

  void find_uses() {
    for (BlockId b : f.layout) {
      const auto& insts = f.block(b).insts;
      for (size_t i = 0; i < insts.size(); ++i) {
        const Inst& inst = f.inst(insts[i]);
        const bool several = info(inst.op).machine.form == Pseudo && inst.op != Op::gcn_p_merge_exec;
        for (size_t k = 0; k < inst.operands.size(); ++k) {
          Uses& use = uses_[inst.operands[k].index];
          const MachineInfo& machine = info(inst.op).machine;
          const bool tied = static_cast<int>(k) == machine.tied || static_cast<int>(k) == machine.tied_second;
          use.elsewhere |= several || tied || (use.block.valid() && use.block != b);
          use.block = b, use.last = i;
        }
        for (const Target& t : inst.targets)
          for (ValueId v : t.args) uses_[v.index].elsewhere = true;
      }
    }
  }

  // The register of a value in a single vector register; nothing for other values.
  std::optional<uint32_t> single(ValueId v) const {
    const Value& value = f.value(v);
    if (f.is_inline(v) || value.type != vgpr() || value.location.kind != Location::Register)
      return std::nullopt;
    return aliases_[v.index].value_or(value.location.index);
  }
  bool is_in(ValueId v, uint32_t reg) const {
    const Value& value = f.value(v);
    if (f.is_inline(v) || value.type.elem != Elem::Vgpr || value.location.kind != Location::Register)
      return false;
    const uint32_t first = aliases_[v.index].value_or(value.location.index);
    return first <= reg && reg < first + value.type.regs;
  }
  bool touches(std::span<const ValueId> values, uint32_t reg) const {
    return std::ranges::any_of(values, [&](ValueId v) { return is_in(v, reg); });
  }

  void consider(const std::vector<InstId>& insts, size_t at) {
    const Inst& merge = f.inst(insts[at]);
    ValueId fresh = merge.operands[1];
    auto kept = single(merge.operands[0]), to = single(merge.results[0]);
    if (!kept || kept != to || !single(fresh) || aliases_[fresh.index] || aliases_[merge.results[0].index])
      return;
    InstId def = f.def(fresh);
    const Uses& uses = uses_[fresh.index];
    if (!def || f.inst(def).block != merge.block || uses.elsewhere) return;
    const Inst& made = f.inst(def);
    const MachineInfo& machine = info(made.op).machine;
    if (machine.form == Pseudo || machine.tied >= 0 || made.results.size() != 1 ||
        (machine.extra & WholeWave))
      return;
    // Readers of the old value in between, and later writes of that register, prevent coalescing.
    for (size_t i = at; i-- > 0;) {
      if (insts[i] == def) break;
      const Inst& between = f.inst(insts[i]);
      if (between.op == Op::gcn_p_set_exec || touches(between.operands, *to) || touches(between.results, *to))
        return;
    }
    for (size_t i = at + 1; i <= uses.last; ++i) {
      const Inst& later = f.inst(insts[i]);
      if (later.op == Op::gcn_p_set_exec || (i < uses.last && touches(later.results, *to))) return;
    }
    aliases_[fresh.index] = *to;
  }

  const Function& f;
  std::vector<std::optional<uint32_t>>& aliases_;
  std::vector<Uses> uses_;
};

}  // namespace

void coalesce_merges(const Function& allocated, std::vector<std::optional<uint32_t>>& aliases) {
  MergeFinder(allocated, aliases).run();
}

}  // namespace kc::gcn
