// SPDX-License-Identifier: Apache-2.0
#include "proof/product_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>

#include "ir/cfg.h"
#include "ir/check.h"
#include "ir/op.h"
#include "ir/text.h"
#include "proof/facts.h"
#include "proof/join.h"
#include "proof/live_values.h"
#include "proof/progress.h"
#include "proof/side.h"
#include "proof/terms.h"

namespace kc::proof {
namespace {

constexpr size_t kFewStates = 10'000;
constexpr uint64_t kFewSteps = 10'000'000;
constexpr size_t kLongestSearch = 64;
constexpr size_t kMostBranches = 16;  // from one state to the next
constexpr size_t kLongestPath = 100'000;

// How much of the path of the new function a state keeps.
enum class Keep : uint8_t {
  New,  // constants that no value of the old function stands for
  All,
};

struct Mode {
  Keep keep = Keep::New;
  bool fold = true;    // sums of constants
  bool ahead = false;  // one function asks alone what the way here has asked about
};
// What the walk tries one after another, from what is cheap for most functions.
constexpr std::array<Mode, 4> kModes{
    {{Keep::New, true}, {Keep::All, true}, {Keep::New, false}, {Keep::New, true, true}}};

struct State {
  Point old_at, new_at;
  std::vector<Term> terms;   // of the live values, the old function's first
  std::vector<Term> events;  // results of the effects that follow
  uint32_t parent = kNone;
  bool queued = false;
};

struct Failure {
  Verdict verdict = Verdict::Failed;
  std::string reason;
};

struct WordsHash {
  size_t operator()(const std::vector<uint32_t>& words) const {
    uint64_t h = 0;
    for (uint32_t w : words) h = (h ^ w) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
  }
};

class ProductWalk {
 public:
  ProductWalk(const Function& before, LiveValues old_live, const Function& after, LiveValues new_live,
              const WalkLimits& limits, const Mode& mode)
      : terms_(mode.fold),
        facts_(terms_),
        old_(before, std::move(old_live), Numbering::same(before), terms_, facts_),
        new_(after, std::move(new_live), Numbering::in(after, before), terms_, facts_),
        old_cfg_(before),
        new_cfg_(after),
        deciding_(deciding_values(after)),
        limits_(limits),
        keep_(mode.keep),
        ahead_(mode.ahead) {}

  WalkResult run() {
    start();
    while (!failure_ && !queue_.empty()) {
      current_ = queue_.top().state;
      queue_.pop();
      states_[current_].queued = false;
      follow();
    }
    if (!failure_) check_progress();
    WalkResult result{.states = states_.size()};
    if (!failure_) return result;
    result.verdict = failure_->verdict;
    result.reason = failure_->reason;
    result.old_event = old_event_, result.new_event = new_event_;
    std::vector<uint32_t> path;
    for (uint32_t s = states_.empty() ? kNone : current_; s != kNone && path.size() < kLongestPath;
         s = states_[s].parent)
      path.push_back(s);
    const auto name = [](const Function& f, const std::vector<uint32_t>& numbers, BlockId b) {
      return fmt::format("b{}{}{}", numbers[b.index], f.block(b).hint.empty() ? "" : ".", f.block(b).hint);
    };
    const auto old_numbers = layout_numbers(old_.f), new_numbers = layout_numbers(new_.f);
    for (auto s = path.rbegin(); s != path.rend(); ++s)
      result.path.emplace_back(name(old_.f, old_numbers, states_[*s].old_at.block),
                               name(new_.f, new_numbers, states_[*s].new_at.block));
    return result;
  }

 private:
  static std::vector<uint32_t> layout_numbers(const Function& f) {
    std::vector<uint32_t> numbers(f.block_count(), 0);
    for (size_t i = 0; i < f.layout.size(); ++i) numbers[f.layout[i].index] = static_cast<uint32_t>(i);
    return numbers;
  }

  void fail(std::string reason, Verdict verdict = Verdict::Failed) {
    if (failure_) return;
    failure_ = Failure{verdict, std::move(reason)};
    old_event_ = print(old_.f, old_.f.block(old_.at.block).insts[old_.at.index]);
    new_event_ = print(new_.f, new_.f.block(new_.at.block).insts[new_.at.index]);
  }

