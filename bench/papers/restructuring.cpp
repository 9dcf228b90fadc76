// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "ir/cfg.h"
#include "ir/check.h"
#include "papers/chart.h"
#include "papers/reports.h"
#include "passes/analysis/cycles.h"
#include "passes/restructure/structurize.h"
#include "tests/warp/warps.h"

namespace kc::bench {
namespace {

namespace fs = std::filesystem;

// The paper's classes, each within the next.
enum class Shape : uint8_t { Linear, TailStructured, Structured, Reducible, Irreducible };
constexpr std::array<std::string_view, 5> kShapes{"linear", "tail-structured", "structured", "reducible",
                                                  "irreducible"};

struct Classified {
  Shape shape = Shape::Linear;
  bool cyclic = false;
};

Classified classify(const Function& f) {
  Cfg cfg(f);
  Cycles cycles(f, cfg);
  Classified c{.cyclic = !cycles.cycles.empty()};
  SuccessorLists succs = successor_lists(f, cfg);
  const bool branches = std::ranges::any_of(succs, [](const auto& s) { return s.size() > 1; });
  Function whole = f;
  if (!std::ranges::all_of(cycles.cycles, &Cycle::reducible))
    c.shape = Shape::Irreducible;
  else if (!check_structured(f).empty())
    c.shape = Shape::Reducible;
  else if (structurize(whole, {.whole = true}))
    c.shape = Shape::Structured;
  else
    c.shape = branches ? Shape::TailStructured : Shape::Linear;
  return c;
}

struct Growth {
  std::string kernel;
  Classified what;
  uint64_t before = 0, after = 0, head = 0, whole = 0;  // instructions: by default, with `head`, with `whole`
};

class Restructuring {
 public:
  Restructuring(const std::vector<PaperKernel>& kernels, std::string root)
      : kernels_(kernels), root_(std::move(root)) {
    r_.name = "restructuring";
  }

  Report run() {
    r_.put("N. Reissmann and others: Efficient Control Flow Restructuring for GPUs (2016)\n");
    small_graphs();
    for (const fs::path& path : sources()) measure(path);
    classes();
    growth();
    overhead();
    return std::move(r_);
  }

 private:
  void small_graphs() {
    std::map<uint64_t, std::vector<double>> overheads;
    for (const test::Graph& g : test::all_synthetic_graphs()) {
      test::PathFunction paths = test::path_function(g);
      WarpRunResult before = test::run_paths(paths, WarpScheme::Ipdom);
      structurize(paths.f, {.form = SwitchForm::Chain});
      WarpRunResult after = test::run_paths(paths, WarpScheme::Ipdom);
      KC_CHECK(before.ok() && after.ok(), "{}{}", before.message, after.message);
      if (after.statistics.redundant_executions() != 0)
        r_.problems.push_back("a structured graph runs a block twice");
      overheads[before.statistics.redundant_executions()].push_back(
          static_cast<double>(after.statistics.dynamic_instructions) -
          static_cast<double>(before.statistics.dynamic_instructions));
    }
    r_.put(
        "\nFigure 6. All 1601 small unstructured acyclic graphs of 4 to 7 blocks (the paper has 1447), all "
        "branches parting\n"
        "work-items, nothing else in the blocks: instructions issued behind structurize:switch=chain minus "
        "those before, by\n"
        "block executions that were redundant before. None is redundant behind it.\n\n");
    r_.put("{:>10}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "redundant", "graphs", "least", "quarter", "median",
           "quarter", "most");
    std::vector<BoxGroup> boxes;
    double most = 0;
    for (auto& [redundant, values] : overheads) {
      std::ranges::sort(values);
      auto at = [&](double share) {
        return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
      };
      r_.put("{:>10}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}\n", redundant, values.size(), at(0), at(0.25), at(0.5),
             at(0.75), at(1));
      most = std::max(most, values.back());
      boxes.push_back({fmt::format("{}", redundant), values});
    }
    r_.put(
        "\nThe most is {} (the paper: 35, with another count of instructions). In the paper it is negative "
        "wherever more than\n"
        "7 executions were redundant.\n",
        most);
    r_.pictures.push_back({"restructuring_fig6",
                           draw_boxes("Restructured small graphs: instructions issued, minus those before",
                                      "redundant block executions before (above: number of graphs)", boxes,
                                      {.low = -30, .high = 10, .step = 10})});
  }

  std::vector<fs::path> sources() const {
    std::vector<fs::path> found;
    for (const char* folder : {"bench", "docs", "examples"})
      for (const auto& entry : fs::recursive_directory_iterator(fs::path(root_) / folder))
        if (entry.path().extension() == ".cl") found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
  }

  void measure(const fs::path& path) {
    CommandLine line = parse_command_line({"stats", path.string(), "--global", "64"});
    KC_CHECK(line.options.has_value(), "{}", line.text);
    auto input = load_input(*line.options);
    if (!input) {
      r_.problems.push_back(input.error().message);
      return;
    }
    for (const auto& f : input->module.functions) {
      if (!f->is_kernel) continue;
      auto program = make_program(*f, *line.options);
      KC_CHECK(program.has_value(), "{}", path.string());
      const Function& thread = *program->optimised;
      auto after = [&](const StructurizeOptions& options) {
        Function copy = thread;
        structurize(copy, options);
        return size_of(copy).instructions;
      };
      all_.push_back({.kernel = f->name,
                      .what = classify(thread),
                      .before = size_of(thread).instructions,
                      .after = after({}),
                      .head = after({.head = true}),
                      .whole = after({.whole = true})});
    }
  }

