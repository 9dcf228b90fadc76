// SPDX-License-Identifier: Apache-2.0
// Stores what a function needs after its calls of shared regions in as few variables as possible.
//
// In the CFG, every return of a region leads to the blocks after all of its calls, so a variable that is live
// after one of them appears live everywhere and becomes a parameter of the region's blocks. This pass models
// a call precisely: its successor is its own return. On that graph it merges variables that are never live at
// the same time, by colouring the interference graph, and sets the variables that are not live after a call
// to undef at that call. The number of parameters is then the number of values that are live at once, instead
// of growing with the number of calls.
//
//   var_set %1, var=$a          var_set %1, var=$a
//   br -> b1.call               br -> b1.call
//   ... var_get var=$a    ==>   ... var_get var=$a
//   var_set %2, var=$b          var_set %2, var=$a
#include "frontend/lower/share_variables.h"
#include "ir/ids.h"

#include <algorithm>
#include <map>

namespace kc::front {

namespace {

constexpr size_t MaxVariables = 4096;  // that are merged; their interference matrix takes 2 MiB

class Sharing {
 public:
  Sharing(Function& function, std::span<const RegionBlocks> regions)
      : f(function), part_(f.block_count(), kNone), next_(f.block_count()), preds_(f.block_count()) {
    for (BlockId b : f.layout)
      for (const Target& t : f.successors(b)) next_[b.index].push_back(t.block);
    std::vector<BlockId> entries{f.entry()};
    for (const RegionBlocks& r : regions) {
      next_[r.leave.index].clear();
      next_[r.escape.index].clear();
      if (is_there(r.entry)) entries.push_back(r.entry);
      for (const RegionCall& c : r.calls) {
        if (!is_there(c.from)) continue;
        calls_.push_back(c);
        next_[c.from.index].clear();
        for (BlockId b : {c.returned, c.thrown})
          if (is_there(b)) next_[c.from.index].push_back(b);
      }
    }
    find_parts(entries);
    callers_.resize(entry_.size());
    calls_of_.resize(entry_.size());
    for (const RegionBlocks& r : regions)
      for (const RegionCall& c : r.calls) {
        if (!is_there(c.from) || !is_there(r.entry)) continue;
        callers_[part_[r.entry.index]].push_back(part_[c.from.index]);
        ++calls_of_[part_[r.entry.index]];
      }
    for (auto& callers : callers_) {
      std::ranges::sort(callers);
      callers.erase(std::ranges::unique(callers).begin(), callers.end());
    }
    for (BlockId b : f.layout)
      for (BlockId to : next_[b.index]) preds_[to.index].push_back(b);
  }

  void run() {
    scan();
    for (uint32_t v = 0; v < f.vars.size(); ++v) choose(v);
    if (chosen_.empty()) return;
    words_ = chosen_.size() / 64 + 1;
    at_once_.assign(words_ * chosen_.size(), 0);
    for (BlockId b : f.layout) compare(b);
    colour();
    rename();
  }

  std::vector<RegionCosts> costs(std::span<const RegionBlocks> regions) const {
    std::vector<uint64_t> insts(entry_.size());  // by part
    for (BlockId b : f.layout)
      if (part_[b.index] != kNone) insts[part_[b.index]] += f.block(b).insts.size();
    std::vector<RegionCosts> costs(regions.size());
    std::vector<uint32_t> seen(entry_.size(), kNone);
    for (size_t i = 0; i < regions.size(); ++i) {
      if (!is_there(regions[i].entry)) continue;
      // A region's blocks carry the variables of every function that can be active when it is entered.
      const uint32_t part = part_[regions[i].entry.index];
      std::vector<uint32_t> work{part};
      seen[part] = part;
      while (!work.empty()) {
        uint32_t p = work.back();
        work.pop_back();
        costs[i].carried += carried_[p] * calls_of_[part];
        for (uint32_t caller : callers_[p])
          if (seen[caller] != part) seen[caller] = part, work.push_back(caller);
      }
      costs[i].copies = insts[part] * (std::max<uint64_t>(calls_of_[part], 1) - 1);
    }
    return costs;
  }

