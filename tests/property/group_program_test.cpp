// SPDX-License-Identifier: Apache-2.0
// Random programs with barriers: what they contain, and that the thread interpreter finds neither a race nor
// a divergent barrier.
//
//   KC_SEED=n the first seed, KC_SEEDS=n how many
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "driver/commands/fuzz_program.h"
#include "fuzz/random_program.h"
#include "ir/process.h"
#include "tests/property/setting.h"

using namespace kc;
using namespace kc::fuzz;

namespace {

// The first words of the statements around each barrier of the kernel, from the outermost one on.
std::vector<std::vector<std::string>> barriers(const std::string& source) {
  std::vector<std::vector<std::string>> found;
  std::vector<std::string> open;
  for (size_t at = 0; at < source.size();) {
    const size_t end = source.find('\n', at);
    const size_t first = std::min(source.find_first_not_of(' ', at), end);
    const std::string line = source.substr(first, end - first);
    at = end + 1;
    if (line.starts_with("}")) open.pop_back();
    if (line.ends_with("{")) open.push_back(line.substr(0, line.find_first_of(" (")));
    if (line.find("barrier(CLK") != std::string::npos) found.push_back(open);
  }
  return found;
}

bool within(const std::vector<std::string>& open, std::string_view word) {
  return std::ranges::find(open, word) != open.end();
}

}  // namespace

TEST_CASE("random programs with barriers neither race nor diverge at a barrier") {
  const uint64_t first = setting("KC_SEED", 0), end = first + setting("KC_SEEDS", 1500);
  const auto interpreter = find_engine("interp")->make({.max_steps = 50'000'000});
  const auto judge = find_engine("interp")->make({.max_steps = 50'000'000, .find_order_dependence = true});
  uint64_t programs = 0;
  for (uint64_t seed = first; seed < end; ++seed) {
    const RandomProgram p = random_program(seed);
    if (p.kind != ProgramKind::Groups) continue;
    ++programs;
    INFO("seed " << seed);
    auto input = compile_random(p.source, p.launch);
    REQUIRE(input.has_value());
    REQUIRE(interpreter->prepare((*input)->program, (*input)->spec).status == EngineStatus::Ok);
    KernelArguments args = (*input)->inputs;
    const EngineResult once = interpreter->launch(args);
    INFO(once.message);
    CHECK((once.status == EngineStatus::Ok || once.status == EngineStatus::Trapped));
    CHECK_FALSE(once.divergent_barrier);
    CHECK(once.warnings.empty());
    REQUIRE(judge->prepare((*input)->program, (*input)->spec).status == EngineStatus::Ok);
    args = (*input)->inputs;
    const EngineResult r = judge->launch(args);
    if (r.order_dependence)
      FAIL_CHECK("lines " << r.order_dependence->first.first.line << " and "
                          << r.order_dependence->first.second.line << " race");
  }
  CHECK(programs > (end - first) / 8);
}

TEST_CASE("random programs have barriers in loops and branches, and arrays of all elements") {
  constexpr uint64_t kSeeds = 3000;
  std::map<std::string, uint64_t> seen;
  uint64_t programs = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomProgram p = random_program(seed);
    if (p.kind != ProgramKind::Groups) continue;
    ++programs;
    std::set<std::string> has;
    for (const auto& around : barriers(p.source)) {
      for (const char* word : {"for", "do", "if", "switch"})
        if (within(around, word)) has.insert(std::string("barrier in ") + word);
      if (within(around, "}")) has.insert("barrier in else");
      if (std::ranges::count_if(around, [](const std::string& w) { return w == "for" || w == "do"; }) > 1)
        has.insert("barrier in loops in a loop");
    }
    for (const char* number :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double"}) {
      if (p.source.find(std::string("local ") + number + " tile") != std::string::npos) has.insert(number);
      for (const char* lanes : {"2", "4"})
        if (p.source.find(std::string("local ") + number + lanes + " tile") != std::string::npos)
          has.insert("vectors");
    }
    if (p.source.find("local struct ") != std::string::npos) has.insert("structs");
    for (const char* form : {"tile2[", "turns[2]", "turn(local ", "again;", "m_ >>= 1", "before_;",
                             "if (lid == 0) words[", "atomic_max(&words[", "catch (...)",
                             "% lsz] =", "lsz - 1 - lid] ", "atomic_xor(&tile", "strip[(lid + "})
      if (p.source.find(form) != std::string::npos) has.insert(form);
    for (const char* name : {"add", "sub", "inc", "dec", "min", "max", "and", "or", "xor"})
      if (p.source.find(fmt::format("atom_{}(&tile", name)) != std::string::npos) has.insert("wide counters");
    const std::string& local = p.launch[3];
    if (local.find(',') != std::string::npos) has.insert("2-D groups");
    if (local == "128" || local == "192" || local == "256" || local == "16,8") has.insert("several waves");
    if (p.launch[1] != local) has.insert("several groups");
    if (p.source.find("reqd_work_group_size") != std::string::npos) has.insert("named sizes");
    for (const std::string& what : has) ++seen[what];
  }
  CHECK(programs > kSeeds / 7);
  CHECK(programs < kSeeds / 5);
  for (const char* what : {"barrier in for",
                           "barrier in do",
                           "barrier in if",
                           "barrier in else",
                           "barrier in switch",
                           "barrier in loops in a loop",
                           "char",
                           "uchar",
                           "short",
                           "ushort",
                           "int",
                           "uint",
                           "long",
                           "ulong",
                           "float",
                           "double",
                           "vectors",
                           "structs",
                           "tile2[",
                           "turns[2]",
                           "turn(local ",
                           "again;",
                           "m_ >>= 1",
                           "before_;",
                           "if (lid == 0) words[",
                           "atomic_max(&words[",
                           "catch (...)",
                           "% lsz] =",
                           "lsz - 1 - lid] ",
                           "atomic_xor(&tile",
                           "strip[(lid + ",
                           "2-D groups",
                           "wide counters",
                           "several waves",
                           "several groups",
                           "named sizes"}) {
    INFO(what << ": " << seen[what] << " of " << programs);
    CHECK(seen[what] >= 5);
  }
}

TEST_CASE("loops over waves compute nothing for lanes before a block's mask is known") {
  auto source = read_file(std::string(KC_SOURCE_DIR) + "/tests/property/mask_of_catch.cl");
  REQUIRE(source);
  auto input = compile_random(
      *source, {"--global", "32,4", "--local", "8,4", "--arg", "out=i64[2048]", "--arg", "real=f64[512]",
                "--arg", "in=i32[64]:rand(1)", "--arg", "n=45", "--arg", "x=1.75", "--arg",
                "tally=i32[16]:rand(2)", "--arg", "wide=i64[16]:rand(3)", "-O2"});
  REQUIRE(input);
  for (const char* name : {"avx2", "avx512"}) {
    const auto engine = find_engine(name)->make({.threads = 1});
    const EngineResult r = engine->prepare((*input)->program, (*input)->spec);
    INFO(name << ": " << r.message);
    CHECK((r.status == EngineStatus::Ok || r.status == EngineStatus::Absent));
  }
}
