// SPDX-License-Identifier: Apache-2.0
// What those of a sub-group that are here together know of each other. Values travel in words of 32 bits,
// which every device that has sub-groups can send.
#pragma once

#include "backends/spirv/launch.h"

namespace kc::spirv {

class SubGroupCode {
 public:
  SubGroupCode(const Function& function, Code& code, LaunchCode& launch)
      : f(function), c(code), launch_(launch) {}

  static bool handles(Op op);
  /// The id of the result.
  Word emit(const Inst& inst, const Words& operands);
  /// Variables for the entry point.
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
