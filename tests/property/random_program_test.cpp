// SPDX-License-Identifier: Apache-2.0
// Random programs on every engine: the thread interpreter says what they do.
//
//   KC_SEED=n the first seed, KC_SEEDS=n how many, KC_REDUCE=1 drops what a difference does not need
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

#include "fuzz/random_program.h"
#include "fuzz/reduce.h"
#include "tests/run/program.h"

using namespace kc;
using namespace kc::fuzz;
using namespace kc::test;

namespace {

constexpr uint64_t kMaxSteps = 50'000'000;

uint64_t setting(const char* name, uint64_t usual) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : usual;
}

std::string trap_text(const std::optional<TrapReport>& t) {
  if (!t) return "no trap";
  return fmt::format("trap {} value {:#x} at {},{},{} count {} line {}", t->site.type, t->value,
                     t->global_id[0], t->global_id[1], t->global_id[2], t->count, t->site.loc.line);
}

struct Counts {
  std::map<std::string, std::map<std::string, uint64_t>> refused;  // engine, reason
  std::map<std::string, uint64_t> ran;
};

struct Outcome {
  std::string problem;    // empty: all engines agree
  bool unusable = false;  // the program itself is at fault
};

Outcome try_engines(const CompiledProgram& c, const std::set<std::string_view>& names, Counts& counts) {
  KernelArguments want;
  std::string trap;
  for (const EngineInfo& info : engines()) {
    if (!names.contains(info.name)) continue;
    // Compiling large programs with internal checks takes seconds.
    bool machine = info.name == "avx2" || info.name == "avx512";
    if (machine && c.program.optimised->inst_count() > setting("KC_LARGEST", 1500)) continue;
    auto engine =
        info.make({.width = info.width, .threads = 1, .max_steps = kMaxSteps, .assembly_text = true});
    KernelArguments args = c.inputs;
    EngineResult r = engine->prepare(c.program, c.spec);
    if (r.status == EngineStatus::Ok) r = engine->launch(args);
    std::string name(info.name);
    if (r.status == EngineStatus::Absent) continue;
    if (r.status == EngineStatus::Unsupported) {
      ++counts.refused[name][r.message.substr(0, r.message.find(" at line"))];
      continue;
    }
    ++counts.ran[name];
    if (name == "interp") {
      if (r.status == EngineStatus::Failed) return {"interp: " + r.message, true};
      if (!r.warnings.empty()) return {"interp: " + r.warnings[0].message, true};
      want = args;
      trap = trap_text(r.trap);
      continue;
    }
    if (r.status == EngineStatus::Failed) return {name + " failed: " + r.message};
    if (trap_text(r.trap) != trap) return {fmt::format("{}: {}, expected {}", name, trap_text(r.trap), trap)};
    if (std::string d = compare_buffers(want, args); !d.empty()) return {name + ": " + d};
  }
  return {};
}

Outcome check_source(const std::string& source, uint64_t seed, Counts& counts) {
  RunProgram p{.chapter = "random", .name = "k", .file = "random.cl", .source = source};
  p.launch = random_launch(seed);
  p.launch.emplace_back("-w");
  auto compiled = compile_program(p, {});
  if (!compiled) return {compiled.error(), true};
  Outcome o = try_engines(
      **compiled, {"interp", "passes", "wave8", "wave16", "wave32", "wave64", "avx2", "avx512", "gfx900"},
      counts);
  if (!o.problem.empty() || seed % 4) return o;
  auto plain = compile_program(p, {"-O0"});
  if (!plain) return {plain.error(), true};
  o = try_engines(**plain, {"interp", "passes", "wave32", "avx2", "gfx900"}, counts);
  if (!o.problem.empty()) o.problem = "-O0 " + o.problem;
  return o;
}

// In a process of its own, so that crashes and hangs are differences, too.
bool differs(const std::string& source, uint64_t seed) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    Counts counts;
    Outcome o = check_source(source, seed, counts);
    _exit(!o.problem.empty() && !o.unusable ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) == 1;
}

}  // namespace

TEST_CASE("random programs mean the same on every engine") {
  Counts counts;
  uint64_t first = setting("KC_SEED", 0), n = setting("KC_SEEDS", 150);
  for (uint64_t seed = first; seed < first + n; ++seed) {
    INFO("seed " << seed);
    std::string source = random_program(seed);
    Outcome o = check_source(source, seed, counts);
    if (o.problem.empty()) continue;
    bool small = !o.unusable && std::getenv("KC_REDUCE");
    FAIL_CHECK(o.problem << "\n"
                         << (small ? reduce(source, [&](const std::string& s) { return differs(s, seed); })
                                   : source));
  }
  for (const auto& [engine, ran] : counts.ran) CHECK(ran > 0);
  for (const auto& [engine, reasons] : counts.refused)
    for (const auto& [reason, times] : reasons) WARN(engine << " refused " << times << ": " << reason);
}

TEST_CASE("the reducer keeps what is interesting and drops the rest") {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    std::string source = random_program(seed);
    std::string small = reduce(source, [&](const std::string& s) {
      return s.find(" while (") != std::string::npos &&
             compile_source(s, {.diagnostics = {.silent = true}}).module;
    });
    INFO(small);
    CHECK(std::count(small.begin(), small.end(), '\n') < 30);
    CHECK(compile_source(small, {}).module);
  }
}
