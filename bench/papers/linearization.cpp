// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "papers/chart.h"
#include "papers/reports.h"

namespace kc::bench {
namespace {

constexpr uint32_t kWarp = 32;

// What the paper prints, after its optimisations against before; Table 2's and Table 4's counts in full.
struct Printed {
  std::string_view kernel;  // ours that is alike
  double ptx, blocks, registers, machine;
  double executed[2], loads[2], stores[2];
  std::array<double, 6> levels;  // Orig, After, O1, O2, O3, O4
};
constexpr Printed kPrinted[] = {
    {"hotspot",
     1.02,
     1.05,
     1.00,
     1.02,
     {4.32e6, 4.57e6},
     {2.92e4, 2.92e4},
     {1.1e4, 1.1e4},
     {4.32e6, 4.90e6, 4.98e6, 4.88e6, 4.76e6, 4.57e6}},
    {"heart_wall",
     1.01,
     1.02,
     1.02,
     1.01,
     {4.68e8, 4.71e8},
     {3.21e7, 3.21e7},
     {7.82e6, 7.62e6},
     {4.68e8, 4.69e8, 4.69e8, 4.69e8, 4.68e8, 4.71e8}},
    {"voxel_photons",
     1.04,
     1.07,
     1.10,
     1.10,
     {2.64e10, 3.05e10},
     {2.48e8, 2.37e8},
     {8.06e7, 6.99e7},
     {2.64e10, 3.7e10, 3.36e10, 3.26e10, 3.18e10, 3.05e10}},
    {"suffix_match",
     1.10,
     1.27,
     1.45,
     1.12,
     {7.80e6, 6.43e6},
     {1.69e5, 8.76e4},
     {5.99e4, 1.87e4},
     {7.80e6, 6.90e6, 6.66e6, 6.66e6, 6.60e6, 6.43e6}},
    {"queens",
     1.03,
     1.03,
     1.12,
     1.02,
     {5.94e4, 5.96e4},
     {3, 3},
     {256, 256},
     {5.94e4, 6.01e4, 6.05e4, 6.05e4, 6.03e4, 5.96e4}},
    {"particle_filter",
     1.04,
     1.0,
     1.00,
     0.98,
     {1.02e5, 1.49e5},
     {1.85e4, 1.85e4},
     {64, 64},
     {1.02e5, 1.77e5, 2.14e5, 1.86e5, 1.68e5, 1.49e5}},
    {"ray_tracer",
     1.03,
     1.07,
     1.16,
     1.03,
     {1.82e6, 1.89e6},
     {2048, 2048},
     {4096, 4096},
     {1.82e6, 2.50e6, 2.16e6, 2.13e6, 2.09e6, 1.89e6}},
};

const Printed* printed(std::string_view kernel) {
  for (const Printed& row : kPrinted)
    if (row.kernel == kernel) return &row;
  return nullptr;
}

double ratio(uint64_t after, uint64_t before) {
  return before ? static_cast<double>(after) / static_cast<double>(before) : 1;
}

// A mean of ratios.
class Mean {
 public:
  void add(double x) { sum_ += std::log(x), ++count_; }
  double value() const { return count_ ? std::exp(sum_ / count_) : 1; }

 private:
  double sum_ = 0, count_ = 0;
};

struct Level {
  std::string_view name, scheme;
};
constexpr Level kLevels[] = {{"plain", "linearize:plain"}, {"o4", "linearize:o4"},
                             {"o1", "linearize:o1"},       {"o1,o1b", "linearize:o1,o1b"},
                             {"o1,o2", "linearize:o1,o2"}, {"o1,o3", "linearize:o1,o3"},
                             {"default", "linearize"}};

class Linearization {
 public:
  explicit Linearization(const std::vector<PaperKernel>& kernels) : kernels_(kernels) {
    r_.name = "linearization";
  }

  Report run() {
    r_.put(
        "J. Anantpur, R. Govindarajan: Taming Control Divergence in GPUs through Control Flow Linearization "
        "(2014)\n"
        "Our kernels after the shapes of the paper's and of others. In brackets: what the paper prints for "
        "its own.\n");
    sizes();
    executions();
    copies();
    levels();
    return std::move(r_);
  }

