// SPDX-License-Identifier: Apache-2.0
// All expressions, in slices: proves those that are not proved yet, and makes the table of docs/rewrites.md
// of what the slices found.
//
//   prove_rewrites DIRECTORY SLICES SECONDS LIMIT   proves slices, and starts none after so many seconds; the
//                                                   solver has LIMIT seconds for each question
//   prove_rewrites DIRECTORY table                  prints the table
//
// Each slice is a file, so several can run at a time, and a run goes on where another one ended.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/rewrites/campaign.h"

using namespace kc::rewrites;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const Judge& judge) {
  std::ofstream out(path);
  out << "examined\t" << judge.examined() << "\t" << judge.changed() << "\n";
  for (const auto& [rule, row] : judge.rows())
    out << "rule\t" << rule << "\t" << row.applied << "\t" << row.expressions << "\t" << row.by_solver << "\t"
        << row.by_values << "\t" << row.undecided << "\t" << row.wrong << "\n";
  for (const auto& [rule, what] : judge.undecided()) out << "undecided\t" << rule << "\t" << what << "\n";
  for (const std::string& failure : judge.failures()) out << "failure\t" << failure << "\n";
}

// Returns the number of slices with a failure.
int prove(const fs::path& directory, uint64_t slices, double seconds, unsigned limit) {
  fs::create_directories(directory);
  const auto start = std::chrono::steady_clock::now();
  int failed = 0;
  Judge judge({.solver_milliseconds = limit * 1000});
  // The first part is a few of everything, as in test_rewrites.
  for (uint64_t part = 0; part <= slices; ++part) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (spent.count() > seconds) break;
    const std::string name = part ? fmt::format("slice-{}-of-{}", part - 1, slices) : "some";
    const fs::path done = directory / name;
    const fs::path begun = done.string() + ".begun";
    // Only one process can make the folder.
    if (fs::exists(done) || !fs::create_directory(begun)) continue;
    judge.start_over();
    if (part)
      examine_slice(judge, part - 1, slices);
    else
      examine_some(judge, kOneOfPairs);
    write(begun / "result", judge);
    fs::rename(begun / "result", done);
    fs::remove(begun);
    failed += !judge.failures().empty();
    const std::chrono::duration<double> now = std::chrono::steady_clock::now() - start;
    fmt::print("{:8.0f} s: {}: {} expressions, {} changed, {} wrong\n", now.count(), name, judge.examined(),
               judge.changed(), judge.failures().size());
    std::fflush(stdout);
  }
  return failed;
}

// Rules that each opcode has by itself become one row.
std::string row_name(const std::string& rule) {
  const size_t pass = rule.find(": "), op = rule.find(' ', pass + 2);
  const std::string kind = rule.substr(op + 1);
  for (const char* each : {"fold", "swap_constant", "canonical", "value_numbering", "has_one_result",
                           "constant", "constant_operand"})
    if (kind == each) return rule.substr(0, pass + 2) + kind + ", each opcode";
  return rule;
}

int table(const fs::path& directory) {
  std::map<std::string, RuleRow> rows;
  std::map<std::string, uint64_t> applied;
  for (const std::string& rule : all_rules()) rows[row_name(rule)], applied[rule];
  std::map<std::string, std::string> undecided;
  uint64_t slices = 0, examined = 0, changed = 0, wrong = 0;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    ++slices;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::istringstream fields(line);
      std::string kind, rule;
      std::getline(fields, kind, '\t');
      if (kind == "examined") {
        uint64_t some = 0, of_them = 0;
        fields >> some >> of_them;
        examined += some, changed += of_them;
      } else if (kind == "failure") {
        ++wrong;
      } else if (kind == "rule") {
        std::getline(fields, rule, '\t');
        RuleRow some;
        fields >> some.applied >> some.expressions >> some.by_solver >> some.by_values >> some.undecided >>
            some.wrong;
        rows[row_name(rule)] += some;
        applied[rule] += some.applied;
      } else if (kind == "undecided") {
        std::getline(fields, rule, '\t');
        std::getline(fields, undecided[rule]);
      }
    }
  }
  fmt::print("{} files of slices, {} expressions, {} changed by a pass, {} wrong.\n\n", slices, examined,
             changed, wrong);
  fmt::print(
      "| rule | applied | expressions | by the solver | by all values | neither "
      "|\n|---|---|---|---|---|---|\n");
  for (const auto& [rule, row] : rows)
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", rule, row.applied, row.expressions, row.by_solver,
               row.by_values, row.undecided);
  fmt::print("\n");
  for (const auto& [rule, what] : undecided) fmt::print("- Neither, for example, {}: `{}`\n", rule, what);
  for (const auto& [rule, times] : applied)
    if (times == 0) fmt::print("- Not reached: {}\n", rule);
  return wrong ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && argv[2] == std::string("table") && fs::is_directory(argv[1])) return table(argv[1]);
  if (argc != 5 || std::atoi(argv[2]) < 1) {
    fmt::print(stderr,
               "usage: prove_rewrites DIRECTORY SLICES SECONDS LIMIT | prove_rewrites DIRECTORY table\n");
    return 2;
  }
  if (!Smt::available()) fmt::print("SKIPPED: no SMT solver (libz3-dev); only values are compared\n");
  return prove(argv[1], static_cast<uint64_t>(std::atoi(argv[2])), std::atof(argv[3]),
               static_cast<unsigned>(std::atoi(argv[4])))
             ? 1
             : 0;
}
