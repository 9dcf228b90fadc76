// SPDX-License-Identifier: Apache-2.0
// Floats, and bits of floats, that must be opaque to drivers (Mesa 22.3). In float arithmetic drivers fold 0
// + x, 0 * x and 0 / x as if negative zeros, infinities and NaNs did not exist, even in modules that request
// their preservation: 0 / 0 becomes 0, and 0 - 0 becomes -0. So drivers may not come to know that a float is
// zero. Float constants are hidden where arithmetic, choices and functions of constants alone use them, where
// they are stored, since constants are propagated through memory, and where they are passed between blocks.
// Floats that are made of integers are hidden, too, since drivers fold a - b + b - a, and unroll loops and
// then know their counters. Hidden values are computed with a zero of the launch record. A choice (`select`
// or branches) between a zero and the bit pattern of 1 or -1, even of an integer, is treated as a conversion:
// `c ? -1.0 : 0.0` becomes -0 if c is false.
#pragma once

#include <map>
#include <set>

#include "backends/spirv/launch.h"

namespace kc::spirv {

class OpaqueFloats {
 public:
  /// Emits the opaque constants that the function needs; call at the start of its code.
  void emit(const Function& f, Code& code, LaunchCode& launch);
  /// Replaces constants among the operands.
  void replace(const Function& f, const Inst& inst, Words& operands) const;
  /// Replaces constants among the arguments of an edge.
  void replace(const Function& f, const Target& target, Words& args) const;
  /// What a store writes in place of this value.
  Word stored(ValueId v, Word value) const;
  /// The result of an instruction, opaque if it is a float made of integers.
  Word result(const Function& f, const Inst& inst, Word value, Code& code) const;

 private:
  Word zero32(LaunchCode& launch);
  void hide(const Function& f, ValueId constant, Code& code, LaunchCode& launch);
  void note_ones(const Function& f, const Target& target);
  bool must_hide_argument(const Function& f, const Target& target, size_t arg) const;

  Word zero32_ = 0;
  std::map<ValueId, Word> opaque_;
  std::map<ValueId, std::set<bool>> ones_;  // by parameter: the signs of 1 and -1 that blocks pass to it
};

}  // namespace kc::spirv
