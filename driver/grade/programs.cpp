// SPDX-License-Identifier: Apache-2.0
// Labs whose submission is a program that reads a function as JSON: a pass, which writes a function, or an
// analysis, which writes what it has found.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "driver/commands/simulate.h"
#include "driver/compare.h"
#include "driver/compiler.h"
#include "driver/exec_pass.h"
#include "driver/grade/branches.h"
#include "driver/grade/grade.h"
#include "driver/time_limit.h"
#include "driver/usage_errors.h"
#include "fuzz/random_program.h"
#include "fuzz/reduce.h"
#include "ir/json/json.h"
#include "passes/outside_pass.h"

namespace kc {
namespace {

// A program that fails is made smaller by at most so many attempts. Those that compile start a process: with
// few blocks, at most so many do.
constexpr size_t kMostReductions = 2000, kMostRuns = 60;
constexpr uint32_t kFewBlocks = 12;
// And by none after this time: submissions may hang. Points do not depend on it.
constexpr double kReductionMs = 20'000;
constexpr std::array<std::string_view, 6> kPassMetrics{"steps",
                                                       "static_instructions",
                                                       "static_blocks",
                                                       "block_parameters",
                                                       "block_executions",
                                                       "dynamic_instructions"};
constexpr std::array<std::string_view, 1> kDivergenceMetrics{"divergent_branches"};
// Where only some random programs are of use, so many are looked at for each one that is wanted.
constexpr uint32_t kMostDraws = 64;

/// A program with a launch. Not to be moved: the kernel lies in the module.
struct ProgramCase {
  std::unique_ptr<Module> module;
  const Function* kernel = nullptr;
  LaunchSpec spec;
  KernelArguments inputs, want;  // want: what the reference leaves
  std::optional<TrapReport> trap;
};

class ProgramGrader {
 public:
  ProgramGrader(const LabFile& lab, const Submission& submission) : lab_(lab), submission_(submission) {
    path_ = submission.path.find('/') == std::string::npos ? "./" + submission.path : submission.path;
    if (!lab.python_path.empty()) setenv("PYTHONPATH", (lab.folder + lab.python_path).c_str(), 1);
    if (is_script()) words_ = {"python3", "-B"};
    words_.push_back(path_);
  }

  std::expected<Grade, DriverError> grade() {
    if (!is_script() && access(path_.c_str(), X_OK) != 0)
      return failed(ExitAbsent, fmt::format("cannot run {}: {}", path_, std::strerror(errno)));
    auto run = [&](const LabTest& test, TestResult& result) {
      return test.program.empty() ? run_random(test, result) : run_file(test, result);
    };
    return grade_parts(lab_, submission_, {}, run,
                       [&](const LabQuality& q, bool right) { return measure(q, right); });
  }

 private:
  using Case = std::expected<ProgramCase, std::string>;
  using Finding = std::expected<std::string, DriverError>;  // the difference; the error is no fault of it

  std::unexpected<DriverError> wrong_part(std::string_view part, const std::string& message) const {
    return usage_error(fmt::format("{}: '{}': {}", lab_.path, part, message));
  }

  bool is_script() const { return path_.ends_with(".py"); }

  // Compiles the program and runs the reference; an error says why it is of no use.
  Case make_case(const std::string& source, const std::string& file,
                 const std::vector<std::string>& launch) const {
    CommandLine command = command_of(lab_, file, launch);
    if (!command.options) return std::unexpected(first_line(command.text));
    const Options& o = *command.options;
    FrontendResult front = compile_source(source, frontend_options(o));
    if (!front.module) return std::unexpected(first_line(front.diagnostics));
    ProgramCase c{.module = std::move(front.module)};
    auto kernel = choose_kernel(*c.module, o);
    if (!kernel) return std::unexpected(kernel.error().message);
    c.kernel = *kernel;
    auto spec = make_launch(*c.kernel, o);
    if (!spec) return std::unexpected(spec.error().message);
    c.spec = *spec;
    auto inputs = parse_arguments(*c.kernel, o.args);
    if (!inputs) return std::unexpected(inputs.error().message);
    c.inputs = std::move(*inputs);
    c.inputs.addresses = Addresses::Hidden;
    auto [result, args] = interpret(*c.kernel, c);
    if (result.status != EngineStatus::Ok && result.status != EngineStatus::Trapped)
      return std::unexpected(first_line(result.message));
    if (!result.warnings.empty()) return std::unexpected(result.warnings.front().message);
    c.trap = result.trap;
    c.want = std::move(args);
    return c;
  }

