// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/cleanup.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"

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
    {Op::x64_vfnmadd213ss, Op::x64_vfnmadd231ss}, {Op::x64_vfnmadd213sd, Op::x64_vfnmadd231sd},
    {Op::x64_vfmsub213ss, Op::x64_vfmsub231ss},   {Op::x64_vfmsub213sd, Op::x64_vfmsub231sd},
};

// Whether it overwrites its first operand, and the second one could as well come first. (A sum becomes a
// `lea` where neither dies.)
bool is_symmetric(const Inst& inst) {
  return inst.op == Op::x64_and_ || inst.op == Op::x64_or_ || inst.op == Op::x64_xor_ ||
         inst.op == Op::x64_imul;
}

// Whether values die in a block although others use them, as the sum of a loop that is also used behind it.
class LastUses {
 public:
  LastUses(const Function& machine, const Cfg& cfg) : f(machine), cfg_(cfg), users_(users_of(f, cfg.rpo)) {}

  /// `seen`: operands of the block so far that are this value.
  bool dies(ValueId v, BlockId b, uint32_t seen) {
    const BlockId def = block_of(f, v);
    std::vector<BlockId> pending;
    uint32_t here = 0;
    for (InstId i : users_[v.index]) {
      const Inst& inst = f.inst(i);
      if (inst.block == b) {
        here += static_cast<uint32_t>(std::ranges::count(inst.operands, v));
        for (const Target& t : inst.targets)
          if (std::ranges::find(t.args, v) != t.args.end()) return false;
      } else if (inst.block != def) {
        pending.push_back(inst.block);
      }
    }
    if (here != seen) return false;
    if (b != def) pending.push_back(b);
    // Up from the uses, to where the value is made.
    for (size_t n = 0; n < pending.size(); ++n) {
      if (n == kMostBlocks) return false;
      for (BlockId p : cfg_.preds[pending[n].index]) {
        if (p == b) return false;
        if (p != def && std::ranges::find(pending, p) == pending.end()) pending.push_back(p);
      }
    }
    return true;
  }

 private:
  static constexpr size_t kMostBlocks = 24;
  const Function& f;
  const Cfg& cfg_;
  Lists<InstId> users_;
};

}  // namespace

void eliminate_dead_code(Function& machine) { LiveMarker(machine).run(); }

void choose_two_address_forms(Function& machine) {
  Function& f = machine;
  const std::vector<uint32_t> uses = count_uses(f);
  std::vector<uint32_t> seen(uses.size());  // in this block
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  std::optional<LastUses> last;
  for (BlockId b : f.layout) {
    // A value dies with its last use if no other block uses it, and it is computed anew whenever this block
    // is executed: constants and values from outside a loop stay live.
    const uint32_t loop = cycles.innermost[b.index];
    auto is_of_loop = [&](ValueId v) {
      return !f.is_inline(v) && loop != kNone && cycles.contains(loop, block_of(f, v));
    };
    auto dies = [&](ValueId v) {
      return !f.is_inline(v) && seen[v.index] == uses[v.index] && (loop == kNone || is_of_loop(v));
    };
    auto dies_in_loop = [&](ValueId v) {
      if (!is_of_loop(v)) return false;
      if (!last) last.emplace(f, cfg);
      return last->dies(v, b, seen[v.index]);
    };
    for (InstId i : f.block(b).insts) {
      Inst& inst = f.inst(i);
      for (ValueId v : inst.operands) ++seen[v.index];
      const auto form = std::ranges::find(kForms, inst.op, &FmaForms::by_product);
      if (form != std::end(kForms) && (dies(inst.operands[2]) || dies_in_loop(inst.operands[2]))) {
        inst.op = form->by_addend;
      } else if (form != std::end(kForms) || is_symmetric(inst)) {
        if (!dies(inst.operands[0]) && dies(inst.operands[1])) std::swap(inst.operands[0], inst.operands[1]);
      }
    }
    for (InstId i : f.block(b).insts)
      for (ValueId v : f.inst(i).operands) seen[v.index] = 0;
  }
}

}  // namespace kc::x64
