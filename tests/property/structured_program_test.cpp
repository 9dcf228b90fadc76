// SPDX-License-Identifier: Apache-2.0
// Programs whose convergence is known without compilation: on the simulator, in waves of every width and in
// machine code, under every restructuring scheme.
#include <catch2/catch.hpp>

#include "driver/commands/fuzz_program.h"
#include "runtime/cpu/cpu.h"

using namespace kc;

namespace {

void compare(std::vector<std::string_view> names, uint64_t first, uint64_t count,
             const std::vector<std::string>& options) {
  std::vector<const EngineInfo*> infos;
  for (std::string_view name : names) {
    if ((name == "avx2" && !cpu_features().avx2) || (name == "avx512" && !cpu_features().avx512)) continue;
    infos.push_back(find_engine(name));
  }
  FuzzRoutes routes(infos, false);
  size_t ran = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    fuzz::StructuredProgram p = fuzz::random_structured(seed);
    std::vector<std::string> all = p.launch;
    all.insert(all.end(), options.begin(), options.end());
    FuzzOutcome outcome = routes.run(p.source, all, {}, &p);
    INFO("kernelc fuzz --structured --seed " << seed << " --count 1 " << options[0]);
    CHECK(outcome.fault == "");
    for (size_t k = 0; k < outcome.routes.size(); ++k) {
      INFO(infos[k]->name << ": " << outcome.routes[k].note);
      CHECK(outcome.routes[k].verdict == FuzzVerdict::Agrees);
      ran += outcome.routes[k].verdict == FuzzVerdict::Agrees;
    }
  }
  CHECK(ran == infos.size() * count);
}

}  // namespace

TEST_CASE("work-items meet as the structure of the source says") {
  compare({"sim-tf-stack", "wave8", "wave16", "wave32", "wave64", "avx2", "avx512", "gfx900"}, 1, 120,
          {"-O2"});
  compare({"wave8", "wave32"}, 200, 80, {"-O0"});
}

TEST_CASE("work-items meet as the source says whatever becomes of its control flow") {
  for (const char* scheme : {"structurize", "structurize:whole", "linearize", "linearize:whole", "frontier"})
    compare({"wave8", "wave32"}, 300, 60, {std::string("--restructure=") + scheme});
  compare({"wave16", "wave64"}, 400, 60, {"--meld"});
}
