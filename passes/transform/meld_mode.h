// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kc {

/// Where divergent computations are merged: by the cost model, wherever possible, or nowhere. For comparison:
/// Fusion, only branches whose arms are single blocks; Tails, only common tails of blocks.
enum class Meld : uint8_t { ByCost, Always, Never, Fusion, Tails };

}  // namespace kc
