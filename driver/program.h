// SPDX-License-Identifier: Apache-2.0
// What the options of the command mean for the compiler, and a kernel made ready for the engines.
#pragma once

#include <expected>

#include "driver/arguments.h"
#include "driver/engines/engines.h"
#include "driver/options.h"
#include "host/compile.h"

namespace kc {

/// `times`: where --time-passes collects, or null.
CompileOptions compile_options(const Options& options, std::vector<PassTime>* times = nullptr);
/// Refuses names of passes that do not exist, or that never run when code for the target is made; without a
/// target that is none on machine functions. Makes the directory that passes write to.
std::expected<void, DriverError> check_passes(const Options& options, const TargetDesc* target);
/// With the exit status that the kind of error has.
DriverError driver_error(const CompileError& error);

/// A kernel on its way to engines: the shared passes have run, and those for interpreters. What options ask
/// to be said about passes is said once: about the code that an engine compiles, or about what interpreters
/// run.
enum class PassesOf : uint8_t { Interpreters, Machine };
std::expected<Program, DriverError> make_program(const Function& kernel, const Options& options,
                                                 PassesOf said = PassesOf::Interpreters);

}  // namespace kc