 private:
  static std::string beside(double ours, const Printed* row, double Printed::*theirs) {
    return row ? fmt::format("{:.2f} ({:.2f})", ours, row->*theirs) : fmt::format("{:.2f}       ", ours);
  }

  Cost measure(const PaperKernel& k, const Function& f, std::string_view what) {
    Cost cost = k.simulate(f, WarpScheme::Ipdom, kWarp);
    if (!cost.problem.empty())
      r_.problems.push_back(fmt::format("{}, {}: {}", k.what().name, what, cost.problem));
    return cost;
  }

  void sizes() {
    r_.put(
        "\nTable 1. Size: before, as a plain row (Af), with all optimisations (Opt). Thread IR; registers "
        "and instructions\n"
        "of code for gfx900 (vector registers, scalar ones). Incr is Opt / before.\n\n");
    r_.put("{:<16}{:>6}{:>6}{:>6} {:<14}{:>5}{:>5}{:>5} {:<14}{:>9}{:>9} {:<14}{:>6}{:>6} {:<14}\n", "",
           "instr", "Af", "Opt", "Incr", "block", "Af", "Opt", "Incr", "registers", "Opt", "Incr", "code",
           "Opt", "Incr");
    Mean instructions, blocks, registers, machine;
    for (const PaperKernel& k : kernels_) {
      auto plain = k.restructured("linearize:plain"), all = k.restructured("linearize");
      Size s0 = size_of(k.thread()), s1 = size_of(*plain), s2 = size_of(*all);
      MachineCode c0 = k.machine_code(k.thread()), c2 = k.machine_code(*all);
      const double growth[] = {ratio(s2.instructions, s0.instructions), ratio(s2.blocks, s0.blocks),
                               ratio(c2.vgprs + c2.sgprs, c0.vgprs + c0.sgprs),
                               ratio(c2.instructions, c0.instructions)};
      instructions.add(growth[0]), blocks.add(growth[1]), registers.add(growth[2]), machine.add(growth[3]);
      const Printed* row = printed(k.what().name);
      r_.put("{:<16}{:>6}{:>6}{:>6} {:<14}{:>5}{:>5}{:>5} {:<14}{:>9}{:>9} {:<14}{:>6}{:>6} {:<14}\n",
             k.what().name, s0.instructions, s1.instructions, s2.instructions,
             beside(growth[0], row, &Printed::ptx), s0.blocks, s1.blocks, s2.blocks,
             beside(growth[1], row, &Printed::blocks), fmt::format("{}+{}", c0.vgprs, c0.sgprs),
             fmt::format("{}+{}", c2.vgprs, c2.sgprs), beside(growth[2], row, &Printed::registers),
             c0.instructions, c2.instructions, beside(growth[3], row, &Printed::machine));
    }
    if (instructions.value() > 1.07) r_.problems.push_back("thread IR grows by more than 7 % on average");
    r_.put("{:<16}{:>18} {:<14}{:>15} {:<14}{:>18} {:<14}{:>12} {:.2f}\n", "geometric mean", "",
           fmt::format("{:.3f}", instructions.value()), "", fmt::format("{:.2f}", blocks.value()), "",
           fmt::format("{:.2f}", registers.value()), "", machine.value());
  }

  void executions() {
    r_.put(
        "\nTable 2. A launch under immediate post-dominators, warps of {}: instructions issued, loads and "
        "stores of global\n"
        "memory issued, before and behind linearize. In brackets the paper's after / before.\n\n",
        kWarp);
    r_.put("{:<16}{:>10}{:>10} {:<14}{:>8}{:>8} {:<14}{:>8}{:>8} {:<14}\n", "", "executed", "Opt",
           "Opt / before", "loads", "Opt", "Opt / before", "stores", "Opt", "Opt / before");
    auto shown = [](double ours, const Printed* row, const double(Printed::*theirs)[2]) {
      if (!row) return fmt::format("{:.2f}", ours);
      return fmt::format("{:.2f} ({:.2f})", ours, (row->*theirs)[1] / (row->*theirs)[0]);
    };
    for (const PaperKernel& k : kernels_) {
      Cost before = measure(k, k.thread(), "before");
      Cost after = measure(k, *k.restructured("linearize"), "linearize");
      const Printed* row = printed(k.what().name);
      const uint64_t d0 = before.run.dynamic_instructions, d1 = after.run.dynamic_instructions;
      r_.put("{:<16}{:>10}{:>10} {:<14}{:>8}{:>8} {:<14}{:>8}{:>8} {:<14}\n", k.what().name, d0, d1,
             shown(ratio(d1, d0), row, &Printed::executed), before.loads, after.loads,
             shown(ratio(after.loads, before.loads), row, &Printed::loads), before.stores, after.stores,
             shown(ratio(after.stores, before.stores), row, &Printed::stores));
    }
  }