  void start() {
    const auto& old_params = old_.f.block(old_.f.entry()).params;
    const auto& new_params = new_.f.block(new_.f.entry()).params;
    old_.at = {old_.f.entry(), 0}, new_.at = {new_.f.entry(), 0};
    for (size_t i = 0; i < std::max(old_params.size(), new_params.size()); ++i) {
      const Term t = terms_.fresh((i < old_params.size() ? old_.f : new_.f)
                                      .type(i < old_params.size() ? old_params[i] : new_params[i]));
      if (i < old_params.size()) old_.set(old_params[i], t);
      if (i < new_params.size()) new_.set(new_params[i], t);
    }
    const Stop old_stop = old_.run(), new_stop = new_.run();
    if (check_stops(old_stop, new_stop)) arrive();
  }

  // Whether both have events to come; fails if only one has.
  bool check_stops(Stop old_stop, Stop new_stop) {
    if (old_stop == Stop::GaveUp || new_stop == Stop::GaveUp) {
      fail("silent steps without an end in sight", Verdict::GaveUp);
      return false;
    }
    if (old_stop != Stop::Diverges && new_stop != Stop::Diverges) return true;
    if (old_stop != new_stop)
      fail(
          fmt::format("a silent cycle of the {} function alone", old_stop == Stop::Diverges ? "old" : "new"));
    return false;
  }

  // Both sides are at events, or at resting places.
  void arrive() {
    std::vector<ValueId> old_storage, new_storage;
    const auto old_live = old_.live.at(old_.at, old_storage), new_live = new_.live.at(new_.at, new_storage);
    std::vector<Term> terms;
    terms.reserve(old_live.size() + new_live.size());
    for (ValueId v : old_live) terms.push_back(facts_.simplified(old_.term(v)));
    for (ValueId v : new_live) terms.push_back(facts_.simplified(new_.term(v)));
    std::vector<uint32_t> key{old_.at.block.index, old_.at.index, new_.at.block.index, new_.at.index};
    kept_constants(old_live, new_live, std::span(terms).subspan(old_live.size()), key);
    work_ += terms.size();
    const auto [at, fresh] = numbers_.try_emplace(std::move(key), static_cast<uint32_t>(states_.size()));
    const uint32_t s = at->second;
    if (moved_) progress_.add(current_, s, *moved_);
    if (fresh) {
      relation_ += terms.size();
      states_.push_back({old_.at, new_.at, std::move(terms), {}, moved_ ? current_ : kNone});
      check_limits();
      enqueue(s);
    } else if (meet(s, terms)) {
      enqueue(s);
    }
  }

  void check_limits() {
    if (states_.size() >
        kFewStates + limits_.states_per_block * (old_.f.layout.size() + new_.f.layout.size()))
      fail(fmt::format("the walk has more than {} states", states_.size() - 1), Verdict::GaveUp);
    else if (relation_ > limits_.relation)
      fail("the relation between values has become too large", Verdict::GaveUp);
  }

  void enqueue(uint32_t s) {
    if (std::exchange(states_[s].queued, true)) return;
    queue_.push(
        {old_cfg_.number[states_[s].old_at.block.index], new_cfg_.number[states_[s].new_at.block.index], s});
  }

  // The constants that tell apart states at the same points. One that an old value stands for is left out:
  // where it matters, the relation decides.
  void kept_constants(std::span<const ValueId> old_live, std::span<const ValueId> new_live,
                      std::span<const Term> now, std::vector<uint32_t>& key) {
    ++stamp_;
    bool stamped = false;
    for (size_t i = 0; i < new_live.size(); ++i) {
      const ValueId v = new_live[i];
      if (!deciding_[v.index] || !terms_.is_const(now[i])) continue;
      if (keep_ == Keep::New) {
        if (!stamped) {
          stamps_.resize(terms_.size(), 0);
          for (ValueId o : old_live) stamps_[old_.term(o)] = stamp_;
          stamped = true;
        }
        const Term was = new_.term(v);
        if (!terms_.is_literal(was) && stamps_[was] == stamp_) continue;
        if (terms_.is_literal(was) && v.index < old_.f.value_count() &&
            std::ranges::binary_search(old_live, v) && old_.term(v) == was)
          continue;
      }
      key.push_back(v.index);
      key.push_back(now[i]);
    }
  }