  std::pair<EngineResult, KernelArguments> interpret(const Function& f, const ProgramCase& c) const {
    Program program{.source = &f, .optimised = nullptr};
    std::shared_ptr<Engine> engine = find_engine("interp")->make({.max_steps = lab_.steps});
    EngineResult ready = engine->prepare(program, c.spec);
    if (ready.status != EngineStatus::Ok) return {std::move(ready), {}};
    KernelArguments args = c.inputs;
    EngineResult result = engine->launch(args);
    return {std::move(result), std::move(args)};
  }

  std::expected<void, DriverError> run_file(const LabTest& test, TestResult& result) {
    auto text = read_input(lab_.folder + test.program);
    if (!text) return std::unexpected(text.error());
    Case c = make_case(*text, lab_.folder + test.program, words_of_launch(test.launch, {}));
    if (!c) return wrong_part(test.name, c.error());
    if (!is_question(*c)) return wrong_part(test.name, "the program traps: nothing is known about its lanes");
    auto finding = judge(*c, test);
    if (!finding) return std::unexpected(finding.error());
    if (!test.hidden) result.runs = 1;
    finish(test, *finding, result);
    return {};
  }

  std::expected<void, DriverError> run_random(const LabTest& test, TestResult& result) {
    const uint64_t seed = test.hidden ? *submission_.hidden_seed : test.seed;
    uint32_t runs = 0;
    std::string useless;
    const uint32_t draws = test.lacking ? test.count * kMostDraws : test.count;
    for (uint32_t run = 0; run < draws && runs < test.count; ++run) {
      const auto number = static_cast<uint64_t>(draw_numbers(test, seed, run)["seed"]);
      fuzz::RandomProgram program =
          fuzz::random_program(number, {.math = false, .vectors = false, .large = 0, .images = 0});
      Case c = make_case(program.source, "random.cl", program.launch);
      if (!c || !is_question(*c)) {  // it says nothing about the submission
        useless = c ? "it traps" : c.error();
        continue;
      }
      if (test.lacking && has_already(*c, test)) {
        useless = fmt::format("it has {} already", property_names(test.lacking));
        continue;
      }
      auto finding = judge(*c, test);
      if (!finding) return std::unexpected(finding.error());
      ++runs;
      if (!test.hidden) result.runs = runs;
      if (finding->empty()) continue;
      if (!test.hidden) {
        result.blocks = blocks_of(*c);
        const double give_up = now_ms() + kReductionMs;
        size_t tries = 0;
        result.program = fuzz::reduce(
            program.source,
            [&](const std::string& smaller) {
              if (now_ms() > give_up || (result.blocks <= kFewBlocks && tries >= kMostRuns)) return false;
              Case again = make_case(smaller, "random.cl", program.launch);
              if (!again) return false;
              ++tries;
              auto found = judge(*again, test);
              if (!found || found->empty()) return false;
              *finding = *found;
              result.blocks = blocks_of(*again);
              return true;
            },
            kMostReductions);
        result.counterexample = fmt::format("{}", fmt::join(program.launch, " "));
      }
      finish(test, *finding, result);
      return {};
    }
    if (runs == 0)
      return wrong_part(test.name,
                        fmt::format("none of its {} random programs can be used: {}", test.count, useless));
    finish(test, "", result);
    return {};
  }

  static void finish(const LabTest& test, const std::string& difference, TestResult& result) {
    result.passed = difference.empty();
    if (result.passed) result.points = test.points;
    // Anything else could tell the seed of a hidden test.
    result.note = result.passed || !test.hidden ? difference : "a hidden program fails";
  }

