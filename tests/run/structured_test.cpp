// SPDX-License-Identifier: Apache-2.0
// Control flow that is already structured has no restructuring cost: every kernel of this folder and of
// examples/.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "frontend/frontend.h"
#include "host/compile.h"
#include "ir/text.h"
#include "passes/restructure/structurize.h"
#include "tests/run/program.h"

using namespace kc;
using namespace kc::test;

namespace {

struct Counts {
  size_t structured = 0, others = 0;
};

void check(const Function& kernel, Counts& counts) {
  const auto thread = optimise(kernel);
  Function& f = *thread;
  INFO(f.name);
  const std::string before = print(f);
  const bool structured = check_structured(f).empty();
  ++(structured ? counts.structured : counts.others);
  CHECK(structurize(f) != structured);
  CHECK(check_structured(f) == "");
  if (structured) CHECK(print(f) == before);
}

}  // namespace

TEST_CASE("structured kernels stay as they are", "[structurize]") {
  auto programs = read_programs(KC_SOURCE_DIR "/tests/run");
  REQUIRE(programs.has_value());
  Counts counts;
  for (const RunProgram& p : *programs) {
    if (p.chapter == "macros") continue;  // they need a specific working directory
    auto compiled = compile_program(p);
    INFO(p.full_name());
    REQUIRE(compiled.has_value());
    check(*(*compiled)->kernel, counts);
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(KC_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".cl") continue;
    if (entry.path().string().find("/embed/") != std::string::npos) continue;  // its host defines its macros
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    INFO(entry.path().string());
    FrontendResult r = compile_source(text.str(), {});
    REQUIRE(r.module);
    for (const auto& f : r.module->functions) check(*f, counts);
  }
  CAPTURE(counts.structured, counts.others);
  CHECK(counts.structured > 400);
  CHECK(counts.others > 20);
}
