// SPDX-License-Identifier: Apache-2.0
// What the kernels read that no filler of the command makes.
#pragma once

#include <string>

namespace kc::bench {

/// Writes text, nodes, queries (suffix_match), film (background), frames (heart_wall) and sums
/// (particle_filter) into the folder, the same bytes every time. Returns whether all could be written.
bool make_data(const std::string& folder);

}  // namespace kc::bench
