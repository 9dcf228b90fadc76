// SPDX-License-Identifier: Apache-2.0
// A program for libFuzzer. KC_ENTRY names the entry point; the rest of the command line is libFuzzer's.
// Internal errors are exceptions, which nobody catches here, so libFuzzer notices them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "tests/fuzz/fuzz.h"

namespace {

const Entry& chosen() {
  static const Entry& entry = [&]() -> const Entry& {
    const char* name = std::getenv("KC_ENTRY");
    const auto entries = KC_ENTRIES();
    const auto found = std::ranges::find(entries, std::string_view(name ? name : ""), &Entry::name);
    if (found == entries.end()) {
      fmt::print(stderr, "error: KC_ENTRY is one of:");
      for (const Entry& e : entries) fmt::print(stderr, " {}", e.name);
      fmt::print(stderr, "\n");
      std::exit(2);
    }
    return *found;
  }();
  return entry;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen().run({reinterpret_cast<const char*>(data), size});
  return 0;
}
