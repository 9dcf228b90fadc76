// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "ir/cfg.h"
#include "papers/chart.h"
#include "papers/reports.h"
#include "passes/analysis/frontiers.h"
#include "passes/restructure/node_split.h"

namespace kc::bench {
namespace {

struct Scheme {
  std::string_view name;
  WarpScheme warp;
  std::string_view restructured;  // what is run; empty: the kernel as it is
};
constexpr Scheme kSchemes[] = {{"PDOM", WarpScheme::Ipdom, ""},
                               {"STRUCT", WarpScheme::Ipdom, "node-split"},
                               {"TF-SANDY", WarpScheme::TfSandy, ""},
                               {"TF-STACK", WarpScheme::TfStack, ""},
                               {"reconverge", WarpScheme::Ipdom, "reconverge"},
                               {"structurize", WarpScheme::Ipdom, "structurize"},
                               {"linearize", WarpScheme::Ipdom, "linearize"}};

// Figure 5 as printed: copies forward and backward, cuts, growth, frontiers, points to join.
struct Printed {
  std::string_view kernel, row;
};
constexpr Printed kPrinted[] = {
    {"short_circuit", "12 0 0  390%   1.0  2   14   1"},
    {"exception_loop", " 1 0 1  13.7%  .77  2    7   1"},
    {"exception_call", " 2 0 0  81.8%  1.1  2   10   2"},
    {"exception_cond", " 1 0 0  0.44%  .77  2    6   1"},
    {"mandelbrot", " 1 0 0  11.7%  2.3  5   38  12"},
    {"suffix_match", "36 0 0  122%   3.6  8   11   7"},
    {"pathfinding", " 2 0 0  9.89%  3.1  7   22  13"},
    {"photons", "35 0 0  13.6%  16  33  101 100"},
    {"background", " 8 0 0  7.63%  2.7  6   29  14"},
    {"voxel_photons", "1433 0 18 97.4% 4.3 8  71  34"},
    {"ray_tracer", "179 0 943 58.9% 4.9 8  134  33"},
    {"path_tracer", "22 0 22  29.0% 4.3  7   18   9"},
};

// What the compiler knows of a kernel's frontiers, without running it.
struct StaticFacts {
  double average = 0;
  size_t largest = 0, joins = 0, post_dominator_joins = 0;
};

StaticFacts facts_of(const Function& f) {
  Cfg cfg(f);
  Frontiers frontiers(f);
  PostDominatorTree post(f, cfg);
  SuccessorLists succs = successor_lists(f, cfg);
  StaticFacts facts;
  size_t sum = 0, branches = 0;
  std::set<uint32_t> meetings;
  for (BlockId b : f.layout) {
    const std::set<uint32_t> targets(succs[b.index].begin(), succs[b.index].end());
    for (uint32_t t : targets) facts.joins += frontiers.checks(b.index, t);
    if (targets.size() < 2) continue;
    size_t size = frontiers.frontier(b.index).size();
    sum += size, ++branches;
    facts.largest = std::max(facts.largest, size);
    meetings.insert(post.ipdom[b.index].index);
  }
  facts.post_dominator_joins = meetings.size();
  facts.average = branches ? static_cast<double>(sum) / static_cast<double>(branches) : 0;
  return facts;
}

class FrontierReport {
 public:
  explicit FrontierReport(const std::vector<PaperKernel>& kernels) : kernels_(kernels) {
    r_.name = "frontiers";
  }

