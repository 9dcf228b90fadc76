// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "driver/grade/grade.h"

namespace kc {
namespace {

using GradeJson = nlohmann::ordered_json;

std::string in_xml(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n')
      out += "&#10;";
    else if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126)
      out += '?';
    else
      out += c;
  }
  return out;
}

std::string score(double points, uint32_t of) { return fmt::format("{:g}/{}", points, of); }

// Each line after two blanks.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("  {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string size_of(const TestResult& t) {
  return fmt::format("{} block{}", t.blocks, t.blocks == 1 ? "" : "s");
}

// Of the first test that fails and has one.
std::string reproducing(const Grade& grade) {
  for (const TestResult& t : grade.tests)
    if (!t.passed && !t.reproduce.empty())
      return fmt::format("\nWhat it writes in the test '{}', seen in the folder of the lab{}:\n  {}\n",
                         t.name, t.program.empty() ? "" : " (random.cl is the program below)", t.reproduce);
  return {};
}

std::string failure_of(const TestResult& t) {
  std::string text = t.note;
  for (const std::string& remark : t.remarks) text += fmt::format("{}{}", text.empty() ? "" : "\n", remark);
  if (!t.counterexample.empty()) text += fmt::format("\nsmallest launch that fails: {}", t.counterexample);
  if (!t.program.empty())
    text += fmt::format("\nsmallest program that was found to fail ({}):\n{}", size_of(t), t.program);
  return text;
}

}  // namespace

double points_of(double share, uint32_t of) {
  // The nearest hundredth below; the addition keeps a product such as 0.29 * 100 from losing one.
  return std::floor(std::clamp(share, 0.0, 1.0) * of * 100 + 1e-6) / 100;
}

double Grade::points() const {
  double sum = 0;
  for (const TestResult& t : tests) sum += t.points;
  for (const QualityResult& q : quality) sum += q.points;
  return std::round(sum * 100) / 100;
}

uint32_t Grade::of() const {
  uint32_t sum = 0;
  for (const TestResult& t : tests) sum += t.of;
  for (const QualityResult& q : quality) sum += q.of;
  return sum;
}

bool Grade::right() const { return source_errors.empty() && std::ranges::all_of(tests, &TestResult::passed); }

std::string grade_text(const LabFile& lab, const Submission& submission, const Grade& grade) {
  std::string out = fmt::format("{}: {}\n\n", lab.title, submission.name());
  size_t wide = std::string_view("test").size();
  for (const TestResult& t : grade.tests) wide = std::max(wide, t.name.size());
  for (const QualityResult& q : grade.quality) wide = std::max(wide, q.name.size());
  out += fmt::format("{:<{}}  {:>10}  result\n", "test", wide, "points");
  for (const TestResult& t : grade.tests) {
    out += fmt::format("{:<{}}  {:>10}  {}{}\n", t.name, wide, score(t.points, t.of),
                       t.passed ? "pass" : "FAIL", t.note.empty() ? "" : "  " + t.note);
    for (const std::string& remark : t.remarks) out += fmt::format("  {}\n", remark);
    // Dominators are the same in each launch.
    if (!t.counterexample.empty() && lab.kind != LabKind::Dominators)
      out += fmt::format("  smallest launch that fails: {}\n", t.counterexample);
  }
  for (const QualityResult& q : grade.quality)
    out += fmt::format(
        "{:<{}}  {:>10}  {}\n", q.name, wide, score(q.points, q.of),
        q.note.empty() ? fmt::format("{} {:g}, baseline {:g}", q.metric, q.value, q.baseline) : q.note);
  out += fmt::format("{:<{}}  {:>10}\n", "total", wide, score(grade.points(), grade.of()));
  out += reproducing(grade);
  for (const TestResult& t : grade.tests)
    if (!t.program.empty())
      out += fmt::format("\n{}: the smallest program that was found to fail, {}\n{}", t.name, size_of(t),
                         indented(t.program));
  return out;
}

std::string grade_json(const LabFile& lab, const Submission& submission, const Grade& grade) {
  GradeJson out{{"lab", lab.title}, {"submission", submission.name()}, {"points", grade.points()},
                {"of", grade.of()}, {"tests", GradeJson::array()},     {"quality", GradeJson::array()}};
  if (!grade.source_errors.empty()) out["errors"] = grade.source_errors;
  for (const TestResult& t : grade.tests) {
    GradeJson one{{"name", t.name}, {"points", t.points}, {"of", t.of},
                  {"runs", t.runs}, {"hidden", t.hidden}, {"result", t.passed ? "pass" : "fail"},
                  {"note", t.note}};
    if (!t.remarks.empty()) one["remarks"] = t.remarks;
    if (!t.counterexample.empty()) one["counterexample"] = t.counterexample;
    if (!t.reproduce.empty()) one["reproduce"] = t.reproduce;
    if (!t.program.empty()) {
      one["program"] = t.program;
      one["blocks"] = t.blocks;
    }
    out["tests"].push_back(std::move(one));
  }
  for (const QualityResult& q : grade.quality)
    out["quality"].push_back({{"name", q.name},
                              {"points", q.points},
                              {"of", q.of},
                              {"metric", q.metric},
                              {"value", q.value},
                              {"baseline", q.baseline},
                              {"note", q.note}});
  return out.dump(2, ' ', false, GradeJson::error_handler_t::replace) + "\n";
}

std::string grade_junit(const LabFile& lab, const Submission& submission, const Grade& grade) {
  const auto failures = std::ranges::count_if(grade.tests, [](const TestResult& t) { return !t.passed; });
  const std::string suite = in_xml(lab.title);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n"
      "  <properties>\n"
      "    <property name=\"submission\" value=\"{}\"/>\n"
      "    <property name=\"points\" value=\"{:g}\"/>\n"
      "    <property name=\"of\" value=\"{}\"/>\n",
      suite, grade.tests.size(), failures, grade.source_errors.empty() ? 0 : 1, in_xml(submission.name()),
      grade.points(), grade.of());
  for (const QualityResult& q : grade.quality)
    out += fmt::format("    <property name=\"{}\" value=\"{}\"/>\n", in_xml(q.name), score(q.points, q.of));
  out += "  </properties>\n";
  for (const TestResult& t : grade.tests) {
    out += fmt::format("  <testcase classname=\"{}\" name=\"{}\"", suite, in_xml(t.name));
    out += t.passed ? "/>\n"
                    : fmt::format(">\n    <failure message=\"{}\"/>\n  </testcase>\n", in_xml(failure_of(t)));
  }
  if (!grade.source_errors.empty())
    out += fmt::format("  <system-err>{}</system-err>\n", in_xml(grade.source_errors));
  return out + "</testsuite>\n";
}

}  // namespace kc
