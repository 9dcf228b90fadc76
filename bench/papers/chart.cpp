// SPDX-License-Identifier: Apache-2.0
#include "papers/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace kc::bench {
namespace {

constexpr std::array<std::string_view, 8> kColours{"#888888", "#ee6677", "#ccbb44", "#4477aa",
                                                   "#228833", "#aa3377", "#66ccee", "#222222"};
constexpr double kLeft = 70, kTop = 74, kHeight = 320, kRight = 20;

class Picture {
 public:
  Picture(double width, double below, const std::string& title) : width_(width) {
    put("<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} "
        "{1:.0f}' "
        "font-family='sans-serif' font-size='13'>\n<rect width='{0:.0f}' height='{1:.0f}' fill='white'/>\n"
        "<text x='{2}' y='26' font-size='17'>{3}</text>\n",
        width, kTop + kHeight + below, kLeft, title);
  }

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }
  void text(double x, double y, std::string_view words, std::string_view how = "") {
    put("<text x='{:.1f}' y='{:.1f}' {}>{}</text>\n", x, y, how, words);
  }
  void line(double x1, double y1, double x2, double y2, std::string_view colour) {
    put("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}'/>\n", x1, y1, x2, y2, colour);
  }
  void box(double x, double y, double width, double height, std::string_view how) {
    put("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' {}/>\n", x, y, width, height, how);
  }
  void dot(double x, double y, double radius, std::string_view colour) {
    put("<circle cx='{:.1f}' cy='{:.1f}' r='{}' fill='{}' fill-opacity='0.7'/>\n", x, y, radius, colour);
  }

  void legend(const std::vector<std::string>& names) {
    double x = kLeft;
    for (size_t i = 0; i < names.size(); ++i) {
      box(x, 42, 13, 13, fmt::format("fill='{}'", kColours[i % kColours.size()]));
      text(x + 18, 53, names[i]);
      x += 40 + 7.4 * static_cast<double>(names[i].size());
    }
  }

  // Lines across at the steps of the axis, and what they stand for.
  void grid(const Axis& axis) {
    auto mark = [&](double value) {
      double y = height_of(axis, value);
      line(kLeft, y, width_ - kRight, y, value == 1 && axis.low != 0 ? "#888" : "#ddd");
      text(kLeft - 8, y + 4, fmt::format("{:g}", std::round(value * 1e6) / 1e6), "text-anchor='end'");
    };
    for (double v = axis.low; v <= axis.high * 1.0001; v = axis.logarithmic ? v * axis.step : v + axis.step)
      mark(v);
  }

  static double part(const Axis& axis, double value) {
    value = std::clamp(value, axis.low, axis.high);
    if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }
  static double height_of(const Axis& axis, double value) { return kTop + kHeight * (1 - part(axis, value)); }

  std::string finish() { return svg_ + "</svg>\n"; }

 private:
  double width_;
  std::string svg_;
};

// The value below which a share of the sorted values lies, in between where none does exactly.
double quantile(const std::vector<double>& sorted, double share) {
  double at = share * static_cast<double>(sorted.size() - 1);
  auto low = static_cast<size_t>(at);
  size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

}  // namespace

std::string draw_bars(const std::string& title, const std::vector<std::string>& series,
                      const std::vector<BarGroup>& groups, const Axis& axis) {
  const double bar = 11, gap = 14, group = bar * static_cast<double>(series.size()) + gap;
  Picture p(kLeft + group * static_cast<double>(groups.size()) + kRight, 50, title);
  p.legend(series);
  p.grid(axis);
  const double base = Picture::height_of(axis, axis.logarithmic && axis.low < 1 ? 1 : axis.low);
  double x = kLeft + gap / 2;
  bool low = false;
  for (const BarGroup& g : groups) {
    for (size_t i = 0; i < g.values.size(); ++i, x += bar) {
      if (g.values[i] < 0) continue;
      double y = Picture::height_of(axis, g.values[i]);
      p.box(x, std::min(y, base), bar - 1, std::max(std::abs(y - base), 1.0),
            fmt::format("fill='{}'", kColours[i % kColours.size()]));
      if (g.values[i] > axis.high)
        p.text(x + bar / 2, kTop - 3, fmt::format("{:.3g}", g.values[i]),
               "font-size='10' text-anchor='middle'");
    }
    // Every other name stands lower, so that none runs into the next.
    p.text(x - (group - gap) / 2, kTop + kHeight + (low ? 36 : 18), g.name, "text-anchor='middle'");
    low = !low;
    x += gap;
  }
  return p.finish();
}

std::string draw_boxes(const std::string& title, const std::string& groups_name,
                       const std::vector<BoxGroup>& groups, const Axis& axis) {
  const double wide = 34, gap = 16;
  Picture p(kLeft + (wide + gap) * static_cast<double>(groups.size()) + kRight, 64, title);
  p.grid(axis);
  auto height = [&](double v) { return Picture::height_of(axis, v); };
  double x = kLeft + gap / 2;
  for (const BoxGroup& g : groups) {
    std::vector<double> v = g.values;
    std::ranges::sort(v);
    const double q1 = quantile(v, 0.25), q2 = quantile(v, 0.5), q3 = quantile(v, 0.75), far = 1.5 * (q3 - q1);
    double low = q1, high = q3, middle = x + wide / 2;
    for (double one : v) {
      if (one < q1 - far || one > q3 + far)
        p.dot(middle, height(one), 2, "#666");
      else
        low = std::min(low, one), high = std::max(high, one);
    }
    p.line(middle, height(high), middle, height(low), "black");
    for (double end : {low, high}) p.line(x + 8, height(end), x + wide - 8, height(end), "black");
    p.box(x, height(q3), wide, height(q1) - height(q3), "fill='#9ecae1' stroke='black'");
    p.box(x, height(q2) - 1, wide, 2, "fill='black'");
    p.text(middle, kTop + kHeight + 16, g.name, "text-anchor='middle'");
    p.text(middle, kTop - 14, fmt::format("{}", v.size()), "text-anchor='middle' font-size='11' fill='#666'");
    x += wide + gap;
  }
  p.text((kLeft + x) / 2, kTop + kHeight + 42, groups_name, "text-anchor='middle'");
  return p.finish();
}

std::string draw_points(const std::string& title, const std::vector<PointSeries>& series, const Axis& x,
                        const Axis& y) {
  const double width = 520;
  Picture p(kLeft + width + kRight, 64, title);
  std::vector<std::string> names;
  for (const PointSeries& s : series) names.push_back(s.name);
  p.legend(names);
  p.grid(y);
  p.text(kLeft - 8, kTop - 12, y.name, "text-anchor='end'");
  auto across = [&](double v) { return kLeft + width * Picture::part(x, v); };
  for (double v = x.low; v <= x.high * 1.0001; v = x.logarithmic ? v * x.step : v + x.step)
    p.text(across(v), kTop + kHeight + 18, fmt::format("{:g}", v), "text-anchor='middle'");
  p.text(kLeft + width / 2, kTop + kHeight + 42, x.name, "text-anchor='middle'");
  p.line(across(x.low), Picture::height_of(y, x.low), across(x.high), Picture::height_of(y, x.high), "#999");
  for (size_t i = 0; i < series.size(); ++i)
    for (auto [a, b] : series[i].points)
      p.dot(across(a), Picture::height_of(y, b), 4, kColours[i % kColours.size()]);
  return p.finish();
}

}  // namespace kc::bench
