// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/memory_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr uint32_t kNoTuple = UINT32_MAX - 1;  // the same for all lanes and members
constexpr size_t kDeepest = 1000;
constexpr uint32_t kWord = 4;  // bytes; a mask has a bit for each

class TupleFinder {
 public:
  TupleFinder(const Function& wave, std::span<const Interleaved> groups, const std::vector<Shape>& shapes,
              const std::function<bool(ValueId)>& full)
      : w(wave),
        groups_(groups),
        shapes_(shapes),
        tuple_of_(wave.value_count(), kNone),
        failed_(wave.value_count()) {
    for (uint32_t g = 0; g < groups.size(); ++g) {
      const bool masked = groups[g].type.bytes() >= kWord && !groups[g].words.empty();
      const bool all = full(groups[g].mask);
      whole_.push_back(groups[g].is_whole() && (masked || all));
      some_idle_ |= whole_.back() && !all;
      if (!groups[g].store && whole_.back())
        for (const auto& m : groups[g].members) loaded_by_[w.result(m.inst).index] = g;
    }
  }

  std::vector<bool> run() {
    std::vector<uint32_t> stored(groups_.size(), kNone);  // by group of stores: its tuple
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (!groups_[g].store || !whole_[g]) continue;
      std::vector<ValueId> data;
      for (const auto& m : groups_[g].members) data.push_back(w.inst(m.inst).operands[2]);
      stored[g] = tuple(data);
    }
    reject_other_uses(stored);
    spread();
    std::vector<bool> r(groups_.size());
    for (uint32_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].store) r[g] = stored[g] != kNone && (stored[g] == kNoTuple || !tuples_[stored[g]].bad);
    for (const Tuple& t : tuples_)
      if (t.group != kNone) r[t.group] = !t.bad;
    return r;
  }

 private:
  struct Tuple {
    std::vector<ValueId> members;
    std::vector<uint32_t> joined;  // operands, arguments, and those that it is one of
    uint32_t group = kNone;        // that loads them
    bool bad = false;
  };

  // The number of the tuple of these values; kNoTuple if they are one value for all lanes; kNone.
  uint32_t tuple(const std::vector<ValueId>& values) {
    const ValueId first = values[0];
    if (!w.is_inline(first) && failed_[first.index]) return kNone;
    ++depth_;
    const uint32_t found = depth_ < kDeepest ? new_or_known(values) : kNone;
    --depth_;
    if (found == kNone && !w.is_inline(first)) failed_[first.index] = true;
    return found;
  }
  uint32_t new_or_known(const std::vector<ValueId>& values) {
    const ValueId first = values[0];
    const bool same = std::ranges::all_of(values, [&](ValueId v) {
      return v == first || (w.is_const(first) && w.is_const(v) && w.value(v).bits == w.value(first).bits &&
                            w.type(v) == w.type(first));
    });
    if (same) return w.is_inline(first) || is_everywhere(first) ? kNoTuple : kNone;
    if (w.is_inline(first)) return kNone;
    for (size_t k = 1; k < values.size(); ++k)  // each holds another part of memory
      if (std::ranges::count(values, values[k]) > 1) return kNone;
    if (const uint32_t known = tuple_of_[first.index]; known != kNone)
      return tuples_[known].members == values ? known : kNone;
    for (ValueId v : values)
      if (w.is_inline(v) || tuple_of_[v.index] != kNone || !w.type(v).lane) return kNone;
    if (w.value(first).kind == ValueKind::Param) return parameters(values);
    if (!std::ranges::all_of(values, [&](ValueId v) { return w.def(v).valid(); })) return kNone;
    if (auto at = loaded_by_.find(first.index); at != loaded_by_.end()) {
      const auto& members = groups_[at->second].members;
      if (!std::ranges::equal(members, values, {}, [&](const auto& m) { return w.result(m.inst); }))
        return kNone;
      return add({.members = values, .joined = {}, .group = at->second});
    }
    if (!alike(values)) return kNone;
    std::vector<uint32_t> joined;
    for (size_t k = 0; k < w.inst(w.def(first)).operands.size(); ++k) {
      std::vector<ValueId> operands;
      for (ValueId v : values) operands.push_back(w.inst(w.def(v)).operands[k]);
      const uint32_t of = tuple(operands);
      if (of == kNone) return kNone;
      if (of != kNoTuple) joined.push_back(of);
    }
    return add({.members = values, .joined = std::move(joined)});
  }
  // Parameters of one block are a tuple if the arguments of each edge are. What depends on itself in a loop
  // is known before its arguments are; so a tuple that fails is bad.
  uint32_t parameters(const std::vector<ValueId>& values) {
    const BlockId block(w.value(values[0]).owner);
    for (ValueId v : values)
      if (w.value(v).kind != ValueKind::Param || BlockId(w.value(v).owner) != block) return kNone;
    if (!cfg_) cfg_.emplace(w);
    const uint32_t made = add({.members = values, .joined = {}});
    const bool tuples = every_edge_into(w, *cfg_, block, [&](BlockId, const Target& t) {
      std::vector<ValueId> arguments;
      for (ValueId v : values) arguments.push_back(t.args[w.value(v).index]);
      const uint32_t of = tuple(arguments);
      if (of < kNoTuple) {
        tuples_[made].joined.push_back(of);
        tuples_[of].joined.push_back(made);
      }
      return of != kNone;
    });
    tuples_[made].bad = !tuples || cfg_->preds[block.index].empty();
    return made;
  }
  // Whether all lanes hold the value: a shape says so of active ones only, and where some are idle, their
  // places hold components of others.
  bool is_everywhere(ValueId v) const {
    return shapes_[v.index].uniform() && (!some_idle_ || !w.type(v).lane);
  }
  uint32_t add(Tuple tuple) {
    const auto made = static_cast<uint32_t>(tuples_.size());
    for (uint32_t of : tuple.joined) tuples_[of].joined.push_back(made);
    for (ValueId v : tuple.members) tuple_of_[v.index] = made;
    tuples_.push_back(std::move(tuple));
    return made;
  }

  // One elementwise operation for all.
  bool alike(const std::vector<ValueId>& values) const {
    const Inst& first = w.inst(w.def(values[0]));
    if (!info(first.op).has(Elementwise) || first.results.size() != 1 || !w.type(values[0]).lane)
      return false;
    return std::ranges::all_of(values, [&](ValueId v) {
      const Inst& inst = w.inst(w.def(v));
      return inst.op == first.op && inst.attrs == first.attrs &&
             inst.operands.size() == first.operands.size() && w.type(v) == w.type(values[0]);
    });
  }

  bool joined(uint32_t user, uint32_t used) const {
    return user != kNone && std::ranges::find(tuples_[user].joined, used) != tuples_[user].joined.end();
  }

  // Every use of a member is by a member of a joined tuple, or by the store of a group in the same place.
  void reject_other_uses(const std::vector<uint32_t>& stored) {
    std::vector<uint32_t> stored_by(w.inst_count(), kNone);
    for (uint32_t g = 0; g < groups_.size(); ++g)
      if (stored[g] != kNone)
        for (const auto& m : groups_[g].members) stored_by[m.inst.index] = stored[g];
    for (BlockId b : w.layout)
      for (InstId i : w.block(b).insts) {
        const Inst& inst = w.inst(i);
        const uint32_t user = inst.results.size() == 1 ? tuple_of_[inst.results[0].index] : kNone;
        for (size_t k = 0; k < inst.operands.size(); ++k) {
          const ValueId v = inst.operands[k];
          const uint32_t used = w.is_inline(v) ? kNone : tuple_of_[v.index];
          if (used == kNone) continue;
          tuples_[used].bad |= !joined(user, used) && !(k == 2 && stored_by[i.index] == used);
        }
        for (const Target& t : inst.targets)
          for (size_t k = 0; k < t.args.size(); ++k) {
            const uint32_t used = w.is_inline(t.args[k]) ? kNone : tuple_of_[t.args[k].index];
            if (used == kNone) continue;
            const uint32_t user = tuple_of_[w.block(t.block).params[k].index];
            tuples_[used].bad |= !joined(user, used);
          }
      }
  }

  void spread() {
    std::vector<uint32_t> work;
    for (uint32_t t = 0; t < tuples_.size(); ++t)
      if (tuples_[t].bad) work.push_back(t);
    while (!work.empty()) {
      const uint32_t t = work.back();
      work.pop_back();
      for (uint32_t other : tuples_[t].joined)
        if (!std::exchange(tuples_[other].bad, true)) work.push_back(other);
    }
  }

  const Function& w;
  std::optional<Cfg> cfg_;
  const std::span<const Interleaved> groups_;
  const std::vector<Shape>& shapes_;
  std::vector<bool> whole_;
  bool some_idle_ = false;                  // whether there is a whole group under a mask that may lack lanes
  std::map<uint32_t, uint32_t> loaded_by_;  // by value: the group
  std::vector<Tuple> tuples_;
  std::vector<uint32_t> tuple_of_;  // by value
  std::vector<bool> failed_;        // by value: it begins no tuple
  size_t depth_ = 0;
};

}  // namespace

std::vector<bool> groups_in_memory_order(const Function& wave, std::span<const Interleaved> groups,
                                         const std::vector<Shape>& shapes,
                                         const std::function<bool(ValueId)>& full) {
  return TupleFinder(wave, groups, shapes, full).run();
}

}  // namespace kc::x64
