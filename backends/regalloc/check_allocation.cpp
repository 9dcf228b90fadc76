// SPDX-License-Identifier: Apache-2.0
// Verifies an allocation independently of the allocator, with which it shares no code.
// Algorithm: forward dataflow. A state maps each register unit and each slot unit to the set of value parts
// that it certainly holds (original values and inserted names alike); the meet is intersection. A copy, spill
// or reload copies a set; the results of an instruction replace it; an edge adds parameters to every set that
// contains their arguments. Each operand must be read from a unit that holds its value.
// Needs: `before` is a copy of the function from before allocation, so that ids agree.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "backends/regalloc/regalloc.h"
#include "ir/text.h"

namespace kc {
namespace {

constexpr size_t kMaxMessages = 20;
constexpr int8_t kForeign = -1;

struct ValuePart {
  ValueId value;
  uint32_t part = 0;
  auto operator<=>(const ValuePart&) const = default;
};
using Content = std::vector<ValuePart>;  // sorted
using State = std::vector<uint32_t>;     // by location: the number of its content

// Interned contents: states of thousands of locations are copied and compared as numbers. The empty one is 0.
class Contents {
 public:
  Contents() { number({}); }

  const Content& operator[](uint32_t n) const { return *all_[n]; }
  bool holds(uint32_t n, ValuePart p) const {
    return std::binary_search(all_[n]->begin(), all_[n]->end(), p);
  }
  uint32_t number(Content c) {
    auto [at, fresh] = numbers_.emplace(std::move(c), static_cast<uint32_t>(all_.size()));
    if (fresh) all_.push_back(&at->first);
    return at->second;
  }
  /// Parts have numbers below `parts`; the following two take the number with the part.
  void expect(size_t parts) { singles_.assign(parts, 0); }
  uint32_t single(ValuePart p, uint32_t part) {
    if (singles_[part] == 0) singles_[part] = number({p});
    return singles_[part];
  }
  uint32_t with(uint32_t n, ValuePart p, uint32_t part) {
    if (n == 0) return single(p, part);
    auto [known, fresh] = sums_.emplace(uint64_t{n} << 32 | part, n);
    if (!fresh) return known->second;
    const Content& c = *all_[n];
    auto at = std::lower_bound(c.begin(), c.end(), p);
    if (at != c.end() && *at == p) return n;
    Content more(c.begin(), at);
    more.push_back(p);
    more.insert(more.end(), at, c.end());
    return known->second = number(std::move(more));
  }
  uint32_t in_both(uint32_t a, uint32_t b) {
    if (a == b || a == 0 || b == 0) return a == b ? a : 0;
    auto [at, fresh] = meets_.emplace(uint64_t{a} << 32 | b, 0);
    if (!fresh) return at->second;
    Content both;
    std::set_intersection(all_[a]->begin(), all_[a]->end(), all_[b]->begin(), all_[b]->end(),
                          std::back_inserter(both));
    return at->second = number(std::move(both));
  }

 private:
  struct Hash {
    size_t operator()(const Content& c) const {
      size_t h = c.size();
      for (const ValuePart& p : c) h = (h ^ (p.value.index * size_t{8} + p.part)) * 0x9e3779b97f4a7c15;
      return h ^ h >> 32;
    }
  };
  std::unordered_map<Content, uint32_t, Hash> numbers_;
  std::vector<const Content*> all_;
  std::vector<uint32_t> singles_;
  std::unordered_map<uint64_t, uint32_t> sums_, meets_;
};

class Checker {
 public:
  Checker(const Function& before, const Function& after, const RegTarget& target)
      : before_(before), after_(after), target_(target), class_(after.value_count(), kForeign) {
    for (uint32_t v = 0; v < after.value_count(); ++v)
      for (size_t c = target.classes.size(); c-- > 0;)
        if (target.classes[c].elem == after.type(ValueId(v)).elem && !after.is_inline(ValueId(v)))
          class_[v] = static_cast<int8_t>(c);
  }