  // Whether lanes can be observed, where the submission says which of them part.
  bool is_question(const ProgramCase& c) const {
    if (lab_.kind != LabKind::Divergence) return true;
    auto state = prepared(c);
    return !state || observe_partings(*state->f, c.spec, c.inputs, lab_.steps).has_value();
  }

  // Whether nothing is left to do for a pass that must give these properties.
  bool has_already(const ProgramCase& c, const LabTest& test) const {
    auto state = prepared(c);
    return state && properties_of(*state, test.lacking) & test.lacking;
  }

  // Of the function that the submission gets.
  uint32_t blocks_of(const ProgramCase& c) const {
    auto state = prepared(c);
    return state ? static_cast<uint32_t>(state->f->layout.size()) : 0;
  }

  // The function that the submission gets.
  std::expected<PassState, DriverError> prepared(const ProgramCase& c) const {
    PassState state{std::make_unique<Function>(*c.kernel)};
    state.wave.uniformity = ids_of(c.spec);
    const std::vector<std::string_view> before(lab_.before.begin(), lab_.before.end());
    if (auto ran = run_pipeline(state, before); !ran) return wrong_part("before", ran.error().message);
    return state;
  }

  Finding judge(const ProgramCase& c, const LabTest& test) {
    auto state = prepared(c);
    if (!state) return std::unexpected(state.error());
    if (lab_.kind == LabKind::Pass) {
      auto made = transform(*state);
      if (!made || !made->empty()) return made;
      return compare(c, *state->f);
    }
    nlohmann::json answer;
    if (auto why = ask(*state->f, answer); !why || !why->empty()) return why;
    const auto ids = json_ids(*state->f);
    return lab_.kind == LabKind::Dominators ? judge_dominators(*state->f, ids, answer)
                                            : judge_divergence(c, *state->f, ids, answer, test);
  }

  // What an analysis says about the function: one JSON object.
  Finding ask(const Function& f, nlohmann::json& answer) const {
    std::string errors;
    const auto out = output_of(words_, write_json(f), limits(errors));
    if (!out) return no_output(out.error(), errors);
    answer = nlohmann::json::parse(*out, nullptr, false);
    return answer.is_object() ? "" : "what it wrote is not one JSON object";
  }

  // Runs the submission and what comes after, and checks what must hold then.
  Finding transform(PassState& state) {
    std::string errors;
    const std::string name = "exec:" + submission_.name();
    const OutsidePass outside = [&](const Function& f, std::string_view) {
      return run_as_pass(f, words_, limits(errors));
    };
    auto changed = run_outside_pass(state, name, outside);
    if (!changed) return no_output(changed.error(), errors);
    if (auto ran = run_after(state, lab_.after); !ran || !ran->empty()) return ran;
    if (const uint32_t missing = lab_.require & ~properties_of(state, lab_.require))
      return fmt::format("{} does not hold: {}", property_names(missing), why_missing(state, missing));
    return "";
  }

  ExecLimits limits(std::string& errors) const {
    return {.seconds = lab_.seconds, .memory_mib = lab_.memory_mib, .errors = &errors};
  }
  // Why there is no output, as a finding about the submission if it is its fault.
  static Finding no_output(const CompileError& e, const std::string& errors) {
    if (e.kind == CompileError::Absent) return failed(ExitAbsent, e.message);
    return with_last_line(e.message, errors);
  }

  static Finding run_after(PassState& state, const std::vector<std::string>& passes) {
    const std::vector<std::string_view> names(passes.begin(), passes.end());
    auto ran = run_pipeline(state, names);
    return ran ? std::string() : first_line(ran.error().message);
  }

  static std::string with_last_line(const std::string& message, std::string errors) {
    while (errors.ends_with('\n')) errors.pop_back();
    if (errors.empty()) return message;
    return fmt::format("{}: {}", message, errors.substr(errors.rfind('\n') + 1));
  }

