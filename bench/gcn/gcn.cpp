// SPDX-License-Identifier: Apache-2.0
// Our code for gfx900 beside that of clang-19, both executed by our emulator on the same data: instructions
// that waves issue, by kind. Contraction and division are the same on both sides, so results must be the same
// bits, but where a kernel takes exp, sin, log or rsqrt from a library.
//
//   bench_gcn ROOT [--strict] [--listing] [--only NAME] [--data DIR]
//
// Status 6 when a result differs from that of the other compiler or from the interpreter, 0 otherwise;
// without clang-19 there is only our half of the table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "driver/compare.h"
#include "gcn/sides.h"
#include "gcn/suite.h"
#include "papers/data.h"
#include "papers/suite.h"

namespace kc::bench {
namespace {

const std::vector<std::string> kSameArithmetic{"-cl-fp32-correctly-rounded-divide-sqrt", "-ffp-contract=on"};

struct Settings {
  std::string root, data, only;
  bool strict = false, listing = false;
};

// Ratios of one kind, for their geometric mean.
struct Mean {
  double sum = 0;
  int count = 0;
  void add(double ratio) { sum += std::log(ratio), ++count; }
  std::string text() const { return count ? fmt::format("{:.3f} of {}", std::exp(sum / count), count) : "-"; }
};

// Lines of words, numbers and strings with a few mistakes, the same every time.
std::string scanner_text() {
  constexpr std::string_view kPieces[] = {"word ",         "x1,",   "12 ",   "3.25;",
                                          "\"a string\" ", "name ", "4711,", "# "};
  std::string text;
  uint64_t state = 1;
  for (int line = 0; line < 512; ++line) {
    std::string s;
    while (s.size() < 64) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      s += kPieces[(state >> 33) % std::size(kPieces)];
    }
    text += s.substr(0, 64);
  }
  return text;
}

std::expected<Session, DriverError> open(const Settings& settings, const GcnCase& c) {
  std::vector<std::string> line{"run", fmt::format("{}/{}", settings.root, c.file)};
  std::istringstream words{std::string(c.arguments)};
  for (std::string word; words >> word;) {
    if (size_t at = word.find("@DATA/"); at != std::string::npos) word.replace(at + 1, 4, settings.data);
    line.push_back(word);
  }
  CommandLine parsed = parse_command_line(line);
  if (!parsed.options) return std::unexpected(DriverError{ExitUsage, parsed.text});
  return open_session(*parsed.options);
}

bool same(const KernelArguments& a, const KernelArguments& b) {
  return compare_buffers(a, b, 0).first.empty();
}

void print_side(std::string_view name, std::string_view who, const Side& s) {
  const GcnCounters& c = s.counters;
  fmt::print("{:<16}{:<9}{:>9}{:>9}{:>9}{:>6}{:>8}{:>8}{:>8}{:>8}{:>6.1f}{:>9}{:>5}{:>5}{:>4}{:>9.0f}", name,
             who, c.instructions(), c.insts_valu, c.insts_salu, c.insts_smem, c.insts_vmem, c.insts_lds,
             c.insts_branch, c.insts_other, 100 * c.valu_utilization(), c.vmem_lines, s.vgprs, s.sgprs,
             s.occupancy.waves, s.cycles);
}

class Table {
 public:
  explicit Table(const Settings& settings) : settings_(settings) {
    fmt::print("{:<16}{:<9}{:>9}{:>9}{:>9}{:>6}{:>8}{:>8}{:>8}{:>8}{:>6}{:>9}{:>5}{:>5}{:>4}{:>9}  {}\n",
               "kernel", "", "total", "valu", "salu", "smem", "vmem", "lds", "branch", "other", "util%",
               "lines", "vgpr", "sgpr", "occ", "cycles*", "ratio");
  }