  std::vector<std::string> run() {
    structure();
    if (messages_.empty()) locations();
    if (!messages_.empty()) return messages_;
    number_locations();
    solve();
    report_ = true;
    for (BlockId b : after_.layout)
      if (seen_[b.index]) flow(b, in_[b.index]);
    return messages_;
  }

 private:
  void error(std::string message) {
    if (messages_.size() < kMaxMessages) messages_.push_back(std::move(message));
  }
  void error(InstId i, std::string message) { error(fmt::format("{}: {}", print(after_, i), message)); }
  int class_of(ValueId v) const { return class_[v.index]; }
  uint32_t size_of(ValueId v) const { return after_.type(v).regs; }
  bool inserted(InstId i) const { return i.index >= before_.inst_count(); }
  bool inserted(BlockId b) const { return b.index >= before_.block_count(); }
  uint32_t reg(ValueId v) const { return after_.value(v).location.index; }

  // --- same instructions in the same order, except for inserted ones and blocks on edges

  void structure() {
    std::vector<char> present(after_.block_count(), 0), entered(after_.block_count(), 0);
    for (BlockId b : after_.layout) present[b.index] = 1;
    if (before_.entry() != after_.entry()) return error("the entry block changed");
    std::vector<char> reached(before_.block_count(), 0);
    std::vector<BlockId> work{before_.entry()};
    reached[before_.entry().index] = 1;
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      if (!present[b.index]) return error(fmt::format("block {} is missing", b.index));
      same_block(b, entered);
      for (const Target& t : before_.successors(b))
        if (!reached[t.block.index]) reached[t.block.index] = 1, work.push_back(t.block);
    }
  }

  void same_block(BlockId b, std::vector<char>& entered) {
    const auto& old = before_.block(b).params;
    const auto& now = after_.block(b).params;
    if (now.size() < old.size() || !std::equal(old.begin(), old.end(), now.begin()))
      return error(fmt::format("the parameters of block {} changed", b.index));
    size_t next = 0;
    for (InstId i : after_.block(b).insts) {
      if (inserted(i)) {
        inserted_row(i);
        continue;
      }
      if (next >= before_.block(b).insts.size() || before_.block(b).insts[next] != i)
        return error(i, "is not the next instruction of the original");
      ++next;
      same_instruction(b, i, entered);
    }
    if (next != before_.block(b).insts.size()) error(fmt::format("block {} lost an instruction", b.index));
  }

  void inserted_row(InstId i) {
    const Inst& inst = after_.inst(i);
    size_t reads = inst.op == target_.reload ? 0 : 1, writes = inst.op == target_.spill ? 0 : 1;
    bool known = inst.op == target_.copy || inst.op == target_.reload || inst.op == target_.spill;
    if (!known || inst.operands.size() != reads || inst.results.size() != writes || !inst.targets.empty())
      return error(i, "is not a copy, spill or reload");
    for (ValueId v : inst.operands)
      if (class_of(v) == kForeign) return error(i, "moves what is no register of the target");
    if (reads && writes && after_.type(inst.operands[0]) != after_.type(inst.results[0]))
      error(i, "changes the type");
    if (inst.op != target_.copy && (inst.attrs[0] < target_.first_slot || inst.attrs[0] > (1 << 24)))
      error(i, "names no slot");
  }

  void same_instruction(BlockId b, InstId i, std::vector<char>& entered) {
    const Inst &old = before_.inst(i), &now = after_.inst(i);
    if (old.op != now.op || old.attrs != now.attrs || old.results != now.results ||
        old.operands.size() != now.operands.size() || old.targets.size() != now.targets.size())
      return error(i, "differs from the original");
    for (size_t k = 0; k < old.operands.size(); ++k)
      if (after_.type(now.operands[k]) != before_.type(old.operands[k]) ||
          (class_of(now.operands[k]) == kForeign && now.operands[k] != old.operands[k]))
        return error(i, fmt::format("operand {} differs from the original", k));
    for (uint32_t k = 0; k < old.targets.size(); ++k) {
      const Target* t = &now.targets[k];
      BlockId from = b;
      uint32_t index = k;
      if (inserted(t->block)) {
        from = t->block, index = 0;
        if (entered[from.index]) return error(i, "an inserted block has several predecessors");
        entered[from.index] = 1;
        if (!t->args.empty() || after_.block(from).insts.empty() || after_.successors(from).size() != 1)
          return error(i, "an inserted block does more than pass an edge on");
        const auto& rows = after_.block(from).insts;
        for (InstId row : rows)
          if (row != rows.back()) inserted_row(row);
        if (after_.inst(rows.back()).op != target_.jump) return error(i, "an inserted block ends in no jump");
        t = &after_.inst(rows.back()).targets[0];
      }
      if (t->block != old.targets[k].block || t->args.size() != after_.block(t->block).params.size())
        return error(i, fmt::format("target {} differs from the original", k));
      passed_[{from.index, index}] = &old.targets[k];
    }
  }

