// SPDX-License-Identifier: Apache-2.0
// Condition codes in machine encoding (the lowest bit negates), and predicates of vector comparisons.
#pragma once

#include <cstdint>
#include <string_view>

namespace kc::x64 {

enum Condition : uint8_t {
  Below = 2,
  AboveEqual,
  Equal,
  NotEqual,
  BelowEqual,
  Above,
  Parity = 10,
  NoParity,
  Less,
  GreaterEqual,
  LessEqual,
  Greater
};

/// The condition that holds for b and a where this one holds for a and b, which are integers.
constexpr Condition of_exchanged(Condition condition) {
  switch (condition) {
    case Below:
      return Above;
    case Above:
      return Below;
    case BelowEqual:
      return AboveEqual;
    case AboveEqual:
      return BelowEqual;
    case Less:
      return Greater;
    case Greater:
      return Less;
    case LessEqual:
      return GreaterEqual;
    case GreaterEqual:
      return LessEqual;
    default:
      return condition;
  }
}

/// "set" and Equal give "sete"; the text has static lifetime.
std::string_view conditional_mnemonic(std::string_view stem, int64_t condition);

/// Predicates of vcmpps and vcmppd; integers have Eq, Lt, Le and their negations (NotEq, NotLt, NotLe).
enum Predicate : uint8_t {
  Eq = 0,
  Lt = 1,
  Le = 2,
  Unordered = 3,
  NotEq = 4,
  NotLt = 5,
  NotLe = 6,
  Ordered = 7
};

}  // namespace kc::x64
