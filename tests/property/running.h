// SPDX-License-Identifier: Apache-2.0
// How the tests of the passes run a function and compare it with its reference.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"
#include "sim/interpreter/thread_interpreter.h"
#include "sim/interpreter/wave_interpreter.h"
#include "tests/property/random_cfg.h"

namespace kc::test {

inline constexpr uint64_t kMaxSteps = 20'000'000;

// KC_SEEDS=n runs n seeds of every case, each at all widths.
inline bool thorough() { return std::getenv("KC_SEEDS") != nullptr; }
inline uint64_t seeds(uint64_t usual) {
  return thorough() ? std::strtoull(std::getenv("KC_SEEDS"), nullptr, 10) : usual;
}

inline void verified(const Function& f) {
  auto errors = verify(f);
  if (!errors.empty()) FAIL(render(f, errors) + print(f));
}

inline std::string as_threads(const Function& f, const Reference& expected, const RunData& data) {
  return check_engine(expected, data, [&](RunData& d) {
    auto arguments = d.arguments();
    auto memory = d.memory();
    return run_threads(f, d.launch, arguments, {.memory = memory, .max_steps = kMaxSteps});
  });
}

// With traps lowered to slots.
inline std::string slots_as_threads(const Function& f, const Reference& expected, const RunData& data) {
  return check_engine(expected, data, [&](RunData& d) {
    return with_trap_slots(f, d, [&](auto arguments, auto memory) {
      return run_threads(f, d.launch, arguments, {.memory = memory, .max_steps = kMaxSteps});
    });
  });
}

inline std::string as_waves(const Function& f, const Reference& expected, const RunData& data,
                            WaveRunOptions options = {}) {
  return check_engine(expected, data, [&](RunData& d) {
    return with_trap_slots(f, d, [&](auto arguments, auto memory) -> RunResult {
      options.memory = memory;
      options.max_steps = kMaxSteps;
      return run_waves(f, d.launch, arguments, options);
    });
  });
}

}  // namespace kc::test
