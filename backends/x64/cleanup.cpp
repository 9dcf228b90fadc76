// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/cleanup.h"

#include <algorithm>
#include <utility>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc::x64 {
namespace {

class LiveMarker {
 public:
  explicit LiveMarker(Function& machine)
      : f(machine), live_(f.value_count(), false), kept_(f.inst_count(), false) {
    edges_.resize(f.block_count());
    for (BlockId b : f.layout)
      for (const Target& t : f.successors(b)) edges_[t.block.index].push_back(&t);
  }

  void run() {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        Effects effects = info(f.inst(i).op).effects;
        if (effects == Effects::Write || effects == Effects::Control) keep(i);
      }
    while (!work_.empty()) {
      ValueId v = work_.back();
      work_.pop_back();
      const Value& value = f.value(v);
      if (value.kind == ValueKind::Result) keep(InstId(value.owner));
      if (value.kind == ValueKind::Param)
        for (const Target* t : edges_[value.owner]) need(t->args[value.index]);
    }
    sweep();
  }

 private:
  void need(ValueId v) {
    if (live_[v.index]) return;
    live_[v.index] = true;
    work_.push_back(v);
  }
  void keep(InstId i) {
    if (kept_[i.index]) return;
    kept_[i.index] = true;
    for (ValueId v : f.inst(i).operands) need(v);
  }
  void sweep() {
    for (BlockId b : f.layout) {
      Block& block = f.block(b);
      std::erase_if(block.insts, [&](InstId i) {
        if (kept_[i.index]) return false;
        f.inst(i).erased = true;
        f.inst(i).block = BlockId();
        return true;
      });
      for (Target& t : f.inst(block.insts.back()).targets) {
        size_t k = 0;
        const auto& params = f.block(t.block).params;
        auto dead = [&](ValueId) { return !live_[params[k++].index]; };
        t.args.erase(std::remove_if(t.args.begin(), t.args.end(), dead), t.args.end());
      }
    }
    for (BlockId b : f.layout) {
      auto& params = f.block(b).params;
      for (size_t k = params.size(); k-- > 0;)
        if (!live_[params[k].index]) f.remove_param(b, k);
    }
  }

  Function& f;
  std::vector<bool> live_, kept_;
  std::vector<ValueId> work_;
  std::vector<std::vector<const Target*>> edges_;
};

struct FmaForms {
  Op by_product, by_addend;  // the overwritten operand
};
constexpr FmaForms kForms[] = {
    {Op::x64_vfmadd213ss, Op::x64_vfmadd231ss},   {Op::x64_vfmadd213sd, Op::x64_vfmadd231sd},
    {Op::x64_vfmadd213ps, Op::x64_vfmadd231ps},   {Op::x64_vfmadd213pd, Op::x64_vfmadd231pd},
    {Op::x64_vfnmadd213ps, Op::x64_vfnmadd231ps}, {Op::x64_vfnmadd213pd, Op::x64_vfnmadd231pd},
    {Op::x64_vfmsub213ps, Op::x64_vfmsub231ps},   {Op::x64_vfmsub213pd, Op::x64_vfmsub231pd},
};

}  // namespace

void eliminate_dead_code(Function& machine) { LiveMarker(machine).run(); }

// An operand without other uses dies here if it is recomputed whenever this block executes. Constants and
// values from outside a loop stay live.
void choose_fma_forms(Function& machine) {
  Function& f = machine;
  std::vector<uint32_t> uses(f.value_count(), 0);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      for (ValueId v : f.inst(i).operands) ++uses[v.index];
      for (const Target& t : f.inst(i).targets)
        for (ValueId v : t.args) ++uses[v.index];
    }
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      Inst& inst = f.inst(i);
      auto form = std::find_if(std::begin(kForms), std::end(kForms),
                               [&](const FmaForms& x) { return x.by_product == inst.op; });
      if (form == std::end(kForms)) continue;
      auto dies = [&](size_t k) {
        const Value& v = f.value(inst.operands[k]);
        BlockId home = v.kind == ValueKind::Param ? BlockId(v.owner) : f.inst(InstId(v.owner)).block;
        const uint32_t loop = cycles.innermost[b.index];
        return uses[inst.operands[k].index] == 1 && (loop == kNone || cycles.contains(loop, home));
      };
      if (dies(2)) {
        inst.op = form->by_addend;
      } else if (!dies(0) && dies(1)) {
        std::swap(inst.operands[0], inst.operands[1]);
      }
    }
}

}  // namespace kc::x64
