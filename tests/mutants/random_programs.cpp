// SPDX-License-Identifier: Apache-2.0
// Random programs in this process, up to the first that differs from the interpreter:
//
//   random_programs FIRST COUNT ROUTES [OPTION...]
//
// ROUTES are separated by commas. Exit status 1 if a program differs; what crashes or hangs ends the process,
// or whoever started it ends it.
#include <fmt/format.h>

#include <cstdlib>

#include "driver/commands/fuzz_program.h"
#include "fuzz/random_program.h"

int main(int argc, char** argv) {
  using namespace kc;
  if (argc < 4) {
    fmt::print(stderr, "usage: random_programs FIRST COUNT ROUTES [OPTION...]\n");
    return 2;
  }
  const uint64_t first = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
  const std::string names = std::string(",") + argv[3] + ",";
  std::vector<const EngineInfo*> chosen;
  for (const EngineInfo& info : engines())
    if (names.find(fmt::format(",{},", info.name)) != std::string::npos) chosen.push_back(&info);
  FuzzRoutes routes(chosen, false);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    fuzz::RandomProgram p = fuzz::random_program(seed);
    std::vector<std::string> options = p.launch;
    options.insert(options.end(), argv + 4, argv + argc);
    const FuzzOutcome outcome = routes.run(p.source, options);
    const FuzzResult* different = outcome.difference();
    if (outcome.fault.empty() && !different) continue;
    fmt::print("seed {}: {}\n", seed, different ? different->note : outcome.fault);
    return 1;
  }
  return 0;
}
