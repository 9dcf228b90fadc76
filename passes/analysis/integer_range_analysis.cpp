// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/integer_range_analysis.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace kc {
namespace {

constexpr size_t kMaxConditions = 8;  // conjuncts per branch
constexpr size_t kMaxExtensions = 4;  // extensions of one value that are refined with it
constexpr size_t kMostLookedAt = 32;
constexpr size_t kMaxCompared = 8;   // comparisons of the same two values that a branch may decide
constexpr uint32_t kFreeSteps = 3;   // growth steps before widening
constexpr uint32_t kMaxGrowth = 48;  // growth steps before the full set
constexpr int kSweeps = 2;

bool tracked(Type type) { return type.is_int() || type.elem == Elem::I1; }
unsigned width_of(Type type) { return std::max(1u, tracked(type) ? type.bits() : 64u); }
bool is_conversion(Op op) { return op == Op::zext || op == Op::sext || op == Op::trunc; }

// Widening: bounds that moved go on to the next likely bound.
KnownBits widened(const KnownBits& old, KnownBits now) {
  const KnownBits all = KnownBits::anything(now.width);
  if (now.umin < old.umin) now.umin = 0;
  if (now.umax > old.umax)
    now.umax = std::min<uint64_t>(all.umax, now.umax <= INT32_MAX    ? INT32_MAX
                                            : now.umax <= UINT32_MAX ? UINT32_MAX
                                                                     : all.umax);
  if (now.smin < old.smin)
    now.smin = std::max<int64_t>(all.smin, now.smin >= INT32_MIN ? INT32_MIN : all.smin);
  if (now.smax > old.smax)
    now.smax = std::min<int64_t>(all.smax, now.smax <= INT32_MAX ? INT32_MAX : all.smax);
  return meet(now, all);
}

// A set of ways in which two numbers x and y may be ordered: they are equal, or one of them is less as a
// signed number and the same or the other one as an unsigned number. Each way is a bit.
class Orders {
 public:
  Orders() = default;
  /// Those in which the comparison `x op y` is `truth`.
  Orders(Op op, bool truth) {
    constexpr uint8_t slt = kBothLess | kSignedLess, ult = kBothLess | kUnsignedLess;
    const uint8_t when = op == Op::eq    ? kEqual
                         : op == Op::ne  ? kAll & ~kEqual
                         : op == Op::slt ? slt
                         : op == Op::sle ? slt | kEqual
                         : op == Op::ult ? ult
                                         : ult | kEqual;
    set_ = truth ? when : kAll & ~when;
  }

  Orders operator&(Orders other) const { return Orders(set_ & other.set_); }
  bool within(Orders other) const { return (set_ & ~other.set_) == 0; }
  /// Of y and x.
  Orders turned() const {
    return Orders((set_ & kEqual) | (set_ & kBothLess ? kBothGreater : 0) |
                  (set_ & kBothGreater ? kBothLess : 0) | (set_ & kSignedLess ? kUnsignedLess : 0) |
                  (set_ & kUnsignedLess ? kSignedLess : 0));
  }
  /// What `x op y` is in all of them.
  std::optional<bool> decide(Op op) const {
    for (bool truth : {false, true})
      if (within(Orders(op, truth))) return truth;
    return std::nullopt;
  }

 private:
  static constexpr uint8_t kEqual = 1, kBothLess = 2, kSignedLess = 4, kUnsignedLess = 8, kBothGreater = 16;
  static constexpr uint8_t kAll = 31;
  explicit Orders(int set) : set_(static_cast<uint8_t>(set)) {}
  uint8_t set_ = kAll;
};

// A priority worklist of numbers; the lowest comes first.
class FirstFirst {
 public:
  FirstFirst(size_t count, bool all) : words_(count / 64 + 1, all ? ~uint64_t{0} : 0) {}
  void add(uint32_t n) {
    words_[n / 64] |= uint64_t{1} << n % 64;
    low_ = std::min<size_t>(low_, n / 64);
  }
  /// At least the count if empty.
  uint32_t take() {
    while (low_ + 1 < words_.size() && words_[low_] == 0) ++low_;
    uint64_t& word = words_[low_];
    const auto n = static_cast<uint32_t>(low_ * 64) + static_cast<uint32_t>(std::countr_zero(word));
    word &= word - 1;
    return n;
  }

