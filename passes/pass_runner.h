// SPDX-License-Identifier: Apache-2.0
// What is asked of the passes of every dialect, and the part of running them that is the same for all:
// timing, printing, writing, stopping. pipeline.h has the passes on thread and wave IR; each backend has a
// table of its own.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/compile_error.h"

namespace kc {

/// Runs the pass `exec:COMMAND`, a program: gives it the function, and returns what it made of it, which is
/// well formed. An error names the command.
using OutsidePass = std::function<std::expected<std::unique_ptr<Function>, CompileError>(
    const Function& f, std::string_view command)>;

/// A function between two passes, as those see it who watch.
struct PassStage {
  std::string_view pass;      // that has run
  std::string_view function;  // its name
  std::string_view comment = ";", extension = "kir";
  size_t number = 0;  // of the pass in the compilation
};

struct PipelineOptions {
  std::vector<std::string> print_after{};         // names of passes, or "all"
  std::function<void(std::string_view)> print{};  // where those go
  bool print_changes = false;                     // after all passes: what each changed, line by line
  std::string stop_after{};                       // do no more after this pass
  std::string dump_dir{};                         // one file NN-pass.kir for each stage, when not empty
  /// By name of the function: its text after the pass before. A stage that is equal to it is shown in one
  /// line.
  std::shared_ptr<std::map<std::string, std::string, std::less<>>> texts{};
  size_t passes_before = 0;  // that earlier pipelines ran: NN goes on from there
  bool verify_each = false;  // always in builds with internal checks
  /// Called after each pass of thread and wave IR with its name and the function before and after it.
  std::function<void(std::string_view, const Function&, const Function&)> compare{};
  /// Called after each pass of thread and wave IR. False: the function prints as after the pass before.
  std::function<void(const PassStage&, const Function&, bool may_differ)> watch{};
  std::span<const std::string_view> later{};  // passes that the two above may name, too
  OutsidePass outside{};                      // null: there are no passes that are programs
};

struct PassTime {
  std::string_view pass;
  double seconds = 0;
  size_t instructions_before = 0, instructions_after = 0;
  bool changed = false;
  bool tells_change = true;  // whether the pass says what `changed` holds
};
/// The table of --time-passes.
std::string render_times(std::span<const PassTime> times);

/// The number of instructions in the blocks of the layout.
size_t instruction_count(const Function& f);

std::expected<bool, CompileError> show_stage(const PipelineOptions& options, const PassStage& stage,
                                             const std::function<std::string()>& text);
/// Prints and writes what the options ask for; `text` is called for these alone. True: to stop here. Fails on
/// files that cannot be written.
template <typename Text>
std::expected<bool, CompileError> after_pass(const PipelineOptions& options, const PassStage& stage,
                                             Text text) {
  const bool watched = !options.print_after.empty() || options.print_changes || !options.dump_dir.empty() ||
                       !options.stop_after.empty();
  if (!watched) return false;
  return show_stage(options, stage, text);
}

struct PassInfo {
  std::string_view name, summary;
  bool optional = false;  // of machine functions: code is right without it
};
/// Why just the passes `only` cannot be run on a machine function after the pass `after`, which is empty for
/// wave IR; empty when they can.
std::string why_not_only(std::span<const PassInfo> passes, std::string_view after,
                         std::span<const std::string_view> only);

/// A row of the table of a backend. Its State has name(), text(), comment(), extension(), instructions(),
/// check(pass), passed(pass), which notes it for the text, and `code` with `stopped` and `text`.
template <typename State>
struct MachinePassRow {
  std::string_view name, summary;
  std::string (*run)(State& state) = nullptr;  // why the kernel cannot be compiled; empty when it can
  bool selected = false;                       // the last before register allocation
  bool optional = false;                       // code is right without it
};

/// Why a machine function that was read cannot be compiled further; empty when it can.
std::string why_not_resumed(const Function& machine);

/// How the passes of a backend are watched.
struct PassWatch {
  const PipelineOptions* options = nullptr;  // null: nothing is asked
  std::vector<PassTime>* times = nullptr;
  Remarks* remarks = nullptr;
  size_t passes_before = 0;
  bool selected_only = false;                // stop before register allocation
  std::span<const std::string_view> only{};  // run just these, of which why_not_only says nothing
};

/// The rows that are left for a machine function that was read: those after the one that its note names. An
/// error says why it cannot be compiled further.
template <typename State>
std::expected<std::span<const MachinePassRow<State>>, CompileError> rows_left(
    const Function& machine, std::span<const MachinePassRow<State>> rows) {
  if (std::string why = why_not_resumed(machine); !why.empty())
    return std::unexpected(CompileError{CompileError::Usage, std::move(why)});
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == machine.target->after) return rows.subspan(i + 1);
    if (rows[i].selected) break;
  }
  return std::unexpected(
      CompileError{CompileError::Unsupported,
                   fmt::format("'{}' cannot be compiled further: no pass before register allocation is "
                               "called '{}'",
                               machine.name, machine.target->after)});
}

/// Runs the rows in order. Where the options stop before the last, `code` says so and has the text of then.
/// An error says why the kernel cannot be compiled, or what cannot be written.
template <typename State>
std::expected<void, CompileError> run_machine_passes(State& state,
                                                     std::span<const MachinePassRow<State>> rows,
                                                     const PassWatch& watch) {
  static const PipelineOptions nothing;
  const PipelineOptions& options = watch.options ? *watch.options : nothing;
  size_t number = watch.passes_before;
  for (const MachinePassRow<State>& row : rows) {
    if (!watch.only.empty() && std::ranges::find(watch.only, row.name) == watch.only.end()) continue;
    PassTime time{.pass = row.name, .tells_change = false};
    std::chrono::steady_clock::time_point start;
    if (watch.times)
      time.instructions_before = state.instructions(), start = std::chrono::steady_clock::now();
    if (std::string why = row.run(state); !why.empty())
      return std::unexpected(CompileError{CompileError::Unsupported, std::move(why)});
    state.passed(row.name);
    if (watch.times) {
      time.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      time.instructions_after = state.instructions();
      watch.times->push_back(time);
    }
    if (options.verify_each) state.check(row.name);
    const PassStage stage{.pass = row.name,
                          .function = state.name(),
                          .comment = state.comment(),
                          .extension = state.extension(),
                          .number = ++number};
    auto stop = after_pass(options, stage, [&] { return state.text(); });
    if (!stop) return std::unexpected(stop.error());
    const bool last_named = !watch.only.empty() && row.name == watch.only.back();
    if (*stop || (watch.selected_only && row.selected) || (last_named && &row != &rows.back())) {
      state.code.stopped = true;
      state.code.text = state.text();
      break;
    }
  }
  return {};
}

}  // namespace kc
