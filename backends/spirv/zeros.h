// SPDX-License-Identifier: Apache-2.0
// Constant zeros that float arithmetic must not see. Drivers fold 0 + x, 0 * x and 0 / x as if there were no
// negative zeros, infinities and NaNs, in modules too that ask to preserve them (seen with Mesa 22.3: 0 / 0
// is 0, and 0 - 0 is -0). So a zero operand is made from a number that comes with the launch, and private
// memory, through which constants are followed, too, is read with one.
#pragma once

#include <map>

#include "backends/spirv/launch.h"

namespace kc::spirv {

class HiddenZeros {
 public:
  /// Makes what the function's arithmetic will need; at the start of its code.
  void emit(const Function& f, Code& code, LaunchCode& launch);
  /// Puts them in the place of the constants among the operands.
  void replace(const Inst& inst, Words& operands) const;

 private:
  std::map<ValueId, Word> zeros_;
};

}  // namespace kc::spirv
