// SPDX-License-Identifier: Apache-2.0
// Labs whose submission is a kernel, as source or as gfx900 assembly: each launch must leave what the
// reference leaves, and what a launch costs is compared with a baseline.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driver/commands/stats.h"
#include "driver/compare.h"
#include "driver/compiler.h"
#include "driver/grade/assembly_engine.h"
#include "driver/grade/grade.h"
#include "driver/time_limit.h"
#include "driver/usage_errors.h"
#include "host/source.h"
#include "ir/parameters.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {
namespace {

// A failing launch is made smaller by at most so many further launches.
constexpr int kMostShrinks = 200;
constexpr std::array<std::string_view, 5> kStatsMetrics{"dynamic_instructions", "block_executions",
                                                        "redundant_block_executions", "activity_factor",
                                                        "memory_transactions"};

struct Verdict {
  std::string difference;  // empty: the launch is right
  bool of_launch = true;   // false: the submission itself is wrong, whatever the launch
};
using Judged = std::expected<Verdict, DriverError>;

class LaunchGrader {
 public:
  LaunchGrader(const LabFile& lab, const Submission& submission) : lab_(lab), submission_(submission) {}

  std::expected<Grade, DriverError> grade() {
    Grade grade;
    auto loaded = load();
    if (!loaded) return std::unexpected(loaded.error());
    grade.source_errors = *loaded;
    auto run = [&](const LabTest& test, TestResult& result) -> std::expected<void, DriverError> {
      if (!loaded->empty()) {
        result.note = first_line(*loaded);
        return {};
      }
      return run_test(test, result);
    };
    return grade_parts(lab_, submission_, std::move(grade), run,
                       [&](const LabQuality& q, bool right) { return measure(q, right); });
  }

 private:
  std::unexpected<DriverError> wrong_lab(std::string_view part, const DriverError& e) const {
    const int status = e.status == ExitIo || e.status == ExitAbsent ? e.status : ExitUsage;
    return failed(status, fmt::format("{}: '{}': {}", lab_.path, part, e.message));
  }

  // Reads the submission. The value is what is wrong with it, or empty.
  std::expected<std::string, DriverError> load() {
    if (lab_.kind == LabKind::Assembly) {
      auto object = load_assembly(submission_.text);
      if (!object) return fmt::format("{}: error: {}\n", submission_.name(), object.error());
      object_ = std::make_shared<const GcnObject>(std::move(*object));
      return std::string();
    }
    if (lab_.source_bytes && submission_.text.size() > lab_.source_bytes)
      return fmt::format("{}: error: it has {} bytes, and {} is the limit\n", submission_.name(),
                         submission_.text.size(), lab_.source_bytes);
    auto module = compile(submission_.text);
    if (!module) return module.error();
    return wrong_interface(*module);
  }

  // Whether the launches of the lab can be those of the submission. The error is the lab's.
  std::expected<std::string, DriverError> wrong_interface(Module& module) const {
    const LabTest& test = lab_.tests.front();
    auto options = options_for(words_of_launch(test.launch, draw_numbers(test, 0, 0)));
    if (!options) return wrong_lab(test.name, options.error());
    auto reference = open_session(*options);
    if (!reference) return wrong_lab(test.name, reference.error());
    const std::string place = submission_.name() + ": error: ";
    Options named = *options;
    named.file = submission_.name();
    if (named.kernel.empty()) named.kernel = reference->kernel->name;
    auto kernel = choose_kernel(module, named);
    if (!kernel) return place + kernel.error().message + "\n";
    const Function &got = **kernel, &want = *reference->kernel;
    if (const std::string g = names_of(got), w = names_of(want); g != w)
      return fmt::format("{}the kernel '{}' has the parameters ({}), and the reference has ({})\n", place,
                         got.name, g, w);
    for (size_t i = 0; i < want.params.size() && i < got.params.size(); ++i) {
      const ParamInfo &g = got.params[i], &w = want.params[i];
      if (w.hidden() || g.hidden()) break;
      const Type g_type = got.type(got.block(got.entry()).params[i]);
      if (g_type != want.type(want.block(want.entry()).params[i]) || g.pointee != w.pointee ||
          g.pointee_size != w.pointee_size)
        return fmt::format("{}the parameter '{}' has another type in the reference\n", place, w.name);
    }
    return std::string();
  }

  static std::string names_of(const Function& f) {
    std::string names;
    for (const SourceParameter& p : source_parameters(f))
      names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
    return names;
  }

  // The submission as a module; it must not read other files, which may hold the seeds of hidden tests.
  std::expected<Module, std::string> compile(const std::string& text) const {
    Options o;
    o.file = submission_.name();
    o.no_warnings = true;
    FrontendOptions front = frontend_options(o);
    front.read_file = [](const std::string&) -> std::expected<std::string, std::string> {
      return std::unexpected("submissions must not include files");
    };
    LoadedSource loaded = load_source(text, Language::Kernel, front);
    if (!loaded.module) return std::unexpected(loaded.diagnostics);
    return std::move(*loaded.module);
  }

