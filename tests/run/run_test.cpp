// SPDX-License-Identifier: Apache-2.0
// Every program of this folder on every engine of this machine, against the values written above it.
//
//   test_run [-v] [-O0] [-f...] [--restructure=SCHEME] [--meld] [--assemble] [--emulate]
//            [--engine NAME]... [NAME]...
//
// NAME is a chapter, or chapter/program.
//
// With --assemble LLVM makes a code object for the gfx900 emulator, which otherwise reads the assembly
// itself; with --emulate AVX2 and AVX-512 code runs in its emulator, too. An engine may reject a program
// ("unsupported"); coverage.txt lists all rejections, and a new one is a failure.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <regex>
#include <set>

#include "tests/run/program.h"

namespace {

using namespace kc;
using namespace kc::test;

const std::string kFolder = KC_SOURCE_DIR "/tests/run";
constexpr uint64_t kMaxSteps = 20'000'000;

struct Column {
  const EngineInfo* info = nullptr;
  std::unique_ptr<Engine> engine;
  std::string absent, note;
  std::map<std::string, size_t> passed;  // by chapter
  std::map<std::string, std::string> refused;
  double ms = 0;

  size_t width() const { return std::max<size_t>(8, info->name.size() + 2); }
  std::string cell(size_t n) const {
    return fmt::format("{:>{}}", absent.empty() ? std::to_string(n) : "-", width());
  }
};

// The program that a crash in machine code reports. The handler may only write.
char g_current[256];
void on_crash(int signal) {
  const char* text = "\ncrashed in ";
  if (write(2, text, std::strlen(text)) < 0 || write(2, g_current, std::strlen(g_current)) < 0) _exit(3);
  _exit(128 + signal);
}

struct Arguments {
  bool verbose = false, assemble = false, emulate = false;
  std::vector<std::string> options;  // of every program's compilation
  std::set<std::string> engines, names;
};

class Runner {
 public:
  Runner(std::vector<RunProgram> programs, const Arguments& arguments)
      : programs_(std::move(programs)), arguments_(arguments) {
    for (const EngineInfo& info : engines()) {
      bool named = arguments.engines.contains(std::string(info.name));
      if (arguments.engines.empty() ? !info.in_check : !named) continue;
      Column c{.info = &info};
      c.engine = info.make({.width = info.width,
                            .threads = 1,
                            .max_steps = kMaxSteps,
                            .emulate = arguments.emulate,
                            .assembly_text = !arguments.assemble});
      columns_.push_back(std::move(c));
    }
  }

  int run() {
    for (const RunProgram& p : programs_)
      if (wanted(p)) one(p);
    bool whole = arguments_.engines.empty() && arguments_.names.empty() && arguments_.options.empty() &&
                 !arguments_.emulate;
    if (whole) compare_coverage();
    report();
    return failures_ ? 1 : 0;
  }

 private:
  bool wanted(const RunProgram& p) const {
    return arguments_.names.empty() || arguments_.names.contains(p.chapter) ||
           arguments_.names.contains(p.full_name());
  }

  void fail(const RunProgram& p, std::string_view engine, std::string_view message) {
    ++failures_;
    fmt::print("FAILED {} on {} ({}:{}): {}\n", p.full_name(), engine, p.file, p.line, message);
  }

  void one(const RunProgram& p) {
    ++counts_[p.chapter];
    auto compiled = compile_program(p, arguments_.options);
    if (!compiled) return fail(p, "front end", compiled.error());
    auto want = expected_buffers(p, **compiled);
    if (!want) return fail(p, "expectations", want.error());
    for (Column& c : columns_) {
      if (!c.absent.empty() || (c.info->name == "opencl" && p.not_for.contains("opencl"))) continue;
      std::snprintf(g_current, sizeof g_current, "%s on %s\n", p.full_name().c_str(),
                    std::string(c.info->name).c_str());
      if (arguments_.verbose) fmt::print("{}", g_current), std::fflush(stdout);
      double start = now_ms();
      run_on(c, p, **compiled, *want);
      c.ms += now_ms() - start;
    }
  }

  void run_on(Column& c, const RunProgram& p, const CompiledProgram& program, const KernelArguments& want) {
    KernelArguments args = program.inputs;
    EngineResult r = c.engine->prepare(program.program, program.spec);
    if (r.status == EngineStatus::Ok) {
      c.note = r.message;
      r = c.engine->launch(args);
    }
    if (r.status == EngineStatus::Absent) {
      c.absent = r.message;
    } else if (r.status == EngineStatus::Unsupported) {
      // Without the location, which changes whenever a program is added.
      static const std::regex place(R"( at line \d+|^\d+:\d+: | \(line \d+, block [^)]*\))");
      c.refused[p.full_name()] = std::regex_replace(r.message.substr(0, r.message.find('\n')), place, "");
    } else if (r.status == EngineStatus::Failed) {
      fail(p, c.info->name, r.message);
    } else if (std::string d = compare_trap(p, r.trap); !d.empty()) {
      fail(p, c.info->name, d);
    } else if (d = compare_buffers(want, args); !d.empty()) {
      fail(p, c.info->name, d);
    } else if (d = compare_text(p, r.printed.text); !d.empty() && c.info->name != "opencl") {
      fail(p, c.info->name, d);
    } else {
      ++c.passed[p.chapter];
    }
  }

