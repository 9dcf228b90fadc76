// SPDX-License-Identifier: Apache-2.0
// Which guards of a predicate chain need a test, and what each tests: next_block, or a flag that the incoming
// edges have set.
#pragma once

#include <span>

#include "passes/restructure/predicate_chain.h"

namespace kc {

class PredicateTests {
 public:
  struct Options {
    bool fold = true;   // the guard of a block with one predecessor becomes that block's branch
    bool known = true;  // guards with a known result have no test; flags replace comparisons
  };
  /// An edge into the chain: its source, the guard where it arrives, and the next_block that it sets. Edges
  /// of one block are consecutive, in the order of its targets.
  struct Incoming {
    uint32_t from = 0, guard = 0, next_block = 0;
  };
  PredicateTests(const PredicateChain& row, const Options& options, std::span<const Incoming> incoming);

  enum class Kind : uint8_t { None, NextBlock, Flag };
  Kind kind(uint32_t guard) const { return tests_[guard].kind; }
  /// Whether the flag is true for items that the guard rejects.
  bool inverted(uint32_t guard) const { return tests_[guard].pairs < 0; }
  /// Whether next_block must be set there: this test or a later one reads it.
  bool reads_next_block(uint32_t guard) const { return tests_[guard].reads_next_block; }

  /// The first test or block that an item reaches from a guard (a block by its position; the position after
  /// the last is the exit).
  struct Stop {
    bool is_test = false;
    uint32_t index = 0;
  };
  static constexpr uint32_t kUnknown = 0xffffffffu;
  /// next_block matters only on edges from blocks.
  Stop land(uint32_t guard, uint32_t next_block) const;
  Stop next(uint32_t test, bool yes) const;
  /// The result of a test for this next_block.
  bool result(uint32_t test, uint32_t next_block) const;
  /// The common result of the test for all that arrive from another test with result `yes`; this test is a
  /// flag.
  bool result_after(uint32_t test, uint32_t from, bool yes) const;

 private:
  enum class Answer : uint8_t { Both, Yes, No };
  struct Test {
    Kind kind = Kind::None;
    bool reads_next_block = false;
    int pairs = 0;  // blocks whose first edge sets yes and second sets no, minus those with the opposite
  };
  Answer answer(uint32_t guard) const;
  Answer answer_from(uint32_t test, uint32_t from, bool yes) const;
  bool folds(uint32_t guard) const;
  void find_flags(std::span<const Incoming> incoming);
  void find_readers();

  const PredicateChain& row_;
  const Options options_;
  std::vector<Test> tests_;  // by guard
};

}  // namespace kc