  // --- locations on their own

  void locations() {
    named_.resize(target_.classes.size());
    auto name = [&](int cls, uint32_t unit, uint32_t count) {
      auto& n = named_[static_cast<size_t>(cls)];
      for (uint32_t u = unit; u < unit + count; ++u) {
        if (u >= n.size()) n.resize(u + 1);
        n[u] = true;
      }
    };
    for (size_t c = 0; c < target_.classes.size(); ++c)
      for (uint32_t u : target_.classes[c].order) name(static_cast<int>(c), u, 1);
    for (ValueId p : before_.block(before_.entry()).params)
      if (class_of(p) != kForeign && before_.value(p).location.kind == Location::Register) {
        name(class_of(p), before_.value(p).location.index, size_of(p));
        if (after_.value(p).location != before_.value(p).location)
          error("a parameter of the function left the register it was given");
      }
    for (BlockId b : before_.layout)
      for (InstId i : before_.block(b).insts) {
        const Inst& inst = before_.inst(i);
        const MachineInfo& m = target_.constraints(before_, inst);
        auto fixed = [&](const FixedReg& r, std::span<const ValueId> list) {
          if (r.index < 0 || static_cast<size_t>(r.index) >= list.size()) return;
          ValueId v = list[static_cast<size_t>(r.index)];
          if (class_of(v) != kForeign) name(class_of(v), static_cast<uint32_t>(r.reg), size_of(v));
        };
        for (const FixedReg& r : m.fixed_operands) fixed(r, inst.operands);
        for (const FixedReg& r : m.fixed_results) fixed(r, inst.results);
      }
    auto value = [&](ValueId v, bool param) {
      if (class_of(v) == kForeign) return;
      Location l = after_.value(v).location;
      if (l.kind == Location::Slot && param) return;
      auto what = [&] { return print_operand(after_, v); };
      if (l.kind != Location::Register) return error(what() + " has no register");
      const auto& n = named_[static_cast<size_t>(class_of(v))];
      for (uint32_t u = l.index; u < l.index + size_of(v); ++u)
        if (u >= n.size() || !n[u]) return error(fmt::format("{} is in register {} of the class", what(), u));
      if (l.index % target_.tuple_alignment(after_.type(v))) error(what() + " is a misaligned tuple");
    };
    for (BlockId b : after_.layout) {
      for (ValueId p : after_.block(b).params) value(p, b != after_.entry());
      for (InstId i : after_.block(b).insts)
        for (ValueId r : after_.inst(i).results) value(r, false);
    }
  }

  // --- numbering of locations: the units of each class, then the units of each slot

