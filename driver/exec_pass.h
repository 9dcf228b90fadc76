// SPDX-License-Identifier: Apache-2.0
// `exec:COMMAND` in --passes: a program that reads a function as JSON on standard input and writes one on
// standard output (docs/ir-json.md). Only the parser of command lines sets this up.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/written_function.h"
#include "passes/pass_runner.h"

namespace kc {

/// What such a program may use for one function.
struct ExecLimits {
  double seconds = 60;         // of the processor; by the clock it ends much later (clock_limit)
  uint64_t memory_mib = 4096;  // of data, in each of its processes
  /// What it writes to standard error goes here, if this is not null.
  std::string* errors = nullptr;
  /// And whether it was ended for a limit of time.
  bool* late = nullptr;
};

/// COMMAND as words: at spaces, except inside of '...' and "...". There is no shell. An error says what is
/// wrong.
std::expected<std::vector<std::string>, std::string> words_of_command(std::string_view command);

/// What a program writes to standard output. Its error says what it did, but not which one: Absent if it
/// cannot be run, else Outside.
std::expected<std::string, CompileError> output_of(const std::vector<std::string>& words,
                                                   const std::string& input, const ExecLimits& limits);

/// The function that a program makes of this one; well formed. Errors as above.
MadeFunction run_as_pass(const Function& f, const std::vector<std::string>& words, const ExecLimits& limits);

/// Runs the programs. What they write to standard error goes to that of this process, unless the limits say
/// where to.
OutsidePass exec_passes(const ExecLimits& limits);

}  // namespace kc
