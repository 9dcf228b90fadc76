// SPDX-License-Identifier: Apache-2.0
// kernelc grade: points for a submission by a lab file. docs/grade.md describes both.
#include <fmt/format.h>
#include <sys/prctl.h>

#include <charconv>

#include "driver/compiler.h"
#include "driver/grade/grade.h"
#include "driver/grade/installed_course.h"

namespace kc {
namespace {

// A number, and blanks around it.
std::expected<uint64_t, DriverError> read_seed(const std::string& path) {
  auto text = read_input(path);
  if (!text) return std::unexpected(text.error());
  const size_t begin = text->find_first_not_of(" \n\t\r");
  const size_t end = text->find_last_not_of(" \n\t\r");
  uint64_t seed = 0;
  if (begin != std::string::npos) {
    const char* last = text->data() + end + 1;
    auto [stop, ec] = std::from_chars(text->data() + begin, last, seed);
    if (ec == std::errc{} && stop == last) return seed;
  }
  // The message does not repeat what the file holds.
  return usage_error(fmt::format("{}: expected one whole number, the seed of hidden tests", path));
}

}  // namespace

int command_grade(const Options& o) {
  auto lab = read_lab(o.file);
  if (!lab) return report(lab.error());
  *lab = with_installed_course(std::move(*lab));
  Submission submission{.path = o.submission};
  auto text = read_input(o.submission);
  if (!text) return report(text.error());
  submission.text = std::move(*text);
  if (!o.hidden_seed.empty()) {
    auto seed = read_seed(o.hidden_seed);
    if (!seed) return report(seed.error());
    submission.hidden_seed = *seed;
    // A submission that is a program has the same user: it could look for the seed in this process otherwise.
    prctl(PR_SET_DUMPABLE, 0);
  }
  auto grade = runs_programs(lab->kind)        ? grade_programs(*lab, submission)
               : lab->kind == LabKind::Answers ? grade_answers(*lab, submission)
                                               : grade_launches(*lab, submission);
  if (!grade) return report(grade.error());
  if (!o.junit.empty())
    if (auto ok = write_output(o.junit, grade_junit(*lab, submission, *grade)); !ok)
      return report(ok.error());
  std::fputs(grade->source_errors.c_str(), stderr);
  const std::string out =
      o.json ? grade_json(*lab, submission, *grade) : grade_text(*lab, submission, *grade);
  if (auto ok = write_output("-", out); !ok) return report(ok.error());
  return !grade->source_errors.empty() ? ExitSource : grade->right() ? ExitOk : ExitMismatch;
}

}  // namespace kc
