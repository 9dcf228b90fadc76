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
#include "driver/grade/measures.h"
#include "driver/grade/program_case.h"
#include "driver/grade/registers.h"
#include "driver/grade/waves.h"
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
constexpr uint64_t kTriesForMasks = 10;
// Where only some random programs are of use, so many are looked at for each one that is wanted.
constexpr uint32_t kMostDraws = 64;

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
  using Finding = std::expected<std::string, DriverError>;  // the difference; the error is no fault of it

  std::unexpected<DriverError> wrong_part(std::string_view part, const std::string& message) const {
    return usage_error(fmt::format("{}: '{}': {}", lab_.path, part, message));
  }

  bool is_script() const { return path_.ends_with(".py"); }

  std::expected<void, DriverError> run_file(const LabTest& test, TestResult& result) {
    auto text = read_input(lab_.folder + test.program);
    if (!text) return std::unexpected(text.error());
    auto c = make_case(lab_, *text, lab_.folder + test.program, words_of_launch(test.launch, {}));
    if (!c) return wrong_part(test.name, c.error());
    if (std::string why = why_no_question(*c, test.registers); !why.empty())
      return wrong_part(test.name, why);
    auto finding = judge(*c, test);
    if (!finding) return std::unexpected(finding.error());
    file_fails_ |= !finding->empty();
    if (!test.hidden) result.runs = 1;
    finish(test, *finding, result);
    return {};
  }

  std::expected<void, DriverError> run_random(const LabTest& test, TestResult& result) {
    const uint64_t seed = test.hidden ? *submission_.hidden_seed : test.seed;
    // Few random programs are a matter of masks alone.
    const uint64_t tries = uint64_t{test.count} * (lab_.kind == LabKind::Wave ? kTriesForMasks
                                                   : test.lacking             ? kMostDraws
                                                                              : 1);
    uint32_t runs = 0;
    std::string useless;
    for (uint64_t run = 0; run < tries && runs < test.count; ++run) {
      const auto number = static_cast<uint64_t>(draw_numbers(test, seed, run)["seed"]);
      fuzz::RandomProgram program =
          fuzz::random_program(number, {.math = false, .vectors = false, .large = 0, .images = 0});
      auto c = make_case(lab_, program.source, "random.cl", program.launch);
      if (std::string why = c ? why_no_question(*c, test.registers) : c.error(); !why.empty()) {
        useless = why;  // it says nothing about the submission
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
      // A program that somebody wrote says it better than one that was made smaller.
      if (!test.hidden && !file_fails_) {
        result.blocks = blocks_of(*c);
        const double give_up = now_ms() + kReductionMs;
        size_t tried = 0;
        result.program = fuzz::reduce(
            program.source,
            [&](const std::string& smaller) {
              if (now_ms() > give_up || (result.blocks <= kFewBlocks && tried >= kMostRuns)) return false;
              auto again = make_case(lab_, smaller, "random.cl", program.launch);
              if (!again) return false;
              ++tried;
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
                        fmt::format("none of its {} random programs can be used: {}", tries, useless));
    finish(test, "", result);
    return {};
  }

  static void finish(const LabTest& test, const std::string& difference, TestResult& result) {
    result.passed = difference.empty();
    if (result.passed) result.points = test.points;
    // Anything else could tell the seed of a hidden test.
    result.note = result.passed || !test.hidden ? difference : "a hidden program fails";
  }

  // Why nothing can be asked about the program in a lab of this kind, or empty.
  std::string why_no_question(const ProgramCase& c, uint32_t registers) const {
    if (lab_.kind == LabKind::Registers) {
      auto own = own_registers(lab_, c, registers);
      return own ? "" : own.error();
    }
    if (lab_.kind != LabKind::Divergence && lab_.kind != LabKind::Wave) return "";
    if (lab_.kind == LabKind::Wave && !c.kernel->traps.empty()) return "it has traps";
    auto state = prepared(c);
    if (!state) return "";  // an error that `judge` reports
    if (lab_.kind == LabKind::Wave) return why_no_question_of_masks(*state->f);
    return observe_partings(*state->f, c.spec, c.inputs, lab_.steps)
               ? ""
               : "the program traps: nothing is known about its lanes";
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
    if (lab_.width) state.wave.width = lab_.width;
    const std::vector<std::string_view> before(lab_.before.begin(), lab_.before.end());
    if (auto ran = run_pipeline(state, before); !ran) return wrong_part("before", ran.error().message);
    return state;
  }

  Finding judge(const ProgramCase& c, const LabTest& test) {
    if (lab_.kind == LabKind::Registers) {
      auto verdict = assigned(c, test.name, test.registers);
      return verdict ? Finding(verdict->difference) : std::unexpected(verdict.error());
    }
    auto state = prepared(c);
    if (!state) return std::unexpected(state.error());
    if (changes_functions(lab_.kind)) {
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
    if (lab_.kind == LabKind::Wave)
      if (std::string why = why_no_wave(lab_, *state.f); !why.empty()) return why;
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
    if (lab_.kind == LabKind::Pass && f.dialect != Dialect::Thread)
      return "it leaves a function of the wave dialect";
    return difference_of(c, run_case(f, c, lab_.steps));
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
    if (lab_.kind != LabKind::Registers)
      if (std::string why = wrong_measure(lab_.kind, q); !why.empty()) return wrong_part(q.name, why);
    auto text = read_input(lab_.folder + q.program);
    if (!text) return std::unexpected(text.error());
    auto c = make_case(lab_, *text, lab_.folder + q.program, words_of_launch(q.launch, {}));
    if (!c) return wrong_part(q.name, c.error());
    auto base = baseline_of(q, *c);
    if (!base) return std::unexpected(base.error());
    result.baseline = *base;
    if (!(result.baseline > 0)) return wrong_part(q.name, fmt::format("{} of the baseline is 0", q.metric));
    if (!right) {
      result.note = "counts when all tests pass";
      return result;
    }
    auto why = measure_submission(q, *c, result.value);
    if (!why) return std::unexpected(why.error());
    result.note = *why;
    if (why->empty())
      result.points = points_of((result.value / result.baseline - q.none) / (q.full - q.none), q.points);
    return result;
  }

  std::expected<double, DriverError> baseline_of(const LabQuality& q, const ProgramCase& c) const {
    if (lab_.kind == LabKind::Registers) {
      auto own = own_registers(lab_, c, q.registers);
      auto number = own ? count_of(q, *own) : std::unexpected(own.error());
      if (!number) return wrong_part(q.name, number.error());
      return *number;
    }
    auto base = prepared(c);
    if (!base) return std::unexpected(base.error());
    if (lab_.kind == LabKind::Divergence)
      return static_cast<double>(
          std::ranges::count(analyse_uniformity(*base->f, ids_of(c.spec)).divergent_branch, true));
    for (const auto& passes : {q.baseline_passes, lab_.after})
      if (auto why = run_after(*base, passes); !why || !why->empty())
        return wrong_part(q.name, why ? *why : why.error().message);
    auto number = measure_of(q, c, *base->f, lab_.steps);
    if (!number) return wrong_part(q.name, number.error());
    return *number;
  }

  // Sets the number, or says why the submission has none.
  Finding measure_submission(const LabQuality& q, const ProgramCase& c, double& value) {
    std::expected<double, std::string> number;
    if (lab_.kind == LabKind::Registers) {
      auto verdict = assigned(c, q.name, q.registers);
      if (!verdict) return std::unexpected(verdict.error());
      if (!verdict->difference.empty()) return verdict->difference;
      number = count_of(q, *verdict);
    } else if (lab_.kind == LabKind::Divergence) {
      return count_divergent(c, value);
    } else {
      auto state = prepared(c);
      if (!state) return std::unexpected(state.error());
      auto why = transform(*state);
      if (why && why->empty()) why = compare(c, *state->f);
      if (!why || !why->empty()) return why;
      number = measure_of(q, c, *state->f, lab_.steps);
    }
    if (!number) return number.error();
    value = *number;
    return "";
  }

  // How many branches are called divergent.
  Finding count_divergent(const ProgramCase& c, double& value) {
    auto state = prepared(c);
    if (!state) return std::unexpected(state.error());
    nlohmann::json answer;
    auto why = ask(*state->f, answer);
    if (!why || !why->empty()) return why;
    const nlohmann::json list = answer.is_object() ? answer.value("divergent", nlohmann::json()) : answer;
    if (!list.is_array()) return "it wrote no {\"divergent\": [BLOCK, ...]}";
    const auto ids = json_ids(*state->f);
    for (size_t i = 0; i < ids.size(); ++i)
      value += state->f->successors(state->f->layout[i]).size() > 1 && says(list, ids[i]);
    return "";
  }

  static std::expected<double, std::string> count_of(const LabQuality& q, const RegisterVerdict& verdict) {
    std::vector<std::string_view> known;
    for (const auto& [name, value] : verdict.counts) {
      if (name == q.metric) return value;
      known.push_back(name);
    }
    return std::unexpected(unknown_name("metric", q.metric, known));
  }

  // Has the submission assign registers to the code of a kernel.
  std::expected<RegisterVerdict, DriverError> assigned(const ProgramCase& c, const std::string& part,
                                                       uint32_t registers) const {
    std::optional<DriverError> absent;
    const Assigner ask = [&](const std::string& f,
                             RegisterRange range) -> std::expected<std::string, std::string> {
      std::vector<std::string> words = words_;
      words.insert(words.end(), {std::to_string(range.first), std::to_string(range.last)});
      std::string errors;
      auto out = output_of(words, f, limits(errors));
      if (out) return *out;
      auto why = no_output(out.error(), errors);
      if (!why) absent = why.error();
      return std::unexpected(why ? *why : why.error().message);
    };
    auto verdict = try_registers(lab_, c, registers, ask);
    if (absent) return std::unexpected(*absent);
    if (!verdict) return wrong_part(part, verdict.error());
    return *verdict;
  }

  const LabFile& lab_;
  const Submission& submission_;
  std::string path_;
  std::vector<std::string> words_;
  bool file_fails_ = false;  // a test with a program of the lab
};

}  // namespace

std::expected<Grade, DriverError> grade_programs(const LabFile& lab, const Submission& submission) {
  return ProgramGrader(lab, submission).grade();
}

}  // namespace kc
