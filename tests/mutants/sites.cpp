// SPDX-License-Identifier: Apache-2.0
// Lists the places of a source that can be changed: mutant_sites SEED ROOT FILE OUT -- CLANG-OPTION...
// FILE is relative to ROOT, the repository. OUT is read by mutant_sources.
#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Tooling.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/mutants/find.h"

int main(int argc, char** argv) {
  using namespace kc::mutants;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 5 || words[4] != "--") {
    std::fprintf(stderr, "usage: mutant_sites SEED ROOT FILE OUT -- CLANG-OPTION...\n");
    return 2;
  }
  // Each file has choices of its own, so a change in one leaves the others as they are.
  uint64_t seed = std::strtoull(words[0].c_str(), nullptr, 10);
  for (char c : words[2]) seed = seed * 31 + static_cast<unsigned char>(c);

  const std::vector<std::string> options(words.begin() + 5, words.end());
  const clang::tooling::FixedCompilationDatabase database(words[1], options);
  clang::tooling::ClangTool tool(database, {words[1] + "/" + words[2]});
  std::vector<std::unique_ptr<clang::ASTUnit>> units;
  if (tool.buildASTs(units) != 0 || units.size() != 1) return 1;
  std::vector<Site> sites;
  find_sites(*units[0], seed, sites);
  std::ofstream out(words[3], std::ios::binary);
  out << to_text(sites);
  if (out.flush()) return 0;
  std::perror(words[3].c_str());
  return 3;
}
