// SPDX-License-Identifier: Apache-2.0
// Pictures of tables as SVG text.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kc::bench {

struct Axis {
  std::string name{};                     // of points only: titles of bars and boxes say it
  double low = 0, high = 1, step = 0.25;  // a value outside is drawn at the border
  bool logarithmic = false;               // then steps are factors
};

/// Values of one group of bars; a value below 0 is missing.
struct BarGroup {
  std::string name;
  std::vector<double> values;
};
/// Standing bars, one of each series in each group. A value beyond the axis is written above its bar.
std::string draw_bars(const std::string& title, const std::vector<std::string>& series,
                      const std::vector<BarGroup>& groups, const Axis& axis);

/// The values of one box.
struct BoxGroup {
  std::string name;
  std::vector<double> values;
};
/// A box from the first to the third quartile with the median; whiskers to the last value within one and a
/// half times its height; what is farther off as dots.
std::string draw_boxes(const std::string& title, const std::string& groups_name,
                       const std::vector<BoxGroup>& groups, const Axis& axis);

/// Points in series, with the diagonal.
struct PointSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
};
std::string draw_points(const std::string& title, const std::vector<PointSeries>& series, const Axis& x,
                        const Axis& y);

}  // namespace kc::bench
