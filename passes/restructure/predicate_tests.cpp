// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/predicate_tests.h"

#include <algorithm>

namespace kc {

PredicateTests::PredicateTests(const PredicateChain& row, const Options& options,
                               std::span<const Incoming> incoming)
    : row_(row), options_(options), tests_(row.guards().size()) {
  for (uint32_t s = 0; s < tests_.size(); ++s)
    if (row.guards()[s].incoming > 0 && answer(s) == Answer::Both && !folds(s))
      tests_[s].kind = Kind::NextBlock;
  if (options.known && !row.unknown()) find_flags(incoming);
  find_readers();
}

bool PredicateTests::result(uint32_t test, uint32_t next_block) const {
  const PredicateChain::Guard& s = row_.guards()[test];
  return s.back ? s.low <= next_block && next_block <= s.block : next_block == s.block;
}

// The result of a guard, if it is the same for all values that arrive.
PredicateTests::Answer PredicateTests::answer(uint32_t guard) const {
  if (!options_.known || row_.unknown()) return Answer::Both;
  auto yes = [&](uint32_t next_block) { return result(guard, next_block); };
  const auto& values = row_.guards()[guard].values;
  if (std::ranges::all_of(values, yes)) return Answer::Yes;
  return std::ranges::none_of(values, yes) ? Answer::No : Answer::Both;
}

PredicateTests::Answer PredicateTests::answer_from(uint32_t test, uint32_t from, bool yes) const {
  bool any_yes = false, any_no = false;
  for (uint32_t next_block : row_.guards()[from].values)
    if (result(from, next_block) == yes) (result(test, next_block) ? any_yes : any_no) = true;
  return any_yes == any_no ? Answer::Both : any_yes ? Answer::Yes : Answer::No;
}

bool PredicateTests::result_after(uint32_t test, uint32_t from, bool yes) const {
  return answer_from(test, from, yes) == Answer::Yes;
}

bool PredicateTests::folds(uint32_t guard) const {
  const PredicateChain::Guard& s = row_.guards()[guard];
  return options_.fold && !row_.unknown() && !s.back && s.from_block_only;
}

PredicateTests::Stop PredicateTests::land(uint32_t guard, uint32_t next_block) const {
  while (guard != row_.end()) {
    if (tests_[guard].kind != Kind::None) return {true, guard};
    const PredicateChain::Guard& s = row_.guards()[guard];
    bool yes = answer(guard) == Answer::Yes || (folds(guard) && next_block == s.block);
    if (!yes)
      guard = row_.if_no(guard);
    else if (s.back)
      guard = row_.if_yes(guard);
    else
      return {false, s.block};
  }
  return {false, row_.blocks()};
}

PredicateTests::Stop PredicateTests::next(uint32_t test, bool yes) const {
  const PredicateChain::Guard& s = row_.guards()[test];
  if (!yes) return land(row_.if_no(test), kUnknown);
  return s.back ? land(row_.if_yes(test), kUnknown) : Stop{false, s.block};
}

// Where each incoming edge determines the guard's result, the edges can set a flag to it.
void PredicateTests::find_flags(std::span<const Incoming> incoming) {
  std::vector<char> flag(tests_.size(), 1);
  auto pair = [&](uint32_t test, bool first_yes) { tests_[test].pairs += first_yes ? 1 : -1; };
  for (uint32_t s = 0; s < tests_.size(); ++s) {
    if (tests_[s].kind == Kind::None) continue;
    const Stop yes = next(s, true), no = next(s, false);
    for (bool outcome : {true, false})
      if (Stop to = outcome ? yes : no; to.is_test)
        flag[to.index] &= answer_from(to.index, s, outcome) != Answer::Both;
    if (yes.is_test && no.is_test && yes.index == no.index) pair(yes.index, result_after(yes.index, s, true));
  }
  for (size_t k = 1; k < incoming.size(); ++k) {
    if (incoming[k].from != incoming[k - 1].from) continue;
    const Stop a = land(incoming[k - 1].guard, incoming[k - 1].next_block),
               b = land(incoming[k].guard, incoming[k].next_block);
    if (!a.is_test || !b.is_test || a.index != b.index) continue;
    bool first = result(a.index, incoming[k - 1].next_block);
    if (first != result(a.index, incoming[k].next_block)) pair(a.index, first);
  }
  for (uint32_t s = 0; s < tests_.size(); ++s)
    if (tests_[s].kind == Kind::NextBlock && flag[s]) tests_[s].kind = Kind::Flag;
}

void PredicateTests::find_readers() {
  std::vector<std::vector<uint32_t>> before(tests_.size());
  std::vector<uint32_t> work;
  for (uint32_t s = 0; s < tests_.size(); ++s) {
    if (tests_[s].kind == Kind::None) continue;
    for (bool outcome : {true, false})
      if (Stop to = next(s, outcome); to.is_test) before[to.index].push_back(s);
    if (tests_[s].kind == Kind::NextBlock) tests_[s].reads_next_block = true, work.push_back(s);
  }
  while (!work.empty()) {
    uint32_t s = work.back();
    work.pop_back();
    for (uint32_t p : before[s])
      if (!tests_[p].reads_next_block) tests_[p].reads_next_block = true, work.push_back(p);
  }
}

}  // namespace kc
