// SPDX-License-Identifier: Apache-2.0
// The kernels of this repository are correct, so they cause no warnings, even with -Wall. (Programs in
// tests/run contain deliberate causes of warnings.)
#include <catch2/catch.hpp>
#include <set>

#include "snippets.h"

namespace fs = std::filesystem;

TEST_CASE("correct kernels draw no warnings") {
  std::set<fs::path> kernels;
  for (const char* folder : {"examples", "docs", "bench", "tests/frontend"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(KC_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".cl") kernels.insert(entry.path());
  CHECK(kernels.size() >= 8);
  for (const fs::path& path : kernels) {
    std::vector<std::string> flags{"-Wall"};
    // It deliberately jumps into a loop past a declaration and reads the variable.
    if (path.filename() == "irreducible.cl") flags.push_back("-Wno-uninitialized");
    kc::FrontendResult result = kc::compile_source(read_file(path), options_from(flags));
    INFO(path.string() << "\n" << result.diagnostics);
    CHECK(result.errors == 0);
    CHECK(result.warnings == 0);
  }
}
