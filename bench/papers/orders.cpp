// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "ir/check.h"
#include "papers/chart.h"
#include "papers/reports.h"
#include "passes/restructure/reconverge.h"
#include "tests/warp/warps.h"

namespace kc::bench {
namespace {

struct Order {
  std::string_view name;
  ReconvergeOptions options{};
};
using enum ReconvergeOptions::Plan;
constexpr std::array<Order, 5> kOrders{Order{"default", {Scans}},
                                       {"RPOT", {OpenTree, BlockOrder::CycleContiguous}},
                                       {"BF", {OpenTree, BlockOrder::BreadthFirst}},
                                       {"DF", {OpenTree, BlockOrder::DepthFirst}},
                                       {"DFPD", {OpenTree, BlockOrder::DepthFirstPostDominance}}};

// Blocks of the original function, below `blocks`, that branch, all work-items alike.
size_t uniform_branches(const Function& f, const UniformityOptions& options, size_t blocks) {
  const Uniformity u = analyse_uniformity(f, options);
  size_t count = 0;
  for (BlockId b : f.layout)
    count += b.index < blocks && f.successors(b).size() > 1 && !u.divergent_branch[b.index];
  return count;
}

class OrderReport {
 public:
  explicit OrderReport(const std::vector<PaperKernel>& kernels) : kernels_(kernels) { r_.name = "orders"; }

  Report run() {
    r_.put(
        "The poster \"Reconverging control flow graphs\" (Universitaet Mainz and AMD): flow blocks by the "
        "order in which the\n"
        "OpenTree takes the blocks. `default` is what reconverge does when no order is named. The poster "
        "prints no numbers.\n");
    small_graphs();
    kernels();
    return std::move(r_);
  }

 private:
  void small_graphs() {
    r_.put(
        "\nAll 1601 small unstructured acyclic graphs: flow blocks, and executions of the original blocks "
        "under immediate\n"
        "post-dominators when work-items take all ways (11063 is each block once).\n\n{:<10}{:>12}{:>12}\n",
        "", "flow blocks", "executions");
    for (const Order& order : kOrders) {
      uint64_t flow = 0, executions = 0;
      for (const test::Graph& g : test::all_synthetic_graphs()) {
        test::PathFunction paths = test::path_function(g);
        ReconvergeReport report;
        reconverge(paths.f, {}, &report, order.options);
        flow += report.flow_blocks;
        executions += original_executions(paths, g.size());
      }
      r_.put("{:<10}{:>12}{:>12}\n", order.name, flow, executions);
    }
  }

  static uint64_t original_executions(const test::PathFunction& paths, size_t blocks) {
    uint64_t count = 0;
    WarpRunResult r =
        test::run_paths(paths, WarpScheme::Ipdom, [&](BlockId b) { count += b.index < blocks; });
    KC_CHECK(r.ok(), "{}", r.message);
    return count;
  }

  void kernels() {
    r_.put(
        "\nOur kernels: flow blocks (* where the default is taken: barriers, or the order leaves work-items "
        "apart),\n"
        "instructions issued under post-dominators in warps of 32 divided by those of the default, and "
        "uniform\n"
        "branches that are still there (some become so, when those who part before them meet again).\n\n");
    r_.put("{:<16}{:^40}{:^40}{:^40}\n{:<16}", "", "flow blocks", "issued", "uniform branches", "");
    for (int block = 0; block < 3; ++block)
      for (const Order& order : kOrders) r_.put("{:>8}", order.name);
    r_.put("\n");
    std::vector<std::string> series;
    for (const Order& order : kOrders) series.emplace_back(order.name);
    std::vector<BarGroup> groups;
    for (const PaperKernel& k : kernels_) {
      std::vector<std::string> flow, issued, uniform;
      groups.push_back({std::string(k.what().name), {}});
      double base = 0;
      for (const Order& order : kOrders) {
        Function f = k.thread();
        ReconvergeReport report;
        reconverge(f, k.uniformity(), &report, order.options);
        flow.push_back(fmt::format("{}{}", report.flow_blocks, report.plan_failed ? "*" : ""));
        uniform.push_back(fmt::format("{}", uniform_branches(f, k.uniformity(), k.thread().block_count())));
        Cost cost = k.simulate(f, WarpScheme::Ipdom, 32);
        if (!cost.problem.empty())
          r_.problems.push_back(fmt::format("{}, {}: {}", k.what().name, order.name, cost.problem));
        const auto executed = static_cast<double>(cost.run.dynamic_instructions);
        if (order.options.plan == Scans) base = executed;
        issued.push_back(fmt::format("{:.3f}", executed / base));
        groups.back().values.push_back(executed / base);
      }
      r_.put("{:<16}", k.what().name);
      for (const auto* row : {&flow, &issued, &uniform})
        for (const std::string& cell : *row) r_.put("{:>8}", cell);
      r_.put("   of {}\n", uniform_branches(k.thread(), k.uniformity(), k.thread().block_count()));
    }
    r_.pictures.push_back(
        {"orders", draw_bars("reconverge: instructions issued by order of blocks, divided by the default's",
                             series, groups, {.low = 0, .high = 2, .step = 0.25})});
  }

  const std::vector<PaperKernel>& kernels_;
  Report r_;
};

}  // namespace

Report report_orders(const std::vector<PaperKernel>& kernels) { return OrderReport(kernels).run(); }

}  // namespace kc::bench
