// SPDX-License-Identifier: Apache-2.0
// kernelc explore: the page of one launch, or its record. kernelc explain: what divergence costs it, as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "driver/commands/stats.h"
#include "driver/compiler.h"
#include "driver/explore/record.h"

// The page, with a mark where the record belongs; empty where it could not be built.
extern "C" const char kc_explore_page[];
extern "C" const char kc_explore_page_end[];

namespace kc {
namespace {

constexpr uint32_t kMostLanes = 64;
constexpr std::string_view kMark = "/*RECORD*/";

std::expected<Session, DriverError> open(const Options& o) {
  if (o.file == "-")
    return std::unexpected(DriverError{ExitUsage, "the kernel must be in a file: it is read twice"});
  if (o.warp == 0 || o.warp > kMostLanes)
    return std::unexpected(
        DriverError{ExitUsage, fmt::format("--warp must be a number up to {} here", kMostLanes)});
  auto session = open_session(o);
  if (session && session->program.is_binary())
    return std::unexpected(DriverError{ExitUsage, "this needs source, not a code object or a module"});
  return session;
}

// "<" could end the element that holds the record.
std::string in_page(const std::string& json) {
  std::string text;
  for (char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string_view source_line(std::string_view source, uint32_t line) {
  for (uint32_t n = 1; n < line && !source.empty(); ++n)
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  source = source.substr(0, source.find('\n'));
  source.remove_prefix(std::min(source.find_first_not_of(" \t"), source.size()));
  return source;
}

// "71 % of them wait before line 31: a break in line 26"
void print_whereabouts(const Finding& f) {
  std::string_view lead = "meanwhile";
  for (const Finding::Waiting& w : f.waiting) {
    fmt::print("     {:9} {:3.0f} % of them {}", std::exchange(lead, ""), 100 * w.share,
               w.line ? fmt::format("wait before line {}", w.line) : "have ended");
    fmt::print("{}\n", w.branch ? fmt::format(": {} in line {}", w.decision, w.branch) : "");
  }
}

void print_findings(const Findings& found, const Session& s, const Options& o, std::string_view source) {
  const WarpStatistics& n = found.base.statistics;
  fmt::print(
      "{}: {} work-items, warps of {} lanes under {}: {} instructions, {:.0f} % of the lane slots used\n",
      s.kernel->name, s.spec.items(), o.warp, found.base.scheme, n.dynamic_instructions,
      100 * n.activity_factor());
  if (found.lines.empty()) fmt::print("\nNo lane is ever idle.\n");
  size_t number = 0;
  std::map<Loc, size_t> told;  // by the branch where lanes part
  for (const Finding& f : found.lines) {
    fmt::print("\n{}. {}:{}: {:.0f} % of all lane slots are idle here\n", ++number, o.file, f.line,
               100 * f.share);
    fmt::print("     {}\n   {}\n", source_line(source, f.line), f.title);
    print_whereabouts(f);
    if (!f.why.empty()) {
      const auto [first, fresh] = told.try_emplace(f.why.front().loc, number);
      if (!fresh) {
        fmt::print("     for the same reasons as {}\n", first->second);
        continue;
      }
    }
    for (const RemarkNote& note : f.why) fmt::print("     line {}: {}\n", note.loc.line, note.text);
    for (const std::string& way : f.ways_out) fmt::print("   way out: {}\n", way);
  }
  if (found.alternatives.empty()) return;
  size_t wide = 0;
  for (const Alternative& a : found.alternatives) wide = std::max(wide, a.name.size());
  fmt::print("\nThe same launch, simulated otherwise:\n");
  for (const Alternative& a : found.alternatives)
    fmt::print("   {:<{}}  {:>12} lane slots, {:+.0f} %: {}\n", a.name, wide, a.slots,
               std::round(-100 * a.saves) + 0.0, a.about);
}

}  // namespace

int command_explore(const Options& o) {
  const bool page = !o.output.ends_with(".json");
  const std::string_view text(kc_explore_page, static_cast<size_t>(kc_explore_page_end - kc_explore_page));
  if (o.output.empty()) return report({ExitUsage, "-o FILE.html or FILE.json is missing"});
  if (page && text.find(kMark) == std::string_view::npos)
    return report(
        {ExitAbsent,
         "this kernelc was built without the page: node or npm was missing; -o FILE.json writes the record"});
  auto source = read_input(o.file);
  if (!source) return report(source.error());
  auto session = open(o);
  if (!session) return report(session.error());
  auto record = make_record(*session, o, *source, machine_code(), [&] { return statistics_of(o, *session); });
  if (!record) return report(record.error());
  std::string out = *record + "\n";
  if (page) {
    out = text;
    out.replace(out.find(kMark), kMark.size(), in_page(*record));
  }
  if (auto written = write_output(o.output, out); !written) return report(written.error());
  return ExitOk;
}

int command_explain(const Options& o) {
  auto source = read_input(o.file);
  if (!source) return report(source.error());
  auto session = open(o);
  if (!session) return report(session.error());
  auto found = find_costs(*session, o, divergence_remarks(*session), *source);
  if (!found) return report(found.error());
  print_findings(*found, *session, o, *source);
  return ExitOk;
}

}  // namespace kc
