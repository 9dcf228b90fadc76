// SPDX-License-Identifier: Apache-2.0
// The documents refer to existing things: their kernels compile, their IR is well formed, and the files they
// name exist.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/frontend.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = KC_SOURCE_DIR;

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> documents() {
  std::set<fs::path> found{kRoot / "README.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") found.insert(entry.path());
  return {found.begin(), found.end()};
}

/// The fenced blocks of a document; `language` is the word after the fence.
struct Fence {
  std::string language, text;
};
std::vector<Fence> fences(const std::string& document) {
  std::vector<Fence> found;
  std::istringstream in(document);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) found.push_back({line.substr(3), ""});
    } else if (inside) {
      found.back().text += line + "\n";
    }
  }
  return found;
}

}  // namespace

TEST_CASE("kernels in the documents compile") {
  size_t kernels = 0;
  for (const fs::path& path : documents())
    for (const Fence& fence : fences(read(path))) {
      if (fence.language != "c" || fence.text.find("kernel void") == std::string::npos) continue;
      ++kernels;
      auto result = kc::compile_source(fence.text, {.file_name = path.filename().string()});
      INFO(fence.text << result.diagnostics);
      CHECK(result.module != nullptr);
      // The page on warnings shows code that causes them; tests/diag compares it.
      if (path.filename() != "diagnostics.md") CHECK(result.warnings == 0);
    }
  CHECK(kernels >= 2);
}

TEST_CASE("whole functions of IR in the documents are well formed") {
  size_t functions = 0;
  for (const fs::path& path : documents())
    for (const Fence& fence : fences(read(path))) {
      // tests/cli/lesson_test.sh compares the output of commands, which may be abbreviated.
      if (fence.language == "console" || fence.text.find(" func @") == std::string::npos) continue;
      ++functions;
      INFO(fence.text);
      auto module = kc::parse_module(fence.text);
      if (!module) FAIL(module.error().render(path.filename().string(), fence.text));
      for (const auto& f : module->functions) {
        auto errors = kc::verify(*f);
        INFO(kc::render(*f, errors));
        CHECK(errors.empty());
      }
    }
  CHECK(functions >= 2);
}

// Words in backquotes that look like a path into one of the folders.
TEST_CASE("files that the documents name exist") {
  const std::set<std::string> folders{"ir",      "frontend", "passes",    "sim",   "backends",
                                      "runtime", "driver",   "fuzz",      "tests", "examples",
                                      "docs",    "bench",    "packaging", "opencl"};
  size_t names = 0;
  for (const fs::path& path : documents()) {
    std::string text = read(path);
    for (size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) {
      size_t end = text.find_first_of(" `\n*(:", at + 1);
      if (end == std::string::npos) break;
      std::string name = text.substr(at + 1, end - at - 1);
      size_t slash = name.find('/');
      if (text[end] == '*' || slash == std::string::npos || !folders.contains(name.substr(0, slash)))
        continue;
      ++names;
      INFO(path.filename().string() << " names " << name);
      CHECK(fs::exists(kRoot / name));
    }
  }
  CHECK(names >= 20);
}
