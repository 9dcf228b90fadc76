// SPDX-License-Identifier: Apache-2.0
// store_to_load_forwarding: forwards stored and loaded values to later loads; removes dead stores.
//
// Work-items see each other's stores only at barriers, fences and atomic operations; in between memory holds
// what the work-item itself has stored and loaded. The walk follows blocks with a single predecessor; nothing
// is known at joins. A store invalidates all locations that it may overlap (alias.h). As in instcombine, a
// value from a cycle is not forwarded to a load after it, which may be uniform where the value is not.
//
// Needs ThreadForm, Ssa; gives and kills nothing.
//
//   store %p, %1                store %p, %2
//   %2: i32 = load %p     ==>
//   store %p, %2                (with %2 = %1: the first store is dead, the load is known)
#include "passes/transform/store_to_load_forwarding.h"

#include <algorithm>

#include "ir/cfg.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMaxKnown = 24;  // locations at a time, so that the walk stays linear

struct Known {
  Access access;
  ValueId value;
  BlockId block;  // block of the store or load
};
using Memory = std::vector<Known>;

bool is_private(const Function& f, ValueId pointer) { return f.type(pointer) == kPtrPrivate; }

// Barriers, fences and atomic operations: stores of other items may be visible after them.
bool meets_others(const Inst& inst) {
  const OpInfo& row = info(inst.op);
  return row.effects == Effects::Write && inst.op != Op::store && !row.has(VarAccess);
}

class Forwarder {
 public:
  Forwarder(Function& function, AnalysisCache& analyses, Remarks* remarks)
      : f(function),
        remarks_(remarks),
        cfg_(analyses.cfg()),
        cycles_(analyses.cycles()),
        replaced_(f),
        at_end_(f.block_count()),
        waiting_(f.block_count(), 0) {}

  bool run() {
    for (BlockId b : cfg_.rpo) {
      Memory memory = at_start(b);
      forward(b, memory);
      for (const Target& t : f.successors(b)) waiting_[b.index] += cfg_.preds[t.block.index].size() == 1;
      if (waiting_[b.index]) at_end_[b.index] = std::move(memory);
    }
    apply_replacements(f, replaced_);
    for (BlockId b : cfg_.rpo) remove_overwritten(b);
    if (changed_) sweep_erased(f);
    return changed_;
  }

 private:
  // The memory state at the end of the single predecessor. It is freed after its last successor has read it.
  Memory at_start(BlockId b) {
    const auto& preds = cfg_.preds[b.index];
    if (preds.size() != 1 || b == f.entry()) return {};
    BlockId p = preds[0];
    return --waiting_[p.index] ? at_end_[p.index] : std::move(at_end_[p.index]);
  }

  void forward(BlockId b, Memory& memory) {
    for (InstId i : f.block(b).insts) {
      for (ValueId& v : f.inst(i).operands) v = replaced_.resolve(v);
      const Inst& inst = f.inst(i);
      if (inst.op == Op::load)
        load(b, i, memory);
      else if (inst.op == Op::store)
        store(b, i, memory);
      else if (meets_others(inst))
        std::erase_if(memory, [&](const Known& k) { return !is_private(f, k.access.root); });
    }
  }

  void load(BlockId b, InstId i, Memory& memory) {
    ValueId result = f.result(i);
    Access access = access_of(f, f.inst(i).operands[0], f.type(result).bytes());
    for (const Known& k : memory)
      if (same_bytes(k.access, access) && f.type(k.value) == f.type(result) &&
          cycles_.largest_between(k.block.index, b.index) == kNone) {
        replaced_.set(result, k.value);
        erase(i, "load is not needed: what it gives is known from before");
        return;
      }
    remember({access, result, b}, memory);
  }

  void store(BlockId b, InstId i, Memory& memory) {
    ValueId value = f.inst(i).operands[1];
    Access access = access_of(f, f.inst(i).operands[0], f.type(value).bytes());
    for (const Known& k : memory)
      if (same_bytes(k.access, access) && k.value == value)
        return erase(i, "store is not needed: the value is there already");
    std::erase_if(memory, [&](const Known& k) { return may_overlap(f, k.access, access); });
    remember({access, value, b}, memory);
  }

  void remember(Known known, Memory& memory) {
    if (memory.size() == kMaxKnown) memory.erase(memory.begin());
    memory.push_back(known);
  }

  // Backwards from the end of the block: locations that are overwritten before any read.
  void remove_overwritten(BlockId b) {
    std::vector<Access> overwritten;
    const auto& insts = f.block(b).insts;
    for (size_t n = insts.size(); n-- > 0;) {
      const Inst& inst = f.inst(insts[n]);
      if (inst.erased) continue;
      if (inst.op == Op::load) {
        Access read = access_of(f, inst.operands[0], f.type(inst.results[0]).bytes());
        std::erase_if(overwritten, [&](const Access& a) { return may_overlap(f, a, read); });
      } else if (inst.op == Op::store) {
        Access access = access_of(f, inst.operands[0], f.type(inst.operands[1]).bytes());
        if (std::ranges::any_of(overwritten, [&](const Access& a) { return same_bytes(a, access); }))
          erase(insts[n], "store is not needed: it is overwritten before anyone reads it");
        else if (overwritten.size() < kMaxKnown)
          overwritten.push_back(access);
      } else if (meets_others(inst)) {
        overwritten.clear();
      }
    }
  }

  void erase(InstId i, const char* why) {
    if (remarks_) remarks_->add({"store_to_load_forwarding", f.inst(i).loc, why});
    f.inst(i).erased = changed_ = true;
  }

  Function& f;
  Remarks* remarks_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  Replacements replaced_;
  std::vector<Memory> at_end_;     // by block id
  std::vector<uint32_t> waiting_;  // by block id: successors that still need its state
  bool changed_ = false;
};

}  // namespace

bool store_to_load_forwarding(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return Forwarder(f, analyses, remarks).run();
}

}  // namespace kc
