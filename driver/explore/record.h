// SPDX-License-Identifier: Apache-2.0
// The record of one launch: everything that the page shows of it. docs/record.md has the schema.
#pragma once

#include <expected>
#include <nlohmann/json.hpp>

#include "driver/explore/findings.h"
#include "driver/session.h"

namespace kc {

/// Bounded: what is left out is in `notes`, and at the traces that are cut. `source`: the text of the file.
std::expected<nlohmann::ordered_json, DriverError> make_record(Session session, const Options& options,
                                                               std::string_view source);

}  // namespace kc
