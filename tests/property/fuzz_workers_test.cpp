// SPDX-License-Identifier: Apache-2.0
// `kernelc fuzz` with engines that are wrong, crash or hang on purpose.
#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <set>
#include <utility>

#include "driver/commands/fuzz.h"
#include "fuzz/random_program.h"
#include "fuzz/reduce.h"
#include "ir/process.h"

using namespace kc;

namespace {

// Runs another engine, and misbehaves if the source contains a certain word.
class Saboteur : public Engine {
 public:
  enum Mischief { Wrong, Crash, Hang, Refuse };
  Saboteur(Mischief mischief, std::string word, const char* inner = "interp")
      : mischief_(mischief), word_(std::move(word)), inner_(find_engine(inner)->make({})) {}

  std::optional<SubGroups> sub_groups() const override { return inner_->sub_groups(); }

  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    active_ = program.text.source.find(word_) != std::string::npos;
    if (active_ && mischief_ == Refuse)
      return {.status = EngineStatus::Unsupported, .message = "a word at line 12"};
    return inner_->prepare(program, spec);
  }
  EngineResult launch(KernelArguments& args) override {
    EngineResult r = inner_->launch(args);
    if (!active_) return r;
    if (mischief_ == Crash) std::raise(SIGKILL);
    volatile bool hang = mischief_ == Hang;
    while (hang) continue;
    args.buffers[0].bytes.data()[0] ^= 1;
    return r;
  }

 private:
  Mischief mischief_;
  std::string word_;
  std::unique_ptr<Engine> inner_;
  bool active_ = false;
};

template <Saboteur::Mischief mischief>
std::unique_ptr<Engine> saboteur(const EngineOptions&) {
  return std::make_unique<Saboteur>(mischief, mischief == Saboteur::Hang ? "switch (" : "goto ");
}
std::unique_ptr<Engine> saboteur_of_barriers(const EngineOptions&) {
  return std::make_unique<Saboteur>(Saboteur::Wrong, "barrier(");
}
std::unique_ptr<Engine> saboteur_of_waves(const EngineOptions&) {
  return std::make_unique<Saboteur>(Saboteur::Wrong, "goto ", "wave8");
}

template <Saboteur::Mischief mischief>
EngineInfo info() {
  return {.name = "saboteur", .summary = "", .make = &saboteur<mischief>};
}

// What the launches of all programs said of their buffers: that they are small, that they do not overlap.
std::set<std::pair<bool, bool>> said_of_buffers;

class Listener : public Engine {
 public:
  EngineResult prepare(const Program&, const LaunchSpec& spec) override {
    said_of_buffers.emplace(spec.small_buffers, spec.disjoint_buffers);
    return {.status = EngineStatus::Unsupported, .message = "it only listens"};
  }
  EngineResult launch(KernelArguments&) override { return {.status = EngineStatus::Failed}; }
};
std::unique_ptr<Engine> listener(const EngineOptions&) { return std::make_unique<Listener>(); }

std::vector<uint64_t> seeds_with(const char* word, uint64_t first, uint64_t count) {
  std::vector<uint64_t> seeds;
  for (uint64_t seed = first; seed < first + count; ++seed)
    if (fuzz::random_program(seed).source.find(word) != std::string::npos) seeds.push_back(seed);
  return seeds;
}

std::vector<uint64_t> found(const FuzzReport& report) {
  std::vector<uint64_t> seeds;
  for (const FuzzFinding& f : report.findings) seeds.push_back(f.seed);
  return seeds;
}

}  // namespace

