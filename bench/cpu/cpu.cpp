// SPDX-License-Identifier: Apache-2.0
// Our CPU code on the kernels of two suites against PoCL, ISPC and clang, one thread, in one run: all take
// turns, and the least time of each counts. Our code runs as the compiler chooses, and in every width with
// and without melding, so that the table also says what a better choice would give.
//
//   bench_cpu KERNELC ROOT [--suite FOLDER] [--only NAME,...] [--rounds N] [--avx2] [--brief] [--threads N]
//             [--json FILE] [--svg FILE]
//   bench_cpu KERNELC ROOT --check
//
// Every result is compared with that of our default. `--check` compares all engines of the machine on small
// launches instead. A peer that is not installed is reported as skipped. Status 6 if results differ.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cpu/natives.h"
#include "cpu/picture.h"
#include "cpu/table.h"
#include "ir/process.h"
#include "runtime/cpu/features.h"

namespace kc::bench {
namespace {

struct Settings {
  std::string kernelc, root, json, svg;
  std::vector<std::string> suites{"kernels", "wide"}, only;
  unsigned rounds = 3, threads = 1;
  bool avx2 = false, brief = false, check = false;
  std::string target() const { return avx2 ? "avx2" : "avx512"; }
  std::string ispc_target() const { return avx2 ? "avx2-i32x8" : "avx512skx-x16"; }
};

// One way to run a kernel: ours with some options, or a peer.
struct Side {
  std::string name;
  std::vector<std::string> options;  // of `kernelc run`; unused by native code
  std::unique_ptr<Native> native;
  std::string skipped;  // why there is no time
  double ms = 0;
  unsigned repeat = 2;     // launches of a turn
  std::string difference;  // from our default
  bool is_ours = false;
  double compile_ms = 0;
};

// So long a turn of a side should take, in milliseconds.
constexpr double kTurn = 40;
constexpr unsigned kMostLaunches = 30;
// A ratio below is a loss.
constexpr double kLoss = 0.9;

struct Outputs {
  std::vector<std::string> buffers;  // bytes, in the order of the row
};

std::vector<std::string> kernel_line(const Settings& s, const Row& row, const std::string& command) {
  std::vector<std::string> line{s.kernelc, command, row.cl};
  line.insert(line.end(), row.launch.begin(), row.launch.end());
  for (const std::string& argument : row.arguments) line.insert(line.end(), {"--arg", argument});
  return line;
}

void note_time(Side& side, const std::vector<double>& launches) {
  for (double ms : launches)
    if (side.ms == 0 || ms < side.ms) side.ms = ms;
  const double fit = side.ms > 0 ? kTurn / side.ms : kMostLaunches;
  side.repeat = static_cast<unsigned>(std::clamp(fit, 1.0, double{kMostLaunches}));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A turn of the command.
Outputs run_command(const Settings& s, const Row& row, Side& side, const TempDir& work,
                    unsigned threads = 1) {
  auto line = kernel_line(s, row, "run");
  line.insert(line.end(), side.options.begin(), side.options.end());
  line.insert(line.end(),
              {"--threads", std::to_string(threads), "--json", "--repeat", std::to_string(side.repeat)});
  for (const std::string& out : row.outputs) line.insert(line.end(), {"--dump", out + "=" + work.file(out)});
  auto done = run_tool(line, {.seconds = 300});
  if (!done || done->exit_code != 0) {
    side.skipped = !done ? done.error().message : first_line(done->err);
    if (side.skipped.empty()) side.skipped = "failed without a message";
    return {};
  }
  const auto json = nlohmann::json::parse(done->out, nullptr, false);
  if (json.is_discarded()) {
    side.skipped = "its JSON cannot be read";
    return {};
  }
  note_time(side, json["launch_ms"].get<std::vector<double>>());
  side.compile_ms = json["compile_ms"];
  Outputs outputs;
  for (const std::string& out : row.outputs)
    outputs.buffers.push_back(read_file(work.file(out)).value_or(""));
  return outputs;
}

size_t buffer_of(const Session& session, const std::string& name) {
  for (size_t i = 0; i < session.inputs.buffers.size(); ++i)
    if (session.inputs.buffers[i].name == name) return i;
  return session.inputs.buffers.size();
}

Outputs run_native(const Session& session, const Row& row, Side& side) {
  std::vector<double> launches;
  KernelArguments args;
  for (unsigned n = 0; n < side.repeat; ++n) {
    args = session.inputs;
    launches.push_back(side.native->launch(args, session.spec));
  }
  note_time(side, launches);
  Outputs outputs;
  for (const std::string& out : row.outputs) {
    const Bytes& bytes = args.buffers[buffer_of(session, out)].bytes;
    outputs.buffers.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return outputs;
}

// Whether a peer's element may stand for ours.
template <typename T>
bool is_close(const Row& row, T x, T y) {
  if (x == y || (std::isnan(x) && std::isnan(y))) return true;
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  // Floats in the order of their values, as integers.
  auto ordered = [](T v) {
    const Bits bits = std::bit_cast<Bits>(v), sign = Bits{1} << (sizeof(Bits) * 8 - 1);
    return bits & sign ? static_cast<Bits>(sign - (bits & ~sign)) : static_cast<Bits>(sign + bits);
  };
  const Bits p = ordered(x), q = ordered(y), apart = p < q ? q - p : p - q;
  return apart <= row.ulp || std::fabs(static_cast<double>(x) - static_cast<double>(y)) <= row.near;
}

template <typename T>
bool is_close(const Row& row, const char* x, const char* y) {
  T a, b;
  std::memcpy(&a, x, sizeof a);
  std::memcpy(&b, y, sizeof b);
  return is_close(row, a, b);
}

// In which buffer and where `got` differs from `expected`; empty if nowhere. A peer may differ by what the
// row allows.
std::string difference(const Session& session, const Row& row, const Outputs& expected, const Outputs& got,
                       bool is_peer) {
  for (size_t i = 0; i < row.outputs.size(); ++i) {
    const std::string &a = expected.buffers[i], &b = got.buffers[i];
    if (a == b) continue;
    if (a.size() != b.size()) return row.outputs[i] + " has another size";
    const ElementType type = session.inputs.buffers[buffer_of(session, row.outputs[i])].type;
    const size_t size = type.bytes();
    size_t stray = 0, first = 0;
    for (size_t at = 0; at < a.size(); at += size) {
      const char *x = a.data() + at, *y = b.data() + at;
      if (std::memcmp(x, y, size) == 0) continue;
      if (is_peer && type.elem == Elem::F32 && is_close<float>(row, x, y)) continue;
      if (is_peer && type.elem == Elem::F64 && is_close<double>(row, x, y)) continue;
      if (stray++ == 0) first = at / size;
    }
    if (stray > (is_peer ? row.stray : 0))
      return fmt::format("{} differs in {} of {} elements, the first is {}", row.outputs[i], stray,
                         a.size() / size, first);
  }
  return "";
}

std::expected<Session, std::string> open(const Row& row) {
  std::vector<std::string> line{"run", row.cl};
  line.insert(line.end(), row.launch.begin(), row.launch.end());
  for (const std::string& argument : row.arguments) line.insert(line.end(), {"--arg", argument});
  CommandLine parsed = parse_command_line(line);
  if (!parsed.options) return std::unexpected(parsed.text);
  auto session = open_session(*parsed.options);
  if (!session) return std::unexpected(session.error().message);
  return std::move(*session);
}

Side ours(const Settings& s, std::string name, std::vector<std::string> options) {
  options.insert(options.end(), {"--target", s.target()});
  return {.name = std::move(name), .options = std::move(options), .is_ours = true};
}

Side native(std::string name, const std::string& reason, auto build) {
  Side side{.name = std::move(name)};
  if (!reason.empty()) {
    side.skipped = reason;
    return side;
  }
  NativeResult built = build();
  if (built)
    side.native = std::move(*built);
  else
    side.skipped = built.error();
  return side;
}

// Why there is no source of a peer's.
std::string missing(const std::string& reason) { return reason.empty() ? "none was written" : reason; }

enum Place : size_t { Default, Pocl, Ispc, Expert, Serial, FirstOption };

// The wave IR of these options; empty if they are refused.
std::string wave_code(const Settings& s, const Row& row, const std::vector<std::string>& options) {
  std::vector<std::string> line{s.kernelc, row.cl, "--emit=wave"};
  line.insert(line.end(), options.begin(), options.end());
  auto done = run_tool(line);
  return done && done->exit_code == 0 ? done->out : "";
}

std::vector<Side> sides_of(const Settings& s, const Session& session, const Row& row,
                           const std::string& work) {
  std::vector<Side> sides;
  sides.push_back(ours(s, "ours", {}));
  sides.push_back({.name = "PoCL", .options = {"--target", "opencl"}, .skipped = row.no_opencl});
  const std::string kernel = session.kernel->name, expert = kernel + "_expert";
  auto ispc = [&](const std::string& function) {
    return [&, function] { return build_ispc(session, row, function, s.ispc_target(), work); };
  };
  sides.push_back(native("ISPC", exports(row, kernel) ? row.no_ispc : missing(row.no_ispc), ispc(kernel)));
  sides.push_back(native("expert", exports(row, expert) ? "" : missing(row.no_ispc), ispc(expert)));
  sides.push_back(native("serial", row.no_serial,
                         [&] { return build_serial(session, row, s.root + "/bench/cpu/serial.clh", work); }));
  if (s.brief) return sides;
  for (const char* width : {"1", "8", "16", "32", "64"}) {
    sides.push_back(ours(s, width, {"--width", width}));
    const bool melds =
        wave_code(s, row, {"--width", width}) != wave_code(s, row, {"--width", width, "--no-meld"});
    if (melds) sides.push_back(ours(s, std::string(width) + "n", {"--width", width, "--no-meld"}));
  }
  return sides;
}

// What a kernel's turns came to.
struct Line {
  const Row* row;
  std::vector<Side> sides;
  double ms(size_t place) const { return sides[place].ms; }
  double ratio(size_t place) const { return ms(place) > 0 && ms(Default) > 0 ? ms(place) / ms(Default) : 0; }
  /// The fastest of our forms.
  const Side& best() const {
    const Side* best = &sides[Default];
    for (const Side& side : sides)
      if (side.is_ours && side.ms > 0 && side.ms < best->ms) best = &side;
    return *best;
  }
};

std::expected<Line, std::string> measure(const Settings& s, const Row& row) {
  auto session = open(row);
  if (!session) return std::unexpected(session.error());
  TempDir work;
  Line line{.row = &row, .sides = sides_of(s, *session, row, work.file("."))};
  Outputs expected;
  for (unsigned round = 0; round < s.rounds; ++round)
    for (Side& side : line.sides) {
      if (!side.skipped.empty()) continue;
      Outputs got = side.native ? run_native(*session, row, side) : run_command(s, row, side, work);
      if (!side.skipped.empty()) continue;
      if (&side == &line.sides[Default] && round == 0) expected = got;
      if (!expected.buffers.empty() && side.difference.empty())
        side.difference = difference(*session, row, expected, got, !side.is_ours);
    }
  if (!line.sides[Default].skipped.empty()) return std::unexpected(line.sides[Default].skipped);
  return line;
}

std::string number(double v, std::string_view format) {
  return v > 0 ? fmt::format(fmt::runtime(format), v) : "-";
}

void print_head() {
  fmt::print("{:<20}{:>9}{:>9}{:>5}{:>9}{:>9}{:>9}{:>9}  {:>6}{:>6}{:>7}{:>7}{:>6}\n", "milliseconds", "ours",
             "best", "by", "PoCL", "ISPC", "expert", "serial", "PoCL", "ISPC", "expert", "serial", "best");
}

// Returns whether all results are right.
bool print_line(const Line& l) {
  const Side& best = l.best();
  fmt::print("{:<20}{:>9.3f}{:>9.3f}{:>5}{:>9}{:>9}{:>9}{:>9}  {:>6}{:>6}{:>7}{:>7}{:>6.2f}\n", l.row->name,
             l.ms(Default), best.ms, &best == &l.sides[Default] ? "" : best.name,
             number(l.ms(Pocl), "{:.3f}"), number(l.ms(Ispc), "{:.3f}"), number(l.ms(Expert), "{:.3f}"),
             number(l.ms(Serial), "{:.3f}"), number(l.ratio(Pocl), "{:.2f}"), number(l.ratio(Ispc), "{:.2f}"),
             number(l.ratio(Expert), "{:.2f}"), number(l.ratio(Serial), "{:.2f}"), best.ms / l.ms(Default));
  bool right = true;
  for (const Side& side : l.sides)
    if (!side.difference.empty()) {
      fmt::print("  {}: wrong: {}\n", side.name, side.difference);
      right = false;
    }
  std::fflush(stdout);
  return right;
}

// Reasons and the sides that they hold for, each reason once.
void print_skipped(const std::vector<Line>& lines) {
  std::map<std::string, std::string> reasons;
  for (const Line& l : lines)
    for (const Side& side : l.sides)
      if (!side.skipped.empty()) {
        std::string& who = reasons[side.name + ": " + side.skipped];
        who += (who.empty() ? "" : " ") + l.row->name;
      }
  for (const auto& [reason, who] : reasons) {
    const auto count = static_cast<size_t>(std::ranges::count(who, ' ')) + 1;
    fmt::print("skipped {} ({})\n", reason, count > 1 && count == lines.size() ? "all" : who);
  }
}

void print_means(const std::vector<Line>& lines) {
  fmt::print("\n{:<10}{:>8}{:>10}{:>10}{:>10}  {}\n", "over ours", "kernels", "geomean", "below 1",
             "below 0.9", "worst");
  auto summary = [&](std::string_view name, auto ratio) {
    double sum = 0;
    int count = 0, below_one = 0, losses = 0;
    const Line* worst = nullptr;
    for (const Line& l : lines) {
      const double r = ratio(l);
      if (r == 0) continue;
      sum += std::log(r), ++count, below_one += r < 1, losses += r < kLoss;
      if (!worst || r < ratio(*worst)) worst = &l;
    }
    if (count == 0) return;
    fmt::print("{:<10}{:>8}{:>10.3f}{:>10}{:>10}  {:.3f} {}\n", name, count, std::exp(sum / count), below_one,
               losses, ratio(*worst), worst->row->name);
  };
  for (size_t place : {Pocl, Ispc, Expert, Serial})
    if (!lines.empty()) summary(lines[0].sides[place].name, [&](const Line& l) { return l.ratio(place); });
  summary("best", [](const Line& l) { return l.best().ms / l.ms(Default); });
}

void print_losses(const std::vector<Line>& lines) {
  struct Loss {
    double ratio;
    std::string text;
  };
  std::vector<Loss> losses;
  for (const Line& l : lines) {
    for (size_t place : {Pocl, Ispc, Expert, Serial})
      if (const double r = l.ratio(place); r > 0 && r < kLoss)
        losses.push_back({r, fmt::format("{:>6.3f}  {:<20} {}", r, l.row->name, l.sides[place].name)});
    const double r = l.best().ms / l.ms(Default);
    if (r < kLoss)
      losses.push_back({r, fmt::format("{:>6.3f}  {:<20} own {}", r, l.row->name, l.best().name)});
  }
  std::ranges::sort(losses, {}, &Loss::ratio);
  fmt::print("\nLosses, peer over ours below {}:\n", kLoss);
  for (const Loss& loss : losses) fmt::print("{}\n", loss.text);
}

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

// The OpenCL implementation that takes part.
std::string opencl_name(const Settings& s) {
  auto done = run_tool({s.kernelc, "devices"});
  if (!done) return "";
  const size_t at = done->out.find("opencl");
  return at == std::string::npos ? "" : first_line(done->out.substr(at));
}

std::string json_of(const Settings& s, const std::vector<Line>& lines) {
  nlohmann::ordered_json all{{"cpu", cpu_name()}, {"target", s.target()}, {"rounds", s.rounds}};
  for (const Line& l : lines) {
    nlohmann::ordered_json one{{"kernel", l.row->name}};
    for (const Side& side : l.sides) {
      nlohmann::ordered_json& entry = one["sides"][side.name];
      if (!side.skipped.empty()) entry["skipped"] = side.skipped;
      if (side.ms > 0) entry["ms"] = side.ms;
      if (side.compile_ms > 0) entry["compile_ms"] = side.compile_ms;
      if (!side.difference.empty()) entry["difference"] = side.difference;
    }
    all["kernels"].push_back(one);
  }
  return all.dump(1) + "\n";
}

std::string picture_of(const std::vector<Line>& lines) {
  std::vector<Bars> bars;
  for (const Line& l : lines) bars.push_back({l.row->name, {l.ratio(Pocl), l.ratio(Ispc), l.ratio(Serial)}});
  return draw_bars("Times faster than others, one thread", {"PoCL", "ISPC", "serial clang"}, bars);
}

bool wanted(const Settings& s, const Row& row) {
  return s.only.empty() || std::ranges::find(s.only, row.name) != s.only.end();
}

// How many times faster our default is on several threads.
void print_scaling(const Settings& s, const std::vector<Row>& rows) {
  if (s.threads == 1) return;
  fmt::print("\n{} threads, times faster than one:\n", s.threads);
  TempDir work;
  for (const Row& row : rows) {
    if (!wanted(s, row)) continue;
    Side one = ours(s, "one", {}), several = ours(s, "several", {});
    for (unsigned round = 0; round < s.rounds; ++round) {
      run_command(s, row, one, work);
      run_command(s, row, several, work, s.threads);
    }
    if (one.ms > 0 && several.ms > 0) fmt::print("{:<20}{:>9.2f}\n", row.name, one.ms / several.ms);
    std::fflush(stdout);
  }
}

// All engines of the machine on small launches.
int check_all(const Settings& s, const std::vector<Row>& rows) {
  int status = 0;
  for (const Row& row : rows) {
    if (!wanted(s, row)) continue;
    auto line = kernel_line(s, row, "check");
    line.insert(line.end(), {"--ulp", "0"});
    auto done = run_tool(line);
    const bool good = done && done->exit_code == 0;
    fmt::print("{:<20}{}\n", row.name, good ? "ok" : done ? done->out + done->err : done.error().message);
    std::fflush(stdout);
    if (!good) status = ExitMismatch;
  }
  return status;
}

int run(const Settings& s) {
  // Each process of PoCL finds what the one before compiled.
  TempDir data;
  setenv("POCL_CACHE_DIR", data.file("pocl").c_str(), 0);
  std::vector<Row> rows;
  for (const std::string& suite : s.suites) {
    auto more = read_table(fmt::format("{}/bench/cpu/{}", s.root, suite), data.file("."),
                           s.check ? Size::Small : Size::Full);
    if (!more) return report({ExitUsage, more.error()});
    std::ranges::move(*more, std::back_inserter(rows));
  }
  for (const std::string& name : s.only)
    if (std::ranges::find(rows, name, &Row::name) == rows.end())
      return report({ExitUsage, fmt::format("no kernel is called '{}'", name)});
  if (s.check) return check_all(s, rows);
  fmt::print("One thread, least of {} turns, {}, {}; right of the times: peer over ours\n{}\n\n", s.rounds,
             cpu_name(), s.target(), opencl_name(s));
  print_head();
  std::vector<Line> lines;
  int status = 0;
  for (const Row& row : rows) {
    if (!wanted(s, row)) continue;
    auto line = measure(s, row);
    if (!line) {
      fmt::print(stderr, "{}: {}\n", row.name, line.error());
      status = ExitMismatch;
      continue;
    }
    lines.push_back(std::move(*line));
    if (!print_line(lines.back())) status = ExitMismatch;
  }
  print_means(lines);
  print_losses(lines);
  print_skipped(lines);
  print_scaling(s, rows);
  if (!s.svg.empty() && !write_file(s.svg, picture_of(lines)))
    return report({ExitIo, fmt::format("cannot write {}", s.svg)});
  if (!s.json.empty() && !write_file(s.json, json_of(s, lines)))
    return report({ExitIo, fmt::format("cannot write {}", s.json)});
  return status;
}

}  // namespace
}  // namespace kc::bench

int main(int argc, char** argv) {
  kc::bench::Settings s;
  CLI::App app("kernelc's CPU code against PoCL, ISPC and serial code on the kernels of a suite");
  app.add_option("kernelc", s.kernelc, "the command")->required();
  app.add_option("root", s.root, "the repository")->required();
  app.add_option("--suite", s.suites, "folders below bench/cpu (kernels and wide)");
  app.add_option("--only", s.only, "just these kernels")->delimiter(',');
  app.add_option("--rounds", s.rounds, "turns that the sides take")->check(CLI::Range(1, 100));
  app.add_option("--threads", s.threads, "also measure our default on so many threads")
      ->check(CLI::Range(1, 256));
  app.add_option("--svg", s.svg, "also draw the ratios");
  app.add_flag("--avx2", s.avx2, "code for AVX2, ours and ISPC's; always where the processor has no AVX-512");
  app.add_flag("--brief", s.brief, "of our code the default alone");
  app.add_option("--json", s.json, "also write all times to this file");
  app.add_flag("--check", s.check, "compare our engines on small launches; no peers, no times");
  CLI11_PARSE(app, argc, argv);
  s.avx2 = s.avx2 || !kc::cpu_features().avx512;
  s.root = std::filesystem::absolute(s.root).string();  // sources that lie elsewhere include its files
  return kc::bench::run(s);
}
