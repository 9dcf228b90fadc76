// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

#include "frontend/frontend.h"
#include "ir/text.h"
#include "ir/verify.h"

inline std::string read_kernel(const std::string& name) {
  std::ifstream in(KC_SOURCE_DIR "/tests/frontend/kernels/" + name, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline kc::FrontendResult compile(const std::string& text, const kc::FrontendOptions& options = {}) {
  return kc::compile_source(text, options);
}

// Compiles, requires success and well-formed IR that round-trips through its text form; returns that text.
inline std::string compile_to_text(const std::string& text, const kc::FrontendOptions& options = {}) {
  kc::FrontendResult result = compile(text, options);
  INFO(text);
  INFO(result.diagnostics);
  REQUIRE(result.module != nullptr);
  for (const auto& f : result.module->functions) {
    auto errors = kc::verify(*f);
    INFO(kc::render(*f, errors));
    REQUIRE(errors.empty());
  }
  std::string printed = kc::print(*result.module);
  auto again = kc::parse_module(printed);
  REQUIRE(again.has_value());
  REQUIRE(kc::print(*again) == printed);
  return printed;
}

inline size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++n;
  return n;
}

inline bool has(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}
