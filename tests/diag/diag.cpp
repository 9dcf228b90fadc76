// SPDX-License-Identifier: Apache-2.0
// Caret goldens: each .cl of this folder is compiled, and its diagnostics must equal the .expected beside it.
// KC_BLESS=1 rewrites the expectations.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/frontend.h"

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("diagnostics look as expected") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(KC_SOURCE_DIR "/tests/diag"))
    if (entry.path().extension() == ".cl") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() > 5);
  const char* bless = std::getenv("KC_BLESS");
  for (const fs::path& file : files) {
    kc::FrontendOptions options;
    options.file_name = file.filename().string();
    kc::FrontendResult result = kc::compile_source(read(file), options);
    fs::path expected = fs::path(file).replace_extension(".expected");
    if (bless && std::string(bless) == "1") std::ofstream(expected, std::ios::binary) << result.diagnostics;
    INFO(file.string());
    CHECK(result.diagnostics == read(expected));
    CHECK((result.module == nullptr) == (result.errors > 0));
  }
}
