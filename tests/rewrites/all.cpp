// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "tests/rewrites/judge.h"
#include "tests/rewrites/patterns.h"

using namespace kc;
using namespace kc::rewrites;

int main(int argc, char** argv) {
  const uint64_t budget = argc > 1 ? std::stoull(argv[1]) : 1;
  Judge judge({.solver_milliseconds = 2000, .exhaustive_bits = 16, .samples = 20000});
  Terms terms;
  auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  uint64_t skeletons = 0, total = 0, salt = 0;
  auto visit = [&](const Skeleton& s) {
    ++skeletons;
    total += s.size();
    for (uint64_t k = 0; k < budget; ++k) {
      salt = salt * 6364136223846793005u + 1442695040888963407u;
      if (auto e = s.expression(terms, (salt >> 20) % s.size())) {
        auto t0 = seconds();
        judge.examine(terms, *e);
        if (seconds() - t0 > 0.5) fmt::print("slow {:.2f} {}\n", seconds() - t0, terms.text(*e));
      }
    }
  };
  auto report = [&](const char* what) {
    fmt::print("{}: {:.1f} s, {} skeletons, {} total, examined {}, changed {}, questions {}, terms {}\n",
               what, seconds(), skeletons, total, judge.examined(), judge.changed(), judge.questions(),
               terms.size());
    std::fflush(stdout);
  };
  for_each_single(visit);
  report("singles");
  for_each_pair(visit);
  report("pairs");
  for (auto p : patterns()) for_each_typing(p, visit);
  report("patterns");
  for (auto& f : judge.failures()) fmt::print("FAIL {}\n", f);
  for (auto& [name, row] : judge.rows())
    fmt::print("{:50} {:7} {:7} {:7} {:7} {:5} {:5}\n", name, row.applied, row.expressions, row.by_solver,
               row.by_values, row.undecided, row.wrong);
  for (auto& [name, what] : judge.undecided()) fmt::print("undecided {}: {}\n", name, what);
  for (auto& name : all_rules())
    if (!judge.rows().contains(name)) fmt::print("never {}\n", name);
}