  Finding compare(const ProgramCase& c, const Function& f) const {
    if (f.dialect != Dialect::Thread) return "it leaves a function of the wave dialect";
    auto [result, args] = interpret(f, c);
    if (result.status != EngineStatus::Ok && result.status != EngineStatus::Trapped)
      return first_line(result.message);
    if (Difference d = compare_buffers(c.want, args, 0); !d.first.empty()) return d.first;
    if (!same_trap(c.trap, result.trap))
      return result.trap ? "traps where the program does not" : "does not trap where the program does";
    return "";
  }

  // The number of each block in the document, in the order of the layout.
  static std::vector<int64_t> json_ids(const Function& f) {
    std::vector<int64_t> ids;
    const auto document = nlohmann::json::parse(write_json(f), nullptr, false);
    for (const auto& block : document["functions"][0]["blocks"]) ids.push_back(block["id"].get<int64_t>());
    return ids;
  }

  // What a submission wrote, which may be long and deep.
  static std::string shown(const nlohmann::json& value) {
    constexpr size_t kShown = 40;
    if (!value.is_number() && !value.is_string())
      return fmt::format("a value of the type {}", value.type_name());
    const std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
  }

  // {"idom": {"BLOCK": BLOCK, ...}} for all blocks that can be reached, except the entry.
  static Finding judge_dominators(const Function& f, const std::vector<int64_t>& ids,
                                  const nlohmann::json& answer) {
    const auto idom = answer.find("idom");
    if (idom == answer.end() || !idom->is_object()) return "it wrote no {\"idom\": {\"BLOCK\": BLOCK, ...}}";
    const DominatorTree tree(f, Cfg(f));
    std::map<uint32_t, int64_t> number;
    for (size_t i = 0; i < ids.size(); ++i) number[f.layout[i].index] = ids[i];
    for (BlockId b : f.layout) {
      const BlockId want = tree.idom[b.index];
      if (!want.valid()) continue;
      const auto got = idom->find(std::to_string(number[b.index]));
      if (got == idom->end()) return fmt::format("block {} has no immediate dominator", number[b.index]);
      if (!got->is_number_integer() || got->get<int64_t>() != number[want.index])
        return fmt::format("the immediate dominator of block {} is {}, and it says {}", number[b.index],
                           number[want.index], shown(*got));
    }
    return "";
  }

  static bool says(const nlohmann::json& list, int64_t block) {
    return std::ranges::find(list, nlohmann::json(block)) != list.end();
  }

  // {"divergent": [BLOCK, ...]}: blocks that end in divergent branches.
  Finding judge_divergence(const ProgramCase& c, const Function& f, const std::vector<int64_t>& ids,
                           const nlohmann::json& answer, const LabTest& test) const {
    const auto list = answer.find("divergent");
    if (list == answer.end() || !list->is_array()) return "it wrote no {\"divergent\": [BLOCK, ...]}";
    auto parted = observe_partings(f, c.spec, c.inputs, lab_.steps);
    if (!parted) return wrong_part(test.name, "the program traps: nothing is known about its lanes");
    const Uniformity u = analyse_uniformity(f, ids_of(c.spec));
    for (size_t i = 0; i < ids.size(); ++i) {
      const bool said = says(*list, ids[i]);
      const uint32_t line = f.inst(f.terminator(f.layout[i])).loc.line;
      if ((*parted)[f.layout[i].index] && !said)
        return fmt::format("lanes part at the end of block {} (line {}), and it calls the branch uniform",
                           ids[i], line);
      if (test.exact && said && !u.divergent_branch[f.layout[i].index])
        return fmt::format("it calls the branch of block {} (line {}) divergent, and all lanes agree there",
                           ids[i], line);
    }
    return "";
  }