  void number_locations() {
    uint32_t next = 0;
    for (size_t c = 0; c < target_.classes.size(); ++c) {
      first_.push_back(next);
      next += std::max<uint32_t>(32, static_cast<uint32_t>(named_[c].size()));  // clobbers reach 32
    }
    slots_ = locations_ = next;
    // A slot has as many units as the widest value in any slot.
    int64_t last = -1;
    auto in_slot = [&](ValueId v, int64_t s) {
      slot_units_ = std::max(slot_units_, size_of(v));
      last = std::max(last, s);
    };
    for (BlockId b : after_.layout) {
      for (ValueId p : after_.block(b).params)
        if (Location l = after_.value(p).location; class_of(p) != kForeign && l.kind == Location::Slot)
          in_slot(p, l.index);
      for (InstId i : after_.block(b).insts)
        if (const Inst& row = after_.inst(i); inserted(i) && row.op != target_.copy && row.op != target_.jump)
          in_slot(row.op == target_.spill ? row.operands[0] : row.results[0], row.attrs[0]);
    }
    if (last >= 0) locations_ = slot(last) + slot_units_;
    in_.resize(after_.block_count());
    seen_.assign(after_.block_count(), 0);
    defined_in_.resize(after_.value_count());
    passes_.assign(after_.value_count(), 0);
    uint32_t parts = 0;
    first_part_.resize(after_.value_count());
    for (uint32_t v = 0; v < after_.value_count(); ++v) {
      first_part_[v] = parts;
      if (class_[v] != kForeign) parts += size_of(ValueId(v));
    }
    contents_.expect(parts);
    for (BlockId b : after_.layout) {
      for (ValueId p : after_.block(b).params) defined_in_[p.index] = b;
      for (InstId i : after_.block(b).insts)
        for (ValueId r : after_.inst(i).results) defined_in_[r.index] = b;
    }
  }
  uint32_t slot(int64_t s) const { return slots_ + static_cast<uint32_t>(s) * slot_units_; }
  uint32_t place(ValueId v) const { return first_[static_cast<size_t>(class_of(v))] + reg(v); }

  void solve() {
    // In layout order, in which most predecessors come first.
    std::vector<size_t> position(after_.block_count(), 0);
    for (size_t n = 0; n < after_.layout.size(); ++n) position[after_.layout[n].index] = n;
    std::set<size_t> work{position[after_.entry().index]};
    in_[after_.entry().index].assign(locations_, 0);
    seen_[after_.entry().index] = 1;
    for (ValueId p : after_.block(after_.entry()).params)
      if (class_of(p) != kForeign && after_.value(p).location.kind == Location::Register)
        define(in_[after_.entry().index], p);
    while (!work.empty()) {
      BlockId b = after_.layout[*work.begin()];
      work.erase(work.begin());
      for (auto& [to, state] : flow(b, in_[b.index]))
        if (meet(to, std::move(state))) work.insert(position[to.index]);
    }
  }

  bool meet(BlockId b, State state) {
    State& here = in_[b.index];
    if (!seen_[b.index]) {
      seen_[b.index] = 1;
      here = std::move(state);
      return true;
    }
    bool changed = false;
    for (size_t n = 0; n < here.size(); ++n) {
      uint32_t both = contents_.in_both(here[n], state[n]);
      changed |= both != here[n];
      here[n] = both;
    }
    return changed;
  }

  void define(State& s, ValueId v) {
    for (uint32_t k = 0; k < size_of(v); ++k)
      s[place(v) + k] = contents_.single({v, k}, first_part_[v.index] + k);
  }

  std::vector<std::pair<BlockId, State>> flow(BlockId b, State s) {
    for (InstId i : after_.block(b).insts) {
      if (!inserted(i))
        original(s, i);
      else if (after_.inst(i).op != target_.jump)
        move(s, after_.inst(i));
    }
    std::vector<std::pair<BlockId, State>> result;
    InstId end = after_.terminator(b);
    for (uint32_t k = 0; k < after_.inst(end).targets.size(); ++k)
      result.push_back({after_.inst(end).targets[k].block, cross(s, b, end, k)});
    return result;
  }

