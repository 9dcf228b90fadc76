// SPDX-License-Identifier: Apache-2.0
#include "papers/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "ir/cfg.h"
#include "ir/text.h"

namespace kc::bench {
namespace {

constexpr double kWide = 92, kHigh = 32, kDown = 78, kAside = 150, kTop = 56, kMargin = 120;

struct Place {
  double x = 0, y = 0;
  size_t rank = 0;
};

class GraphPicture {
 public:
  GraphPicture(const Function& f, size_t original) : f_(f), original_(original), cfg_(f) { place(); }

  std::string draw(const std::string& title) {
    put("<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} "
        "{1:.0f}' "
        "font-family='sans-serif' font-size='13'>\n<rect width='{0:.0f}' height='{1:.0f}' fill='white'/>\n"
        "<text x='14' y='26' font-size='16'>{2}</text>\n",
        width_, height_, title);
    for (BlockId b : cfg_.rpo) {
      auto targets = f_.successors(b);
      for (size_t k = 0; k < targets.size(); ++k) edge(b, targets, k);
    }
    for (BlockId b : cfg_.rpo) node(b);
    return svg_ + "</svg>\n";
  }

 private:
  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Args>(args)...);
  }

  void place() {
    places_.resize(f_.block_count());
    for (BlockId b : cfg_.rpo)
      for (const Target& t : f_.successors(b))
        if (cfg_.number[t.block.index] > cfg_.number[b.index])
          places_[t.block.index].rank = std::max(places_[t.block.index].rank, places_[b.index].rank + 1);
    std::vector<size_t> count(cfg_.rpo.size(), 0), taken(cfg_.rpo.size(), 0);
    for (BlockId b : cfg_.rpo) ++count[places_[b.index].rank];
    const size_t widest = *std::ranges::max_element(count);
    width_ = 2 * kMargin + kAside * static_cast<double>(widest - 1) + kWide;
    for (BlockId b : cfg_.rpo) {
      Place& p = places_[b.index];
      const double side = static_cast<double>(taken[p.rank]++) - static_cast<double>(count[p.rank] - 1) / 2;
      p.x = width_ / 2 + kAside * side;
      p.y = kTop + kDown * static_cast<double>(p.rank);
      height_ = std::max(height_, p.y + kHigh + 20);
    }
  }

  void node(BlockId b) {
    const Place& p = places_[b.index];
    const std::string& hint = f_.block(b).hint;
    const bool fresh = b.index >= original_;
    put("<rect x='{:.1f}' y='{:.1f}' width='{}' height='{}' rx='{}' fill='{}' stroke='#333'/>\n",
        p.x - kWide / 2, p.y, kWide, kHigh, fresh ? 15 : 4, fresh ? "#fdd49e" : "#deebf7");
    put("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", p.x, p.y + kHigh / 2 + 5,
        !hint.empty() ? hint
        : fresh       ? "copy"
                      : fmt::format("b{}", cfg_.number[b.index]));
  }

  // What an edge to a new block tells it: the argument by which that one branches, itself or in a comparison.
  std::string told(const Target& t) const {
    if (t.block.index < original_) return {};
    const Inst& end = f_.inst(f_.terminator(t.block));
    if (end.operands.empty()) return {};
    ValueId asked = end.operands[0];
    if (f_.value(asked).kind == ValueKind::Result) asked = f_.inst(InstId(f_.value(asked).owner)).operands[0];
    const auto& params = f_.block(t.block).params;
    auto at = std::ranges::find(params, asked);
    if (at == params.end()) return {};
    const Value& value = f_.value(t.args[static_cast<size_t>(at - params.begin())]);
    if (value.kind == ValueKind::Const)
      return value.type == kI1 ? (value.bits & 1 ? "true" : "false") : fmt::format("{}", value.bits);
    return value.kind == ValueKind::Undef ? "" : value.type == kI1 ? "condition" : "turn";
  }

  // Whether a block stands below the first one, above the second.
  bool blocked(const Place& from, const Place& to) const {
    return std::ranges::any_of(cfg_.rpo, [&](BlockId b) {
      const Place& p = places_[b.index];
      return from.rank < p.rank && p.rank < to.rank && std::abs(p.x - from.x) < kWide / 2;
    });
  }

  void edge(BlockId b, std::span<const Target> targets, size_t k) {
    const Place &from = places_[b.index], &to = places_[targets[k].block.index];
    const bool branches = targets.size() > 1;
    const char* colour = !branches ? "#333" : k == 0 ? "#228833" : "#cc3311";
    // The first side of a branch leaves on the left.
    const double x1 = from.x + (branches ? (k == 0 ? -16 : 16) : 0), y1 = from.y + kHigh;
    const bool next = to.rank == from.rank + 1;
    const double x2 = to.x + (next ? (x1 - from.x) / 2 : 0), y2 = to.y - 7;
    double c1 = x1, c2 = x2, d1 = (y2 - y1) / 2, d2 = d1, bend = 0;
    if (!next && !blocked(from, to)) {
      c2 = to.x + (from.x > to.x ? 80 : -80);
      d1 = 0.95 * (y2 - y1), d2 = 10;
    } else if (!next) {
      const double span = std::abs(static_cast<double>(to.rank) - static_cast<double>(from.rank));
      const bool left = to.x < from.x - 1 || (to.x < from.x + 1 && branches && k == 0);
      bend = (46 + 22 * span) * (left ? -1 : 1);
      c1 = from.x + bend, c2 = to.x + bend, d1 = d2 = 14;
    }
    put("<path d='M {:.1f} {:.1f} C {:.1f} {:.1f}, {:.1f} {:.1f}, {:.1f} {:.1f}' fill='none' stroke='{}' "
        "stroke-width='1.6'/>\n",
        x1, y1, c1, y1 + d1, c2, y2 - d2, x2, y2, colour);
    put("<path d='M {:.1f} {:.1f} l -4 -9 l 8 0 z' fill='{}'/>\n", x2, to.y, colour);
    const std::string text = told(targets[k]);
    if (text.empty()) return;
    auto label = [&](double x, double y, const char* anchor) {
      put("<text x='{:.1f}' y='{:.1f}' font-size='11' text-anchor='{}' fill='{}'>{}</text>\n", x, y, anchor,
          colour, text);
    };
    if (next)
      label(x1 + 5, y1 + 16, "start");
    else
      label((x1 + 3 * c1 + 3 * c2 + x2) / 8 + (bend < 0 ? -4 : 4), (y1 + y2) / 2, bend < 0 ? "end" : "start");
  }

  const Function& f_;
  const size_t original_;
  const Cfg cfg_;
  std::vector<Place> places_;  // by block
  double width_ = 0, height_ = 0;
  std::string svg_;
};

}  // namespace

std::string draw_graph(const Function& f, size_t original, const std::string& title) {
  return GraphPicture(f, original).draw(title);
}

}  // namespace kc::bench