  Report run() {
    r_.put(
        "G. Diamos and others: SIMD Re-Convergence At Thread Frontiers (2011)\n"
        "Our kernels after the shapes of the paper's and of others.\n");
    statics();
    figure("Figure 6. Instructions issued in warps of 32, divided by PDOM's", "frontiers_fig6",
           {.low = 0, .high = 1.5, .step = 0.25}, 32, [](const Cost& c, const Cost& pdom) {
             return static_cast<double>(c.run.dynamic_instructions) /
                    static_cast<double>(pdom.run.dynamic_instructions);
           });
    r_.put(
        "The paper prints no numbers but these: TF-STACK saves from 1.5% (MCX) to 633% (CUDA Renderer; of "
        "its own count),\n"
        "STRUCT issues at most 5.63% more than PDOM (Optix), TF-SANDY loses 3.8% against PDOM on MCX.\n");
    figure("Figure 7. Activity factor: lanes at work, of all lanes; a warp is a whole group",
           "frontiers_fig7", {.low = 0, .high = 1, .step = 0.2}, 0,
           [](const Cost& c, const Cost&) { return c.run.activity_factor(); });
    figure(
        "Figure 8. Memory efficiency: instructions divided by runs of equal or consecutive addresses; a warp "
        "is a whole group",
        "frontiers_fig8", {.low = 0, .high = 1, .step = 0.2}, 0, [](const Cost& c, const Cost&) {
          return c.run.address_runs ? static_cast<double>(c.run.memory_instructions) /
                                          static_cast<double>(c.run.address_runs)
                                    : 1.0;
        });
    return std::move(r_);
  }

 private:
  void statics() {
    r_.put(
        "\nFigure 5. Blocks that node-split copies and what thread IR grows by; frontiers of branches "
        "(average, largest);\n"
        "edges on which work-items may join others, under thread frontiers and under post-dominators.\n"
        "Beside it the paper's row: copies forward, backward, cuts; code grows by; frontier average, "
        "largest; points to\n"
        "join under thread frontiers, post-dominators.\n\n");
    r_.put("{:<16}{:>7}{:>9}{:>9}{:>8}{:>8}{:>7}   {}\n", "", "copies", "growth", "average", "largest",
           "joins", "PDOM", "the paper");
    for (const PaperKernel& k : kernels_) {
      NodeSplitReport split;
      Function copy = k.thread();
      node_split(copy, nullptr, &split);
      const double before = static_cast<double>(size_of(k.thread()).instructions);
      const double growth = 100 * (static_cast<double>(size_of(copy).instructions) / before - 1);
      StaticFacts facts = facts_of(k.thread());
      auto theirs = std::ranges::find(kPrinted, k.what().name, &Printed::kernel);
      r_.put("{:<16}{:>7}{:>8.1f}%{:>9.2f}{:>8}{:>8}{:>7}   {}\n", k.what().name,
             split.given_up ? "-" : fmt::format("{}", split.copies), growth, facts.average, facts.largest,
             facts.joins, facts.post_dominator_joins, theirs == std::end(kPrinted) ? "" : theirs->row);
    }
  }

  template <typename Value>
  void figure(const std::string& title, const std::string& name, const Axis& axis, uint32_t warp,
              Value value) {
    r_.put("\n{}\n\n{:<16}", title, "");
    std::vector<std::string> series;
    for (const Scheme& s : kSchemes) {
      r_.put("{:>12}", s.name);
      series.emplace_back(s.name);
    }
    r_.put("\n");
    std::vector<BarGroup> groups;
    for (const PaperKernel& k : kernels_) {
      r_.put("{:<16}", k.what().name);
      groups.push_back({std::string(k.what().name), {}});
      Cost pdom;
      for (const Scheme& s : kSchemes) {
        Cost cost = s.restructured.empty() ? k.simulate(k.thread(), s.warp, warp)
                                           : k.simulate(*k.restructured(s.restructured), s.warp, warp);
        if (s.name == "PDOM") pdom = cost;
        if (!cost.problem.empty())
          r_.problems.push_back(fmt::format("{}, {}: {}", k.what().name, s.name, cost.problem));
        double v = cost.problem.empty() ? value(cost, pdom) : -1;
        r_.put("{:>12}", v < 0 ? "-" : fmt::format("{:.3f}", v));
        groups.back().values.push_back(v);
      }
      r_.put("\n");
    }
    r_.pictures.push_back({name, draw_bars(title, series, groups, axis)});
  }

  const std::vector<PaperKernel>& kernels_;
  Report r_;
};

}  // namespace

Report report_frontiers(const std::vector<PaperKernel>& kernels) { return FrontierReport(kernels).run(); }

}  // namespace kc::bench
