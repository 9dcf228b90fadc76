// SPDX-License-Identifier: Apache-2.0
// What a lab file says. docs/grade.md describes the format.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/arguments.h"

namespace kc {

enum class LabKind : uint8_t {
  Answers,     // a text that says which branches are divergent
  Kernel,      // a kernel that must do what a reference does
  Assembly,    // the same in gfx900 assembly
  Pass,        // a program that reads a function as JSON and writes one
  Dominators,  // a program that reads a function and writes its dominator tree
  Divergence,  // a program that reads a function and writes which blocks end in divergent branches
  Wave,        // a program that reads a thread function and writes the wave function of it
  Registers,   // a program that reads a machine function and writes the register of each value
};

/// The drawn numbers of one run of a test, by name.
using Draw = std::map<std::string, int64_t>;

struct LabTest {
  std::string name;
  uint32_t points = 0;
  std::string program;  // a file, relative to the lab file; random programs have none
  std::string launch;   // options of the command, with {NAME} or {NAME*FACTOR} for drawn numbers
  std::map<std::string, std::pair<int64_t, int64_t>> draw;  // the limits of each number, both included
  uint32_t count = 1;                                       // runs
  uint64_t seed = 1;                                        // of a public test
  bool hidden = false;                                      // the seed comes from a file of its own
  uint32_t lacking = 0;  // Pass: only random programs that have none of these properties (Property) before it
  bool exact = false;  // Divergence: no branch may be called divergent that the compiler knows to be uniform
  uint32_t registers = 0;  // Registers: how many there are
};

struct LabQuality {
  std::string name;
  uint32_t points = 0;
  std::string program;     // Pass: the file, relative to the lab file
  std::string metric;      // of `stats`, of the emulator, or one of a pass (docs/grade.md)
  std::string scheme;      // Kernel: a row of `stats`; Pass: of the warp simulator, or empty
  uint32_t registers = 0;  // Registers: how many there are
  std::string launch;      // without drawn numbers
  std::string baseline;    // a file, relative to the lab file
  std::vector<std::string> baseline_passes;  // Pass, Wave: what runs in place of the submission
  double full = 0, none = 1;  // all points and no points, as multiples of the baseline's number
};

struct LabFile {
  std::string path, folder;  // folder: with a slash at its end, or empty
  std::string course;        // where the folder lies in the course, such as labs/02-dominators, or empty
  std::string title;
  LabKind kind{};
  std::string kernel;                // the name; empty if the reference has only one
  std::string reference;             // a kernel source, relative to the lab file
  std::vector<std::string> options;  // of the compiler
  // Kernel: the most bytes of the submission's text, or 0 for any number.
  uint64_t source_bytes = 0;
  // Programs as submissions: passes that run before and after them, and what must hold between (Property).
  std::vector<std::string> before, after;
  uint32_t require = 0;
  uint32_t width = 0;  // Wave: lanes
  // Folders with modules for programs in Python and JavaScript. The lab file names at most one for each.
  std::vector<std::string> python_path, javascript_path;
  uint64_t ulp = 0;         // by which floats may differ
  double seconds = 10;      // of the processor, for each launch
  uint64_t steps = 0;       // for each launch, all work-items together
  uint64_t memory_mib = 0;  // private and local memory of a group
  std::vector<LabTest> tests;
  std::vector<LabQuality> quality;

  /// A path of the lab file, which is relative to it.
  std::string place_of(const std::string& path) const { return path.starts_with('/') ? path : folder + path; }
};

/// Whether submissions are programs.
constexpr bool runs_programs(LabKind kind) { return kind >= LabKind::Pass; }
/// Whether it has a baseline: of answers there is nothing but right and wrong.
constexpr bool has_quality(LabKind kind) { return kind != LabKind::Answers && kind != LabKind::Dominators; }
/// Whether a submission stands between passes, `before` and `after`.
constexpr bool changes_functions(LabKind kind) { return kind == LabKind::Pass || kind == LabKind::Wave; }

/// ExitUsage with "FILE:LINE:COLUMN: ..." if the file is not as docs/grade.md says.
std::expected<LabFile, DriverError> read_lab(const std::string& path);

/// The numbers of a run. The same seed and run give the same numbers everywhere.
Draw draw_numbers(const LabTest& test, uint64_t seed, uint32_t run);

/// The options of a launch of this file, as the lab compiles it.
CommandLine command_of(const LabFile& lab, const std::string& file, const std::vector<std::string>& launch);

/// The launch as words, with the numbers in place of their names.
std::vector<std::string> words_of_launch(const std::string& launch, const Draw& numbers);

}  // namespace kc
