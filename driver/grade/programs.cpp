// SPDX-License-Identifier: Apache-2.0
// Labs whose submission is a program that reads a function as JSON: a pass, which writes a function, or an
// analysis, which writes what it has found.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "driver/commands/simulate.h"
#include "driver/compare.h"
#include "driver/compiler.h"
#include "driver/grade/branches.h"
#include "driver/grade/grade.h"
#include "driver/grade/measures.h"
#include "driver/grade/program_case.h"
#include "driver/grade/reason.h"
#include "driver/grade/registers.h"
#include "driver/grade/waves.h"
#include "driver/usage_errors.h"
#include "driver/written_function.h"
#include "fuzz/random_program.h"
#include "fuzz/reduce.h"
#include "ir/json/json.h"
#include "ir/text.h"
#include "passes/outside_pass.h"

namespace kc {
namespace {

// A program that fails is made smaller by at most so many attempts. What decides is how often the submission
// runs, since that starts a process: so often at most, and with few blocks less often.
constexpr size_t kMostReductions = 2000, kMostRuns = 200, kMostRunsOfSmall = 60;
constexpr uint32_t kFewBlocks = 12;
// And never after so much work, or ten times of the clock: submissions may be slow, or sleep. Points do not
// depend on it, and the rest of the result does only if a run takes some 100 ms.
constexpr double kReductionMs = 20'000, kReductionClock = 10;
// Where a submission takes too long it has only this share of its time for smaller programs, and at least so
// many seconds; the last of them is tried with all of its time.
constexpr double kShareOfLate = 0.1, kLeastOfLate = 0.2;
constexpr uint64_t kTriesForMasks = 10;
// Where only some random programs are of use, so many are looked at for each one that is wanted.
constexpr uint32_t kMostDraws = 64;

class ProgramGrader {
 public:
  ProgramGrader(const LabFile& lab, const Submission& submission, Grade& grade)
      : lab_(lab), submission_(submission), grade_(grade) {}

  Grading grade() {
    for (const LabTest& test : lab_.tests) {
      if (test.hidden && !submission_.hidden_seed) continue;
      TestResult result{.name = test.name, .of = test.points, .hidden = test.hidden};
      part_ = test.name;
      auto ok = co_await run_test(test, result);
      if (!ok) co_return std::unexpected(ok.error());
      grade_.tests.push_back(std::move(result));
    }
    for (const LabQuality& quality : lab_.quality) {
      part_ = quality.name;
      auto result = co_await measure(quality, grade_.right());
      if (!result) co_return std::unexpected(result.error());
      grade_.quality.push_back(std::move(*result));
    }
    co_return grade_;
  }

 private:
  // A computation that runs the submission.
  template <typename T>
  using Asking = Dialogue<SubmissionInput, SubmissionOutput, std::expected<T, DriverError>>;
  struct Done {};
  using Finding = std::expected<std::string, DriverError>;  // the difference; the error is no fault of it

  std::unexpected<DriverError> wrong_part(std::string_view part, const std::string& message) const {
    return usage_error(fmt::format("{}: '{}': {}", lab_.path, part, message));
  }

  Asking<Done> run_test(const LabTest& test, TestResult& result) {
    return test.program.empty() ? run_random(test, result) : run_file(test, result);
  }

  Asking<Done> run_file(const LabTest& test, TestResult& result) {
    auto text = read_input(lab_.place_of(test.program));
    if (!text) co_return std::unexpected(text.error());
    auto c = make_case(lab_, *text, lab_.place_of(test.program), words_of_launch(test.launch, {}));
    if (!c) co_return wrong_part(test.name, c.error());
    if (std::string why = why_no_question(*c, test.registers); !why.empty())
      co_return wrong_part(test.name, why);
    auto finding = co_await judge(*c, test);
    if (!finding) co_return std::unexpected(finding.error());
    file_fails_ |= !finding->empty();
    if (!test.hidden) result.runs = 1;
    if (!finding->empty()) result.reproduce = command_of_run(test.program, c->spec);
    finish(test, *finding, last_, result);
    co_return Done{};
  }

  Asking<Done> run_random(const LabTest& test, TestResult& result) {
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
      auto finding = co_await judge(*c, test);
      if (!finding) co_return std::unexpected(finding.error());
      ++runs;
      if (!test.hidden) result.runs = runs;
      if (finding->empty()) continue;
      FailingProgram failing{std::move(program), *finding, last_, 0};
      // A program that somebody wrote says it better than one that was made smaller.
      if (!test.hidden && !file_fails_) {
        GivenFunction given = given_function(*c);
        failing.blocks = given.blocks;
        auto reduced = co_await reduce(test, failing, std::move(given.text));
        if (!reduced) co_return std::unexpected(reduced.error());
        result.blocks = failing.blocks;
        result.program = failing.program.source;
        result.reproduce = command_of_run("random.cl", c->spec);
        result.counterexample = fmt::format("{}", fmt::join(failing.program.launch, " "));
      } else if (!test.hidden) {
        failing.difference += " (the program is not made smaller and shown: mend the tests above first)";
      }
      finish(test, failing.difference, failing.last, result);
      co_return Done{};
    }
    if (runs == 0)
      co_return wrong_part(test.name,
                           fmt::format("none of its {} random programs can be used: {}", tries, useless));
    finish(test, "", {}, result);
    co_return Done{};
  }