  void row(const GcnCase& c) {
    auto session = open(settings_, c);
    if (!session) return problem(c, session.error().message);
    auto ours = run_ours(*session, settings_.strict);
    if (!ours) return problem(c, ours.error().message);
    print_side(c.name, "kernelc", *ours);
    fmt::print("\n");
    if (settings_.listing) fmt::print("{}", ours->listing);
    if (!right(*session, *ours)) problem(c, "not what the interpreter computes");
    std::string file = fmt::format("{}/{}", settings_.root, c.file);
    auto theirs = run_clang(*session, file, kSameArithmetic, settings_.strict);
    if (!theirs) return no_clang(c, theirs.error());
    bool math = named(kMath, c.file);
    bool equal = same(ours->after, theirs->after);
    double ratio = static_cast<double>(ours->counters.instructions()) /
                   static_cast<double>(theirs->counters.instructions());
    if (settings_.listing) fmt::print("{}", theirs->listing);
    print_side("", "clang", *theirs);
    fmt::print("  {:.3f}{}\n", ratio, math ? " (library math)" : equal ? "" : " (other roots)");
    (math ? math_ : all_).add(ratio);
    if (!math && named(kUnstructured, c.file)) unstructured_.add(ratio);
    if (!math) worst_ = std::max(worst_, ratio);
    if (!equal && !math && !named(kOtherRoots, c.file)) problem(c, "other results than clang's");
    if (auto plain = run_clang(*session, file, {}, settings_.strict)) {
      print_side("", "default", *plain);
      fmt::print("  {:.3f}\n", static_cast<double>(ours->counters.instructions()) /
                                   static_cast<double>(plain->counters.instructions()));
    }
  }

  int end() const {
    fmt::print(
        "\ngeometric means of instructions, ours by clang's: all {}, unstructured {}, library math {}; worst "
        "{:.3f}\n* estimated, not measured\n",
        all_.text(), unstructured_.text(), math_.text(), worst_);
    for (const std::string& p : problems_) fmt::print(stderr, "{}\n", p);
    return problems_.empty() ? ExitOk : ExitMismatch;
  }

 private:
  template <typename List>
  static bool named(const List& list, std::string_view file) {
    return std::ranges::find(list, file.substr(file.rfind('/') + 1)) != list.end();
  }
  void problem(const GcnCase& c, const std::string& what) {
    problems_.push_back(fmt::format("{}: {}", c.name, what));
  }
  void no_clang(const GcnCase& c, const NoSide& why) {
    if (why.not_opencl)
      fmt::print("{:<16}{:<9}not OpenCL C: it throws\n", "", "clang");
    else if (why.absent)
      fmt::print("{:<16}{:<9}skipped: {}\n", "", "clang", why.message.substr(0, why.message.find('\n')));
    else
      problem(c, "clang's object: " + why.message);
  }
  static bool right(const Session& session, const Side& ours) {
    auto engine = find_engine("interp")->make({});
    KernelArguments args = session.inputs;
    EngineResult r = engine->prepare(session.program, session.spec);
    if (r.status == EngineStatus::Ok) r = engine->launch(args);
    return r.status == EngineStatus::Ok && same(args, ours.after);
  }

  const Settings& settings_;
  Mean all_, unstructured_, math_;
  double worst_ = 0;
  std::vector<std::string> problems_;
};

int run(const Settings& settings) {
  std::filesystem::create_directories(settings.data);
  std::ofstream(settings.data + "/scanner") << scanner_text();
  if (!make_data(settings.data))
    return report({ExitIo, fmt::format("cannot write into '{}'", settings.data)});
  Table table(settings);
  auto wanted = [&](std::string_view name) { return settings.only.empty() || name == settings.only; };
  for (const GcnCase& c : kCpuCases)
    if (wanted(c.name)) table.row(c);
  for (const PaperCase& p : kPaperCases) {
    std::string name =
        fmt::format("{}{}", p.name, p.name == "mandelbrot" || p.name == "short_circuit" ? "_2" : "");
    if (wanted(name)) table.row({name, p.file, p.arguments});
  }
  return table.end();
}

}  // namespace
}  // namespace kc::bench

int main(int argc, char** argv) {
  kc::bench::Settings settings{.root = {}, .data = "gcn_data", .only = {}};
  CLI::App app("our gfx900 code beside clang's, in our emulator");
  app.add_option("root", settings.root, "the repository")->required();
  app.add_option("--data", settings.data, "where generated inputs go");
  app.add_option("--only", settings.only, "one kernel");
  app.add_flag("--strict", settings.strict,
               "the emulator checks the waits, wait states and accesses of both codes");
  app.add_flag("--listing", settings.listing, "the code, with how often each instruction was issued");
  CLI11_PARSE(app, argc, argv);
  return kc::bench::run(settings);
}
