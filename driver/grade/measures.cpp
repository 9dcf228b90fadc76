// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/measures.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/simulate.h"
#include "driver/usage_errors.h"

namespace kc {
namespace {

using Names = std::vector<std::string_view>;

const Names kOfText{"static_instructions", "static_blocks"};
const Names kOfWarps{"dynamic_instructions", "block_executions", "redundant_block_executions",
                     "activity_factor", "memory_transactions"};
constexpr std::string_view kSteps = "steps";  // executed instructions: of work-items, or of waves
constexpr std::string_view kParameters = "block_parameters", kBranches = "divergent_branches";

bool has(const Names& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

Names schemes() {
  Names names;
  for (int k = 0; k < static_cast<int>(WarpScheme::Count_); ++k)
    names.push_back(to_string(static_cast<WarpScheme>(k)));
  return names;
}

}  // namespace

std::string wrong_measure(LabKind kind, const LabQuality& q) {
  Names known = kOfText;
  known.push_back(kSteps);
  if (kind == LabKind::Pass)
    known.push_back(kParameters), known.insert(known.end(), kOfWarps.begin(), kOfWarps.end());
  if (kind == LabKind::Divergence) known = {kBranches};
  if (!has(known, q.metric)) return unknown_name("metric", q.metric, known);
  if (!has(kOfWarps, q.metric))
    return q.scheme.empty() ? "" : fmt::format("'{}' has no scheme: it is not counted in warps", q.metric);
  if (q.scheme.empty()) return fmt::format("'scheme' is missing: '{}' is counted in warps", q.metric);
  return has(schemes(), q.scheme) ? "" : unknown_name("scheme", q.scheme, schemes());
}

std::expected<double, std::string> measure_of(const LabQuality& q, const ProgramCase& c, const Function& f,
                                              uint64_t max_steps) {
  if (q.metric == kOfText[0]) return static_cast<double>(instruction_count(f));
  if (q.metric == kOfText[1]) return static_cast<double>(f.layout.size());
  if (q.metric == kParameters) {
    size_t params = 0;
    for (BlockId b : f.layout) params += b == f.entry() ? 0 : f.block(b).params.size();
    return static_cast<double>(params);
  }
  CaseRun run;
  if (has(kOfWarps, q.metric)) {
    const Names all = schemes();
    Program program{.source = &f, .optimised = std::make_unique<Function>(f)};
    auto engine = find_engine("sim")->make(
        {.max_steps = max_steps,
         .scheme = static_cast<WarpScheme>(std::ranges::find(all, q.scheme) - all.begin())});
    run = run_case(*engine, program, c);
  } else {
    run = run_case(f, c, max_steps);
  }
  for (const auto& [name, value] : run.first.stats)
    if (name == q.metric) return value;
  return std::unexpected(first_line(run.first.message));
}

}  // namespace kc
