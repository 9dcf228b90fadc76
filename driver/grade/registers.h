// SPDX-License-Identifier: Apache-2.0
// Labs about register allocation: the submission reads a gfx900 function whose scalars have registers, and
// writes the vector register of each other value, or that it is spilled. docs/grade.md has the format.
#pragma once

#include <expected>
#include <string>

#include "driver/grade/program_case.h"

namespace kc {

/// The vector registers that a submission may use. Below are those that the machine fills and those that hold
/// spilled scalars; above are those for reloads.
struct RegisterRange {
  uint32_t first = 0, last = 0;  // both included
};

struct RegisterQuestion {
  std::string function_json;
  RegisterRange registers;
};

/// What the submission is asked about the kernel. An error is no fault of the submission.
std::expected<RegisterQuestion, std::string> ask_registers(const LabFile& lab, const ProgramCase& c,
                                                           uint32_t registers);

struct RegisterVerdict {
  std::string difference;  // from what is right: the allocation's, or the launch's
  std::vector<std::pair<std::string, double>> counts;  // of the launch, if it is right
};

/// Compiles the kernel with the assignment that the submission wrote, has check_allocation check it, and runs
/// the code in the emulator. An error is no fault of the submission.
std::expected<RegisterVerdict, std::string> try_registers(const LabFile& lab, const ProgramCase& c,
                                                          uint32_t registers, const std::string& answer);

/// The counts of the compiler's own allocation in as many registers.
std::expected<RegisterVerdict, std::string> own_registers(const LabFile& lab, const ProgramCase& c,
                                                          uint32_t registers);

}  // namespace kc