 private:
  // Finds the parts: the kernel and each region, with inlined code. Only calls lead from one part to another.
  void find_parts(std::span<const BlockId> entries) {
    for (uint32_t part = 0; part < entries.size(); ++part) {
      std::vector<BlockId> work{entries[part]};
      part_[entries[part].index] = part;
      entry_.push_back(entries[part]);
      while (!work.empty()) {
        BlockId b = work.back();
        work.pop_back();
        for (BlockId to : next_[b.index])
          if (part_[to.index] == kNone) part_[to.index] = part, work.push_back(to);
      }
    }
  }

  bool is_there(BlockId b) const { return b.valid() && !f.block(b).erased; }
  static bool is_get(const Inst& inst) { return inst.op == Op::var_get; }
  static bool is_set(const Inst& inst) { return inst.op == Op::var_set; }
  static uint32_t var_of(const Inst& inst) { return static_cast<uint32_t>(inst.attrs[0]); }

  void scan() {
    reads_.resize(f.vars.size());
    writes_.resize(f.vars.size());
    home_.assign(f.vars.size(), kNone);
    carried_.assign(entry_.size(), 1);  // the call site's number
    shared_.resize(f.vars.size());
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (!is_get(inst) && !is_set(inst)) continue;
        uint32_t v = var_of(inst);
        if (home_[v] != kNone && home_[v] != part_[b.index]) shared_[v] = true;
        home_[v] = part_[b.index];
        bool written = !writes_[v].empty() && writes_[v].back() == b;
        if (is_set(inst) && !written) writes_[v].push_back(b);
        if (is_get(inst) && !written && (reads_[v].empty() || reads_[v].back() != b)) reads_[v].push_back(b);
      }
    live_in_.resize(f.block_count());
    seen_.assign(f.block_count(), kNone);
    wrote_.assign(f.block_count(), kNone);
    after_call_.resize(f.block_count());
    for (const RegionCall& c : calls_)
      for (BlockId b : next_[c.from.index]) after_call_[b.index] = true;
  }

  // Selects the variable if it is live after a call and only one part uses it.
  void choose(uint32_t v) {
    if (home_[v] == kNone || shared_[v]) return;
    std::vector<BlockId> work;
    bool wanted = false;
    auto enter = [&](BlockId b) {
      if (seen_[b.index] == v) return;
      seen_[b.index] = v;
      work.push_back(b);
      wanted |= after_call_[b.index];
    };
    for (BlockId b : writes_[v]) wrote_[b.index] = v;
    for (BlockId b : reads_[v]) enter(b);
    for (size_t i = 0; i < work.size(); ++i)
      for (BlockId p : preds_[work[i].index])
        if (wrote_[p.index] != v) enter(p);
    if (!wanted || seen_[entry_[home_[v]].index] == v) return;
    if (chosen_.size() == MaxVariables) {
      ++carried_[home_[v]];
      return;
    }
    for (BlockId b : work) live_in_[b.index].push_back(static_cast<uint32_t>(chosen_.size()));
    chosen_.push_back(v);
    if (index_.empty()) index_.assign(f.vars.size(), kNone);
    index_[v] = static_cast<uint32_t>(chosen_.size() - 1);
  }

  // Records, at each write of a variable, which other variables are live.
  void compare(BlockId b) {
    std::vector<uint64_t> live(words_);
    for (BlockId to : next_[b.index])
      for (uint32_t k : live_in_[to.index]) live[k / 64] |= uint64_t{1} << (k % 64);
    const auto& insts = f.block(b).insts;
    for (size_t i = insts.size(); i-- > 0;) {
      const Inst& inst = f.inst(insts[i]);
      if (!is_get(inst) && !is_set(inst)) continue;
      uint32_t k = index_[var_of(inst)];
      if (k == kNone) continue;
      if (is_get(inst)) {
        live[k / 64] |= uint64_t{1} << (k % 64);
        continue;
      }
      live[k / 64] &= ~(uint64_t{1} << (k % 64));
      for (size_t w = 0; w < words_; ++w) at_once_[k * words_ + w] |= live[w];
    }
  }

  bool together(uint32_t a, uint32_t b) const { return at_once_[a * words_ + b / 64] >> (b % 64) & 1; }

