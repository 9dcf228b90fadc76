// SPDX-License-Identifier: Apache-2.0
// What the processor that this runs on has.
#pragma once

#include <cstdint>
#include <string>

namespace kc {

struct CpuFeatures {
  bool avx2 = false;    // with fma, bmi1, bmi2 and lzcnt
  bool avx512 = false;  // f, bw, dq and vl
};
/// Features of this machine that the operating system supports.
CpuFeatures cpu_features();
/// What the maker calls this processor.
std::string processor_name();
/// Bytes of the last-level cache that this machine can count on, or a guess where the system does not say.
uint64_t last_level_cache();

}  // namespace kc
