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
  unsigned solver_steps = 0;      // none: as many as there is time for
  unsigned exhaustive_bits = 16;  // of all variables together
  unsigned most_bits = 25;        // the same, of what the solver does not decide
  uint32_t samples = 1'000'000;   // of what is undecided
};

/// Of one rule of one pass.
struct RuleRow {
  uint64_t applied = 0;      // times, in all expressions
  uint64_t expressions = 0;  // different ones that it changed, alone or with other rules
  uint64_t by_solver = 0, by_values = 0, undecided = 0, wrong = 0;
  RuleRow& operator+=(const RuleRow& other) {
    applied += other.applied, expressions += other.expressions;
    by_solver += other.by_solver, by_values += other.by_values;
    undecided += other.undecided, wrong += other.wrong;
    return *this;
  }
};

class Judge {
 public:
  explicit Judge(JudgeLimits limits) : limits_(limits) { smt_.limit_steps(limits.solver_steps); }

  /// Whether the second expression has a value that the first may have.
  Proof prove(Terms& terms, TermId before, TermId after);
  /// Runs each pass on the expression, and proves what changed.
  void examine(Terms& terms, TermId expression);

  /// By "pass: rule", of rules that applied.
  const std::map<std::string, RuleRow>& rows() const { return rows_; }
  /// What is wrong, and the first undecided expression of each rule.
  const std::vector<std::string>& failures() const { return failures_; }
  const std::map<std::string, std::string>& undecided() const { return undecided_; }
  uint64_t examined() const { return examined_; }
  uint64_t changed() const { return changed_; }
  uint64_t questions() const { return questions_; }
  /// Forgets proofs, whose terms are of another pool.
  void forget() { known_.clear(); }
  /// Forgets all results, but not the solver's answers.
  void start_over() {
    known_.clear(), rows_.clear(), undecided_.clear(), failures_.clear();
    examined_ = changed_ = questions_ = 0;
  }

 private:
  Proof decide(Terms& terms, TermId before, TermId after);
  Proof ask(Terms& terms, TermId before, TermId after);
  std::optional<Proof> generalised(Terms& terms, TermId before, TermId after);
  Proof by_parts(Terms& terms, TermId before, TermId after);

  JudgeLimits limits_;
  Smt smt_;
  std::unordered_map<uint64_t, Proof> known_;        // by both terms
  std::unordered_map<std::string, Proof> answered_;  // by the text of a question to the solver
  std::map<std::string, RuleRow> rows_;
  std::map<std::string, std::string> undecided_;
  std::vector<std::string> failures_;
  uint64_t examined_ = 0, changed_ = 0, questions_ = 0;
};

/// The names of all rules, as "pass: rule".
std::vector<std::string> all_rules();

}  // namespace kc::rewrites
