// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kc {

/// Whether what lanes do apart is done together: where the cost model says so, wherever it can be, or
/// nowhere. Or, for comparison, only in branches both sides of which are single blocks, or only what blocks
/// end alike with.
enum class Meld : uint8_t { ByCost, Always, Never, Fusion, Tails };

}  // namespace kc