TEST_CASE("a wrong engine is found at every seed, and the program made small") {
  EngineInfo wrong = info<Saboteur::Wrong>();
  FuzzPlan plan{.first = 5, .count = 20, .jobs = 2, .options = {}, .routes = {find_engine("passes"), &wrong}};
  FuzzReport report = run_fuzz(plan);
  CHECK(report.programs == 20);
  REQUIRE(!report.findings.empty());
  CHECK(found(report) == seeds_with("goto ", 5, 20));
  CHECK(report.routes[0].different == 0);
  CHECK(report.routes[1].different == report.findings.size());
  CHECK(report.routes[1].run == 20);
  const FuzzFinding& f = report.findings[0];
  CHECK(f.route == 1);
  CHECK(f.what.starts_with("out[0] is "));
  CHECK_FALSE(f.died);
  std::string source = fuzz::random_program(f.seed).source;
  std::string small = fuzz::reduce(source, [&](const std::string& s) { return shows_again(f, plan, s); });
  INFO(small);
  CHECK(std::count(small.begin(), small.end(), '\n') < 10);
  CHECK(small.find("goto ") != std::string::npos);
}

// Forms of code differ by it.
TEST_CASE("programs run with buffers that are small or large, apart or not") {
  const EngineInfo info{.name = "listener", .summary = "", .make = &listener};
  FuzzRoutes routes({&info}, false);
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const fuzz::RandomProgram p = fuzz::random_program(seed);
    CHECK(routes.run(p.source, p.launch).fault == "");
  }
  CHECK(said_of_buffers == std::set<std::pair<bool, bool>>{{true, true}, {true, false}, {false, true}});
}

TEST_CASE("what differs becomes a file that says how to see it") {
  EngineInfo wrong = info<Saboteur::Wrong>();
  uint64_t seed = seeds_with("goto ", 0, 100).at(0);
  TempDir folder;
  REQUIRE(folder.valid());
  Options options;
  options.output_dir = folder.file("");
  FuzzPlan plan{.first = seed, .count = 1, .options = {"-O1"}, .routes = {&wrong}};
  CHECK(fuzz_and_report(options, plan) == ExitMismatch);
  auto text = read_file(folder.file("fuzz-" + std::to_string(seed) + ".cl"));
  REQUIRE(text);
  INFO(*text);
  CHECK(text->starts_with("// kernelc fuzz --seed " + std::to_string(seed) + ": saboteur: out[0] is "));
  std::string command = "//   kernelc check fuzz-" + std::to_string(seed) + ".cl --global ";
  CHECK(text->find(command) != std::string::npos);
  CHECK(text->find(" -O1 -w --routes saboteur\n") != std::string::npos);
  CHECK(text->find("goto ") != std::string::npos);
  CHECK(compile_random(*text, fuzz::random_program(seed).launch));
  plan.routes = {find_engine("passes")};
  CHECK(fuzz_and_report(options, plan) == ExitOk);
}

TEST_CASE("a crash takes one program with it, and its seed is known") {
  EngineInfo crash = info<Saboteur::Crash>();
  FuzzPlan plan{.first = 5, .count = 20, .jobs = 1, .options = {}, .routes = {&crash}};
  FuzzReport report = run_fuzz(plan);
  CHECK(report.programs == 20);
  CHECK(found(report) == seeds_with("goto ", 5, 20));
  CHECK(report.routes[0].run == 20);
  const FuzzFinding& f = report.findings[0];
  CHECK(f.died);
  CHECK(f.what == "killed by signal 9 (Killed)");
  CHECK(shows_again(f, plan, fuzz::random_program(f.seed).source));
  CHECK_FALSE(shows_again(f, plan, "kernel void k(global long* out) { out[0] = 1; }"));
}

TEST_CASE("a program that hangs is stopped") {
  EngineInfo hang = info<Saboteur::Hang>();
  uint64_t first = seeds_with("switch (", 0, 100).at(0);
  FuzzPlan plan{.first = first, .count = 1, .jobs = 1, .options = {}, .routes = {&hang}, .seconds = 1};
  FuzzReport report = run_fuzz(plan);
  REQUIRE(found(report) == std::vector{first});
  CHECK(report.findings[0].what == "no end in sight");
  CHECK(report.findings[0].hung);
}

TEST_CASE("what an engine refuses is counted by reason, without places") {
  EngineInfo refuse = info<Saboteur::Refuse>();
  FuzzPlan plan{.first = 5, .count = 20, .jobs = 2, .options = {}, .routes = {&refuse}};
  FuzzReport report = run_fuzz(plan);
  CHECK(report.findings.empty());
  CHECK(report.routes[0].skipped ==
        std::map<std::string, uint64_t>{{"a word", seeds_with("goto ", 5, 20).size()}});
}