  void move(State& s, const Inst& inst) {
    for (ValueId o : inst.operands)
      if (after_.value(o).location.kind != Location::Register) {
        if (report_) error(print_operand(after_, o) + " is moved but is not in a register");
        return;
      }
    ValueId v = inst.op == target_.spill ? inst.operands[0] : inst.results[0];
    uint32_t from = inst.op == target_.reload ? slot(inst.attrs[0]) : place(inst.operands[0]);
    uint32_t to = inst.op == target_.spill ? slot(inst.attrs[0]) : place(inst.results[0]);
    carried_.assign(s.begin() + from, s.begin() + from + size_of(v));
    if (inst.op == target_.copy && from != to && from < to + size_of(v) && to < from + size_of(v))
      if (report_) error("a copy overlaps itself in part");
    if (inst.op == target_.spill)
      for (uint32_t k = 0; k < slot_units_; ++k) s[to + k] = 0;
    for (uint32_t k = 0; k < size_of(v); ++k) {
      s[to + k] = inst.op == target_.spill ? carried_[k]
                                           : contents_.with(carried_[k], {v, k}, first_part_[v.index] + k);
    }
  }

  void original(State& s, InstId i) {
    const Inst &now = after_.inst(i), &old = before_.inst(i);
    if (report_) {
      for (size_t k = 0; k < now.operands.size(); ++k)
        if (class_of(now.operands[k]) != kForeign) read(s, i, now.operands[k], old.operands[k], "operand", k);
      constraints(i);
    }
    const MachineInfo& m = target_.constraints(before_, old);
    for (size_t c = 0; c < target_.classes.size() && c < m.clobbers.size(); ++c)
      for (uint32_t u = 0; u < 32; ++u)
        if (m.clobbers[c] >> u & 1) s[first_[c] + u] = 0;
    for (ValueId r : now.results)
      if (class_of(r) != kForeign) define(s, r);
  }

  void read(const State& s, InstId i, ValueId name, ValueId value, const char* role, size_t n) {
    if (after_.value(name).location.kind != Location::Register)
      return error(i, fmt::format("{} {} is not in a register", role, n));
    for (uint32_t k = 0; k < size_of(name); ++k) {
      uint32_t c = s[place(name) + k];
      if (!contents_.holds(c, {value, k}))
        return error(
            i, fmt::format("{} {}: register {} does not hold the original's value", role, n, reg(name) + k));
      if (!contents_.holds(c, {name, k}))
        return error(i,
                     fmt::format("{} {}: register {} does not hold the value named", role, n, reg(name) + k));
    }
  }

  bool overlaps(ValueId a, ValueId b) const {
    return class_of(a) == class_of(b) && reg(a) < reg(b) + size_of(b) && reg(b) < reg(a) + size_of(a);
  }

  void constraints(InstId i) {
    const Inst& now = after_.inst(i);
    const MachineInfo& m = target_.constraints(before_, before_.inst(i));
    auto fixed = [&](const FixedReg& r, std::span<const ValueId> list, const char* what) {
      if (r.index < 0 || static_cast<size_t>(r.index) >= list.size()) return;
      ValueId v = list[static_cast<size_t>(r.index)];
      if (class_of(v) != kForeign && reg(v) != static_cast<uint32_t>(r.reg))
        error(i, fmt::format("{} {} must be in register {}", what, r.index, r.reg));
    };
    for (const FixedReg& r : m.fixed_operands) fixed(r, now.operands, "operand");
    for (const FixedReg& r : m.fixed_results) fixed(r, now.results, "result");
    const int ties[] = {m.tied, m.tied_second};
    for (size_t j = 0; j < 2 && j < now.results.size(); ++j) {
      if (ties[j] < 0) continue;
      ValueId o = now.operands[static_cast<size_t>(ties[j])], r = now.results[j];
      if (class_of(o) != kForeign && class_of(r) != kForeign && reg(o) != reg(r))
        error(i, fmt::format("result {} must take the register of operand {}", j, ties[j]));
    }
    for (size_t a = 0; a < now.results.size(); ++a)
      for (size_t c = 0; c < a; ++c)
        if (class_of(now.results[a]) != kForeign && overlaps(now.results[a], now.results[c]))
          error(i, "two results share a register");
    if (!m.early_clobber) return;
    for (size_t k = 0; k < now.operands.size(); ++k) {
      ValueId o = now.operands[k];
      int cls = class_of(o);
      if (cls == kForeign) continue;
      for (size_t j = 0; j < now.results.size(); ++j)
        if (class_of(now.results[j]) != kForeign && overlaps(o, now.results[j]) &&
            !(j < 2 && ties[j] == static_cast<int>(k)))
          error(i, fmt::format("result {} destroys operand {} before it is read", j, k));
      bool tied = (ties[0] == static_cast<int>(k) && !now.results.empty()) ||
                  (ties[1] == static_cast<int>(k) && now.results.size() > 1);
      for (uint32_t u = reg(o); u < reg(o) + size_of(o) && u < 32 && cls < 3 && !tied; ++u)
        if (m.clobbers[static_cast<size_t>(cls)] >> u & 1)
          error(i, fmt::format("operand {} is destroyed before it is read", k));
    }
  }

