// SPDX-License-Identifier: Apache-2.0
// Random programs on every engine; the thread interpreter gives the expected result.
//
//   KC_SEED=n the first seed, KC_SEEDS=n how many
//
// A difference names its seed: `kernelc fuzz --seed N --count 1` reduces it.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "driver/engines/engine_list.h"
#include "frontend/frontend.h"
#include "fuzz/random_program.h"
#include "fuzz/reduce.h"
#include "host/cpu_code.h"
#include "host/vulkan_code.h"
#include "tests/property/fuzz_report.h"
#include "tests/property/setting.h"

using namespace kc;
using namespace kc::fuzz;

namespace {

// A barrier before the ipdom reconvergence point deadlocks a warp, as on such machines; few programs contain
// one.
bool may_refuse(std::string_view engine, std::string_view reason, uint64_t times, uint64_t count) {
  return engine == "sim-ipdom" && reason.starts_with("deadlock: ") && times <= 2 + count / 40;
}

// Runs the input of SPIR-V emission on the interpreter.
class PreparedEngine : public Engine {
 public:
  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    prepared_ = {
        .source = program.source,
        .optimised = make_spirv_form(*program.optimised, wave_config({.small_buffers = spec.small_buffers}))};
    return inner_->prepare(prepared_, spec);
  }
  EngineResult launch(KernelArguments& args) override { return inner_->launch(args); }

 private:
  std::unique_ptr<Engine> inner_ = make_passes_engine({});
  Program prepared_;
};
const EngineInfo kPrepared{.name = "prepared",
                           .summary = "thread IR for SPIR-V",
                           .make = [](const EngineOptions&) -> std::unique_ptr<Engine> {
                             return std::make_unique<PreparedEngine>();
                           }};

const EngineInfo* find_route(std::string_view name) {
  return name == kPrepared.name ? &kPrepared : find_engine(name);
}

// No other engine may reject a program.
void compare(const std::vector<std::string_view>& names, uint64_t count,
             const std::vector<std::string>& options) {
  FuzzPlan plan{
      .first = setting("KC_SEED", 0), .count = setting("KC_SEEDS", count), .options = options, .routes = {}};
  for (std::string_view name : names) plan.routes.push_back(find_route(name));
  const FuzzReport report = test::expect_no_difference(plan);
  for (size_t k = 0; k < names.size(); ++k) {
    const FuzzCount& c = report.routes[k];
    INFO(names[k]);
    if (!c.absent) CHECK(c.run > 0);
    for (const auto& [reason, times] : c.skipped)
      if (!may_refuse(names[k], reason, times, plan.count))
        FAIL_CHECK(options.back() << " refused " << times << ": " << reason);
  }
}

}  // namespace

// All engines except the devices of this machine.
TEST_CASE("random programs mean the same on every engine") {
  compare({"passes", "prepared", "wave8", "wave16", "wave32", "wave64", "sim-ipdom", "sim-tf-stack",
           "sim-tf-sandy", "avx2", "avx512", "gfx900"},
          2000, {"-O2"});
}

// Keeps everything with an address in memory.
TEST_CASE("random programs mean the same without optimisation") {
  compare({"passes", "wave32", "sim-tf-stack", "avx2", "gfx900"}, 100, {"-O0"});
}

TEST_CASE("random programs mean the same restructured") {
  compare({"passes", "wave16", "avx2"}, 150, {"--restructure=structurize"});
  compare({"passes", "wave16", "avx2"}, 100, {"--restructure=linearize"});
  compare({"passes", "wave16", "avx2"}, 100, {"--restructure=node-split"});
}

// Melds even where the cost model would not: most states of random machines are too cheap.
TEST_CASE("random programs mean the same when all is melded that can be") {
  compare({"passes", "wave16", "avx512"}, 300, {"-O2", "--meld"});
}

// All accesses are in bounds; bounds_test.cpp has the others.
TEST_CASE("random programs mean the same with their accesses checked") {
  compare({"passes", "prepared", "wave16", "sim-tf-sandy", "avx2", "avx512", "gfx900"}, 250,
          {"-O2", "--check-bounds"});
}

TEST_CASE("every kind of random program is written") {
  std::map<ProgramKind, uint64_t> kinds;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    RandomProgram p = random_program(seed);
    ++kinds[p.kind];
    INFO("seed " << seed);
    CHECK((p.source.find("barrier(") != std::string::npos) == (p.kind == ProgramKind::Groups));
    if (p.kind == ProgramKind::Registers || p.kind == ProgramKind::Memory)
      CHECK(p.source.find("atom") == std::string::npos);
  }
  for (ProgramKind kind :
       {ProgramKind::Registers, ProgramKind::Memory, ProgramKind::Atomics, ProgramKind::Groups})
    CHECK(kinds[kind] >= 20);
}

