// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backends/x64/registers.h"
#include "ir/text.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

struct Interval {
  size_t from = SIZE_MAX, to = 0;
  void add(size_t at) { from = std::min(from, at), to = std::max(to, at); }
};

// How many values each register of a class holds.
struct Used {
  std::map<uint64_t, int> values{};
  uint64_t distinct = 0;
  void add(uint64_t first, uint64_t units, int n) {
    for (uint64_t r = first; r < first + units; ++r) {
      int& count = values[r];
      distinct -= count > 0;
      count += n;
      distinct += count > 0;
    }
  }
};

class Registers {
 public:
  explicit Registers(const Function& f) : f_(f), live_in_(f.block_count()), intervals_(f.value_count()) {
    find_live_values();
    find_intervals();
  }

  Json code() const {
    Json code = Json::array();
    for (BlockId b : f_.layout)
      for (InstId i : f_.block(b).insts) {
        const Loc loc = f_.inst(i).loc;
        code.push_back({{"text", print(f_, i)}, {"line", loc.file ? 0 : loc.line}});
      }
    return code;
  }

  // "v" and "s" of gfx9 have numbers for their tuples, "s2".
  static std::string class_of(Type type) {
    std::string name = to_string(type);
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
    return name;
  }
  uint64_t units(ValueId v) const {
    const std::string name = to_string(f_.type(v));
    const size_t digit = name.find_first_of("0123456789");
    return digit == std::string::npos || f_.dialect == Dialect::X64 ? 1 : std::stoul(name.substr(digit));
  }

  // Registers that hold a value after each instruction; copies of a value may share one.
  std::map<std::string, std::vector<uint64_t>> pressure() const {
    std::map<std::string, std::vector<uint64_t>> by_class;
    size_t first = 0;
    for (BlockId b : f_.layout) {
      std::vector<bool> live(f_.value_count());
      std::map<std::string, Used> used;
      auto set = [&](ValueId v, bool to) {
        if (live[v.index] == to) return;
        live[v.index] = to;
        if (f_.value(v).location.kind != Location::Register) return;
        used[class_of(f_.type(v))].add(f_.value(v).location.index, units(v), to ? 1 : -1);
      };
      const std::vector<bool> out = live_out(b);
      for (uint32_t v = 0; v < out.size(); ++v)
        if (out[v]) set(ValueId(v), true);
      const auto& insts = f_.block(b).insts;
      for (size_t n = insts.size(); n-- > 0;) {
        for (ValueId r : f_.inst(insts[n]).results) set(r, true);
        for (const auto& [name, registers] : used) {
          by_class[name].resize(count_);
          by_class[name][first + n] = registers.distinct;
        }
        for (ValueId r : f_.inst(insts[n]).results) set(r, false);
        uses(f_.inst(insts[n]), [&](ValueId v) { set(v, true); });
      }
      first += insts.size();
    }
    return by_class;
  }

  Json ranges() const {
    Json all = Json::array();
    std::vector<bool> spilled(f_.value_count());
    for (BlockId b : f_.layout)
      for (InstId i : f_.block(b).insts)
        if (print(f_, i).starts_with("spill ")) spilled[f_.inst(i).operands[0].index] = true;
    for (uint32_t v = 0; v < intervals_.size(); ++v) {
      const ValueId id(v);
      if (!counted(id)) continue;
      const InstId def = f_.def(id);
      const Location& at = f_.value(id).location;
      Json range{{"name", print_operand(f_, id)},
                 {"kind", class_of(f_.type(id))},
                 {"from", intervals_[v].from},
                 {"to", intervals_[v].to}};
      if (at.kind == Location::Register)
        range["register"] = fmt::format("{}{}", class_of(f_.type(id)), at.index);
      if (spilled[v] || at.kind == Location::Slot) range["spilled"] = true;
      if (def && f_.inst(def).loc.line && !f_.inst(def).loc.file) range["line"] = f_.inst(def).loc.line;
      all.push_back(std::move(range));
    }
    return all;
  }

 private:
  bool counted(ValueId v) const { return intervals_[v.index].from != SIZE_MAX && !f_.is_inline(v); }

  template <typename F>
  void uses(const Inst& inst, F&& use) const {
    for (ValueId v : inst.operands)
      if (!f_.is_inline(v)) use(v);
    for (const Target& t : inst.targets)
      for (ValueId v : t.args)
        if (!f_.is_inline(v)) use(v);
  }

  void find_live_values() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto b = f_.layout.rbegin(); b != f_.layout.rend(); ++b) {
        std::vector<bool> live = live_out(*b);
        const auto& insts = f_.block(*b).insts;
        for (auto i = insts.rbegin(); i != insts.rend(); ++i) {
          for (ValueId r : f_.inst(*i).results) live[r.index] = false;
          uses(f_.inst(*i), [&](ValueId v) { live[v.index] = true; });
        }
        for (ValueId p : f_.block(*b).params) live[p.index] = false;
        if (live_in_[b->index] != live) live_in_[b->index] = std::move(live), changed = true;
      }
    }
  }
  std::vector<bool> live_out(BlockId b) const {
    std::vector<bool> live(f_.value_count());
    for (const Target& t : f_.successors(b)) {
      const auto& in = live_in_[t.block.index];
      for (size_t v = 0; v < in.size(); ++v)
        if (in[v]) live[v] = true;
    }
    return live;
  }

  void find_intervals() {
    for (BlockId b : f_.layout) {
      const size_t first = count_;
      for (ValueId p : f_.block(b).params) intervals_[p.index].add(first);
      for (InstId i : f_.block(b).insts) {
        for (ValueId r : f_.inst(i).results) intervals_[r.index].add(count_);
        uses(f_.inst(i), [&](ValueId v) { intervals_[v.index].add(count_); });
        ++count_;
      }
      const auto out = live_out(b);
      for (size_t v = 0; v < out.size(); ++v) {
        if (out[v]) intervals_[v].add(count_ - 1);
        if (v < live_in_[b.index].size() && live_in_[b.index][v]) intervals_[v].add(first);
      }
    }
  }

  const Function& f_;
  std::vector<std::vector<bool>> live_in_;
  std::vector<Interval> intervals_;
  size_t count_ = 0;
};

// Registers that a value can have.
uint64_t limit_of(const std::string& name, const TargetDesc& target, uint32_t width) {
  if (target.is_cpu()) {
    for (const RegClass& c : x64::reg_target(width, target.avx512()).classes)
      if (c.name == name) return c.order.size();
    return 0;
  }
  return name == "v" ? 256 : 102;
}

}  // namespace

Json registers_of(const Function& f, const TargetDesc& target) {
  const Registers r(f);
  Json kinds = Json::array(), facts = Json::array();
  for (const auto& [name, all] : r.pressure()) {
    kinds.push_back({{"name", name}, {"limit", limit_of(name, target, f.width)}, {"pressure", all}});
    facts.push_back({{"name", fmt::format("most {} registers at once", name)},
                     {"value", std::to_string(*std::ranges::max_element(all))}});
  }
  Json ranges = r.ranges();
  const auto spills =
      std::ranges::count_if(ranges, [](const Json& range) { return range.contains("spilled"); });
  facts.push_back({{"name", "spilled values"}, {"value", std::to_string(spills)}});
  return {{"target", target.name},
          {"code", r.code()},
          {"kinds", std::move(kinds)},
          {"ranges", std::move(ranges)},
          {"facts", std::move(facts)}};
}

}  // namespace kc
