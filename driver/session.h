// SPDX-License-Identifier: Apache-2.0
// A kernel and a launch, as the command line gives them: where run, check and stats begin.
#pragma once

#include "driver/compiler.h"
#include "driver/program.h"

namespace kc {

struct Session {
  Module module;
  Function* kernel = nullptr;           // whose parameters the launch binds
  const Function* lowered = nullptr;    // wave or machine text, of which that is the signature
  std::unique_ptr<Function> signature;  // of machine text
  KernelArguments inputs;
  LaunchSpec spec;
  Program program;
};

/// Loads the file and checks everything that can be wrong before something runs. `any_dialect`: wave and
/// machine text is accepted; who runs it fills in Program::lowered.
std::expected<Session, DriverError> open_session(const Options& options,
                                                 PassesOf said = PassesOf::Interpreters,
                                                 bool any_dialect = false);

/// The same for a text that is compiled or parsed.
std::expected<Session, DriverError> session_of(Input input, const Options& options,
                                               PassesOf said = PassesOf::Interpreters,
                                               bool any_dialect = false);

/// Chooses the kernel of a session's module and reads launch and arguments for it.
std::expected<void, DriverError> choose_launch(Session& session, const Options& options);

}  // namespace kc