 private:
  std::vector<uint64_t> words_;  // a bit for each number
  size_t low_ = 0;               // all lower words are empty
};

}  // namespace

// Creates refined names and the use lists in one walk over the dominator tree.
class FactsBuilder {
 public:
  FactsBuilder(IntegerRanges& known, const Function& function, const Cfg& cfg, const DominatorTree& tree)
      : r(known), f(function), cfg_(cfg), tree_(tree), now_(f.value_count()), extensions_(extensions()) {
    r.values_ = f.value_count();
    for (uint32_t v = 0; v < now_.size(); ++v) now_[v] = v;
    edge_.resize(f.block_count());
    edges_here_.resize(f.block_count());
    for (BlockId b : cfg_.rpo)
      for (uint32_t k = 0; k < f.successors(b).size(); ++k) edge_[f.successors(b)[k].block.index] = k;
    r.first_use_.assign(f.inst_count(), 0);
    size_t uses = 0;
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        r.first_use_[i.index] = static_cast<uint32_t>(uses);
        uses += inst.operands.size();
        for (const Target& t : inst.targets) uses += t.args.size();
      }
    r.uses_.resize(uses);
  }

  void run() {
    struct Frame {
      BlockId block;
      size_t next = 0, names = 0, pairs = 0;
    };
    const Lists<BlockId> children(f.block_count(), [&](auto add) {
      for (BlockId b : cfg_.rpo)
        if (BlockId up = tree_.idom[b.index]; up.valid()) add(up.index, b);
    });
    std::vector<Frame> stack;
    auto enter = [&](BlockId b) {
      stack.push_back({b, 0, renamed_.size(), changed_pairs_.size()});
      visit(b);
    };
    enter(f.entry());
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next < children[top.block.index].size()) {
        enter(children[top.block.index][top.next++]);
        continue;
      }
      leave(top.names);
      for (; changed_pairs_.size() > top.pairs; changed_pairs_.pop_back()) {
        auto& [pair, orders, compared] = changed_pairs_.back();
        pair->orders = orders, pair->compared.resize(compared);
      }
      stack.pop_back();
    }
    r.arguments_ = Lists<IntegerRanges::Argument>(r.values_, [&](auto add) {
      for (BlockId b : cfg_.rpo) {
        InstId end = f.terminator(b);
        uint32_t use = r.first_use_[end.index] + static_cast<uint32_t>(f.inst(end).operands.size());
        for (uint32_t k = 0; k < f.successors(b).size(); ++k)
          for (ValueId p : f.block(f.successors(b)[k].block).params) add(p.index, {r.uses_[use++], b, k});
      }
    });
  }

 private:
  struct Condition {
    ValueId value;
    bool truth = false, compares = false;
  };

  Lists<InstId> extensions() const {
    return Lists<InstId>(f.value_count(), [&](auto add) {
      for (BlockId b : cfg_.rpo)
        for (InstId i : f.block(b).insts)
          if (is_conversion(f.inst(i).op)) add(f.inst(i).operands[0].index, i);
    });
  }

  void visit(BlockId b) {
    here_ = b;
    enter_by_edge(b);
    for (ValueId p : f.block(b).params) r.order_.push_back(p.index);
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      read(i);
      for (ValueId v : inst.results) r.order_.push_back(v.index);
      by_orders(i);
    }
    r.order_.push_back(IntegerRanges::kWay | b.index);
  }

  void read(InstId i) {
    const Inst& inst = f.inst(i);
    uint32_t use = r.first_use_[i.index];
    for (ValueId v : inst.operands) r.uses_[use++] = now_[v.index];
    if (inst.op == Op::select) read_arms(i);
    bool branches = inst.targets.size() > 1;
    for (const Target& t : inst.targets) ++edges_here_[t.block.index];
    for (size_t k = 0; k < inst.targets.size(); ++k) {
      const Target& t = inst.targets[k];
      size_t mark = renamed_.size();
      // The refined names on an edge into a join have no other users.
      if (branches && !t.args.empty() && cfg_.preds[t.block.index].size() > 1) along_edge(inst, k, false);
      for (ValueId v : t.args) r.uses_[use++] = now_[v.index];
      leave(mark);
    }
    for (const Target& t : inst.targets) edges_here_[t.block.index] = 0;
  }

  void read_arms(InstId i) {
    const Inst& inst = f.inst(i);
    for (size_t arm : {1, 2}) {
      if (f.is_inline(inst.operands[arm]) || !tracked(f.type(inst.operands[arm]))) continue;
      size_t mark = renamed_.size();
      for (const Condition& c : conditions(inst.operands[0], arm == 1))
        if (c.compares) assume(c, inst.operands[arm]);
      r.uses_[r.first_use_[i.index] + arm] = now_[inst.operands[arm].index];
      leave(mark);
    }
  }

  void enter_by_edge(BlockId b) {
    auto preds = cfg_.preds[b.index];
    if (preds.size() == 1) along_edge(f.inst(f.terminator(preds[0])), edge_[b.index], true);
  }

  // Without `related` only the values in the branch condition are refined.
  void along_edge(const Inst& end, size_t k, bool related) {
    if (end.op == Op::br_if) {
      for (const Condition& c : conditions(end.operands[0], k == 0)) {
        name(c.value, {.kind = IntegerRanges::Name::Truth, .truth = c.truth});
        if (c.compares) assume(c, {}, related);
        if (related) learn_orders(f.def(c.value), c.truth);
      }
    } else if (end.op == Op::switch_ && k > 0 && !f.is_inline(end.operands[0])) {
      if (edges_here_[end.targets[k].block.index] > 1) return;
      name(end.operands[0], {.kind = IntegerRanges::Name::Case, .other = end.operands[k].index});
    }
  }

  // The conditions implied by v being `truth`; v itself is first.
  std::vector<Condition> conditions(ValueId v, bool truth) const {
    std::vector<Condition> found;
    if (!f.is_inline(v)) found.push_back({v, truth});
    for (size_t n = 0; n < found.size() && n < kMaxConditions; ++n) {
      const bool wanted = found[n].truth;
      InstId def = f.def(found[n].value);
      if (!def.valid()) continue;
      const Inst& inst = f.inst(def);
      auto also = [&](ValueId part, bool is) {
        if (!f.is_inline(part)) found.push_back({part, is});
      };
      found[n].compares = class_of(inst.op) == OpClass::IntCompare && tracked(f.type(inst.operands[0]));
      if (inst.op == (wanted ? Op::and_ : Op::or_))
        also(inst.operands[0], wanted), also(inst.operands[1], wanted);
      if (inst.op == Op::xor_ && f.is_const(inst.operands[1]))
        also(inst.operands[0], wanted != (f.value(inst.operands[1]).bits == 1));
    }
    return found;
  }

  // If `only` is valid, only that value is refined.
  void assume(const Condition& c, ValueId only = {}, bool related = true) {
    const Inst& inst = f.inst(f.def(c.value));
    ValueId x = inst.operands[0], y = inst.operands[1];
    uint32_t left = now_[x.index], right = now_[y.index];
    using Name = IntegerRanges::Name;
    Name of_x{.kind = Name::Left, .op = inst.op, .truth = c.truth, .other = right};
    Name of_y{.kind = Name::Right, .op = inst.op, .truth = c.truth, .other = left};
    if (!f.is_inline(x) && (!only.valid() || only == x)) name(x, of_x), related ? relatives(x) : void();
    if (x != y && !f.is_inline(y) && (!only.valid() || only == y))
      name(y, of_y), related ? relatives(y) : void();
  }

  uint32_t name(ValueId v, IntegerRanges::Name what) {
    what.base = now_[v.index];
    auto node = static_cast<uint32_t>(r.values_ + r.names_.size());
    renamed_.push_back({v, what.base});
    r.names_.push_back(what);
    r.order_.push_back(node);
    return now_[v.index] = node;
  }

  // The operand of v's extension or of its addition to a constant, and the extensions of that operand.
  void relatives(ValueId v) {
    using Name = IntegerRanges::Name;
    uint32_t node = now_[v.index];
    ValueId inner;
    if (InstId def = f.def(v); def.valid()) {
      const Inst& inst = f.inst(def);
      bool extended = inst.op == Op::zext || inst.op == Op::sext;
      bool moved = inst.op == Op::add && f.is_const(inst.operands[1]);
      if ((extended || moved) && !f.is_inline(inst.operands[0])) {
        inner = inst.operands[0];
        name(inner, {.kind = Name::Inner,
                     .op = inst.op,
                     .other = node,
                     .addend = moved ? inst.operands[1].index : 0});
      }
    }
    for (ValueId source : {v, inner}) {
      size_t given = 0, looked_at = 0;
      if (!source.valid()) continue;
      for (InstId i : extensions_[source.index]) {
        // Extensions early in the function dominate most; a limit keeps this linear.
        if (++looked_at > kMostLookedAt) break;
        // Only values that are computed before the branch.
        if (f.inst(i).block == here_ || !tree_.dominates(f.inst(i).block, here_) || f.result(i) == v)
          continue;
        if (++given > kMaxExtensions) break;
        name(f.result(i), {.kind = Name::Extended, .op = f.inst(i).op, .other = now_[source.index]});
      }
    }
  }

  void leave(size_t mark) {
    for (; renamed_.size() > mark; renamed_.pop_back())
      now_[renamed_.back().first.index] = renamed_.back().second;
  }

  // Two values that comparisons compare; the one with the smaller id is x.
  struct Pair {
    Orders orders;                 // that are possible here
    std::vector<InstId> compared;  // their comparisons in this block and those that dominate it
  };

  static uint64_t key_of(ValueId x, ValueId y) {
    return uint64_t{std::min(x.index, y.index)} << 32 | std::max(x.index, y.index);
  }
  static Orders orders_of(ValueId x, ValueId y, Orders of_pair) {
    return x.index < y.index ? of_pair : of_pair.turned();
  }

  Pair& changing_pair(ValueId x, ValueId y) {
    Pair& pair = pairs_[key_of(x, y)];
    changed_pairs_.push_back({&pair, pair.orders, pair.compared.size()});
    return pair;
  }

  bool compares_values(InstId i) const {
    return i.valid() && class_of(f.inst(i).op) == OpClass::IntCompare &&
           !f.is_inline(f.inst(i).operands[0]) && !f.is_inline(f.inst(i).operands[1]);
  }

  // A comparison that is known here: what it makes of the other comparisons of the same values.
  void learn_orders(InstId i, bool truth) {
    if (!compares_values(i)) return;
    const ValueId x = f.inst(i).operands[0], y = f.inst(i).operands[1];
    Pair& pair = changing_pair(x, y);
    pair.orders = pair.orders & orders_of(x, y, Orders(f.inst(i).op, truth));
    for (InstId other : pair.compared)
      if (other != i) decide(other, pair.orders);
  }

  // A comparison in its own block.
  void by_orders(InstId i) {
    if (!compares_values(i)) return;
    const ValueId x = f.inst(i).operands[0], y = f.inst(i).operands[1];
    Pair& pair = changing_pair(x, y);
    if (decide(i, pair.orders) || decide_sum(i, x, y, false) || decide_sum(i, y, x, true)) return;
    if (pair.compared.size() < kMaxCompared) pair.compared.push_back(i);
  }

  bool decide(InstId i, Orders of_pair) {
    const Inst& inst = f.inst(i);
    const std::optional<bool> truth = orders_of(inst.operands[0], inst.operands[1], of_pair).decide(inst.op);
    if (truth) name(f.result(i), {.kind = IntegerRanges::Name::Truth, .truth = *truth});
    return truth.has_value();
  }

  // A comparison of x = z + constant and y, by the orders of z and y: z < y makes z - 1 less than y, unless
  // that wraps.
  bool decide_sum(InstId i, ValueId x, ValueId y, bool turned) {
    const InstId def = f.def(x);
    if (!def.valid() || f.inst(def).op != Op::add || !f.is_const(f.inst(def).operands[1])) return false;
    const ValueId z = f.inst(def).operands[0], constant = f.inst(def).operands[1];
    const auto found = pairs_.find(key_of(z, y));
    if (found == pairs_.end()) return false;
    const int64_t addend = as_signed(width_of(f.type(x)), f.value(constant).bits);
    const bool down = addend < 0;
    // z op y where x is less than z, y op z where it is greater
    auto beyond = [&](Op op) { return down ? Orders(op, true) : Orders(op, true).turned(); };
    auto before = [&](Op op) { return down ? Orders(op, true).turned() : Orders(op, true); };
    const Orders of_z = orders_of(z, y, found->second.orders);
    Orders of_x;
    if (addend != 0 && of_z.within(beyond(Op::sle)))
      of_x = beyond(Op::slt);
    else if ((addend == 1 || addend == -1) && of_z.within(before(Op::slt)))
      of_x = before(Op::sle);
    const std::optional<bool> truth = (turned ? of_x.turned() : of_x).decide(f.inst(i).op);
    if (truth)
      name(f.result(i), {.kind = IntegerRanges::Name::Unwrapped,
                         .truth = *truth,
                         .other = now_[z.index],
                         .addend = constant.index});
    return truth.has_value();
  }

  IntegerRanges& r;
  const Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  std::vector<uint32_t> now_;  // by value: its current node in the walk
  std::vector<std::pair<ValueId, uint32_t>> renamed_;
  // by block with a single incoming edge: its index among the predecessor's edges
  std::vector<uint32_t> edge_;
  std::vector<uint32_t> edges_here_;          // by block: edges from the current terminator
  Lists<InstId> extensions_;                  // by value
  std::unordered_map<uint64_t, Pair> pairs_;  // by both values
  struct ChangedPair {
    Pair* pair;
    Orders orders;    // before
    size_t compared;  // likewise
  };
  std::vector<ChangedPair> changed_pairs_;
  BlockId here_;
};