  // What the submission got, and what it wrote.
  struct Exchange {
    std::string got, wrote;
    std::vector<std::string> arguments;
  };

  // Shows what the submission writes for a program.
  std::string command_of_run(const std::string& file, const LaunchSpec& spec) const {
    if (submission_.command.empty()) return {};
    std::string text = fmt::format("kernelc {} --emit=ir-json", file);
    for (const std::string& option : lab_.options) text += " " + option;
    if (lab_.kind == LabKind::Registers)
      text += fmt::format(" --target=gfx900 --stop-after=allocate_scalars --global {} --local {}",
                          fmt::join(std::span(spec.global).first(spec.dims), ","),
                          fmt::join(std::span(spec.local).first(spec.dims), ","));
    else
      text += fmt::format(" --passes={}", fmt::join(lab_.before, ","));
    text += fmt::format(" | {}", submission_.command);
    for (const std::string& word : last_.arguments) text += " " + word;
    return text;
  }

  struct FailingProgram {
    fuzz::RandomProgram program;
    std::string difference;
    Exchange last;
    uint32_t blocks = 0;  // of the function that the submission gets
  };

  struct Reduction {
    std::string reason, text;           // text: of the smallest program
    uint32_t blocks = 0;                // of the function that the submission gets of it
    std::map<std::string, bool> known;  // by that function: whether the submission fails for this reason
    size_t runs = 0;                    // of the submission
    double work = 0, clock = 0;         // when it gives up
  };

  // Makes it smaller as long as it is one of the test's and fails for the same reason. `given`: what the
  // submission gets of it.
  Asking<Done> reduce(const LabTest& test, FailingProgram& failing, std::string given) {
    Reduction r{.reason = reason_of(failing.difference),
                .text = failing.program.source,
                .blocks = failing.blocks,
                .known = {{given, true}},
                .work = work_ms() + kReductionMs,
                .clock = now_ms() + kReductionClock * kReductionMs};
    const bool late = last_late_;
    if (late) seconds_ = std::min(lab_.seconds, std::max(kShareOfLate * lab_.seconds, kLeastOfLate));
    auto fewer = co_await reduce(test, failing, r, true);
    if (fewer && r.blocks > kFewBlocks) fewer = co_await reduce(test, failing, r, false);
    seconds_ = 0;
    if (!fewer) co_return std::unexpected(fewer.error());
    // What the submission got last may be older, and places in the message are those of the text that is
    // shown.
    auto c = test_case(r.text, failing);
    if (!c || (!late && gives_up(r))) co_return Done{};
    auto found = co_await judge(*c, test);
    if (found && reason_of(*found) == r.reason) {
      failing.program.source = std::move(r.text), failing.difference = *found;
      failing.last = last_, failing.blocks = given_function(*c).blocks;
    }
    co_return Done{};
  }
  // `fewer`: as long as there are many blocks, a candidate must have fewer of them to be worth a run.
  Asking<Done> reduce(const LabTest& test, FailingProgram& failing, Reduction& r, bool fewer) {
    auto steps = fuzz::reduction(r.text, kMostReductions);
    while (const std::string* smaller = steps.question()) {
      const bool few = r.blocks <= kFewBlocks;
      const bool goes_on = !gives_up(r) && r.runs < (few ? kMostRunsOfSmall : kMostRuns);
      auto c = goes_on ? test_case(*smaller, failing) : std::unexpected(std::string());
      GivenFunction given;
      if (c && why_no_question(*c, test.registers).empty() && !(test.lacking && has_already(*c, test)))
        given = given_function(*c);
      // Much of what a candidate lacks was removed before the submission got it. One with more blocks has
      // less code that is folded.
      auto verdict = r.known.find(given.text);
      const bool worth = given.blocks < r.blocks || (given.blocks == r.blocks && (few || !fewer));
      if (given.blocks == 0 || (verdict == r.known.end() && !worth)) {
        steps.answer(false);
        continue;
      }
      if (verdict == r.known.end() && depends_on_order(*c)) {
        steps.answer(false);
        continue;
      }
      if (verdict == r.known.end()) {
        ++r.runs;
        auto found = co_await judge(*c, test);
        const bool same = found && reason_of(*found) == r.reason;
        verdict = r.known.emplace(std::move(given.text), same).first;
        // That it takes longer than a share of its time does not show that it takes too long.
        if (same && !last_late_) {
          failing.program.source = *smaller, failing.difference = *found;
          failing.last = last_, failing.blocks = given.blocks;
        }
      }
      const bool fails = verdict->second && given.blocks <= r.blocks;
      if (fails) r.blocks = given.blocks;
      steps.answer(fails);
    }
    r.text = steps.result();
    co_return Done{};
  }