  std::expected<QualityResult, DriverError> measure(const LabQuality& q, bool right) {
    QualityResult result{.name = q.name, .metric = q.metric, .of = q.points};
    std::vector<std::string_view> metrics(kPassMetrics.begin(), kPassMetrics.end());
    if (lab_.kind == LabKind::Divergence)
      metrics.assign(kDivergenceMetrics.begin(), kDivergenceMetrics.end());
    if (std::ranges::find(metrics, q.metric) == metrics.end())
      return wrong_part(q.name, unknown_name("metric", q.metric, metrics));
    auto text = read_input(lab_.folder + q.program);
    if (!text) return std::unexpected(text.error());
    Case c = make_case(*text, lab_.folder + q.program, words_of_launch(q.launch, {}));
    if (!c) return wrong_part(q.name, c.error());
    auto base = prepared(*c);
    if (!base) return std::unexpected(base.error());
    if (lab_.kind == LabKind::Divergence) return measure_divergence(q, *c, *base->f, right);
    for (const auto& passes : {q.baseline_passes, lab_.after})
      if (auto why = run_after(*base, passes); !why || !why->empty())
        return wrong_part(q.name, why ? *why : why.error().message);
    result.baseline = number_of(q, *c, *base->f);
    if (!(result.baseline > 0)) return no_baseline(q);
    if (!right) return counts_later(result);
    auto state = prepared(*c);
    if (!state) return std::unexpected(state.error());
    auto why = transform(*state);
    if (!why) return std::unexpected(why.error());
    if (why->empty()) why = compare(*c, *state->f);
    if (!why->empty()) {
      result.note = *why;
      return result;
    }
    return scored(result, q, number_of(q, *c, *state->f));
  }

  // How many branches are called divergent, compared with the compiler's analysis.
  std::expected<QualityResult, DriverError> measure_divergence(const LabQuality& q, const ProgramCase& c,
                                                               const Function& f, bool right) const {
    QualityResult result{.name = q.name, .metric = q.metric, .of = q.points};
    result.baseline =
        static_cast<double>(std::ranges::count(analyse_uniformity(f, ids_of(c.spec)).divergent_branch, true));
    if (!(result.baseline > 0)) return no_baseline(q);
    if (!right) return counts_later(result);
    nlohmann::json answer;
    auto why = ask(f, answer);
    if (!why) return std::unexpected(why.error());
    const nlohmann::json list = answer.is_object() ? answer.value("divergent", nlohmann::json()) : answer;
    if (why->empty() && !list.is_array()) why = "it wrote no {\"divergent\": [BLOCK, ...]}";
    if (!why->empty()) {
      result.note = *why;
      return result;
    }
    double said = 0;
    const auto ids = json_ids(f);
    for (size_t i = 0; i < ids.size(); ++i)
      said += f.successors(f.layout[i]).size() > 1 && says(list, ids[i]);
    return scored(result, q, said);
  }

  std::unexpected<DriverError> no_baseline(const LabQuality& q) const {
    return wrong_part(q.name, fmt::format("{} of the baseline is 0", q.metric));
  }
  static QualityResult counts_later(QualityResult result) {
    result.note = "counts when all tests pass";
    return result;
  }
  static QualityResult scored(QualityResult result, const LabQuality& q, double value) {
    result.value = value;
    result.points = points_of((value / result.baseline - q.none) / (q.full - q.none), q.points);
    return result;
  }

  double number_of(const LabQuality& q, const ProgramCase& c, const Function& f) const {
    if (q.metric == "static_instructions") return static_cast<double>(instruction_count(f));
    if (q.metric == "static_blocks") return static_cast<double>(f.layout.size());
    if (q.metric == "block_parameters") {
      size_t params = 0;
      for (BlockId b : f.layout) params += b == f.entry() ? 0 : f.block(b).params.size();
      return static_cast<double>(params);
    }
    if (q.metric == "block_executions" || q.metric == "dynamic_instructions") {
      auto warps = simulate_warps(f, c.spec, c.inputs, lab_.steps);
      if (!warps) return 0;
      return static_cast<double>(q.metric == "block_executions" ? warps->block_executions
                                                                : warps->dynamic_instructions);
    }
    for (const auto& [name, value] : interpret(f, c).first.stats)
      if (name == "steps") return value;
    return 0;
  }

  const LabFile& lab_;
  const Submission& submission_;
  std::string path_;
  std::vector<std::string> words_;
};

}  // namespace

std::expected<Grade, DriverError> grade_programs(const LabFile& lab, const Submission& submission) {
  return ProgramGrader(lab, submission).grade();
}

}  // namespace kc
