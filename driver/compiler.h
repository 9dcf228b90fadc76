// SPDX-License-Identifier: Apache-2.0
// From a file on the command line to a module, and from a module to a program for the engines.
#pragma once

#include <expected>

#include "driver/arguments.h"
#include "driver/engines/engines.h"
#include "driver/options.h"
#include "driver/program.h"
#include "frontend/frontend.h"
#include "host/traps.h"

namespace kc {

/// What the options say about the language.
FrontendOptions frontend_options(const Options& options);

/// A file of the command line, compiled or parsed.
struct Input {
  Module module;
  SourceText text;
};
/// Warnings and errors of the source go to standard error.
std::expected<Input, DriverError> load_input(const Options& options);
/// The same for what the file holds.
std::expected<Input, DriverError> load_input(const Options& options, std::string text);

/// The source with what the options say about it, for a compiler that knows only OpenCL's own.
SourceText source_text(std::string source, const Options& options);

/// The kernel that --kernel names, or the only one.
std::expected<Function*, DriverError> choose_kernel(Module& module, const Options& options);

/// The launch that the options ask for, with the default local size filled in.
std::expected<LaunchSpec, DriverError> make_launch(const Function& kernel, const Options& options);

int command_compile(const Options& options);
int command_run(const Options& options);
int command_check(const Options& options);
int command_stats(const Options& options);
int command_trace(const Options& options);
int command_explore(const Options& options);
int command_explain(const Options& options);
int command_lab(const Options& options);
int command_grade(const Options& options);
int command_learn(const Options& options);
int command_devices(const Options& options);
int command_passes(const Options& options);
int command_fuzz(const Options& options);

/// Prints "kernelc: error: ..." and gives the status.
int report(const DriverError& error);

}  // namespace kc
