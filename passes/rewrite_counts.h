// SPDX-License-Identifier: Apache-2.0
// How often each rule of a pass applied. Passes count only for callers that ask, which tests do.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"

namespace kc {

/// By the name of the rule: that of its row, or the opcode and what becomes of it.
class RewriteCounts {
 public:
  void add(std::string_view rule) { ++of_[std::string(rule)]; }
  const std::map<std::string, uint64_t>& of() const { return of_; }

 private:
  std::map<std::string, uint64_t> of_;
};

/// The name of a rule that is about an opcode.
inline std::string rule_name(Op op, std::string_view rule) {
  return std::string(name_of(op)) + " " + std::string(rule);
}
/// Counts a rule if anybody counts.
inline void count_rule(RewriteCounts* counts, Op op, std::string_view rule) {
  if (counts) counts->add(rule_name(op, rule));
}

}  // namespace kc
