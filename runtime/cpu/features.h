// SPDX-License-Identifier: Apache-2.0
// What the processor that this runs on has.
#pragma once

namespace kc {

struct CpuFeatures {
  bool avx2 = false;    // with fma, bmi1 and bmi2
  bool avx512 = false;  // f, bw, dq and vl
};
/// Features of this machine that the operating system supports.
CpuFeatures cpu_features();

}  // namespace kc
