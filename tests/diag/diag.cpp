// SPDX-License-Identifier: Apache-2.0
// Caret goldens: each .cl of this folder is compiled, and its diagnostics must equal the .expected beside it.
//
// A file may contain many small programs, each compiled on its own and introduced by a line `//---- name`,
// with options such as -Wextra after the name; a first line `// flags: -Wextra` gives options for the whole
// file. A program whose name starts with "ok" must have no diagnostics, every other one must have some.
// KC_BLESS=1 rewrites the expectations.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>

#include "snippets.h"

namespace fs = std::filesystem;

namespace {

std::string plural(int n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string summary(const kc::FrontendResult& r) {
  if (r.errors + r.warnings == 0) return "";
  return fmt::format("{}{}{} generated.\n", r.errors ? plural(r.errors, "error") : "",
                     r.errors && r.warnings ? " and " : "", r.warnings ? plural(r.warnings, "warning") : "");
}

// The expected content of the golden file. For separate programs, the summary line is checked here instead.
std::string diagnose(const fs::path& path) {
  std::vector<Snippet> snippets = read_snippets(path);
  std::string all;
  std::set<std::string> names;
  for (const Snippet& s : snippets) {
    kc::FrontendResult result = kc::compile_source(s.text, options_for(s));
    INFO(path.filename().string() << ", program '" << s.name << "'\n" << result.diagnostics);
    CHECK((result.module == nullptr) == (result.errors > 0));
    if (snippets.size() == 1) return result.diagnostics;
    CHECK(names.insert(s.name).second);
    CHECK(s.name.starts_with("ok") == result.diagnostics.empty());
    std::string end = summary(result);
    CHECK(result.diagnostics.ends_with(end));
    std::string shown = result.diagnostics;
    if (shown.ends_with(end)) shown.resize(shown.size() - end.size());
    all += fmt::format("//---- {}\n{}", s.name, shown);
  }
  return all;
}

}  // namespace

TEST_CASE("diagnostics look as expected") {
  std::vector<fs::path> files = golden_files();
  REQUIRE(files.size() > 5);
  const char* bless = std::getenv("KC_BLESS");
  for (const fs::path& file : files) {
    std::string actual = diagnose(file);
    fs::path expected = fs::path(file).replace_extension(".expected");
    if (bless && std::string(bless) == "1") std::ofstream(expected, std::ios::binary) << actual;
    INFO(file.string());
    CHECK(actual == read_file(expected));
  }
}

// Applying all fix-its of a program leaves no diagnostic with a fix-it.
TEST_CASE("fix-its mend what they are attached to") {
  size_t mended = 0;
  for (const fs::path& file : golden_files())
    for (const Snippet& s : read_snippets(file)) {
      kc::FrontendOptions options = options_for(s);
      options.diagnostics.json = true;
      std::string text = s.text;
      size_t before = apply_fixits(kc::compile_source(s.text, options).diagnostics, text);
      if (before == 0) continue;
      std::string unused = text;
      std::string diagnostics = kc::compile_source(text, options).diagnostics;
      INFO(file.filename().string() << ", program '" << s.name << "', mended:\n" << text << diagnostics);
      CHECK(apply_fixits(diagnostics, unused) == 0);
      ++mended;
    }
  CHECK(mended >= 1);
}
