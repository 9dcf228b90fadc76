// SPDX-License-Identifier: Apache-2.0
// Grades a submission that a page runs: what the lab in the browser asks the WebAssembly module.
// web/wasm/README.md has the schema.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "driver/grade/grade.h"

namespace kc {

/// One submission, from its first run to its points.
class LabGrading {
 public:
  /// `path` is that of a lab file that the request brings. ExitUsage if it is wrong, or if its submissions
  /// are no programs.
  static std::expected<std::unique_ptr<LabGrading>, DriverError> begin(const std::string& path,
                                                                       const std::string& name);
  /// What the submission wrote when it got the input of the last reply. Without a text, `problem` says why.
  void answer(std::optional<std::string> text, const std::string& problem, const std::string& errors);
  /// The parts that are graded, and the input of the next run, if there is one.
  nlohmann::ordered_json reply();

 private:
  explicit LabGrading(LabFile lab) : lab_(std::move(lab)) {}
  LabFile lab_;
  Submission submission_;
  Grade grade_;
  std::optional<Grading> steps_;
};

}  // namespace kc
