// SPDX-License-Identifier: Apache-2.0
// Random programs on every engine: the thread interpreter says what they do.
//
//   KC_SEED=n the first seed, KC_SEEDS=n how many
//
// A difference names its seed: `kernelc fuzz --seed N --count 1` makes it small.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "driver/fuzz_program.h"
#include "frontend/frontend.h"
#include "fuzz/random_program.h"
#include "fuzz/reduce.h"

using namespace kc;
using namespace kc::fuzz;

namespace {

uint64_t setting(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : usual;
}

// Of all engines but the devices of this machine.
std::vector<const EngineInfo*> routes(const std::vector<std::string_view>& names) {
  std::vector<const EngineInfo*> found;
  for (std::string_view name : names) found.push_back(find_engine(name));
  return found;
}

// Runs every `step`th program; prints what engines refused, and wants each to have run some.
void compare(const std::vector<const EngineInfo*>& infos, uint64_t count, uint64_t step, const char* option) {
  std::vector<std::map<std::string, uint64_t>> refused(infos.size());
  std::vector<uint64_t> ran(infos.size()), absent(infos.size());
  FuzzRoutes engines(infos);
  uint64_t first = setting("KC_SEED", 0);
  for (uint64_t seed = first; seed < first + setting("KC_SEEDS", count); seed += step) {
    RandomProgram p = random_program(seed);
    p.launch.emplace_back(option);
    FuzzOutcome o = engines.run(p.source, p.launch);
    if (!o.fault.empty()) FAIL_CHECK("seed " << seed << ": the program itself: " << o.fault);
    for (size_t k = 0; k < o.routes.size(); ++k) {
      const FuzzResult& r = o.routes[k];
      if (r.verdict == FuzzVerdict::Differs)
        FAIL_CHECK("seed " << seed << " " << option << ": " << infos[k]->name << ": " << r.note);
      if (r.verdict == FuzzVerdict::Skipped) ++refused[k][r.note];
      if (r.verdict == FuzzVerdict::Absent) ++absent[k];
      if (r.verdict == FuzzVerdict::Agrees) ++ran[k];
    }
  }
  for (size_t k = 0; k < infos.size(); ++k) {
    if (absent[k]) continue;
    INFO(infos[k]->name);
    CHECK(ran[k] > 0);
    for (const auto& [reason, times] : refused[k])
      WARN(option << " " << infos[k]->name << " ran " << ran[k] << ", refused " << times << ": " << reason);
  }
}

}  // namespace

TEST_CASE("random programs mean the same on every engine") {
  compare(routes({"passes", "wave8", "wave16", "wave32", "wave64", "avx2", "avx512", "gfx900"}), 2000, 1,
          "-O2");
}

// Everything with an address stays in memory then, which gfx900 does not have.
TEST_CASE("random programs mean the same without optimisation") {
  compare(routes({"passes", "wave32", "avx2"}), 400, 4, "-O0");
}

TEST_CASE("random programs mean the same with one copy of each function") {
  compare(routes({"interp", "passes", "wave16", "wave64", "avx2", "gfx900"}), 1000, 3, "-finline-budget=0");
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