IntegerRanges::IntegerRanges(const Function& f, const Cfg& cfg, const DominatorTree& tree) : f_(f) {
  FactsBuilder(*this, f, cfg, tree).run();
  known_.resize(values_ + names_.size());
  for (uint32_t v = 0; v < values_; ++v) {
    const Value& value = f.value(ValueId(v));
    unsigned width = width_of(value.type);
    bool given = value.kind == ValueKind::Undef || !tracked(value.type) ||
                 (value.kind == ValueKind::Param && BlockId(value.owner) == f.entry());
    known_[v] = value.kind == ValueKind::Const && tracked(value.type) ? KnownBits::constant(width, value.bits)
                : given                                               ? KnownBits::anything(width)
                                                                      : KnownBits::none(width);
  }
  for (size_t n = 0; n < names_.size(); ++n)
    known_[values_ + n] = KnownBits::none(known_[names_[n].base].width);
  std::erase_if(order_, [&](uint32_t n) {
    return n < values_ && (!tracked(f.type(ValueId(n))) ||
                           (f.value(ValueId(n)).kind == ValueKind::Param && arguments_[n].empty()));
  });
  arrived_.assign(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(values_));
  for (KnownBits& a : arrived_) a = KnownBits::none(a.width);
  reached_.resize(f.block_count());
  taken_.resize(f.block_count());
  reached_[f.entry().index] = true;
  solve();
}

