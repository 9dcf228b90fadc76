// SPDX-License-Identifier: Apache-2.0
// Which guards of a row ask, and what each asks for: the turn, or a flag that those who come have set
// already.
#pragma once

#include <span>

#include "passes/guard_row.h"

namespace kc {

class GuardTests {
 public:
  struct Options {
    bool fold = true;   // a guard behind one block only is that block's branch
    bool known = true;  // guards with one answer do not ask, and flags take the place of comparisons
  };
  /// A way into the row: from where, at which station it arrives, and whose turn it is then. Ways from one
  /// block follow each other in the order of its edges.
  struct Way {
    uint32_t from = 0, station = 0, turn = 0;
  };
  GuardTests(const GuardRow& row, const Options& options, std::span<const Way> ways);

  enum class Kind : uint8_t { None, Turn, Flag };
  Kind kind(uint32_t station) const { return tests_[station].kind; }
  /// Of a flag: it is true for those who are sent on.
  bool inverted(uint32_t station) const { return tests_[station].pairs < 0; }
  /// Whether the turn must be known there: it is asked for, there or behind.
  bool reads_turn(uint32_t station) const { return tests_[station].reads_turn; }

  /// Where somebody who comes to a station first has to do something: a test, or a block of the row (with
  /// its position; that behind the last is the end).
  struct Place {
    bool is_test = false;
    uint32_t index = 0;
  };
  static constexpr uint32_t kUnknown = 0xffffffffu;
  /// The turn need be known only for those who come from blocks.
  Place land(uint32_t station, uint32_t turn) const;
  Place behind(uint32_t test, bool yes) const;
  /// What a test says to somebody.
  bool lets_in(uint32_t test, uint32_t turn) const;
  /// What the test says to all who come from another one with that answer; the test is a flag.
  bool lets_in_from(uint32_t test, uint32_t from, bool yes) const;

 private:
  enum class Answer : uint8_t { Both, Yes, No };
  struct Test {
    Kind kind = Kind::None;
    bool reads_turn = false;
    int pairs = 0;  // blocks of which the first edge brings a yes and the second a no, minus the others
  };
  Answer answer(uint32_t station) const;
  Answer answer_from(uint32_t test, uint32_t from, bool yes) const;
  bool folds(uint32_t station) const;
  void find_flags(std::span<const Way> ways);
  void find_readers();

  const GuardRow& row_;
  const Options options_;
  std::vector<Test> tests_;  // by station
};

}  // namespace kc