  // Keeps what holds on this path, too. Whether something was lost.
  bool meet(uint32_t s, const std::vector<Term>& incoming) {
    std::vector<Term>& stored = states_[s].terms;
    if (stored == incoming) return false;
    Join join(terms_, s + 1);
    // Operands are older than what is made of them.
    std::vector<std::pair<uint64_t, uint32_t>> order;
    for (uint32_t i = 0; i < stored.size(); ++i) order.emplace_back(uint64_t{stored[i]} + incoming[i], i);
    std::ranges::sort(order);
    bool changed = false;
    for (const auto& [age, i] : order) {
      const Term now = join.of(stored[i], incoming[i]);
      changed |= now != stored[i];
      stored[i] = now;
    }
    return changed;
  }

  bool too_many_steps() {
    if (old_.steps() + new_.steps() + work_ >
        kFewSteps + limits_.steps_per_instruction * (old_.f.inst_count() + new_.f.inst_count()))
      fail("the walk takes too many steps", Verdict::GaveUp);
    return failure_.has_value();
  }

  // From the current state through equal effects to the next states.
  void follow() {
    const State& state = states_[current_];
    old_.forget(), new_.forget();
    old_.at = state.old_at, new_.at = state.new_at;
    std::vector<ValueId> old_storage, new_storage;
    size_t i = 0;
    for (ValueId v : old_.live.at(old_.at, old_storage)) old_.set(v, state.terms[i++]);
    for (ValueId v : new_.live.at(new_.at, new_storage)) new_.set(v, state.terms[i++]);
    old_.forget(), new_.forget();
    facts_.clear();
    work_ += i;
    if (too_many_steps()) return;
    old_.mark(), new_.mark();
    Stop old_stop = old_.run(), new_stop = new_.run();
    if (old_.entered() || new_.entered()) {  // from a resting place
      if (!check_stops(old_stop, new_stop)) return;
      moved_ = Moved{old_.entered(), new_.entered()};
      return arrive();
    }
    for (size_t events = 0; !failure_ && check_stops(old_stop, new_stop); ++events) {
      if (old_stop == Stop::Branch || new_stop == Stop::Branch) return fork(question(old_stop, new_stop));
      if (old_stop != new_stop || !same_event(events)) return fail("unequal events");
      if (old_stop == Stop::End) return;
      old_.step(), new_.step();
      old_.mark(), new_.mark();
      old_stop = old_.run(), new_stop = new_.run();
      if (!old_.entered() && !new_.entered()) continue;
      if (!check_stops(old_stop, new_stop)) return;
      moved_ = Moved{true, true};
      return arrive();
    }
  }

  bool same_event(size_t number) {
    const Inst &a = old_.inst(), &b = new_.inst();
    if (a.op != b.op || a.operands.size() != b.operands.size() || a.results.size() != b.results.size() ||
        old_.attrs(a) != new_.attrs(b))
      return false;
    for (size_t i = 0; i < a.operands.size(); ++i)
      if (facts_.simplified(old_.term(a.operands[i])) != facts_.simplified(new_.term(b.operands[i])) ||
          old_.f.type(a.operands[i]) != new_.f.type(b.operands[i]))
        return false;
    KC_CHECK(a.results.size() <= kMostResults, "an event with more results than the walk has names for");
    for (size_t i = 0; i < a.results.size(); ++i) {
      const Type type = old_.f.type(a.results[i]);
      if (type != new_.f.type(b.results[i])) return false;
      // The same name whenever the walk comes by: it means the latest visit.
      std::vector<Term>& events = states_[current_].events;
      const size_t n = number * kMostResults + i;
      if (n >= events.size()) events.resize(n + 1, kNone);
      if (events[n] == kNone || terms_.type(events[n]) != type) events[n] = terms_.fresh(type);
      old_.set(a.results[i], events[n]), new_.set(b.results[i], events[n]);
    }
    return true;
  }

  // What is asked next, by one function or by both.
  struct Question {
    Term term = kNone;
    bool of_old = false, of_new = false;
    bool old_positive = true, new_positive = true;
  };
  Question question(Stop old_stop, Stop new_stop) {
    Question q{.of_old = old_stop == Stop::Branch, .of_new = new_stop == Stop::Branch};
    Term old_term = kNone, new_term = kNone;
    if (q.of_old) old_term = terms_.base(condition(old_), q.old_positive);
    if (q.of_new) new_term = terms_.base(condition(new_), q.new_positive);
    if (q.of_old && q.of_new && old_term != new_term) {
      // First the condition that the other one is made of.
      bool new_first = contains(old_term, new_term);
      if (ahead_ && asked_about(old_term) != asked_about(new_term)) new_first = asked_about(new_term);
      q.of_old = !new_first, q.of_new = new_first;
    }
    q.term = q.of_old ? old_term : new_term;
    return q;
  }