// Whether what is known of the node never changes.
bool IntegerRanges::is_settled(uint32_t node) const { return node < values_ && f_.is_inline(ValueId(node)); }

// By node: its users. Edge nodes come after values and names.
Lists<uint32_t> IntegerRanges::readers() const {
  return Lists<uint32_t>(known_.size(), [&](auto add_reader) {
    for (uint32_t n : order_) {
      auto add = [&](uint32_t from, uint32_t reader) {
        if (!is_settled(from)) add_reader(from, reader);
      };
      auto reads = [&](InstId i) {
        for (size_t k = 0; k < f_.inst(i).operands.size(); ++k) add(uses_[first_use_[i.index] + k], n);
      };
      if (n & kWay) {
        reads(f_.terminator(BlockId(n & ~kWay)));
      } else if (n >= values_) {
        const Name& name = names_[n - values_];
        for (uint32_t from : {name.base, name.other, name.addend}) add(from, n);
      } else if (f_.value(ValueId(n)).kind != ValueKind::Param) {
        reads(f_.def(ValueId(n)));
      }
    }
  });
}

// By node: the parameters that it is passed to.
Lists<IntegerRanges::Passed> IntegerRanges::passed() const {
  return Lists<Passed>(known_.size(), [&](auto add) {
    for (uint32_t n : order_) {
      if (n >= values_ || f_.value(ValueId(n)).kind != ValueKind::Param) continue;
      for (const Argument& a : arguments_[n])
        if (!is_settled(a.node)) add(a.node, {n, a.target, a.from});
    }
  });
}

