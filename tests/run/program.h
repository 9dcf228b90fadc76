// SPDX-License-Identifier: Apache-2.0
// Programs of tests/run: many small ones in each file, with what they must compute written above them.
// README.md describes the directives.
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
  std::string source;               // with empty lines in front, so that lines are those of the file
  size_t line = 0, trap_line = 0;
  std::vector<std::string> launch;  // options of the command: --global, --arg, -D ...
  std::vector<Expectation> expectations;
  std::optional<ExpectedTrap> trap;
  std::string prints;  // what printf writes
  /// Why an oracle cannot take part: "host" (C++) or "opencl", and a reason.
  std::map<std::string, std::string> not_for;

  std::string full_name() const { return chapter + "/" + name; }
};

/// Everything in the directory's *.cl files, in order; or what is wrong with one of them, with its place.
std::expected<std::vector<RunProgram>, std::string> read_programs(const std::string& directory);

/// A program that is compiled as far as all engines share.
struct CompiledProgram {
  Options options;
  Module module;
  Function* kernel = nullptr;
  Program program;
  LaunchSpec spec;
  KernelArguments inputs;
};
/// `more` are options behind the program's own. The error is a message of the front end or the command.
std::expected<std::unique_ptr<CompiledProgram>, std::string> compile_program(
    const RunProgram& p, const std::vector<std::string>& more = {});

/// The buffers that the program's directives ask for. A buffer, or a part of one, without an expectation must
/// be as it was before the launch.
std::expected<KernelArguments, std::string> expected_buffers(const RunProgram& p, const CompiledProgram& c);

/// The first difference, or empty. All NaNs are equal.
std::string compare_buffers(const KernelArguments& expected, const KernelArguments& got);
/// The first line that is not what the program prints, or empty.
std::string compare_text(const RunProgram& p, const std::string& got);
/// The first difference between the trap that the program expects and the one reported, or empty.
std::string compare_trap(const RunProgram& p, const std::optional<TrapReport>& got);

}  // namespace kc::test
