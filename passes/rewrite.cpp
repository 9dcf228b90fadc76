// SPDX-License-Identifier: Apache-2.0
#include "passes/rewrite.h"

#include <algorithm>

#include "ir/cfg.h"
#include "ir/check.h"

namespace kc {

void Replacements::set(ValueId from, ValueId to) {
  if (from.index >= to_.size()) to_.resize(from.index + 1);
  KC_CHECK(from != to, "a value replaced by itself");
  to_[from.index] = to;
  ++count_;
}

ValueId Replacements::resolve(ValueId v) {
  ValueId end = v;
  while (replaced(end)) end = to_[end.index];
  while (replaced(v)) {
    ValueId next = to_[v.index];
    to_[v.index] = end;
    v = next;
  }
  return end;
}

void apply_replacements(Function& f, Replacements& replacements) {
  if (replacements.empty()) return;
  for_each_use(f, [&](ValueId& v) { v = replacements.resolve(v); });
}

void remove_params(Function& f, const std::vector<bool>& doomed) {
  auto marked = [&](ValueId v) { return v.index < doomed.size() && doomed[v.index]; };
  std::vector<char> touched(f.block_count(), 0);
  for (BlockId b : f.layout)
    if (b != f.entry()) touched[b.index] = std::ranges::any_of(f.block(b).params, marked);
  for (BlockId b : f.layout)
    for (Target& t : f.inst(f.terminator(b)).targets) {
      if (!touched[t.block.index]) continue;
      const auto& params = f.block(t.block).params;
      size_t kept = 0;
      for (size_t k = 0; k < params.size(); ++k)
        if (!marked(params[k])) t.args[kept++] = t.args[k];
      t.args.resize(kept);
    }
  for (BlockId b : f.layout) {
    if (!touched[b.index]) continue;
    auto& params = f.block(b).params;
    std::erase_if(params, marked);
    for (size_t k = 0; k < params.size(); ++k) f.value(params[k]).index = static_cast<uint32_t>(k);
  }
}

namespace {

// Copy propagation through parameters, optimistic: at first every parameter may be a copy of anything. A
// parameter becomes a copy of the one value its edges agree on, or itself when they disagree. At the fixpoint
// a copy's original is on every path to it, hence dominates it.
class ParamCopies {
 public:
  explicit ParamCopies(const Function& function)
      : f(function),
        copy_of_(f.value_count()),
        queued_(f.value_count(), 0),
        changes_(f.value_count(), 0),
        incoming_(f.value_count()) {
    for (ValueId p : f.block(f.entry()).params) copy_of_[p.index] = p;
    for (BlockId b : f.layout)
      for (const Target& t : f.successors(b)) {
        const auto& params = f.block(t.block).params;
        for (size_t k = 0; k < params.size(); ++k) incoming_[params[k].index].push_back(t.args[k]);
      }
    users_.resize(f.value_count());
    for (BlockId b : f.layout)
      for (ValueId p : f.block(b).params)
        for (ValueId arg : incoming_[p.index])
          if (f.value(arg).kind == ValueKind::Param) users_[arg.index].push_back(p);
  }

  bool run(Replacements& out) {
    for (auto it = f.layout.rbegin(); it != f.layout.rend(); ++it)
      if (*it != f.entry())
        for (ValueId p : f.block(*it).params) push(p);
    while (!work_.empty()) {
      ValueId p = work_.back();
      work_.pop_back();
      queued_[p.index] = 0;
      ValueId now = meet(p);
      if (now == copy_of_[p.index] || copy_of_[p.index] == p) continue;
      // It changes its mind when what it copied turns out to be no copy; a limit makes this end.
      copy_of_[p.index] = ++changes_[p.index] > kMaxChanges ? p : now;
      for (ValueId user : users_[p.index]) push(user);
    }
    bool any = false;
    for (BlockId b : f.layout)
      for (ValueId p : f.block(b).params)
        if (ValueId v = copy_of_[p.index]; v.valid() && v != p) out.set(p, v), any = true;
    return any;
  }

 private:
  void push(ValueId p) {
    if (!queued_[p.index]) queued_[p.index] = 1, work_.push_back(p);
  }
  ValueId meet(ValueId p) const {
    ValueId one;
    for (ValueId arg : incoming_[p.index]) {
      ValueId v = f.value(arg).kind == ValueKind::Param ? copy_of_[arg.index] : arg;
      if (!v.valid() || v == p) continue;
      if (one.valid() && one != v) return p;
      one = v;
    }
    return one;
  }

  static constexpr uint8_t kMaxChanges = 8;
  const Function& f;
  std::vector<ValueId> copy_of_;  // invalid: not known yet
  std::vector<char> queued_;
  std::vector<uint8_t> changes_;
  std::vector<std::vector<ValueId>> incoming_, users_;
  std::vector<ValueId> work_;
};

}  // namespace

bool remove_trivial_params(Function& f) {
  bool changed = false;
  // One round finds nearly all; a parameter that changed its mind may be found by the next.
  for (int round = 0; round < 4; ++round) {
    Replacements copies(f);
    if (!ParamCopies(f).run(copies)) break;
    std::vector<bool> doomed(f.value_count());
    for (BlockId b : f.layout)
      for (ValueId p : f.block(b).params) doomed[p.index] = copies.replaced(p);
    apply_replacements(f, copies);
    remove_params(f, doomed);
    changed = true;
  }
  return changed;
}

std::vector<uint32_t> count_uses(const Function& f) {
  std::vector<uint32_t> uses(f.value_count(), 0);
  for_each_use(f, [&](const ValueId& v) { ++uses[v.index]; });
  return uses;
}

void sweep_erased(Function& f) {
  for (BlockId b : f.layout)
    std::erase_if(f.block(b).insts, [&](InstId i) {
      Inst& inst = f.inst(i);
      if (inst.erased) inst.block = BlockId();
      return inst.erased;
    });
}

bool remove_unreachable_blocks(Function& f) {
  Cfg cfg(f);
  std::vector<BlockId> doomed;
  for (BlockId b : f.layout)
    if (!cfg.reachable(b)) doomed.push_back(b);
  f.erase_blocks(doomed);
  return !doomed.empty();
}

}  // namespace kc
