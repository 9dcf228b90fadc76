// SPDX-License-Identifier: Apache-2.0
// The record of one launch: everything that the page shows of it. docs/record.md has the schema.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>

#include "driver/explore/findings.h"
#include "driver/session.h"

namespace kc {

/// `statistics`: what `kernelc stats --json` prints for the launch. Bounded: what is left out is in `notes`,
/// and at the traces that are cut.
std::expected<nlohmann::ordered_json, DriverError> make_record(const Session& session, const Options& options,
                                                               std::string_view source,
                                                               nlohmann::ordered_json statistics);

}  // namespace kc
