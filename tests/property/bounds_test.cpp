// SPDX-License-Identifier: Apache-2.0
// Random programs with shortened buffers: with --check-bounds every engine stops the same work-items as the
// thread interpreter, at the same lines, and leaves the same bytes.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "driver/commands/fuzz_program.h"
#include "driver/compare.h"
#include "fuzz/random_program.h"
#include "host/traps.h"

using namespace kc;

namespace {

// The removed part stays allocated, so that the memory after a buffer does not belong to another one.
KernelArguments shortened(const KernelArguments& whole, uint64_t seed) {
  KernelArguments args = whole;
  Bytes& bytes = args.buffers[seed % args.buffers.size()].bytes;
  const size_t left[] = {bytes.size() - 1, bytes.size() - 4, bytes.size() / 2, 8};
  bytes.shorten(left[seed / 3 % 4]);
  return args;
}

struct Outcome {
  EngineResult result;
  KernelArguments after;
};
Outcome run(Engine& engine, const FuzzInput& input, uint64_t seed) {
  Outcome o{engine.prepare(input.program, input.spec), {}};
  if (o.result.status != EngineStatus::Ok) return o;
  o.after = shortened(input.inputs, seed);
  o.result = engine.launch(o.after);
  return o;
}

}  // namespace

TEST_CASE("accesses behind shortened buffers trap alike on every engine") {
  const char* text = std::getenv("KC_SEEDS");
  const uint64_t seeds = text ? std::strtoull(text, nullptr, 10) : 150;
  std::vector<const EngineInfo*> infos;
  std::vector<std::unique_ptr<Engine>> engines;
  for (std::string_view name :
       {"interp", "passes", "wave8", "wave32", "sim-tf-stack", "avx2", "avx512", "gfx900"}) {
    infos.push_back(find_engine(name));
    engines.push_back(
        infos.back()->make({.width = infos.back()->width, .threads = 1, .assembly_text = true}));
  }
  uint64_t trapped = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    fuzz::RandomProgram p = fuzz::random_program(seed);
    p.launch.insert(p.launch.end(), {seed % 5 == 4 ? "-O0" : "-O2", "--check-bounds"});
    auto input = compile_random(p.source, p.launch);
    REQUIRE(input.has_value());
    Outcome want = run(*engines[0], **input, seed);
    INFO("seed " << seed << ": " << want.result.message);
    auto said = [&](const Outcome& o) {
      return o.result.trap ? describe(*o.result.trap, *(*input)->kernel) : "no trap";
    };
    INFO("expected: " << said(want));
    REQUIRE((want.result.status == EngineStatus::Ok || want.result.status == EngineStatus::Trapped));
    trapped += want.result.trap.has_value();
    for (size_t k = 1; k < engines.size(); ++k) {
      Outcome got = run(*engines[k], **input, seed);
      INFO(infos[k]->name << ": " << got.result.message);
      if (got.result.status == EngineStatus::Absent) continue;
      INFO(said(got));
      CHECK(got.result.status == want.result.status);
      CHECK(same_trap(want.result.trap, got.result.trap));
      if (got.result.status == want.result.status)
        CHECK(compare_buffers(want.after, got.after, infos[k]->ulp).first == "");
    }
  }
  CHECK(trapped > seeds / 4);
}