  // One way to go on: what is known there, and the edges.
  struct Arm {
    std::vector<std::pair<Term, Term>> is, is_not;
    const Target *old_target = nullptr, *new_target = nullptr;  // null: that side stays where it is
  };

  void fork(const Question& q) {
    std::vector<uint64_t> cases;
    const auto add_cases = [&](const Side& side) {
      const Inst& end = side.inst();
      for (size_t k = 1; k < end.operands.size(); ++k) cases.push_back(side.f.value(end.operands[k]).bits);
    };
    const Type type = terms_.type(q.term);
    const bool boolean = type == kI1;
    if (boolean) {
      cases = {0, 1};
    } else {
      if (q.of_old) add_cases(old_);
      if (q.of_new) add_cases(new_);
      std::ranges::sort(cases);
      cases.erase(std::ranges::unique(cases).begin(), cases.end());
    }
    std::vector<Arm> arms;
    const auto target = [&](const Side& side, bool moves, bool positive, uint64_t bits) {
      return moves ? &side.target(positive ? bits : bits ^ 1) : nullptr;
    };
    for (uint64_t bits : cases)
      arms.push_back({.is = {{q.term, terms_.constant(type, bits)}},
                      .old_target = target(old_, q.of_old, q.old_positive, bits),
                      .new_target = target(new_, q.of_new, q.new_positive, bits)});
    if (!boolean) {
      Arm arm;
      for (uint64_t bits : cases) arm.is_not.emplace_back(q.term, terms_.constant(type, bits));
      if (q.of_old) arm.old_target = &old_.inst().targets[0];
      if (q.of_new) arm.new_target = &new_.inst().targets[0];
      arms.push_back(std::move(arm));
    }
    std::erase_if(arms, [&](const Arm& arm) { return excluded(arm); });
    for (const Arm& arm : arms) {
      if (failure_ || too_many_steps()) return;
      take(arm);
    }
  }

  // Whether what is known says that this case does not happen.
  bool excluded(const Arm& arm) const {
    return std::ranges::any_of(arm.is, [&](const auto& fact) {
      const ValueSet* set = facts_.possible(fact.first);
      return set && !set->meets(terms_.bits(fact.second), terms_.bits(fact.second));
    });
  }

  // Whether a term has another one below it, as far as a short search shows.
  bool contains(Term whole, Term part) const {
    std::vector<Term> work{whole};
    for (size_t i = 0; i < work.size() && i < kLongestSearch; ++i) {
      const auto operands = terms_.operands(work[i]);
      if (std::ranges::find(operands, part) != operands.end()) return true;
      work.insert(work.end(), operands.begin(), operands.end());
    }
    return false;
  }

  Term condition(const Side& side) { return facts_.simplified(side.term(side.inst().operands[0])); }

  void take(const Arm& arm) {
    way_.push_back(&arm);
    const Side::Mark old_mark = old_.mark(), new_mark = new_.mark();
    const std::optional<Moved> moved_before = way_.size() > 1 ? moved_ : std::nullopt;
    if (learn_way()) {
      if (arm.old_target) old_.go(*arm.old_target);
      if (arm.new_target) new_.go(*arm.new_target);
      const Stop old_stop = old_.run(), new_stop = new_.run();
      if (check_stops(old_stop, new_stop)) {
        moved_ = Moved{old_.entered() || (moved_before && moved_before->old_function),
                       new_.entered() || (moved_before && moved_before->new_function)};
        if (const Question q = question(old_stop, new_stop); knows_more(q))
          fork(q);
        else
          arrive();
      }
    }
    moved_ = moved_before;
    old_.undo(old_mark), new_.undo(new_mark);
    facts_.clear();
    way_.pop_back();
  }

