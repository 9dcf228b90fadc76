// SPDX-License-Identifier: Apache-2.0
#include "passes/guard_tests.h"

#include <algorithm>

namespace kc {

GuardTests::GuardTests(const GuardRow& row, const Options& options, std::span<const Way> ways)
    : row_(row), options_(options), tests_(row.stations().size()) {
  for (uint32_t s = 0; s < tests_.size(); ++s)
    if (row.stations()[s].ways_in > 0 && answer(s) == Answer::Both && !folds(s)) tests_[s].kind = Kind::Turn;
  if (options.known && !row.unknown()) find_flags(ways);
  find_readers();
}

bool GuardTests::lets_in(uint32_t test, uint32_t turn) const {
  const GuardRow::Station& s = row_.stations()[test];
  return s.back ? s.low <= turn && turn <= s.block : turn == s.block;
}

// What a station says to all that arrive.
GuardTests::Answer GuardTests::answer(uint32_t station) const {
  if (!options_.known || row_.unknown()) return Answer::Both;
  auto yes = [&](uint32_t turn) { return lets_in(station, turn); };
  const auto& values = row_.stations()[station].values;
  if (std::ranges::all_of(values, yes)) return Answer::Yes;
  return std::ranges::none_of(values, yes) ? Answer::No : Answer::Both;
}

GuardTests::Answer GuardTests::answer_from(uint32_t test, uint32_t from, bool yes) const {
  bool any_yes = false, any_no = false;
  for (uint32_t turn : row_.stations()[from].values)
    if (lets_in(from, turn) == yes) (lets_in(test, turn) ? any_yes : any_no) = true;
  return any_yes == any_no ? Answer::Both : any_yes ? Answer::Yes : Answer::No;
}

bool GuardTests::lets_in_from(uint32_t test, uint32_t from, bool yes) const {
  return answer_from(test, from, yes) == Answer::Yes;
}

bool GuardTests::folds(uint32_t station) const {
  const GuardRow::Station& s = row_.stations()[station];
  return options_.fold && !row_.unknown() && !s.back && s.from_block_only;
}

GuardTests::Place GuardTests::land(uint32_t station, uint32_t turn) const {
  while (station != row_.end()) {
    if (tests_[station].kind != Kind::None) return {true, station};
    const GuardRow::Station& s = row_.stations()[station];
    bool yes = answer(station) == Answer::Yes || (folds(station) && turn == s.block);
    if (!yes)
      station = row_.if_no(station);
    else if (s.back)
      station = row_.if_yes(station);
    else
      return {false, s.block};
  }
  return {false, row_.blocks()};
}

GuardTests::Place GuardTests::behind(uint32_t test, bool yes) const {
  const GuardRow::Station& s = row_.stations()[test];
  if (!yes) return land(row_.if_no(test), kUnknown);
  return s.back ? land(row_.if_yes(test), kUnknown) : Place{false, s.block};
}

// Where all who come by one way get one answer, for each way, the answer can be set before they come.
void GuardTests::find_flags(std::span<const Way> ways) {
  std::vector<char> flag(tests_.size(), 1);
  auto pair = [&](uint32_t test, bool first_yes) { tests_[test].pairs += first_yes ? 1 : -1; };
  for (uint32_t s = 0; s < tests_.size(); ++s) {
    if (tests_[s].kind == Kind::None) continue;
    const Place yes = behind(s, true), no = behind(s, false);
    for (bool side : {true, false})
      if (Place to = side ? yes : no; to.is_test)
        flag[to.index] &= answer_from(to.index, s, side) != Answer::Both;
    if (yes.is_test && no.is_test && yes.index == no.index) pair(yes.index, lets_in_from(yes.index, s, true));
  }
  for (size_t k = 1; k < ways.size(); ++k) {
    if (ways[k].from != ways[k - 1].from) continue;
    const Place a = land(ways[k - 1].station, ways[k - 1].turn), b = land(ways[k].station, ways[k].turn);
    if (!a.is_test || !b.is_test || a.index != b.index) continue;
    bool first = lets_in(a.index, ways[k - 1].turn);
    if (first != lets_in(a.index, ways[k].turn)) pair(a.index, first);
  }
  for (uint32_t s = 0; s < tests_.size(); ++s)
    if (tests_[s].kind == Kind::Turn && flag[s]) tests_[s].kind = Kind::Flag;
}

void GuardTests::find_readers() {
  std::vector<std::vector<uint32_t>> before(tests_.size());
  std::vector<uint32_t> work;
  for (uint32_t s = 0; s < tests_.size(); ++s) {
    if (tests_[s].kind == Kind::None) continue;
    for (bool side : {true, false})
      if (Place to = behind(s, side); to.is_test) before[to.index].push_back(s);
    if (tests_[s].kind == Kind::Turn) tests_[s].reads_turn = true, work.push_back(s);
  }
  while (!work.empty()) {
    uint32_t s = work.back();
    work.pop_back();
    for (uint32_t p : before[s])
      if (!tests_[p].reads_turn) tests_[p].reads_turn = true, work.push_back(p);
  }
}

}  // namespace kc
