// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/features.h"

#include <cpuid.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace kc {

CpuFeatures cpu_features() {
  __builtin_cpu_init();
  CpuFeatures f;
  f.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
  f.avx512 = f.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
  return f;
}

std::string processor_name() {
  // Three answers with 16 bytes each of a text that ends with a zero byte.
  constexpr unsigned kFirst = 0x80000002;
  std::array<unsigned, 12> words{};
  for (unsigned k = 0; k < 3; ++k)
    if (!__get_cpuid(kFirst + k, &words[4 * k], &words[4 * k + 1], &words[4 * k + 2], &words[4 * k + 3]))
      return {};
  std::array<char, sizeof words + 1> text{};
  std::memcpy(text.data(), words.data(), sizeof words);
  return text.data();
}

uint64_t last_level_cache() {
  constexpr uint64_t kGuess = uint64_t{32} << 20;
  // A virtual machine with few processors is told of the whole cache of its host, which it shares.
  constexpr uint64_t kMostForOne = uint64_t{16} << 20;
  static const uint64_t bytes = [] {
    for (int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
      if (const long found = ::sysconf(level); found > 0) {
        const long processors = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
        return std::min(static_cast<uint64_t>(found), kMostForOne * static_cast<uint64_t>(processors));
      }
    return kGuess;
  }();
  return bytes;
}

}  // namespace kc
