// SPDX-License-Identifier: Apache-2.0
// Labs about reading divergence: the submission says for each line with a branch whether lanes can part
// there.
#include <fmt/format.h>

#include <charconv>

#include "driver/compiler.h"
#include "driver/grade/branches.h"
#include "driver/grade/grade.h"
#include "driver/usage_errors.h"

namespace kc {
namespace {

using Places = std::map<std::pair<std::string, uint32_t>, LineBranches>;
using Answers = std::map<std::pair<std::string, uint32_t>, bool>;  // whether it is said to be divergent

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('#'));
  while (!line.empty()) {
    const size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    line.remove_prefix(begin);
    const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    if (end) words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

// "FILE:LINE divergent" or "... uniform", one on each line; an error says what is wrong with the line.
std::string read_answer(const std::vector<std::string_view>& words, const Places& places, Answers& answers) {
  if (words.size() != 2 || words[0].find(':') == std::string_view::npos)
    return "expected FILE:LINE divergent, or FILE:LINE uniform";
  const size_t colon = words[0].rfind(':');
  const std::string file(words[0].substr(0, colon));
  const std::string_view digits = words[0].substr(colon + 1);
  uint32_t line = 0;
  auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (ec != std::errc{} || end != digits.data() + digits.size())
    return fmt::format("'{}' is not the number of a line", digits);
  if (words[1] != "divergent" && words[1] != "uniform")
    return unknown_name("answer", words[1], {"divergent", "uniform"});
  if (!places.contains({file, line})) {
    std::vector<std::string> lines;
    for (const auto& [place, truth] : places)
      if (place.first == file) lines.push_back(std::to_string(place.second));
    if (lines.empty()) return fmt::format("'{}' is not a program of this lab", file);
    return fmt::format("line {} of {} has no branch; these have one: {}", line, file, fmt::join(lines, ", "));
  }
  if (!answers.try_emplace({file, line}, words[1] == "divergent").second)
    return fmt::format("{}:{} is answered twice", file, line);
  return {};
}

// Errors of all lines, each with its place.
std::string read_answers(const Submission& s, const Places& places, Answers& answers) {
  std::string errors;
  std::string_view text = s.text;
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const auto words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (std::string problem = read_answer(words, places, answers); !problem.empty())
      errors += fmt::format("{}:{}: error: {}\n", s.name(), number, problem);
  }
  return errors;
}

// The question that a student who answered this line wrong did not ask, and not its answer: that is the task.
std::string_view where_to_look(const LineBranches& truth) {
  if (!truth.divergent) return "follow each operand back; is there a lane in which it differs?";
  switch (truth.way) {
    case NoteKind::Join:
      return "which lanes bring which value to where paths join?";
    case NoteKind::Loop:
      return "in which iteration does each lane leave the loop before it?";
    default:
      return "what is each operand computed from?";
  }
}

std::expected<std::map<uint32_t, LineBranches>, DriverError> truth_of(const LabFile& lab,
                                                                      const LabTest& test) {
  CommandLine command = command_of(lab, lab.place_of(test.program), words_of_launch(test.launch, {}));
  auto wrong = [&](const std::string& message) {
    return usage_error(fmt::format("{}: test '{}': {}", lab.path, test.name, message));
  };
  if (!command.options) return wrong(command.text);
  auto session = open_session(*command.options);
  if (!session) return wrong(session.error().message);
  auto lines = branches_by_line(*session, lab.steps);
  if (!lines) return wrong(lines.error().message);
  if (lines->empty()) return wrong("the program has no branch");
  // What analysis suspects and no lane does is no question with a clear answer.
  for (const auto& [number, branches] : *lines)
    if (branches.divergent != branches.parted)
      return wrong(fmt::format(
          "line {}: the branch is divergent by analysis, but in this launch no lanes part there", number));
  return lines;
}

}  // namespace

std::expected<Grade, DriverError> grade_answers(const LabFile& lab, const Submission& submission) {
  Places places;
  for (const LabTest& test : lab.tests) {
    auto truth = truth_of(lab, test);
    if (!truth) return std::unexpected(truth.error());
    for (auto& [line, branches] : *truth)
      if (!places.try_emplace({test.program, line}, std::move(branches)).second)
        return usage_error(fmt::format("{}: two tests are about '{}'", lab.path, test.program));
  }
  Grade grade;
  Answers answers;
  grade.source_errors = read_answers(submission, places, answers);
  for (const LabTest& test : lab.tests) {
    TestResult result{.name = test.name, .of = test.points, .runs = 1};
    int right = 0, wrong = 0, all = 0;
    for (const auto& [place, truth] : places) {
      if (place.first != test.program) continue;
      ++all;
      const auto answer = answers.find(place);
      if (answer == answers.end()) {
        result.remarks.push_back(fmt::format("{}:{} is not answered", place.first, place.second));
      } else if (answer->second == truth.divergent) {
        ++right;
      } else {
        ++wrong;
        result.remarks.push_back(
            fmt::format("{}:{} is wrong: {}", place.first, place.second, where_to_look(truth)));
      }
    }
    result.passed = right == all && grade.source_errors.empty();
    // With a line that cannot be read nothing counts.
    if (!grade.source_errors.empty())
      result.note = first_line(grade.source_errors);
    else if (!result.remarks.empty())
      result.note = fmt::format("{} of {} right, {} wrong", right, all, wrong);
    // A wrong answer costs what a right one gains, so that guessing gains nothing.
    if (grade.source_errors.empty())
      result.points = points_of(static_cast<double>(right - wrong) / all, test.points);
    grade.tests.push_back(std::move(result));
  }
  return grade;
}

}  // namespace kc
