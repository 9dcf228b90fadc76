// SPDX-License-Identifier: Apache-2.0
// Floats, and bits of floats, that must be opaque to drivers (Mesa 22.3). In float arithmetic drivers fold 0
// + x, 0 * x and 0 / x as if negative zeros, infinities and NaNs did not exist, even in modules that request
// their preservation: 0 / 0 becomes 0, and 0 - 0 becomes -0. Nothing that drivers compute may be a zero that
// they know. So no float constant takes part in arithmetic with others, in choices, or is passed between
// blocks as itself, and floats that are made of integers are opaque, since drivers fold a - b + b - a, and
// unroll loops and then know their counters. Such a float is computed with a zero of the launch record. A
// choice
// (`select` or branches) between a zero and the bit pattern of 1 or -1, even of an integer, is treated as a
// conversion: `c ? -1.0 : 0.0` becomes -0 if c is false. Constants are also propagated through memory, so
// private memory is read with such a zero, too.
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
