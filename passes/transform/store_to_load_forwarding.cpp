// SPDX-License-Identifier: Apache-2.0
// store_to_load_forwarding: forwards stored and loaded values to later loads; removes dead stores.
//
// Work-items see each other's stores only at barriers, fences and atomic operations; in between memory holds
// what the work-item itself has stored and loaded. At a join, what all predecessors know alike is known; at
// the header of a loop, what is known before it and nothing in the loop may change; at other blocks that an
// edge leads back to, nothing. A store invalidates all locations that it may overlap (alias.h). As in
// instcombine, a value from a cycle is not forwarded to a load after it, which may be uniform where the value
// is not.
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
        waiting_(f.block_count(), 0),
        visited_(f.block_count()) {}

  bool run() {
    for (BlockId b : cfg_.rpo) {
      Memory memory = at_start(b);
      visited_[b.index] = true;
      forward(b, memory);
      for (const Target& t : f.successors(b)) waiting_[b.index] += !visited_[t.block.index];
      if (waiting_[b.index]) at_end_[b.index] = std::move(memory);
    }
    apply_replacements(f, replaced_);
    for (BlockId b : cfg_.rpo) remove_overwritten(b);
    if (changed_) sweep_erased(f);
    return changed_;
  }

 private:
  // What the ends of all predecessors know. An end is freed after its last successor has read it.
  Memory at_start(BlockId b) {
    Memory memory;
    bool first = true, comes_back = false, is_loop = true;
    for (BlockId p : cfg_.preds[b.index]) {
      if (!visited_[p.index]) {
        comes_back = true;
        is_loop &= cycles_.leads_to_header(p.index, b.index);
        continue;
      }
      const bool last_reader = --waiting_[p.index] == 0;
      if (std::exchange(first, false))
        memory = last_reader ? std::move(at_end_[p.index]) : at_end_[p.index];
      else
        keep_common(memory, at_end_[p.index]);
      if (last_reader) at_end_[p.index] = {};
    }
    if (!comes_back) return memory;
    const uint32_t loop = cycles_.innermost[b.index];
    if (!is_loop || !cycles_.cycles[loop].reducible()) return {};
    keep_unchanged(memory, loop);
    return memory;
  }

  static void keep_common(Memory& memory, const Memory& other) {
    std::erase_if(memory, [&](const Known& k) {
      return std::ranges::none_of(other, [&](const Known& o) {
        return o.value == k.value && o.block == k.block && same_bytes(o.access, k.access);
      });
    });
  }

  // What no block of the loop changes. Its addresses and values are from outside of it.
  void keep_unchanged(Memory& memory, uint32_t loop) {
    if (memory.empty()) return;
    const Changes& changes = changes_of_cycles()[loop];
    std::erase_if(memory, [&](const Known& k) {
      return (changes.of_others && !is_private(f, k.access.root)) || changes.stores.size() > kMaxKnown ||
             std::ranges::any_of(changes.stores,
                                 [&](const Access& a) { return may_overlap(f, k.access, a); });
    });
  }

  // What the blocks of a cycle and its inner cycles do to memory.
  struct Changes {
    std::vector<Access> stores;  // of more than kMaxKnown it has just more than that
    bool of_others = false;
  };

  const std::vector<Changes>& changes_of_cycles() {
    if (!changes_.empty()) return changes_;
    changes_.resize(cycles_.cycles.size());
    for (BlockId b : cfg_.rpo) {
      if (cycles_.innermost[b.index] == kNone) continue;
      Changes& changes = changes_[cycles_.innermost[b.index]];
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        changes.of_others |= meets_others(inst);
        if (inst.op == Op::store && changes.stores.size() <= kMaxKnown)
          changes.stores.push_back(access_of(f, inst.operands[0], f.type(inst.operands[1]).bytes()));
      }
    }
    for (size_t c = changes_.size(); c-- > 0;) {
      if (cycles_.cycles[c].parent == kNone) continue;
      Changes& outer = changes_[cycles_.cycles[c].parent];
      outer.of_others |= changes_[c].of_others;
      for (const Access& store : changes_[c].stores)
        if (outer.stores.size() <= kMaxKnown) outer.stores.push_back(store);
    }
    return changes_;
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
  std::vector<bool> visited_;      // by block id
  std::vector<Changes> changes_;   // by cycle, once needed
  bool changed_ = false;
};

}  // namespace

bool store_to_load_forwarding(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return Forwarder(f, analyses, remarks).run();
}

}  // namespace kc