void IntegerRanges::solve() {
  const Lists<uint32_t> readers = this->readers();
  const Lists<Passed> passed = this->passed();
  std::vector<uint32_t> place(known_.size(), 0), ways(f_.block_count(), 0), changes(known_.size(), 0);
  for (uint32_t k = 0; k < order_.size(); ++k)
    (order_[k] & kWay ? ways[order_[k] & ~kWay] : place[order_[k]]) = k;
  FirstFirst work(order_.size(), true);
  std::vector<uint32_t> loose;  // positions of widened nodes
  auto place_of = [&](uint32_t n) { return n & kWay ? ways[n & ~kWay] : place[n]; };
  auto again = [&](uint32_t n) {
    uint32_t at = place_of(n);
    if (order_[at] == n) work.add(at);
  };
  for (uint32_t k; (k = work.take()) < order_.size(); ++steps_) {
    const uint32_t n = order_[k];
    if (n & kWay) {
      leave(BlockId(n & ~kWay), again);
      continue;
    }
    KnownBits& old = known_[n];
    bool param = n < values_ && f_.value(ValueId(n)).kind == ValueKind::Param;
    // Of many arguments one has changed, mostly.
    KnownBits now = join(old, param ? std::exchange(arrived_[n], KnownBits::none(old.width)) : evaluate(n));
    if (now == old) continue;
    if (++changes[n] > kMaxGrowth)
      now = KnownBits::anything(now.width), loose.push_back(k);
    else if (param && changes[n] > kFreeSteps)
      now = widened(old, now), loose.push_back(k);
    old = now;
    for (uint32_t reader : readers[n]) again(reader);
    for (const Passed& p : passed[n]) {
      if (!is_taken(p.from, p.target)) continue;
      arrived_[p.param] = join(arrived_[p.param], now);
      again(p.param);
    }
  }
  // Narrowing: recomputes the widened nodes, and then those computed from them.
  for (int sweep = 0; sweep < kSweeps && !loose.empty(); ++sweep) {
    FirstFirst left(order_.size(), false);
    for (uint32_t k : loose) left.add(k);
    loose.clear();
    for (uint32_t k; (k = left.take()) < order_.size(); ++steps_) {
      const uint32_t n = order_[k];
      const KnownBits now = meet(evaluate(n), known_[n]);
      if (now == known_[n]) continue;
      known_[n] = now;
      auto narrow = [&](uint32_t reader) {
        const uint32_t at = place_of(reader);
        if (order_[at] != reader || (reader & kWay)) return;
        if (at > k)
          left.add(at);
        else
          loose.push_back(at);
      };
      for (uint32_t reader : readers[n]) narrow(reader);
      for (const Passed& p : passed[n]) narrow(p.param);
    }
  }
}

