// SPDX-License-Identifier: Apache-2.0
// The tables and figures of the papers on divergent control flow, for kernels of our own after the shapes of
// theirs. Every run is compared with the interpreter.
//
//   bench_papers ROOT [--out DIR] [--data DIR]    writes the reports into DIR
//   bench_papers ROOT --graphs DIR                draws the graphs of docs/restructuring.md
//   bench_papers ROOT --check [--data DIR]        only compares the kernels on every engine, as kernelc check
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <filesystem>

#include "papers/data.h"
#include "papers/graph.h"
#include "papers/reports.h"
#include "passes/pipeline.h"

namespace kc::bench {
namespace {

int write(const std::string& folder, const Report& report) {
  auto text = write_output(fmt::format("{}/{}.txt", folder, report.name), report.text);
  if (!text) return kc::report(text.error());
  for (const Picture& p : report.pictures)
    if (auto picture = write_output(fmt::format("{}/{}.svg", folder, p.name), p.svg); !picture)
      return kc::report(picture.error());
  for (const std::string& problem : report.problems) fmt::print(stderr, "{}: {}\n", report.name, problem);
  return report.problems.empty() ? ExitOk : ExitMismatch;
}

struct SchemeGraph {
  std::string_view file, scheme;
};
constexpr SchemeGraph kGraphs[] = {{"source", ""},
                                   {"reconverge", "reconverge"},
                                   {"frontier", "frontier"},
                                   {"structurize", "structurize"},
                                   {"linearize", "linearize"},
                                   {"linearize-plain", "linearize:plain"},
                                   {"node-split", "node-split"}};

// The example of docs/restructuring.md behind each scheme.
int draw_graphs(const std::string& root, const std::string& out) {
  std::filesystem::create_directories(out);
  CommandLine line = parse_command_line({"stats", root + "/docs/short_circuit.cl", "--global", "64"});
  auto input = load_input(*line.options);
  if (!input) return report(input.error());
  for (auto [file, scheme] : kGraphs) {
    PassState state{std::make_unique<Function>(*input->module.functions[0])};
    for (std::string_view pass : {"mem2reg", "instcombine", "simplify_cfg", "dce", "lower_traps"})
      if (auto done = run_pipeline(state, std::array{pass}); !done)
        return report({ExitInternal, done.error().message});
    const size_t original = state.f->block_count();
    if (!scheme.empty()) {
      state.restructure = *parse_restructure(scheme);
      if (auto done = run_pipeline(state, std::array{state.restructure.pass}); !done)
        return report({ExitInternal, done.error().message});
    }
    auto written = write_output(
        fmt::format("{}/{}.svg", out, file),
        draw_graph(*state.f, original, scheme.empty() ? "as the source has it" : std::string(scheme)));
    if (!written) return report(written.error());
  }
  return ExitOk;
}

// For constructs_test.sh: name, construct, file and arguments of those for which a paper names a construct.
int print_launches(const std::string& data) {
  std::filesystem::create_directories(data);
  if (!make_data(data)) return report({ExitIo, fmt::format("cannot write into '{}'", data)});
  for (const PaperCase& what : kPaperCases) {
    std::string arguments(what.arguments);
    for (size_t at = 0; (at = arguments.find("@DATA/", at)) != std::string::npos;)
      arguments.replace(at + 1, 4, data);
    if (!what.construct.empty())
      fmt::print("{}\t{}\t{}\t{}\n", what.name, what.construct, what.file, arguments);
  }
  return ExitOk;
}

int run(const std::string& root, const std::string& out, const std::string& data, bool check) {
  std::filesystem::create_directories(data);
  if (!make_data(data)) return report({ExitIo, fmt::format("cannot write into '{}'", data)});
  std::vector<PaperKernel> kernels;
  for (const PaperCase& what : kPaperCases) {
    auto kernel = PaperKernel::open(what, root, data);
    if (!kernel) return report({ExitMismatch, fmt::format("{}: {}", what.name, kernel.error())});
    kernels.push_back(std::move(*kernel));
  }
  int status = ExitOk;
  if (check) {
    for (const PaperKernel& k : kernels) {
      fmt::print("{}\n", k.what().name);
      std::fflush(stdout);
      status = std::max(status, k.check());
    }
    return status;
  }
  std::filesystem::create_directories(out);
  for (const Report& report : {report_linearization(kernels), report_restructuring(kernels, root),
                               report_frontiers(kernels), report_orders(kernels)})
    status = std::max(status, write(out, report));
  return status;
}

}  // namespace
}  // namespace kc::bench

int main(int argc, char** argv) {
  std::string root, graphs, out = "results", data = "papers_data";
  bool check = false, launches = false;
  CLI::App app("the papers' tables for our kernels");
  app.add_option("root", root, "the repository")->required();
  app.add_option("--out", out, "where reports go");
  app.add_option("--data", data, "where generated inputs go");
  app.add_flag("--check", check, "only compare the kernels on all engines");
  app.add_flag("--launches", launches, "only print the launches of which a paper names the construct");
  app.add_option("--graphs", graphs, "draw the example of docs/restructuring.md into this folder");
  CLI11_PARSE(app, argc, argv);
  if (!graphs.empty()) return kc::bench::draw_graphs(root, graphs);
  if (launches) return kc::bench::print_launches(data);
  return kc::bench::run(root, out, data, check);
}