  std::string table() const {
    std::string s = fmt::format("{:<16}{:>9}", "chapter", "programs");
    for (const Column& c : columns_) s += fmt::format("{:>{}}", c.info->name, c.width());
    s += "\n";
    size_t all = 0;
    std::vector<size_t> sums(columns_.size());
    for (const auto& [chapter, count] : counts_) {
      s += fmt::format("{:<16}{:>9}", chapter, count);
      all += count;
      for (size_t k = 0; k < columns_.size(); ++k) {
        auto found = columns_[k].passed.find(chapter);
        size_t n = found == columns_[k].passed.end() ? 0 : found->second;
        sums[k] += n;
        s += columns_[k].cell(n);
      }
      s += "\n";
    }
    s += fmt::format("{:<16}{:>9}", "all", all);
    for (size_t k = 0; k < columns_.size(); ++k) s += columns_[k].cell(sums[k]);
    return s + "\n";
  }

  // The recorded rejections, "engine chapter/program: reason", after the table.
  void compare_coverage() {
    std::string path = kFolder + "/coverage.txt";
    std::set<std::string> recorded;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("refused ")) recorded.insert(line.substr(8, line.find(':') - 8));
    bool bless = std::getenv("KC_BLESS") != nullptr, all_here = true;
    std::string refusals;
    for (const Column& c : columns_) {
      all_here = all_here && c.absent.empty();
      for (const auto& [program, reason] : c.refused) {
        std::string key = fmt::format("{} {}", c.info->name, program);
        refusals += fmt::format("refused {}: {}\n", key, reason);
        if (bless || recorded.erase(key)) continue;
        ++failures_;
        fmt::print("FAILED: {} refuses a program that it is not known to refuse: {}\n", key, reason);
      }
      if (!c.absent.empty())
        std::erase_if(recorded,
                      [&](const std::string& s) { return s.starts_with(std::string(c.info->name) + " "); });
    }
    if (bless && all_here) {
      std::ofstream(path)
          << "# Programs that passed on each engine, and those that an engine refused. KC_BLESS=1 test_run "
             "writes this file.\n"
          << table() << refusals;
      return;
    }
    if (bless) fmt::print("not blessed: an engine is absent\n");
    for (const std::string& key : recorded)
      fmt::print("note: {} is no longer refused: bless coverage.txt\n", key);
  }

  void report() const {
    fmt::print("{}", table());
    for (const Column& c : columns_)
      if (!arguments_.engines.empty())
        for (const auto& [program, reason] : c.refused)
          fmt::print("{} refuses {}: {}\n", c.info->name, program, reason);
    for (const Column& c : columns_) {
      if (!c.absent.empty())
        fmt::print("skipped {}: {}\n", c.info->name, c.absent);
      else
        fmt::print("{}: {} refused, {:.0f} ms{}{}\n", c.info->name, c.refused.size(), c.ms,
                   c.note.empty() ? "" : ", ", c.note);
    }
    fmt::print("{}\n", failures_ ? fmt::format("{} failures", failures_) : "all programs passed");
  }

  std::vector<RunProgram> programs_;
  const Arguments& arguments_;
  std::vector<Column> columns_;
  std::map<std::string, size_t> counts_;
  size_t failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "-v") {
      arguments.verbose = true;
    } else if (a == "--assemble") {
      arguments.assemble = true;
    } else if (a == "--emulate") {
      arguments.emulate = true;
    } else if (a.starts_with("-O") || a.starts_with("-f") || a.starts_with("--restructure=") ||
               a == "--meld") {
      arguments.options.push_back(a);
    } else if (a == "--engine" && i + 1 < argc && find_engine(argv[i + 1])) {
      arguments.engines.insert(argv[++i]);
    } else if (!a.starts_with("-")) {
      arguments.names.insert(a);
    } else {
      fmt::print(
          stderr,
          "usage: test_run [-v] [-O0] [-f...] [--restructure=SCHEME] [--meld] [--assemble] [--emulate] "
          "[--engine NAME]... "
          "[CHAPTER[/PROGRAM]]...\n");
      return 2;
    }
  }
  for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(s, &on_crash);
  auto programs = read_programs(kFolder);
  if (!programs) {
    fmt::print("FAILED: {}\n", programs.error());
    return 1;
  }
  return Runner(std::move(*programs), arguments).run();
}
