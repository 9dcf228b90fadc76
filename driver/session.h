// SPDX-License-Identifier: Apache-2.0
// A kernel and a launch, as the command line gives them: where run, check and stats begin.
#pragma once

#include "driver/compiler.h"
#include "driver/program.h"

namespace kc {

struct Session {
  Module module;
  Function* kernel = nullptr;
  KernelArguments inputs;
  LaunchSpec spec;
  Program program;
};

/// Loads the file and checks everything that can be wrong before something runs.
std::expected<Session, DriverError> open_session(const Options& options,
                                                 PassesOf said = PassesOf::Interpreters);

/// Chooses the kernel of a session's module and reads launch and arguments for it.
std::expected<void, DriverError> choose_launch(Session& session, const Options& options);

}  // namespace kc