  std::expected<Options, DriverError> options_for(const std::vector<std::string>& launch) const {
    CommandLine command = command_of(lab_, lab_.place_of(lab_.reference), launch);
    if (!command.options) return usage_error(first_line(command.text));
    return *command.options;
  }

  std::expected<Session, DriverError> session_of_submission(const Options& o) const {
    auto module = compile(submission_.text);
    if (!module) return failed(ExitSource, module.error());
    Options options = o;
    options.file = submission_.name();
    return session_of(Input{std::move(*module), {}}, options);
  }

  LimitedLaunch launch(std::shared_ptr<Engine> engine, const Session& s) const {
    EngineResult ready = engine->prepare(s.program, s.spec);
    if (ready.status != EngineStatus::Ok)
      return {.engine = engine, .args = std::make_shared<KernelArguments>(), .result = std::move(ready)};
    return launch_working(lab_.seconds, std::move(engine), s.inputs, lab_.title);
  }

  std::expected<void, DriverError> run_test(const LabTest& test, TestResult& result) {
    const uint64_t seed = test.hidden ? *submission_.hidden_seed : test.seed;
    for (uint32_t run = 0; run < test.count; ++run) {
      Draw numbers = draw_numbers(test, seed, run);
      auto verdict = judge(test, numbers);
      if (!verdict) return wrong_lab(test.name, verdict.error());
      if (!test.hidden) ++result.runs;
      if (verdict->difference.empty()) continue;
      if (test.hidden) {
        // Anything else could tell the seed.
        result.note = "a hidden launch fails";
        return {};
      }
      if (!test.draw.empty() && verdict->of_launch) *verdict = shrink(test, numbers, *verdict);
      result.note = verdict->difference;
      if (verdict->of_launch && (!test.draw.empty() || test.count > 1))
        result.counterexample = fmt::format("{}", fmt::join(words_of_launch(test.launch, numbers), " "));
      return {};
    }
    result.passed = true;
    result.points = test.points;
    return {};
  }

  // Brings each number towards its lower limit as long as the launch fails.
  Verdict shrink(const LabTest& test, Draw& numbers, Verdict verdict) {
    int left = kMostShrinks;
    for (bool smaller = true; smaller && left > 0;) {
      smaller = false;
      for (const auto& [name, limits] : test.draw) {
        for (int64_t step = numbers[name] - limits.first; step > 0 && left > 0; step /= 2, --left) {
          Draw next = numbers;
          next[name] -= step;
          auto judged = judge(test, next);
          if (!judged || judged->difference.empty()) continue;
          numbers = std::move(next);
          verdict = std::move(*judged);
          smaller = true;
          break;
        }
      }
    }
    return verdict;
  }

  // Runs reference and submission on one launch. An error is the lab's.
  Judged judge(const LabTest& test, const Draw& numbers) {
    auto options = options_for(words_of_launch(test.launch, numbers));
    if (!options) return std::unexpected(options.error());
    auto reference = open_session(*options);
    if (!reference) return std::unexpected(reference.error());
    if (reference->spec.items() > uint64_t{1} << 24)
      return std::unexpected(DriverError{ExitUsage, "more than 16777216 work-items"});
    LimitedLaunch want = launch(find_engine("interp")->make({.max_steps = lab_.steps}), *reference);
    if (!want.ended || want.result.status != EngineStatus::Ok)
      return std::unexpected(DriverError{
          ExitUsage, fmt::format("the reference fails: {}",
                                 want.ended ? message_of(want.result, *reference) : "it " + want.exceeded)});
    if (lab_.kind == LabKind::Assembly) {
      auto engine = std::make_shared<AssemblyEngine>(object_, lab_.steps);
      return compare(*want.args, launch(engine, *reference), *reference);
    }
    auto session = session_of_submission(*options);
    if (!session) return Verdict{first_line(session.error().message), false};
    if (std::string why = over_memory(*session); !why.empty()) return Verdict{why};
    if (uses_sub_groups(*session->kernel)) return Verdict{"sub-groups are not graded", false};
    auto engine = find_engine("interp")->make({.max_steps = lab_.steps});
    Judged verdict = compare(*want.args, launch(std::move(engine), *session), *session);
    if (!verdict || !verdict->difference.empty()) return verdict;
    // What depends on the order of work-items is right by chance.
    engine = find_engine("interp")->make({.max_steps = lab_.steps, .find_order_dependence = true});
    LimitedLaunch again = launch(std::move(engine), *session);
    if (again.ended && again.result.order_dependence)
      return Verdict{describe(again.result.order_dependence->first, *session->kernel)};
    return verdict;
  }

