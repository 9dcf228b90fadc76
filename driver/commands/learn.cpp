// SPDX-License-Identifier: Apache-2.0
// kernelc learn: short exercises. A folder of the user's holds the files to edit; what is expected of them is
// read from the installed copy, so that editing cannot change it.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "driver/compiler.h"
#include "driver/data_folder.h"
#include "driver/explore/findings.h"
#include "driver/grade/branches.h"
#include "driver/grade/lab_file.h"
#include "driver/grade/toml_reader.h"
#include "driver/time_limit.h"
#include "driver/usage_errors.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotDone = "// NOT DONE";
constexpr std::string_view kAnswer = "//=";
constexpr double kLearnSeconds = 5;  // of the processor
constexpr uint64_t kLearnSteps = 50'000'000;

struct Exercise {
  std::string name, about, launch, print, expect;
  bool branches = false;  // each line with a branch ends with "//= divergent" or "//= uniform"
  bool uniform = false;   // no branch may be divergent
  std::string output;     // what printf must write; empty: it may write anything
  double activity = 0;    // the least activity factor of warps of 32
  uint64_t instructions = 0, transactions = 0;  // the most that these warps may issue; 0: any number
  std::vector<std::string> hints;
};

std::expected<fs::path, DriverError> exercise_folder() {
  if (fs::path folder = data_folder("learn", "exercises.toml"); !folder.empty()) return folder;
  return failed(ExitAbsent, "this kernelc has no exercises: an installation has them in share/kernelc/learn");
}

