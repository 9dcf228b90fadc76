// SPDX-License-Identifier: Apache-2.0
#include "driver/lab/grading.h"

#include <fmt/format.h>

namespace kc {
namespace {

using LabJson = nlohmann::ordered_json;

// What is shown of what a submission wrote.
constexpr size_t kMostShown = size_t{1} << 20;

}  // namespace

std::expected<std::unique_ptr<LabGrading>, DriverError> LabGrading::begin(const std::string& path,
                                                                          const std::string& name) {
  auto lab = read_lab(path);
  if (!lab) return std::unexpected(lab.error());
  if (!runs_programs(lab->kind))
    return usage_error(fmt::format("{}: submissions to this lab are no programs", path));
  std::unique_ptr<LabGrading> grading(new LabGrading(std::move(*lab)));
  grading->submission_.path = name;
  grading->steps_ = kc::grading(grading->lab_, grading->submission_, grading->grade_);
  return grading;
}

void LabGrading::answer(std::optional<std::string> text, const std::string& problem,
                        const std::string& errors) {
  if (!steps_->question()) return;
  SubmissionOutput output;
  if (text)
    output.text = std::move(*text);
  else
    output.text = std::unexpected(CompileError{CompileError::Outside, problem});
  output.errors = errors;
  steps_->answer(std::move(output));
}

LabJson LabGrading::reply() {
  const SubmissionInput* input = steps_->question();
  if (!input && !steps_->result()) {
    const DriverError& e = steps_->result().error();
    return {{"error", {{"status", e.status}, {"message", e.message}}}};
  }
  LabJson grade = LabJson::parse(grade_json(lab_, submission_, grade_));
  for (size_t i = 0; i < grade_.tests.size(); ++i) {
    const TestResult& t = grade_.tests[i];
    if (t.passed || t.hidden) continue;
    grade["tests"][i]["got"] = t.got;
    grade["tests"][i]["wrote"] = t.wrote.substr(0, kMostShown);
  }
  LabJson reply{{"grade", std::move(grade)}};
  if (input) reply["run"] = {{"part", input->part}, {"input", input->text}, {"arguments", input->arguments}};
  return reply;
}

}  // namespace kc
