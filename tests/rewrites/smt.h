// SPDX-License-Identifier: Apache-2.0
// The meaning of terms once more, in the language of an SMT solver; and whether two terms are equal for all
// values of their variables. It shares nothing with the `eval` column of the opcode tables.
#pragma once

#include <memory>
#include <string>

#include "tests/rewrites/terms.h"

namespace kc::rewrites {

/// The solver, or a stand-in without an opinion if the build found none.
class Smt {
 public:
  enum Answer : uint8_t { Proved, Refuted, Unknown };

  Smt();
  ~Smt();
  static bool available();
  /// Gives up after so many steps of the solver, too, which are the same on each machine; 0 is no limit.
  void limit_steps(unsigned steps) { steps_ = steps; }
  /// Whether `after` has a value that `before` may have, for all values of the variables. Undef, of one
  /// type at most, may be any of the values in both terms. Unknown after that many milliseconds.
  Answer refines(Terms& terms, TermId before, TermId after, unsigned milliseconds);
  /// The values of `variables` for which the last answer was Refuted, in their order.
  std::vector<uint64_t> counterexample(const Terms& terms, const std::vector<TermId>& variables);
  /// The bits of a term without variables; none if the solver does not reduce it to a number. All NaNs have
  /// the same bits.
  std::optional<uint64_t> value(const Terms& terms, TermId id);

 private:
  struct State;
  std::unique_ptr<State> state_;
  unsigned steps_ = 0;
};

}  // namespace kc::rewrites
