// SPDX-License-Identifier: Apache-2.0
// The programs of this folder after every pass, in the thread, wave, x64 and gcn dialects: each function is
// the same after it was JSON.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "backends/gcn/gcn.h"
#include "backends/x64/x64.h"
#include "driver/lab/answer.h"
#include "host/compile.h"
#include "ir/json/json.h"
#include "ir/text.h"
#include "tests/run/program.h"

using namespace kc;
using namespace kc::test;

namespace {

// Machine code for programs that this number divides: it has fifty stages.
constexpr size_t kMachineEvery = 8;

class Stages {
 public:
  void see(const std::string& text) {
    if (text.find(" func @") == std::string::npos || !seen_.insert(text).second) return;
    auto m = parse_module(text);
    REQUIRE(m);
    const std::string want = print(*m);
    // Without the line that says after which pass; numbers of values and blocks are those of the text.
    REQUIRE(text.ends_with(want));
    auto again = read_json(write_json(*m));
    if (!again) FAIL(render_json_error(again.error(), "JSON") << want);
    REQUIRE(print(*again) == want);
    ++count[static_cast<size_t>(m->functions[0]->dialect)];
  }
  PipelineOptions watch() {
    PipelineOptions o;
    o.print_after = {"all"};
    o.print = [this](std::string_view text) { see(std::string(text)); };
    o.watch = [this](const PassStage& stage, const Function& f, bool may_differ) {
      std::string now = print(f);
      INFO("after " << stage.pass);
      if (!may_differ) {
        REQUIRE(now == last_);
        ++unchanged;
      }
      last_ = std::move(now);
    };
    return o;
  }
  std::array<size_t, static_cast<size_t>(Dialect::Count_)> count{};
  size_t unchanged = 0;  // stages that are said to print as the one before

 private:
  std::string last_;
  std::set<std::string> seen_;
};

}  // namespace

TEST_CASE("programs are the same after JSON, after every pass") {
  auto programs = read_programs(KC_SOURCE_DIR "/tests/run");
  REQUIRE(programs);
  Stages stages;
  const PipelineOptions watch = stages.watch();
  const TargetDesc &avx512 = *find_target("avx512"), &gfx900 = *find_target("gfx900");
  for (size_t n = 0; n < programs->size(); ++n) {
    const RunProgram& p = (*programs)[n];
    INFO(p.full_name());
    auto compiled = compile_program(p);
    if (!compiled) continue;  // other tests say so
    const Function& source = *(*compiled)->program.source;
    stages.see(print(source));
    auto shared = KernelCompiler::start(source, {.pipeline = watch});
    REQUIRE(shared);
    auto cpu = shared->wave(avx512, {.width = 16});
    REQUIRE(cpu);
    if (n % kMachineEvery) continue;
    const PassWatch machine{.options = &watch};
    if (check_x64(*cpu->function, {.avx512 = true}).empty())
      REQUIRE(compile_x64(*cpu->function, {.avx512 = true}, machine));
    auto gcn = shared->wave(gfx900, {.width = 64});
    REQUIRE(gcn);
    if (check_gcn(*gcn->function).empty()) REQUIRE(compile_gcn(*gcn->function, {}, machine));
  }
  CHECK(stages.count[static_cast<size_t>(Dialect::Thread)] > 5000);
  CHECK(stages.count[static_cast<size_t>(Dialect::Wave)] > 1000);
  CHECK(stages.count[static_cast<size_t>(Dialect::X64)] > 200);
  CHECK(stages.count[static_cast<size_t>(Dialect::Gcn)] > 200);
  CHECK(stages.unchanged > 5000);
}

TEST_CASE("only the command runs programs as passes") {
  auto programs = read_programs(KC_SOURCE_DIR "/tests/run");
  REQUIRE(programs);
  auto compiled = compile_program(programs->front());
  REQUIRE(compiled);
  auto passed = run_named_passes(*(*compiled)->program.source, {.passes = "mem2reg,exec:cat"});
  REQUIRE(!passed);
  CHECK(passed.error().message == "exec:cat: only the command kernelc runs programs as passes");
  const std::string said =
      answer(R"({"do": "record", "source": "kernel void k(global int* out) { out[0] = 1; }", "global": [1],
                 "args": ["out=i32[1]"], "passes": "mem2reg,exec:cat"})");
  INFO(said);
  CHECK(said.find("only the command kernelc runs programs as passes") != std::string::npos);
}