  void colour() {
    struct Colour {
      uint32_t first;  // the variable that represents the colour
      std::vector<uint64_t> members, excluded;
    };
    std::map<std::pair<uint32_t, Elem>, std::vector<Colour>> colours;
    for (uint32_t k = 0; k < chosen_.size(); ++k) {
      uint32_t v = chosen_[k];
      auto& list = colours[{home_[v], f.vars[v].type.elem}];
      const uint64_t* mine = &at_once_[k * words_];
      auto fits = std::ranges::find_if(list, [&](const Colour& c) {
        if (c.excluded[k / 64] >> (k % 64) & 1) return false;
        for (size_t w = 0; w < words_; ++w)
          if (c.members[w] & mine[w]) return false;
        return true;
      });
      if (fits == list.end()) {
        list.push_back({v, std::vector<uint64_t>(words_), std::vector<uint64_t>(words_)});
        fits = list.end() - 1;
        kept_.push_back(v);
        ++carried_[home_[v]];
      }
      fits->members[k / 64] |= uint64_t{1} << (k % 64);
      for (size_t w = 0; w < words_; ++w) fits->excluded[w] |= mine[w];
      stands_for_.push_back(fits->first);
    }
  }

  void rename() {
    for (const RegionCall& c : calls_) forget(c);
    std::vector<bool> used(f.vars.size());
    auto each = [&](auto visit) {
      for (BlockId b : f.layout)
        for (InstId i : f.block(b).insts)
          if (is_get(f.inst(i)) || is_set(f.inst(i))) visit(f.inst(i).attrs[0]);
    };
    each([&](int64_t& v) {
      uint32_t k = index_[static_cast<size_t>(v)];
      if (k != kNone) v = stands_for_[k];
      used[static_cast<size_t>(v)] = true;
    });
    std::vector<int64_t> number(f.vars.size());
    std::vector<Var> vars;
    for (size_t v = 0; v < f.vars.size(); ++v) {
      number[v] = static_cast<int64_t>(vars.size());
      if (used[v]) vars.push_back(std::move(f.vars[v]));
    }
    f.vars = std::move(vars);
    each([&](int64_t& v) { v = number[static_cast<size_t>(v)]; });
  }

  // A variable that is not live after a call is set to undef, so that the call does not carry it.
  void forget(const RegionCall& c) {
    std::vector<uint32_t> needed;
    for (BlockId to : next_[c.from.index])
      for (uint32_t k : live_in_[to.index]) needed.push_back(stands_for_[k]);
    std::ranges::sort(needed);
    for (uint32_t v : kept_) {
      if (home_[v] != part_[c.from.index] || std::ranges::binary_search(needed, v)) continue;
      InstId set = f.create(Op::var_set, {f.undef(f.vars[v].type)}, {}, f.inst(f.terminator(c.from)).loc);
      f.inst(set).attrs[0] = v;
      f.insert(c.from, f.block(c.from).insts.size() - 1, set);
    }
  }

  Function& f;
  std::vector<RegionCall> calls_;
  std::vector<uint32_t> part_;  // by block
  std::vector<std::vector<BlockId>> next_, preds_;
  std::vector<std::vector<uint32_t>> callers_;  // by part
  std::vector<uint64_t> calls_of_;              // by part
  std::vector<BlockId> entry_;                  // by part
  std::vector<std::vector<BlockId>> reads_,
      writes_;                          // by variable; a read counts if no write precedes it in its block
  std::vector<uint32_t> home_;          // by variable: the part that uses it
  std::vector<bool> shared_;            // by variable: used by more than one part
  std::vector<uint32_t> seen_, wrote_;  // by block: the variable last visited for
  std::vector<bool> after_call_;        // by block: follows a call
  std::vector<std::vector<uint32_t>> live_in_;  // by block: indices in chosen_
  std::vector<uint32_t> chosen_, index_;        // variables; their indices in chosen_
  size_t words_ = 0;
  std::vector<uint64_t> at_once_;     // the interference matrix: a bit for each pair of chosen_
  std::vector<uint32_t> stands_for_;  // by index in chosen_: the representative of its colour
  std::vector<uint32_t> kept_;
  std::vector<uint64_t> carried_;  // by part: variables that its calls carry
};

}  // namespace

std::vector<RegionCosts> share_variables(Function& f, std::span<const RegionBlocks> regions) {
  Sharing sharing(f, regions);
  sharing.run();
  return sharing.costs(regions);
}

}  // namespace kc::front
