// SPDX-License-Identifier: Apache-2.0
// Sub-group operations: data exchange between the active work-items of a sub-group. Values are transferred in
// 32-bit words, which every device with sub-groups supports.
#pragma once

#include "backends/spirv/launch.h"

namespace kc::spirv {

class SubGroupCode {
 public:
  SubGroupCode(const Function& function, Code& code, LaunchCode& launch)
      : f(function), c(code), launch_(launch) {}

  static bool handles(Op op);
  /// Returns the id of the result.
  Word emit(const Inst& inst, const Words& operands);
  /// Interface variables for the entry point.
  const Words& interface() const { return interface_; }

 private:
  Word lane();
  Word ballot(Word condition);
  Word shuffle(Elem e, Word value, Word from);
  Word broadcast_first(Elem e, Word value);
  Words split(Elem e, Word value);
  Word join(Elem e, const Words& words);
  Word scope() { return c.scope(spv::Scope::Subgroup); }

  const Function& f;
  Code& c;
  LaunchCode& launch_;
  Word lane_ = 0;
  Words interface_;
};

}  // namespace kc::spirv
