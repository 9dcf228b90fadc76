// SPDX-License-Identifier: Apache-2.0
// Local common subexpression elimination. Selection handles one wave instruction at a time and recomputes
// halves of pairs, constants in registers and words of the dispatch packet. Parts of scalar addresses are
// reused from any dominating block; constants that are only stored are reused only over short distances.
//
// A vector instruction keeps the contents of inactive lanes, so a result is valid only under the same exec:
// each key contains the mask that was set last.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"
#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc::gcn {
namespace {

using Key = std::tuple<Op, std::vector<uint32_t>, std::array<int64_t, kMaxAttrs>, uint32_t, uint8_t>;

constexpr size_t kNear = 32;  // in instructions; the distance over which a register keeps such a constant

// By value: constants in registers whose only uses are stores.
std::vector<bool> stored_constants(const Function& f) {
  std::vector<bool> stored(f.value_count(), false);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (const Inst& inst = f.inst(i); inst.op == Op::gcn_v_mov_b32 && f.is_inline(inst.operands[0]))
        stored[inst.results[0].index] = true;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const bool stores = info(inst.op).effects == Effects::Write && inst.results.empty();
      for (ValueId v : inst.operands)
        if (!stores) stored[v.index] = false;
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) stored[v.index] = false;
    }
  return stored;
}

// A constant that a merge overwrites must not be shared: that would cost a copy for the whole wave.
bool reusable(const Function& f, const Inst& inst, const std::vector<bool>& stored) {
  switch (inst.op) {
    case Op::gcn_p_undef:
    case Op::gcn_p_lane_const:
      return false;
    case Op::gcn_v_mov_b32:
      return !f.is_inline(inst.operands[0]) || stored[inst.results[0].index];
    case Op::gcn_s_load_dword:
    case Op::gcn_s_load_dwordx2:
      return true;  // memory read this way has not been written before
    default:
      return info(inst.op).effects == Effects::None && !inst.results.empty();
  }
}

// Parts of addresses are worth a scalar register from their first computation on; they do not depend on exec.
bool is_for_all_blocks(const Function& f, const Inst& inst) {
  switch (inst.op) {
    case Op::gcn_p_s_add64:
    case Op::gcn_p_s_shl_wide:
    case Op::gcn_p_s_mul_wide:
    case Op::gcn_s_lshl_b32:
    case Op::gcn_s_lshl_b64:
    case Op::gcn_s_ashr_i32:
    case Op::gcn_s_mul_i32:
    case Op::gcn_s_mul_hi_i32:
    case Op::gcn_s_mul_hi_u32:
    case Op::gcn_s_load_dword:
    case Op::gcn_s_load_dwordx2:
      return f.type(inst.results[0]).elem == Elem::Sgpr;
    default:
      return false;
  }
}

}  // namespace

void local_cse(Function& f) {
  Replacements replaced(f);
  Cfg cfg(f);
  DominatorTree dom(f, cfg);
  const std::vector<bool> stored = stored_constants(f);
  std::map<Key, std::vector<InstId>> earlier;  // scalar instructions of all blocks
  for (BlockId b : cfg.rpo) {
    std::map<Key, InstId> seen;
    uint32_t exec = UINT32_MAX;
    // by constant: position where it was last moved to a register, or reused from one
    std::map<uint32_t, size_t> made;
    for (size_t n = 0; n < f.block(b).insts.size(); ++n) {
      const InstId i = f.block(b).insts[n];
      Inst& inst = f.inst(i);
      if (inst.op == Op::gcn_p_set_exec) exec = inst.operands[0].index;
      if (!reusable(f, inst, stored)) continue;
      std::vector<uint32_t> operands;
      for (ValueId v : inst.operands) operands.push_back(replaced.resolve(v).index);
      Type type = f.type(inst.results[0]);
      auto shape = static_cast<uint8_t>(type.regs * 2 + (type.elem == Elem::Vgpr));
      const bool anywhere = is_for_all_blocks(f, inst);
      Key key{inst.op, std::move(operands), inst.attrs, anywhere ? UINT32_MAX : exec, shape};
      auto at = seen.find(key);
      if (inst.op == Op::gcn_v_mov_b32 && stored[inst.results[0].index]) {
        auto [last, fresh] = made.try_emplace(inst.operands[0].index, n);
        if (!fresh && n - std::exchange(last->second, n) > kNear && at != seen.end()) {
          at->second = i;
          continue;
        }
      }
      if (at == seen.end() && anywhere) {
        // Bounds the search in long functions.
        constexpr size_t kMostAsked = 16;
        auto& others = earlier[key];
        const auto last = others.rend() - others.rbegin() < static_cast<std::ptrdiff_t>(kMostAsked)
                              ? others.rend()
                              : others.rbegin() + kMostAsked;
        auto there =
            std::find_if(others.rbegin(), last, [&](InstId o) { return dom.dominates(f.inst(o).block, b); });
        if (there != last)
          at = seen.emplace(key, *there).first;
        else
          others.push_back(i);
      }
      if (at == seen.end()) {
        seen.emplace(std::move(key), i);
        continue;
      }
      for (size_t r = 0; r < inst.results.size(); ++r) replaced.set(inst.results[r], f.result(at->second, r));
      inst.erased = true;
    }
  }
  sweep_erased(f);
  apply_replacements(f, replaced);
}

}  // namespace kc::gcn
