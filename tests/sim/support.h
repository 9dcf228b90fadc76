// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the interpreters: functions from text, buffers as arguments.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ir/text.h"
#include "ir/verify.h"
#include "sim/interpreter/run_result.h"

namespace kc::test {

inline Module parse(const std::string& text) {
  auto m = parse_module(text);
  if (!m) FAIL(m.error().render("test", text));
  for (const auto& f : m->functions)
    if (auto errors = verify(*f); !errors.empty()) FAIL(render(*f, errors));
  return std::move(*m);
}

inline LaunchSpec line(uint64_t items, uint64_t local = 1) {
  return {.dims = 1, .global = {items, 1, 1}, .local = {local, 1, 1}};
}

template <typename T>
uint64_t address_of(std::vector<T>& v) {
  return reinterpret_cast<uint64_t>(v.data());
}
template <typename T>
MemoryRange range_of(std::vector<T>& v) {
  return {address_of(v), v.size() * sizeof(T)};
}

}  // namespace kc::test
