// SPDX-License-Identifier: Apache-2.0
// What the processor that this runs on has.
#pragma once

namespace kc {

struct CpuFeatures {
  bool avx2 = false;    // with fma, bmi1, bmi2 and lzcnt
  bool avx512 = false;  // f, bw, dq and vl
};
/// Features of this machine that the operating system supports.
CpuFeatures cpu_features();

}  // namespace kc