  void classes() {
    r_.put(
        "\nTable I. Classes of all {} kernels in bench, docs and examples (the paper: 240 functions of "
        "Rodinia). Each class\n"
        "is within the next; `structured` is what structurize leaves as it is, the paper's SESE.\n\n",
        all_.size());
    r_.put("{:<18}{:>8}{:>8}   {}\n", "", "acyclic", "cyclic", "the paper: acyclic, cyclic");
    constexpr std::array<std::string_view, 5> theirs{"28, -", "56, 3", "3, 139", "1, 10", "-, -"};
    for (size_t s = 0; s < kShapes.size(); ++s) {
      auto count = [&](bool cyclic) {
        return std::ranges::count_if(all_, [&](const Growth& g) {
          return g.what.shape == static_cast<Shape>(s) && g.what.cyclic == cyclic;
        });
      };
      r_.put("{:<18}{:>8}{:>8}   {}\n", kShapes[s], count(false), count(true), theirs[s]);
    }
  }

  void growth() {
    r_.put(
        "\nFigure 8. Instructions of thread IR before and behind structurize; with `head` loops that test at "
        "their head get a\n"
        "copy of the test, as the paper's loop copy; with `whole` a variable.\n\n");
    r_.put("{:<18}{:<18}{:>8}{:>8}{:>9}{:>8}{:>9}{:>8}{:>9}\n", "", "class", "before", "default", "", "head",
           "", "whole", "");
    std::vector<PointSeries> series;
    for (std::string_view shape : kShapes) series.push_back({std::string(shape), {}});
    double sums[3] = {};
    for (const Growth& g : all_) {
      auto percent = [&](uint64_t after) {
        return 100 * (static_cast<double>(after) / static_cast<double>(g.before) - 1);
      };
      r_.put("{:<18}{:<18}{:>8}{:>8}{:>+8.1f}%{:>8}{:>+8.1f}%{:>8}{:>+8.1f}%\n", g.kernel,
             kShapes[static_cast<size_t>(g.what.shape)], g.before, g.after, percent(g.after), g.head,
             percent(g.head), g.whole, percent(g.whole));
      sums[0] += percent(g.after), sums[1] += percent(g.head), sums[2] += percent(g.whole);
      if (g.what.shape <= Shape::Structured && g.after != g.before)
        r_.problems.push_back(g.kernel + ": structured, and yet changed");
      series[static_cast<size_t>(g.what.shape)].points.push_back(
          {static_cast<double>(g.before), static_cast<double>(g.after)});
    }
    const auto n = static_cast<double>(all_.size());
    r_.put("{:<36}{:>8}{:>8}{:>+8.1f}%{:>8}{:>+8.1f}%{:>8}{:>+8.1f}%\n", "mean", "", "", sums[0] / n, "",
           sums[1] / n, "", sums[2] / n);
    r_.put(
        "\nThe paper: 5.2% on average over those that are not tail-structured (loop copy and branches).\n");
    r_.pictures.push_back(
        {"restructuring_fig8",
         draw_points("Instructions before and behind structurize", series,
                     {.name = "before", .low = 10, .high = 1000, .step = 10, .logarithmic = true},
                     {.name = "behind", .low = 10, .high = 1000, .step = 10, .logarithmic = true})});
  }

  void overhead() {
    r_.put(
        "\nFigure 7, in instructions issued under post-dominators in warps of 32 (the paper measures time: "
        "2.1% more on\n"
        "average, from nothing to 12%).\n\n{:<16}{:<18}{:>10}{:>12}{:>9}\n",
        "", "class", "before", "structurize", "");
    for (const PaperKernel& k : kernels_) {
      const Cost before = k.simulate(k.thread(), WarpScheme::Ipdom, 32);
      const Cost after = k.simulate(*k.restructured("structurize"), WarpScheme::Ipdom, 32);
      for (const Cost* c : {&before, &after})
        if (!c->problem.empty()) r_.problems.push_back(fmt::format("{}: {}", k.what().name, c->problem));
      const uint64_t d0 = before.run.dynamic_instructions, d1 = after.run.dynamic_instructions;
      const Classified what = classify(k.thread());
      if (what.shape <= Shape::Structured && d0 != d1)
        r_.problems.push_back(fmt::format("{}: structured, and yet slower", k.what().name));
      r_.put("{:<16}{:<18}{:>10}{:>12}{:>+8.1f}%\n", k.what().name, kShapes[static_cast<size_t>(what.shape)],
             d0, d1, 100 * (static_cast<double>(d1) / static_cast<double>(d0) - 1));
    }
  }

  const std::vector<PaperKernel>& kernels_;
  std::string root_;
  Report r_;
  std::vector<Growth> all_;
};

}  // namespace

Report report_restructuring(const std::vector<PaperKernel>& kernels, const std::string& root) {
  return Restructuring(kernels, root).run();
}

}  // namespace kc::bench
