// SPDX-License-Identifier: Apache-2.0
// Runs the passes that rewrite expressions, and judges what they made of one.
#pragma once

#include <map>
#include <string>

#include "tests/rewrites/enumerate.h"
#include "tests/rewrites/evaluate.h"
#include "tests/rewrites/smt.h"

namespace kc::rewrites {

/// What supports that an expression keeps its value.
struct Proof {
  bool wrong = false;
  bool by_solver = false;  // for all values of its variables
  bool by_values = false;  // the same, by computing it for all of them
  bool undecided = false;  // neither: only values that matter and random ones agree
  std::string what{};      // the counterexample of a wrong one
};

struct JudgeLimits {
  unsigned solver_milliseconds = 60'000;
  unsigned exhaustive_bits = 24;  // of all variables together
  uint32_t samples = 1'000'000;   // of what is undecided
};

/// Of one rule of one pass.
struct RuleRow {
  uint64_t applied = 0;      // times, in all expressions
  uint64_t expressions = 0;  // different ones that it changed, alone or with other rules
  uint64_t by_solver = 0, by_values = 0, undecided = 0, wrong = 0;
};

class Judge {
 public:
  explicit Judge(JudgeLimits limits) : limits_(limits) {}

  /// Whether the second expression has a value that the first may have.
  Proof prove(Terms& terms, TermId before, TermId after);
  /// Runs each pass on the expression, and proves what changed.
  void examine(Terms& terms, TermId expression);

  /// By "pass: rule"; rules that never applied are listed, too.
  const std::map<std::string, RuleRow>& rows() const { return rows_; }
  std::map<std::string, RuleRow>& rows() { return rows_; }
  /// What is wrong, and the first undecided expression of each rule.
  const std::vector<std::string>& failures() const { return failures_; }
  const std::map<std::string, std::string>& undecided() const { return undecided_; }
  uint64_t examined() const { return examined_; }
  uint64_t changed() const { return changed_; }
  uint64_t questions() const { return questions_; }
  /// Forgets proofs, whose terms are of another pool.
  void forget() { known_.clear(); }

 private:
  Proof decide(Terms& terms, TermId before, TermId after);
  Proof by_parts(Terms& terms, TermId before, TermId after);

  JudgeLimits limits_;
  Smt smt_;
  std::unordered_map<uint64_t, Proof> known_;  // by both terms
  std::map<std::string, RuleRow> rows_;
  std::map<std::string, std::string> undecided_;
  std::vector<std::string> failures_;
  uint64_t examined_ = 0, changed_ = 0, questions_ = 0;
};

/// The names of all rules, as "pass: rule".
std::vector<std::string> all_rules();

}  // namespace kc::rewrites