  // Notes what is known on the way from the current state. False if no work-item comes this way.
  bool learn_way() {
    facts_.clear();
    const auto& last = way_.back()->is;
    for (const Arm* arm : way_) {
      work_ += arm->is.size() + 1;
      for (const auto& [t, constant] : arm->is) facts_.learn(t, constant);
      // What a constant is not says nothing more, and a large switch has as many arms as it has cases.
      if (!arm->is_not.empty() && !last.empty() && last[0].first == arm->is_not[0].first) continue;
      work_ += arm->is_not.size();
      for (const auto& [t, constant] : arm->is_not) facts_.learn_not(t, constant);
    }
    return !facts_.contradiction();
  }

  // Whether a switch on the way here has excluded constants of what is asked about. A state keeps no such
  // facts, so the question is asked from here, where they are known: one function may ask first what the
  // other one asks last. Each answer leaves other values, so the ways are no more than the constants.
  bool knows_more(const Question& q) {
    return q.term != kNone && way_.size() < kMostBranches && asked_about(q.term);
  }
  bool asked_about(Term t) const {
    const Term about = facts_.compared(t);
    return std::ranges::any_of(
        way_, [&](const Arm* arm) { return !arm->is_not.empty() && arm->is_not[0].first == about; });
  }

  // Every cycle of the walk moves both functions, or one runs for ever while the other waits.
  void check_progress() {
    for (const bool of_new : {false, true}) {
      const uint32_t s = progress_.waits_for_ever(states_.size(), of_new);
      if (s == kNone) continue;
      current_ = s;
      old_.at = states_[s].old_at, new_.at = states_[s].new_at;
      return fail(fmt::format("a silent cycle of the {} function alone", of_new ? "old" : "new"));
    }
  }

  static constexpr size_t kMostResults = 4;

  struct Queued {
    uint32_t old_number, new_number, state;
    bool operator<(const Queued& other) const {  // first the least
      return std::tie(old_number, new_number, state) >
             std::tie(other.old_number, other.new_number, other.state);
    }
  };

  TermTable terms_;
  Facts facts_;
  Side old_, new_;
  Cfg old_cfg_, new_cfg_;
  std::vector<bool> deciding_;  // by value id of the new function
  WalkLimits limits_;
  Keep keep_;
  bool ahead_;
  std::vector<State> states_;
  std::unordered_map<std::vector<uint32_t>, uint32_t, WordsHash> numbers_;  // of states
  std::priority_queue<Queued> queue_;
  uint32_t current_ = 0;
  std::vector<const Arm*> way_;  // taken from the current state
  std::optional<Moved> moved_;   // which sides moved since the current state; nothing at the start
  Progress progress_;
  std::vector<uint32_t> stamps_;  // by term: the last time that an old value had it
  uint32_t stamp_ = 0;
  size_t relation_ = 0, work_ = 0;  // values in all states; values looked at
  std::optional<Failure> failure_;
  std::string old_event_, new_event_;
};

}  // namespace

WalkResult walk(const Function& before, const Function& after, const WalkLimits& limits) {
  if (before.dialect != Dialect::Thread || after.dialect != Dialect::Thread)
    return {.verdict = Verdict::GaveUp, .reason = "only functions of one work-item have a walk"};
  WalkResult result;
  for (const Mode& mode : kModes) {
    auto old_live = LiveValues::of(before, limits.live_values);
    auto new_live = LiveValues::of(after, limits.live_values);
    if (!old_live || !new_live) return {.verdict = Verdict::GaveUp, .reason = "too many values are live"};
    WalkResult next =
        ProductWalk(before, std::move(*old_live), after, std::move(*new_live), limits, mode).run();
    if (next.verdict == Verdict::Proved) return next;
    if (&mode == &kModes[0] || next.verdict == Verdict::Failed) result = std::move(next);
  }
  return result;
}

std::string describe(const WalkResult& r) {
  if (r.verdict == Verdict::Proved) return fmt::format("proved ({} states)", r.states);
  std::string s = fmt::format("{}: {}", r.verdict == Verdict::Failed ? "failed" : "gave up", r.reason);
  if (!r.old_event.empty()) s += fmt::format("\n  before: {}\n  after:  {}", r.old_event, r.new_event);
  if (!r.path.empty()) s += "\n  path (block before, block after):";
  for (const auto& [o, n] : r.path) s += fmt::format(" ({}, {})", o, n);
  return s;
}

}  // namespace kc::proof
