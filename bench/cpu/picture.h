// SPDX-License-Identifier: Apache-2.0
// Groups of horizontal bars as an SVG picture.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace kc::bench {

struct Bars {
  std::string name;
  std::array<double, 3> values;  // 0: no bar
};

/// `series` names the bars of each group. The axis is logarithmic; a line marks 1.
std::string draw_bars(const std::string& title, const std::array<std::string, 3>& series,
                      const std::vector<Bars>& groups);

}  // namespace kc::bench
