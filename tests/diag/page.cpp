// SPDX-License-Identifier: Apache-2.0
// docs/diagnostics.md and the table of warnings agree in both directions, and each example causes its
// warning.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "frontend/source/warnings.h"
#include "snippets.h"

namespace {

struct Section {
  std::string remark;   // the text in parentheses after the name
  std::string example;  // the contents of its ```c block
};

std::map<std::string, Section> sections() {
  std::istringstream in(read_file(KC_SOURCE_DIR "/docs/diagnostics.md"));
  std::map<std::string, Section> found;
  Section* current = nullptr;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("### ")) {
      size_t space = line.find(" (");
      REQUIRE(space != std::string::npos);
      std::string name = line.substr(4, space - 4);
      REQUIRE_FALSE(found.contains(name));
      current = &found[name];
      current->remark = line.substr(space + 2, line.size() - space - 3);
    } else if (line.starts_with("```")) {
      inside = line == "```c";
    } else if (inside && current) {
      current->example += line + "\n";
    }
  }
  return found;
}

const char* level_name(kc::front::WarningLevel level) {
  static constexpr const char* Names[] = {"on", "all", "extra", "ask"};
  return Names[static_cast<int>(level)];
}

}  // namespace

TEST_CASE("every warning is documented with an example that draws it") {
  std::map<std::string, Section> page = sections();
  for (const kc::front::WarningRow& r : kc::front::warning_rows()) {
    INFO(r.name);
    auto found = page.find(std::string(r.name));
    REQUIRE(found != page.end());
    std::string remark = level_name(r.level);
    if (!r.family.empty()) remark += fmt::format(", {}", r.family);
    CHECK(found->second.remark == remark);
    if (r.name != "unknown-warning-option") {
      auto result = kc::compile_source(found->second.example, options_from({fmt::format("-W{}", r.name)}));
      INFO(found->second.example << result.diagnostics);
      CHECK(result.errors == 0);
      CHECK(result.diagnostics.find(fmt::format("[-W{}]", r.name)) != std::string::npos);
      // The example causes this warning only.
      auto quiet = kc::compile_source(found->second.example, options_from({fmt::format("-Wno-{}", r.name)}));
      INFO(quiet.diagnostics);
      CHECK(quiet.diagnostics.empty());
    }
    page.erase(found);
  }
  for (const auto& [name, section] : page) FAIL_CHECK("there is no warning '" << name << "'");
}
