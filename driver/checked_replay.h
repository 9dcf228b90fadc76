// SPDX-License-Identifier: Apache-2.0
// What is said of a launch that an access outside its buffers ended: it runs once more, with every access
// checked.
#pragma once

#include <optional>

#include "driver/session.h"
#include "driver/time_limit.h"

namespace kc {

/// The launch with checked accesses on the same engine and fresh inputs; none where the kernel cannot be
/// compiled so, or where no access is outside then.
std::optional<LimitedLaunch> replay_checked(const Options& options, const EngineInfo& info,
                                            const EngineOptions& engine, const Session& session);

}  // namespace kc
