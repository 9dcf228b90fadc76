// SPDX-License-Identifier: Apache-2.0
// Expressions that rewrites are proved on: as numbers of hash-consed terms, and as functions that passes run
// on.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/function.h"

namespace kc::rewrites {

using TermId = uint32_t;

/// A leaf or an operation. Equal terms of one pool have one number.
struct Term {
  enum Kind : uint8_t { Variable, Constant, Undef, Launch, Operation } kind = Variable;
  Elem elem = Elem::Void;
  Op op = Op::Count_;  // of a launch value and an operation
  uint64_t bits = 0;   // of a constant; the number of a variable; the dimension of a launch value
  std::array<int64_t, 2> attrs{1, 0};  // of ptr_add: scale and offset
  uint8_t count = 0;                   // operands
  std::array<TermId, 3> operands{};
  bool operator==(const Term&) const = default;
};

class Terms {
 public:
  TermId add(const Term& t);
  TermId variable(Elem e, uint64_t number) {
    return add({.kind = Term::Variable, .elem = e, .bits = number});
  }
  TermId constant(Elem e, uint64_t bits);
  TermId undef(Elem e) { return add({.kind = Term::Undef, .elem = e}); }
  TermId operation(Op op, Elem e, const std::vector<TermId>& operands, std::array<int64_t, 2> attrs = {1, 0});
  const Term& operator[](TermId id) const { return terms_[id]; }
  size_t size() const { return terms_.size(); }
  /// The same term with each term in the map replaced; new replacements of operations are entered into it.
  TermId replace(TermId id, std::unordered_map<TermId, TermId>& by);
  /// The variables below these terms, in order of their first occurrence.
  std::vector<TermId> variables(std::initializer_list<TermId> roots) const;
  /// Whether a term that `accept` accepts is below this one, or is this one.
  template <typename Accept>
  bool any(TermId id, Accept accept) const {
    if (accept(terms_[id])) return true;
    for (size_t k = 0; k < terms_[id].count; ++k)
      if (any(terms_[id].operands[k], accept)) return true;
    return false;
  }
  /// Whether `part` is below this term, or is this one.
  bool has(TermId id, TermId part) const;
  /// What undef in these terms may be chosen to be: the terms in them without undef, and 0.
  std::vector<TermId> choices_of_undef(Elem e, TermId before, TermId after);
  /// As in `(add v0:i32 4:i32)`.
  std::string text(TermId id) const;

 private:
  struct Hash {
    size_t operator()(const Term& t) const;
  };
  std::vector<Term> terms_;
  std::unordered_map<Term, TermId, Hash> numbers_;
};

/// Which variables of an expression differ between work-items: all, or those of the numbers 0, 3 and so on.
enum class Leaves : uint8_t { Divergent, EveryThirdDivergent };

/// A thread function that computes an expression and traps with its value. Operations that occur twice are
/// computed twice.
class Kernel {
 public:
  Kernel(const Terms& terms, TermId root, Leaves leaves);
  Function f;
  /// The value that the function traps with, as a term; none if there is an operation that is no term.
  std::optional<TermId> read(Terms& terms) const;

 private:
  ValueId emit(const Terms& terms, TermId id);
  ValueId leaf(const Term& t);
  std::optional<TermId> read(Terms& terms, ValueId v, std::unordered_map<uint32_t, TermId>& done) const;

  Leaves leaves_;
  Builder builder_;
  ValueId work_item_;
  std::vector<std::pair<Term, ValueId>> variables_;
};

}  // namespace kc::rewrites
