// SPDX-License-Identifier: Apache-2.0
// Floats, and bits of floats, that must be opaque to drivers (Mesa 22.3). In float arithmetic drivers fold 0
// + x, 0 * x and 0 / x as if negative zeros, infinities and NaNs did not exist, even in modules that request
// their preservation: 0 / 0 becomes 0, and 0 - 0 becomes -0. A choice (`select` or branches) between a zero
// and the bit pattern of 1 or -1, even of an integer, is treated as a conversion: `c ? -1.0 : 0.0` becomes -0
// if c is false. So such zeros are computed from a number of the launch record. Constants are also propagated
// through private memory, so it is read with one, too. Drivers also unroll loops, and then know counters and
// what is computed from them: a float whose operands may all become known, (float)j say, is computed with one
// as well, and constants that blocks pass to float parameters are opaque.
#pragma once

#include <map>
#include <set>
#include <vector>

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
  /// The result of an instruction, opaque if the driver may come to know it.
  Word result(const Function& f, const Inst& inst, Word value, Code& code) const;

 private:
  Word zero32(LaunchCode& launch);
  void hide(const Function& f, ValueId constant, Code& code, LaunchCode& launch);
  void note_ones(const Function& f, const Target& target);
  void find_known(const Function& f);
  bool may_become_known(const Function& f, const Inst& inst) const;
  bool must_hide_argument(const Function& f, const Target& target, size_t arg) const;

  Word zero32_ = 0;
  std::map<ValueId, Word> opaque_;
  std::map<ValueId, std::set<bool>> ones_;  // by parameter: the signs of 1 and -1 that blocks pass to it
  std::vector<bool> known_;  // by value: integers that may be constants once a driver has unrolled loops
};

}  // namespace kc::spirv
