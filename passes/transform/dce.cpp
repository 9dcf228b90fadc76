// SPDX-License-Identifier: Apache-2.0
// dce: dead code elimination.
//
// Marks live values from the roots (writes, terminators, masks of blocks) through operands, and from a
// parameter to its incoming arguments; so a loop counter with no other use is removed, too. Reads of memory
// are not roots: an unused load is removed.
//
// Needs nothing, gives nothing.
//
//   b1(%1: i32):                      b1:
//     %2: i32 = add %1, 1:i32   ==>     br_if %c -> b1, b2
//     br_if %c -> b1(%2), b2
#include "passes/transform/dce.h"

#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

class Marker {
 public:
  Marker(Function& function, AnalysisCache& analyses)
      : f(function), cfg_(analyses.cfg()), live_value_(f.value_count()), live_inst_(f.inst_count()) {}

  bool run() {
    for (ValueId p : f.block(f.entry()).params) live_value_[p.index] = true;
    for (BlockId b : f.layout) {
      if (f.block(b).mask.valid()) mark(f.block(b).mask);
      for (InstId i : f.block(b).insts) {
        Effects effects = info(f.inst(i).op).effects;
        if (effects == Effects::Write || effects == Effects::Control) mark(i);
      }
    }
    while (!work_.empty()) {
      ValueId p = work_.back();
      work_.pop_back();
      follow(f.value(p));
    }
    return remove();
  }

 private:
  void mark(InstId i) {
    if (live_inst_[i.index]) return;
    live_inst_[i.index] = true;
    for (ValueId v : f.inst(i).operands) mark(v);
  }
  void mark(ValueId v) {
    if (live_value_[v.index] || f.is_inline(v)) return;
    live_value_[v.index] = true;
    work_.push_back(v);
  }
  void follow(const Value& v) {
    if (v.kind == ValueKind::Result) return mark(InstId(v.owner));
    BlockId last;
    for (BlockId from : cfg_.preds[v.owner]) {
      if (from == last) continue;  // one of several edges of a switch
      last = from;
      for (const Target& t : f.successors(from))
        if (t.block.index == v.owner) mark(t.args[v.index]);
    }
  }

  bool remove() {
    bool changed = false;
    std::vector<bool> doomed(f.value_count());
    for (BlockId b : f.layout) {
      for (ValueId p : f.block(b).params)
        if (!live_value_[p.index]) doomed[p.index] = changed = true;
      for (InstId i : f.block(b).insts)
        if (!live_inst_[i.index]) f.inst(i).erased = changed = true;
    }
    if (!changed) return false;
    remove_params(f, doomed);
    sweep_erased(f);
    return true;
  }

  Function& f;
  const Cfg& cfg_;
  std::vector<bool> live_value_, live_inst_;
  std::vector<ValueId> work_;
};

}  // namespace

bool dce(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  return Marker(f, analyses).run() || changed;
}

}  // namespace kc