// Marks the edges that are feasible now.
void IntegerRanges::leave(BlockId b, const std::function<void(uint32_t)>& again) {
  if (!reached_[b.index]) return;
  const InstId i = f_.terminator(b);
  const Inst& end = f_.inst(i);
  auto& taken = taken_[b.index];
  taken.resize(end.targets.size());
  const std::vector<bool> cases = end.op == Op::switch_ ? possible_cases(i) : std::vector<bool>();
  for (size_t k = 0; k < end.targets.size(); ++k) {
    if (taken[k] || !(cases.empty() ? may_take(i, k) : cases[k])) continue;
    taken[k] = true;
    BlockId to = end.targets[k].block;
    const auto& params = f_.block(to).params;
    for (size_t j = 0; j < params.size(); ++j) {
      if (!tracked(f_.type(params[j]))) continue;
      arrived_[params[j].index] = join(arrived_[params[j].index], argument(i, k, j));
      again(params[j].index);
    }
    if (reached_[to.index]) continue;
    reached_[to.index] = true;
    again(kWay | to.index);
  }
}

// Whether edge k of a terminator other than a switch is feasible.
bool IntegerRanges::may_take(InstId i, size_t k) const {
  const Inst& end = f_.inst(i);
  if (end.targets.size() < 2) return true;
  const KnownBits& on = operand(i, 0);
  if (on.nothing) return false;
  return end.op != Op::br_if || on.contains(k == 0 ? 1 : 0);
}