  // The state after an edge.
  State cross(const State& s, BlockId b, InstId end, uint32_t k) {
    const Target& edge = after_.inst(end).targets[k];
    const auto& params = after_.block(edge.block).params;
    auto it = passed_.find({b.index, k});
    const Target* original = it == passed_.end() ? nullptr : it->second;
    std::vector<std::pair<ValueId, ValueId>> becomes;  // argument, parameter
    for (size_t n = 0; n < params.size(); ++n) {
      ValueId p = params[n], arg = edge.args[n];
      if (class_of(p) == kForeign) continue;
      bool old = n < before_params(edge.block);
      if (old && !original) continue;
      ValueId value = old ? original->args[n] : arg;
      becomes.push_back({value, p});
      if (!report_ || after_.value(p).location.kind != Location::Register) continue;
      if (after_.value(arg).location != after_.value(p).location)
        error(end, fmt::format("argument {} is not where the parameter is", n));
      else
        read(s, end, arg, value, "argument", n);
    }
    std::ranges::sort(becomes);
    for (const auto& [value, p] : becomes) passes_[value.index] = 1;
    State t = s;
    for (uint32_t& n : t)
      if (std::ranges::any_of(contents_[n], [&](const ValuePart& p) {
            return passes_[p.value.index] || defined_in_[p.value.index] == edge.block;
          }))
        n = after_edge(n, edge.block, becomes);
    for (const auto& [value, p] : becomes) passes_[value.index] = 0;
    return t;
  }

  // A content after an edge to `to`: parts of values defined there are dropped, parameters are added for the
  // arguments they stand for.
  uint32_t after_edge(uint32_t n, BlockId to, const std::vector<std::pair<ValueId, ValueId>>& becomes) {
    Content result;
    for (const ValuePart& part : contents_[n]) {
      if (defined_in_[part.value.index] != to) result.push_back(part);
      if (!passes_[part.value.index]) continue;
      for (auto at = std::ranges::lower_bound(becomes, part.value, {}, &std::pair<ValueId, ValueId>::first);
           at != becomes.end() && at->first == part.value; ++at)
        result.push_back({at->second, part.part});
    }
    std::ranges::sort(result);
    result.erase(std::ranges::unique(result).begin(), result.end());
    return contents_.number(std::move(result));
  }
  size_t before_params(BlockId b) const { return inserted(b) ? 0 : before_.block(b).params.size(); }

  const Function &before_, &after_;
  const RegTarget& target_;
  std::vector<std::string> messages_;
  // (block, target index) -> the original edge
  std::map<std::pair<uint32_t, uint32_t>, const Target*> passed_;
  std::vector<std::vector<bool>> named_;  // by class: units that may be used
  std::vector<uint32_t> first_;           // number of the location of each class's unit 0
  uint32_t slots_ = 0, slot_units_ = 0, locations_ = 0;
  Contents contents_;
  std::vector<State> in_;
  std::vector<char> seen_;
  std::vector<int8_t> class_;         // by value
  std::vector<uint32_t> first_part_;  // by value: the number of its part 0
  State carried_;                     // what a move carries
  std::vector<BlockId> defined_in_;
  std::vector<char> passes_;  // by value: it is an argument of the current edge
  bool report_ = false;
};

}  // namespace

std::vector<std::string> check_allocation(const Function& before, const Function& after,
                                          const RegTarget& target) {
  return Checker(before, after, target).run();
}

}  // namespace kc
