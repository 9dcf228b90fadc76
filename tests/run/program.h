// SPDX-License-Identifier: Apache-2.0
// Programs of tests/run: many small ones in each file, each below its expected results. README.md describes
// the directives.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/compiler.h"

namespace kc::test {

/// `expect NAME[a:b] = ...`: a formula, or a list of formulas.
struct Expectation {
  std::string buffer, text;
  std::optional<std::pair<size_t, size_t>> range;
  size_t line = 0;
};

/// `trap throw int -1 at 3 count 4`
struct ExpectedTrap {
  std::string kind, type, value;  // value as the command prints it; empty: not given
  std::array<uint64_t, 3> global_id{};
  uint64_t count = 0;
};

struct RunProgram {
  std::string chapter, name, file;  // chapter: the file's name without its ending
  std::string source;               // with empty lines before it, so that line numbers are those of the file
  size_t line = 0, trap_line = 0;
  std::vector<std::string> launch;  // options of the command: --global, --arg, -D ...
  std::vector<Expectation> expectations;
  std::optional<ExpectedTrap> trap;
  std::string prints;  // what printf writes
  /// Why an oracle is excluded: "host" (C++) or "opencl", and a reason.
  std::map<std::string, std::string> not_for;

  std::string full_name() const { return chapter + "/" + name; }
};

/// All programs of the directory's *.cl files, in order; or an error with its location.
std::expected<std::vector<RunProgram>, std::string> read_programs(const std::string& directory);

/// A program, compiled up to the stage that all engines share.
struct CompiledProgram {
  Options options;
  Module module;
  Function* kernel = nullptr;
  Program program;
  LaunchSpec spec;
  KernelArguments inputs;
};
/// `more` are options after the program's own. The error is a message of the front end or the command.
std::expected<std::unique_ptr<CompiledProgram>, std::string> compile_program(
    const RunProgram& p, const std::vector<std::string>& more = {});

/// The expected buffers of the program's directives. A buffer, or a part of one, without an expectation must
/// be unchanged by the launch.
std::expected<KernelArguments, std::string> expected_buffers(const RunProgram& p, const CompiledProgram& c);

/// The first difference, or empty. All NaNs are equal.
std::string compare_buffers(const KernelArguments& expected, const KernelArguments& got);
/// The first line that differs from the program's expected output, or empty.
std::string compare_text(const RunProgram& p, const std::string& got);
/// The first difference between the trap that the program expects and the one reported, or empty.
std::string compare_trap(const RunProgram& p, const std::optional<TrapReport>& got);

}  // namespace kc::test
