// SPDX-License-Identifier: Apache-2.0
// Values of a wave function that are never signalling NaNs: arithmetic produces none.
#pragma once

#include <vector>

#include "ir/function.h"

namespace kc::x64 {

class SnanAnalysis {
 public:
  /// The analysis runs at the first query. `ranges`: lanes have fmin and fmax that make quiet NaNs.
  SnanAnalysis(const Function& wave, bool ranges) : f(wave), ranges_(ranges) {}
  /// Whether the float v is a number or a quiet NaN in every lane.
  bool quiet(ValueId v);

 private:
  void run();
  bool makes_quiet(const Inst& inst) const;
  bool is_quiet(ValueId v) const;

  const Function& f;
  const bool ranges_;
  std::vector<bool> loud_;  // by value id: not known to be quiet
};

}  // namespace kc::x64