TEST_CASE("a program with barriers is reduced without races and divergent barriers") {
  const EngineInfo wrong{.name = "saboteur", .summary = "", .make = &saboteur_of_barriers};
  uint64_t seed = 0;
  for (fuzz::RandomProgram p;; ++seed) {
    p = fuzz::random_program(seed);
    if (p.kind == fuzz::ProgramKind::Groups && p.launch[1] == "48" && p.launch[3] == "16" &&
        p.source.find(" pix,") == std::string::npos)
      break;
  }
  const FuzzPlan plan{.first = seed, .count = 1, .jobs = 1, .options = {"-O2"}, .routes = {&wrong}};
  const FuzzReport report = run_fuzz(plan);
  REQUIRE(found(report) == std::vector{seed});
  auto shows = [&](const std::string& body) {
    return shows_again(report.findings[0], plan,
                       "kernel void k(global long* out, global double* real, global const int* in, int n, "
                       "float x, global int* tally, global long* wide) {\n"
                       "    local int t[16];\n    int i = get_local_id(0), g = get_group_id(0);\n" +
                           body + "    out[get_global_id(0)] = t[15 - i];\n}\n");
  };
  const std::string wait = "barrier(CLK_LOCAL_MEM_FENCE);\n";
  CHECK(shows("    t[i] = i; " + wait));
  CHECK_FALSE(shows("    t[i] = i; " + wait + "    t[i] = 3;\n"));
  CHECK_FALSE(shows("    t[i] = i; " + wait + "    if (i < 3) " + wait + "    " + wait));
  // The trap of the first work-item is what is reported.
  const std::string end = "    if (g == 0) throw 1;\n    t[i] = i; " + wait;
  CHECK(shows(end));
  CHECK_FALSE(shows(end + "    if (i < 3) " + wait + "    " + wait));

  const std::string small = fuzz::reduce(
      fuzz::random_program(seed).source,
      [&](const std::string& s) {
        return s.find("% lsz]") != std::string::npos && shows_again(report.findings[0], plan, s);
      },
      3000);
  INFO(small);
  CHECK(std::count(small.begin(), small.end(), '\n') < 20);
  std::vector<std::string> options = fuzz::random_program(seed).launch;
  auto input = compile_random(small, options);
  REQUIRE(input);
  auto judge = find_engine("interp")->make({.find_order_dependence = true});
  REQUIRE(judge->prepare((*input)->program, (*input)->spec).status == EngineStatus::Ok);
  KernelArguments args = (*input)->inputs;
  CHECK_FALSE(judge->launch(args).order_dependence);
}

// The result of others depends on the order of sub-groups, so whatever they show is no defect.
TEST_CASE("programs whose work-items share elements are no smaller forms of a structured program") {
  const EngineInfo wrong{.name = "saboteur", .summary = "", .make = &saboteur_of_waves, .width = 8};
  const FuzzPlan plan{.options = {}, .routes = {&wrong}, .style = FuzzStyle::Structured};
  const FuzzFinding found{.seed = 1, .route = 0, .what = {}};
  const std::string source = fuzz::random_structured(1).source;
  auto body = [&](const std::string& lines) {
    return "kernel void k(global ulong* out, global const uint* in, uint n) {\n" + lines +
           "goto end;\nend:\nmine[0] += 1;\n}\n";
  };
  auto line_with = [&](const char* word) {
    const size_t from = source.rfind('\n', source.find(word)) + 1;
    return source.substr(from, source.find('\n', from) + 1 - from);
  };
  const std::string numbers = line_with("get_global_id(0)"), elements = line_with("out + gid * 4");
  CHECK(shows_again(found, plan, body(numbers + elements)));
  for (const char* shared : {"gid", "0"}) {
    std::string changed = elements;
    changed.replace(changed.find("gid * 4"), 7, shared);
    CHECK_FALSE(shows_again(found, plan, body(numbers + changed)));
  }
}
