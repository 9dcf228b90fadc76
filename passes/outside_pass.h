// SPDX-License-Identifier: Apache-2.0
// Passes that are programs: `exec:COMMAND` in a list of passes.
//
//   mem2reg,exec:./mine.py,reconverge      mine.py reads a function as JSON and writes one (docs/ir-json.md)
//
// Only who sets PipelineOptions::outside can run them; the library and the WebAssembly module do not.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "passes/pipeline.h"

namespace kc {

bool is_outside_pass(std::string_view name);
/// What follows `exec:`.
std::string_view command_of(std::string_view name);
/// Stands for all of them: its name is "exec", and it cannot be run itself.
const PassRow& outside_pass_row();

/// Runs the pass, and requires that the function it returns takes the place of the one it got: the same
/// kernel with the same parameters, in the same dialect or lowered to waves. Returns whether it changed.
std::expected<bool, CompileError> run_outside_pass(PassState& state, std::string_view name,
                                                   const OutsidePass& outside);

/// Which of the passes from number `first` on lacks what, after the outside pass before it; empty if none
/// does. `now`: the properties that hold there, among those that are needed.
std::string lacks_for(const PassState& state, std::span<const std::string_view> names, size_t first,
                      uint32_t now);

}  // namespace kc