  Judged compare(const KernelArguments& want, const LimitedLaunch& got, const Session& s) const {
    if (!got.ended) return Verdict{got.exceeded};
    if (got.result.status == EngineStatus::Absent)
      return std::unexpected(DriverError{ExitAbsent, got.result.message});
    if (got.result.status != EngineStatus::Ok) return Verdict{message_of(got.result, s)};
    if (!std::ranges::equal(want.buffers, got.args->buffers, {}, &BufferArg::name, &BufferArg::name))
      return Verdict{"its parameters are not those of the reference", false};
    return Verdict{compare_buffers(want, *got.args, lab_.ulp).first};
  }

  static std::string message_of(const EngineResult& r, const Session& s) {
    return r.trap ? describe(*r.trap, *s.kernel) : first_line(r.message);
  }

  std::string over_memory(const Session& s) const {
    const uint64_t items = s.spec.local[0] * s.spec.local[1] * s.spec.local[2];
    const uint64_t bytes =
        lay_out_objects(*s.kernel, kPtrPrivate).size * items + lay_out_objects(*s.kernel, kPtrLocal).size;
    if (bytes <= lab_.memory_mib << 20) return {};
    return fmt::format("a group needs {} MiB of private and local memory, and {} MiB is the limit",
                       (bytes + (1 << 20) - 1) >> 20, lab_.memory_mib);
  }

  std::expected<QualityResult, DriverError> measure(const LabQuality& q, bool right) {
    QualityResult result{.name = q.name, .metric = q.metric, .of = q.points};
    auto options = options_for(words_of_launch(q.launch, {}));
    if (!options) return wrong_lab(q.name, options.error());
    Submission baseline{.path = lab_.place_of(q.baseline)};
    auto text = read_input(baseline.path, kMostDataBytes);
    if (!text) return wrong_lab(q.name, text.error());
    baseline.text = std::move(*text);
    auto base = number_of(q, *options, baseline);
    if (!base) return wrong_lab(q.name, base.error());
    if (!(*base > 0)) return wrong_lab(q.name, {ExitUsage, fmt::format("{} of the baseline is 0", q.metric)});
    result.baseline = *base;
    if (!right) {
      result.note = "counts when all tests pass";
      return result;
    }
    auto value = number_of(q, *options, submission_);
    if (!value) {
      result.note = first_line(value.error().message);
      return result;
    }
    result.value = *value;
    const double ratio = result.value / result.baseline;
    result.points = points_of((ratio - q.none) / (q.full - q.none), q.points);
    return result;
  }

  // The number of one program. For the lab's own files an error is the lab's.
  std::expected<double, DriverError> number_of(const LabQuality& q, const Options& o, const Submission& of) {
    LaunchGrader grader(lab_, of);
    if (auto loaded = grader.load(); !loaded || !loaded->empty())
      return failed(ExitUsage, loaded ? first_line(*loaded) : loaded.error().message);
    if (lab_.kind == LabKind::Assembly) {
      auto session = open_session(o);
      if (!session) return std::unexpected(session.error());
      const LimitedLaunch ran =
          launch(std::make_shared<AssemblyEngine>(grader.object_, lab_.steps), *session);
      if (!ran.ended || ran.result.status != EngineStatus::Ok)
        return failed(ExitUsage, ran.ended ? message_of(ran.result, *session) : ran.exceeded);
      for (const auto& [name, value] : ran.result.stats)
        if (name == q.metric) return value;
      std::vector<std::string_view> known;
      for (const auto& [name, value] : ran.result.stats) known.push_back(name);
      return failed(ExitUsage, unknown_name("metric", q.metric, known));
    }
    if (std::ranges::find(kStatsMetrics, q.metric) == kStatsMetrics.end())
      return failed(ExitUsage,
                    unknown_name("metric", q.metric, {kStatsMetrics.begin(), kStatsMetrics.end()}));
    auto session = grader.session_of_submission(o);
    if (!session) return std::unexpected(session.error());
    Options options = o;
    options.meld = Meld::Never;
    options.max_steps = lab_.steps;
    const auto schemes = statistics_of(options, *session)["schemes"];
    if (!schemes.contains(q.scheme)) {
      std::vector<std::string_view> known;
      for (const auto& [name, row] : schemes.items()) known.push_back(name);
      return failed(ExitUsage, unknown_name("scheme", q.scheme, known));
    }
    const auto& row = schemes[q.scheme];
    if (row.contains("error")) return failed(ExitUsage, row["error"].get<std::string>());
    return row[q.metric].get<double>();
  }

  const LabFile& lab_;
  const Submission& submission_;
  std::shared_ptr<const GcnObject> object_;  // Assembly
};

}  // namespace

std::expected<Grade, DriverError> grade_launches(const LabFile& lab, const Submission& submission) {
  return LaunchGrader(lab, submission).grade();
}

}  // namespace kc
