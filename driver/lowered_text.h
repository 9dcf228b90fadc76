// SPDX-License-Identifier: Apache-2.0
// Wave and machine functions that were read from a text: for which target, form and launches they are made.
// Such a function is compiled from where it is, by the passes that are left.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driver/arguments.h"
#include "driver/engines/engines.h"
#include "driver/options.h"
#include "host/targets.h"

namespace kc {

/// The passes of --passes: those on thread and wave IR, as the option would name them, then those of a
/// machine.
struct NamedPasses {
  std::string ir;
  std::vector<std::string_view> machine;  // views of the option
};
std::expected<NamedPasses, DriverError> named_passes(const Options& options);

/// What the note in the function says, or the options where it has none; an error of usage if it is made for
/// another target.
std::expected<LoweredText, DriverError> lowered_text(const Function& f, const TargetDesc& target,
                                                     const Options& options);
/// The target that a wave or machine function is run on if nobody names one.
std::string own_target(const Function& f);
/// The same for a run: also on interpreters of waves, and refuses launches that the code is not made for.
std::expected<LoweredText, DriverError> runnable_text(const Function& f, const EngineInfo& engine,
                                                      const LaunchSpec& spec, const Options& options);
/// What launches must know of the function, machine functions included.
std::unique_ptr<Function> launch_signature(const Function& f);

}  // namespace kc
