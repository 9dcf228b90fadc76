// SPDX-License-Identifier: Apache-2.0
// A program on which a submission that is a program is tried: a kernel with a launch, and what is right.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/grade/lab_file.h"
#include "driver/session.h"

namespace kc {

/// The kernel lies in the module, so they stay together.
struct ProgramCase {
  std::unique_ptr<Module> module;
  const Function* kernel = nullptr;
  LaunchSpec spec;
  KernelArguments inputs, want;  // want: what the reference leaves
  std::optional<TrapReport> trap;
};

/// Compiles the program and runs the reference; an error says why it is of no use.
std::expected<ProgramCase, std::string> make_case(const LabFile& lab, const std::string& source,
                                                  const std::string& file,
                                                  const std::vector<std::string>& launch);

/// What a launch came to, and the memory that it left.
using CaseRun = std::pair<EngineResult, KernelArguments>;
/// Runs some form of the kernel, a thread function or a wave function, in the interpreter. `max_steps` of all
/// work-items or waves together.
CaseRun run_case(const Function& f, const ProgramCase& c, uint64_t max_steps);
/// Executes it on this engine.
CaseRun run_case(Engine& engine, const Program& program, const ProgramCase& c);

/// How the run differs from what is right; empty if it does not.
std::string difference_of(const ProgramCase& c, const CaseRun& run);

}  // namespace kc
