// SPDX-License-Identifier: Apache-2.0
// Constant zeros that drivers must not see (Mesa 22.3). In float arithmetic they fold 0 + x, 0 * x and 0 / x
// as if there were no negative zeros, infinities and NaNs, in modules too that ask to preserve them: 0 / 0
// is 0, and 0 - 0 is -0. In choices, by `select` or by branches, between a zero and what has the bits of 1
// or -1, be they those of an integer, they see a conversion: `c ? -1.0 : 0.0` is -0 where c is false. So such
// a zero is made from a number that comes with the launch, and private memory, through which constants are
// followed, too, is read with one.
#pragma once

#include <map>
#include <set>

#include "backends/spirv/launch.h"

namespace kc::spirv {

class HiddenZeros {
 public:
  /// Makes what the function will need; at the start of its code.
  void emit(const Function& f, Code& code, LaunchCode& launch);
  /// Puts them in the place of the constants among the operands.
  void replace(const Function& f, const Inst& inst, Words& operands) const;
  /// The same among what is passed to a block.
  void replace(const Function& f, const Target& target, Words& args) const;

 private:
  Word zero32(LaunchCode& launch);
  void hide(const Function& f, ValueId constant, Code& code, LaunchCode& launch);
  void note_ones(const Function& f, const Target& target);
  bool must_hide_argument(const Function& f, const Target& target, size_t arg) const;

  Word zero32_ = 0;
  std::map<ValueId, Word> zeros_;
  std::map<ValueId, std::set<bool>> ones_;  // by parameter: the signs of 1 and -1 that blocks pass to it
};

}  // namespace kc::spirv
