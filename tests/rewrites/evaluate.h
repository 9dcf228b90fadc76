// SPDX-License-Identifier: Apache-2.0
// Two terms computed by the `eval` column of the opcode tables, for given values of their variables.
#pragma once

#include <span>
#include <string>

#include "tests/rewrites/terms.h"

namespace kc::rewrites {

/// Whether the term after a rewrite has a value that the term before it may have. `Unspecified`: the bits of
/// a NaN are used as an integer before the rewrite, so that any result is right.
enum class Agreement : uint8_t { Equal, Different, Unspecified };

class Evaluation {
 public:
  /// Terms without undef.
  Evaluation(const Terms& terms, TermId before, TermId after);
  /// The free variables: launch values and variables.
  std::span<const TermId> variables() const { return variables_; }
  /// Bits of their values together.
  unsigned bits() const;
  /// `values`: one for each variable, zero-extended. Launch values must be in their ranges.
  Agreement operator()(std::span<const uint64_t> values);
  /// The results of the last call.
  uint64_t before() const { return slots_[before_]; }
  uint64_t after() const { return slots_[after_]; }

 private:
  struct Step {
    EvalFn eval = nullptr;  // or the address of an element
    uint8_t count = 0;
    bool reads_nan = false;  // the bits of a float before the rewrite
    unsigned width = 0;      // of the index of an address; of a float whose bits are read
    unsigned result = 0;     // width of an address
    std::array<int64_t, 2> attrs{};
    std::array<uint32_t, 3> operands{};
  };
  uint32_t slot_of(TermId id, bool is_before);

  const Terms& terms_;
  std::vector<TermId> variables_;
  std::unordered_map<TermId, uint32_t> slot_;
  std::vector<Step> steps_;     // the results follow the variables and constants
  std::vector<uint32_t> into_;  // by step: its slot
  std::vector<uint64_t> slots_;
  uint32_t before_ = 0, after_ = 0;
  Elem elem_ = Elem::Void;
};

/// Values that matter for a type: 0, 1, -1, powers of two, masks, limits; of floats zeros, infinities, NaN,
/// denormal numbers.
std::span<const uint64_t> special_values(Elem e);
/// The largest value of a launch value, and the smallest.
std::pair<uint64_t, uint64_t> launch_range(Op op);

}  // namespace kc::rewrites