// Feasibility by edge of a switch.
std::vector<bool> IntegerRanges::possible_cases(InstId i) const {
  const Inst& end = f_.inst(i);
  if (end.targets.size() < 2) return std::vector<bool>(end.targets.size(), true);
  std::vector<bool> ways(end.targets.size(), false);
  const KnownBits& on = operand(i, 0);
  if (on.nothing) return ways;
  auto number = [&](size_t k) { return f_.value(end.operands[k]).bits; };
  std::vector<uint32_t> cases;
  for (uint32_t k = 1; k < end.operands.size(); ++k)
    if (on.contains(number(k))) cases.push_back(k);
  // The first of equal cases is taken.
  std::ranges::sort(cases, {}, [&](uint32_t k) { return std::pair(number(k), k); });
  for (size_t n = 0; n < cases.size(); ++n)
    ways[cases[n]] = n == 0 || number(cases[n]) != number(cases[n - 1]);
  // The default edge is taken by values without a case.
  ways[0] = cases.empty() || !on.value();
  return ways;
}

const KnownBits& IntegerRanges::argument(InstId inst, size_t target, size_t k) const {
  const Inst& end = f_.inst(inst);
  size_t use = first_use_[inst.index] + end.operands.size() + k;
  for (size_t t = 0; t < target; ++t) use += end.targets[t].args.size();
  return known_[uses_[use]];
}

KnownBits IntegerRanges::evaluate(uint32_t node) const {
  if (node >= values_) return of_name(names_[node - values_]);
  return f_.value(ValueId(node)).kind == ValueKind::Param ? of_param(ValueId(node))
                                                          : of_result(ValueId(node));
}

KnownBits IntegerRanges::of_param(ValueId v) const {
  KnownBits all = KnownBits::none(known_[v.index].width);
  for (const Argument& a : arguments_[v.index])
    if (is_taken(a.from, a.target)) all = join(all, known_[a.node]);
  return all;
}

KnownBits IntegerRanges::of_name(const Name& name) const {
  const KnownBits &base = known_[name.base], &other = known_[name.other];
  const unsigned width = base.width;
  switch (name.kind) {
    case Name::Left:
      return where(base, name.op, other, name.truth);
    case Name::Right:
      return where_right(other, name.op, base, name.truth);
    case Name::Truth:
      return meet(base, KnownBits::constant(width, name.truth));
    case Name::Case:
      return meet(base, other);
    case Name::Unwrapped: {
      const int64_t addend = known_[name.addend].smin;
      const KnownBits all = KnownBits::anything(other.width);
      const bool wraps = addend < 0 ? other.smin < all.smin - addend : other.smax > all.smax - addend;
      return wraps && !other.nothing ? base : meet(base, KnownBits::constant(width, name.truth));
    }
    case Name::Inner:
      return meet(base, name.op == Op::add ? transfer(Op::sub, {width, {&other, &known_[name.addend]}})
                                           : transfer(Op::trunc, {width, {&other}}));
    default:
      return meet(base, transfer(name.op, {width, {&other}}));
  }
}

KnownBits IntegerRanges::of_result(ValueId v) const {
  const InstId def = f_.def(v);
  const Inst& inst = f_.inst(def);
  const uint64_t dim = static_cast<uint64_t>(inst.attrs[0]);
  KnownArgs x{.width = known_[v.index].width, .group = dim < 3 ? f_.reqd_local[dim] : 0, .lanes = f_.width};
  const size_t n = std::min(inst.operands.size(), x.operands.size());
  for (size_t k = 0; k < n; ++k) x.operands[k] = &operand(def, k);
  return transfer(inst.op, x);
}

}  // namespace kc
