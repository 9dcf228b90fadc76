// SPDX-License-Identifier: Apache-2.0
// Runs every tests/passes/*/*.kir: the first line names the passes, "; expect:" separates the input from the
// expected text. KC_BLESS=1 rewrites the expectation. A line "; private: words" or "; private: plain" says
// how the machine interleaves private memory, "; width: 1" that work-items run alone.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/pipeline.h"

using namespace kc;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSeparator = "; expect:\n";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream s;
  s << in.rdbuf();
  return s.str();
}

PrivateUnits private_units(std::string_view text) {
  if (text.contains("\n; private: words\n")) return PrivateUnits::Words;
  return text.contains("\n; private: plain\n") ? PrivateUnits::Plain : PrivateUnits::Elements;
}

uint32_t width(std::string_view text) { return text.contains("\n; width: 1\n") ? 1 : WaveOptions().width; }

std::string run(std::string_view passes, std::string_view text) {
  auto module = parse_module(text);
  if (!module) return module.error().render("input", text);
  for (auto& f : module->functions) {
    if (auto errors = verify(*f); !errors.empty()) return "input: " + render(*f, errors);
    // Not looked at, but passes say what they did on all of these, also under sanitizers.
    Remarks remarks([](std::string_view) { return true; });
    PassState state{.f = std::move(f),
                    .wave = {.width = width(text), .private_units = private_units(text)},
                    .remarks = &remarks};
    auto report = run_pipeline(state, split_pass_names(passes), {.verify_each = true});
    f = std::move(state.f);
    if (!report) return report.error().message + "\n";
  }
  return print(*module);
}

}  // namespace

TEST_CASE("passes give the expected text") {
  size_t files = 0;
  std::set<std::string, std::less<>> without;  // passes without a test file
  for (const PassRow& row : pass_table()) without.emplace(row.name);
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(KC_SOURCE_DIR) / "tests" / "passes"))
    if (entry.path().extension() == ".kir") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::string text = read(path);
    if (!text.starts_with("; passes: ")) continue;
    ++files;
    INFO(path.string());
    size_t line = text.find('\n'), at = text.find(kSeparator);
    for (std::string_view name : split_pass_names(std::string_view(text).substr(10, line - 10)))
      if (auto it = without.find(name); it != without.end()) without.erase(it);
    std::string input = text.substr(0, at == std::string::npos ? text.size() : at);
    std::string got = run(std::string_view(text).substr(10, line - 10), input);
    if (std::getenv("KC_BLESS")) {
      std::ofstream(path, std::ios::binary) << input << kSeparator << got;
      continue;
    }
    REQUIRE(at != std::string::npos);
    CHECK(got == text.substr(at + kSeparator.size()));
  }
  CHECK(files > 0);
  std::string missing;
  for (const std::string& name : without) missing += name + " ";
  CHECK(missing == "");
}
