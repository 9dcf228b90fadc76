// SPDX-License-Identifier: Apache-2.0
// Which guards of a row ask, and what each asks for: the next_block, or a flag that those who come have set
// already.
#pragma once

#include <span>

#include "passes/restructure/predicate_chain.h"

namespace kc {

class PredicateTests {
 public:
  struct Options {
    bool fold = true;   // a guard behind one block only is that block's branch
    bool known = true;  // guards with one answer do not ask, and flags take the place of comparisons
  };
  /// A way into the row: from where, at which guard it arrives, and whose next_block it is then. Ways from
  /// one block follow each other in the order of its edges.
  struct Way {
    uint32_t from = 0, guard = 0, next_block = 0;
  };
  PredicateTests(const PredicateChain& row, const Options& options, std::span<const Way> ways);

  enum class Kind : uint8_t { None, NextBlock, Flag };
  Kind kind(uint32_t guard) const { return tests_[guard].kind; }
  /// Of a flag: it is true for those who are sent on.
  bool inverted(uint32_t guard) const { return tests_[guard].pairs < 0; }
  /// Whether the next_block must be known there: it is asked for, there or behind.
  bool reads_next_block(uint32_t guard) const { return tests_[guard].reads_next_block; }

  /// Where somebody who comes to a guard first has to do something: a test, or a block of the row (with
  /// its position; that behind the last is the end).
  struct Place {
    bool is_test = false;
    uint32_t index = 0;
  };
  static constexpr uint32_t kUnknown = 0xffffffffu;
  /// The next_block need be known only for those who come from blocks.
  Place land(uint32_t guard, uint32_t next_block) const;
  Place behind(uint32_t test, bool yes) const;
  /// What a test says to somebody.
  bool lets_in(uint32_t test, uint32_t next_block) const;
  /// What the test says to all who come from another one with that answer; the test is a flag.
  bool lets_in_from(uint32_t test, uint32_t from, bool yes) const;

 private:
  enum class Answer : uint8_t { Both, Yes, No };
  struct Test {
    Kind kind = Kind::None;
    bool reads_next_block = false;
    int pairs = 0;  // blocks of which the first edge brings a yes and the second a no, minus the others
  };
  Answer answer(uint32_t guard) const;
  Answer answer_from(uint32_t test, uint32_t from, bool yes) const;
  bool folds(uint32_t guard) const;
  void find_flags(std::span<const Way> ways);
  void find_readers();

  const PredicateChain& row_;
  const Options options_;
  std::vector<Test> tests_;  // by guard
};

}  // namespace kc