TEST_CASE("random programs have vectors of all types, unless they are not to") {
  std::string all;
  for (uint64_t seed = 0; seed < 1000; ++seed) all += random_program(seed).source;
  for (const char* number :
       {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"})
    for (const char* lanes : {"2", "3", "4", "8", "16"}) {
      const std::string type = std::string(number) + lanes;
      INFO(type);
      CHECK(all.find(" " + type + " v") != std::string::npos);  // a variable
    }
  for (const char* form : {"as_int2(", "vload4(", "vload_half", "vstore2(", "vstore16(", ".s", ".xy", ".lo",
                           "shuffle2(", "select(", "dot(", "any("})
    CHECK(all.find(form) != std::string::npos);
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string with = random_program(seed).source,
                      without = random_program(seed, {.vectors = false}).source;
    CHECK(without.find("int4") == std::string::npos);
    CHECK((with == without || with.find(".s") != std::string::npos));
  }
}

TEST_CASE("random programs have the idioms of images and text, unless they are not to") {
  std::string all;
  for (uint64_t seed = 0; seed < 2000; ++seed) all += random_program(seed).source;
  for (const char* number : {"uchar", "char", "short", "ushort", "int", "uint"})
    for (const char* form :
         {"* pix, global const {}* src", "* restrict pix, global const {}* restrict src"}) {
      INFO(number << " " << form);
      CHECK(all.find(fmt::format(fmt::runtime(form), number)) != std::string::npos);
    }
  for (const char* form : {"own[1]", "pix[gid * 3 + 2]", "pix[at + 4]", "src[from + 7]", "r_ * items * ",
                           "strip[lid * 3 + 1]", ") % lsz * ", "atomic_inc(&bins[", "tab1[", "[(uchar)(",
                           "t_ > u_ ? u_ : t_", "t_ < 0 ? -t_ : t_", "(d1 + 3) & 15]"}) {
    INFO(form);
    CHECK(all.find(form) != std::string::npos);
  }
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string with = random_program(seed).source,
                      without = random_program(seed, {.images = 0}).source;
    CHECK(without.find("tab0") == std::string::npos);
    CHECK((with == without) == (with.find("tab0") == std::string::npos));
  }
}

// Loads and stores of bytes that lie in steps become shuffles of vectors, which nothing else uses.
TEST_CASE("random programs reach the code for interleaved bytes") {
  uint64_t reached = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    FrontendResult compiled =
        compile_source(random_program(seed, {.images = 100}).source, {.diagnostics = {.silent = true}});
    REQUIRE(compiled.module);
    auto shared = KernelCompiler::start(*compiled.module->functions.back());
    REQUIRE(shared);
    auto compiler = CpuCompiler::create(std::move(*shared), *find_target("avx512"), 32);
    REQUIRE(compiler);
    auto code = compiler->compile(
        compiler->choice().form({.dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1}}), true);
    REQUIRE(code);
    reached += code->machine.text.find("vpshufb") != std::string::npos;
  }
  CHECK(reached >= 10);
}

// Indexing a component by number requires a vector in memory or in a variable, not a call result.
TEST_CASE("random programs compile, whatever components they ask for") {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    INFO("seed " << seed);
    CHECK(compile_source(random_program(seed).source, {.diagnostics = {.silent = true}}).module);
  }
}

TEST_CASE("the reducer takes calls, conversions and components away") {
  CHECK(reduce("int x = max(a + 1, convert_int2((float2)(seed)).s1);\n", [](const std::string& s) {
          return s.find("seed") != std::string::npos;
        }).size() <= std::string_view("int x = (((seed)));\n").size());
}

TEST_CASE("the reducer keeps what is interesting and drops the rest") {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    std::string source = random_program(seed).source;
    bool loops = source.find(" while (") != std::string::npos;
    std::string_view wanted = loops ? " while (" : "goto ";
    std::string small = reduce(source, [&](const std::string& s) {
      return s.find(wanted) != std::string::npos &&
             compile_source(s, {.diagnostics = {.silent = true}}).module;
    });
    INFO(small);
    CHECK(std::count(small.begin(), small.end(), '\n') < 12);
    CHECK(compile_source(small, {}).module);
  }
}
