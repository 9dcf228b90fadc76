// SPDX-License-Identifier: Apache-2.0
// Guesses where neighbouring lanes' integers and addresses are to each other if no analysis can prove it, as
// in `clamp(id + 1, 0, n)` or `id / w * pitch + id % w`. A heuristic of the defining arithmetic, for code
// that tests at run time.
#pragma once

#include <optional>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc {

struct NeighbourGuess {
  enum Kind : uint8_t {
    Far,     // nothing is known
    Near,    // a few apart
    Steady,  // mostly equal: uniform, or it changes seldom from lane to lane, as the row of a flat index
  };
  Kind kind = Far;
  /// From most lanes to the next (Near). Empty if it differs between lanes.
  std::optional<int64_t> step;
  bool operator==(const NeighbourGuess&) const = default;
};

/// By value of a wave function with these shapes (shape.h). Addresses are in bytes.
std::vector<NeighbourGuess> guess_neighbours(const Function& wave, const std::vector<Shape>& shapes);

}  // namespace kc
