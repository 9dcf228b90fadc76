// SPDX-License-Identifier: Apache-2.0
// Grades a submission by a lab file. The same files give the same result; of hidden tests it says only
// whether they passed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/grade/lab_file.h"
#include "fuzz/dialogue.h"
#include "passes/pass_runner.h"

namespace kc {

struct TestResult {
  std::string name;
  double points = 0;
  uint32_t of = 0;
  uint32_t runs = 0;  // that were made; a test ends with the first run that fails
  bool passed = false, hidden = false;
  std::string note;            // the first difference
  std::string program;         // the smallest that was found to fail, where programs are random
  uint32_t blocks = 0;         // of that program, as the submission gets it
  std::string counterexample;  // the smallest launch that was found to fail; empty without drawn numbers
  std::vector<std::string> remarks;  // answers: one for each that is wrong
  // Of a submission that is a program, where a public test fails: what it got last, and what it wrote; and a
  // command that shows the latter, as one types it in the folder of the lab.
  std::string got, wrote, reproduce;
};

struct QualityResult {
  std::string name, metric;
  double points = 0;
  uint32_t of = 0;
  double value = 0, baseline = 0;
  std::string note;  // why there are no numbers
};

struct Grade {
  std::vector<TestResult> tests;
  std::vector<QualityResult> quality;
  std::string source_errors;  // the submission cannot be read or compiled: there are no points

  double points() const;
  uint32_t of() const;
  /// Every test passed; quality may be missing.
  bool right() const;
};

struct Submission {
  std::string path, text;
  /// Without the folder, which must not be in results.
  std::string name() const { return path.substr(path.rfind('/') + 1); }
  std::optional<uint64_t> hidden_seed;  // without it, hidden tests are left out
  std::string command;  // that runs a program, as one types it beside it; empty where there is none
  // Milliseconds of work of the grader and of what it runs, from some point on; null: of the clock.
  double (*work_ms)() = nullptr;
};

/// An error means that the lab file or one of its files is wrong, or a component is absent.
std::expected<Grade, DriverError> grade_answers(const LabFile& lab, const Submission& submission);
std::expected<Grade, DriverError> grade_launches(const LabFile& lab, const Submission& submission);
/// Each run of the submission is a process.
std::expected<Grade, DriverError> grade_programs(const LabFile& lab, const Submission& submission);

/// One run of a submission that is a program.
struct SubmissionInput {
  std::string part;                    // the test or the measure
  std::string text;                    // for its standard input
  std::vector<std::string> arguments;  // words for its command line
  double seconds = 0;                  // that it may take, if not those of the lab
};
/// What it wrote to standard output, or why there is nothing (Absent: it cannot be run; else Outside).
struct SubmissionOutput {
  std::expected<std::string, CompileError> text;
  std::string errors;  // its standard error
  bool late = false;   // it was ended for a limit of time
};
/// What `grade_programs` does, where somebody else runs the submission: another process, or a page. `so_far`
/// has the parts that are graded. All references must stay.
using Grading = Dialogue<SubmissionInput, SubmissionOutput, std::expected<Grade, DriverError>>;
Grading grading(const LabFile& lab, const Submission& submission, Grade& so_far);

/// All of it, for people; as one JSON object; as JUnit's XML.
std::string grade_text(const LabFile& lab, const Submission& submission, const Grade& grade);
std::string grade_json(const LabFile& lab, const Submission& submission, const Grade& grade);
std::string grade_junit(const LabFile& lab, const Submission& submission, const Grade& grade);

/// Grades the parts in order: `run(test, result)` fills in what a test came to, `measure(quality, right)`
/// says what quality is worth, `right` being whether every test passed.
template <typename Run, typename Measure>
std::expected<Grade, DriverError> grade_parts(const LabFile& lab, const Submission& submission, Grade grade,
                                              Run run, Measure measure) {
  for (const LabTest& test : lab.tests) {
    if (test.hidden && !submission.hidden_seed) continue;
    TestResult result{.name = test.name, .of = test.points, .hidden = test.hidden};
    if (auto ok = run(test, result); !ok) return std::unexpected(ok.error());
    grade.tests.push_back(std::move(result));
  }
  for (const LabQuality& quality : lab.quality) {
    auto result = measure(quality, grade.right());
    if (!result) return std::unexpected(result.error());
    grade.quality.push_back(std::move(*result));
  }
  return grade;
}

/// Points that a share of a test is worth, rounded down to hundredths.
double points_of(double share, uint32_t of);

}  // namespace kc