  void copies() {
    r_.put(
        "\nTable 3. Instructions of thread IR: copying blocks (the paper: Wu and others in Ocelot) against "
        "linearizing.\n\n");
    r_.put("{:<16}{:>8}{:>12}{:>12}   {}\n", "", "before", "node-split", "linearize",
           "the paper: Orig, Ocelot, Linear");
    for (const PaperKernel& k : kernels_) {
      std::string_view theirs = k.what().name == "hotspot"           ? "237, 242, 240"
                                : k.what().name == "heart_wall"      ? "1422, 1452, 1432"
                                : k.what().name == "particle_filter" ? "54, 78, 62"
                                                                     : "";
      r_.put("{:<16}{:>8}{:>12}{:>12}   {}\n", k.what().name, size_of(k.thread()).instructions,
             size_of(*k.restructured("node-split")).instructions,
             size_of(*k.restructured("linearize")).instructions, theirs);
    }
  }

  void levels() {
    r_.put(
        "\nTable 4. Instructions issued by level of optimisation, divided by those before. The paper's\n"
        "levels add up, from O1 to O4; ours are named by what is on, and come with `o4`. The default\n"
        "is `o1,o3,late`; `late` and the booleans of `o4` are not the paper's.\n\n");
    r_.put("{:<16}{:>10}", "", "before");
    for (const Level& level : kLevels) r_.put("{:>12}", level.name);
    r_.put("   {}\n", "the paper: After, O1, O2, O3, O4");
    std::vector<std::string> series;
    for (const Level& level : kLevels) series.emplace_back(level.name);
    std::vector<BarGroup> groups;
    std::array<Mean, std::size(kLevels)> means;
    for (const PaperKernel& k : kernels_) {
      const uint64_t before = measure(k, k.thread(), "before").run.dynamic_instructions;
      r_.put("{:<16}{:>10}", k.what().name, before);
      groups.push_back({std::string(k.what().name), {}});
      for (size_t i = 0; i < std::size(kLevels); ++i) {
        Cost cost = measure(k, *k.restructured(kLevels[i].scheme), kLevels[i].scheme);
        double of_before = ratio(cost.run.dynamic_instructions, before);
        r_.put("{:>12.3f}", of_before);
        means[i].add(of_before);
        groups.back().values.push_back(of_before);
      }
      // What optimisations are for.
      if (groups.back().values.back() > groups.back().values.front())
        r_.problems.push_back(fmt::format("{}: worse than the plain row", k.what().name));
      if (const Printed* row = printed(k.what().name)) {
        r_.put("   ");
        for (size_t i = 1; i < row->levels.size(); ++i) r_.put("{:.2f} ", row->levels[i] / row->levels[0]);
      }
      r_.put("\n");
    }
    r_.put("{:<26}", "geometric mean");
    for (const Mean& mean : means) r_.put("{:>12.3f}", mean.value());
    r_.put("\n");
    r_.pictures.push_back(
        {"linearization_table4", draw_bars("Linearized: instructions issued, divided by those before", series,
                                           groups, {.low = 0, .high = 2, .step = 0.25})});
  }

  const std::vector<PaperKernel>& kernels_;
  Report r_;
};

}  // namespace

Report report_linearization(const std::vector<PaperKernel>& kernels) { return Linearization(kernels).run(); }

}  // namespace kc::bench
