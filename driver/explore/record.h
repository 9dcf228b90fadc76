// SPDX-License-Identifier: Apache-2.0
// The record of one launch: everything that the page shows of it. docs/record.md has the schema.
#pragma once

#include <expected>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "driver/explore/findings.h"
#include "driver/session.h"

namespace kc {

/// Where the record has the code of machines from. Builds without their backends have none.
struct MachineCode {
  std::span<const std::string_view> targets;
  /// The assembly for the launch, made by a compiler whose passes are watched.
  std::expected<std::string, CompileError> (*assembly)(KernelCompiler compiler, const TargetDesc& target,
                                                       const LaunchSpec& spec) = nullptr;
  nlohmann::ordered_json (*registers)(const Function& allocated, const TargetDesc& target) = nullptr;
};
MachineCode machine_code();

/// JSON. Bounded: what is left out is in `notes`, and at the traces that are cut. `source`: the text of the
/// file. `stats` gives what `statistics_of` counts for the launch, when the rest has been made; without it
/// the record has none.
std::expected<std::string, DriverError> make_record(const Session& session, const Options& options,
                                                    std::string_view source, const MachineCode& machines,
                                                    const std::function<nlohmann::ordered_json()>& stats);

/// The same of a kernel without a launch: its stages alone, for groups along one dimension.
std::string make_stages(const Session& session, const Options& options, std::string_view source);

}  // namespace kc
