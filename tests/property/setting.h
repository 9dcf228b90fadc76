// SPDX-License-Identifier: Apache-2.0
// Settings of tests that the environment may change.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace kc {

/// The number in the environment's variable `name`, or `usual`.
inline uint64_t setting(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : usual;
}

}  // namespace kc
