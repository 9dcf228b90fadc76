// SPDX-License-Identifier: Apache-2.0
// Fuzzes the parser of the text form; well-formed input prints as itself.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  auto module = kc::parse_module(text);
  if (!module) {
    require(!module.error().render("input", text).empty(), "no message");
    return 0;
  }
  bool well_formed = true;
  for (const auto& f : module->functions) {
    auto errors = kc::verify(*f);
    if (errors.empty()) continue;
    well_formed = false;
    require(!kc::render(*f, errors).empty(), "no message");
  }
  if (well_formed) require_round_trip(kc::print(*module));
  return 0;
}
