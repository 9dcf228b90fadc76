// SPDX-License-Identifier: Apache-2.0
// The pipeline is data: a pass is a row, a pipeline a list of names whose order is checked before it runs.
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/lower/lower_to_wave.h"
#include "passes/pass_runner.h"
#include "passes/restructure/restructure_options.h"
#include "passes/transform/meld_mode.h"

namespace kc {

/// What a pass works on. A lowering to another dialect puts a new function here.
struct PassState {
  std::unique_ptr<Function> f;
  WaveOptions wave{};
  RestructureOptions restructure{};  // options of the restructuring passes
  Remarks* remarks = nullptr;        // where passes say what they did
  Meld meld = Meld::ByCost;
  std::unique_ptr<AnalysisCache> analyses{};  // of f as it is; a pipeline makes it where there is none
};

/// What holds for a function between two passes.
enum Property : uint32_t {
  ThreadForm = 1,        // the thread dialect
  WaveForm = 2,          // the wave dialect
  Ssa = 4,               // no variables
  NoTraps = 8,           // no `trap`
  Reconverging = 16,     // divergent branches have a target that post-dominates them
  Expanded = 32,         // no operation that only the interpreter has
  NoObjects = 64,        // addresses of local and constant objects are numbers
  Structured = 128,      // loops with one exit, nested branches
  NoSubGroups = 256,     // nothing that depends on the width of waves but exchanges between their lanes
  PrivateLowered = 512,  // private objects have addresses, and accesses to them sizes that the target has
};
struct PropertyRow {
  Property bit;
  std::string_view name;
  uint32_t within = 0;  // properties without which it has no meaning
  /// Why the property does not hold; empty when it does.
  std::string (*check)(const PassState& state) = nullptr;
};
std::span<const PropertyRow> property_table();

struct PassRow {
  std::string_view name;
  std::string_view summary;
  uint32_t needs = 0, gives = 0, kills = 0;  // sets of Property
  bool (*run)(PassState& state) = nullptr;   // whether something changed
  uint32_t preserves = NoAnalyses;           // sets of analyses that hold after a change, too
  bool settles = false;                      // a second run, of what the first left, finds dead code at most
};
std::span<const PassRow> pass_table();
const PassRow* find_pass(std::string_view name);
/// Runs one pass on state.f as it is, whatever is known about an earlier one. Returns whether it changed.
bool run_pass(const PassRow& row, PassState& state);

enum class PipelineKind : uint8_t {
  Optimize,     // thread IR, optimised, with its traps
  Shared,       // and traps, memory and operations lowered: the same for all targets
  Simplify,     // the part of Shared before branches are weighed: the same for waves of one lane, too
  Weigh,        // the rest of Shared, from where it matters whether branches diverge
  ForTarget,    // from there: what depends on the costs of a target and on how ids vary in its waves
  ThreadLower,  // Shared, then ForTarget: what thread-level backends and the simulators take
  WaveLower,    // from there down to what a wave does
  Wave,         // ThreadLower, then WaveLower
  SpirvLower,   // from lowered thread IR to what SPIR-V can express
};
std::vector<std::string_view> default_pipeline(PipelineKind kind);
/// "a,b,c" as names of passes; quotes keep the commas of a command together, and "none" is no pass.
std::vector<std::string_view> split_pass_names(std::string_view text);

/// The rows of the names, or a sentence that says which name is unknown or which pass lacks a property. What
/// a pass that is a program leaves is known only when it has run: see outside_pass.h.
std::expected<std::vector<const PassRow*>, std::string> build_pipeline(
    std::span<const std::string_view> names, uint32_t initial);
/// The properties of the function, found by looking; of these only, and of those that one of them stands on.
uint32_t properties_of(const PassState& state, uint32_t among = ~0u);
/// "Ssa, NoTraps".
std::string property_names(uint32_t set);
/// Why the first of these properties does not hold.
std::string why_missing(const PassState& state, uint32_t missing);

struct PipelineReport {
  std::vector<PassTime> times;
  bool stopped = false;  // by stop_after
};
/// Runs the passes on state.f. Fails without running any when the order is wrong, and on files that cannot be
/// written. A pass that breaks the IR or its own promise stops the compiler.
std::expected<PipelineReport, CompileError> run_pipeline(PassState& state,
                                                         std::span<const std::string_view> names,
                                                         const PipelineOptions& options = {});

}  // namespace kc
