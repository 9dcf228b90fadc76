// SPDX-License-Identifier: Apache-2.0
#include "cpu/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace kc::bench {
namespace {

constexpr std::array<std::string_view, 3> kColours{"#4477aa", "#ee6677", "#bbbbbb"};
constexpr double kLeft = 130, kTop = 70, kWidth = 620, kBar = 11, kGap = 12;

// Places on a logarithmic axis from 1/4 to 64.
double place(double value) { return kLeft + kWidth * (std::log2(std::clamp(value, 0.25, 64.0)) + 2) / 8; }

}  // namespace

std::string draw_bars(const std::string& title, const std::array<std::string, 3>& series,
                      const std::vector<Bars>& groups) {
  double height = kTop + static_cast<double>(groups.size()) * (3 * kBar + kGap);
  std::string svg;
  auto out = std::back_inserter(svg);
  fmt::format_to(
      out,
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' font-family='sans-serif' "
      "font-size='12'>\n<rect width='{0:.0f}' height='{1:.0f}' fill='white'/>\n",
      kLeft + kWidth + 60, height + 30);
  fmt::format_to(out, "<text x='{}' y='20' font-size='15'>{}</text>\n", kLeft, title);
  for (size_t i = 0; i < series.size(); ++i) {
    double x = kLeft + 190 * static_cast<double>(i);
    fmt::format_to(out,
                   "<rect x='{}' y='32' width='12' height='12' fill='{}'/><text x='{}' y='43'>{}</text>\n", x,
                   kColours[i], x + 18, series[i]);
  }
  for (double tick = 0.25; tick <= 64; tick *= 2)
    fmt::format_to(
        out,
        "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2:.1f}' stroke='{3}'/><text x='{0:.1f}' y='{4:.1f}' "
        "text-anchor='middle'>{5}</text>\n",
        place(tick), kTop - 8, height, tick == 1 ? "#000" : "#ddd", height + 18, tick);
  double y = kTop;
  for (const Bars& g : groups) {
    fmt::format_to(out, "<text x='{}' y='{:.1f}' text-anchor='end'>{}</text>\n", kLeft - 10, y + 2 * kBar - 1,
                   g.name);
    for (size_t i = 0; i < g.values.size(); ++i, y += kBar) {
      if (g.values[i] <= 0) continue;
      double from = std::min(place(1), place(g.values[i])), to = std::max(place(1), place(g.values[i]));
      fmt::format_to(
          out,
          "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{}' fill='{}'/><text x='{:.1f}' y='{:.1f}' "
          "font-size='10'>{:.1f}</text>\n",
          from, y, to - from, kBar - 1, kColours[i], place(g.values[i]) + 4, y + kBar - 2, g.values[i]);
    }
    y += kGap;
  }
  return svg + "</svg>\n";
}

}  // namespace kc::bench