  double work_ms() const { return submission_.work_ms ? submission_.work_ms() : now_ms(); }
  bool gives_up(const Reduction& r) const { return work_ms() > r.work || now_ms() > r.clock; }

  // Whether the results of the program, where they are compared, may differ by chance.
  bool depends_on_order(const ProgramCase& c) const {
    if (!changes_functions(lab_.kind) && lab_.kind != LabKind::Registers) return false;
    auto engine = find_engine("interp")->make({.max_steps = lab_.steps, .find_order_dependence = true});
    const Program program{.source = c.kernel, .optimised = nullptr};
    return run_case(*engine, program, c).first.order_dependence.has_value();
  }

  std::expected<ProgramCase, std::string> test_case(const std::string& source,
                                                    const FailingProgram& failing) const {
    return make_case(lab_, source, "random.cl", failing.program.launch);
  }

  static void finish(const LabTest& test, const std::string& difference, const Exchange& last,
                     TestResult& result) {
    result.passed = difference.empty();
    if (result.passed) result.points = test.points;
    if (!result.passed && !test.hidden) result.got = last.got, result.wrote = last.wrote;
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

  struct GivenFunction {
    uint32_t blocks = 0;  // 0: there is none
    std::string text;     // without places in the source
  };
  GivenFunction given_function(const ProgramCase& c) const {
    auto state = prepared(c);
    if (!state) return {};
    Function& f = *state->f;
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) f.inst(i).loc = {};
    return {static_cast<uint32_t>(f.layout.size()), print(f)};
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

  Asking<std::string> judge(const ProgramCase& c, const LabTest& test) {
    if (lab_.kind == LabKind::Registers) {
      auto verdict = co_await assigned(c, test.name, test.registers);
      if (!verdict) co_return std::unexpected(verdict.error());
      co_return verdict->difference;
    }
    auto state = prepared(c);
    if (!state) co_return std::unexpected(state.error());
    if (changes_functions(lab_.kind)) {
      auto made = co_await transform(*state);
      if (!made || !made->empty()) co_return made;
      co_return compare(c, *state->f);
    }
    nlohmann::json answer;
    auto why = co_await ask(*state->f, answer);
    if (!why || !why->empty()) co_return why;
    const auto ids = json_ids(*state->f);
    co_return lab_.kind == LabKind::Dominators ? judge_dominators(*state->f, ids, answer)
                                               : judge_divergence(c, *state->f, ids, answer, test);
  }

  // Runs the submission; an error is in the output.
  Dialogue<SubmissionInput, SubmissionOutput, SubmissionOutput> run(std::string text,
                                                                    std::vector<std::string> arguments = {}) {
    last_ = {.got = text, .wrote = {}, .arguments = arguments};
    SubmissionInput input{
        .part = part_, .text = std::move(text), .arguments = std::move(arguments), .seconds = seconds_};
    SubmissionOutput output = co_await std::move(input);
    last_late_ = output.late;
    if (output.text) last_.wrote = *output.text;
    co_return output;
  }

  // What an analysis says about the function: one JSON object.
  Asking<std::string> ask(const Function& f, nlohmann::json& answer) {
    SubmissionOutput out = co_await run(write_json(f));
    if (!out.text) co_return no_output(out.text.error(), out.errors);
    answer = nlohmann::json::parse(*out.text, nullptr, false);
    co_return answer.is_object() ? "" : "what it wrote is not one JSON object";
  }

  // Runs the submission and what comes after, and checks what must hold then.
  Asking<std::string> transform(PassState& state) {
    SubmissionOutput out = co_await run(write_json(*state.f));
    if (!out.text) co_return no_output(out.text.error(), out.errors);
    const OutsidePass outside = [&](const Function&, std::string_view) {
      return written_function(*out.text);
    };
    auto changed = run_outside_pass(state, "exec:" + submission_.name(), outside);
    if (!changed) co_return no_output(changed.error(), out.errors);
    if (lab_.kind == LabKind::Wave)
      if (std::string why = why_no_wave(lab_, *state.f); !why.empty()) co_return why;
    auto ran = run_after(state, lab_.after);
    if (!ran || !ran->empty()) co_return ran;
    if (const uint32_t missing = lab_.require & ~properties_of(state, lab_.require))
      co_return fmt::format("{} does not hold: {}", property_names(missing), why_missing(state, missing));
    co_return "";
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

  Asking<QualityResult> measure(const LabQuality& q, bool right) {
    QualityResult result{.name = q.name, .metric = q.metric, .of = q.points};
    if (lab_.kind != LabKind::Registers)
      if (std::string why = wrong_measure(lab_.kind, q); !why.empty()) co_return wrong_part(q.name, why);
    auto text = read_input(lab_.place_of(q.program));
    if (!text) co_return std::unexpected(text.error());
    auto c = make_case(lab_, *text, lab_.place_of(q.program), words_of_launch(q.launch, {}));
    if (!c) co_return wrong_part(q.name, c.error());
    auto base = baseline_of(q, *c);
    if (!base) co_return std::unexpected(base.error());
    result.baseline = *base;
    if (!(result.baseline > 0))
      co_return wrong_part(q.name, fmt::format("{} of the baseline is 0", q.metric));
    if (!right) {
      result.note = "counts when all tests pass";
      co_return result;
    }
    auto why = co_await measure_submission(q, *c, result.value);
    if (!why) co_return std::unexpected(why.error());
    result.note = *why;
    if (why->empty())
      result.points = points_of((result.value / result.baseline - q.none) / (q.full - q.none), q.points);
    co_return result;
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
  Asking<std::string> measure_submission(const LabQuality& q, const ProgramCase& c, double& value) {
    std::expected<double, std::string> number;
    if (lab_.kind == LabKind::Registers) {
      auto verdict = co_await assigned(c, q.name, q.registers);
      if (!verdict) co_return std::unexpected(verdict.error());
      if (!verdict->difference.empty()) co_return verdict->difference;
      number = count_of(q, *verdict);
    } else if (lab_.kind == LabKind::Divergence) {
      co_return co_await count_divergent(c, value);
    } else {
      auto state = prepared(c);
      if (!state) co_return std::unexpected(state.error());
      auto why = co_await transform(*state);
      if (why && why->empty()) why = compare(c, *state->f);
      if (!why || !why->empty()) co_return why;
      number = measure_of(q, c, *state->f, lab_.steps);
    }
    if (!number) co_return number.error();
    value = *number;
    co_return "";
  }

  // How many branches are called divergent.
  Asking<std::string> count_divergent(const ProgramCase& c, double& value) {
    auto state = prepared(c);
    if (!state) co_return std::unexpected(state.error());
    nlohmann::json answer;
    auto why = co_await ask(*state->f, answer);
    if (!why || !why->empty()) co_return why;
    const nlohmann::json list = answer.is_object() ? answer.value("divergent", nlohmann::json()) : answer;
    if (!list.is_array()) co_return "it wrote no {\"divergent\": [BLOCK, ...]}";
    const auto ids = json_ids(*state->f);
    for (size_t i = 0; i < ids.size(); ++i)
      value += state->f->successors(state->f->layout[i]).size() > 1 && says(list, ids[i]);
    co_return "";
  }

  static std::expected<double, std::string> count_of(const LabQuality& q, const RegisterVerdict& verdict) {
    std::vector<std::string_view> known;
    for (const auto& [name, value] : verdict.counts) {
      if (name == q.metric) return value;
      known.push_back(name);
    }
    return std::unexpected(unknown_name("metric", q.metric, known));
  }

  static std::vector<std::string> words_of(RegisterRange range) {
    return {std::to_string(range.first), std::to_string(range.last)};
  }

  // Has the submission assign registers to the code of a kernel.
  Asking<RegisterVerdict> assigned(const ProgramCase& c, const std::string& part, uint32_t registers) {
    auto question = ask_registers(lab_, c, registers);
    if (!question) co_return wrong_part(part, question.error());
    SubmissionOutput out = co_await run(std::move(question->function_json), words_of(question->registers));
    if (!out.text) {
      Finding why = no_output(out.text.error(), out.errors);
      if (!why) co_return std::unexpected(why.error());
      co_return RegisterVerdict{*why, {}};
    }
    auto verdict = try_registers(lab_, c, registers, *out.text);
    if (!verdict) co_return wrong_part(part, verdict.error());
    co_return *verdict;
  }

  const LabFile& lab_;
  const Submission& submission_;
  Grade& grade_;
  std::string part_;  // that is being graded
  Exchange last_;
  bool last_late_ = false;   // the last run took too long
  double seconds_ = 0;       // what a run may take, if not the lab's
  bool file_fails_ = false;  // a test with a program of the lab
};

}  // namespace

Grading grading(const LabFile& lab, const Submission& submission, Grade& so_far) {
  ProgramGrader grader(lab, submission, so_far);
  co_return co_await grader.grade();
}

}  // namespace kc