std::expected<std::vector<Exercise>, DriverError> read_exercises(const fs::path& folder) {
  auto root = TomlTable::read((folder / "exercises.toml").string());
  if (!root) return std::unexpected(root.error());
  std::vector<Exercise> all;
  for (TomlTable& t : root->tables("exercise")) {
    all.push_back({.name = t.string("name"),
                   .about = t.string("about"),
                   .launch = t.string("launch"),
                   .print = t.string("print", ""),
                   .expect = t.string("expect", ""),
                   .branches = t.boolean("branches", false),
                   .uniform = t.boolean("uniform", false),
                   .output = t.string("output", ""),
                   .activity = t.number("activity", 0, 1, 0.0),
                   .instructions = static_cast<uint64_t>(t.integer("instructions", 1, 1'000'000'000, 0)),
                   .transactions = static_cast<uint64_t>(t.integer("transactions", 1, 1'000'000'000, 0)),
                   .hints = t.strings("hints")});
    t.finish();
  }
  root->finish();
  if (root->error()) return std::unexpected(*root->error());
  return all;
}

std::string indented(std::string_view text) {
  if (text.empty()) return "    nothing";
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += fmt::format("{}    {}", lines.empty() ? "" : "\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

class Learning {
 public:
  Learning(fs::path data, fs::path folder, std::vector<Exercise> all)
      : data_(std::move(data)), folder_(std::move(folder)), all_(std::move(all)) {}

  /// Copies the exercises that the folder lacks.
  std::expected<void, DriverError> start() const {
    std::error_code error;
    const bool fresh = !fs::exists(folder_, error);
    fs::create_directories(folder_, error);
    for (const Exercise& e : all_) {
      if (fs::exists(file_of(e), error)) continue;
      fs::copy_file(data_ / (e.name + ".cl"), file_of(e), error);
      if (error)
        return failed(ExitIo, fmt::format("cannot write '{}': {}", file_of(e).string(), error.message()));
    }
    if (fresh)
      fmt::print("The exercises are in {}/. Edit the first one; the files say what to do.\n\n",
                 folder_.string());
    return {};
  }

  int list() const {
    bool next = true;
    for (const Exercise& e : all_) {
      const bool done = problem_of(e, false).empty();
      fmt::print("{:<5} {:<22} {}\n", done ? "done" : next ? "next" : "", e.name, e.about);
      if (!done) next = false;
    }
    return ExitOk;
  }

  int hint(const std::string& name, uint32_t level) const {
    const Exercise* e = find(name);
    if (!e) return unknown(name);
    if (level > e->hints.size())
      return report({ExitUsage, fmt::format("{} has {} hints", name, e->hints.size())});
    fmt::print("{}\n", e->hints[level - 1]);
    if (level < e->hints.size()) fmt::print("More: kernelc learn hint {} --level {}\n", name, level + 1);
    return ExitOk;
  }

  int check(const std::string& name) const {
    const Exercise* e = find(name);
    if (!e) return unknown(name);
    return check_one(*e) ? ExitOk : ExitMismatch;
  }

  /// In order, up to the first that is not done.
  int go_on() const {
    for (const Exercise& e : all_)
      if (!check_one(e)) return ExitMismatch;
    fmt::print("All {} exercises are done.\n", all_.size());
    return ExitOk;
  }

  /// Again whenever a file changes, until all are done.
  int watch() const {
    for (;;) {
      const auto seen = times();
      if (go_on() == ExitOk) return ExitOk;
      std::fflush(stdout);
      while (times() == seen) std::this_thread::sleep_for(std::chrono::milliseconds(200));
      fmt::print("\n");
    }
  }

 private:
  fs::path file_of(const Exercise& e) const { return folder_ / (e.name + ".cl"); }

  std::vector<fs::file_time_type> times() const {
    std::vector<fs::file_time_type> all;
    std::error_code error;
    for (const Exercise& e : all_) all.push_back(fs::last_write_time(file_of(e), error));
    return all;
  }

  // By name, or by number with or without the zero in front.
  const Exercise* find(const std::string& name) const {
    for (const Exercise& e : all_)
      if (e.name == name || e.name.starts_with(name + "-") || e.name.starts_with("0" + name + "-")) return &e;
    return nullptr;
  }
  int unknown(const std::string& name) const {
    std::vector<std::string_view> names;
    for (const Exercise& e : all_) names.push_back(e.name);
    return report({ExitUsage, unknown_name("exercise", name, names, "'kernelc learn list' lists them")});
  }

  bool check_one(const Exercise& e) const {
    const std::string problem = problem_of(e, true);
    if (problem.empty()) {
      fmt::print("done  {}\n", e.name);
      return true;
    }
    fmt::print("next  {}: {}\n  file: {}\n  {}\n  help: kernelc learn hint {}\n", e.name, e.about,
               file_of(e).string(), problem, e.name.substr(0, e.name.find('-')));
    return false;
  }

  // Why the exercise is not done; empty if it is. `loud`: errors of the source are printed.
  std::string problem_of(const Exercise& e, bool loud) const {
    const std::string path = file_of(e).string();
    auto text = read_input(path);
    if (!text) return text.error().message;
    std::vector<std::string> line{"check", path};
    if (!loud) line.emplace_back("-w");
    for (std::string& word : words_of_launch(e.launch, {})) line.push_back(std::move(word));
    CommandLine command = parse_command_line(line);
    if (!command.options) return command.text;
    const bool marked = text->find(kNotDone) != std::string::npos;
    if (marked && !loud) return "not done";
    auto session = open_session(*command.options);
    if (!session)
      return session.error().message.empty() ? "it has errors, see above" : session.error().message;
    std::string problem = wrong_output(e, *session);
    if (problem.empty()) problem = wrong_branches(e, *session, *text);
    if (problem.empty()) problem = too_costly(e, *session);
    if (problem.empty() && marked)
      problem = fmt::format("it is right: remove the line '{}' to go on", kNotDone);
    return problem;
  }

  // Under the stack of post-dominators, in warps of 32.
  static std::string too_costly(const Exercise& e, const Session& s) {
    if (e.activity <= 0 && !e.instructions && !e.transactions) return {};
    const Simulated simulated = simulate_launch(*s.program.optimised, s, WarpScheme::Ipdom, 32, kLearnSteps);
    const WarpStatistics& costs = simulated.statistics;
    if (costs.activity_factor() < e.activity)
      return fmt::format("the activity factor is {:.3f}, and at least {:g} is asked for",
                         costs.activity_factor(), e.activity);
    auto more = [](std::string_view what, uint64_t counted, uint64_t most) {
      return fmt::format("the warps issue {} {}, and at most {} are asked for", counted, what, most);
    };
    if (e.instructions && costs.dynamic_instructions > e.instructions)
      return more("instructions", costs.dynamic_instructions, e.instructions);
    if (e.transactions && costs.memory_transactions > e.transactions)
      return more("memory transactions", costs.memory_transactions, e.transactions);
    return {};
  }

  // Of a launch in the interpreter, or where there are sub-groups, which it does not have, in the simulator.
  static std::string wrong_output(const Exercise& e, const Session& s) {
    const std::string_view runs = uses_sub_groups(*s.program.source) ? "sim-tf-stack" : "interp";
    std::shared_ptr<Engine> engine = find_engine(runs)->make({.max_steps = kLearnSteps});
    EngineResult r = engine->prepare(s.program, s.spec);
    if (r.status != EngineStatus::Ok) return r.message;
    const LimitedLaunch ran = launch_working(kLearnSeconds, engine, s.inputs, e.name);
    if (!ran.ended) return "it " + ran.exceeded;
    if (ran.result.trap) return describe(*ran.result.trap, *s.kernel);
    if (ran.result.status != EngineStatus::Ok) return ran.result.message;
    if (!ran.result.warnings.empty()) {
      const EngineWarning& first = ran.result.warnings.front();
      return fmt::format("line {}: {}", first.loc.line, first.message);
    }
    if (!e.output.empty() && ran.result.printed.text != e.output)
      return fmt::format("it prints\n{}\n  and expected is\n{}", indented(ran.result.printed.text),
                         indented(e.output));
    if (e.print.empty()) return {};
    auto printed = print_buffer(*s.kernel, *ran.args, e.print);
    if (!printed) return printed.error().message;
    const size_t first =
        std::strtoul(e.print.c_str() + std::min(e.print.find('[') + 1, e.print.size()), nullptr, 10);
    std::string_view want = e.expect;
    for (size_t i = 0; i < printed->size(); ++i) {
      const std::string_view one = want.substr(0, want.find(' '));
      if ((*printed)[i] != one)
        return fmt::format("{}[{}] is {}, expected {}", e.print.substr(0, e.print.find('[')), first + i,
                           (*printed)[i], one);
      want.remove_prefix(std::min(one.size() + 1, want.size()));
    }
    return {};
  }

  static std::string wrong_branches(const Exercise& e, const Session& s, std::string_view text) {
    if (!e.branches && !e.uniform) return {};
    auto lines = branches_by_line(s, kLearnSteps);
    if (!lines) return lines.error().message;
    for (const auto& [number, truth] : *lines) {
      if (e.uniform && truth.divergent) return fmt::format("line {}: {}", number, truth.why);
      if (!e.branches) continue;
      std::string_view rest = text;
      for (uint32_t n = 1; n < number; ++n) rest.remove_prefix(std::min(rest.find('\n') + 1, rest.size()));
      rest = rest.substr(0, rest.find('\n'));
      const size_t at = rest.find(kAnswer);
      if (at == std::string_view::npos)
        return fmt::format("line {} has a branch: it must end with '{} divergent' or '{} uniform'", number,
                           kAnswer, kAnswer);
      std::string_view said = rest.substr(at + kAnswer.size());
      said = said.substr(std::min(said.find_first_not_of(' '), said.size()));
      said = said.substr(0, said.find_last_not_of(" \r") + 1);
      if (said != "divergent" && said != "uniform")
        return fmt::format("line {}: write 'divergent' or 'uniform' in place of '{}'", number, said);
      if ((said == "divergent") != truth.divergent)
        return truth.divergent
                   ? fmt::format("line {}: lanes part here; {}", number, truth.why)
                   : fmt::format("line {}: the lanes of a warp always take the same way here", number);
    }
    return {};
  }

  fs::path data_, folder_;
  std::vector<Exercise> all_;
};

}  // namespace

int command_learn(const Options& o) {
  auto data = exercise_folder();
  if (!data) return report(data.error());
  auto exercises = read_exercises(*data);
  if (!exercises) return report(exercises.error());
  const bool needs_name = o.learn_action == "hint" || o.learn_action == "check";
  if (needs_name && o.exercise.empty())
    return report(
        {ExitUsage, fmt::format("kernelc learn {} needs the name of an exercise; 'kernelc learn list' "
                                "lists them",
                                o.learn_action)});
  if (!needs_name && !o.exercise.empty())
    return report({ExitUsage, fmt::format("kernelc learn {} takes no exercise", o.learn_action)});
  Learning learning(*data, o.output_dir, std::move(*exercises));
  if (o.learn_action == "hint") return learning.hint(o.exercise, o.hint_level);
  if (auto ok = learning.start(); !ok) return report(ok.error());
  if (o.learn_action == "list") return learning.list();
  if (o.learn_action == "check") return learning.check(o.exercise);
  if (o.learn_action == "watch") return learning.watch();
  return learning.go_on();
}

}  // namespace kc
