// SPDX-License-Identifier: Apache-2.0
// The kernels of this repository are correct, so they must draw no warnings, not even those of -Wall. A
// program that does on purpose what a warning is about names it in a comment `// draws: -Wname`.
#include <catch2/catch.hpp>
#include <set>

#include "snippets.h"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> kernels() {
  std::set<fs::path> found;
  for (const char* folder : {"examples", "docs", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(KC_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".cl" && entry.path().parent_path().filename() != "diag")
        found.insert(entry.path());
  return {found.begin(), found.end()};
}

// The flags that the program says it draws.
std::set<std::string> announced(const std::string& text) {
  std::set<std::string> found;
  const std::string mark = "// draws: ";
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    std::istringstream in(text.substr(at + mark.size(), text.find('\n', at) - at - mark.size()));
    for (std::string flag; in >> flag;) found.insert(flag);
  }
  return found;
}

}  // namespace

TEST_CASE("correct kernels draw no warnings") {
  size_t programs = 0;
  for (const fs::path& path : kernels())
    for (const Snippet& s : read_snippets(path)) {
      kc::FrontendOptions options = options_from({"-Wall"});
      options.file_name = s.file_name;
      kc::FrontendResult result = kc::compile_source(s.text, options);
      if (result.errors > 0) continue;  // it needs options, or is of another test
      ++programs;
      std::string rest = result.diagnostics;
      for (const std::string& flag : announced(s.text)) {
        INFO(path.string() << ", " << s.name << " says that it draws " << flag << "\n" << result.diagnostics);
        CHECK(rest.find("[" + flag + "]") != std::string::npos);
        options.diagnostics.warnings.push_back("no-" + flag.substr(2));
      }
      result = kc::compile_source(s.text, options);
      INFO(path.string() << ", " << s.name << "\n" << result.diagnostics);
      CHECK(result.warnings == 0);
    }
  CHECK(programs >= 40);
}
